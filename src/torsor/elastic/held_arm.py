"""An elastic arm at one posture: its mass, stiffness and damping over the motions that its loops leave."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg

from torsor.elastic import elastic_composite, elastic_kinematics
from torsor.elastic.elastic_loops import SwayingArm, closed_motions, closing_rows, row_sizes
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree, straight
from torsor.elastic.resting import require_mass
from torsor.elastic.small_bending import LargeDeflection, much_bent
from torsor.errors import Unsupported, did_you_mean
from torsor.model.model import Model
from torsor.model.parts import Loop
from torsor.model.transforms import Floats

DETERMINED = 1e-9  # of the largest singular value of C^T: smaller ones leave forces that nothing determines
BENDS = 1e-9  # of the most that a motion of unit size bends: what bends less bends nothing but by rounding
BOUNDED = 1e-12  # least singular value of K - w^2 M + i w D, all of size one, of which the response is known
AXES = ("x", "y", "z", "rx", "ry", "rz")  # of what the tool does


@dataclass(frozen=True, eq=False)
class ElasticMode:
    """One way in which the arm swings by itself."""

    frequency: float  # Hz
    x: Floats  # all coordinates, of unit modal mass
    tool: Floats  # (6,) displacement over turn of the tool, base axes
    shares: dict[str, float]  # of the energy that is stored: by link, and by spring, in per cent

    def __str__(self) -> str:
        most = sorted(self.shares.items(), key=lambda item: -item[1])
        return f"{self.frequency:.4g} Hz: " + ", ".join(f"{name} {share:.0f} %" for name, share in most if share >= 1)


@dataclass(frozen=True, eq=False)
class Deflection:
    """What loads bend, as far as it is small: all in base axes."""

    tool: Floats  # (..., 6) displacement over turn
    nodes: dict[str, Floats]  # by link: (..., nodes, 3) displacement along its beam
    springs: dict[str, Floats]  # what each spring gives way, rad or m
    # by loop: (..., 6) force over moment on the link of its first end, there, in the axes of its second end; NaN where
    # links that do not bend leave it undetermined
    loops: dict[str, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls, tree: ElasticTree, q: Floats, x: Floats, tool: Floats, loops: dict[str, Floats] | None = None
    ) -> Deflection:
        for bent in much_bent(tree, x):
            warnings.warn(f"{tree.tree.name}: {bent}", LargeDeflection, stacklevel=3)
        springs = {spring.name: x[..., tree.n + k] for k, spring in enumerate(tree.springs)}
        return cls(tool, elastic_kinematics.node_displacements(tree, q, x), springs, loops or {})


def joined(each: list[Deflection], batch: tuple[int, ...]) -> Deflection:
    """Deflections of single postures as those of many."""

    def together(parts: list[Floats]) -> Floats:
        return np.array(parts).reshape(*batch, *parts[0].shape)

    nodes = {name: together([one.nodes[name] for one in each]) for name in each[0].nodes}
    springs = {name: together([one.springs[name] for one in each]) for name in each[0].springs}
    loops = {name: together([one.loops[name] for one in each]) for name in each[0].loops}
    return Deflection(together([one.tool for one in each]), nodes, springs, loops)


def paired(q: Floats, push: Floats) -> tuple[tuple[int, ...], list[tuple[Floats, Floats]]]:
    """Leading dimensions of both together, and each posture with its wrench."""
    batch = np.broadcast_shapes(q.shape[:-1], push.shape[:-1])
    postures = np.broadcast_to(q, (*batch, q.shape[-1])).reshape(-1, q.shape[-1])
    return batch, list(zip(postures, np.broadcast_to(push, (*batch, 6)).reshape(-1, 6), strict=True))


@dataclass(frozen=True, eq=False)
class HeldArm:
    tree: ElasticTree
    q: Floats  # joints of the tree
    Z: Floats  # (x, motions): what may move
    loops: tuple[Loop, ...] = ()  # those that are closed
    rows: Floats = field(default_factory=lambda: np.zeros((0, 0)))  # (equations, x) of theirs; what is held counts zero

    @classmethod
    def of(cls, model: Model, tree: ElasticTree, q: Floats, moving: Any) -> HeldArm:
        """With these coordinates free to move, as far as loops stay closed."""
        Z = np.eye(tree.size)[:, moving]
        if not model.loops:
            return cls(tree, q, Z)
        C = closing_rows(tree, model.loops, straight(tree, q))[:, moving]
        return cls(tree, q, _loose_apart(tree, Z @ closed_motions(C)), model.loops, C @ Z.T)

    @cached_property
    def x(self) -> Floats:
        return straight(self.tree, self.q)

    @cached_property
    def M(self) -> Floats:
        return np.asarray(self.Z.T @ elastic_composite.mass_matrix(self.tree, self.x) @ self.Z)

    @cached_property
    def swung(self) -> Floats:
        """M; refused where a motion moves no mass, which has no frequency."""
        if len(self.M):  # or nothing moves
            require_mass(self.tree, self.Z, self.M[None])
        return self.M

    @cached_property
    def K(self) -> Floats:
        return np.asarray(self.Z.T @ self.tree.K @ self.Z)

    @cached_property
    def D(self) -> Floats:
        return np.asarray(self.Z.T @ self.tree.D @ self.Z)

    @cached_property
    def tool(self) -> Floats:
        """(6, x): how coordinates move the tool."""
        return elastic_kinematics.jacobian(self.tree, self.x)

    @property
    def frequencies(self) -> Floats:
        """Hz, rising; NaN at a posture that is not finite."""
        if not np.isfinite(self.M).all():
            return np.full(len(self.M), np.nan)
        squares = scipy.linalg.eigh(self.K, self.swung, eigvals_only=True)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi))

    def modes(self, k: int | None) -> list[ElasticMode]:
        squares, shapes = scipy.linalg.eigh(self.K, self.swung)
        found = []
        for square, x in zip(squares[:k], (self.Z @ shapes).T[:k], strict=True):
            x = x * np.sign(x[np.argmax(np.round(np.abs(x) / np.abs(x).max(), 6))])
            frequency = float(np.sqrt(max(square, 0.0)) / (2.0 * np.pi))
            found.append(ElasticMode(frequency, x, self.tool @ x, self.shares(x)))
        return found

    def shares(self, x: Floats) -> dict[str, float]:
        """Of the energy that is stored, in per cent."""
        tree = self.tree
        parts = {spring.name: slice(tree.n + k, tree.n + k + 1) for k, spring in enumerate(tree.springs)}
        parts |= {tree.tree.bodies[body].name: own for body, own in tree.slices.items()}
        stored = {name: float(x[own] @ tree.K[own, own] @ x[own]) for name, own in parts.items()}
        total = sum(stored.values()) or 1.0
        return {name: 100.0 * each / total for name, each in stored.items()}

    @property
    def compliance(self) -> Floats:
        """(6, 6) at the tool."""
        J = self.tool @ self.Z
        return np.asarray(J @ np.linalg.solve(self.K, J.T))

    def deflection(self, gravity: Floats, wrench: Floats) -> Deflection:
        x, loops = self.standing(gravity, wrench)
        return Deflection.of(self.tree, self.q, x, self.tool @ x, loops)

    def standing(self, gravity: Floats, wrench: Floats) -> tuple[Floats, dict[str, Floats]]:
        """What loads bend (x,), and the forces in the loops, as in `Deflection`."""
        still = np.zeros(self.tree.size)
        load = residual(self.tree, self.x, still, still, gravity, wrench)
        x = self.Z @ np.linalg.solve(self.K, -self.Z.T @ load)
        return x, self._loop_forces(self.tree.K @ x + load)

    def _loop_forces(self, asked: Floats) -> dict[str, Floats]:
        """f of C^T f = what coordinates ask for; NaN where it could be any: what is rigid does not share it out."""
        if not self.loops:
            return {}
        moving = self.rows.any(axis=0)
        size = row_sizes(self.rows)
        push = (self.rows / size[:, None])[:, moving].T
        f = np.asarray(np.linalg.lstsq(push, asked[moving], rcond=DETERMINED)[0] / size, dtype=np.float64)
        f[(np.abs(scipy.linalg.null_space(push, rcond=DETERMINED)) > 1e-6).any(axis=1)] = np.nan
        return SwayingArm(self.tree, self.loops, (), tuple(range(len(f)))).forces(self.x, f)

    def response(self, of: str, to: str, frequency: Floats) -> Any:
        push, seen = (self.row(name) @ self.Z for name in (of, to))
        for name, row in ((of, push), (to, seen)):
            if name in self.tree.names and not row.any():
                raise Unsupported(f"{name!r} is held and does not move", hint='ask with drives="free", or "held"')
        w = frequency[..., None, None]
        A = self.K - w * w * self.M + 1j * w * self.D
        if not self._bounded(A[np.isfinite(frequency)], frequency[np.isfinite(frequency)]):
            problem = f"the response of {self.tree.tree.name!r} has no bounds at one of these frequencies"
            hint = 'at rest nobody holds joints that are "free", and without damping nothing bounds a resonance'
            raise Unsupported(problem, hint=hint)
        return np.linalg.solve(A, push.astype(complex)[:, None])[..., 0] @ seen

    def _bounded(self, A: Any, frequency: Floats) -> bool:
        """Whether each A = K - w^2 M + i w D (k, motions, motions) can be inverted, with a margin."""
        each = frequency[:, None]
        # in units in which all are of size one: nothing is soft or light beside something else
        size = np.sqrt(
            np.diagonal(self.K) + each * each * np.abs(np.diagonal(self.M)) + np.abs(each) * np.diagonal(self.D)
        )  # (k, motions)
        if not (size > 0.0).all():  # at rest, what nobody holds
            return False
        least = np.linalg.svd(A / size[:, :, None] / size[:, None, :], compute_uv=False)[:, -1]
        return bool((least > BOUNDED).all())

    def row(self, name: str) -> Floats:
        """How much each coordinate moves what is named."""
        if name in self.tree.names:
            return np.array(np.eye(self.tree.size)[self.tree.names.index(name)])
        tool = [f"tool.{axis}" for axis in AXES]
        if name in tool:
            return np.asarray(self.tool[tool.index(name)])
        known = [*self.tree.names, *tool]
        raise Unsupported(f"{name!r} is neither a coordinate nor what the tool does", hint=did_you_mean(name, known))


def _loose_apart(tree: ElasticTree, Z: Floats) -> Floats:
    """The same motions (x, motions), those apart that bend nothing: they have no stiffness to the last bit.

    Loops mix joints with what bends. Of a motion of joints alone rounding would leave a little of what is stiffest.
    """
    stiff = np.diagonal(tree.K) > 0.0
    _, sizes, Vt = np.linalg.svd(Z[stiff])
    apart = np.asarray(Z @ Vt.T)
    loose = int((sizes > BENDS * sizes[:1].max(initial=0.0)).sum())
    apart[np.ix_(stiff, np.arange(loose, Z.shape[1]))] = 0.0
    return apart
