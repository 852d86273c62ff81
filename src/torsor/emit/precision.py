"""The two kinds of numbers that kernels compute with: doubles, and floats, of which a register holds twice as many."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from torsor.algebra.tape import Tape
from torsor.errors import Unsupported


@dataclass(frozen=True)
class Precision:
    """``name`` in IR and ``suffix`` in the names of its intrinsics; ``number`` is NumPy's of the type."""

    name: str
    bytes: int
    suffix: str
    number: int

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(f"f{self.bytes}")

    @property
    def bits(self) -> int:
        return 8 * self.bytes

    def lanes(self, doubles: int) -> int:
        """How many of them a register holds, of a machine that packs so many doubles into one."""
        return doubles if doubles == 1 else doubles * DOUBLE.bytes // self.bytes

    def rounded(self, x: float) -> float:
        return x if self.bytes == DOUBLE.bytes else float(np.float32(x))

    def require_constants(self, tape: Tape) -> None:
        """Refuses a tape with a constant that would become infinite, or lose digits on the way to zero."""
        least, most = float(np.finfo(self.dtype).tiny), float(np.finfo(self.dtype).max)
        for step in tape.code:
            size = abs(step.value)
            if step.op == "const" and isfinite(size) and size and not least <= size <= most:
                what = f"{tape.name} has the constant {step.value:.6g}, which {self.dtype} does not hold"
                raise Unsupported(what, hint="compute it in float64")


DOUBLE = Precision("double", 8, "f64", 12)
SINGLE = Precision("float", 4, "f32", 11)


def precision_of(dtype: DTypeLike) -> Precision:
    """
    >>> precision_of(np.float32).name, precision_of("float64").name
    ('float', 'double')
    """
    if dtype is np.float64:  # nearly always, and called for every state
        return DOUBLE
    try:
        wanted = np.dtype(dtype)
    except TypeError:
        wanted = np.dtype(object)
    for each in (DOUBLE, SINGLE):
        if wanted == each.dtype and wanted.isnative:
            return each
    raise Unsupported(f"dtype is {dtype!r}", hint="numpy.float64 or numpy.float32")
