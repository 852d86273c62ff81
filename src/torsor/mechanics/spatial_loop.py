"""Loops of any shape: their equations in space, and the group of those that must be solved together by Newton's method.

Equations are written in the axes of the second frame s, with d the way from its origin to that of the first frame f:
a ball has R_s^T d = 0; a hinge also x_s . z_f = y_s . z_f = 0; a slider the first two of R_s^T d and no turn; a rigid
one no way and no turn; a distance (d.d - l^2) / 2 l = 0. Some may repeat what others say; they are solved by least
squares, which does not mind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from torsor.mechanics.constraint import Columns, Linear, least_squares
from torsor.mechanics.kinematics import Step, rotate, steps, unrotate
from torsor.mechanics.posture import Posture
from torsor.mechanics.tree import Array, Mount, Tree
from torsor.model.parts import Loop

Poses = dict[int, tuple[Array, Array]]


def spatial_loops(tree: Tree, loops: Sequence[Loop]) -> list[SpatialLoop]:
    return [
        SpatialLoop(loop.name, k, loop.kind, *tree.ends[k], loop.length or 0.0, tree) for k, loop in enumerate(loops)
    ]


@dataclass(frozen=True, eq=False)
class SpatialLoop:
    name: str
    number: int
    kind: str
    first: Mount
    second: Mount
    length: float  # of a distance
    tree: Tree

    @property
    def ways(self) -> int:
        """How many of its equations are of lengths; those of turns come after them."""
        return {"distance": 1, "slider": 2}.get(self.kind, 3)

    @property
    def turns(self) -> int:
        return {"hinge": 2, "slider": 3, "rigid": 3}.get(self.kind, 0)

    @cached_property
    def paths(self) -> tuple[list[int], list[int]]:
        """The bodies that move each end, from the last one that carries both."""
        first, second = (self.tree.path(end.body) for end in (self.first, self.second))
        both = set(first) & set(second)
        return [i for i in first if i not in both], [i for i in second if i not in both]

    @property
    def sources(self) -> frozenset[int]:
        """The entries of q that move one end against the other."""
        return frozenset(self.tree.bodies[i].source for path in self.paths for i in path)

    def poses(self, joints: list[Step]) -> dict[int, tuple[Array, Array]]:
        """Of the bodies that move, in the axes of the one that carries both ends."""
        found: dict[int, tuple[Array, Array]] = {}
        for path in self.paths:
            at: tuple[Array, Array] | None = None
            for i in path:
                R, p = joints[i].R, joints[i].p
                at = (R, p) if at is None else (at[0] @ R, at[1] + rotate(at[0], p))
                found[i] = at
        return found

    def end(self, which: int, poses: Poses) -> tuple[Array, Array]:
        mount, path = (self.first, self.second)[which], self.paths[which]
        if not path:  # fixed on the body that carries both
            return mount.rotation, mount.position
        R, p = poses[mount.body]
        return R @ mount.rotation, p + rotate(R, mount.position)


@dataclass(frozen=True, eq=False)
class Moving:
    """A frame, its columns (linear over angular velocity for each entry of q), and how these change."""

    R: Array
    p: Array
    columns: dict[int, tuple[Array, Array]]
    v: Array = field(default_factory=lambda: np.zeros(3))  # from here on only where rates were asked for
    w: Array = field(default_factory=lambda: np.zeros(3))
    column_rates: dict[int, tuple[Array, Array]] = field(default_factory=dict)


def end_motion(loop: SpatialLoop, which: int, poses: Poses, rates: dict[int, Any] | None) -> Moving:
    """Where an end is and how it moves, in the axes of the body that carries both and as if that stood still."""
    tree, path = loop.tree, loop.paths[which]
    R, p = loop.end(which, poses)
    columns: dict[int, tuple[Array, Array]] = {}
    for i in path:
        body = tree.bodies[i]
        z = poses[i][0][..., :, 2]
        linear = body.turn * np.cross(z, p - poses[i][1]) + body.slide * z
        _add(columns, body.source, body.factor * linear, body.factor * body.turn * z)
    if rates is None:
        return Moving(R, p, columns)
    w: Any = np.zeros(3)
    motions: list[tuple[int, Array, Array]] = []  # body, its turning rate, its origin's velocity
    v, at = np.zeros(3), np.zeros(3)
    for i in path:
        body = tree.bodies[i]
        rate = np.asarray(body.factor * rates[body.source])[..., None]
        z, origin = poses[i][0][..., :, 2], poses[i][1]
        v = v + np.cross(w, origin - at) + body.slide * z * rate
        w = w + body.turn * z * rate
        motions.append((i, w, v))
        at = origin
    v = v + np.cross(w, p - at)
    changes: dict[int, tuple[Array, Array]] = {}
    for i, w_i, v_i in motions:
        body = tree.bodies[i]
        z, origin = poses[i][0][..., :, 2], poses[i][1]
        dz = np.cross(w_i, z)
        linear = body.turn * (np.cross(dz, p - origin) + np.cross(z, v - v_i)) + body.slide * dz
        _add(changes, body.source, body.factor * linear, body.factor * body.turn * dz)
    return Moving(R, p, columns, v, w, changes)


def _add(columns: dict[int, tuple[Array, Array]], source: int, linear: Array, angular: Array) -> None:
    if source in columns:
        linear, angular = columns[source][0] + linear, columns[source][1] + angular
    columns[source] = linear, angular


def residual(loop: SpatialLoop, f: Moving, s: Moving) -> tuple[Any, ...]:
    """What the equations leave, in m, or as sines of angles."""
    d = f.p - s.p
    if loop.kind == "distance":
        return (((d * d).sum(axis=-1) - loop.length**2) * (0.5 / loop.length),)
    way = unrotate(s.R, d)
    x, y, z = (way[..., k] for k in range(3))
    if loop.kind == "ball":
        return x, y, z
    turn = np.swapaxes(s.R, -1, -2) @ f.R
    if loop.kind == "hinge":
        return x, y, z, turn[..., 0, 2], turn[..., 1, 2]
    turned = (
        0.5 * (turn[..., 2, 1] - turn[..., 1, 2]),
        0.5 * (turn[..., 0, 2] - turn[..., 2, 0]),
        0.5 * (turn[..., 1, 0] - turn[..., 0, 1]),
    )
    return (x, y, *turned) if loop.kind == "slider" else (x, y, z, *turned)


def columns(loop: SpatialLoop, f: Moving, s: Moving) -> Columns:
    """d residual / dq where the loop is closed."""
    found: Columns = {}
    none = np.zeros(3), np.zeros(3)
    for source in {**f.columns, **s.columns}:
        (vf, wf), (vs, ws) = f.columns.get(source, none), s.columns.get(source, none)
        found[source] = _row(loop, f, s, vf - vs, wf - ws, ws)
    return found


def _row(loop: SpatialLoop, f: Moving, s: Moving, v: Array, w: Array, ws: Array) -> tuple[Any, ...]:
    d = f.p - s.p
    if loop.kind == "distance":
        return ((d * v).sum(axis=-1) * (1.0 / loop.length),)
    way = unrotate(s.R, v - np.cross(ws, d))
    x, y, z = (way[..., k] for k in range(3))
    if loop.kind == "ball":
        return x, y, z
    if loop.kind == "hinge":
        tilt = unrotate(s.R, np.cross(w, f.R[..., :, 2]))
        return x, y, z, tilt[..., 0], tilt[..., 1]
    turn = unrotate(s.R, w)
    turned = tuple(turn[..., k] for k in range(3))
    return (x, y, *turned) if loop.kind == "slider" else (x, y, z, *turned)


def column_rates(loop: SpatialLoop, f: Moving, s: Moving) -> Columns:
    """How the columns change with time."""
    found: Columns = {}
    none = np.zeros(3), np.zeros(3)
    d, dd = f.p - s.p, f.v - s.v
    for source in {**f.columns, **s.columns}:
        (vf, wf), (vs, ws) = f.columns.get(source, none), s.columns.get(source, none)
        (avf, awf), (avs, aws) = f.column_rates.get(source, none), s.column_rates.get(source, none)
        v, w = vf - vs, wf - ws
        av, aw = avf - avs, awf - aws
        if loop.kind == "distance":
            found[source] = (((dd * v) + (d * av)).sum(axis=-1) * (1.0 / loop.length),)
            continue
        way = v - np.cross(ws, d)
        dway = av - np.cross(aws, d) - np.cross(ws, dd) - np.cross(s.w, way)
        in_s = unrotate(s.R, dway)
        x, y, z = (in_s[..., k] for k in range(3))
        if loop.kind == "ball":
            found[source] = x, y, z
        elif loop.kind == "hinge":
            zf = f.R[..., :, 2]
            tilt = np.cross(w, zf)
            dtilt = np.cross(aw, zf) + np.cross(w, np.cross(f.w, zf)) - np.cross(s.w, tilt)
            t = unrotate(s.R, dtilt)
            found[source] = x, y, z, t[..., 0], t[..., 1]
        else:
            t = unrotate(s.R, aw - np.cross(s.w, w))
            turned = tuple(t[..., k] for k in range(3))
            found[source] = (x, y, *turned) if loop.kind == "slider" else (x, y, z, *turned)
    return found


@dataclass(frozen=True, eq=False)
class Group:
    """Loops solved together for their unknown entries of q, by Newton's method."""

    loops: tuple[SpatialLoop, ...]
    tree: Tree
    unknown: tuple[int, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(loop.number for loop in self.loops)

    def at(self, posture: Posture) -> Equated:
        """Their equations at a posture of which all joints are known, closed or not."""
        joints = steps(self.tree, posture.q())
        return Equated(self, [loop.poses(joints) for loop in self.loops])


@dataclass(frozen=True, eq=False)
class Equated:
    """Equations of a group at a posture, one loop after the other."""

    group: Group
    poses: list[Poses]

    def columns(self) -> Columns:
        return self._stacked([columns(loop, *self.ends(k, None)) for k, loop in enumerate(self.group.loops)])

    def column_rates(self, rates: dict[int, Any]) -> Columns:
        return self._stacked([column_rates(loop, *self.ends(k, rates)) for k, loop in enumerate(self.group.loops)])

    def drift(self, rates: dict[int, Any]) -> tuple[Any, ...]:
        found = self.column_rates(rates)
        return tuple(
            sum(column[k] * rates[source] for source, column in found.items())
            for k in range(len(next(iter(found.values()))))
        )

    def residual(self) -> tuple[Any, ...]:
        return tuple(x for k, loop in enumerate(self.group.loops) for x in residual(loop, *self.ends(k, None)))

    def linear(self, columns: Columns) -> Linear:
        return least_squares([columns[k] for k in self.group.unknown])

    def ends(self, k: int, rates: dict[int, Any] | None) -> tuple[Moving, Moving]:
        loop, poses = self.group.loops[k], self.poses[k]
        return end_motion(loop, 0, poses, rates), end_motion(loop, 1, poses, rates)

    def _stacked(self, parts: list[Columns]) -> Columns:
        sizes = [len(next(iter(part.values()))) for part in parts]
        sources = sorted({source for part in parts for source in part})
        return {
            source: tuple(x for part, size in zip(parts, sizes, strict=True) for x in part.get(source, (0.0,) * size))
            for source in sources
        }
