"""What AS's instructions do: the controller's state while a program runs, and the commands that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import degrees, radians
from typing import Any

import numpy as np

from torsor.motion import commands
from torsor.motion.commands import Blend, Move, Pace, Target
from torsor.programs import sizes, syntax
from torsor.programs.kawasaki.kawasaki_places import MM, NULL, metres, millimetres, transform
from torsor.programs.kawasaki.kawasaki_signals import Commands, KawasakiSignals, number
from torsor.programs.loads import HeldLoad, taken_up
from torsor.programs.memory import Cell
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, JointPoint, Location, Value, Wrong, compound, inverse, kilograms
from torsor.programs.whereabouts import Whereabouts

STRAIGHT = ("LMOVE", "HMOVE", "XMOVE", "LAPPRO", "LDEPART", "DRAW", "TDRAW", "LINEAR", "FLIN")
ACCURACY = 1.0  # mm, where a program says nothing


@dataclass(frozen=True, slots=True)
class KawasakiAssumptions:
    """What a program leaves open: how long a wait for a signal is taken to last; seconds."""

    wait_seconds: float = 0.0


class KawasakiLowering(KawasakiSignals):
    def __init__(self, assumed: KawasakiAssumptions, where: Whereabouts) -> None:
        super().__init__(assumed.wait_seconds)
        self.where = where
        self.always, self.once = Pace(share=1.0), None  # type: Pace, Pace | None
        self.accuracy, self.accuracy_once = ACCURACY, None  # type: float, float | None
        self.shares: dict[str, float] = {}  # of ACCEL and DECEL
        self.shares_once: dict[str, float] = {}
        self.base, self.tool = NULL, NULL
        self.via: Target | None = None  # what C1MOVE goes through
        self.continuous = True

    def remembered(self) -> Any:
        kept = {
            name: each for name, each in vars(self).items() if name not in ("interpreter", "where", "held", "timers")
        }
        places = {name: kept.pop(name) for name in ("base", "tool")}
        return kept, [metres(each).tobytes() for each in places.values()], self.where.content()

    def held_back(self) -> Commands:
        return [self.held] if self.held else []

    def finish(self) -> Commands:
        return self._stopped()

    # Names
    def special(self, key: str, node: syntax.Name) -> Value | None:
        match key:
            case "here" | "dest":
                place = self.here()
                return place if place is not None else self._takes_arm(node, "HERE")
            case "#here" | "#dest":
                q = self.where.joints()
                return self._takes_arm(node, "#HERE") if q is None else JointPoint(tuple(map(degrees, map(float, q))))
            case "null":
                return NULL
            case "tool":
                return self.tool
            case "base":
                return self.base
            case "$time" | "$date":
                return "00:00:00"
            case "mspeed":
                return 100.0
        if key.startswith(".") and self.interpreter.known(node) is None:
            return Absent(node.name)
        return None

    def _takes_arm(self, node: syntax.Name, what: str) -> Absent:
        self.interpreter.assume(node.at, what, f"{what}: it takes an arm to tell", "give the arm")
        return Absent(what)

    def indexed(self, key: str, indices: Sequence[int], node: syntax.Index) -> Value | None:
        """Elements are names of their own: arrays have holes, and begin where they begin."""
        name = f"{key}[{','.join(map(str, indices))}]"
        cell = self.interpreter.known(syntax.Name(name))
        if cell is not None and cell.value is not None:
            return cell.value
        if self.interpreter.world.knows(name):
            return self.interpreter.world.take(name)
        return Absent(name)

    def set_special(self, key: str, keys: Sequence[int | str], value: Value, node: syntax.Expression) -> bool:
        if not keys:
            return False
        name = f"{key}[{','.join(map(str, keys))}]"
        run = self.interpreter
        cells = run.frames[-1].cells if key.startswith(".") and run.frames else run.cells
        cell = cells.setdefault(name, Cell())
        cell.waiting, cell.value = None, value
        run.written[id(cell)] = cell
        return True

    # Places
    def here(self) -> Location | None:
        """Where the tool is, in the program's base."""
        T = self.where.flange()
        if T is None:
            return None
        return compound(compound(inverse(self.base), millimetres(T)), self.tool)

    def location(self, value: Any) -> Location | Absent | None:
        """A place as a location: of joints the arm tells it."""
        if isinstance(value, Location | Absent):
            return value
        if isinstance(value, JointPoint):
            arm = self.where.arm
            if arm is None or len(value.values) < arm.n:
                return Absent("a place of joints")
            T = self.where.forward(arm, np.array([radians(each) for each in value.values[: arm.n]]))
            return compound(compound(inverse(self.base), millimetres(T)), self.tool)
        return None

    def _target(self, node: RobotInstruction, value: Any, *, moves: bool = True) -> Target | None:
        name = self._name(node)
        if isinstance(value, JointPoint):
            q = tuple(radians(each) for each in value.values)
            if self.where.arm is not None and len(q) > self.where.arm.n:
                q = q[: self.where.arm.n]
            if moves:
                self.where.to_joints(q)
            return commands.Joints(q, name)
        if not isinstance(value, Location):
            told = value.name if isinstance(value, Absent) and value.name else name or "it"
            text = f"where {told} lies is not known: the move is passed over"
            self.interpreter.assume(
                node.at, f"point {told}", text, f"--define 'POINT {told} = TRANS(x, y, z, o, a, t)'"
            )
            return None
        T = metres(compound(self.base, value))
        if moves:
            self.where.to_pose(T, metres(self.tool))
        T = self.where.root @ T
        x, y, z = (float(each) for each in T[:3, 3])
        return commands.Pose((x, y, z), T[:3, :3], name)

    def _name(self, node: RobotInstruction) -> str:
        first = next(iter(node.operands), None)
        base = syntax.base(first) if isinstance(first, syntax.Expression) else None
        if not isinstance(first, syntax.Index) or base is None:
            return base.name if base is not None else ""
        numbers = [each.value for each in first.indices if isinstance(each, syntax.Number)]
        return f"{base.name}[{','.join(f'{each:g}' for each in numbers)}]" if numbers else base.name

    # Moves
    def move(self, node: RobotInstruction, goal: Value, *more: Value, **options: Any) -> Commands:
        if node.word == "HMOVE":
            self.interpreter.assume(node.at, "HMOVE", "HMOVE: the wrist is turned as on any line")
        target = self._target(node, goal)
        return self._go(node, target)

    def move_step(self, node: RobotInstruction, goal: Value, words: Value) -> Commands:
        """A step of block teaching: its speeds and accuracies are the controller's, by number."""
        text = "speeds and accuracies of taught steps (SPEED9, ACCU1) are the controller's: taken to be the fastest"
        self.interpreter.assume(node.at, "steps of block teaching", text)
        return self._go(node, self._target(node, goal))

    def move_approach(self, node: RobotInstruction, goal: Value, distance: Value, *more: Value, **opt: Any) -> Commands:
        """To where the goal is, taken back along the tool's z."""
        place = self.location(goal)
        if isinstance(place, Location):
            place = compound(place, transform([0.0, 0.0, -number(distance)]))
        return self._go(node, self._target(node, place))

    def move_depart(self, node: RobotInstruction, distance: Value, *more: Value, **options: Any) -> Commands:
        here = self.here()
        if here is None:
            return self._go(node, self._target(node, Absent("HERE")))
        return self.move_approach(node, here, distance)

    def move_draw(self, node: RobotInstruction, *by: Value) -> Commands:
        """Along a line by so much, in axes of the base or (TDRAW) of the tool."""
        here = self.here()
        if here is None:
            return self._go(node, self._target(node, Absent("HERE")))
        x, y, z, *_ = (*(number(each) for each in by), 0.0, 0.0, 0.0)
        if node.word == "TDRAW":
            return self._go(node, self._target(node, compound(here, transform([x, y, z]))))
        moved = Location((here.position[0] + x, here.position[1] + y, here.position[2] + z), here.rotation)
        return self._go(node, self._target(node, moved))

    def move_drive(self, node: RobotInstruction, joint: Value, change: Value, speed: Value = None) -> Commands:  # type: ignore[assignment]
        which = round(number(joint))
        if not 1 <= which <= 100:
            raise Wrong(f"DRIVE of joint {which}", "joints are 1, 2, 3 ...")
        if isinstance(speed, float) and speed > 0.0:
            self.once = Pace(share=min(speed, 100.0) / 100.0)
        by = (*(0.0,) * (which - 1), radians(number(change)))
        now = self.where.joints()
        if now is not None and len(now) >= which:
            q = np.array(now, dtype=float)
            q[which - 1] += by[-1]
            self.where.to_joints(tuple(float(each) for each in q))
        return self._go(node, commands.Joints(by, "DRIVE", relative=True))

    def move_home(self, node: RobotInstruction, which: Value = 1.0) -> Commands:
        word = "home2" if node.word == "HOME2" or which == 2.0 else "home"
        q = _degrees(word, self.interpreter.world.take(word)) if self.interpreter.world.knows(word) else ()
        if not q:
            text = f"where {node.word} lies is the controller's: the move is passed over"
            self.interpreter.assume(node.at, f"point {word}", text, f"--set {word}='0 0 0 0 0 0', in degrees")
            return self._stopped()
        return self._go(node, self._target(node, JointPoint(q)))

    def move_align(self, node: RobotInstruction) -> Commands:
        from torsor.programs.val2_dialect import aligned

        here = self.here()
        if here is None:
            return self._go(node, self._target(node, Absent("HERE")))
        R = np.eye(3) if here.rotation is None else here.rotation
        return self._go(node, self._target(node, replace(here, rotation=aligned(R))))

    def move_through(self, node: RobotInstruction, goal: Value, **options: Any) -> Commands:
        """C1MOVE: a place on the circle that C2MOVE ends."""
        if isinstance(goal, JointPoint):
            goal = self.location(goal) or goal
        self.via = self._target(node, goal, moves=False)
        return ()

    def move_circle(self, node: RobotInstruction, goal: Value, **options: Any) -> Commands:
        if isinstance(goal, JointPoint):
            goal = self.location(goal) or goal
        via, self.via = self.via, None
        target = self._target(node, goal)
        if via is None or target is None:
            return self._go(node, target)
        return self._go(node, target, (via,))

    def _go(self, node: RobotInstruction, target: Target | None, via: tuple[Target, ...] = ()) -> Commands:
        pace, self.once = self.once or self.always, None
        accuracy, self.accuracy_once = self.accuracy_once, None
        accuracy = self.accuracy if accuracy is None else accuracy
        shares, self.shares_once = {**self.shares, **self.shares_once}, {}
        if target is None:
            return self._stopped()
        if shares:
            pace = replace(pace, acceleration_share=min(shares.values()))
        kind: Any = "circle" if via else "line" if node.word in STRAIGHT else "joint"
        blend = Blend("zone", accuracy / MM) if accuracy > 0.0 and self.continuous else Blend()
        given = self._flowing()
        self.held = Move(kind, target, self.interpreter.place(node), via, pace, blend)
        return given

    # Pace
    def speed(self, node: RobotInstruction, value: Value = None, **options: Any) -> Commands:  # type: ignore[assignment]
        if value is None or isinstance(value, Absent):
            self.interpreter.assume(node.at, "data SPEED", "a speed that is not known: it stays as it is")
            return ()
        speed = number(value)
        if speed <= 0.0:
            raise Wrong(f"a speed of {speed:g}", "speeds are larger than 0")
        if "mm_s" in options:
            pace = Pace(speed=speed / MM)
        elif "mm_min" in options or "m_min" in options:
            pace = Pace(speed=speed / (60.0 * (MM if "mm_min" in options else 1.0)))
        elif "s" in options:
            pace = Pace(duration=speed)
        else:
            pace = Pace(share=min(speed, 100.0) / 100.0)
        sizes.refuse(pace)
        self.once = pace
        if "always" in options:
            self.always, self.once = pace, None
        return ()

    def near(self, node: RobotInstruction, value: Value = None, **options: Any) -> Commands:  # type: ignore[assignment]
        """ACCURACY: how near the tool comes before it goes on."""
        if not isinstance(value, float):
            return ()
        if value < 0.0:
            raise Wrong(f"an accuracy of {value:g} mm", "it is 0 or larger")
        if "always" in options:
            self.accuracy, self.accuracy_once = value, None
        else:
            self.accuracy_once = value
        return ()

    def accelerate(self, node: RobotInstruction, value: Value = None, **options: Any) -> Commands:  # type: ignore[assignment]
        if not isinstance(value, float):
            return ()
        if value <= 0.0:
            raise Wrong(f"an acceleration of {value:g} percent", "accelerations are larger than 0")
        (self.shares if "always" in options else self.shares_once)[node.word] = min(value, 100.0) / 100.0
        return ()

    def stop_here(self, node: RobotInstruction, *given: Any) -> Commands:
        return self._stopped()

    def switch(self, node: RobotInstruction, *given: Any) -> Commands:
        self.continuous = node.word == "CPON"
        return ()

    # Frames and load
    def mount(self, node: RobotInstruction, tool: Value = NULL, *more: Value) -> Commands:
        if not isinstance(tool, Location):
            self.interpreter.assume(
                node.at, "data TOOL", "the tool that is set here is not known: the one before stays"
            )
            return ()
        self.tool = tool
        return [*self._stopped(), commands.Tool(metres(tool), self.interpreter.place(node))]

    def rebase(self, node: RobotInstruction, base: Value = NULL, *more: Value) -> Commands:
        if not isinstance(base, Location):
            self.interpreter.assume(
                node.at, "data BASE", "the base that is set here is not known: the one before stays"
            )
            return ()
        self.base = base
        return self._stopped()

    def load(self, node: RobotInstruction, mass: Value = None, *com: Value) -> Commands:  # type: ignore[assignment]
        if not isinstance(mass, float):
            self.interpreter.assume(node.at, "data WEIGHT", "the load that is set here is not known: it stays")
            return ()
        x, y, z, i, j, k, *_ = (*(number(each) for each in com), *(0.0,) * 6)
        load = HeldLoad.of(kilograms(mass), np.array([x, y, z]) / MM, np.diag([i, j, k]))
        return [*self._stopped(), taken_up(self.interpreter, node, load)]

    def hand(self, node: RobotInstruction, *given: Any) -> Commands:
        return [*self._stopped(), commands.Gripper(node.word.startswith("CLOSE"), self.interpreter.place(node))]


def _degrees(word: str, told: Any) -> tuple[float, ...]:
    try:
        return tuple(float(each) for each in (told.split() if isinstance(told, str) else told))
    except (TypeError, ValueError):
        raise Wrong(f"{word} is {told!r:.60}", "its joints in degrees: '0 0 -90 0 -90 0'") from None
