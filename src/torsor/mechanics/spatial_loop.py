"""Loops of any shape: their equations in space, and the group of those that must be solved together by Newton's method.

Equations are written in the axes of the second frame s, with d the way from its origin to that of the first frame f:
a ball has R_s^T d = 0; a hinge also x_s . z_f = y_s . z_f = 0; a slider the first two of R_s^T d and no turn; a rigid
one no way and no turn; a distance (d.d - l^2) / 2 l = 0. Some may repeat what others say; they are solved by least
squares, which does not mind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from torsor.mechanics.constraint import Columns, LinearConstraint, least_squares
from torsor.mechanics.kinematics import JointStep, dot, rotate, steps, unrotate
from torsor.mechanics.posture import Posture
from torsor.mechanics.tree import Mount, Reals, Tree
from torsor.model.parts import Loop

Poses = dict[int, tuple[Reals, Reals]]


def spatial_loops(tree: Tree, loops: Sequence[Loop]) -> list[SpatialLoop]:
    ends = enumerate(zip(loops, tree.ends, strict=True))
    return [SpatialLoop(loop.name, k, loop.kind, *both, loop.length or 0.0, tree) for k, (loop, both) in ends]


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

    def poses(self, joints: list[JointStep]) -> Poses:
        """Of the bodies that move, in the axes of the one that carries both ends."""
        found: Poses = {}
        for i in (i for path in self.paths for i in path):
            R, p = joints[i].R, joints[i].p
            if before := found.get(self.tree.bodies[i].parent):
                R, p = before[0] @ R, before[1] + rotate(before[0], p)
            found[i] = R, p
        return found

    def end(self, which: int, poses: Poses) -> tuple[Reals, Reals]:
        mount, path = (self.first, self.second)[which], self.paths[which]
        if not path:  # fixed on the body that carries both
            return mount.rotation, mount.position
        R, p = poses[mount.body]
        return R @ mount.rotation, p + rotate(R, mount.position)


Twists = dict[int, tuple[Reals, Reals]]  # linear and angular velocity by entry of q, for a unit of its rate


@dataclass(frozen=True, eq=False)
class Moving:
    """A frame, its columns, how it moves, and how these change; without rates as if all stood still."""

    R: Reals
    p: Reals
    columns: Twists
    v: Reals
    w: Reals
    changes: Twists


def end_motion(loop: SpatialLoop, which: int, poses: Poses, rates: dict[int, Any] | None = None) -> Moving:
    """Where an end is and how it moves, in the axes of the body that carries both and as if that stood still."""
    bodies, path = loop.tree.bodies, loop.paths[which]
    R, p = loop.end(which, poses)
    v, w, at = np.zeros(3), np.zeros(3), np.zeros(3)
    motions: list[tuple[Reals, Reals]] = []  # of each body: velocity of its origin, turning rate
    known = rates or {}
    for i in path if known else ():
        rate = np.asarray(bodies[i].factor * known[bodies[i].source])[..., None]
        z, origin = poses[i][0][..., :, 2], poses[i][1]
        v = v + np.cross(w, origin - at) + bodies[i].slide * z * rate
        w, at = w + bodies[i].turn * z * rate, origin
        motions.append((v, w))
    v = v + np.cross(w, p - at) if motions else v
    columns: Twists = {}
    changes: Twists = {}
    for k, i in enumerate(path):
        body, z, origin = bodies[i], poses[i][0][..., :, 2], poses[i][1]
        turn, slide = body.factor * body.turn, body.factor * body.slide
        _add(columns, body.source, turn * np.cross(z, p - origin) + slide * z, turn * z)
        if motions:
            v_i, w_i = motions[k]
            dz = np.cross(w_i, z)
            linear = turn * (np.cross(dz, p - origin) + np.cross(z, v - v_i)) + slide * dz
            _add(changes, body.source, linear, turn * dz)
    return Moving(R, p, columns, v, w, changes)


def _add(twists: Twists, source: int, linear: Reals, angular: Reals) -> None:
    v, w = twists.get(source, NONE)
    twists[source] = v + linear, w + angular


class Relative:
    """The first end f as the second one s sees it. Of a distance, which has no axes, as both are seen from outside."""

    def __init__(self, loop: SpatialLoop, f: Moving, s: Moving) -> None:
        self.loop, self.f, self.s = loop, f, s
        self.turned = loop.kind != "distance"
        self.d = self._in_s(f.p - s.p)

    def _in_s(self, v: Reals) -> Reals:
        return unrotate(self.s.R, v) if self.turned else v

    def residual(self) -> tuple[Any, ...]:
        """What the equations leave, in m, or as sines of angles."""
        loop, d = self.loop, self.d
        if not self.turned:
            return ((dot(d, d) - loop.length**2) * (0.5 / loop.length),)
        way = tuple(d[..., k] for k in range(loop.ways))
        if not loop.turns:
            return way
        turn = np.swapaxes(self.s.R, -1, -2) @ self.f.R
        if loop.kind == "hinge":
            return *way, turn[..., 0, 2], turn[..., 1, 2]
        return *way, *(0.5 * (turn[..., i, j] - turn[..., j, i]) for i, j in ((2, 1), (0, 2), (1, 0)))

    def columns(self) -> Columns:
        """d residual / dq where the loop is closed."""
        z = self._in_s(self.f.R[..., :, 2])
        return {source: self._row(*twist, self.d, z) for source, twist in self._twists().items()}

    def column_rates(self) -> Columns:
        """How the columns change with time."""
        f, s, found = self.f, self.s, {}
        d, dd = f.p - s.p, f.v - s.v
        z, w, turning = self._in_s(f.R[..., :, 2]), self._in_s(f.w - s.w), self._in_s(s.w)
        for source, (v_q, w_q) in self._twists().items():
            (av, aw), (bv, bw) = f.changes.get(source, NONE), s.changes.get(source, NONE)
            ws = s.columns.get(source, NONE)[1]
            linear, angular = av - bv, aw - bw
            if self.turned:  # seen from axes that turn
                linear = self._in_s(linear - np.cross(bw, d) - np.cross(ws, dd)) - np.cross(turning, v_q)
                angular = self._in_s(angular) - np.cross(turning, w_q)
            own = self._row(linear, angular, self.d, z)
            if not self.turned:
                own = (own[0] + self._row(v_q, w_q, dd, z)[0],)
            elif self.loop.kind == "hinge":
                tilt = np.cross(w_q, np.cross(w, z))
                own = (*own[:3], own[3] + tilt[..., 0], own[4] + tilt[..., 1])
            found[source] = own
        return found

    def _twists(self) -> Twists:
        """Of f against s, in the axes of s."""
        f, s, d, found = self.f, self.s, self.f.p - self.s.p, {}
        for source in {**f.columns, **s.columns}:
            (vf, wf), (vs, ws) = f.columns.get(source, NONE), s.columns.get(source, NONE)
            linear = vf - vs - np.cross(ws, d) if self.turned else vf - vs
            found[source] = self._in_s(linear), self._in_s(wf - ws)
        return found

    def _row(self, v: Reals, w: Reals, d: Reals, z: Reals) -> tuple[Any, ...]:
        """What the equations gain by a twist of f against s, where d is the way and z the axis of f."""
        loop = self.loop
        if not self.turned:
            return (dot(d, v) * (1.0 / loop.length),)
        turn = np.cross(w, z) if loop.kind == "hinge" else w
        return *(v[..., k] for k in range(loop.ways)), *(turn[..., k] for k in range(loop.turns))


NONE = np.zeros(3), np.zeros(3)


@dataclass(frozen=True, eq=False)
class ClosureGroup:
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

    group: ClosureGroup
    poses: list[Poses]

    def columns(self) -> Columns:
        return self._stacked([each.columns() for each in self.loops()])

    def column_rates(self, rates: dict[int, Any]) -> Columns:
        return self._stacked([each.column_rates() for each in self.loops(rates)])

    def drift(self, rates: dict[int, Any]) -> tuple[Any, ...]:
        shares = [[each * rates[source] for each in column] for source, column in self.column_rates(rates).items()]
        return tuple(sum(equation) for equation in zip(*shares, strict=True))

    def residual(self) -> tuple[Any, ...]:
        return tuple(x for each in self.loops() for x in each.residual())

    def linear(self, columns: Columns) -> LinearConstraint:
        return least_squares([columns[k] for k in self.group.unknown])

    def flatness(self) -> Any:
        """0 where given joints do not say how these loops go on, 1 or -1 at best."""
        found = self.linear(self.columns()).flatness
        assert found is not None
        return found()

    def loops(self, rates: dict[int, Any] | None = None) -> list[Relative]:
        return [
            Relative(loop, *(end_motion(loop, which, poses, rates) for which in (0, 1)))
            for loop, poses in zip(self.group.loops, self.poses, strict=True)
        ]

    def _stacked(self, parts: list[Columns]) -> Columns:
        nothing = [(0.0,) * (loop.ways + loop.turns) for loop in self.group.loops]
        return {
            source: tuple(x for part, none in zip(parts, nothing, strict=True) for x in part.get(source, none))
            for source in sorted({source for part in parts for source in part})
        }
