"""Functions of URScript that give a value. Those of the world answer what `World` tells."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.model.transforms import inverse, pose, rotation_rpy, rpy_of
from torsor.programs.language import Function
from torsor.programs.printer import number_text
from torsor.programs.urscript.urscript_lists import inverted, is_matrix, transposed
from torsor.programs.urscript.urscript_lowering import UrscriptLowering
from torsor.programs.urscript.urscript_methods import FUNCTIONS as METHODS
from torsor.programs.urscript.urscript_values import (
    PoseValue,
    known,
    matrix,
    rotation_of,
    unknown_in,
    value_of,
    vector_of,
)
from torsor.programs.values import Absent, Value, Wrong

ANY = "given"  # what is asked by any names: values in the order in which they are written
NAMES: dict[str, tuple[str, ...]] = {}
FUNCTIONS: dict[str, Function] = {}


def _add(name: str, operands: str, compute: Callable[..., Value], required: int | None = None, **more: Any) -> None:
    names = tuple(operands.split())
    NAMES[name] = names
    FUNCTIONS[name] = Function(("any",) * len(names), "any", compute, required, **more)


def _known(compute: Callable[..., Value]) -> Callable[..., Value]:
    """A function that knows nothing where one of its arguments is not known."""

    def apply(lowering: UrscriptLowering, *given: Any) -> Value:
        unknown = next((each for each in given if each is not None and not known(each)), None)
        if unknown is not None:
            return unknown if isinstance(unknown, Absent) else Absent(unknown_in(unknown))
        return compute(lowering, *given)

    return apply


def _numbers(name: str, operands: str, compute: Callable[..., float]) -> None:
    def apply(_: UrscriptLowering, *given: Any) -> Value:
        x = [0.0 if isinstance(each, Absent) else each for each in given]
        if not all(isinstance(each, float | int) for each in x):
            raise Wrong(f"{name} takes numbers")
        try:
            return float(compute(*x))
        except (ValueError, OverflowError, ZeroDivisionError):
            raise Wrong(f"{name}({', '.join(f'{each:g}' for each in x)}) is no number") from None

    _add(name, operands, apply)


for _name, _compute in {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "sqrt": math.sqrt, "floor": math.floor, "ceil": math.ceil,
}.items():  # fmt: skip
    _numbers(_name, "f", _compute)
_numbers("d2r", "d", math.radians)
_numbers("r2d", "r", math.degrees)
_numbers("atan2", "x y", math.atan2)  # of x/y: the manual names them so, atan2(13, 5) = 1.2
_numbers("pow", "base exponent", math.pow)
_numbers("log", "b f", lambda base, f: math.log(f, base))


def _norm(_: UrscriptLowering, value: Any) -> Value:
    if isinstance(value, tuple):
        return float(np.linalg.norm([float(x) for x in value]))
    return abs(float(value))


def _normalize(_: UrscriptLowering, value: Any) -> Value:
    v = np.array([float(x) for x in value])
    size = float(np.linalg.norm(v))
    return tuple(float(x) for x in (v / size if size else v))


def _trans(_: UrscriptLowering, a: Any, b: Any) -> Value:
    return value_of(matrix(a) @ matrix(b))


def _pose_add(_: UrscriptLowering, a: Any, b: Any) -> Value:
    """Positions are added; rotations are those of b after a, in base axes."""
    A, B = matrix(a), matrix(b)
    return value_of(pose(A[:3, :3] @ B[:3, :3], A[:3, 3] + B[:3, 3]))


def _pose_sub(_: UrscriptLowering, a: Any, b: Any) -> Value:
    A, B = matrix(a), matrix(b)
    return value_of(pose(A[:3, :3] @ B[:3, :3].T, A[:3, 3] - B[:3, 3]))


def _distance(_: UrscriptLowering, a: Any, b: Any) -> Value:
    return float(np.linalg.norm(np.array(a[:3], dtype=float) - np.array(b[:3], dtype=float)))


def _interpolate(_: UrscriptLowering, a: Any, b: Any, alpha: Any) -> Value:
    """Positions along the line, rotation along the shortest turn."""
    A, B = matrix(a), matrix(b)
    turn = rotation_of(float(alpha) * vector_of(A[:3, :3].T @ B[:3, :3]))
    return value_of(pose(A[:3, :3] @ turn, A[:3, 3] + float(alpha) * (B[:3, 3] - A[:3, 3])))


def _wrench_trans(_: UrscriptLowering, pose: Any, wrench: Any) -> Value:
    """Forces R f and moments R m + p x R f: w_to = T_from_to * w_from of the manual, as its poses are multiplied."""
    if not isinstance(wrench, tuple) or len(wrench) != 6:
        raise Wrong("a wrench has six numbers", "[Fx, Fy, Fz, Mx, My, Mz]")
    T, w = matrix(pose), np.array([float(x) for x in wrench])
    f = T[:3, :3] @ w[:3]
    return (*map(float, f), *map(float, T[:3, :3] @ w[3:] + np.cross(T[:3, 3], f)))


def _of_rpy(_: UrscriptLowering, rpy: Any) -> Value:
    return tuple(float(x) for x in vector_of(rotation_rpy(*(float(x) for x in rpy[:3]))))


def _to_rpy(_: UrscriptLowering, vector: Any) -> Value:
    return tuple(float(x) for x in rpy_of(rotation_of(vector)))


for _name, _operands, _value in (
    ("pose_trans", "p_from p_from_to", _trans), ("pose_add", "p_1 p_2", _pose_add),
    ("pose_sub", "p_to p_from", _pose_sub),
    ("pose_inv", "p_from", lambda _, a: value_of(inverse(matrix(a)))),
    ("pose_dist", "p_from p_to", _distance), ("point_dist", "p_from p_to", _distance),
    ("interpolate_pose", "p_from p_to alpha", _interpolate), ("rpy2rotvec", "rpy_vector", _of_rpy),
    ("rotvec2rpy", "rotation_vector", _to_rpy), ("norm", "a", _norm), ("normalize", "v", _normalize),
    ("inv", "m", inverted), ("wrench_trans", "T_from_to w_from", _wrench_trans),
):  # fmt: skip
    _add(_name, _operands, _known(_value))


# Where the arm is
def _needs_arm(lowering: UrscriptLowering, what: str) -> Value:
    lowering.interpreter.assume(lowering.interpreter.now, what, f"{what}: it takes an arm to tell", "give the arm")
    return Absent(f"{what}()")


def _tool_pose(lowering: UrscriptLowering, *given: Any) -> Value:
    T = lowering.where.flange()
    return _needs_arm(lowering, "get_actual_tcp_pose") if T is None else value_of(T @ lowering.tcp)


def _flange_pose(lowering: UrscriptLowering, *given: Any) -> Value:
    T = lowering.where.flange()
    return _needs_arm(lowering, "get_actual_tool_flange_pose") if T is None else value_of(T)


def _joints(lowering: UrscriptLowering, *given: Any) -> Value:
    q = lowering.where.joints()
    return _needs_arm(lowering, "get_actual_joint_positions") if q is None else tuple(float(x) for x in q)


def _forward(lowering: UrscriptLowering, q: Any = None, tcp: Any = None) -> Value:
    arm = lowering.where.arm
    offset = lowering.tcp if not isinstance(tcp, tuple) else matrix(tcp)
    if q is None or q == "active_tcp":
        return _tool_pose(lowering)
    if not known(q):
        return Absent("get_forward_kin()")
    if arm is None:
        return _needs_arm(lowering, "get_forward_kin")
    return value_of(lowering.where.forward(arm, np.array(lowering.joints_of(q))) @ offset)


def _inverse(lowering: UrscriptLowering, x: Any, qnear: Any = None, *more: Any) -> Value:
    if not known(x):
        return x if isinstance(x, Absent) else Absent(unknown_in(x))
    if lowering.where.arm is None:
        return _Solved(x, "get_inverse_kin")
    near = np.array(lowering.joints_of(qnear)) if isinstance(qnear, tuple) and known(qnear) else None
    tcp = next((each for each in more if isinstance(each, PoseValue)), None)
    T = matrix(x) @ inverse(lowering.tcp if tcp is None else matrix(tcp))
    q = lowering.where.solved(T, near)
    if q is None:
        lowering.interpreter.assume(
            lowering.interpreter.now, "get_inverse_kin", "get_inverse_kin: the arm does not reach this pose"
        )
        return PoseValue(x)
    return tuple(float(each) for each in q)


def _Solved(x: Any, what: str) -> Value:
    """Without an arm: the pose itself, to which a joint move goes all the same."""
    return PoseValue(x)


def _has_solution(lowering: UrscriptLowering, x: Any, *more: Any) -> Value:
    if lowering.where.arm is None or not known(x):
        return True
    return lowering.where.solved(matrix(x) @ inverse(lowering.tcp)) is not None


for _name in ("get_actual_tcp_pose", "get_target_tcp_pose", "get_target_waypoint", "tool_pose",
              "get_target_tcp_pose_along_path"):  # fmt: skip
    _add(_name, "", _tool_pose, changed_by=None)
_add("get_actual_tool_flange_pose", "", _flange_pose, changed_by=None)
for _name in ("get_actual_joint_positions", "get_target_joint_positions", "get_joint_positions"):
    _add(_name, "", _joints, changed_by=None)
_add("get_actual_joint_positions_history", "steps", _joints, 0, changed_by=None)
_add("get_forward_kin", "q tcp", _forward, 0, changed_by=None)
_add("get_inverse_kin", "x qnear maxPositionError maxOrientationError tcp", _inverse, 1, changed_by=None)
_add(
    "get_inverse_kin_has_solution",
    "pose qnear maxPositionError maxOrientationError tcp",
    _has_solution,
    1,
    changed_by=None,
)
_add("get_tcp_offset", "", lambda lowering: value_of(lowering.tcp), changed_by=None)
_add("get_target_payload", "", lambda lowering: lowering.mass, changed_by=None)
_add("get_target_payload_cog", "", lambda lowering: lowering.cog, changed_by=None)
_add("get_steptime", "", lambda _: 0.008)
for _name in (
    "get_actual_tcp_speed",
    "get_target_tcp_speed",
    "get_target_tcp_speed_along_path",
    "get_actual_joint_speeds",
    "get_target_joint_speeds",
):
    _add(_name, "", lambda _: (0.0,) * 6, changed_by=None)  # between moves it stands


# Texts and lists
def _text(value: Any) -> str:
    match value:
        case bool():
            return "True" if value else "False"
        case float():
            return number_text(value)
        case PoseValue():
            return "p[" + ", ".join(map(_text, value)) + "]"
        case tuple():
            return "[" + ", ".join(map(_text, value)) + "]"
        case Absent() | None:
            return ""
    return str(value)


def _whole(value: Any) -> int:
    return int(value) if isinstance(value, float | int) else 0


def _to_num(_: UrscriptLowering, text: Any) -> Value:
    try:
        return float(text) if isinstance(text, str) else 0.0
    except ValueError:
        raise Wrong(f"{text!r:.40} is no number") from None


def _bits(_: UrscriptLowering, x: Any) -> Value:
    return tuple(bool(_whole(x) >> k & 1) for k in range(32))


def _from_bits(_: UrscriptLowering, bits: Any) -> Value:
    """The last of 32 is the sign, as integers of the controller have 32 bits."""
    if not isinstance(bits, tuple):
        return 0.0
    return float(sum((-1 if k == 31 else 1) << k for k, bit in enumerate(bits) if bit is True))


_add("str_cat", "op1 op2", lambda _, a, b: _text(a) + _text(b))
_add("to_str", "val", lambda _, a: _text(a))
_add("to_num", "str", _to_num)
_add("str_len", "str", lambda _, s: float(len(_text(s))))
_add("str_empty", "str", lambda _, s: _text(s) == "")
_add("str_at", "src index", lambda _, s, k: _text(s)[_whole(k) : _whole(k) + 1])
_add("str_sub", "src index len", lambda _, s, k, n=9999.0: _text(s)[_whole(k) : _whole(k) + _whole(n)], 2)
_add("str_find", "src target start_from", lambda _, s, t, k=0.0: float(_text(s).find(_text(t), _whole(k))), 2)
_add("length", "v", lambda _, a: float(len(a)) if isinstance(a, tuple | str | dict) else 0.0)
_add("get_list_length", "v", lambda _, a: float(len(a)) if isinstance(a, tuple | str | dict) else 0.0)
_add("make_list", "length initial_value capacity", lambda _, n, x=0.0, c=0.0: (x,) * min(_whole(n), 10_000), 1)
_add("integer_to_binary_list", "x", _bits)
_add("binary_list_to_integer", "l", _from_bits)
_add("size", "v", lambda _, a: (float(len(a)), float(len(a[0]))) if is_matrix(a)
     else float(len(a)) if isinstance(a, tuple | str) else 0.0)  # fmt: skip
_add("transpose", "m", lambda _, a: transposed(a))
_add("p[]", "x y z rx ry rz", lambda _, *x: PoseValue(x))
_add("random", "", lambda _: 0.5)


# The world
def _asked(name: str, operands: str, nothing: Value | Callable[..., Value], required: int = 0) -> None:
    def ask(lowering: UrscriptLowering, *given: Any) -> Value:
        told = ", ".join(_text(each) for each in given if each is not None)
        key = f"{name}({told})"
        if key in lowering.outputs:
            return lowering.outputs[key]
        answer = nothing(*given) if callable(nothing) else nothing
        return lowering.interpreter.ask(lowering.interpreter.now, key, answer)

    _add(name, operands, ask, required, changed_by=None, told=True, repeat=True)


def _number(name: str) -> str:
    """What the manual calls the number or name of an input."""
    called = {"read": "address", "modbus": "signal_name", "encoder": "encoder_index"}
    return "port_number" if "euromap" in name else called.get(name.split("_")[0], "n")


for _name in ("get_standard_digital_in", "get_digital_in", "get_configurable_digital_in", "get_tool_digital_in",
              "get_standard_digital_out", "get_digital_out", "get_configurable_digital_out", "get_tool_digital_out",
              "get_flag", "get_euromap_input", "read_port_bit", "read_input_boolean_register",
              "read_output_boolean_register", "modbus_get_signal_status", "get_euromap_output"):  # fmt: skip
    _asked(_name, _number(_name), False, 1)
for _name in ("get_standard_analog_in", "get_analog_in", "get_tool_analog_in", "read_input_integer_register",
              "read_input_float_register", "read_output_integer_register", "read_output_float_register",
              "read_port_register", "modbus_get_signal_value", "modbus_get_error", "get_standard_analog_out",
              "get_analog_out", "modbus_get_time_since_signal_invalid", "encoder_unwind_delta_tick_count",
              "encoder_get_tick_count"):  # fmt: skip
    _asked(_name, _number(_name), 0.0, 1)


def _none_received(number: Any = 0.0, *more: Any) -> Value:
    """What a socket tells that nobody writes to: that it was no number, and as many places."""
    return (0.0,) * (1 + min(max(_whole(number), 0), 1000))


_NUMBERS = "number socket_name timeout"
for _name, _names, _nothing in (
    ("socket_open", "address port socket_name", True), ("socket_get_var", "name socket_name", 0.0),
    ("socket_read_string", "socket_name prefix suffix interpret_escape timeout", ""),
    ("socket_read_line", "socket_name timeout", ""), ("socket_read_ascii_float", _NUMBERS, _none_received),
    ("socket_read_binary_integer", _NUMBERS, _none_received), ("socket_read_byte_list", _NUMBERS, _none_received),
    ("tool_contact", "direction", 0.0), ("is_within_safety_limits", "pose qnear", True),
):  # fmt: skip
    _asked(
        _name, _names, _nothing, {"socket_open": 2, "is_within_safety_limits": 1}.get(_name, int(_names == _NUMBERS))
    )
for _name in ("socket_send_byte", "socket_send_int", "socket_send_line", "socket_send_string"):
    _asked(_name, "value socket_name", lambda *given: True, 1)
_told: dict[str, Any] = {
    "force": 0.0,
    **dict.fromkeys(("get_tcp_force", "get_joint_torques", "get_target_joint_torques"), (0.0,) * 6),
    "is_steady": True, "powerdown": False, "get_freedrive_status": 0.0, "motion_version_get": 1.0,
    "request_integer_from_primary_client": 1.0, "request_float_from_primary_client": 0.0,
    "request_boolean_from_primary_client": False, "request_string_from_primary_client": "", "get_controller_temp": 25.0,
    "get_conveyor_tick_count": 0.0, "get_tool_current": 0.0, "is_freedrive_active": False,
    "get_actual_tool_force": 0.0, "get_tool_accelerometer_reading": (0.0, 0.0, 0.0), "get_joint_temp": 25.0,
}  # fmt: skip
for _name, _answer in _told.items():
    _asked(_name, ANY, _answer)
_asked("time", "mode", {"sec": 0.0, "nanosec": 0.0})


def _untold(name: str) -> None:
    """Something of the controller that is not known here, such as its model of the arm's dynamics."""

    def ask(lowering: UrscriptLowering, *given: Any) -> Value:
        lowering.interpreter.assume(lowering.interpreter.now, f"input {name}", f"what {name} tells is not known here")
        return Absent(f"{name}()")

    _add(name, ANY, ask, 0, changed_by=None, told=True, repeat=True)


for _name in ("get_pose", "get_frame_parent", "convert_pose", "get_jacobian", "get_jacobian_time_derivative",
              "get_mass_matrix", "get_coriolis_and_centrifugal_torques", "get_rtde_value", "eip_writer_factory",
              "eip_reader_factory", "get_target_payload_inertia"):  # fmt: skip
    _untold(_name)
FUNCTIONS.update(METHODS)
for _name in ("rpc_factory", "modbus_open"):
    _add(_name, ANY, lambda lowering, *given: Absent("rpc"), 0, changed_by=None, repeat=True)


def _start(lowering: UrscriptLowering, name: Any) -> Value:
    lowering.interpreter.start(str(name))
    return 0.0


FUNCTIONS["run"] = Function(("any",), "any", _start)
FUNCTIONS["struct"] = Function((), "any", lambda lowering, **parts: dict(parts), 0, options={})
