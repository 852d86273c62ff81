"""Functions of KRL: arithmetic, and those with which inline forms set what a motion needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from torsor.model.transforms import inverse
from torsor.programs import syntax
from torsor.programs.arithmetic import COMMON
from torsor.programs.krl.krl_frames import NOTHING, frame_of, known, matrix
from torsor.programs.krl.krl_lowering import KrlLowering
from torsor.programs.krl.krl_outside import OUTSIDE
from torsor.programs.language import Form, Function
from torsor.programs.values import Absent, Value, Wrong


def _numbers(count: int, compute: Callable[..., float]) -> Function:
    def apply(_: KrlLowering, *given: Any) -> Value:
        x = [0.0 if isinstance(each, Absent | None) else float(each) for each in given]
        try:
            return float(compute(*x))
        except (ValueError, OverflowError):
            raise Wrong("there is no such number") from None

    return Function(("any",) * count, "any", apply)


def _part(data: Value, name: str, nothing: Value) -> Value:
    value = data.get(name, nothing) if isinstance(data, dict) else nothing
    return value


def _inverse(lowering: KrlLowering, frame: Any, *more: Any) -> Value:
    if more:  # of the kinematics
        return lowering.axes_at(frame, more[0])
    return frame_of(inverse(matrix(frame))) if isinstance(frame, dict) and known(frame) else Absent("")


def _tool(lowering: KrlLowering, data: Value, *more: Any) -> Value:
    number = _part(data, "tool_no", 0.0)
    return lowering.stored("TOOL_DATA", int(number) if isinstance(number, float) else 0, None)


def _base(lowering: KrlLowering, number: Value, *more: Any) -> Value:
    return lowering.stored("BASE_DATA", int(number) if isinstance(number, float) else 0, None)


def _root(lowering: KrlLowering, number: Value) -> Value:
    """The root of the machine that carries a base, as $config.dat has it."""
    frames, machines = (_value(lowering, name) for name in ("MACHINE_FRAME_DAT", "MACHINE_DEF"))
    machine = _part(_element(frames, number), "mach_def_index", 0.0)
    return _part(_element(machines, machine), "root", NOTHING)


def _value(lowering: KrlLowering, name: str) -> Value | None:
    cell = lowering.interpreter.known(syntax.Name(name))
    return None if cell is None else cell.value


def _element(value: Value | None, number: Value) -> Value:
    k = int(number) if isinstance(number, float) else 0
    return value[k - 1] if isinstance(value, tuple) and 0 < k <= len(value) else Absent("")


def _carried(lowering: KrlLowering, root: Value, sort: Value, offset: Value = None, *more: Any) -> Value:  # type: ignore[assignment]
    """EK: a base on a machine beside the arm, as it lies while the axes of that are at zero."""
    now = lowering.interpreter.now
    lowering.interpreter.assume(
        now, "EK", "EK: the base is taken to lie as it does with the axes that carry it at zero"
    )
    if not all(isinstance(each, dict) and known(each) for each in (root, offset)):
        return Absent("EK()")
    return frame_of(matrix(root) @ matrix(offset))


def _same_text(_: KrlLowering, one: Value, other: Value, mode: Value = "", *more: Any) -> Value:
    """StrComp: capitals count unless the third value says that they do not."""
    texts = [each if mode != "#not_case_sens" else each.lower() for each in (one, other) if isinstance(each, str)]
    return len(texts) == 2 and texts[0] == texts[1]


def _load(lowering: KrlLowering, number: Value, *more: Any) -> Value:
    return lowering.stored("LOAD_DATA", int(number) if isinstance(number, float) else 0, None)


def _velocity(lowering: KrlLowering, v: Value, *more: Any) -> Value:
    return {"cp": lowering.path_speed(v)} if isinstance(v, float) else {}


def _acceleration(lowering: KrlLowering, data: Value, *more: Any) -> Value:
    share = _part(data, "axis_acc", _part(data, "acc", 100.0))
    if not isinstance(share, float):
        return {}
    if not lowering.is_told("def_acc_cp"):
        lowering.say_delivered(lowering.interpreter.now)
    return {"cp": lowering.default("def_acc_cp") * min(share, 100.0) / 100.0}


def _state(lowering: KrlLowering, name: Value) -> Value:
    """VARSTATE("name"): whether it has a value, is declared, or is none at all."""
    cell = lowering.interpreter.known(syntax.Name(name.rstrip("[]"))) if isinstance(name, str) else None
    if cell is None:
        return "#unknown"
    return "#declared" if cell.value is None or isinstance(cell.value, Absent) else "#initialized"


def _given(count: int, compute: Callable[..., Value]) -> Function:
    return Function(("any",) * count, "any", compute, 1, gaps=True, repeat=True)


def _whole(compute: Callable[..., Value]) -> Function:
    """One that is given something, and leaves nothing out between commas."""
    return Function(("any",), "any", compute, 1, repeat=True)


FUNCTIONS: dict[str, Function] = {
    **OUTSIDE,
    **{name: _numbers(1, lambda x, f=COMMON[name].compute: f(None, x)) for name in
       ("sin", "cos", "tan", "abs", "sqrt")},
    "acos": _numbers(1, lambda x: math.degrees(math.acos(x))),
    "asin": _numbers(1, lambda x: math.degrees(math.asin(x))),
    "atan2": _numbers(2, lambda y, x: math.degrees(math.atan2(y, x))),
    "inverse": _given(1, _inverse), "inv_pos": _given(1, lambda run, frame, *more: _inverse(run, frame)),
    "svel_joint": _given(1, lambda run, v, *more: run.axis_share(v) if isinstance(v, float) else v),
    "stool2": _given(1, _tool), "stool": _given(1, lambda run, n, *more: _tool(run, {"tool_no": n})),
    "sbase": _given(1, _base), "sload": _given(1, _load),
    "sipo_mode": _given(1, lambda _, mode, *more: mode),
    "sacc_joint": _given(1, lambda _, data, *more: _part(data, "acc", 100.0)),
    "sapo_ptp": _given(1, lambda _, data, *more: {"cdis": _part(data, "apo_dist", 0.0)}),
    "sapo": _given(1, lambda _, data, *more: {"cdis": _part(data, "apo_dist", 0.0)}),
    "svel_cp": Function(("any",) * 3, "any", _velocity, 3, gaps=True), "sacc_cp": _given(1, _acceleration),
    "sori_typ": _given(1, lambda _, data, *more: _part(data, "ori_typ", "#var")),
    "scirc_typ": _given(1, lambda _, data, *more: "#base"), "scirc_m": _given(1, lambda _, data, *more: {}),
    "sgear_jerk": _given(1, lambda _, data, *more: 100.0), "sjerk": _given(1, lambda _, data, *more: {}),
    "s_exax_ign": _given(1, lambda _, data, *more: 0.0), "k_root": _given(1, lambda run, n, *more: _root(run, n)),
    "k_type": _given(1, lambda _, n, *more: "#none"), "k_offs": _given(1, _base), "ek": _given(3, _carried),
    "use_cm_pro_values": _given(1, lambda _, data, *more: 0.0),
    "use_cm_pro_values_2": _given(1, lambda _, data, *more: 0.0),
    "varstate": Function(("any",), "any", _state),
    "forward": _given(2, lambda run, axes, *more: run.point_at(axes)),
    "strlen": _given(1, lambda _, text, *more: float(len(text)) if isinstance(text, str) else 0.0),
    "strcomp": _given(2, _same_text), "cioctl": _given(1, lambda _, *given: 0.0),
    **{name: _whole(lambda _, *given: 0.0) for name in
       ("b_xor", "set_krlmsg", "set_krldlg", "strfind", "stradd")},
    **{name: _whole(lambda _, *given: False) for name in
       ("strtoint", "strtoreal", "strtobool", "strcopy", "strclear", "clear_krlmsg", "exists_krldlg",
        "exists_krlmsg", "set_krldlganswer")},
}  # fmt: skip
# routines of technology packages and of messages, which are in no project
GIVEN = ("h50", "h70", "a10", "a20", "p00", "set_cd_params", "user_grp", "userspot")  # something, and nothing left out
TECHNOLOGY = """
a10_ini a20_ini delmens ir_stopm grpg_setstate tq_check servogun_tool msgnotify msgquit msgloop msgstate
set_torque_limits reset_torque_limits msgdialog msgloopwait err_clear err_raise coolrm varproxy rsi_on
rsi_off rsi_movecorr md_cmd plc_cmd user_advance mirror_set delay on_error_proceed rob_stop rob_stop_release
""".split()  # noqa: SIM905
# data of these, which the first lines of most programs name
PACKAGED = """
DUMMY GDEFAULT GCONT CD0 ARC20 ARC_INI TECH_STOP2 A10_OPTION H70_OPTION A_ARC_SWI A_FLY_ARC FG_TOUCH TOUCH_I
TOUCH_ACTIVE GRP_APO CHK_APO_UP RSIOK
""".split()  # noqa: SIM905
_MOVE = {"with": "place", "approx": "unread"}
FORMS: dict[str, Form] = {
    **{word: Form("move", ("any",), options=_MOVE, example="PTP XP1 C_PTP") for word in
       ("ptp", "lin", "sptp", "slin", "spl", "asyptp")},
    **{word: Form("circle", ("any", "any"), options={**_MOVE, "ca": "any"}, example="CIRC XP1, XP2") for word in
       ("circ", "scirc")},
    **{word: Form("relative", ("any",), 1, repeat=True, options={**_MOVE, "frame": "any", "ca": "any"}) for word in
       ("ptp_rel", "lin_rel", "circ_rel", "sptp_rel", "slin_rel", "scirc_rel", "spl_rel")},
    "spline": Form("spline", options=_MOVE), "endspline": Form("spline_over", options=_MOVE),
    "bas": Form("basis", ("any", "any"), 1, gaps=True, example="BAS(#VEL_PTP, 100)"),
    "wait sec": Form("wait", ("any",), example="WAIT SEC 0.5"),
    "wait for": Form("wait_for", ("place",), example="WAIT FOR $IN[1]"),
    "halt": Form("stops"),
    **{word: Form("passed_over", ("unread",), 0, repeat=True, gaps=True) for word in TECHNOLOGY},
    **{word: Form("passed_over", ("unread",), 1, repeat=True) for word in GIVEN},
}  # fmt: skip
SAID = {
    "interrupt": "interrupts are read, not run", "trigger": "what a trigger does on the way is read, not run",
    **dict.fromkeys(("anin", "anout", "digin"), "analog and digital loops are read, not run"),
    **dict.fromkeys(("rsi_on", "rsi_movecorr"), "motion that sensors lead is not in the program"),
    "asyptp": "axes beside the arm are left out",
    "brake": "interrupts are read, not run", "resume": "interrupts are read, not run",
}  # fmt: skip
