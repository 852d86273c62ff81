"""Functions of RAPID. Those of the world answer what `World` tells."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.model.transforms import inverse, rotation_x, rotation_y, rotation_z
from torsor.programs import syntax
from torsor.programs.arithmetic import COMMON
from torsor.programs.language import Function
from torsor.programs.rapid import rapid_frames as frames
from torsor.programs.rapid.rapid_data import WORLD
from torsor.programs.rapid.rapid_lowering import RapidLowering, jointtarget, with_trans
from torsor.programs.rapid.rapid_texts import TEXTS
from torsor.programs.values import Absent, Value, Wrong

if TYPE_CHECKING:
    from torsor.model.transforms import Floats

MM = 1000.0


def _known(compute: Callable[..., Value]) -> Callable[..., Value]:
    """A function that knows nothing where one of its arguments is not known."""

    def apply(lowering: RapidLowering, *given: Any, **options: Any) -> Value:
        unknown = next((each for each in given if isinstance(each, Absent)), None)
        return compute(lowering, *given, **options) if unknown is None else unknown

    return apply


def _points(*kinds: str, result: str = "any", required: int | None = None, **more: Any) -> Callable[..., Function]:
    def decorate(compute: Callable[..., Value]) -> Function:
        return Function(kinds, result, _known(compute), required, **more)

    return decorate


def _numbers(count: int, compute: Callable[..., float], required: int | None = None) -> Function:
    def apply(_: RapidLowering, *given: Any, **options: Any) -> Value:
        x = [0.0 if isinstance(each, Absent) else float(each) for each in given]
        return float(compute(*x))

    return Function(("num",) * count, "number", apply, required)


def _offs(_: RapidLowering, point: Any, x: float, y: float, z: float) -> Value:
    if not frames.known(point["trans"]):
        return Absent("")
    return frames.moved(with_trans(point, frames.position(point["trans"]) + np.array([x, y, z])))  # type: ignore[no-any-return]


def _rel_tool(_: RapidLowering, point: Any, x: float, y: float, z: float, **turns: Any) -> Value:
    """In axes of the tool; turned about its x, then about the new y, then about the new z."""
    if not frames.known(point["trans"]) or not frames.known(point["rot"]):
        return Absent("")
    T = frames.matrix(point)
    R: Floats = T[:3, :3]
    for name, turn in (("rx", rotation_x), ("ry", rotation_y), ("rz", rotation_z)):
        if isinstance(turns.get(name), float):
            R = R @ turn(math.radians(turns[name]))
    moved = with_trans(point, T[:3, 3] + T[:3, :3] @ np.array([x, y, z]))
    return frames.moved({**moved, "rot": frames.orient_of(R) if turns else point["rot"]})  # type: ignore[dict-item, no-any-return]


def _whose(lowering: RapidLowering, options: dict[str, Any]) -> None:
    """Says that another task's arm is asked for: of a cell with several, the program is of one."""
    name = options.get("taskname") or getattr(options.get("taskref"), "name", "")
    if isinstance(name, str) and name:
        told = f"{name} is taken to be the task of this arm"
        lowering.interpreter.assume(lowering.interpreter.now, f"task {name}", told)


def _crobt(lowering: RapidLowering, **options: Any) -> Value:
    _whose(lowering, options)
    found = lowering.current(options.get("tool"), options.get("wobj"))
    if isinstance(found, Absent):
        lowering.interpreter.assume(
            lowering.interpreter.now, "CRobT", "CRobT: where the arm is takes an arm to tell", "give the arm"
        )
    return found


def _cpos(lowering: RapidLowering, **options: Any) -> Value:
    found = _crobt(lowering, **options)
    return found["trans"] if isinstance(found, dict) else found


def _cjointt(lowering: RapidLowering, **options: Any) -> Value:
    _whose(lowering, options)
    found = lowering.current_joints()
    if isinstance(found, Absent):
        lowering.interpreter.assume(
            lowering.interpreter.now, "CJointT", "CJointT: the joints of the arm take an arm to tell", "give the arm"
        )
    return found


