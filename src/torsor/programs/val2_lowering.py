"""What VAL II instructions do: the arm's state while a program runs, and the motion commands that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import radians
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, rotation_y, rotation_z
from torsor.motion import commands
from torsor.motion.commands import Command, Move, Pace, Pose, Target
from torsor.programs import sizes, syntax
from torsor.programs.language import Lowering
from torsor.programs.memory import Cell
from torsor.programs.printer import Printer, number_text
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import (
    NOUNS,
    JointPoint,
    Location,
    Value,
    Wrong,
    compound,
    inverse,
    kilograms,
    kind_of,
    seconds,
)

Commands = Sequence[Command]
Goal = Location | JointPoint

IDENTITY = Location((0.0, 0.0, 0.0), np.eye(3))
PER_METRE = {"m": 1.0, "mm": 1000.0}  # dividing by it is exact to the last digit
# The branches of `arm.inverse_kinematics` that the words for configurations mean. Handedness is that of the PUMA 560:
# at q = 0, which is "front", its shoulder is to the right of its column for one who looks along the arm.
CONFIGURATIONS = {
    "RIGHTY": "front", "LEFTY": "back", "ABOVE": "up", "BELOW": "down", "NOFLIP": "wrist +", "FLIP": "wrist -",
}  # fmt: skip
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
    first = rotation_z(radians(a)) @ OAT_ZERO if angles == "oat" else rotation_z(radians(a))
    R: Floats = first @ rotation_y(radians(b)) @ rotation_z(radians(c))
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
        self.hand: commands.Gripper | None = None  # to happen at the next motion
        self.branch = ""  # what words for configurations have asked for; with the first the arm keeps its branch

    # Targets
    def transform(self, x: float, y: float, z: float, a: float, b: float, c: float) -> Location:
        return Location((x, y, z), rotation(self.dialect.angles, a, b, c))

    def where(self) -> Location:
        if self.here is None:
            raise Wrong("the tool's place is not known here", "it is known after START or a motion to a location")
        return self.here

    def target(self, value: Goal, name: str) -> Target:
        if isinstance(value, JointPoint):
            return commands.Joints(tuple(radians(angle) for angle in value.values), name)
        if self.base is not IDENTITY:
            value = compound(inverse(self.base), value)
        R = np.eye(3) if value.rotation is None else value.rotation
        return Pose(self._metres(*value.position), R, name, self.branch)

    def _metres(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> tuple[float, float, float]:
        unit = PER_METRE[self.dialect.units]
        return x / unit, y / unit, z / unit

    # Motions
    def move(self, node: RobotInstruction, goal: Goal, via: Sequence[Goal] = ()) -> Commands:
        names = map(self.printer.expression, syntax.expressions(node))
        target = self.target(goal, next(names))
        return self._go(node, goal, target, tuple(map(self.target, via, names)))

    def approach(self, node: RobotInstruction, goal: Location, distance: float) -> Commands:
        """To where the goal is, taken back along the tool's z by a distance."""
        goal = compound(goal, Location((0.0, 0.0, -distance), np.eye(3)))
        return self._go(node, goal, self.target(goal, self.printer.instruction(node)))

    def depart(self, node: RobotInstruction, distance: float) -> Commands:
        return self.approach(node, self.where(), distance)

    def _go(self, node: RobotInstruction, goal: Goal, target: Target, via: tuple[Target, ...] = ()) -> Commands:
        pace, self.once = self.once or self.always, None
        pace = replace(pace, acceleration_share=self.acceleration)
        straight = node.word.endswith("S")
        move = Move("line" if straight else "joint", target, self.interpreter.place(node), via, pace)
        if self.branch and isinstance(target, Pose) and not straight:
            self.branch = "keep"  # the next joint move has changed what was asked for; from now on it stays
        self.here = goal if isinstance(goal, Location) else None
        hand, self.hand = self.hand, None
        before = [*self._release(flowing=True), *([hand] if hand else [])]
        if not self.dialect.continuous:
            return [*before, move]
        self.held = [move]
        return before

    def start(self, node: RobotInstruction, goal: Goal) -> Commands:
        self.here = goal if isinstance(goal, Location) else None
        (name,) = syntax.expressions(node)
        return [commands.Start(self.target(goal, self.printer.expression(name)), self.interpreter.place(node))]

    def _release(self, *, flowing: bool = False) -> Commands:
        held, self.held = self.held, []
        if held and flowing and isinstance(held[0], Move):
            held[0] = replace(held[0], blend=commands.Blend("joint" if held[0].kind == "joint" else "speed"))
        return held

    def stop_here(self, node: RobotInstruction) -> Commands:
        return self._release()

    def finish(self) -> Commands:
        return [*self._release(), *([self.hand] if self.hand else [])]

    def _after_stop(self, *given: Command) -> Commands:
        return [*self._release(), *given]

    def _event(self, text: str, node: RobotInstruction) -> Commands:
        event = commands.Signal(text, self.interpreter.place(node))
        if not self.held:
            return [event]
        self.held.append(event)
        return []

    def configure(self, node: RobotInstruction, word: str = "") -> Commands:
        """The next joint move to a location changes over; of two words that exclude each other the later one holds."""
        asked = CONFIGURATIONS[node.word]
        pair = next(pair for pair in PAIRS if asked in pair)
        kept = [each for each in self.branch.split(", ") if each not in ("", "keep", *pair)]
        self.branch = ", ".join(["keep", *kept, asked])
        return ()

    # Pace
    def speed(self, node: RobotInstruction, value: float, **options: Any) -> Commands:
        if value <= 0.0:
            raise Wrong(f"a speed of {value:g}", "speeds are larger than 0")
        if "mmps" in options or "ips" in options:
            pace = Pace(speed=(value if "mmps" in options else 25.4 * value) / 1000.0)
        else:
            pace = Pace(share=value / 100.0)
        return self._pace(pace, "always" in options or "monitor" in options or self.dialect.speed_lasts)

    def duration(self, node: RobotInstruction, value: float, **options: Any) -> Commands:
        if value <= 0.0:
            raise Wrong(f"a duration of {value:g} s", "durations are larger than 0")
        return self._pace(Pace(duration=value), "always" in options)

    def _pace(self, pace: Pace, lasts: bool) -> Commands:
        sizes.refuse(pace)
        self.once = None if lasts else pace
        if lasts:
            self.always = pace
        return ()

    def accelerate(self, node: RobotInstruction, *shares: float | None) -> Commands:
        least = min(share for share in shares if share is not None)  # one for both ends of a move: the smaller
        if least <= 0.0:
            raise Wrong(f"an acceleration of {least:g} percent", "accelerations are larger than 0")
        sizes.refuse(Pace(acceleration_share=least / 100.0))
        self.acceleration = least / 100.0
        return ()

    # Time, gripper, load
    def delay(self, node: RobotInstruction, time: float | None = None) -> Commands:
        place = self.interpreter.place(node)
        if time is None:  # PAUSE without a time waits for the operator's PROCEED
            return self._after_stop(commands.Signal(f"{node.word} until PROCEED", place))
        return self._after_stop(commands.Dwell(seconds(node.word, time), place))

    def hand_now(self, node: RobotInstruction, time: float | None = None) -> Commands:
        takes = seconds(node.word, self.dialect.hand_time if time is None else time)
        return self._after_stop(commands.Gripper(node.word.startswith("CLOSE"), self.interpreter.place(node), takes))

    def hand_next(self, node: RobotInstruction, time: float = 0.0) -> Commands:
        self.hand = commands.Gripper(node.word == "CLOSE", self.interpreter.place(node))
        return ()

    def payload(self, node: RobotInstruction, mass: float, *com: float | None) -> Commands:
        at = self._metres(*(value or 0.0 for value in com))
        return self._after_stop(commands.Payload(kilograms(mass), self.interpreter.place(node), at))

    # Frames and settings
    def mount(self, node: RobotInstruction, tool: Location = IDENTITY) -> Commands:
        if self.here is not None:
            self.here = compound(compound(self.here, inverse(self.tool)), tool)
        self.tool = tool
        T = tool.matrix()
        T[:3, 3] = self._metres(*tool.position)
        return self._after_stop(commands.Tool(T, self.interpreter.place(node)))

    def rebase(self, node: RobotInstruction, *given: float | None) -> Commands:
        x, y, z, turn = (*(value or 0.0 for value in given), 0.0, 0.0, 0.0, 0.0)[:4]
        at_rest = self._release()
        tool_in_base = None if self.here is None else compound(inverse(self.base), self.here)
        self.base = Location((x, y, z), rotation_z(radians(turn))) if given else IDENTITY
        self.here = None if tool_in_base is None else compound(self.base, tool_in_base)
        return at_rest

    def setting(self, node: RobotInstruction, word: str) -> Commands:
        """UNITS and ANGLES, as the dialect calls them."""
        self.dialect = replace(self.dialect, **{node.word.lower(): word})  # type: ignore[arg-type]
        return ()

    def switch(self, node: RobotInstruction, word: str) -> Commands:
        if word != "cp":
            return ()
        self.dialect = replace(self.dialect, continuous=node.word == "ENABLE")
        return self._release()

    def parameter(self, node: RobotInstruction, name: syntax.Expression, value: float) -> Commands:
        if isinstance(name, syntax.Name) and name.name.lower() == "hand.time":
            self.dialect = replace(self.dialect, hand_time=seconds("HAND.TIME", value))
        return ()

    def nothing(self, node: RobotInstruction, *given: Any) -> Commands:
        return ()

    # Names
    def point(self, node: RobotInstruction, name: syntax.Expression, *numbers: float) -> Commands:
        value: Value = JointPoint(numbers) if _is_joint_name(name) else self.transform(*numbers)
        self.interpreter.assign(name, value)
        return ()

    def set(self, node: RobotInstruction, name: syntax.Expression, value: Value) -> Commands:
        if _is_joint_name(name) is not isinstance(value, JointPoint):
            hint = "names of joint points begin with '#', names of locations do not"
            raise Wrong(f"SET gives {NOUNS[kind_of(value)]}", hint)
        self.interpreter.assign(name, value)
        return ()

    def keep_here(self, node: RobotInstruction, name: syntax.Expression) -> Commands:
        self.interpreter.assign(name, self.where())
        return ()

    def local(self, node: RobotInstruction, *names: syntax.Expression) -> Commands:
        for name in names:
            if isinstance(name, syntax.Name):
                self.interpreter.frames[-1].cells[name.name.lower()] = Cell()
        return ()

    # Events
    def signal(self, node: RobotInstruction, *numbers: float) -> Commands:
        self.outputs |= {abs(round(value)): value > 0.0 for value in numbers}
        return self._event(f"SIGNAL {', '.join(map(number_text, numbers))}", node)

    def reset(self, node: RobotInstruction) -> Commands:
        self.outputs.clear()
        return self._event("RESET", node)

    def is_on(self, *numbers: float) -> bool:
        """Are all these signals on, and off where the number is negative?"""
        known = self.outputs | dict.fromkeys(self.dialect.inputs, True)
        return all(known.get(abs(round(n)), False) is (n > 0.0) for n in numbers)

    def wait(self, node: RobotInstruction, condition: syntax.Expression) -> Commands:
        place, time = self.interpreter.place(node), self.dialect.wait_seconds
        rest = [commands.Dwell(time, place)] if time else []
        return self._after_stop(commands.Signal(self.printer.instruction(node), place), *rest)

    def type(self, node: RobotInstruction, *given: Value) -> Commands:
        return self._event("TYPE " + " ".join(map(_shown, given)), node)

    def prompt(self, node: RobotInstruction, text: str, *names: syntax.Expression) -> Commands:
        for name in names:
            self.interpreter.assign(name, "" if getattr(name, "name", "").startswith("$") else 0.0)
        return self._event(f"PROMPT {text}", node)


def _is_joint_name(node: syntax.Expression) -> bool:
    base = node.base if isinstance(node, syntax.Index) else node
    return isinstance(base, syntax.Name) and base.name.startswith("#")


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
