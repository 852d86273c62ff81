"""Motion that is given bit by bit: targets (servoj), speeds of joints and of the tool (speedj, speedl), and stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import inverse
from torsor.motion import commands
from torsor.motion.commands import Command, Move
from torsor.programs.syntax import RobotInstruction
from torsor.programs.urscript.urscript_streams import STOPS_AT, Stream
from torsor.programs.urscript.urscript_tool_speeds import Ramp
from torsor.programs.urscript.urscript_untold import UntoldLowering
from torsor.programs.urscript.urscript_values import PoseValue, joints_of, known
from torsor.programs.values import Value, Wrong
from torsor.programs.whereabouts import Whereabouts

Commands = Sequence[Command]
LONG_ENOUGH = 3.0 - 1e-6  # s of speeds, in a loop that nobody ends
STANDS = (0.0,) * 6  # of a tool
SAMPLE = 0.008  # s between two targets of servoj that say no time


class StreamLowering(UntoldLowering):
    def __init__(self, where: Whereabouts) -> None:
        self.where = where
        self.tcp = np.eye(4)  # T_flange_tool
        self.stream = Stream()  # of servoj, speedj and speedl, so far
        self.streamed: RobotInstruction | None = None  # the first of them

    def held_back(self) -> Commands:
        return self._motion()

    @property
    def is_streaming(self) -> bool:  # type: ignore[override]
        return bool(self.stream.times)

    @property
    def has_streamed(self) -> bool:  # type: ignore[override]
        return not self.stream.has_targets and self.stream.times[-1] > LONG_ENOUGH

    def moves_held_back(self) -> int:
        return len(self.stream.times)

    def finish(self) -> Commands:
        """The program is over, or left in a loop: what would stop a stream then is not in it, and is not judged."""
        node = self.streamed
        if node is not None and self.stream.is_moving:
            text = f"the motion by {node.word} ends at speed: what stops it is not in the program, and is not judged"
            self.interpreter.assume(node.at, "stream stops", text)
        return self._given_out()

    def servoj(
        self, node: RobotInstruction, q: Value, a: Value = 0.0, v: Value = 0.0, t: Value = SAMPLE,
        lookahead_time: Value = 0.1, gain: Value = 300.0,
    ) -> Commands:  # fmt: skip
        """One of many targets, ``t`` seconds apart."""
        if not known(q) or isinstance(q, PoseValue) or self._is_untold(node, q):  # a pose without joints, or no place
            self._unknown(node, q)
            return ()
        joints = self.joints_of(q)
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
        speeds = self.joints_of(qd)
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
        if not any(self.stream.tool):
            self.stream.qd[-1] = (0.0,) * len(self.stream.q[-1])
        self.where.to_joints(self.stream.q[-1])
        return ()

    def joints_of(self, value: Value) -> tuple[float, ...]:
        """As many numbers as the arm has joints."""
        q, arm = joints_of(value), self.where.arm
        if arm is not None and len(q) != arm.n:
            raise Wrong(f"{len(q)} joints where the arm has {arm.n}")
        return q

    def _has_begun(self, node: RobotInstruction, joints: int) -> bool:
        """Whether there is a stream to go on with; if not, it begins where the arm is, if that is known."""
        if self.stream.times:
            if len(self.stream.q[-1]) != joints:
                raise Wrong(f"{joints} joints in a stream of {len(self.stream.q[-1])}", "as many as before")
            return True
        now = self.where.joints()
        self.streamed = node
        if now is None or len(now) != joints:
            return False
        self.stream.begin(tuple(float(x) for x in now))
        return True

    def _motion(self) -> list[Command]:
        """What servoj and speedj have gathered, as one command."""
        if not self.stream.times or self.streamed is None:
            return []
        place = self.interpreter.place(self.streamed)
        if len(self.stream.times) > 1:
            return [self.stream.motion(place)]
        if not self.stream.has_targets:  # nothing has led anywhere since it began
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
