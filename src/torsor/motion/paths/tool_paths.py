"""Paths of the tool: line and circle with an orientation, and the same as coordinates. Derivatives are exact.

A path has a parameter from 0 to ``length``: metres along a line or an arc, radians for a turn on the spot. Its numbers
may have a leading dimension, one row for each parameter that it is asked at (`many_paths.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeGuard

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.curves import chain_rule
from torsor.motion.paths.rotations import RotationRates, Scalar, about, composed, cross, turn_between, turned
from torsor.motion.time_laws.polynomials import Polynomials
from torsor.motion.tolerances import SHORT

_LOOKS = 129  # points at which the turning of a circle is looked at
_FLAT = 1e-6  # sine of the angle at which three points count as lying on a line


class DegenerateCircle(TorsorError):
    """The three points of a circle coincide or lie on a line."""


class Posing(NamedTuple):
    """The tool along a path: position and rotation with their derivatives by the path's parameter."""

    p: Floats  # (k, 3)
    dp: Floats
    ddp: Floats
    dddp: Floats
    turning: RotationRates

    @property
    def T(self) -> Floats:
        """T_base_tool (k, 4, 4)."""
        T = np.zeros((len(self.p), 4, 4))
        T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = self.turning.R, self.p, 1.0
        return T

    @property
    def rates(self) -> tuple[Floats, Floats, Floats]:
        """Linear over angular velocity by the parameter, and its two derivatives: (k, 6) each."""
        pairs = zip(self[1:4], self.turning[1:], strict=True)
        first, second, third = (np.concatenate(pair, axis=-1) for pair in pairs)
        return first, second, third


class ToolPath(Protocol):
    @property
    def length(self) -> float: ...

    @property
    def kind(self) -> str: ...

    def at(self, s: Floats) -> Posing: ...


@dataclass(frozen=True, eq=False)
class Line:
    """From one pose to another: the point evenly on a line, the rotation evenly about one axis (slerp).

    >>> from torsor.model.transforms import pose
    >>> path = Line.between(pose(position=[1.0, 0.0, 0.0]), pose(position=[1.0, 2.0, 0.0]))
    >>> path.length, path.at(np.array([0.5])).p[0]
    (2.0, array([1. , 0.5, 0. ]))
    """

    start: Floats  # T_base_tool
    along: Floats  # (3,) by the parameter: a unit vector; zero for a turn on the spot
    axis: Floats  # of the turn, in the tool's axes
    rate: float  # of the turn, rad by the parameter
    length: float
    kind: str = "line"

    @property
    def moves(self) -> bool:
        """Whether its parameter is metres; else it turns on the spot."""
        return bool(self.along.any())

    @property
    def turns(self) -> float:
        """How much it turns by the parameter."""
        return abs(self.rate)

    @property
    def end(self) -> Floats:
        """T_base_tool there."""
        return np.asarray(self.at(np.array([self.length])).T[0])

    def tangent(self, s: float) -> Floats:
        """(3,): dp at a parameter."""
        return self.along

    @staticmethod
    def between(start: Floats, end: Floats) -> Line:
        reach = end[:3, 3] - start[:3, 3]
        axis, angle = turn_between(start[:3, :3], end[:3, :3])
        distance = float(np.linalg.norm(reach))
        if distance > SHORT:
            return Line(start, reach / distance, axis, angle / distance, distance)
        return Line(start, np.zeros(3), axis, *((1.0, angle) if angle > SHORT else (0.0, 0.0)))

    def at(self, s: Floats) -> Posing:
        zero = np.zeros((len(s), 3))
        p = self.start[..., :3, 3] + s[:, None] * self.along
        return Posing(p, zero + self.along, zero, zero, _turning(self.start[..., :3, :3], self.axis, s, self.rate))


