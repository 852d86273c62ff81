"""From moves to legs: the path of each, as written, in joints, and how fast it may be run through.

A move with via points has several legs. Blends come later (`corners.py`) and cut the ends of legs off.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import degrees, inf
from operator import attrgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from torsor.errors import TorsorError
from torsor.model.transforms import Floats, inverse
from torsor.motion.any_arm import AnyArm
from torsor.motion.commands import Blend, Joints, Move, Pace, Pose, Target, pose_matrix
from torsor.motion.curves import Along
from torsor.motion.paths.chain import Chain
from torsor.motion.paths.following import Followed
from torsor.motion.paths.tool_paths import Circle, Line, ToolPath
from torsor.motion.paths.trajectories import JointLine
from torsor.motion.planning.best_trapezoids import best_trapezoids
from torsor.motion.planning.configuring import configured, missed
from torsor.motion.planning.joint_rates import Decides, JointRates
from torsor.motion.planning.joints_ahead import JointAhead, JointsAhead
from torsor.motion.planning.lines_ahead import LOOKS, LineAhead, LinesAhead
from torsor.motion.planning.piece import Note, NoteKind, note_on
from torsor.motion.planning.reaching import Reaching
from torsor.motion.planning.slowing import balanced, of_one, slowed_together
from torsor.motion.planning.tip import MARGIN, Peaks, Tip
from torsor.motion.time_laws.timing import Timing
from torsor.motion.tolerances import SHORT

_CLOSES = 129  # points at which the loops along a joint move are looked at
_MOST_LOOKS = 513  # points at which a leg is held to the limits of the joints
Slowing = tuple[float, float]  # from what was asked for to what is done
_PACE = tuple(field.name for field in fields(Pace))
NEAR_SINGULAR = 0.02  # smallest singular value of J (1/m, rad): a wrist 2 to 3 degrees from straight


@dataclass(frozen=True, eq=False)
class Leg:
    """One path, stop to stop as written, in the joints of the chain."""

    move: Move
    number: int  # of the move in the program
    path: JointLine | Followed
    tool: Line | Circle | None  # of the tool as programmed; None for a joint move
    speed: float  # along the path, within all limits
    acceleration: float
    share: float  # of the joints' speeds
    push: float  # of the joints' accelerations
    tool_acceleration: float  # as programmed, infinite where it is not
    blend: Blend  # into the next leg
    tip: Tip  # of the tool that it is run through with

    @property
    def length(self) -> float:
        return self.path.length

    @property
    def metric(self) -> bool:
        """Whether its parameter is metres of the tool's path."""
        return self.tool is not None and self.tool.moves


