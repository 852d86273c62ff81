"""What C is spelled with: words it keeps for itself, numbers, comments that nothing gets out of."""

from __future__ import annotations

import re

import numpy as np

from torsor.emit.c_math import HELPERS
from torsor.emit.expressions import Dialect

REALS = ("double", "float")
TRIG = ("math.h", "inline")
SIZES = {"double": 8, "float": 4}  # bytes
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "auto break case char const continue default do double else enum extern float for goto if inline int long "
        "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
        "asm class delete new private protected public this template throw try catch operator friend namespace using "
        "bool true false main",
    )
)


def comment(text: str) -> str:
    """Text that cannot end a comment, continue a line, or be a trigraph.

    >>> comment("arm */ system(0); ??/ \\\\")
    'arm    system(0);   /'
    """
    return re.sub(r"[^0-9A-Za-z .,:;()\[\]+=_<>/'^-]|(?<=\*)/|/(?=[*/])", " ", text)[:200].rstrip()


def block(lines: list[str]) -> list[str]:
    """Lines, harmless already, as one comment."""
    return ["/*", *(f" * {line}".rstrip() for line in lines), " */"]


def literal(x: float, real: str) -> str:
    """A number as C writes it: read back, it is the same number.

    >>> literal(0.1, "double"), literal(0.1, "float"), literal(-3.0, "float")
    ('0.1', '0.1f', '-3.0f')
    """
    if x != x:
        return f"(({real})NAN)"
    if x in (float("inf"), float("-inf")):
        return f"({'-' if x < 0 else ''}({real})INFINITY)"
    if real == "double":
        return repr(float(x))
    text = np.format_float_scientific(np.float32(x)) if not 1e-4 <= abs(x) < 1e7 and x else str(np.float32(x))
    return f"{text}f"


def suffix(real: str) -> str:
    """Behind numbers and behind functions of <math.h>."""
    return "f" if real == "float" else ""


def dialect(real: str) -> Dialect:
    f = suffix(real)
    library = {op: f"{op}{f}" for op in ("sqrt", "sin", "cos", "exp", "atan2", "floor")}
    own = {op: f"torsor__{op}" for op in HELPERS}
    return Dialect(
        calls={**library, "abs": f"fabs{f}", **own},
        truth=f"({{}}) ? 1.0{f} : 0.0{f}",
        select=f"({{0}} != 0.0{f}) ? {{1}} : {{2}}",
        number=lambda x: literal(x, real),
        define=lambda n, text: f"const {real} {n} = {text};",
    )
