"""BAS and the data behind KUKA's inline forms: what the pendant shows of a motion, handed over by name and number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torsor.motion.commands import Command
from torsor.programs import syntax
from torsor.programs.krl.krl_frames import DELIVERED, NOTHING
from torsor.programs.project_language import ProjectLowering
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Value


class InlineForms(ProjectLowering):
    """``system``: variables of the controller that decide how the arm moves."""

    def __init__(self) -> None:
        self.system: dict[str, Value] = dict.fromkeys(("$base", "$tool", "$nullframe", "$nullpos", "$world"), NOTHING)
        self.system["$ov_pro"] = 100.0
        self.untold: dict[str, bool] = {}  # of these: those that are as controllers are delivered, for want of a file

    def basis(self, node: RobotInstruction, what: Value, value: Value = None) -> Sequence[Command]:  # type: ignore[assignment]
        run = self.interpreter
        match what, value:
            case "#initmov", _:
                self.system["$base"], self.system["$ipo_mode"] = NOTHING, "#base"
                told = self.is_told("tool_data")
                self.system["$tool"] = self.stored("TOOL_DATA", 1, node) if told else NOTHING
                self.system["$vel_axis"] = self.system["$acc_axis"] = {"1": 100.0}
                self.system["$apo"] = {"cdis": self.default("def_apo_cdis"), "cptp": self.default("def_apo_cptp")}
                self.system["$vel"] = {"cp": self.default("def_vel_cp"), "ori1": self.default("def_vel_ori1")}
                self.system["$acc"] = {"cp": self.default("def_acc_cp")}
                sources = {"$vel": "def_vel_cp", "$acc": "def_acc_cp"}
                self.untold = {name: True for name, told in sources.items() if not self.is_told(told)}
            case "#vel_ptp" | "#ptp_params", float(v):
                self.system["$vel_axis"] = {"1": self.axis_share(v)}
            case "#acc_ptp", float(v):
                self.system["$acc_axis"] = {"1": v}
            case "#vel_cp" | "#cp_params", float(v):
                self._set("$vel", "cp", self.path_speed(v))
            case "#acc_cp", float(v):
                self._set("$acc", "cp", self.default("def_acc_cp") * min(v, 100.0) / 100.0)
            case "#tool", float(v):
                self.system["$tool"] = self.stored("TOOL_DATA", int(v), node)
                self.system["$load"] = self.stored("LOAD_DATA", int(v), node)
            case "#base", float(v):
                self.system["$base"] = self.stored("BASE_DATA", int(v), node)
        if what in ("#ptp_params", "#ptp_dat"):
            data = run.evaluate(syntax.Name("PDAT_ACT", at=node.at))
            if isinstance(data, dict):
                if isinstance(data.get("acc"), float):
                    self.system["$acc_axis"] = {"1": data["acc"]}
                if what == "#ptp_dat" and isinstance(share := data.get("vel"), float):
                    self.system["$vel_axis"] = {"1": self.axis_share(share)}
                part = "cdis" if data.get("apo_mode") == "#cdis" else "cptp"
                self.system["$apo"] = {**_dict(self.system.get("$apo")), part: data.get("apo_dist", 0.0)}
        if what in ("#cp_params", "#cp_dat"):
            data = run.evaluate(syntax.Name("LDAT_ACT", at=node.at))
            if isinstance(data, dict):
                if isinstance(acc := data.get("acc"), float):
                    self._set("$acc", "cp", self.default("def_acc_cp") * min(acc, 100.0) / 100.0)
                if what == "#cp_dat" and isinstance(speed := data.get("vel"), float):
                    self._set("$vel", "cp", self.path_speed(speed))
                self.system["$apo"] = {**_dict(self.system.get("$apo")), "cdis": data.get("apo_dist", 0.0)}
                self.system["$ori_type"] = data.get("ori_typ", "#var")
        if what in ("#frames", "#ptp_params", "#cp_params"):
            data = run.evaluate(syntax.Name("FDAT_ACT", at=node.at))
            if isinstance(data, dict):
                self.use(data, node)
        return ()

    def default(self, name: str) -> float:
        """A number of $config.dat; where that is not among the files, as controllers are delivered."""
        cell = self.interpreter.known(syntax.Name(name))
        value = None if cell is None else cell.value
        return value if isinstance(value, float) else DELIVERED[name]

    def path_speed(self, v: float) -> float:
        """What BAS makes of a speed in m/s: at most that of $config.dat."""
        return min(v, self.default("def_vel_cp")) if self.is_told("def_vel_cp") else v

    def axis_share(self, percent: float) -> float:
        """What BAS makes of a share of the axes' speeds: percent of that of $config.dat."""
        return min(percent, 100.0) * (self.default("def_vel_ptp") / 100.0)

    def is_told(self, name: str) -> bool:
        return self.interpreter.known(syntax.Name(name)) is not None

    def _set(self, name: str, part: str, value: Value) -> None:
        self.system[name] = {**_dict(self.system.get(name)), part: value}
        if name == "$vel" or self.is_told("def_acc_cp"):
            self.untold.pop(name, None)

    def use(self, fdat: Any, node: Any) -> None:
        """The tool, the base and the load that an inline form names by number."""
        for name, part, store in (("$tool", "tool_no", "TOOL_DATA"), ("$base", "base_no", "BASE_DATA"),
                                  ("$load", "tool_no", "LOAD_DATA")):  # fmt: skip
            number = fdat.get(part)
            if isinstance(number, float):
                self.system[name] = self.stored(store, int(number), node)
        if isinstance(fdat.get("ipo_frame"), str):
            self.system["$ipo_mode"] = fdat["ipo_frame"]

    def stored(self, store: str, number: int, node: Any) -> Value:
        if number <= 0:
            return {} if store == "LOAD_DATA" else NOTHING
        cell = self.interpreter.known(syntax.Name(store))
        value = None if cell is None else cell.value
        if (
            isinstance(value, tuple)
            and number <= len(value)
            and isinstance(value[number - 1], dict)
            and value[number - 1]
        ):
            return value[number - 1]
        return {} if store == "LOAD_DATA" else Absent(f"{store}[{number}]")


def _dict(value: Value | None) -> dict[str, Value]:
    return value if isinstance(value, dict) else {}
