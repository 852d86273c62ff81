"""Functions that all languages have. Angles are in degrees."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import degrees, radians

from torsor.model.transforms import cos_sin
from torsor.programs.language import Function
from torsor.programs.values import Wrong


def numeric(compute: Callable[..., float], count: int = 1) -> Function:
    """A function of so many numbers."""
    return Function(("number",) * count, "number", lambda _, *given: float(compute(*given)))


def _sqrt(x: float) -> float:
    if x < 0.0:
        raise Wrong(f"the square root of {x:g}")
    return math.sqrt(x)


COMMON = {
    "sin": numeric(lambda x: cos_sin(radians(x))[1]),
    "cos": numeric(lambda x: cos_sin(radians(x))[0]),
    "tan": numeric(lambda x: math.tan(radians(x))),
    "atan2": numeric(lambda y, x: degrees(math.atan2(y, x)), 2),
    "abs": numeric(abs),
    "sqrt": numeric(_sqrt),
    "min": Function(("number",), "number", lambda _, *x: min(x), repeat=True),
    "max": Function(("number",), "number", lambda _, *x: max(x), repeat=True),
    "distance": Function(("location", "location"), "number", lambda _, a, b: math.dist(a.position, b.position)),
}
