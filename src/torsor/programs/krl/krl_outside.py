"""Functions of EthernetKRL and RobotSensorInterface: the other end is taken to answer, as waits are fulfilled.

What comes from there nobody knows, but into which names it is put.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from torsor.programs import syntax
from torsor.programs.krl.krl_lowering import KrlLowering
from torsor.programs.language import Function
from torsor.programs.values import Absent, Unanswered, Value


def _answered(lowering: KrlLowering, *given: Any, name: str) -> Value:
    """The status of EthernetKRL; of functions of sensors no more is known than that neither outcome is likelier."""
    run = lowering.interpreter
    if not name.startswith("EKI"):
        run.assume(run.now, f"input {name}", f"what {name} answers is not known")
        return Unanswered(name)
    asks = name == "EKI_CheckBuffer"
    text = "data is taken to have come" if asks else "the other end is taken to be there, and to answer"
    run.assume(run.now, f"input {name}" if asks else "ethernet", f"{name}: {text}")
    return {"msg_no": 0.0, "connected": True, "buff": float(asks), "read": 0.0, "counter": 0.0}


def _checked(lowering: KrlLowering, *given: Any) -> Value:
    return Absent("EKI_CHECK")


def _received(lowering: KrlLowering, *given: Any, name: str) -> Value:
    """What the world tells of a name goes there; of places of which it tells nothing, nobody knows."""
    run, place = lowering.interpreter, given[-1]
    base = syntax.base(place) if isinstance(place, syntax.Name | syntax.Index | syntax.Member) else None
    if base is not None and base is place and run.world.knows(base.name):
        run.assign(base, run.world.take(base.name))
    elif base is not None:
        text = f"what {name} receives, {base.name}, is not known: it is left as it was"
        run.assume(run.now, f"input {base.name}", text, f"--set {base.name}=..." if base is place else "")
    return _answered(lowering, name=name)


def _function(name: str, count: int, *, most: int | None = None, receives: bool = False) -> Function:
    kinds = ("any",) * ((most or count) - receives) + ("place",) * receives
    return Function(kinds, "any", partial(_received if receives else _answered, name=name), count)


_SENT = ("Bool", "Int", "Real", "String", "Frame")
_ARRAYS = ("BoolArray", "IntArray", "RealArray", "FrameArray")
OUTSIDE = {
    name.lower(): function
    for name, function in {
        **{name: _function(name, 1) for name in
           ("EKI_Init", "EKI_Open", "EKI_Close", "EKI_Clear", "EKI_Lock", "EKI_Unlock")},
        **{name: _function(name, 2) for name in ("EKI_ClearBuffer", "EKI_CheckBuffer")},
        "EKI_Send": _function("EKI_Send", 2, most=3),
        "EKI_CHECK": Function(("any",) * 3, "any", _checked, 2),
        **{f"EKI_Set{kind}": _function(f"EKI_Set{kind}", 3) for kind in _SENT},
        **{f"EKI_Get{kind}": _function(f"EKI_Get{kind}", 3, receives=True) for kind in (*_SENT, *_ARRAYS)},
        **{name: _function(name, 0, most=4) for name in ("RSI_CREATE", "RSI_DELETE", "RSI_ON", "RSI_OFF")},
    }.items()
}  # fmt: skip
