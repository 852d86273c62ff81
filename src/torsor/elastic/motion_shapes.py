"""Which shapes links have along motions, where those of the arm file are too many or are those of one posture.

In an arm with loops a rod carries nothing in the tree, so that modes of the loaded link miss what loop forces bend; and
interface shapes kept whole are too many to be fast. Here the arm itself says which matter: at some postures its lowest
modes, and what weight bends, are found with all shapes of the file and all loops closed. Of the parts that each link
has in them the strongest combinations are kept, by the energy that they store (proper orthogonal decomposition).
Bending in one plane, in the other, torsion and stretching stay apart, which keeps zeros in the equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import connected_components

from torsor.elastic import elastic_composite
from torsor.elastic.elastic_loops import SwayingArm, closed_bases
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree
from torsor.elastic.flexible import combined
from torsor.model.transforms import Floats

LOWEST = 8  # modes of the arm at each posture
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


def _snapshots(arm: SwayingArm, at: Floats) -> Floats:
    """(u, snapshots): what moves most, weighed by how easily it does, and what weight bends; of unit energy at most."""
    tree, found = arm.tree, []
    K = tree.K[np.ix_(arm.unknown, arm.unknown)]
    still = np.zeros(tree.size)
    for q, (squares, shapes) in zip(at, global_motions(arm, at), strict=True):
        lowest = shapes[:, :LOWEST] / squares[:LOWEST]
        x = arm.x(q, np.zeros(arm.size))
        loads = np.array([residual(tree, x, still, still, g)[arm.unknown] for g in np.eye(3)]).T
        bent = (shapes / squares) @ (shapes.T @ loads)
        energy = np.sqrt(np.einsum("ik,ij,jk->k", bent, K, bent))
        found += [lowest * np.sqrt(squares[0]), bent / np.where(energy > 0.0, energy, 1.0)]
    return np.concatenate(found, axis=1)


@dataclass(frozen=True, eq=False)
class _Candidate:
    size: float
    body: int
    block: int
    shape: Floats  # over the link's own shapes, of unit energy


def fewer_shapes(arm: SwayingArm, at: Floats, count: int) -> ElasticTree:
    """The tree with ``count`` shapes of all its links together, one of each link at least."""
    tree, ranked = arm.tree, _ranked(arm, _snapshots(arm, at))
    first = {each.body: each for each in reversed(ranked)}
    chosen = [*first.values(), *(each for each in ranked if first[each.body] is not each)][:count]
    if arm.loops:
        chosen = _letting_loops_give(arm, at, chosen, len(first))
    flexible = {}
    for body, link in tree.flexible.items():
        W = np.concatenate([_diagonal(group) for group in _grouped(chosen, body)], axis=1)
        flexible[body] = combined(link, np.round(W, DIGITS))
    names = [f"{tree.tree.bodies[i].name}.mode{k + 1}" for i, link in flexible.items() for k in range(link.m)]
    held = tree.n + len(tree.springs)
    turns = np.zeros((len(tree.turns), held + len(names)))
    turns[:, :held] = tree.turns[:, :held]
    return replace(tree, flexible=flexible, turns=turns, names=(*tree.names[:held], *names))


def _ranked(arm: SwayingArm, seen: Floats) -> list[_Candidate]:
    """The combinations of every link, strongest first."""
    tree, found = arm.tree, []
    for body, own in tree.slices.items():
        parts = seen[own.start - tree.n + len(arm.passive) : own.stop - tree.n + len(arm.passive)]
        K = tree.flexible[body].K
        for block, members in enumerate(_blocks(tree, body)):
            L = np.linalg.cholesky(K[np.ix_(members, members)])
            U, sizes, _ = np.linalg.svd(L.T @ parts[members], full_matrices=False)
            shapes = np.zeros((len(K), len(sizes)))
            shapes[members] = np.linalg.solve(L.T, U)
            found += [_Candidate(float(size), body, block, shape) for size, shape in zip(sizes, shapes.T, strict=True)]
    # equal ones stay in the order of their links, whatever their last digits say
    return sorted(found, key=lambda each: -round(float(np.log(max(each.size, 1e-300))), 4))


def _letting_loops_give(arm: SwayingArm, at: Floats, chosen: list[_Candidate], least: int) -> list[_Candidate]:
    """With shapes for forces at the ends of loops in place of the weakest, until loops give way in every direction.

    Where both ends of a loop are held, all that moves keeps some of its equations by itself; the forces of these need
    a shape that does not.
    """
    looped = arm.rows(arm.x(at, np.zeros((len(at), arm.size))))[..., arm.unknown]
    spare, added = _interface(arm), list[_Candidate]()
    while spare and _lacking(arm, looped, [*chosen, *added]) > 0.0:
        lacking = [_lacking(arm, looped, [*chosen, *added, each]) for each in spare]
        added.append(spare.pop(int(np.argmin(np.round(lacking, 9)))))
        if len(chosen) > least:
            chosen = chosen[:-1]
    return [*chosen, *added]


def _lacking(arm: SwayingArm, looped: Floats, chosen: list[_Candidate]) -> float:
    """By how much, over postures and directions, loops give way less than they should with these shapes."""
    tree, free = arm.tree, len(arm.passive)
    K, held = tree.K[tree.n :, tree.n :], len(tree.springs)
    W = np.zeros((len(K), held + len(chosen)))
    W[:held, :held] = np.eye(held)
    for k, each in enumerate(chosen):
        own = tree.slices[each.body]
        W[own.start - tree.n : own.stop - tree.n, held + k] = each.shape
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
                        found.append(_Candidate(0.0, mount.body, block, shape / energy))
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