class Legs:
    """Makes legs, one move after the other; knows where the arm stands and which tool it has."""

    def __init__(self, arm: AnyArm, chain: Chain, rates: JointRates, reaching: Reaching, timing: Timing) -> None:
        self.arm, self.chain, self.rates, self.reaching = arm, chain, rates, reaching
        self.slows = timing.too_fast == "slow"  # tool paths that are programmed faster than the joints can go
        self.exact = timing.shape == "trapezoid"
        self.q = chain.home()
        self.resting = True  # whether the next leg begins from rest, whatever it is
        self.tip = Tip(chain, np.eye(4))
        self.as_asked = False  # whether the arm is in the configuration that the program asked for last
        self.ahead, self.joints_ahead = LinesAhead(), JointsAhead()
        self.notes: list[Note] = []

    @property
    def T(self) -> Floats:
        """T_base_tool of the tool in use."""
        return self._pose(self.q)

    @property
    def offset(self) -> Floats:
        """T_own_tool of the tool in use."""
        return self.tip.offset

    def use(self, offset: Floats) -> None:
        """Another tool from here on; legs that were made keep theirs."""
        self.tip = Tip(self.chain, offset)

    def note(self, move: Move, kind: NoteKind, text: str) -> None:
        self.notes.append(note_on(move, kind, text))

    def of(self, move: Move, number: int) -> list[Leg]:
        """The legs of a move; none for those without length."""
        if move.kind == "circle" and len(move.via) != 1:
            raise TorsorError(f"a circle through {len(move.via)} via points", hint="a circle has one via point")
        passing = Blend("joint" if move.kind == "joint" else "speed")
        vias, legs = () if move.kind == "circle" else move.via, []
        for target, blend in (*((via, passing) for via in vias), (move.target, move.blend)):
            make = self._joint if move.kind == "joint" else self._straight
            leg = make(move, number, target, blend)
            if leg is not None:
                self.q, self.resting = leg.path.end, blend.kind == "stop"
                legs.append(leg)
        return legs

    def joints_of(self, target: Target, q: Floats) -> Floats:
        """The chain's joints at a target of a joint move from q."""
        if isinstance(target, Joints):
            return self.reaching.completed(target, q)
        return self.reaching.nearest(self._own_pose(target, q), q, branch=target.branch)

    def _own_pose(self, target: Pose, q: Floats) -> Floats:
        """Of the arm's own tool; what a target leaves open is as it is at q."""
        return pose_matrix(target, self._pose(q)[:3, :3]) @ inverse(self.offset)

    def _configured(self, target: Target, q: Floats) -> tuple[Floats, str, bool]:
        """The chain's joints in the configuration that is asked for; where there is none the nearest, and why, and
        whether they are near enough."""
        if isinstance(target, Joints) or not target.within:
            return self.joints_of(target, q), "", True

        def is_allowed(found: Floats) -> bool:
            return self.reaching.beyond(self.chain.from_arm(found, q)[None]) is None

        T, now = self._own_pose(target, q), self.chain.to_arm(q)
        found, wrong = configured(self.arm, T, now, target.within, is_allowed, beside=target.beside)
        if found is None:
            return self.joints_of(target, q), wrong, not wrong
        return self.chain.from_arm(found, q), wrong, True

    def joint_ahead(self, target: Target, q: Floats) -> JointAhead:
        """A joint move from q to a target."""
        goal, wrong, near = self._configured(target, q)
        delta = np.where(np.abs(goal - q) < SHORT, 0.0, goal - q)  # of each joint: what rounding left
        if not delta.any():
            return JointAhead(goal, wrong, near, None)
        self.rates.require(delta != 0.0)
        length = float(self.rates.time_at_speed(delta[None])[0])
        return JointAhead(goal, wrong, near, JointLine(q, delta / length, length))

    def _joint(self, move: Move, number: int, target: Target, blend: Blend) -> Leg | None:
        ahead = self.joints_ahead.take(number) or self.joint_ahead(target, self.q)
        path = ahead.path
        if ahead.wrong:
            text = f"the joint move {ahead.wrong}" if ahead.near else ahead.wrong
            self.notes.append(Note(move.place, "configuration", text, "warning" if ahead.near else "error"))
        if isinstance(target, Joints):
            self.as_asked = True
        elif target.within:
            self.as_asked = ahead.near
        self.within_limits(move, ahead.goal[None], f"its target {target.name}".rstrip())
        if path is None:
            return None
        share, push = self.shares(move)
        with np.errstate(divide="ignore"):
            acceleration = push * float((self.rates.accelerations / np.abs(path.tangent)).min())
        speed, decides = self.rates.held_by_motors(path, share)
        if self.chain.closure is not None or self.rates.bends:
            s = np.linspace(0.0, path.length, _CLOSES)
            seen = path.at(s)
            self.chain.require_closed(seen.q)
            self.within_limits(move, seen.q, "the joint move")
            limits = {"share": share, "push": push}
            speed, acceleration, decides = of_one(
                slowed_together, self.rates, path, speed, acceleration, **limits, s=s, seen=seen
            )
        speed, acceleration = self._held_by_axis(move, path, speed, acceleration)
        if move.pace.share is not None and (change := _change(100.0 * share, 100.0 * speed, "% of the joints' speeds")):
            self.note(move, "slowed", f"is slowed {change}: {decides}")
        speed, acceleration = self._held_by_tool(move, path, ahead.peaks, speed, acceleration, decides)
        wish = inf if move.pace.acceleration is None else move.pace.acceleration
        return Leg(move, number, path, None, speed, acceleration, share, push, wish, blend, self.tip)

    def _held_by_axis(self, move: Move, path: JointLine, speed: float, acceleration: float) -> tuple[float, float]:
        """The joint that has farthest to go keeps the speed and the acceleration that are programmed for it."""
        pace, leading = move.pace, float(np.abs(path.tangent).max())
        if pace.axis_speed is not None:
            if change := _change(degrees(pace.axis_speed), degrees(leading * speed), "deg/s of the leading joint"):
                self.note(move, "slowed", f"is slowed {change}: a joint would pass its speed limit")
            speed = min(speed, pace.axis_speed / leading)
        if pace.axis_acceleration is not None:
            acceleration = min(acceleration, pace.axis_acceleration / leading)
        return speed, acceleration

    def _held_by_tool(
        self, move: Move, path: JointLine, peaks: Peaks | None, speed: float, acceleration: float, decides: Decides
    ) -> tuple[float, float]:
        """A joint move at which the tool keeps the speed, the turning and the acceleration that are programmed."""
        pace = move.pace
        if (pace.speed, pace.turn, pace.acceleration) == (None, None, None):
            return speed, acceleration
        peaks = self.tip.peaks_of(path) if peaks is None else peaks
        asked = peaks.rate(pace)
        if speed < asked < inf and pace.share is None:
            ways = ((pace.speed, peaks.speed, 1e3, "mm/s"), (pace.turn, peaks.turn, degrees(1.0), "deg/s"))
            given = [(unit * each, unit * most * speed, word) for each, most, unit, word in ways if each and most]
            if change := _change(*min(given, key=lambda way: way[0] / way[1])):
                self.note(move, "slowed", f"is slowed {change}: {decides}")
        speed = min(speed, asked)
        if pace.acceleration is None or not peaks.speed > 0.0:
            return speed, acceleration
        most = (1.0 - MARGIN) * pace.acceleration
        straight, bent = (np.array([[[each / most]]]) for each in (peaks.speed, peaks.bend))
        (v,), (a,) = balanced(straight, bent, *(np.array([each]) for each in (speed, acceleration, path.length)))
        return float(v), float(a)

    def _straight(self, move: Move, number: int, target: Target, blend: Blend) -> Leg | None:
        line = self.ahead.take(number)
        if line is None:
            line = self._alone(self.tool_path(move, target, self.T))
        if line is None:
            return None
        path, tool, along = line.path, line.tool, line.along
        if line.remarkable:
            self.within_limits(move, along.q, f"the {move.kind}")
            self._near_singular(move, path, line.s, along)
        if target is move.target and isinstance(target, Pose) and target.within:
            self._arrived(move, target, self.chain.to_arm(path.end))
        share, push = self.shares(move)
        asked, wish = speed, acceleration = self.asked(move, tool)
        if self.held_by_joints(asked, wish):
            pace = line.pace
            if pace is None:
                best = self.resting and blend.kind == "stop" and self.exact
                find = best_trapezoids if best else slowed_together
                pace = of_one(find, self.rates, path, asked, wish, share=share, push=push, s=line.s, seen=along)
            speed, acceleration, decides = pace
            if not np.isfinite(speed) or not np.isfinite(acceleration):
                self.rates.require(np.abs(along.dq).max(axis=0) > 0.0)
            self._slowed(move, path, tool.moves, (asked, speed), (wish, acceleration), decides)
        return Leg(move, number, path, tool, speed, acceleration, share, push, wish, blend, self.tip)

    def _alone(self, tool: Line | Circle) -> LineAhead | None:
        """A tool path from where the arm stands; None for one without length."""
        if tool.length < SHORT:
            return None
        path = self.followed(tool, self.q)
        s = np.linspace(0.0, path.length, max(LOOKS, min(len(path.nodes), _MOST_LOOKS)))
        return LineAhead(tool, path, s, path.at(s), remarkable=True, pace=None)

    def held_by_joints(self, speed: float, acceleration: float) -> bool:
        """Whether joints have a say in a pace that is asked for."""
        return self.slows or not np.isfinite(speed + acceleration)

    def _arrived(self, move: Move, target: Pose, q: Floats) -> None:
        """A line goes on as it began: where that was as asked, and its end is not, a controller stops there.

        Where it began otherwise, at a start that nobody gave or behind a line that was told already, it is a remark.
        """
        wrong, near = missed(q, target.within, target.beside)
        if wrong:
            severity: Literal["warning", "error"] = "warning" if near or not self.as_asked else "error"
            self.notes.append(Note(move.place, "configuration", f"the {move.kind} {wrong}", severity))
        self.as_asked = near

    def followed(self, tool: ToolPath, start: Floats) -> Followed:
        """The joints, from a start on, along a path of the tool in use."""
        return Followed(self.chain, self.tip.own(tool), start, arm=self.arm)

    def tool_path(self, move: Move, target: Target, start: Floats) -> Line | Circle:
        """From a pose on to a target."""
        end = self.pose_of(target, start)
        if move.kind == "line":
            if move.orientation in ("constant", "path"):
                end = end.copy()
                end[:3, :3] = start[:3, :3]
            return Line.between(start, end)
        via = self.pose_of(move.via[0], start)[:3, 3]
        follows = move.orientation in ("path", "path-variable")
        given = isinstance(target, Joints) or target.rotation is not None
        turns = given and move.orientation in ("variable", "path-variable")
        return Circle.through(start, via, end, follows=follows, turns=turns)

    def pose_of(self, target: Target, start: Floats) -> Floats:
        if isinstance(target, Joints):
            return self._pose(self.reaching.completed(target, self.q))
        return pose_matrix(target, start[:3, :3])

    def _pose(self, q: Floats) -> Floats:
        return np.asarray(self.chain.where(q[None])[0][0] @ self.offset)

    @staticmethod
    def asked(move: Move, tool: Line | Circle) -> tuple[float, float]:
        """Speed and acceleration along the path that are programmed, infinite where none are."""
        speed, turn, acceleration = move.pace.speed, move.pace.turn, move.pace.acceleration
        speed = inf if speed is None or not tool.moves else speed
        if turn is not None and (turns := tool.turns) > 0.0:
            speed = min(speed, turn / turns)
        return speed, inf if acceleration is None or not tool.moves else acceleration

    def within_limits(self, move: Move, q: Floats, what: str) -> None:
        found = self.reaching.beyond(q)
        if found is not None:
            self.notes.append(Note(move.place, "limits", f"{what} takes {found}", "error"))

    def _near_singular(self, move: Move, path: Followed, s: Floats, along: Along) -> None:
        if self.far_from_singular(along.q).all():
            return
        smallest = np.linalg.svd(self.chain.where(along.q)[1], compute_uv=False)[:, -1]
        k = int(np.argmin(smallest))
        if smallest[k] < NEAR_SINGULAR:
            x, y, z = path.tool.at(s[k : k + 1]).p[0]
            value = f"the smallest singular value of J is {smallest[k]:.2g}"
            self.note(move, "singular", f"passes a singularity at ({x:.4g}, {y:.4g}, {z:.4g}): {value}")

    def far_from_singular(self, q: Floats) -> NDArray[np.bool_]:
        """(k,): whether that is sure of joints (k, n); arms without six joints are never asked."""
        if self.chain.n != 6:
            return np.ones(len(q), dtype=bool)
        try:
            inverses = np.linalg.inv(self.chain.where(q)[1])
        except np.linalg.LinAlgError:
            return np.zeros(len(q), dtype=bool)
        # 1 / |J^-1| is at most the smallest singular value and at least 1 / sqrt(6) of it
        return np.asarray(np.linalg.norm(inverses, axis=(-1, -2)) < 1.0 / NEAR_SINGULAR)

    def _slowed(
        self, move: Move, path: Followed, moves: bool, speed: Slowing, acceleration: Slowing, decides: Decides
    ) -> None:
        """What of the speed and the acceleration that were asked for is not done, whose limit decides, and where."""
        changes = []
        for (asked, done), scale, unit in ((speed, 1e3, "mm/s"), (acceleration, 1.0, "m/s^2")):
            scale, unit = (scale, unit) if moves else (degrees(1.0), "deg/s")
            changes.append(_change(scale * asked, scale * done, unit))
        if any(changes):
            x, y, z = path.tool.at(np.array([decides.s])).p[0]
            where = f"at ({x:.4g}, {y:.4g}, {z:.4g})"
            self.note(move, "slowed", f"is slowed {' and '.join(filter(None, changes))}: {decides} {where}")

    @staticmethod
    def taken(move: Move) -> tuple[float, float]:
        """Of the joints' speeds and accelerations that a move may take; what is no pace or no zone raises."""
        pace, blend = move.pace, move.blend
        for word, value in (*zip(_PACE, attrgetter(*_PACE)(pace), strict=True), ("zone", blend.radius)):
            if value is not None and not 0.0 < value < inf:
                raise TorsorError(f"{word} of the move is {value}", hint="a number above zero")
        if blend.radius is not None and blend.kind != "zone":
            hint = 'Blend("zone", radius), or no radius'
            raise TorsorError(f"a blend of kind {blend.kind!r} has no radius", hint=hint)
        share, push = (1.0 if each is None else each for each in (pace.share, pace.acceleration_share))
        return share, push

    def shares(self, move: Move) -> tuple[float, float]:
        """The same; what of a move is not heeded is noted."""
        if move.kind == "joint" and move.orientation != "variable":
            self.note(move, "ignored", f"goes straight in joints: it knows no orientation {move.orientation!r}")
        if move.kind != "joint" and (move.pace.axis_speed, move.pace.axis_acceleration) != (None, None):
            self.note(move, "ignored", "goes straight in space: the pace of a leading joint is of joint moves")
        return self.taken(move)


def _change(asked: float, done: float, unit: str) -> str:
    """What a slower pace is told as; nothing where margins alone changed it, which no digit that is told shows."""
    before, after = f"{asked:.4g}", f"{done:.4g}"
    return f"from {before} to {after} {unit}" if done < asked < inf and before != after else ""