def _calc_joints(lowering: RapidLowering, point: Any, tool: Any, **options: Any) -> Value:
    if not frames.known(point["trans"]) or not frames.known(point["rot"]):
        return Absent("CalcJointT()")
    wobj = options.get("wobj")
    T = lowering.frame(wobj if isinstance(wobj, dict) else None) @ frames.matrix(point)
    T[:3, 3] /= MM
    T = T @ np.linalg.inv(lowering._tool_matrix(tool if isinstance(tool, dict) else None))
    q = lowering.where.solved(T)
    return Absent("CalcJointT()") if q is None else jointtarget(q, point.get("extax", lowering.beside_now()))


def _calc_target(lowering: RapidLowering, joints: Any, tool: Any, **options: Any) -> Value:
    arm = lowering.where.arm
    if arm is None or not frames.known(joints):
        return Absent("CalcRobT()")
    q = np.radians([joints["robax"][f"rax_{k}"] for k in range(1, 7)])[: arm.n]
    before = lowering.where
    from torsor.programs.whereabouts import Whereabouts

    lowering.where = Whereabouts(arm, q)
    try:
        found = lowering.current(tool, options.get("wobj"))
        return {**found, "extax": joints["extax"]} if isinstance(found, dict) else found
    finally:
        lowering.where = before


def _undisplaced(lowering: RapidLowering, point: Any, **options: Any) -> Value:
    """ORobT: where a point lies in the work object, whatever displaces it now; not with ``\\InPDisp``."""
    return {**point, **({} if "inpdisp" in options else _mult(lowering, lowering.displaced, point))}


def _mult(_: RapidLowering, a: Any, b: Any) -> dict[str, Value]:
    return frames.pose_of(frames.matrix(a) @ frames.matrix(b))


def _vect(_: RapidLowering, a: Any, p: Any) -> Value:
    return frames.pos_of(frames.matrix(a)[:3, :3] @ frames.position(p) + frames.position(a["trans"]))


def _mirrored(_: RapidLowering, point: Any, plane: Any, **options: Any) -> Value:
    """MirPos: on the other side of the xy plane of a work object, with x and z of the tool, or with \\MirY y and z."""
    wobj = options.get("wobj", {})
    if isinstance(wobj, Absent) or not all(map(frames.known, (point, plane, wobj))):
        return Absent("")
    T_base_plane, T_base_wobj = _work(plane), _work(wobj) if wobj else np.eye(4)
    mirror = inverse(T_base_wobj) @ T_base_plane @ np.diag([1.0, 1.0, -1.0, 1.0]) @ inverse(T_base_plane) @ T_base_wobj
    kept = np.diag([-1.0, 1.0, 1.0] if "miry" in options else [1.0, -1.0, 1.0])  # a right hand stays one
    p = mirror[:3, :3] @ frames.position(point["trans"]) + mirror[:3, 3]
    R = mirror[:3, :3] @ frames.rotation(point["rot"]) @ kept
    return frames.moved({**point, "trans": frames.pos_of(p), "rot": frames.orient_of(R)})  # type: ignore[no-any-return]


def _work(wobj: Any) -> Floats:
    return frames.matrix(wobj["uframe"]) @ frames.matrix(wobj["oframe"])


