"""What of an arm is zero by structure: exact zeros, and symbols that are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def vanishes(x: Any, size: float = 0.0, rounding: float = 0.0) -> bool:
    """Whether a number is zero, up to rounding of a size; symbols are not, unless they are a number that is.

    >>> vanishes(0.0), vanishes(1e-17, size=1.0, rounding=1e-14), vanishes(1e-300)
    (True, True, False)
    """
    if isinstance(x, int | float):
        return bool(abs(x) <= rounding * abs(size))
    return bool(x.op == "const" and x.value == 0.0)


def nonzeros(entries: Iterable[Any]) -> int:
    """How many are none."""
    return sum(not vanishes(x) for x in entries)
