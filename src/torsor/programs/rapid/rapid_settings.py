"""Speeds, zones and accelerations of RAPID: what they ask of a move, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians
from typing import Any

from torsor.motion.commands import Blend, Command, Pace
from torsor.programs import syntax
from torsor.programs.rapid import rapid_frames as frames
from torsor.programs.rapid.rapid_signals import RapidSignals
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Value, Wrong

MM = 1000.0
Commands = Sequence[Command]


class RapidMotionSettings(RapidSignals):
    def __init__(self) -> None:
        super().__init__()
        self.override, self.fastest = 1.0, 5000.0  # VelSet
        self.acceleration: float | None = None  # AccSet
        self.tracking = False  # work objects on conveyors, which are waited for

    def definition(self, name: str, type: str) -> str:
        return f"--define '{self.interpreter.language.definition(name, type)}'"

    def _pace(self, node: RobotInstruction, v: Value, opt: dict[str, Any]) -> Pace:
        duration = _number(opt.get("t"))
        if duration is not None:  # in place of what the speeddata says
            return Pace(acceleration_share=self.acceleration, duration=duration)
        if not isinstance(v, dict) or not frames.known(v):
            name = v.name if isinstance(v, Absent) else "the speed"
            cure = self.definition(name, "speeddata")
            self.interpreter.assume(
                node.at, f"data {name}", f"{name} is defined in no file: no speed is asked for", cure
            )
            return Pace(acceleration_share=self.acceleration)
        tcp = _number(opt.get("v")) or float(v["v_tcp"])  # type: ignore[arg-type]
        turn = float(v["v_ori"])  # type: ignore[arg-type]
        speed, turn = min(tcp * self.override, self.fastest) / MM, radians(turn * self.override)
        return Pace(
            speed=speed if speed > 0.0 else None,
            turn=turn if turn > 0.0 else None,
            acceleration_share=self.acceleration,
        )

    def tracks(self, node: RobotInstruction, /, *given: Value, **opt: Any) -> Commands:
        """WaitWObj and DropWObj, which only conveyors have."""
        self.tracking = True
        return self.event(node, *given, **opt)

    def is_conveyor(self, node: RobotInstruction, used: Sequence[str]) -> bool:
        """Whether the only axis beside the arm is a conveyor: what points have for it is where it was when taught."""
        if self.tracking and len(used) == 1:
            text = f"the external axis {used[0]} is taken to be the conveyor's, which no point moves"
            self.interpreter.assume(node.at, f"conveyor {used[0]}", text)
        return self.tracking and len(used) == 1

    def is_offset(self, node: RobotInstruction, name: str) -> bool:
        """Whether a name is a number that a point is moved by: what stands behind the point in Offs or RelTool."""
        calls = (each for each in node.operands if isinstance(each, syntax.FunctionCall))
        inside = (each for call in calls for given in call.arguments[1:] if given for each in syntax.walk(given))
        return any(isinstance(each, syntax.Name) and each.name == name for each in inside)

    def no_wait(self, node: RobotInstruction, time: Value) -> Commands:
        if isinstance(time, Absent) and time.name:
            text = f"{time.name} is not known: this wait takes no time"
            self.interpreter.assume(node.at, f"data {time.name}", text, f"--set {time.name}=...")
        return ()

    def seam(self, node: RobotInstruction, weld: Value) -> None:
        """Of arc welds: a seam goes at the speed of its data, what is given to the move is for stepping through it."""
        word = node.word.lower()
        if word.startswith(("arcl", "arcc")) and not word.endswith("start"):
            told = _number(weld[0]) if isinstance(weld, tuple) and weld else None
            much = "the speed" if told is None else f"the {told:g} mm/s"
            text = f"seams are planned at the speed that their moves are given, not at {much} of their welddata"
            self.interpreter.assume(node.at, "seam", text)

    def _blend(self, node: RobotInstruction, z: Value, opt: dict[str, Any]) -> Blend:
        if "inpos" in opt and opt["inpos"] is not None:
            return Blend()
        if not isinstance(z, dict) or not frames.known(z):
            name = z.name if isinstance(z, Absent) else "the zone"
            cure = self.definition(name, "zonedata")
            self.interpreter.assume(node.at, f"data {name}", f"{name} is defined in no file: taken to be fine", cure)
            return Blend()
        asked = opt.get("z")  # in place of the zone's radius; of a stop no part is used
        radius = (asked if isinstance(asked, float) else float(z["pzone_tcp"])) / MM  # type: ignore[arg-type]
        return Blend() if z["finep"] or radius <= 0.0 else Blend("zone", radius)

    def accelerate(self, node: RobotInstruction, share: Value, ramp: Value, /, **opt: Any) -> Commands:
        if isinstance(share, float):
            share = min(max(share, 20.0), 100.0)  # as the controller has it
            self.acceleration = None if share == 100.0 else share / 100.0
        return ()

    def limit_speed(self, node: RobotInstruction, share: Value, most: Value) -> Commands:
        if isinstance(share, float) and isinstance(most, float):
            if not (share > 0.0 and most > 0.0):
                raise Wrong(f"VelSet {share:g}, {most:g}", "both are larger than 0")
            self.override, self.fastest = min(share, 100.0) / 100.0, most
        return ()


def _number(value: Any) -> float | None:
    return value if isinstance(value, float) and value > 0.0 else None
