"""Which shapes links have along motions, where those of the arm file are too many or are those of one posture.

In an arm with loops a rod carries nothing in the tree, so that modes of the loaded link miss what loop forces bend; and
interface shapes kept whole are too many to be fast. Here the arm itself says which matter: at some postures its lowest
modes, and what weight bends, are found with all shapes of the file and all loops closed. Of what each link does in them
the main combinations are taken (proper orthogonal decomposition), and of these those that are missed least go. Bending
in one plane, in the other, torsion and stretching stay apart, which keeps zeros in the equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import connected_components

from torsor.elastic import elastic_composite
from torsor.elastic.elastic_loops import SwayingArm, closed_bases
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree
from torsor.elastic.flexible import combined
from torsor.model.transforms import Floats

LOWEST, COUNTED = 8, 6  # modes of the arm at each posture: that shapes are made of, and that are counted
HELD = 1e-12  # of the largest: what gives way less than that does not
GIVING = 1e-2  # the share of how a loop gives way that shapes must have at least
DIGITS = 6  # of combinations: any are right, and rounded ones are the same on every run


def global_motions(arm: SwayingArm, at: Floats) -> Iterator[tuple[Floats, Floats]]:
    """At each posture (postures, joints): frequencies squared, and shapes (u, k) with loops closed."""
    x = arm.x(at, np.zeros((len(at), arm.size)))
    own = np.ix_(arm.unknown, arm.unknown)
    K = arm.tree.K[own]
    M = elastic_composite.mass_matrix(arm.tree, x)[(..., *own)]
    for M_at, Z in zip(M, closed_bases(arm, x), strict=True):
        squares, shapes = scipy.linalg.eigh(Z.T @ K @ Z, Z.T @ M_at @ Z)
        yield squares, Z @ shapes


class ArmAt(NamedTuple):
    """The whole arm at a posture."""

    squares: Floats  # of its frequencies, rising
    shapes: Floats  # (u, k), of unit modal mass
    weights: Floats  # (u, 3): what gravity along x, y and z asks for

    @property
    def sagging(self) -> Floats:
        """(u, 3)."""
        return np.asarray((self.shapes / self.squares) @ (self.shapes.T @ self.weights))


def _snapshots(arm: SwayingArm, seen: list[ArmAt]) -> Floats:
    """(u, snapshots): what moves most, weighed by how easily it does, and what weight bends; of unit energy at most."""
    K, found = arm.tree.K[np.ix_(arm.unknown, arm.unknown)], []
    for each in seen:
        lowest, bent = each.shapes[:, :LOWEST] / each.squares[:LOWEST], each.sagging
        energy = np.sqrt(np.einsum("ik,ij,jk->k", bent, K, bent))
        found += [lowest * np.sqrt(each.squares[0]), bent / np.where(energy > 0.0, energy, 1.0)]
    return np.concatenate(found, axis=1)


def _weights(arm: SwayingArm, x: Floats) -> Floats:
    """(u, 3): what a field of gravity along x, y and z asks of the unknown."""
    still = np.zeros(arm.tree.size)
    return np.array([residual(arm.tree, x, still, still, g)[arm.unknown] for g in np.eye(3)]).T


@dataclass(frozen=True, eq=False)
class _Candidate:
    body: int
    block: int
    shape: Floats  # over the link's own shapes, of unit energy


def fewer_shapes(arm: SwayingArm, at: Floats, count: int) -> ElasticTree:
    """The tree with ``count`` shapes of all its links together, one of each link at least."""
    tree = arm.tree
    x = arm.x(at, np.zeros((len(at), arm.size)))
    seen = [ArmAt(*each, _weights(arm, x_at)) for x_at, each in zip(x, global_motions(arm, at), strict=True)]
    chosen = _least_missed(arm, x, seen, _candidates(arm, _snapshots(arm, seen)), count)
    if arm.loops:
        chosen = _letting_loops_give(arm, at, chosen)
    flexible = {}
    for body, link in tree.flexible.items():
        W = np.concatenate([_diagonal(group) for group in _grouped(chosen, body)], axis=1)
        flexible[body] = combined(link, np.round(W, DIGITS))
    names = [f"{tree.tree.bodies[i].name}.mode{k + 1}" for i, link in flexible.items() for k in range(link.m)]
    held = tree.n + len(tree.springs)
    turns = np.zeros((len(tree.turns), held + len(names)))
    turns[:, :held] = tree.turns[:, :held]
    return replace(tree, flexible=flexible, turns=turns, names=(*tree.names[:held], *names))


def _candidates(arm: SwayingArm, seen: Floats) -> list[_Candidate]:
    """The combinations of every link, all of them."""
    tree, found = arm.tree, []
    for body, own in tree.slices.items():
        parts = seen[own.start - tree.n + len(arm.passive) : own.stop - tree.n + len(arm.passive)]
        K = tree.flexible[body].K
        for block, members in enumerate(_blocks(tree, body)):
            L = np.linalg.cholesky(K[np.ix_(members, members)])
            U = np.linalg.svd(L.T @ parts[members])[0]
            shapes = np.zeros((len(K), len(members)))
            shapes[members] = np.linalg.solve(L.T, U)
            found += [_Candidate(body, block, shape) for shape in shapes.T]
    return found


def _least_missed(
    arm: SwayingArm, x: Floats, seen: list[ArmAt], every: list[_Candidate], count: int
) -> list[_Candidate]:
    """Takes shapes away, always the one that is missed least, the last of a link never.

    F is how shapes give way with all loops closed, y what loads bend: to hold shape i costs y_i^2 / F_ii of the energy,
    and leaves F - F_i F_i^T / F_ii. Loads are those that bend the arm as its lowest modes do, and weight, each counted
    as a share of the energy that it stores.
    """
    back = np.linalg.inv(_over_unknown(arm, every))[-len(every) :]
    K, F, y = arm.tree.K[np.ix_(arm.unknown, arm.unknown)], [], []
    for Z, at in zip(closed_bases(arm, x), seen, strict=True):
        soft = Z @ np.linalg.solve(Z.T @ K @ Z, Z.T)
        loads = np.concatenate([K @ at.shapes[:, :COUNTED], at.weights], axis=1)
        energy = np.einsum("il,ij,jl->l", loads, soft, loads)
        loads, energy = loads[:, energy > 0.0], energy[energy > 0.0]
        F.append(back @ soft @ back.T)
        y.append(back @ soft @ loads / np.sqrt(energy))
    left = list(range(len(every)))
    while len(left) > count:
        missed = np.zeros(len(every))
        for F_at, y_at in zip(F, y, strict=True):
            give = np.diag(F_at)
            missed += (y_at**2).sum(axis=1) / np.where(give > HELD * give.max(), give, np.inf)
        links = [every[k].body for k in left]
        able = [k for k in left if links.count(every[k].body) > 1]
        # of equal ones the last, whatever their last digits say
        gone = min(reversed(able), key=lambda k: round(float(np.log(missed[k] + 1e-300)), 4))
        left.remove(gone)
        for k, F_at in enumerate(F):
            if F_at[gone, gone] > 0.0:
                column = F_at[:, gone] / F_at[gone, gone]
                y[k] = y[k] - np.outer(column, y[k][gone])
                F[k] = F_at - np.outer(column, F_at[gone])
            F[k][gone], F[k][:, gone], y[k][gone] = 0.0, 0.0, 0.0
    return [every[k] for k in left]


def _over_unknown(arm: SwayingArm, chosen: list[_Candidate]) -> Floats:
    """(u, passive joints, springs and shapes): what each does."""
    tree, held = arm.tree, len(arm.passive) + len(arm.tree.springs)
    W = np.zeros((arm.size, held + len(chosen)))
    W[:held, :held] = np.eye(held)
    for k, each in enumerate(chosen):
        own, back = tree.slices[each.body], tree.n - len(arm.passive)
        W[own.start - back : own.stop - back, held + k] = each.shape
    return W


def _letting_loops_give(arm: SwayingArm, at: Floats, chosen: list[_Candidate]) -> list[_Candidate]:
    """With shapes for forces at the ends of loops in place of others, until loops give way in every direction.

    Where both ends of a loop are held, all that moves keeps some of its equations by itself; the forces of these need
    a shape that does not.
    """
    looped = arm.rows(arm.x(at, np.zeros((len(at), arm.size))))[..., arm.unknown]
    spare, added = _interface(arm), list[_Candidate]()
    while spare and _lacking(arm, looped, [*chosen, *added]) > 0.0:
        lacking = [_lacking(arm, looped, [*chosen, *added, each]) for each in spare]
        added.append(spare.pop(int(np.argmin(np.round(lacking, 9)))))
        links = [each.body for each in chosen]
        spared = [k for k, body in enumerate(links) if links.count(body) > 1]
        chosen = [each for k, each in enumerate(chosen) if k not in spared[-1:]]
    return [*chosen, *added]


def _lacking(arm: SwayingArm, looped: Floats, chosen: list[_Candidate]) -> float:
    """By how much, over postures and directions, loops give way less than they should with these shapes."""
    free, W = len(arm.passive), _over_unknown(arm, chosen)[len(arm.passive) :, len(arm.passive) :]
    K = arm.tree.K[arm.tree.n :, arm.tree.n :]
    soft = np.linalg.inv(K)
    kept = W @ np.linalg.pinv(W.T @ K @ W, rcond=1e-10, hermitian=True) @ W.T
    total = 0.0
    for C in looped:
        N = scipy.linalg.null_space(C[:, :free].T) if free else np.eye(len(C))
        G = N.T @ C[:, free:]
        if len(G):
            shares = scipy.linalg.eigh(G @ kept @ G.T, G @ soft @ G.T, eigvals_only=True)
            total += float(np.maximum(GIVING - shares, 0.0).sum())
    return total


def _interface(arm: SwayingArm) -> list[_Candidate]:
    """What unit forces and moments at the ends of loops bend."""
    tree, found = arm.tree, []
    for mounts, tips in zip(tree.tree.ends, tree.ends, strict=True):
        for mount, tip in zip(mounts, tips, strict=True):
            if tip is None:
                continue
            link, blocks = tree.flexible[mount.body], _blocks(tree, mount.body)
            for load in (*link.tips[tip].Phi, *link.tips[tip].Psi):
                for block, members in enumerate(blocks):
                    shape = np.zeros(link.m)
                    shape[members] = np.linalg.solve(link.K[np.ix_(members, members)], load[members])
                    energy = np.sqrt(shape @ link.K @ shape)
                    if energy > 1e-9 * np.sqrt(load @ np.linalg.solve(link.K, load)):
                        found.append(_Candidate(mount.body, block, shape / energy))
    return found


def _grouped(chosen: list[_Candidate], body: int) -> Iterator[Floats]:
    for block in sorted({each.block for each in chosen if each.body == body}):
        yield np.array([each.shape for each in chosen if (each.body, each.block) == (body, block)]).T


def _diagonal(W: Floats) -> Floats:
    """Combinations of the same span that are modes again: of unit modal mass, and apart in stiffness.

    The shapes they are made of have unit modal mass with what they carry, and W stores unit energies.
    """
    _, turn = scipy.linalg.eigh(W.T @ W)
    W = W @ turn
    W = W / np.linalg.norm(W, axis=0)
    largest = np.argmax(np.round(np.abs(W), 6), axis=0)
    return np.asarray(W * np.sign(W[largest, np.arange(W.shape[1])]))


def _blocks(tree: ElasticTree, body: int) -> list[list[int]]:
    """Shapes of a link that move the same nodes along the same axes of its first piece."""
    mesh, V = tree.meshes[body], tree.flexible[body].shapes
    along = np.abs(np.kron(np.eye(mesh.size // 3), mesh.elements[0].axes).T @ V)
    moved = along > 1e-9 * along.max(axis=0)
    count, label = connected_components(moved.T.astype(int) @ moved.astype(int) > 0, directed=False)
    return [np.flatnonzero(label == k).tolist() for k in range(count)]
