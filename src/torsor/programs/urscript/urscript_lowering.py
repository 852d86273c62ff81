"""What URScript's functions do to the arm: moves, tool and payload. Metres, radians, seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats, inverse
from torsor.motion import commands
from torsor.motion.commands import Blend, Command, Move, Pace, Target
from torsor.programs import syntax
from torsor.programs.forks import hanging_names, hangs
from torsor.programs.loads import HeldLoad
from torsor.programs.project_language import ProjectLowering
from torsor.programs.syntax import RobotInstruction
from torsor.programs.urscript.urscript_streams import STOPS_AT, Stream
from torsor.programs.urscript.urscript_tool_speeds import Ramp
from torsor.programs.urscript.urscript_values import PoseValue, joints_of, known, matrix, unknown_in
from torsor.programs.urscript.urscript_words import OPERANDS
from torsor.programs.values import Absent, Value, Wrong
from torsor.programs.whereabouts import Whereabouts

Commands = Sequence[Command]
STANDS = (0.0,) * 6  # of a tool
SAMPLE = 0.008  # s between two targets of servoj that say no time


@dataclass(frozen=True, slots=True)
class UrscriptAssumptions:
    """What a program leaves open."""

    wait_seconds: float = 0.0


class UrscriptLowering(ProjectLowering):
    def __init__(self, assumed: UrscriptAssumptions, where: Whereabouts) -> None:
        self.assumed = assumed
        self.where = where
        self.tcp = np.eye(4)  # T_flange_tool
        self.mass, self.cog = 0.0, (0.0, 0.0, 0.0)
        self.outputs: dict[str, Value] = {}
        self.stream = Stream()  # of servoj and speedj, so far
        self.streamed: RobotInstruction | None = None  # the first of them

    def remembered(self) -> Any:
        kept = {name: each for name, each in vars(self).items() if name not in ("interpreter", "where", "streamed")}
        return kept, self.where.content()

    def special(self, key: str, node: syntax.Name) -> Value | None:
        """``pi``, which the language does not have: where no file defines it, there is no doubt what it is."""
        if key != "pi" or self.interpreter.known(node) is not None or self.interpreter.world.knows(key):
            return None
        self.interpreter.assume(node.at, "pi", "pi is defined in no file: it is taken to be 3.14159...", "pi = ...")
        return math.pi

    def held_back(self) -> Commands:
        return self._motion()

    @property
    def is_streaming(self) -> bool:  # type: ignore[override]
        return bool(self.stream.times)

    def moves_held_back(self) -> int:
        return len(self.stream.times)

    def finish(self) -> Commands:
        """The program is over, or left in a loop: what would stop a stream then is not in it, and is not judged."""
        node = self.streamed
        if node is not None and self.stream.is_moving:
            text = f"the motion by {node.word} ends at speed: what stops it is not in the program, and is not judged"
            self.interpreter.assume(node.at, "stream stops", text)
        return self._given_out()

    # Moves
    def movej(
        self, node: RobotInstruction, q: Value, a: Value = 1.4, v: Value = 1.05, t: Value = 0.0, r: Value = 0.0
    ) -> Commands:
        before, target = self._at_rest(node), self._target(node, q, joints=True)
        if target is None:
            return before
        pace = Pace(axis_speed=self._above_zero(node, "v", v), axis_acceleration=self._above_zero(node, "a", a))
        return [*before, self._moved(node, "joint", target, _timed(pace, t), r)]

    def movel(
        self, node: RobotInstruction, pose: Value, a: Value = 1.2, v: Value = 0.25, t: Value = 0.0, r: Value = 0.0
    ) -> Commands:
        before, target = self._at_rest(node), self._target(node, pose, joints=False)
        if target is None:
            return before
        pace = Pace(speed=self._above_zero(node, "v", v), acceleration=self._above_zero(node, "a", a))
        return [*before, self._moved(node, "line", target, _timed(pace, t), r)]

    def optimovej(
        self, node: RobotInstruction, goal: Value, a: Value = 0.3, v: Value = 0.3, r: Value = 0.0
    ) -> Commands:
        return self._shared(node, "joint", goal, a, v, r)

    def optimovel(
        self, node: RobotInstruction, goal: Value, a: Value = 0.3, v: Value = 0.3, r: Value = 0.0
    ) -> Commands:
        return self._shared(node, "line", goal, a, v, r)

    def _shared(self, node: RobotInstruction, kind: Any, goal: Value, a: Value, v: Value, r: Value) -> Commands:
        """Speed and acceleration are shares of what the arm can do."""
        before, target = self._at_rest(node), self._target(node, goal, joints=kind == "joint")
        if target is None:
            return before
        push, speed = self._above_zero(node, "a", a), self._above_zero(node, "v", v)
        pace = Pace(share=min(speed or 1.0, 1.0), acceleration_share=min(push or 1.0, 1.0))
        self.interpreter.assume(node.at, node.word, f"{node.word}: a and v are taken as shares of the arm's limits")
        return [*before, self._moved(node, kind, target, pace, r)]

    def movep(self, node: RobotInstruction, pose: Value, a: Value = 1.2, v: Value = 0.25, r: Value = 0.0) -> Commands:
        return self.movel(node, pose, a, v, 0.0, r)

    def movec(
        self, node: RobotInstruction, pose_via: Value, pose_to: Value, a: Value = 1.2, v: Value = 0.25, r: Value = 0.0,
        mode: Value = 0.0,
    ) -> Commands:  # fmt: skip
        before = self._at_rest(node)
        via, target = self._target(node, pose_via, joints=False, moves=False), None
        if via is not None:
            target = self._target(node, pose_to, joints=False)
        if via is None or target is None:
            return before
        pace = Pace(speed=self._above_zero(node, "v", v), acceleration=self._above_zero(node, "a", a))
        turned = "path" if mode == 1.0 else "variable"
        return [*before, self._moved(node, "circle", target, pace, r, (via,), turned)]

    def servoj(
        self, node: RobotInstruction, q: Value, a: Value = 0.0, v: Value = 0.0, t: Value = SAMPLE,
        lookahead_time: Value = 0.1, gain: Value = 300.0,
    ) -> Commands:  # fmt: skip
        """One of many targets, ``t`` seconds apart."""
        if not known(q) or isinstance(q, PoseValue) or self._is_untold(node, q):  # a pose without joints, or no place
            self._unknown(node, q)
            return ()
        joints = joints_of(q)
        seconds = t if isinstance(t, float) and t > 0.0 else SAMPLE
        if self._has_begun(node, len(joints)):
            self.stream.target(joints, seconds)
        else:
            self.stream.begin(joints)
        self.stream.has_targets = True
        self.where.to_joints(joints)
        return ()

    def speedj(
        self, node: RobotInstruction, qd: Value, a: Value = 1.4, t: Value = None,  # type: ignore[assignment]
    ) -> Commands:  # fmt: skip
        """Speeds that the joints get to at ``a``, and hold: for ``t``, then until something else is asked for."""
        told = known(qd) and known(a) and not isinstance(qd, PoseValue)
        if not told or self._is_untold(node, qd):
            return self.streamed_off(node, qd)
        speeds = joints_of(qd)
        if not any(speeds) and not self.stream.times:
            return ()  # it stands
        acceleration = self._above_zero(node, "a", a)
        if acceleration is None or not self._has_begun(node, len(speeds)):
            return self.streamed_off(node, qd)
        self.stream.speed(speeds, acceleration, t if isinstance(t, float) and t > 0.0 else None)
        self.where.to_joints(self.stream.q[-1])
        return ()

    def speedl(
        self, node: RobotInstruction, xd: Value, a: Value = 1.2, t: Value = None, aRot: Value = None,  # type: ignore[assignment]
    ) -> Commands:  # fmt: skip
        """As speedj, of the tool; ``aRot`` is of its rotation, ``a`` of both where it is not given."""
        told = known(xd) and known(a)
        if not told or self._is_untold(node, xd):
            return self.streamed_off(node, xd)
        speed = joints_of(xd)
        if len(speed) != 6:
            raise Wrong(f"a tool speed has 6 numbers, not {len(speed)}", "[x, y, z, rx, ry, rz], m/s and rad/s")
        if not any(speed) and not self.stream.times:
            return ()  # it stands
        before = self._at_rest(node) if self.stream.is_moving and self.stream.tool is None else []
        acceleration, now = self._above_zero(node, "a", a), self.where.joints()
        if acceleration is None or now is None or not self._has_begun(node, len(now)):
            return [*before, *self.streamed_off(node, xd)]
        turning = aRot if isinstance(aRot, float) and aRot > 0.0 else acceleration
        lasts = t if isinstance(t, float) and t > 0.0 else None
        return [*before, *self._swept(node, Ramp.of(self.stream.tool or STANDS, speed, acceleration, turning, lasts))]

    def _swept(self, node: RobotInstruction, ramp: Ramp) -> Commands:
        """Joints on the way of a tool that is led by speeds."""
        flange, arm = self.where.flange(), self.where.arm
        if flange is None or arm is None:
            return self.streamed_off(node)
        times, poses = ramp.poses(flange @ self.tcp, SAMPLE)
        if not len(times):
            return ()
        try:
            joints = arm.inverse_kinematics(
                self.where.root @ poses @ inverse(self.tcp), nearest=self.where.joints(), limits=False
            )
        except TorsorError:
            text = f"{node.word} leads beyond the arm's reach: where it leads is left out, here and behind it"
            self.interpreter.assume(node.at, f"leads what leads {node.word}", text)
            return self._at_rest(node)
        for seconds, q in zip(np.diff(times, prepend=0.0), np.asarray(joints), strict=True):
            self.stream.target(tuple(map(float, q)), float(seconds))
        self.stream.tool = tuple(map(float, ramp.speed(ramp.lasts)))
        self.where.to_joints(self.stream.q[-1])
        return ()

    def _has_begun(self, node: RobotInstruction, joints: int) -> bool:
        """Whether there is a stream to go on with; if not, it begins where the arm is, if that is known."""
        if self.stream.times and len(self.stream.q[-1]) == joints:
            return True
        now = None if self.stream.times else self.where.joints()
        self.streamed = node
        if now is None or len(now) != joints:
            return False
        self.stream.begin(tuple(float(x) for x in now))
        return True

    def servoc(self, node: RobotInstruction, pose: Value, a: Value = 1.2, v: Value = 0.25, r: Value = 0.0) -> Commands:
        """Linear in the tool, at one speed, with circles between: as movep, in each of which the next target counts."""
        self.interpreter.assume(node.at, "servoc", "servoc is taken to reach each of its targets, as movep does")
        return self.movel(node, pose, a, v, 0.0, r)

    def _motion(self) -> list[Command]:
        """What servoj and speedj have gathered, as one command."""
        if not self.stream.times or self.streamed is None:
            return []
        place = self.interpreter.place(self.streamed)
        if len(self.stream.times) > 1:
            return [self.stream.motion(place)]
        if any(self.stream.end_speed):  # what was given out ends so
            return []
        return [Move("joint", commands.Joints(self.stream.q[0]), place)]

    def _given_out(self) -> list[Command]:
        given, node = self._motion(), self.streamed
        if given and node is not None and self.stream.has_targets:
            self.interpreter.assume(node.at, "servoj", "servoj is followed exactly, by cubics through its targets")
        self.stream, self.streamed = Stream(), None
        return given

    def _at_rest(self, node: RobotInstruction, deceleration: float | None = None) -> list[Command]:
        """The stream, and how it stops: what comes behind it begins at rest."""
        if self.stream.is_moving:
            if deceleration is None:
                text = f"the joints are still moving here: they are taken to stop at {STOPS_AT:g} rad/s^2, and then"
                text = text.replace(", and then", "") if node.word.startswith("stop") else f"{text} comes {node.word}"
                self.interpreter.assume(node.at, f"stop {node.at}", text)
            self.stream.stop(deceleration or STOPS_AT)
            self.where.to_joints(self.stream.q[-1])
        return self._given_out()

    def _interrupted(self) -> list[Command]:
        """The stream so far, which goes on behind something that moves nothing."""
        if not self.stream.is_moving:
            return self._given_out()
        q, speed, node = self.stream.q[-1], self.stream.end_speed, self.streamed
        given = self._given_out()
        self.stream.begin(q, speed)
        self.streamed = node
        return given

    def streamed_off(self, node: RobotInstruction, *given: Any, **options: Any) -> Commands:
        """Speeds and torques that are held: how far they lead is left out. Speeds of nothing but zeros lead nowhere."""
        goal = given[0] if given else None
        if isinstance(goal, tuple) and known(goal) and not any(goal) and not self._is_untold(node, goal):
            return self._at_rest(node)
        text = f"{node.word} is read, not run: where it leads is left out, here and in what comes behind it"
        self.interpreter.assume(node.at, f"leads what leads {node.word}", text)
        return self._at_rest(node)

    def stopj(self, node: RobotInstruction, a: Value = None) -> Commands:  # type: ignore[assignment]
        """Slows the joints down at ``a``: beyond the last target of a stream."""
        return self._at_rest(node, a if isinstance(a, float) and a > 0.0 else None)

    def stopl(self, node: RobotInstruction, a: Value = None, aRot: Value = None) -> Commands:  # type: ignore[assignment]
        """Slows the tool down at ``a``, where speeds of the tool lead."""
        if self.stream.tool is None or not isinstance(a, float) or a <= 0.0:
            return self._at_rest(node)
        turning = aRot if isinstance(aRot, float) and aRot > 0.0 else a
        before = self._swept(node, Ramp.of(self.stream.tool, STANDS, a, turning, None))
        return [*before, *self._at_rest(node)]

    def stops(self, node: RobotInstruction, *given: Any, **options: Any) -> Commands:
        return self._at_rest(node)

    def _moved(
        self, node: RobotInstruction, kind: Any, target: Target, pace: Pace, r: Value,
        via: tuple[Target, ...] = (), turned: Any = "variable",
    ) -> Move:  # fmt: skip
        blend = Blend("zone", float(r)) if isinstance(r, float) and r > 0.0 else Blend()
        return Move(kind, target, self.interpreter.place(node), via, pace, blend, turned)

    def _target(self, node: RobotInstruction, goal: Value, *, joints: bool, moves: bool = True) -> Target | None:
        if not known(goal) or self._is_untold(node, goal):
            self._unknown(node, goal)
            return None
        name = self._name(node)
        if isinstance(goal, PoseValue):
            T = matrix(goal)
            if moves and self._ends_on_the_way(node, T):
                return None
            if moves:
                self.where.to_pose(T, self.tcp)
            T = self.where.root @ T
            x, y, z = (float(each) for each in T[:3, 3])
            return commands.Pose((x, y, z), T[:3, :3], name)
        q = joints_of(goal)
        if moves:
            self.where.to_joints(q)
        return commands.Joints(q, name)

    def _ends_on_the_way(self, node: RobotInstruction, T_base_tool: Floats) -> bool:
        """Whether a move leads beyond the arm's reach, in a thread that goes on until something comes.

        So PolyScope writes "in this direction, until contact": a target 10 m away, which nobody means to reach.
        """
        run = self.interpreter
        if not any(each.until for each in run.frames) or self.where.arm is None:
            return False
        if self.where.solved(T_base_tool @ inverse(self.tcp)) is not None:
            return False
        text = "this goes until the program stops it, towards what the arm does not reach: how far is not known"
        run.assume(node.at, f"leads what ends {node.word}", f"{text}; the move is passed over")
        return True

    def _above_zero(self, node: RobotInstruction, name: str, value: Value) -> float | None:
        """A speed or acceleration; None where it is not known, or 0 because nobody tells it."""
        if isinstance(value, Absent):
            return None
        if isinstance(value, float) and value > 0.0:
            return value
        places = [each for each in node.operands if not isinstance(each, syntax.Named)]
        written: dict[str, syntax.Expression | None] = dict(zip(OPERANDS[node.word], places, strict=False))
        written |= {each.name: each.value for each in node.operands if isinstance(each, syntax.Named)}
        given = written.get(name)
        if given is None or not hangs(self.interpreter, given, hanging_names(self.interpreter)):
            raise Wrong(f"{name} is {value!r:.20}", "it is larger than 0")
        text = f"nobody tells {name} of {node.word}: it is as much as the arm can do"
        self.interpreter.assume(node.at, f"{name} {node.at}", text)
        return None

    def _is_untold(self, node: RobotInstruction, goal: Value) -> bool:
        """Whether a target is nothing but zeros, which somebody else would tell: that is no place, but no answer."""
        first = next((each for each in node.operands if each is not None), None)
        if first is None or not isinstance(goal, tuple) or any(goal):
            return False
        return hangs(self.interpreter, first, hanging_names(self.interpreter))

    def _unknown(self, node: RobotInstruction, goal: Value) -> None:
        name = unknown_in(goal) or self._name(node) or "it"
        if known(goal) and not isinstance(goal, PoseValue):
            text = f"where {name} lies is told from outside, and nobody tells it: the move is passed over"
            self.interpreter.assume(node.at, f"untold {name}", text)
            return
        text = f"where {name} lies is not known: the move is passed over"
        whole = name.partition("[")[0]  # of a list of points
        example = "p[x, y, z, rx, ry, rz]" if whole == name else "[p[x, y, z, rx, ry, rz], ...]"
        if isinstance(goal, tuple | Absent) and unknown_in(goal) and name != self._name(node) and whole == name:
            text, example = f"where this leads hangs on {name}, which is not known: the move is passed over", "..."
        self.interpreter.assume(node.at, f"point {whole}", text, f"--define '{whole} = {example}'")

    def _name(self, node: RobotInstruction) -> str:
        first = next(iter(node.operands), None)
        inside = first.value if isinstance(first, syntax.Named) else first
        if isinstance(inside, syntax.FunctionCall) and inside.function != "p[]":
            return f"{inside.function}(...)"
        return inside.name if isinstance(inside, syntax.Name) else ""

    # Tool and payload
    def set_tcp(self, node: RobotInstruction, pose: Value, *more: Value) -> Commands:
        if not known(pose):
            text = "the tool that is set here is not known: the one before stays"
            self.interpreter.assume(node.at, "set_tcp", text)
            return ()
        T = matrix(pose)
        if np.array_equal(T, self.tcp):
            return ()
        self.tcp = T
        return [*self._interrupted(), commands.Tool(T, self.interpreter.place(node))]

    def set_payload(self, node: RobotInstruction, m: Value, cog: Value = None, *more: Value) -> Commands:  # type: ignore[assignment]
        if not isinstance(m, float):
            self.interpreter.assume(node.at, "set_payload", "the payload that is set here is not known: it stays")
            return ()
        if m < 0.0:
            raise Wrong(f"a payload of {m:g} kg", "masses are 0 or larger")
        self.mass = m
        if isinstance(cog, tuple) and len(cog) == 3 and known(cog):
            x, y, z = (float(each) for each in cog)  # type: ignore[arg-type]
            self.cog = (x, y, z)
        inertia = next((each for each in more if isinstance(each, tuple) and len(each) == 6 and known(each)), None)
        about = None
        if inertia is not None:
            xx, yy, zz, xy, xz, yz = (float(each) for each in inertia)  # type: ignore[arg-type]
            about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return [
            *self._interrupted(),
            HeldLoad.of(self.mass, np.array(self.cog), about).command(self.interpreter.place(node)),
        ]

    def set_payload_cog(self, node: RobotInstruction, cog: Value) -> Commands:
        return self.set_payload(node, self.mass, cog)

    # Around motion
    def sleep(self, node: RobotInstruction, t: Value) -> Commands:
        if not isinstance(t, float) or t <= 0.0:
            return ()
        if self.stream.tool is not None and any(self.stream.tool):
            return self._swept(node, Ramp.of(self.stream.tool, self.stream.tool, 1.0, 1.0, t))
        if self.stream.keeps_speed:
            self.stream.hold(t)
            self.where.to_joints(self.stream.q[-1])
            return ()
        return [*self._at_rest(node), commands.Dwell(t, self.interpreter.place(node))]

    def set_output(self, node: RobotInstruction, n: Value, value: Value = True) -> Commands:
        told = "" if isinstance(n, Absent) else f"{n:g}" if isinstance(n, float) else str(n)
        self.outputs[f"{node.word.replace('set_', 'get_', 1)}({told})"] = value
        return [commands.Signal(f"{node.word}({told}, {value})", self.interpreter.place(node))]

    def event(self, node: RobotInstruction, *given: Any, **options: Any) -> Commands:
        return [commands.Signal(node.word, self.interpreter.place(node))]


def _timed(pace: Pace, t: Value) -> Pace:
    """A time holds instead of speed and acceleration."""
    return Pace(duration=t) if isinstance(t, float) and t > 0.0 else pace
