"""What VAL II instructions do: the arm's state while a program runs, and the motion commands that come of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import radians
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.model.transforms import rotation_z
from torsor.motion import commands
from torsor.motion.commands import Move, Pace, Pose, Target
from torsor.programs import sizes, syntax
from torsor.programs.memory import Cell
from torsor.programs.printer import Printer
from torsor.programs.syntax import RobotInstruction
from torsor.programs.val2_dialect import Val2Dialect, aligned, angles_of, rotation
from torsor.programs.val2_signals import Commands, Val2Signals
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
    location_of,
    seconds,
)

if TYPE_CHECKING:
    from torsor.arm import Arm

Goal = Location | JointPoint

MOST_JOINTS = 100
STRAIGHT = ("MOVES", "MOVEST", "APPROS", "DEPARTS", "DRAW")
IDENTITY = Location((0.0, 0.0, 0.0), np.eye(3))
PER_METRE = {"m": 1.0, "mm": 1000.0}  # dividing by it is exact to the last digit
# The branches of `arm.inverse_kinematics` that the words for configurations mean. Handedness is that of the PUMA 560:
# at q = 0, which is "front", its shoulder is to the right of its column for one who looks along the arm.
CONFIGURATIONS = {
    "RIGHTY": "front", "LEFTY": "back", "ABOVE": "up", "BELOW": "down", "NOFLIP": "wrist +", "FLIP": "wrist -",
}  # fmt: skip
PAIRS = tuple(zip(list(CONFIGURATIONS.values())[::2], list(CONFIGURATIONS.values())[1::2], strict=True))


class Val2Lowering(Val2Signals):
    def __init__(
        self, dialect: Val2Dialect, printer: Printer, arm: Arm | None = None, told: Collection[str] = ()
    ) -> None:
        super().__init__(dialect, printer)
        self.told = told  # what of the dialect was said from outside: the program does not change it
        self.arm = arm  # that knows where the tool is, where joints were gone to
        self.always = Pace(share=1.0)
        self.once: Pace | None = None
        self.acceleration: float | None = None
        self.here: Location | None = None  # where the tool is, in world axes and the program's units
        self.joints: JointPoint | None = None  # where the joints are, where they were told
        self.base = IDENTITY
        self.tool = IDENTITY
        self.hand: commands.Gripper | None = None  # to happen at the next motion
        self.ends_at_rest = False  # the next motion, whatever comes behind it
        self.branch = ""  # what words for configurations have asked for; with the first the arm keeps its branch

    # Targets
    def transform(self, x: float, y: float, z: float, a: float, b: float, c: float) -> Location:
        return Location((x, y, z), rotation(self.dialect.angles, a, b, c))

    def where(self) -> Location:
        if self.here is None and self.joints is not None:
            self.here = self._tool_at(self.joints)
        if self.here is None:
            raise Wrong("the tool's place is not known here", "it is known after START or a motion to a location")
        return self.here

    def _tool_at(self, joints: JointPoint) -> Location | None:
        """Where the tool is with the joints there; None where no arm, or another one, is known."""
        q = self._radians(joints)
        if self.arm is None or len(q) != self.arm.n:
            return None
        T = np.array(self.arm.pose(q))
        T[:3, 3] *= PER_METRE[self.dialect.units]
        return compound(compound(self.base, location_of(T)), self.tool)

    def _location(self, goal: Goal) -> Location:
        found = self._tool_at(goal) if isinstance(goal, JointPoint) else goal
        if found is None:
            raise Wrong("a joint point where a location is needed", "which place it is, is known with its arm")
        return found

    def joints_here(self) -> JointPoint:
        if self.joints is None:
            raise Wrong("where the joints are is not known here", "it is known after a motion to a joint point")
        return self.joints

    def _radians(self, point: JointPoint) -> tuple[float, ...]:
        return tuple(radians(angle) for angle in point.values)

    def target(self, value: Goal, name: str) -> Target:
        if isinstance(value, JointPoint):
            return commands.Joints(self._radians(value), name)
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

    def move_hand(self, node: RobotInstruction, goal: Goal, opening: float) -> Commands:
        """A motion on which the hand opens or closes: to an opening, of which 0 is closed."""
        self.hand = commands.Gripper(opening <= 0.0, self.interpreter.place(node))
        return self.move(node, goal)

    def draw(self, node: RobotInstruction, *by: float | None) -> Commands:
        """Along a line, by so much in world axes."""
        here = self.where()
        x, y, z = (a + (b or 0.0) for a, b in zip(here.position, (*by, None, None), strict=False))
        goal = replace(here, position=(x, y, z))
        return self._go(node, goal, self.target(goal, self.printer.instruction(node)))

    def align(self, node: RobotInstruction) -> Commands:
        """z of the tool along the nearest axis of the world, where it is."""
        here = self.where()
        goal = replace(here, rotation=aligned(np.eye(3) if here.rotation is None else here.rotation))
        return self._go(node, goal, self.target(goal, "ALIGN"))

    def drive(self, node: RobotInstruction, joint: float, change: float, speed: float) -> Commands:
        """One joint by so many degrees, at a share of its speed; the others stay."""
        if joint != round(joint) or not 1 <= joint <= MOST_JOINTS:
            raise Wrong(f"DRIVE of joint {joint:g}", "joints are 1, 2, 3 ...")
        if speed <= 0.0:
            raise Wrong(f"a speed of {speed:g}", "speeds are larger than 0")
        number = round(joint)
        now = None if self.joints is None else self.joints.values
        turn = JointPoint((*(0.0,) * (number - 1), change))
        target = commands.Joints(self._radians(turn), self.printer.instruction(node), relative=True)
        self.once = Pace(share=speed / 100.0)
        given = self._go(node, None, target)
        if now is not None and len(now) >= number:
            self.joints = JointPoint((*now[: number - 1], now[number - 1] + change, *now[number:]))
        return given

    def ready(self, node: RobotInstruction) -> Commands:
        """To a posture of the arm that the controller knows."""
        goal = JointPoint(self.dialect.ready or (0.0,) * (6 if self.arm is None else self.arm.n))
        if not self.dialect.ready:
            self._assume(f"{node.word} is taken to be all joints at 0", "--set ready='0 90 -90 0 0 0', in degrees")
        return self._go(node, goal, self.target(goal, node.word))

    def approach(self, node: RobotInstruction, goal: Goal, distance: float) -> Commands:
        """To where the goal is, taken back along the tool's z by a distance."""
        goal = compound(self._location(goal), Location((0.0, 0.0, -distance), np.eye(3)))
        return self._go(node, goal, self.target(goal, self.printer.instruction(node)))

    def depart(self, node: RobotInstruction, distance: float) -> Commands:
        return self.approach(node, self.where(), distance)

    def _go(self, node: RobotInstruction, goal: Goal | None, target: Target, via: tuple[Target, ...] = ()) -> Commands:
        pace, self.once = self.once or self.always, None
        pace = replace(pace, acceleration_share=self.acceleration)
        straight = node.word in STRAIGHT
        move = Move("line" if straight else "joint", target, self.interpreter.place(node), via, pace)
        if self.branch and isinstance(target, Pose) and not straight:
            self.branch = "keep"  # the next joint move has changed what was asked for; from now on it stays
        self._came_to(goal)
        hand, self.hand = self.hand, None
        before = [*self._release(flowing=True), *([hand] if hand else [])]
        ends_at_rest, self.ends_at_rest = self.ends_at_rest, False
        if ends_at_rest or not self.dialect.continuous:
            return [*before, move]
        self.held = [move]
        return before

    def _came_to(self, goal: Goal | None) -> None:
        self.here = goal if isinstance(goal, Location) else None
        self.joints = goal if isinstance(goal, JointPoint) else None

    def start(self, node: RobotInstruction, goal: Goal) -> Commands:
        self._came_to(goal)
        (name,) = syntax.expressions(node)
        return [commands.Start(self.target(goal, self.printer.expression(name)), self.interpreter.place(node))]

    def stop_here(self, node: RobotInstruction) -> Commands:
        return self._release()

    def finish(self) -> Commands:
        return [*self._release(), *([self.hand] if self.hand else []), *self.assumed.values()]

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
        """So long for the next motion, or for all; 0 takes that back."""
        if value < 0.0:
            raise Wrong(f"a duration of {value:g} s", "durations are larger than 0, and 0 takes them back")
        if value > 0.0:
            return self._pace(Pace(duration=value), "always" in options)
        self.once = None
        if "always" in options and self.always.duration is not None:
            self.always = Pace(share=1.0)
        return ()

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
        closes = node.word in ("CLOSEI", "GRASP")
        usual = self.dialect.t_close if closes else self.dialect.t_open
        takes = seconds(node.word, usual if time is None else time)
        return self._after_stop(commands.Gripper(closes, self.interpreter.place(node), takes))

    def grasp(self, node: RobotInstruction, opening: float, label: float | None = None) -> Commands:
        return self.hand_now(node)

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

    def path_switch(self, node: RobotInstruction, **options: Any) -> Commands:
        """CPON and CPOFF: of all motions to come, or of the next one alone, which then ends at rest."""
        goes_on = node.word == "CPON"
        if "always" not in options:
            self.ends_at_rest = not goes_on
            return ()
        self.dialect = replace(self.dialect, continuous=goes_on)
        return self._release()

    def parameter(self, node: RobotInstruction, name: syntax.Expression, value: float) -> Commands:
        if isinstance(name, syntax.Name) and name.name.lower() == "hand.time":
            own = {each: seconds("HAND.TIME", value) for each in ("t_open", "t_close") if each not in self.told}
            self.dialect = replace(self.dialect, **own)  # type: ignore[arg-type]
            if len(own) < 2:
                self._assume(f"HAND.TIME = {value:g} gives way to what was set from outside")
        return ()

    def nothing(self, node: RobotInstruction, *given: Any, **options: Any) -> Commands:
        return ()

    # Names
    def point(self, node: RobotInstruction, name: syntax.Expression, *numbers: float) -> Commands:
        value: Value = JointPoint(numbers) if _is_joint_name(name) else self.transform(*numbers)
        self.interpreter.assign(name, value)
        return ()

    def set(self, node: RobotInstruction, name: syntax.Expression, value: Value) -> Commands:
        if isinstance(value, JointPoint) and not _is_joint_name(name):
            value = self._location(value)
        elif _is_joint_name(name) and not isinstance(value, JointPoint):
            hint = "names of joint points begin with '#', names of locations do not"
            raise Wrong(f"SET gives {NOUNS[kind_of(value)]}", hint)
        self.interpreter.assign(name, value)
        return ()

    def define_belt(self, node: RobotInstruction, name: syntax.Expression, place: Goal, *_: float) -> Commands:
        """A belt that stands still is the place where it is."""
        self.interpreter.assign(name, self._location(place))
        self._assume("belts stand still")
        return ()

    def keep_here(self, node: RobotInstruction, name: syntax.Expression) -> Commands:
        self.interpreter.assign(name, self.joints_here() if _is_joint_name(name) else self.where())
        return ()

    def decompose(self, node: RobotInstruction, name: syntax.Expression, value: Goal) -> Commands:
        """Its numbers, as POINT has them, into elements of an array from an index on, 0 where none is given."""
        if isinstance(value, JointPoint):
            numbers = value.values
        else:
            R = np.eye(3) if value.rotation is None else value.rotation
            numbers = (*value.position, *angles_of(self.dialect.angles, R))
        base, indices = (name.base, name.indices) if isinstance(name, syntax.Index) else (name, ())
        first = self.interpreter.whole(indices[-1]) if indices else 0
        for k, number in enumerate(numbers):
            at = syntax.Number(float(first + k), at=name.at)
            self.interpreter.assign(syntax.Index(base, (*indices[:-1], at), at=name.at), number)
        return ()

    def local(self, node: RobotInstruction, *names: syntax.Expression) -> Commands:
        for name in names:
            if isinstance(name, syntax.Name):
                self.interpreter.frames[-1].cells[name.name.lower()] = Cell()
        return ()


def _is_joint_name(node: syntax.Expression) -> bool:
    base = node.base if isinstance(node, syntax.Index) else node
    return isinstance(base, syntax.Name) and base.name.startswith("#")