def _frame(_: RapidLowering, p1: Any, p2: Any, p3: Any, **options: Any) -> Value:
    """DefFrame: x from p1 to p2; with ``\\Origin:=3`` the origin is where the line through p1, p2 is next to p3."""
    a, b, c = (frames.position(point["trans"]) for point in (p1, p2, p3))
    x = b - a
    z = np.cross(x, c - a)
    if not np.linalg.norm(z) > 1e-9 * max(float(x @ x), 1e-300):
        raise Wrong("a frame from points on one line")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    origin = {1.0: a, 2.0: b, 3.0: a + ((c - a) @ x) * x}.get(options.get("origin", 1.0), a)
    T = np.eye(4)
    T[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    T[:3, 3] = origin
    return frames.pose_of(T)


def _displaced_frame(run: RapidLowering, *points: Any) -> Value:
    """DefDFrame: what brings three points to where three others are."""
    old, new = (frames.matrix(_frame(run, *points[k : k + 3])) for k in (0, 3))
    return frames.pose_of(new @ inverse(old))


def _euler(_: RapidLowering, orient: Any, **options: Any) -> Value:
    angles = frames.euler_zyx(orient)
    return float(next((angles[name] for name in ("x", "y", "z") if name in options), 0.0))


def _rounded(compute: Callable[[float], int]) -> Callable[..., Value]:
    def apply(_: RapidLowering, x: Any, **options: Any) -> Value:
        if isinstance(x, Absent):
            return 0.0
        digits = options.get("dec", 0.0)
        scale: float = 10.0 ** (digits if isinstance(digits, float) else 0.0)
        return float(compute(x * scale)) / scale

    return apply


def _half_away(x: float) -> int:
    return int(math.copysign(math.floor(abs(x) + 0.5), x))


def _dim(_: RapidLowering, array: Any, which: Any) -> Value:
    for _level in range(int(which) - 1 if isinstance(which, float) else 0):
        array = array[0] if isinstance(array, tuple) and array else ()
    return float(len(array)) if isinstance(array, tuple) else 0.0


def _present(lowering: RapidLowering, node: syntax.Expression) -> Value:
    run = lowering.interpreter
    return isinstance(node, syntax.Name) and run.language.key(node.name) in run.frames[-1].given


def _signal(truth: bool) -> Callable[..., Value]:
    def read(lowering: RapidLowering, signal: syntax.Expression, **options: Any) -> Value:
        value = lowering.input_of(signal)
        return bool(value) if truth else value

    return read


def _asked(name: str, nothing: Value) -> Function:
    """A function that only the world can answer."""

    def ask(lowering: RapidLowering, *given: Any, **options: Any) -> Value:
        return lowering.interpreter.ask(lowering.interpreter.now, name, nothing)

    return Function(("any",), "any", ask, required=0, repeat=True, changed_by=None, told=True)


def _bits(value: Any) -> int:
    return int(value) if isinstance(value, float) and 0.0 <= value < 2.0**52 else 0


def _pow(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise Wrong(f"{a:g} to the power of {b:g} is no number") from None


def _root(x: float) -> float:
    if x < 0.0:
        raise Wrong(f"the square root of {x:g}")
    return math.sqrt(x)


TURNS = dict.fromkeys(("rx", "ry", "rz"), "num")
FRAMES_OF = {"tool": "tooldata", "wobj": "wobjdata", "tload": "loaddata", "taskref": "unread", "taskname": "any"}


def _degrees(compute: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: math.degrees(compute(max(-1.0, min(1.0, x))))


OF_52_BITS = 2**52 - 1
OF_DNUM = ("abs", "sqrt", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "round", "trunc", "bitand",
           "bitor", "bitxor", "bitrsh", "bitcheck")  # fmt: skip
FUNCTIONS: dict[str, Function] = {
    **{name: Function(("num",), "number", _numbers(1, lambda x, f=COMMON[name].compute: f(None, x)).compute)
       for name in ("sin", "cos", "tan")},
    "abs": _numbers(1, abs), "sqrt": _numbers(1, _root), "exp": _numbers(1, math.exp),
    "max": _numbers(2, max), "min": _numbers(2, min),
    "pow": _numbers(2, _pow), "asin": _numbers(1, _degrees(math.asin)), "acos": _numbers(1, _degrees(math.acos)),
    "atan": _numbers(1, lambda x: math.degrees(math.atan(x))),
    "atan2": _numbers(2, lambda y, x: math.degrees(math.atan2(y, x))),
    "numtodnum": _numbers(1, lambda x: x), "dnumtonum": Function(("num",), "number", lambda _, x, **o: x),
    "bitand": _numbers(2, lambda a, b: int(a) & int(b)), "bitor": _numbers(2, lambda a, b: int(a) | int(b)),
    "bitxor": _numbers(2, lambda a, b: int(a) ^ int(b)),
    "bitlsh": _numbers(2, lambda a, b: (int(a) << int(min(b, 52))) & 0xFF),
    "bitcheck": Function(("num", "num"), "truth", lambda _, a, k: bool(_bits(a) >> max(_bits(k) - 1, 0) & 1)),
    "bitrsh": _numbers(2, lambda a, b: int(a) >> int(min(b, 52))), "bitneg": _numbers(1, lambda a: ~int(a) & 0xFF),
    "round": Function(("num",), "number", _rounded(_half_away), options={"dec": "num"}),
    "trunc": Function(("num",), "number", _rounded(math.trunc), options={"dec": "num"}),
    "offs": _points("robtarget", "num", "num", "num")(_offs),
    "reltool": _points("robtarget", "num", "num", "num", options=TURNS)(_rel_tool),
    "crobt": Function((), "any", _crobt, changed_by=None, options=FRAMES_OF),
    "cpos": Function((), "any", _cpos, changed_by=None, options=FRAMES_OF),
    "cjointt": Function((), "any", _cjointt, changed_by=None, options=FRAMES_OF),
    "ctool": Function((), "any", lambda run, **o: run.tool, changed_by=None, options=FRAMES_OF),
    "cwobj": Function((), "any", lambda run, **o: run.wobj, changed_by=None, options=FRAMES_OF),
    "calcjointt": _points("robtarget", "tooldata", options={
        **FRAMES_OF, "usecurwobjpos": "any", "errornumber": "place"})(_calc_joints),
    "calcrobt": _points("jointtarget", "tooldata", options=FRAMES_OF)(_calc_target),
    "orobt": _points("robtarget", options=dict.fromkeys(("inpdisp", "ineoffs"), "any"))(_undisplaced),
    "posemult": _points("pose", "pose")(_mult),
    "poseinv": _points("pose")(lambda _, a: frames.pose_of(inverse(frames.matrix(a)))),
    "posevect": _points("pose", "pos")(_vect),
    "defframe": _points("robtarget", "robtarget", "robtarget", options={"origin": "num"})(_frame),
    "mirpos": _points("robtarget", "wobjdata", options={"wobj": "wobjdata", "miry": "any"})(_mirrored),
    "defdframe": _points(*("robtarget",) * 6)(_displaced_frame),
    "orientzyx": _points("num", "num", "num")(lambda _, z, y, x: frames.orient_zyx(z, y, x)),
    "eulerzyx": _points("orient", options=dict.fromkeys("xyz", "any"))(
        lambda run, *a, **o: _euler(run, *a[-1:], **o)),
    "norient": _points("orient")(lambda _, q: frames.orient_of(frames.rotation(q))),
    "vectmagn": _points("pos")(lambda _, p: float(np.linalg.norm(frames.position(p)))),
    "distance": _points("pos", "pos")(lambda _, a, b: float(np.linalg.norm(frames.position(a) - frames.position(b)))),
    "dotprod": _points("pos", "pos")(lambda _, a, b: float(frames.position(a) @ frames.position(b))),
    "crossprod": _points("pos", "pos")(lambda _, a, b: frames.pos_of(np.cross(frames.position(a), frames.position(b)))),
    "dim": Function(("any", "num"), "number", _dim),
    "present": Function(("unread",), "truth", _present),
    **TEXTS,
    "testdi": Function(("signal",), "truth", _signal(True), changed_by=None),
    **dict.fromkeys(("dinput", "ainput", "ginput", "doutput", "aoutput", "goutput"),
                    Function(("signal",), "number", _signal(False), changed_by=None)),
    "isvar": Function(("unread",), "truth", lambda _, node: True),
    "ispers": Function(("unread",), "truth", lambda _, node: True),
    "argname": Function(("unread",), "text", lambda _, node, **o: getattr(node, "name", "")),
    "type": Function(("unread",), "text", lambda _, node, **o: ""),
    **{name.lower(): _asked(name, nothing) for name, nothing in WORLD.items()},
}  # fmt: skip
FUNCTIONS |= {f"{name}dnum": FUNCTIONS[name] for name in OF_DNUM}
FUNCTIONS |= {  # of 52 bits, where those of a byte have 8
    "bitlshdnum": _numbers(2, lambda a, b: (int(a) << int(min(b, 52))) & OF_52_BITS),
    "bitnegdnum": _numbers(1, lambda a: ~int(a) & OF_52_BITS),
}
