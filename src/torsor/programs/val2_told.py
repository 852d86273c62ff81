"""What a VAL II program is told from outside, by name: ``torsor check tour.v2 --set t_acc=2``.

The inputs of SIMASEA (Behi 1989, appendix A.3) go by the names of the thesis; rates are in deg/s, that of lines in m/s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from math import inf, radians
from typing import Any

from torsor.errors import TorsorError, did_you_mean
from torsor.motion import Paul
from torsor.programs.val2_dialect import Val2Dialect
from torsor.programs.values import Value

# by the name in appendix A.3: the field of `Paul`, and how many of its units one of the thesis has
SIMASEA_TIMES = {
    "t_acc": ("t_acc", 1.0),
    "t_inc": ("increment", 1.0),
    "rate_linear": ("rate_linear", 1.0),
    "rate_euler": ("rate_euler", radians(1.0)),
    "rate_joint": ("rate_joint", radians(1.0)),
}
LISTS = ("inputs", "ready")
KINDS: dict[str, tuple[type, str]] = {
    "units": (str, "m or mm"),
    "angles": (str, "zyz or oat"),
    "continuous": (bool, "true or false"),
    "speed_lasts": (bool, "true or false"),
}
LONGEST = 1e9  # s, or a rate: beyond it is a slip


def told_value(name: str, value: Value) -> Any:
    known = [*SIMASEA_TIMES, *(each.name for each in fields(Val2Dialect))]
    if name not in known:
        raise TorsorError(f"programs of VAL II ask for nothing called {name!r}", hint=did_you_mean(name, known))
    if name in LISTS:
        return _numbers(name, value)
    kind, meaning = KINDS.get(name, (float, "a number"))
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        raise TorsorError(f"{name} is {value!r:.60}", hint=f"give {meaning}")
    if kind is float:
        lowest = 0.0 if name in ("t_open", "t_close", "wait_seconds") else 1e-9
        if not (isinstance(value, float) and lowest <= value <= LONGEST):
            raise TorsorError(f"{name} is {value!r:.60}", hint=f"a number from {lowest:g} to {LONGEST:g}")
    return value


def _numbers(name: str, value: Value) -> tuple[float, ...]:
    """Of a list, or of a text such as "0 90 -90"."""
    given = (
        value.replace(",", " ").split() if isinstance(value, str) else value if isinstance(value, tuple) else (value,)
    )
    try:
        found = tuple(float(each) for each in given if not isinstance(each, dict | tuple))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        found = ()
    if len(found) != len(given) or not found or not all(-inf < each < inf for each in found):
        raise TorsorError(f"{name} is {value!r:.60}", hint="numbers, such as 1001 1002")
    return found


def simasea_timing(asked: Mapping[str, float]) -> Paul:
    """As the thesis has it, but for what is asked for.

    >>> simasea_timing({"t_acc": 2.0, "rate_joint": 90.0}).rate_joint
    1.5707963267948966
    """
    fields_of_paul: dict[str, Any] = {SIMASEA_TIMES[k][0]: SIMASEA_TIMES[k][1] * x for k, x in asked.items()}
    return Paul(**fields_of_paul)
