"""Rounded corners: two paths that meet in a point, joined by Paul's quartic.

Over the zone, u from -r to r, the first path is run to its end ever slower and the second started ever faster:
a(u) goes from -r to 0 with slope 1 - w, b(u) from 0 to r with slope w, where w is the smooth step 3 h^2 - 2 h^3,
h = (u + r) / (2 r). The corner is then A(a) + B(b) - corner, and for rotations A(a) corner^T B(b).

It leaves and joins the paths with equal first and second derivatives, is nowhere faster than they are, and stays
within 3/16 r of them (DEVIATION): at the corner a = -3/16 r and b = 3/16 r.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.curves import Along, JointPath, chain_rule
from torsor.motion.paths.rotations import Scalar, composed
from torsor.motion.paths.tool_paths import Carried, Line, Posing, ToolPath, keeps_rotation, run_through, unturned
from torsor.motion.paths.trajectories import JointLine

DEVIATION = 3.0 / 16.0  # of the zone's radius, the most that a rounded corner leaves its path
BEND = 0.75  # second derivative of the corner <= BEND / r * |difference of the tangents|


def running_out(u: Floats, r: float) -> Scalar:
    """a(u): the parameter left of the first path, from -r to 0, with its derivatives."""
    b = running_in(u, r)
    return Scalar(u - b.x, 1.0 - b.dx, -b.ddx, -b.dddx)


def running_in(u: Floats, r: float) -> Scalar:
    """b(u) = 2 r (h^3 - h^4 / 2): the parameter of the second path, from 0 to r, with its derivatives."""
    h, width = (u + r) / (2.0 * r), 2.0 * r
    first, second = h * h * (3.0 - 2.0 * h), 6.0 * h * (1.0 - h) / width
    return Scalar(width * (h**3 - 0.5 * h**4), first, second, 6.0 * (1.0 - 2.0 * h) / width**2)


@dataclass(frozen=True, eq=False)
class ToolCorner:
    """The corner of two tool paths, the first ending where the second starts. The parameter runs from 0 to 2 r."""

    before: ToolPath
    after: ToolPath
    radius: float
    kind: str = "blend"

    @property
    def length(self) -> float:
        return 2.0 * self.radius

    @property
    def bend(self) -> float:
        """The largest second derivative of the point by the parameter, where both paths are straight; else about it."""
        edge = _tangent(self.after, 0.0) - _tangent(self.before, self.before.length)
        return BEND / self.radius * float(np.linalg.norm(edge))

    def at(self, s: Floats) -> Posing:
        u = s - self.radius
        out, into = running_out(u, self.radius), running_in(u, self.radius)
        if keeps_rotation(self.before) and keeps_rotation(self.after):
            return _between_lines(self.before, self.after, out, into)
        A = run_through(self.before.at, out._replace(x=self.before.length + out.x))
        B = run_through(self.after.at, into)
        corner = self.after.at(np.zeros(len(s)))
        turning = composed(A.turning._replace(R=A.turning.R @ corner.turning.R.swapaxes(-1, -2)), B.turning)
        return Posing(A.p + B.p - corner.p, A.dp + B.dp, A.ddp + B.ddp, A.dddp + B.dddp, turning)


def _tangent(path: ToolPath, s: float) -> Floats:
    return path.along if isinstance(path, Line) else path.at(np.array([s])).dp[0]


def _between_lines(before: Line, after: Line, out: Scalar, into: Scalar) -> Posing:
    """The corner of lines along which nothing turns: the same, in fewer operations."""
    corner = after.start[..., :3, 3]
    end = before.start[..., :3, 3] + (before.length + out.x)[:, None] * before.along
    p = end + (corner + into.x[:, None] * after.along) - corner
    ways = zip(out[1:], into[1:], strict=True)
    dp, ddp, dddp = (a[:, None] * before.along + b[:, None] * after.along for a, b in ways)
    R = after.start[..., :3, :3]
    return Posing(p, dp, ddp, dddp, unturned(before.start[..., :3, :3] @ R.swapaxes(-1, -2) @ R, len(p)))


def carried(path: ToolPath, offset: Floats) -> ToolPath:
    """The path of a frame that rides on another one, with T_tool_frame: what turns nothing stays what it is."""
    if isinstance(path, ToolCorner) and keeps_rotation(path.before) and keeps_rotation(path.after):
        return replace(path, before=carried(path.before, offset), after=carried(path.after, offset))
    return replace(path, start=path.start @ offset) if keeps_rotation(path) else Carried(path, offset)


class ManyPath(Protocol):
    """A path in joints, or one for each parameter that it is asked at."""

    @property
    def length(self) -> Floats | float: ...

    def at(self, s: Floats) -> Along: ...


@dataclass(frozen=True, eq=False)
class PathCorner:
    """The corner of any two joint paths, whatever their parameters: ``out`` of the first and ``into`` of the second.

    Its parameter runs from 0 to 2. At a steady rate of it the first path is left with the speed ``out`` times the rate,
    and the second joined with ``into`` times the rate.
    """

    before: JointPath
    after: JointPath
    out: float  # how much of the first path's end is taken
    into: float  # and of the second path's start
    length = 2.0

    def at(self, s: Floats) -> Along:
        ending, starting = joined_ways(s, self.out, self.into)
        if isinstance(self.before, JointLine) and isinstance(self.after, JointLine):
            ways = self.before.tangent, self.after.tangent  # the same, in fewer operations
            q, *rates = (a[:, None] * ways[0] + b[:, None] * ways[1] for a, b in zip(ending, starting, strict=True))
            return Along(self.after.start + q, *rates)
        return added_up(self.before, self.after, ending, starting, self.after.at(np.zeros(1)).q)


def joined_ways(s: Floats, out: Floats | float, into: Floats | float) -> tuple[Scalar, Scalar]:
    """How much is left of the first path of corners, and how much is gone of the second, at parameters s (k,)."""
    ending = Scalar(*(out * each for each in running_out(s - 1.0, 1.0)))
    return ending, Scalar(*(into * each for each in running_in(s - 1.0, 1.0)))


def added_up(before: ManyPath, after: ManyPath, ending: Scalar, starting: Scalar, corner: Floats) -> Along:
    """Corners of paths that meet at joints (k, n): of one pair of paths, or of one for each parameter."""
    A = _run_through(before, ending._replace(x=before.length + ending.x))
    B = _run_through(after, starting)
    return Along(A.q + B.q - corner, A.dq + B.dq, A.ddq + B.ddq, A.dddq + B.dddq)


def _run_through(path: ManyPath, s: Scalar) -> Along:
    """A joint path as a function of another parameter u, for s(u): the chain rule."""
    q, *rates = path.at(np.clip(s.x, 0.0, path.length))
    return Along(q, *chain_rule(rates, s[1:]))
