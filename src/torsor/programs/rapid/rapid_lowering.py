"""What RAPID's motion instructions do: the arm's state while a program runs, and the commands that come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, radians
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, inverse
from torsor.motion import commands
from torsor.motion.commands import Command, Move, Pose
from torsor.programs import syntax
from torsor.programs.axes_beside import moved
from torsor.programs.loads import HeldLoad, taken_up, together
from torsor.programs.rapid import rapid_frames as frames
from torsor.programs.rapid.rapid_data import CONSTANTS, NOWHERE, UNUSED, USED
from torsor.programs.rapid.rapid_settings import RapidMotionSettings
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Value, Wrong
from torsor.programs.whereabouts import Whereabouts

MM = 1000.0
Commands = Sequence[Command]
TOOL0, WOBJ0 = CONSTANTS["tool0"], CONSTANTS["wobj0"]
AXES = ("rax_1", "rax_2", "rax_3", "rax_4", "rax_5", "rax_6")
EXTERNAL = ("eax_a", "eax_b", "eax_c", "eax_d", "eax_e", "eax_f")


@dataclass(frozen=True, slots=True)
class RapidAssumptions:
    """What a program leaves open: how long waits for signals are taken to last; seconds."""

    wait_seconds: float = 0.0


class RapidLowering(RapidMotionSettings):
    def __init__(self, assumed: RapidAssumptions, where: Whereabouts) -> None:
        super().__init__()
        self.assumed = assumed
        self.where = where
        self.tool: Value = TOOL0  # of the last move
        self.wobj: Value = WOBJ0
        self.sent_tool: bytes | None = None  # what the commands so far have mounted, and have the arm hold
        self.sent_load: HeldLoad | None = None
        self.equipped: Any = None  # tool, work object and loads that all of this, and the next two, are of
        self.T_flange_tool = self.T_base_object = np.eye(4)  # as `_tool_matrix` and `frame` have them
        self.gripped: Value = CONSTANTS["load0"]
        self.displaced: Value = NOWHERE  # PDisp
        self.conf_l = self.conf_j = True
        self.external: dict[str, float] = {}  # axes beside the arm, and where they stand
        self.last_conf: Value | None = None

    def remembered(self) -> Any:
        state = {name: each for name, each in vars(self).items() if name not in ("interpreter", "where")}
        return state, self.where.content()

    # Moves
    def move(
        self, node: RobotInstruction, to: Value, v: Value, z: Value, tool: Value, /, *rest: Value, **opt: Any
    ) -> Commands:
        kind = "joint" if node.word.lower().endswith(("j", "jdo", "jsync", "jao", "jgo", "jios")) else "line"
        return self._go(node, kind, to, v, z, tool, opt)

    def move_circle(
        self, node: RobotInstruction, via: Value, to: Value, v: Value, z: Value, tool: Value, /, *rest: Value,
        **opt: Any,
    ) -> Commands:  # fmt: skip
        return self._go(node, "circle", to, v, z, tool, opt, via)

    def move_joints(
        self, node: RobotInstruction, to: Value, v: Value, z: Value, tool: Value, /, **opt: Any
    ) -> Commands:
        before = self._equipped(node, tool, opt)
        if not frames.known(to):
            return [*before, *self._passed(node, to, "jointtarget")]
        point: Any = to
        q = tuple(radians(point["robax"][name]) for name in AXES if point["robax"][name] < UNUSED)
        self._external(node, point["extax"])
        self.where.to_joints(q)
        target = commands.Joints(q, self._name(node, 0))
        return [*before, self._made(node, "joint", target, v, z, opt)]

    def beside(self, node: RobotInstruction, to: Value, v: Value, z: Value, /, **opt: Any) -> Commands:
        """MoveExtJ: the arm stands, what is beside it moves."""
        self.interpreter.assume(
            node.at, f"axes the axes of {node.word}", f"{node.word} moves axes beside the arm only: it is left out"
        )
        if isinstance(to, dict):
            self._external(node, to["extax"])
        return ()

    def search(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        """SearchL signal, found, to, speed, tool: the whole way is gone, and the end is what was found."""
        signal, found, to, v, tool = given
        return self._searched(node, signal, found, to, self._go(node, "line", to, v, CONSTANTS["fine"], tool, opt))

    def search_circle(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        """SearchC signal, found, via, to, speed, tool: as SearchL, on a circle."""
        signal, found, via, to, v, tool = given
        return self._searched(
            node, signal, found, to, self._go(node, "circle", to, v, CONSTANTS["fine"], tool, opt, via)
        )

    def _searched(self, node: RobotInstruction, signal: Any, found: Any, to: Value, made: Commands) -> Commands:
        if frames.known(to):
            self.interpreter.assign(found, to)
        name = self.signal_name(signal)
        self.interpreter.assume(node.at, f"search {name}", f"the search of {name} is taken to end at its target")
        return made

    def process(self, node: RobotInstruction, /, *given: Any, **opt: Any) -> Commands:
        """Arc and other process moves: to, speed, data of the process ..., zone, tool."""
        to, v, *_, z, tool = given
        word = node.word.lower()
        if isinstance(z, Absent) or not isinstance(z, dict) or "finep" not in z:
            z = CONSTANTS["fine"]
        self.seam(node, given[3])
        kind = "joint" if word.endswith(("j", "jstart")) else "line"
        return self._go(node, kind, to, v, z, tool, opt)

    def process_circle(self, node: RobotInstruction, via: Value, /, *given: Any, **opt: Any) -> Commands:
        to, v, *_, z, tool = given
        self.seam(node, given[3])
        return self._go(node, "circle", to, v, z, tool, opt, via)

    def process_joints(self, node: RobotInstruction, to: Value, v: Value, /, *given: Any, **opt: Any) -> Commands:
        return self.move_joints(node, to, v, given[-2], given[-1], **opt)

    def spot(self, node: RobotInstruction, to: Value, v: Value, /, *given: Any, **opt: Any) -> Commands:
        """SpotL to, speed, data ..., tool: it stops at the spot; ContactL may have a ``\\Zone``."""
        kind = "joint" if node.word.lower().endswith("j") else "line"
        return self._go(node, kind, to, v, opt.get("zone", CONSTANTS["fine"]), given[-1], opt)

    def _go(
        self, node: RobotInstruction, kind: Any, to: Value, v: Value, z: Value, tool: Value, opt: dict[str, Any],
        via: Value | None = None,
    ) -> Commands:  # fmt: skip
        before = self._equipped(node, tool, opt)
        for point in (to, via):
            if point is not None and not frames.known(frames.without_rest(point)):
                return [*before, *self._passed(node, point, "robtarget")]
        target = self._target(node, to, kind, 0 if via is None else 1)
        self._external(node, to["extax"] if isinstance(to, dict) else None)
        made: list[Pose] = [] if via is None else [self._target(node, via, kind, 0)]
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = target.rotation, target.position
        self.where.to_pose(self.where.from_root @ T, self.T_flange_tool)
        self.last_conf = to.get("robconf") if isinstance(to, dict) else None
        return [*before, self._made(node, kind, target, v, z, opt, tuple(made))]

    def _made(
        self, node: RobotInstruction, kind: Any, target: Any, v: Value, z: Value, opt: dict[str, Any], via: Any = ()
    ) -> Move:
        return Move(
            kind, target, self.interpreter.place(node), via, self._pace(node, v, opt), self._blend(node, z, opt)
        )

    def _target(self, node: RobotInstruction, to: Any, kind: str, place: int) -> Pose:
        T = self._place(frames.matrix(to))
        T[:3, 3] /= MM
        T = self.where.root @ T
        x, y, z = (float(each) for each in T[:3, 3])
        conf = to.get("robconf")
        wanted = self.conf_j if kind == "joint" else self.conf_l
        within = frames.quadrants(conf) if wanted and conf is not None and frames.known(conf) else ()
        elsewhere = isinstance(conf, frames.ConfOfAnother) or self.displaced is not NOWHERE
        beside = frames.NEXT_QUARTER if within and elsewhere else 0.0
        return Pose((x, y, z), T[:3, :3].copy(), self._name(node, place), within=within, beside=beside)

    def frame(self, wobj: Value | None = None) -> Floats:
        """T_base_object with what the program has displaced, mm."""
        used: Any = self.wobj if wobj is None else wobj
        return self._displaced(frames.matrix(used["uframe"]) @ frames.matrix(used["oframe"]))

    def _displaced(self, T: Floats) -> Floats:
        return T if self.displaced is NOWHERE else T @ frames.matrix(self.displaced)

    def _place(self, p: Floats) -> Floats:
        """T_base of what the arm brings to a point: of the tool; of the work object, where the arm holds the work."""
        tool: Any = self.tool
        if not self.holds_work:
            return self._displaced(self.T_base_object) @ p
        displaced = p if self.displaced is NOWHERE else frames.matrix(self.displaced) @ p
        return frames.matrix(tool["tframe"]) @ inverse(displaced)

    @property
    def holds_work(self) -> bool:
        """Whether the tool stands somewhere, and the arm holds the work."""
        return frames.holds_work(self.tool, self.wobj)

    def _tool_matrix(self, tool: Value | None = None, wobj: Value | None = None) -> Floats:
        """T_flange of what the arm brings to points, m."""
        used: Any = self.tool if tool is None else tool
        held: Any = self.wobj if wobj is None else wobj
        if frames.holds_work(used, held):
            T: Floats = frames.matrix(held["uframe"]) @ frames.matrix(held["oframe"])
        else:
            T = frames.matrix(used["tframe"])
        T[:3, 3] /= MM
        return T

    def _passed(self, node: RobotInstruction, point: Value, type: str) -> Commands:
        name = self._name(node, 0)
        what = point.name if isinstance(point, Absent) and point.name else name or "the target"
        cure = self.definition(what, type) if what == name and what.isidentifier() else ""
        lies = f"{what} lies is not known"
        if self.is_offset(node, what):
            lies, cure = f"{name} lies hangs on {what}, which is not known", f"--set {what}=..."
        self.interpreter.assume(node.at, f"point {what}", f"where {lies}: the move is passed over", cure)
        return ()

    def _name(self, node: RobotInstruction, place: int) -> str:
        points = [each for each in node.operands if not isinstance(each, syntax.Named)]
        points = points[2:] if "search" in node.word.lower() else points  # a signal and a place before them
        point = points[place] if place < len(points) else None
        if isinstance(point, syntax.Name):
            return point.name
        if isinstance(point, syntax.FunctionCall):
            first = next((each for each in point.arguments if isinstance(each, syntax.Name)), None)
            return f"{point.function}({first.name if first else ''}...)"
        if isinstance(point, syntax.Index) and isinstance(point.base, syntax.Name):
            return f"{point.base.name}{{...}}"
        return ""

    def _external(self, node: RobotInstruction, extax: Any) -> None:
        """Axes beside the arm: unused ones are nothing, others are said where they move."""
        if not isinstance(extax, dict) or not frames.known(extax):
            return
        now = {name: value for name in EXTERNAL if (value := extax.get(name, UNUSED)) < USED}
        elsewhere = moved(self.external, now)
        if elsewhere and not self.is_conveyor(node, [*now]):
            self.interpreter.lack_axis(node.at, ", ".join(elsewhere))
        self.external = now | self.external | elsewhere

    # What it holds
    def _equipped(self, node: RobotInstruction, tool: Value, opt: dict[str, Any]) -> list[Command]:
        """The tool, the work object and the load of a move; commands where they are others than before."""
        self.wobj = self._known(node, opt.get("wobj", WOBJ0), "wobjdata", "wobj0", WOBJ0)
        self.tool = self._known(node, tool, "tooldata", "tool0", TOOL0)
        used: Any = self.tool
        held: Any = self.wobj
        if used["robhold"] is held["robhold"]:
            who = "both the tool and the work object" if used["robhold"] else "neither the tool nor the work object"
            raise Wrong(f"the arm holds {who}", "robhold is TRUE in one of them")
        if held["ufprog"] is False and not held["robhold"]:
            text = f"the work object is moved by {held['ufmec'] or 'another unit'}, which is taken to stand still"
            self.interpreter.assume(node.at, f"unit {held['ufmec']}", text)
        if self.holds_work:
            text = "the arm holds the work and the tool stands: lines are planned straight in the base, not on the work"
            self.interpreter.assume(node.at, "work in hand", text)
        equipped = used, held, opt.get("tload"), self.gripped
        if equipped == self.equipped:
            return []
        found: list[Command] = []
        T = self._tool_matrix()
        self.T_flange_tool, self.T_base_object = T, frames.matrix(held["uframe"]) @ frames.matrix(held["oframe"])
        if T.tobytes() != self.sent_tool and not (self.sent_tool is None and np.array_equal(T, np.eye(4))):
            self.sent_tool = T.tobytes()
            found.append(commands.Tool(T, self.interpreter.place(node)))
        load = self._load(used["tload"], opt.get("tload"), T)
        if load != (self.sent_load or HeldLoad()):
            self.sent_load = load
            found.append(taken_up(self.interpreter, node, load))
        self.equipped = equipped
        return found

    def _known(self, node: RobotInstruction, value: Value, type: str, instead: str, nothing: Value) -> Value:
        if not isinstance(value, dict | Absent):  # as --set tells one
            raise Wrong(f"a {type} is needed, not {value!r:.40}", self.definition("...", type))
        if frames.known(value):
            return value
        if isinstance(value, dict):
            text = f"what is not known of a {type} is taken to be as in {instead}"
            self.interpreter.assume(node.at, f"parts {type} {node.at}", text)
            whole: Value = frames.completed(value, nothing)
            return whole
        name = value.name if isinstance(value, Absent) and value.name else type
        text = f"{name} is defined in no file: it is taken to be {instead}"
        self.interpreter.assume(node.at, f"data {name}", text, self.definition(name, type))
        return nothing

    def _load(self, tool: Value, instead: Value | None, T: Floats) -> HeldLoad:
        whole = frames.held_load(tool if instead is None or not frames.known(instead) else instead, np.eye(4))
        if instead is not None and frames.known(instead):
            return whole  # TLoad is all that the arm holds
        return together(whole, frames.held_load(self.gripped, T))

    def grip(self, node: RobotInstruction, load: Value) -> Commands:
        self.gripped, self.equipped = self._known(node, load, "loaddata", "load0", CONSTANTS["load0"]), None
        T = self._tool_matrix()
        tool: Any = self.tool
        now = self._load(tool["tload"], None, T)
        if now == (self.sent_load or HeldLoad()):
            return ()
        self.sent_load = now
        return [taken_up(self.interpreter, node, now)]

    # Displacements and configurations
    def displace(self, node: RobotInstruction, frame: Value) -> Commands:
        self.displaced = self._known(node, frame, "pose", "no displacement", NOWHERE)
        return ()

    def displace_more(self, node: RobotInstruction, frame: Value) -> Commands:
        """PDispAdd of SmarTac: in what is displaced already."""
        more = self._known(node, frame, "pose", "no displacement", NOWHERE)
        self.displaced = frames.pose_of(frames.matrix(self.displaced) @ frames.matrix(more))
        return ()

    def displace_on(self, node: RobotInstruction, old: Any, tool: Value, /, **opt: Any) -> Commands:
        """PDispOn: from a point as it was programmed to where the arm is, or to \\ExeP; added to others."""
        new: Any = opt.get("exep")
        if new is None:
            new = self.current(tool, opt.get("wobj"))
        if not frames.known(frames.without_rest(new)) or not frames.known(frames.without_rest(old)):
            self.interpreter.assume(node.at, "PDispOn", "where the arm is is not known: nothing is displaced")
            return ()
        D = frames.matrix(new) @ np.linalg.inv(frames.matrix(old))
        if "rot" not in opt:
            D = np.eye(4)
            D[:3, 3] = frames.position(new["trans"]) - frames.position(old["trans"])
        self.displaced = frames.pose_of(frames.matrix(self.displaced) @ D)
        return ()

    def displace_off(self, node: RobotInstruction) -> Commands:
        self.displaced = NOWHERE
        return ()

    def configure_l(self, node: RobotInstruction, /, **opt: Any) -> Commands:
        self.conf_l = "off" not in opt
        return ()

    def configure_j(self, node: RobotInstruction, /, **opt: Any) -> Commands:
        self.conf_j = "off" not in opt
        return ()

    # Where it is
    def get_system_data(self, node: RobotInstruction, place: syntax.Expression, /, **opt: Any) -> Commands:
        """GetSysData: the tool, the work object or the load that the arm has now."""
        cell = self.interpreter.known(place) if isinstance(place, syntax.Name) else None
        now = {"tooldata": self.tool, "wobjdata": self.wobj, "loaddata": self.gripped}
        if cell is not None and cell.type in now:
            self.interpreter.assign(place, now[cell.type])
        return ()

    def current(self, tool: Value | None = None, wobj: Value | None = None) -> Value:
        """CRobT: in the tool and the work object that are asked for, else those of the last move."""
        T = self.where.flange()
        if T is None:
            return Absent("CRobT()")
        used: Any = tool if isinstance(tool, dict) else self.tool
        held = wobj if isinstance(wobj, dict) else self.wobj
        T = T @ self._tool_matrix(used, held)
        T = T.copy()
        T[:3, 3] *= MM
        if frames.holds_work(used, held):
            displaced = np.eye(4) if self.displaced is NOWHERE else frames.matrix(self.displaced)
            local = inverse(T @ displaced) @ frames.matrix(used["tframe"])
        else:
            local = np.linalg.inv(self.frame(held)) @ T
        q = self.where.joints()
        quarters = [] if q is None else [float(np.floor(degrees(x) / 90.0)) for x in q]
        conf = {name: quarters[k] if k < len(quarters) else 0.0 for name, k in frames.CONFIGURED}
        return {
            **frames.pose_of(local),
            "robconf": {**conf, "cfx": 0.0},
            "extax": self.beside_now(),
        }

    def beside_now(self) -> Value:
        """Extjoint of where the axes beside the arm stand."""
        return {name: self.external.get(name, UNUSED) for name in EXTERNAL}

    def current_joints(self) -> Value:
        q = self.where.joints()
        return Absent("CJointT()") if q is None else jointtarget(q, self.beside_now())

    # Time
    def dwell(self, node: RobotInstruction, time: Value, /, **opt: Any) -> Commands:
        if not isinstance(time, float):
            return self.no_wait(node, time)
        if time < 0.0:
            raise Wrong(f"a wait of {time:g} s", "times are 0 or larger")
        return [commands.Dwell(time, self.interpreter.place(node))]


def jointtarget(q: Floats, extax: Value) -> Value:
    angles = [degrees(x) for x in q[:6]] + [0.0] * (6 - len(q[:6]))
    return {
        "robax": dict(zip(AXES, angles, strict=True)),
        "extax": extax,
    }


def with_trans(point: Any, p: Floats) -> Value:
    return {**point, "trans": frames.pos_of(p)}
