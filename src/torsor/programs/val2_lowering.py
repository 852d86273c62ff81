"""What VAL II instructions do: the arm's state while a program runs, and the motion commands that come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import radians
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, rotation_y, rotation_z
from torsor.motion.commands import (
    Blend,
    Command,
    Dwell,
    Gripper,
    Joints,
    Move,
    Pace,
    Payload,
    Pose,
    Signal,
    Start,
    Target,
    Tool,
)
from torsor.programs import syntax
from torsor.programs.language import Lowering
from torsor.programs.memory import Cell
from torsor.programs.printer import Printer, number_text
from torsor.programs.values import NOUNS, JointPoint, Location, Value, Wrong, compound, inverse, kind_of

Operands = list[Any]
OperandsByOption = Mapping[str, Operands]
Commands = Sequence[Command]

IDENTITY = Location((0.0, 0.0, 0.0), np.eye(3))
PER_METRE = {"m": 1.0, "mm": 1000.0}  # dividing by it is exact to the last digit
# The branches of `arm.inverse_kinematics` that the words for configurations mean. Handedness is that of the PUMA 560:
# at q = 0, which is "front", its shoulder is to the right of its column for one who looks along the arm.
CONFIGURATIONS = {
    "RIGHTY": "front",
    "LEFTY": "back",
    "ABOVE": "up",
    "BELOW": "down",
    "NOFLIP": "wrist +",
    "FLIP": "wrist -",
}
PAIRS = tuple(zip(list(CONFIGURATIONS.values())[::2], list(CONFIGURATIONS.values())[1::2], strict=True))
# Tool axes at O = A = T = 0, in world axes: x is down, y is world x, the tool points along -y.
OAT_ZERO = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]])


@dataclass(frozen=True, slots=True)
class Val2Dialect:
    """Where SIMASEA and VAL II differ, and what a program leaves open.

    ``units`` of lengths; ``angles`` of orientations: "zyz" is Rz Ry Rz, "oat" is VAL II's O, A, T on PUMA arms;
    ``continuous``: motions flow into each other unless the program breaks them; ``speed_lasts``: SPEED holds until the
    next SPEED, without ALWAYS; ``hand_time``: seconds of OPENI and CLOSEI; ``wait_seconds``: how long WAIT is taken to
    wait; ``inputs``: signals that are on, for SIG.
    """

    units: str = "m"
    angles: str = "zyz"
    continuous: bool = False
    speed_lasts: bool = True
    hand_time: float = 1.0
    wait_seconds: float = 0.0
    inputs: tuple[int, ...] = ()


# Behi 1989: metres, Z-Y'-Z'', a stop after every command (ERRATA), 1 s for the gripper (appendix A.3).
SIMASEA = Val2Dialect()
VAL_II = Val2Dialect(units="mm", continuous=True, speed_lasts=False)


def rotation(angles: str, a: float, b: float, c: float) -> Floats:
    """The rotation of three angles in degrees."""
    first, second, third = radians(a), radians(b), radians(c)
    if angles == "oat":
        first_turn: Floats = rotation_z(first) @ OAT_ZERO
    else:
        first_turn = rotation_z(first)
    R: Floats = first_turn @ rotation_y(second) @ rotation_z(third)
    return R


class Val2Lowering(Lowering):
    def __init__(self, dialect: Val2Dialect, printer: Printer) -> None:
        self.dialect = dialect
        self.printer = printer
        self.always = Pace(share=1.0)
        self.once: Pace | None = None
        self.acceleration: float | None = None
        self.here: Location | None = None  # where the tool is, in world axes and the program's units
        self.base = IDENTITY
        self.tool = IDENTITY
        self.outputs: dict[int, bool] = {}
        self.held: list[Command] = []  # a move whose end is not decided yet, and signals behind it
        self.hand: Gripper | None = None  # to happen at the next motion
        self.branch = ""  # what words for configurations have asked for; with the first the arm keeps its branch

    # Targets
    def transform(self, x: float, y: float, z: float, a: float, b: float, c: float) -> Location:
        return Location((x, y, z), rotation(self.dialect.angles, a, b, c))

    def where(self) -> Location:
        if self.here is None:
            raise Wrong("the tool's place is not known here", "it is known after START or a motion to a location")
        return self.here

    def target(self, value: Location | JointPoint, node: syntax.Expression | None) -> Target:
        name = "" if node is None else self.printer.expression(node)
        if isinstance(value, JointPoint):
            return Joints(tuple(radians(angle) for angle in value.values), name)
        if self.base is not IDENTITY:
            value = compound(inverse(self.base), value)
        unit = PER_METRE[self.dialect.units]
        x, y, z = value.position
        R = np.eye(3) if value.rotation is None else value.rotation
        return Pose((x / unit, y / unit, z / unit), R, name, self.branch)

    def metric(self, value: Location) -> Floats:
        T = value.matrix()
        T[:3, 3] /= PER_METRE[self.dialect.units]
        return T

    # Motions
    def move(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        given = next((names for name, names in node.options if name == "VIA"), ())
        via = tuple(self.target(value, at) for value, at in zip(options.get("via", ()), given, strict=True))
        return self._go(node, operands[0], node.operands[0], via)

    def approach(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        return self._go(node, _back(operands[0], operands[1]), None)

    def depart(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        return self._go(node, _back(self.where(), operands[0]), None)

    def _go(
        self,
        node: syntax.RobotInstruction,
        value: Location | JointPoint,
        at: syntax.Expression | None,
        via: tuple[Target, ...] = (),
    ) -> Commands:
        pace, self.once = self.once or self.always, None
        pace = replace(pace, acceleration_share=self.acceleration)
        straight = node.word.endswith("S")
        target = self.target(value, at)
        if at is None:
            target = replace(target, name=self.printer.instruction(node))
        move = Move("line" if straight else "joint", target, self.interpreter.place(node), via, pace)
        if self.branch and isinstance(target, Pose) and not straight:
            self.branch = "keep"  # the next joint move has changed what was asked for; from now on it stays
        self.here = value if isinstance(value, Location) else None
        hand, self.hand = self.hand, None
        before = [*self._release(flowing=True), *([hand] if hand else [])]
        if not self.dialect.continuous:
            return [*before, move]
        self.held = [move]
        return before

    def start(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        self.here = operands[0] if isinstance(operands[0], Location) else None
        return [Start(self.target(operands[0], node.operands[0]), self.interpreter.place(node))]

    def _release(self, *, flowing: bool = False) -> Commands:
        held, self.held = self.held, []
        if held and flowing and isinstance(held[0], Move):
            kind = Blend("joint") if held[0].kind == "joint" else Blend("speed")
            held[0] = replace(held[0], blend=kind)
        return held

    def stop_here(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        return self._release()

    def finish(self) -> Iterator[Command]:
        yield from self._release()
        if self.hand is not None:
            yield self.hand

    def _after_stop(self, *commands: Command) -> Commands:
        return [*self._release(), *commands]

    def _event(self, text: str, node: syntax.RobotInstruction) -> Commands:
        event = Signal(text, self.interpreter.place(node))
        if self.held:
            self.held.append(event)
            return []
        return [event]

    def configure(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        """The next joint move to a location changes over; of two words that exclude each other the later one holds."""
        word = CONFIGURATIONS[node.word]
        other = next(a if word == b else b for a, b in PAIRS if word in (a, b))
        kept = [each for each in self.branch.split(", ") if each not in ("", "keep", word, other)]
        self.branch = ", ".join(["keep", *kept, word])
        return ()

    # Pace
    def speed(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        value = operands[0]
        if value <= 0.0:
            raise Wrong(f"a speed of {value:g}", "speeds are larger than 0")
        if "mmps" in options or "ips" in options:
            pace = Pace(speed=(value if "mmps" in options else 25.4 * value) / 1000.0)
        else:
            pace = Pace(share=value / 100.0)
        return self._pace(pace, "always" in options or "monitor" in options or self.dialect.speed_lasts)

    def duration(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        if operands[0] <= 0.0:
            raise Wrong(f"a duration of {operands[0]:g} s", "durations are larger than 0")
        return self._pace(Pace(duration=operands[0]), "always" in options)

    def _pace(self, pace: Pace, lasts: bool) -> Commands:
        if lasts:
            self.always, self.once = pace, None
        else:
            self.once = pace
        return ()

    def accelerate(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        shares = [value for value in operands if value is not None]
        if min(shares) <= 0.0:
            raise Wrong(f"an acceleration of {min(shares):g} percent", "accelerations are larger than 0")
        self.acceleration = min(shares) / 100.0  # one for both ends of a move: the smaller
        return ()

    # Time, gripper, load
    def delay(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        if not operands:  # PAUSE without a time waits for the operator's PROCEED
            return self._after_stop(Signal(f"{node.word} until PROCEED", self.interpreter.place(node)))
        if operands[0] < 0.0:
            raise Wrong(f"{node.word} of {operands[0]:g} s", "times are 0 or larger")
        return self._after_stop(Dwell(operands[0], self.interpreter.place(node)))

    def hand_now(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        seconds = operands[0] if operands else self.dialect.hand_time
        if seconds < 0.0:
            raise Wrong(f"{node.word} of {seconds:g} s", "times are 0 or larger")
        return self._after_stop(Gripper(node.word.startswith("CLOSE"), self.interpreter.place(node), seconds))

    def hand_next(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        self.hand = Gripper(node.word == "CLOSE", self.interpreter.place(node))
        return ()

    def payload(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        mass, *com = [0.0 if value is None else value for value in operands]
        if mass < 0.0:
            raise Wrong(f"a payload of {mass:g} kg", "masses are 0 or larger")
        unit = PER_METRE[self.dialect.units]
        x, y, z = (value / unit for value in (*com, 0.0, 0.0, 0.0)[:3])
        return self._after_stop(Payload(mass, self.interpreter.place(node), (x, y, z)))

    # Frames and settings
    def mount(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        old, self.tool = self.tool, operands[0] if operands else IDENTITY
        if self.here is not None:
            self.here = compound(compound(self.here, inverse(old)), self.tool)
        return self._after_stop(Tool(self.metric(self.tool), self.interpreter.place(node)))

    def rebase(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        x, y, z, turn = (*(0.0 if value is None else value for value in operands), 0.0, 0.0, 0.0, 0.0)[:4]
        at_rest = self._release()
        tool_in_base = None if self.here is None else compound(inverse(self.base), self.here)
        self.base = Location((x, y, z), rotation_z(radians(turn))) if operands else IDENTITY
        self.here = None if tool_in_base is None else compound(self.base, tool_in_base)
        return at_rest

    def units(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        self.dialect = replace(self.dialect, units=operands[0])
        return ()

    def angles(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        self.dialect = replace(self.dialect, angles=operands[0])
        return ()

    def switch(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        if operands[0] != "cp":
            return ()
        self.dialect = replace(self.dialect, continuous=node.word == "ENABLE")
        return self._release()

    def parameter(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        name, value = node.operands[0], operands[1]
        if isinstance(name, syntax.Name) and name.name.lower() == "hand.time":
            if value < 0.0:
                raise Wrong(f"HAND.TIME of {value:g} s", "times are 0 or larger")
            self.dialect = replace(self.dialect, hand_time=value)
        return ()

    def nothing(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        return ()

    # Names
    def point(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        target, *numbers = operands
        value: Value
        if _is_joint_name(target):
            value = JointPoint(tuple(numbers))
        else:
            x, y, z, a, b, c = numbers
            value = self.transform(x, y, z, a, b, c)
        self.interpreter.assign(target, value)
        return ()

    def set(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        if _is_joint_name(operands[0]) is not isinstance(operands[1], JointPoint):
            problem = f"SET gives {NOUNS[kind_of(operands[1])]}"
            raise Wrong(problem, "names of joint points begin with '#', names of locations do not")
        self.interpreter.assign(operands[0], operands[1])
        return ()

    def keep_here(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        self.interpreter.assign(operands[0], self.where())
        return ()

    def local(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        for name in operands:
            if isinstance(name, syntax.Name):
                self.interpreter.frames[-1].cells[name.name.lower()] = Cell()
        return ()

    # Events
    def signal(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        for value in operands:
            self.outputs[abs(round(value))] = value > 0.0
        listed = ", ".join(number_text(value) for value in operands)
        return self._event(f"SIGNAL {listed}", node)

    def reset(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        self.outputs.clear()
        return self._event("RESET", node)

    def is_on(self, *numbers: float) -> bool:
        """Are all these signals on, and off where the number is negative?"""
        known = self.outputs | dict.fromkeys(self.dialect.inputs, True)
        return all(known.get(abs(round(n)), False) is (n > 0.0) for n in numbers)

    def wait(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        rest = [Dwell(self.dialect.wait_seconds, self.interpreter.place(node))] if self.dialect.wait_seconds else []
        return self._after_stop(Signal(self.printer.instruction(node), self.interpreter.place(node)), *rest)

    def type(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        return self._event("TYPE " + " ".join(_shown(value) for value in operands), node)

    def prompt(self, node: syntax.RobotInstruction, operands: Operands, options: OperandsByOption) -> Commands:
        for name in operands[1:]:
            self.interpreter.assign(name, "" if getattr(name, "name", "").startswith("$") else 0.0)
        return self._event(f"PROMPT {_shown(operands[0])}", node)


def _is_joint_name(node: syntax.Expression) -> bool:
    base = node.base if isinstance(node, syntax.Index) else node
    return isinstance(base, syntax.Name) and base.name.startswith("#")


def _back(value: Location, distance: float) -> Location:
    """The location, taken back along the tool's z by a distance."""
    return compound(value, Location((0.0, 0.0, -distance), np.eye(3)))


def _shown(value: Value) -> str:
    match value:
        case float():
            return number_text(value)
        case str():
            return value
        case Location():
            return "(" + ", ".join(f"{x:g}" for x in value.position) + ")"
        case JointPoint():
            return "#(" + ", ".join(f"{x:g}" for x in value.values) + ")"
        case _:
            return kind_of(value)