@dataclass(frozen=True, eq=False)
class Circle:
    """An arc through three points. The rotation turns evenly about ``axis``, and with the tangent where ``follows``."""

    start: Floats  # T_base_tool
    centre: Floats
    normal: Floats  # unit vector about which the arc turns
    radius: float
    angle: float  # of the arc
    axis: Floats  # of the tool's own turn, in the tool's axes
    turn: float  # angle of it
    follows: bool
    kind: str = "circle"
    moves = True

    @staticmethod
    def through(start: Floats, via: Floats, end: Floats, *, follows: bool = False, turns: bool = True) -> Circle:
        """From pose ``start`` through the point ``via`` (3,) to pose ``end``, whose rotation counts if it ``turns``."""
        a, b, c = start[:3, 3], np.asarray(via, dtype=np.float64), end[:3, 3]
        u, v = b - a, c - a
        cross = np.cross(u, v)
        sides = [float(np.linalg.norm(side)) for side in (u, v, c - b)]
        if min(sides) < SHORT:
            pair = ("start and via", "start and end", "via and end")[int(np.argmin(sides))]
            hint = "a circle needs three different points"
            raise DegenerateCircle(f"{pair} of the circle are the same point", hint=hint)
        if float(np.linalg.norm(cross)) < _FLAT * sides[0] * sides[1]:
            hint = "move the via point, or use a straight move"
            raise DegenerateCircle("the three points of the circle lie on a line", hint=hint)
        normal = cross / np.linalg.norm(cross)
        centre = np.linalg.solve(np.stack([u, v, normal]), [u @ (a + b) / 2.0, v @ (a + c) / 2.0, normal @ a])
        x = a - centre
        radius = float(np.linalg.norm(x))
        y = np.cross(normal, x)
        angle = float(np.arctan2((c - centre) @ y, (c - centre) @ x)) % (2.0 * np.pi)
        axis, turn = np.array([1.0, 0.0, 0.0]), 0.0
        if turns:
            carried = about(normal, _even(np.array([angle]), 1.0)).R[0] if follows else np.eye(3)
            axis, turn = turn_between(start[:3, :3], carried.T @ end[:3, :3])
        return Circle(start, centre, normal, radius, angle, axis, turn, follows)

    @property
    def length(self) -> float:
        return self.radius * self.angle

    @property
    def turns(self) -> float:
        """The most that it turns by the parameter."""
        if not self.follows:
            return abs(self.turn) / self.length
        w = self.at(np.linspace(0.0, self.length, _LOOKS)).turning.w
        return float(np.linalg.norm(w, axis=-1).max())

    def tangent(self, s: float) -> Floats:
        """(3,): dp at a parameter."""
        return np.asarray(self.at(np.array([s])).dp[0])

    def at(self, s: Floats) -> Posing:
        curvature = 1.0 / self.radius
        swung = about(self.normal, _even(s, curvature))
        x = turned(swung.R, self.start[..., :3, 3] - self.centre)
        first = cross(swung.w, x)
        inward = -(np.asarray(curvature) ** 2)[..., None]
        turning = _turning(self.start[..., :3, :3], self.axis, s, self.turn / self.length)
        if self.follows:
            turning = composed(swung, turning)
        return Posing(self.centre + x, first, inward * x, inward * first, turning)


@dataclass(frozen=True, eq=False)
class ToolCoordinates:
    """x, y, z and the Euler angles z-y'-z'' as polynomials of time, as SIMASEA interpolates; the parameter is time."""

    x: Polynomials  # of six coordinates
    kind: str = "line"

    @property
    def length(self) -> float:
        return self.x.duration

    def at(self, s: Floats) -> Posing:
        values = self.x.at(s)
        phi, theta, psi = (Scalar(*(each[:, k] for each in values)) for k in (3, 4, 5))
        _, y, z = np.eye(3)
        turning = composed(composed(about(z, phi), about(y, theta)), about(z, psi))
        p, dp, ddp, dddp = (each[:, :3] for each in values)
        return Posing(p, dp, ddp, dddp, turning)


@dataclass(frozen=True, eq=False)
class Carried:
    """The path of a frame that rides on another one: T_base_frame(s) = T_base_tool(s) . offset."""

    path: ToolPath
    offset: Floats  # T_tool_frame

    @property
    def length(self) -> float:
        return self.path.length

    @property
    def kind(self) -> str:
        return self.path.kind

    def at(self, s: Floats) -> Posing:
        p, dp, ddp, dddp, turning = self.path.at(s)
        R, w, dw, ddw = turning
        r = turned(R, self.offset[..., :3, 3])
        if not turning.turns:
            return Posing(p + r, dp, ddp, dddp, turning._replace(R=R @ self.offset[..., :3, :3]))
        dr = cross(w, r)
        ddr = cross(dw, r) + cross(w, dr)
        dddr = cross(ddw, r) + 2.0 * cross(dw, dr) + cross(w, ddr)
        return Posing(p + r, dp + dr, ddp + ddr, dddp + dddr, RotationRates(R @ self.offset[..., :3, :3], w, dw, ddw))


def keeps_rotation(path: ToolPath) -> TypeGuard[Line]:
    """Whether it is a line along which nothing turns."""
    return isinstance(path, Line) and not np.any(path.rate)


def unturned(R: Floats, count: int) -> RotationRates:
    """A rotation, or one for each parameter, that stays."""
    zero = np.zeros((count, 3))
    return RotationRates(R + zero[:, :, None], zero, zero, zero)


def run_through(path: Callable[[Floats], Posing], s: Scalar) -> Posing:
    """The tool as a function of another parameter u, for s(u): the chain rule."""
    p, *rates, turning = path(s.x)
    return Posing(p, *chain_rule(rates, s[1:]), RotationRates(turning.R, *chain_rule(turning[1:], s[1:])))


def _turning(R: Floats, axis: Floats, s: Floats, rate: float) -> RotationRates:
    """The rotation R turned evenly about an axis of its own."""
    if not np.any(rate):
        return unturned(R, len(s))
    own, *rates = about(axis, _even(s, rate))
    return RotationRates(R @ own, *(turned(R, each) for each in rates))


def _even(s: Floats, rate: float) -> Scalar:
    zero = np.zeros_like(s)
    return Scalar(rate * s, np.full_like(s, rate), zero, zero)
