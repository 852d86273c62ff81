"""What KRL's motions and settings do: the controller's state while a program runs, and the commands that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import degrees, radians
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, inverse, pose
from torsor.motion import commands
from torsor.motion.commands import Blend, Command, Move, Target
from torsor.programs import syntax
from torsor.programs.axes_beside import moved
from torsor.programs.krl.krl_frames import (
    AXES,
    CONFIGURED,
    DELIVERED,
    EXTERNAL,
    MM,
    NOTHING,
    PLACE,
    STORES,
    TURN,
    by_angle,
    frame_of,
    known,
    load_of,
    matrix,
    signs_of,
)
from torsor.programs.krl.krl_waits import KrlWaits
from torsor.programs.loads import HeldLoad, taken_up
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Value, Wrong
from torsor.programs.whereabouts import Whereabouts

Commands = Sequence[Command]
SYSTEM = {"$base": "frame", "$tool": "frame", "$load": "load", "$vel": "cp", "$acc": "cp", "$apo": "apo",
          "$world": "frame", "$robroot": "frame", "$nullframe": "frame"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KrlAssumptions:
    """What a program leaves open: how long ``WAIT FOR`` is taken to wait; seconds."""

    wait_seconds: float = 0.0


class KrlLowering(KrlWaits):
    def __init__(self, assumed: KrlAssumptions, where: Whereabouts) -> None:
        super().__init__()
        self.assumed = assumed
        self.where = where
        self.outputs: dict[str, Value] = {}
        self.external: dict[str, float] = {}
        self.elements: dict[str, str] = {}  # of arrays, by where a move goes to them: one that nobody knows
        self.sent_tool: bytes | None = None
        self.sent_load = HeldLoad()

    def remembered(self) -> Any:
        kept = {name: each for name, each in vars(self).items() if name not in ("interpreter", "where", "elements")}
        return kept, self.where.content()

    # Names of the controller
    def special(self, key: str, node: syntax.Name) -> Value | None:
        if not key.startswith("$"):
            if key in STORES and self.interpreter.known(node) is None:
                return Absent(node.name)
            if key in DELIVERED and self.interpreter.known(node) is None:
                text = f"{node.name} is in no file: it is taken to be as KUKA delivers it, {DELIVERED[key]:g}"
                self.interpreter.assume(node.at, f"name {key}", text, f"--define 'GLOBAL REAL {node.name}=...'")
                return DELIVERED[key]
            if key in CONFIGURED and self.interpreter.known(node) is None:
                if key.startswith("xhome"):
                    text = f"{node.name} is in no file: it is taken to be as KUKA delivers it, A2 -90 and A3 90 degrees"
                    self.interpreter.assume(
                        node.at, f"point {key}", text, f"--define 'E6AXIS {node.name}={{A1 0,...}}'"
                    )
                return CONFIGURED[key]
            return None
        if key in ("$pos_act", "$pos_act_mes", "$pos_for"):
            return self.current()
        if key in ("$axis_act", "$axis_act_meas", "$axis_for"):
            return self.current_axes()
        if key in self.system:
            return self.system[key]
        if self.interpreter.known(node) is not None:
            return None
        return self._told(node)

    def _told(self, node: syntax.Name) -> Value:
        world = self.interpreter.world
        return world.take(node.name) if world.knows(node.name) else Absent(node.name)

    def indexed(self, key: str, indices: Sequence[int], node: syntax.Index) -> Value | None:
        if not key.startswith("$"):
            return None
        name = f"{key}[{','.join(map(str, indices))}]"
        if name in self.outputs:
            return self.outputs[name]
        several = len(indices) > 1  # of a signal: together they are a number
        if key in ("$in", "$anin", "$digin"):
            nothing = False if key == "$in" and not several else 0.0
            bits = [f"$IN[{k}]" for k in range(indices[0], indices[-1] + 1)] if key == "$in" and several else []
            if any(map(self.interpreter.world.knows, bits)):  # each by itself
                return float(sum(2**k for k, bit in enumerate(bits) if self.interpreter.ask(node.at, bit, False)))
            return self.interpreter.ask(node.at, name.upper().replace(",", ".."), nothing)
        if key in self.system:
            value = self.system[key]
            return value.get(str(indices[0]), Absent(name)) if isinstance(value, dict) else Absent(name)
        if key == "$flag" or (key in ("$out", "$cycflag") and self.interpreter.world.knows(name)):
            return self.interpreter.ask(node.at, name.upper(), False)  # a flag that nobody set is for others to set
        if key in ("$out", "$cycflag", "$timer", "$anout"):
            return 0.0 if several or key in ("$timer", "$anout") else False
        return None

    def set_special(self, key: str, keys: Sequence[int | str], value: Value, node: syntax.Expression) -> bool:
        if not key.startswith("$") or (self.interpreter.known(syntax.Name(key)) is not None and key not in self.system):
            return False
        if keys and isinstance(keys[0], int) and key in ("$out", "$flag", "$anout", "$cycflag", "$timer"):
            self.outputs[f"{key}[{','.join(map(str, keys))}]"] = value
            return True
        kind = SYSTEM.get(key, "")
        self.untold.pop(key, None)
        whole = self.system.get(key)
        if keys and isinstance(keys[0], int):
            self.system[key] = {**(whole if isinstance(whole, dict) else {}), str(keys[0]): value}
            return True
        types = self.interpreter.types
        if not keys and isinstance(value, dict) and isinstance(whole, dict) and kind in ("cp", "apo"):
            value = {**whole, **value}
        self.system[key] = types.with_part(None if isinstance(whole, Absent) else whole, keys, value, kind, 1)
        return True

    # Moves
    def move(self, node: RobotInstruction, point: Value, /, **options: Any) -> Commands:
        if isinstance(point, dict) and point and all(name.startswith("e") for name in point):
            self.interpreter.lack_axis(node.at, ", ".join(point).upper())
            return ()
        kind = "joint" if node.word in ("ptp", "sptp", "asyptp") else "line"
        return self.with_settings(node, lambda: self._go(node, kind, point))

    def circle(self, node: RobotInstruction, via: Value, point: Value, /, **options: Any) -> Commands:
        angle = options.get("ca")
        if angle is None:
            return self.with_settings(node, lambda: self._go(node, "circle", point, via))
        return self.with_settings(node, lambda: self._turned(node, via, point, angle))

    def _turned(self, node: RobotInstruction, via: Value, point: Value, angle: Value) -> Commands:
        """By the angle CA along the circle through both points, wherever that ends: half turns one after the other."""
        if not all(isinstance(each, dict) and known(each) for each in (via, point)):
            return self._go(node, "circle", point, via)
        given = (self.current(), via, point)
        if not isinstance(angle, float) or not isinstance(given[0], dict):
            self.interpreter.assume(node.at, "CA", "the angle CA is left out: the circle ends at its end point")
            return self._go(node, "circle", point, via)
        begin, passed, end = (matrix(self._whole(each)) for each in given)
        arcs = by_angle(begin, passed, end, angle)
        made = [self._go(node, "circle", frame_of(end), frame_of(middle)) for middle, end in arcs]
        flows = [
            replace(each, blend=Blend("speed")) if isinstance(each, Move) else each for arc in made[:-1] for each in arc
        ]
        return [*flows, *made[-1]]

    def _whole(self, point: Any) -> Any:
        return self._complete(point, (*PLACE, *TURN), self.current)

    def relative(self, node: RobotInstruction, /, *points: Any, **options: Any) -> Commands:
        """By so much from where the arm is; in axes of the base, or of the tool."""
        word = node.word.split("_")[0]
        kind = "joint" if word in ("ptp", "sptp") else "circle" if word.endswith("circ") else "line"
        in_tool = options.get("frame") == "#tool"
        angle = options.get("ca")

        def act() -> Commands:
            ends = [self._shifted(node, point, in_tool=in_tool) for point in points if isinstance(point, dict | Absent)]
            if angle is not None and len(ends) > 1:
                return self._turned(node, ends[0], ends[-1], angle)
            return self._go(node, kind, ends[-1], ends[0] if len(ends) > 1 else None)

        return self.with_settings(node, act)

    def _shifted(self, node: RobotInstruction, by: Value, *, in_tool: bool) -> Value:
        if not known(by) or not isinstance(by, dict):
            return by
        if any(name in by for name in AXES):
            now = self.current_axes()
            if not isinstance(now, dict):
                return now
            return {name: float(now[name]) + float(by.get(name, 0.0)) for name in AXES if name in now}  # type: ignore[arg-type]
        now = self.current()
        if not isinstance(now, dict):
            return now
        if in_tool:
            return frame_of(matrix(now) @ matrix(by))
        T, D = matrix(now), matrix(by)
        moved = pose(D[:3, :3] @ T[:3, :3], T[:3, 3] + D[:3, 3])
        return frame_of(moved)

    def _go(self, node: RobotInstruction, kind: Any, point: Value, via: Value | None = None) -> Commands:
        before = self._equipped(node)
        unset = next((each for each in (point, via) if each == {} or (each is not None and not known(each))), None)
        if unset is not None:
            return [*before, *self._passed(node, unset)]
        target = self._target(node, point, configured=kind == "joint")  # lines go on as they are, whatever S and T say
        if target is None:
            return [*before, *self._passed(node, point)]
        through: tuple[Target, ...] = ()
        if via is not None:
            passed = self._target(node, via, moves=False)
            if passed is None:
                return [*before, *self._passed(node, via)]
            through = (passed,)
        pace, blend = self._pace(node, kind), self._blend(node, kind)
        turned = "constant" if self.system.get("$ori_type") == "#constant" and kind != "joint" else "variable"
        return [*before, Move(kind, target, self.interpreter.place(node), through, pace, blend, turned)]  # type: ignore[arg-type]

    def _external(self, node: RobotInstruction, point: dict[str, Any]) -> None:
        """Axes beside the arm: those that stay where they are change nothing, others are said where they move."""
        now = {axis: value for axis in EXTERNAL if isinstance(value := point.get(axis), int | float)}
        elsewhere = moved(self.external, now)
        if elsewhere:
            self.interpreter.lack_axis(node.at, ", ".join(map(str.upper, elsewhere)))
        self.external = now | self.external | elsewhere

    def _target(
        self, node: RobotInstruction, point: Any, *, moves: bool = True, configured: bool = False
    ) -> Target | None:
        if not isinstance(point, dict):
            raise Wrong("this is no point to go to", "{X 500, Y 0, Z 600, A 0, B 90, C 0} or {A1 0, A2 -90, ...}")
        name = self._name(node)
        self._external(node, point)
        if any(axis in point for axis in AXES):
            axes = self._complete(point, AXES, self.current_axes)
            if axes is None:
                return None
            q = tuple(radians(float(axes[axis])) for axis in AXES)
            if moves:
                self.where.to_joints(q)
            return commands.Joints(q, name)
        whole = self._complete(point, (*PLACE, *TURN), self.current)
        if whole is None:
            return None
        T = self._place(node, matrix(whole))
        T[:3, 3] /= MM
        if moves:
            self.where.to_pose(T, self._tool())
        T = self.where.root @ T
        x, y, z = (float(each) for each in T[:3, 3])
        return commands.Pose((x, y, z), T[:3, :3], name, within=signs_of(point) if configured else ())

    @property
    def holds_work(self) -> bool:
        """$IPO_MODE #TCP: the tool stands where $BASE says, and the arm holds the work, $TOOL."""
        return self.system.get("$ipo_mode") == "#tcp"

    def _place(self, node: RobotInstruction, p: Floats) -> Floats:
        """T_base of what the arm brings to a point: of the tool, or of the work that it holds."""
        if not self.holds_work:
            return matrix(self._frame("$base")) @ p
        text = "the arm holds the work and the tool stands: lines are planned straight in the base, not on the work"
        self.interpreter.assume(node.at, "work in hand", text)
        return matrix(self._frame("$base")) @ inverse(p)

    def _complete(self, point: Any, names: Sequence[str], now: Any) -> Any:
        """Parts that a point does not name are as the arm has them."""
        if all(name in point for name in names):
            return point
        current = now()
        return {**current, **point} if isinstance(current, dict) else None

    def _frame(self, name: str) -> Any:
        value = self.system.get(name, NOTHING)
        return value if isinstance(value, dict) and known(value) else NOTHING

    def _tool(self) -> Floats:
        T = matrix(self._frame("$tool"))
        T[:3, 3] /= MM
        return T

    def _passed(self, node: RobotInstruction, point: Value) -> Commands:
        name = point.name if isinstance(point, Absent) and point.name else self._name(node) or "the point"
        called = f"routine {name}" in self.interpreter.assumed  # a function that no file has
        cure = f"--define 'E6POS {name}={{X 0,Y 0,Z 0,A 0,B 0,C 0}}'" if name.isidentifier() and not called else ""
        text = f"where {name} lies is not known: the move is passed over"
        self.where.passed_over()
        array, bracket, _ = name.partition("[")
        if bracket and self.elements.setdefault(f"{array} {node.at}", name) != name:
            others = f"where other elements of {array} lie is not known, either: moves to them are passed over"
            self.interpreter.assume(node.at, f"elements {array} {node.at}", others)
        else:
            self.interpreter.assume(node.at, f"point {name}", text, cure)
        return ()

    def _name(self, node: RobotInstruction) -> str:
        points = [each for each in node.operands if not isinstance(each, syntax.Named)]
        last = points[-1] if points else None
        base = syntax.base(last) if last is not None else None
        return base.name if base is not None else ""

    # What it holds
    def _equipped(self, node: RobotInstruction) -> list[Command]:
        for name in ("$tool", "$base"):
            value = self.system.get(name)
            if value is not None and not known(value):
                what = value.name if isinstance(value, Absent) and value.name else name.upper()
                text = f"{what} is defined in no file: it is taken to be $NULLFRAME"
                cure = f"--define '{what}={{X 0,Y 0,Z 0,A 0,B 0,C 0}}'"
                self.interpreter.assume(node.at, f"data {what}", text, cure)
        found: list[Command] = []
        T = self._tool()
        if T.tobytes() != self.sent_tool and not (self.sent_tool is None and np.array_equal(T, np.eye(4))):
            self.sent_tool = T.tobytes()
            found.append(commands.Tool(T, self.interpreter.place(node)))
        load = load_of(self.system.get("$load"))
        if load != self.sent_load:
            self.sent_load = load
            found.append(taken_up(self.interpreter, node, load))
        return found

    # Where it is
    def current(self) -> Value:
        T = self.where.flange()
        if T is None:
            return self._untold("$POS_ACT", "where the arm is takes")
        T = (T @ self._tool()).copy()
        T[:3, 3] *= MM
        base = matrix(self._frame("$base"))
        return frame_of(inverse(T) @ base if self.holds_work else inverse(base) @ T)

    def current_axes(self) -> Value:
        q = self.where.joints()
        if q is None:
            return self._untold("$AXIS_ACT", "the joints take")
        return {name: degrees(float(x)) for name, x in zip(AXES, q, strict=False)}

    def _untold(self, name: str, what: str) -> Absent:
        astray = self.where.astray
        text = "nobody knows where the arm is behind a move that is passed over" if astray else f"{what} an arm to tell"
        self.interpreter.assume(self.interpreter.now, name, f"{name}: {text}", "" if astray else "give the arm")
        return Absent(name)

    def axes_at(self, point: Value, near: Value) -> Value:
        """INVERSE: the axes at a point, nearest to others or to where the arm is."""
        if not isinstance(point, dict) or not point or not known(point):
            return point if isinstance(point, Absent) else Absent("INVERSE()")
        T = matrix(self._frame("$base")) @ matrix(self._whole(point))
        T[:3, 3] /= MM
        given = isinstance(near, dict) and known(near) and all(name in near for name in AXES)
        start = np.radians([float(near[name]) for name in AXES]) if given else None  # type: ignore[index,arg-type,call-overload]
        q = self.where.solved(T @ inverse(self._tool()), start)
        if q is None:
            now = self.interpreter.now
            text = "INVERSE: the axes take an arm that gets there"
            self.interpreter.assume(now, "INVERSE", text, "" if self.where.arm else "give the arm")
            return Absent("INVERSE()")
        return {name: degrees(float(x)) for name, x in zip(AXES, q, strict=False)}

    def point_at(self, axes: Value) -> Value:
        """FORWARD: where the tool is at these axes."""
        given = isinstance(axes, dict) and known(axes) and all(name in axes for name in AXES)
        if not given or self.where.arm is None:
            if given:
                text = "FORWARD: where the tool is takes an arm to tell"
                self.interpreter.assume(self.interpreter.now, "FORWARD", text, "give the arm")
            return Absent("FORWARD()")
        q = np.radians([float(axes[name]) for name in AXES])  # type: ignore[index,arg-type,call-overload]
        T = (self.where.forward(self.where.arm, q) @ self._tool()).copy()
        T[:3, 3] *= MM
        return frame_of(inverse(matrix(self._frame("$base"))) @ T)
