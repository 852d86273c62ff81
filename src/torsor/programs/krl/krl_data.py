"""Types of KRL and of the data behind its inline forms. Millimetres and degrees; A, B, C turn about z, y, x."""

from __future__ import annotations

from torsor.programs.records import RecordShape, TypeTable


def _shape(kind: str, names: str) -> RecordShape:
    return tuple((name, kind) for name in names.lower().split())


_FRAME = _shape("real", "X Y Z A B C")
_AXES = _shape("real", "A1 A2 A3 A4 A5 A6")
_EXTERNAL = _shape("real", "E1 E2 E3 E4 E5 E6")
_STATUS = _shape("int", "S T")
TYPES = TypeTable(
    kinds={"int": "number", "real": "number", "bool": "truth", "char": "any", "enum": "text"},
    records={
        "frame": _FRAME,
        "pos": (*_FRAME, *_STATUS),
        "e3pos": (*_FRAME, *_STATUS, *_EXTERNAL[:3]),
        "e6pos": (*_FRAME, *_STATUS, *_EXTERNAL),
        "axis": _AXES,
        "e3axis": (*_AXES, *_EXTERNAL[:3]),
        "e6axis": (*_AXES, *_EXTERNAL),
        "inertia": _shape("real", "X Y Z"),
        "load": (("m", "real"), ("cm", "frame"), ("j", "inertia")),
        "cp": _shape("real", "CP ORI1 ORI2"),
        "apo": _shape("real", "CPTP CDIS CORI CVEL"),
        "fdat": (("tool_no", "int"), ("base_no", "int"), ("ipo_frame", ""), ("point2", ""), ("tq_state", "bool")),
        "pdat": (("vel", "real"), ("acc", "real"), ("apo_dist", "real"), ("apo_mode", ""), ("gear_jerk", "real"),
                 ("exax_ign", "int")),
        "ldat": (("vel", "real"), ("acc", "real"), ("apo_dist", "real"), ("apo_fac", "real"), ("axis_vel", "real"),
                 ("axis_acc", "real"), ("ori_typ", ""), ("circ_typ", ""), ("jerk_fac", "real"), ("gear_jerk", "real"),
                 ("exax_ign", "int"), ("cb", "")),
    },
    strict=False,
    rounds=frozenset({"int"}),
    wider={
        "frame": frozenset(name for name, _ in (*_STATUS, *_EXTERNAL)),
        **dict.fromkeys(("pos", "axis"), frozenset(name for name, _ in _EXTERNAL)),
        **dict.fromkeys(("e3pos", "e3axis"), frozenset(name for name, _ in _EXTERNAL[3:])),
    },
)  # fmt: skip
PREDECLARED = ("int", "real", "bool", "char")  # types that need no DECL
COMPARED = frozenset({"=", "<>", "<", "<=", ">", ">="})  # signs
