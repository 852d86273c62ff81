"""Speeds, accelerations and zones of KRL: what they ask of a motion."""

from __future__ import annotations

from math import radians

from torsor.motion.commands import Blend, Pace
from torsor.programs import syntax
from torsor.programs.diagnostics import At
from torsor.programs.krl.krl_frames import MM
from torsor.programs.krl.krl_inline import InlineForms
from torsor.programs.syntax import RobotInstruction


class KrlMotionSettings(InlineForms):
    in_spline = False  # whether the motion stands in a SPLINE block

    def _number(self, name: str, part: str) -> float | None:
        value = self.system.get(name)
        found = value.get(part) if isinstance(value, dict) else None
        return float(found) if isinstance(found, float) and found > 0.0 else None

    def _least(self, name: str) -> float | None:
        value = self.system.get(name)
        if isinstance(value, dict):
            shares = [float(each) for each in value.values() if isinstance(each, float) and each > 0.0]
            return min(shares) / 100.0 if shares else None
        return None

    def _pace(self, node: RobotInstruction, kind: str) -> Pace:
        override = self.system.get("$ov_pro")
        slower = min(override, 100.0) / 100.0 if isinstance(override, float) and override > 0.0 else 1.0
        if kind == "joint":
            share = self._least("$vel_axis")
            if slower != 1.0:
                share = slower if share is None else share * slower
            return Pace(share=share, acceleration_share=self._least("$acc_axis"))
        if self.untold:
            self.say_delivered(node.at)
        speed, turn = self._number("$vel", "cp"), self._number("$vel", "ori1")
        return Pace(
            speed=None if speed is None else speed * slower,
            acceleration=self._number("$acc", "cp"),
            turn=None if turn is None else radians(turn) * slower,
        )

    def say_delivered(self, at: At) -> None:
        told = {name: self.interpreter.known(syntax.Name(name)) is not None for name in ("DEF_VEL_CP", "DEF_ACC_CP")}
        lacking = [name for name in told if not told[name]] or list(told)
        numbers = [{"DEF_VEL_CP": "2 m/s", "DEF_ACC_CP": "2.3 m/s^2"}[name] for name in lacking]
        which = f"{' and '.join(lacking)} {'are' if len(lacking) > 1 else 'is'} in no file"
        text = f"{which}: lines go as controllers are delivered, {' and '.join(numbers)}"
        given = f"GLOBAL REAL {lacking[0]}={numbers[0].split()[0]}"
        self.interpreter.assume(at, "data DEF_VEL_CP", text, f"--define '{given if '.' in given else given + '.0'}'")

    def _blend(self, node: RobotInstruction, kind: str) -> Blend:
        words = [
            each.value.value
            for each in node.operands
            if isinstance(each, syntax.Named) and each.name == "approx" and isinstance(each.value, syntax.Text)
        ]
        if self.in_spline:
            return Blend("joint" if kind == "joint" else "speed")
        if not words:
            return Blend()
        if "c_vel" in words:
            return Blend("speed" if kind != "joint" else "joint")
        by_distance = "c_dis" in words or ("c_spl" in words and node.word.startswith(("sptp", "endspline")))
        if kind == "joint" and not (by_distance and "c_ptp" not in words):
            share = self._number("$apo", "cptp")
            told = "" if share is None else f" ({share:g} %)"
            text = f"C_PTP{told}: joint moves are taken to overlap their braking and starting"
            self.interpreter.assume(node.at, "C_PTP", text)
            return Blend("joint")
        radius = self._number("$apo", "cdis")
        if radius is None:
            self.interpreter.assume(node.at, "C_DIS", "$APO.CDIS is not set: the move is taken to stop", "--set ...")
            return Blend()
        return Blend("zone", radius / MM)
