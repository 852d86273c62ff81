"""What URScript's functions do to the arm: moves, tool and payload. Metres, radians, seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, inverse
from torsor.motion import commands
from torsor.motion.commands import Blend, Move, Pace, Target
from torsor.programs import syntax
from torsor.programs.loads import HeldLoad, taken_up
from torsor.programs.syntax import RobotInstruction
from torsor.programs.urscript.urscript_streaming import Commands, StreamLowering
from torsor.programs.urscript.urscript_values import PoseValue, known, matrix
from torsor.programs.values import Absent, Value, Wrong
from torsor.programs.whereabouts import Whereabouts


@dataclass(frozen=True, slots=True)
class UrscriptAssumptions:
    """What a program leaves open."""

    wait_seconds: float = 0.0


class UrscriptLowering(StreamLowering):
    def __init__(self, assumed: UrscriptAssumptions, where: Whereabouts) -> None:
        super().__init__(where)
        self.assumed = assumed
        self.mass, self.cog = 0.0, (0.0, 0.0, 0.0)
        self.outputs: dict[str, Value] = {}

    def remembered(self) -> Any:
        kept = {name: each for name, each in vars(self).items() if name not in ("interpreter", "where", "streamed")}
        return kept, self.where.content()

    def special(self, key: str, node: syntax.Name) -> Value | None:
        """``pi``, which the language does not have: where no file defines it, there is no doubt what it is."""
        if key != "pi" or self.interpreter.known(node) is not None or self.interpreter.world.knows(key):
            return None
        self.interpreter.assume(node.at, "pi", "pi is defined in no file: it is taken to be 3.14159...", "pi = ...")
        return math.pi

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
        """Speed and acceleration are shares of what the arm can do; the goal may be a place of the world model."""
        place = goal if isinstance(goal, str) else goal.get("frame", "base") if isinstance(goal, dict) else "base"
        if place != "base":
            text = f"where {place!r} of the world model lies is not known: the move is passed over"
            self.interpreter.assume(node.at, f"place {place}", text)
            return self._at_rest(node)
        goal = goal.get("pose", Absent("pose")) if isinstance(goal, dict) else goal
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

    def servoc(self, node: RobotInstruction, pose: Value, a: Value = 1.2, v: Value = 0.25, r: Value = 0.0) -> Commands:
        """Linear in the tool, at one speed, with circles between: as movep, in each of which the next target counts."""
        self.interpreter.assume(node.at, "servoc", "servoc is taken to reach each of its targets, as movep does")
        return self.movel(node, pose, a, v, 0.0, r)

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
        q = self.joints_of(goal)
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
            taken_up(self.interpreter, node, HeldLoad.of(self.mass, np.array(self.cog), about)),
        ]

    def set_payload_cog(self, node: RobotInstruction, cog: Value) -> Commands:
        return self.set_payload(node, self.mass, cog)

    # Around motion
    def set_output(self, node: RobotInstruction, n: Value, value: Value = True) -> Commands:
        told = "" if isinstance(n, Absent) else f"{n:g}" if isinstance(n, float) else str(n)
        self.outputs[f"{node.word.replace('set_', 'get_', 1)}({told})"] = value
        return [commands.Signal(f"{node.word}({told}, {value})", self.interpreter.place(node))]

    def event(self, node: RobotInstruction, *given: Any, **options: Any) -> Commands:
        return [commands.Signal(node.word, self.interpreter.place(node))]


def _timed(pace: Pace, t: Value) -> Pace:
    """A time holds instead of speed and acceleration."""
    return Pace(duration=t) if isinstance(t, float) and t > 0.0 else pace
