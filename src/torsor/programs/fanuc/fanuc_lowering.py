"""What TP's motions and registers do: the controller's state while a program runs, and the commands that come of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, radians
from typing import Any

from torsor.model.transforms import Floats, pose, rotation_rpy, rpy_of
from torsor.motion import commands
from torsor.motion.commands import Blend, Command, Move, Pace, Target
from torsor.programs import syntax
from torsor.programs.project_language import ProjectLowering
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Value, Wrong
from torsor.programs.whereabouts import Whereabouts

Commands = Sequence[Command]
MM = 1000.0
PLACE, TURN = ("x", "y", "z"), ("w", "p", "r")
AXES = ("j1", "j2", "j3", "j4", "j5", "j6")
INPUTS = {"di": False, "ri": False, "ui": False, "si": False, "wi": False, "e": False, "gi": 0.0, "ai": 0.0}
OUTPUTS = {"do": False, "ro": False, "f": False, "m": False, "uo": False, "so": False, "a": False, "wo": False,
           "go": 0.0, "ao": 0.0, "timer": 0.0}  # fmt: skip
NUMBERS = ("r", "ar")  # registers, and what a program is given
SPEEDS = {"mm/sec": 1e-3, "mm/sek": 1e-3, "cm/sec": 1e-2, "cm/min": 1e-2 / 60.0, "inch/min": 0.0254 / 60.0}


@dataclass(frozen=True, slots=True)
class FanucAssumptions:
    """What a program leaves open: how long a wait for a signal is taken to last; seconds."""

    wait_seconds: float = 0.0


class FanucLowering(ProjectLowering):
    def __init__(self, assumed: FanucAssumptions, where: Whereabouts) -> None:
        self.assumed = assumed
        self.where = where
        self.registers: dict[str, Value] = {}
        self.frame, self.tool, self.override = 0.0, 0.0, 1.0  # UFRAME_NUM, UTOOL_NUM, OVERRIDE

    def remembered(self) -> Any:
        kept = {name: each for name, each in vars(self).items() if name not in ("interpreter", "where")}
        return kept, self.where.content()

    # Registers and signals
    def indexed(self, key: str, indices: Sequence[int], node: syntax.Index) -> Value | None:
        name = f"{key}[{indices[0]}]"
        if key == "p":
            cell = self.interpreter.known(syntax.Name(f"P[{indices[0]}]"))
            value = Absent(f"P[{indices[0]}]") if cell is None or cell.value is None else cell.value
        elif name in self.registers:
            value = self.registers[name]
        elif key in INPUTS:
            return self.interpreter.ask(node.at, name.upper(), INPUTS[key])
        elif key in OUTPUTS:
            return OUTPUTS[key]
        elif self.interpreter.world.knows(name):
            return self.interpreter.world.take(name)
        else:
            told = name.upper()
            if key in NUMBERS:
                self.interpreter.assume(node.at, f"input {told}", f"{told} is taken to be 0", f"--set {told}=...")
            return Absent(told)
        if len(indices) == 1 or not isinstance(value, dict):
            return value
        return value.get(self._part(value, indices[1]), Absent(name.upper()))

    def _part(self, value: dict[str, Value], number: int) -> str:
        names = AXES if "j1" in value else (*PLACE, *TURN)
        if not 1 <= number <= len(names):
            raise Wrong(f"a position has parts 1 to {len(names)}, not {number}")
        return names[number - 1]

    def special(self, key: str, node: syntax.Name) -> Value | None:
        return {"lpos": self._here(), "jpos": self._joints()}.get(key)

    def set_special(self, key: str, keys: Sequence[int | str], value: Value, node: syntax.Expression) -> bool:
        if key in ("uframe_num", "benutzer_num", "utool_num", "wkz_num", "override"):
            number = value if isinstance(value, float) else 0.0
            if key == "override":
                self.override = min(max(number, 1.0), 100.0) / 100.0
            elif key in ("utool_num", "wkz_num"):
                self.tool = number
            else:
                self.frame = number
            return True
        if key.startswith("$") or not keys or not isinstance(keys[0], int):
            return key.startswith("$")
        name = f"{key}[{keys[0]}]"
        if key == "timer" and isinstance(value, str):  # START and STOP leave it where it is: no time passes here
            value = 0.0 if value == "reset" else self.registers.get(name, 0.0)
        if value in ("lpos", "jpos"):
            value = self._here() if value == "lpos" else self._joints()
        if len(keys) == 1:
            self.registers[name] = value
        else:
            whole = self.registers.get(name)
            kept: dict[str, Value] = dict.fromkeys((*PLACE, *TURN), 0.0)
            if isinstance(whole, dict):
                kept = dict(whole)
            self.registers[name] = {**kept, self._part(kept, int(keys[1])): value}
        return True

    # Moves
    def move(self, node: RobotInstruction, point: Value, /, **opt: Any) -> Commands:
        return self._go(node, "joint" if node.word == "go j" else "line", point, None, opt)

    def move_circle(self, node: RobotInstruction, via: Value, point: Value, /, **opt: Any) -> Commands:
        return self._go(node, "circle", point, via, opt)

    def _go(self, node: RobotInstruction, kind: Any, point: Value, via: Value | None, opt: dict[str, Any]) -> Commands:
        rest = str(opt.get("rest", ""))
        passed = None if via is None else self._target(node, via, rest, moves=False)
        target = self._target(node, point, rest)
        if target is None or (via is not None and passed is None):
            what = next((each for each in (point, via) if isinstance(each, Absent)), None)
            name = what.name if what is not None else "the point"
            self.interpreter.assume(
                node.at, f"point {name}", f"where {name} lies is not known: the move is passed over"
            )
            return ()
        through = () if passed is None else (passed,)
        pace = self._pace(node, kind, opt, rest)
        return [Move(kind, target, self.interpreter.place(node), through, pace, self._blend(node, kind, opt))]

    def _target(self, node: RobotInstruction, point: Any, rest: str, *, moves: bool = True) -> Target | None:
        if not isinstance(point, dict) or not all(isinstance(each, float | str) for each in point.values()):
            return None
        name = self._name(node)
        if re.search(r"\bINC\b", rest, re.IGNORECASE):
            self.interpreter.assume(node.at, f"INC {node.at}", "an incremental move is passed over")
            return None
        if "j1" in point:
            q = [radians(float(point.get(axis, 0.0))) for axis in AXES if axis in point]
            if len(q) > 2:  # joint 3 is counted from the horizontal: it keeps its angle where joint 2 turns
                q[2] += q[1]
            if moves:
                self.where.to_joints(tuple(q))
            return commands.Joints(tuple(q), name)
        T = matrix(point)
        self._say_frames(node, point)
        for word, number in re.findall(r"\b((?:Tool_)?Offset)\s*,\s*PR\[\s*(\d+)", rest, re.IGNORECASE):
            by = self.registers.get(f"pr[{number}]")
            if not isinstance(by, dict) or not all(isinstance(each, float) for each in by.values()):
                self.interpreter.assume(
                    node.at, f"point PR[{number}]", f"the offset PR[{number}] is not known: left out"
                )
            elif word.lower() == "offset":
                T = matrix(by) @ T
            else:
                T = T @ matrix(by)
        if moves:
            self.where.to_pose(_metres(T), _metres(matrix({})))
        T = self.where.root @ _metres(T)
        x, y, z = (float(each) for each in T[:3, 3])
        return commands.Pose((x, y, z), T[:3, :3], name)

    def _say_frames(self, node: RobotInstruction, point: dict[str, Any]) -> None:
        """Frames and tools stand in no program: they are taken to be those of the flange and of the base."""
        if "e1" in point:
            text = "external axes (E1 ...) are left out: the arm is taken to stand where it stands"
            self.interpreter.assume(node.at, "external axes", text)
        for part, now, word, instead in (
            ("uf", self.frame, "user frame", "the base"),
            ("ut", self.tool, "tool frame", "the flange"),
        ):
            number = point.get(part, now)
            if isinstance(number, float) and number > 0.0:
                text = f"{word} {number:g} is in no file: it is taken to be {instead}"
                self.interpreter.assume(node.at, f"data {word} {number:g}", text)

    def _name(self, node: RobotInstruction) -> str:
        points = [each for each in node.operands if isinstance(each, syntax.Index)]
        last = points[-1] if points else None
        if last is None or not isinstance(last.base, syntax.Name) or not isinstance(last.indices[0], syntax.Number):
            return ""
        return f"{last.base.name.upper()}[{last.indices[0].value:g}]"

    def _pace(self, node: RobotInstruction, kind: str, opt: dict[str, Any], rest: str) -> Pace:
        unit, speed = str(opt.get("unit", "")), opt.get("speed")
        push = re.search(r"\bACC\s*(\d+)", rest, re.IGNORECASE)
        share = None if push is None else min(float(push[1]), 100.0) / 100.0 or None
        if not isinstance(speed, float) or not speed > 0.0:
            if unit:
                self.interpreter.assume(node.at, f"data {unit}", f"the speed {unit} is not known: none is asked for")
            return Pace(acceleration_share=share)
        slowed = speed * self.override
        if unit == "%":
            return Pace(share=min(slowed / 100.0, 1.0), acceleration_share=share)
        if unit in SPEEDS:
            return Pace(speed=slowed * SPEEDS[unit], acceleration_share=share)
        if unit in ("deg/sec", "grd/sek"):
            return Pace(turn=radians(slowed), acceleration_share=share)
        return Pace(duration=speed * (1e-3 if unit == "msec" else 1.0) / self.override, acceleration_share=share)

    def _blend(self, node: RobotInstruction, kind: str, opt: dict[str, Any]) -> Blend:
        term = str(opt.get("term", ""))
        word, number = term.rstrip("0123456789"), re.search(r"\d+$", term)
        by = opt.get("by")
        amount = float(number[0]) if number else float(by) if isinstance(by, float) else 0.0
        if word in ("CR", "CD") and amount > 0.0:
            return Blend("zone", amount / MM)
        if word != "CNT" or amount <= 0.0:
            return Blend()
        text = "CNT: moves are taken to flow into each other as far as the next one allows"
        self.interpreter.assume(node.at, "CNT", text)
        return Blend("joint" if kind == "joint" else "speed")

    # Time
    def wait_time(self, node: RobotInstruction, seconds: Value) -> Commands:
        if not isinstance(seconds, float) or seconds <= 0.0:
            return ()
        return [commands.Dwell(seconds, self.interpreter.place(node))]

    def wait_for(self, node: RobotInstruction, condition: syntax.Expression) -> Commands:
        self.interpreter.assume(node.at, f"wait {node.at}", "the condition of this wait is taken to become true")
        rest = self.assumed.wait_seconds
        return [commands.Dwell(rest, self.interpreter.place(node))] if rest else ()

    # Where it is
    def _here(self) -> Value:
        T = self.where.flange()
        if T is None:
            return Absent("LPOS")
        roll, pitch, yaw = (degrees(each) for each in rpy_of(T[:3, :3]))
        x, y, z = (float(each) * MM for each in T[:3, 3])
        return dict(zip((*PLACE, *TURN), (x, y, z, roll, pitch, yaw), strict=True))

    def _joints(self) -> Value:
        q = self.where.joints()
        if q is None:
            return Absent("JPOS")
        angles = [degrees(float(each)) for each in q]
        if len(angles) > 2:
            angles[2] -= angles[1]
        return dict(zip(AXES, angles, strict=False))


def matrix(place: Any) -> Floats:
    """T (4, 4) in mm: W, P, R turn about x, y, z, which stay where they are."""
    w, p, r = (radians(float(place.get(name, 0.0))) for name in TURN)
    return pose(rotation_rpy(w, p, r), [float(place.get(name, 0.0)) for name in PLACE])


def _metres(T: Floats) -> Floats:
    T = T.copy()
    T[:3, 3] /= MM
    return T
