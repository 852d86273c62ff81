"""Tapes on intervals: bounds that hold for every point of a box, rounding included.

Each operation gives an interval that contains all results of its arguments, rounded outward; so the outputs of a tape
contain all values it takes over a box of inputs. They are wider than need be where an input occurs more than once, the
more the wider the box: ``extremes.py`` cuts boxes in two where that matters and keeps the certainty.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.algebra.tape import Instruction, Tape
from torsor.errors import ShapeError

Floats = NDArray[np.float64]
# Of values in [-1, 1] and of a relative error. libm and NumPy's vector code are within 4 units in the last place.
SLACK = 8.0 * 2.0**-53


class Interval(NamedTuple):
    """All numbers from ``lo`` to ``hi``, elementwise."""

    lo: Floats
    hi: Floats


def evaluate(tape: Tape, *boxes: tuple[ArrayLike, ArrayLike] | ArrayLike) -> tuple[Interval, ...]:
    """Outputs of a tape over boxes of its inputs: each input (lo, hi) of shape (..., *shape), or numbers that are sure.

    What the tape gives for any inputs inside lies inside, be it computed exactly or in floating point by ``evaluate``
    of the tape. Where the tape gives NaN there is nothing to contain.

    >>> from torsor.algebra import symbols, tape_from
    >>> x = symbols("x", 1)
    >>> tape = tape_from("f", {"x": x}, {"y": np.sin(x) * 2.0})
    >>> (y,) = evaluate(tape, ([0.0], [2.0]))
    >>> y.lo.round(12), y.hi.round(12)
    (array([-0.]), array([2.]))
    """
    pairs = [box if isinstance(box, tuple) else (box, box) for box in boxes]
    ends = [np.broadcast_arrays(*(np.asarray(end, dtype=np.float64) for end in pair)) for pair in pairs]
    lows, batch = tape.scalars([lo for lo, _ in ends], "boxes")
    highs, _ = tape.scalars([hi for _, hi in ends])
    for want, (lo, hi) in zip(tape.inputs, ends, strict=True):
        if not (lo <= hi).all():
            raise ShapeError(f"a box of {want.name} ends below where it begins", hint="give (lo, hi) with lo <= hi")

    def step(each: Instruction, args: list[Interval]) -> Interval:
        if each.op == "input":
            return Interval(lows[int(each.value)], highs[int(each.value)])
        if each.op == "const":
            return Interval(np.float64(each.value), np.float64(each.value))  # type: ignore[arg-type]
        if each.op == "mul" and args[0] is args[1]:
            return _square(args[0])
        return _rules[each.op](*args)

    results = tape.run(step)
    both = (tape.gathered([result[end] for result in results], batch) for end in (0, 1))
    return tuple(map(Interval, *both))


def _out(lo: Floats, hi: Floats) -> Interval:
    """Rounded outward. NaN, as of inf - inf, says nothing: the whole line."""
    lo, hi = np.nextafter(lo, -np.inf), np.nextafter(hi, np.inf)
    return Interval(np.where(np.isnan(lo), -np.inf, lo), np.where(np.isnan(hi), np.inf, hi))


def _corners(f: Callable[[Floats, Floats], Floats], a: Interval, b: Interval) -> tuple[Floats, Floats]:
    corners = f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)
    return reduce(np.minimum, corners), reduce(np.maximum, corners)


def _abs(a: Interval) -> Interval:
    least, most = np.minimum(np.abs(a.lo), np.abs(a.hi)), np.maximum(np.abs(a.lo), np.abs(a.hi))
    return Interval(np.where((a.lo <= 0.0) & (a.hi >= 0.0), 0.0, least), most)


def _square(a: Interval) -> Interval:
    least, most = _abs(a)
    return _above_zero(*_out(least * least, most * most))


def _above_zero(lo: Floats, hi: Floats) -> Interval:
    return Interval(np.maximum(lo, 0.0), hi)


def _div(a: Interval, b: Interval) -> Interval:
    lo, hi = _out(*_corners(np.divide, a, b))
    unsure = (b.lo <= 0.0) & (b.hi >= 0.0)
    return Interval(np.where(unsure, -np.inf, lo), np.where(unsure, np.inf, hi))


def _sqrt(a: Interval) -> Interval:
    return _above_zero(*_out(np.sqrt(np.maximum(a.lo, 0.0)), np.sqrt(np.maximum(a.hi, 0.0))))


def _passes(a: Interval, where: float) -> NDArray[np.bool_]:
    """Whether the interval holds where + 2 pi k for some k; in doubt yes."""
    lo, hi = (a.lo - where) / (2.0 * pi), (a.hi - where) / (2.0 * pi)
    slack = 2.0**-49 * (1.0 + np.maximum(np.abs(lo), np.abs(hi)))
    return ~(np.ceil(lo - slack) > np.floor(hi + slack))  # true for NaN too


def _wave(f: Callable[[Floats], Floats], top: float, bottom: float) -> Callable[[Interval], Interval]:
    def rule(a: Interval) -> Interval:
        left, right = f(a.lo), f(a.hi)
        lo, hi = np.minimum(left, right) - SLACK, np.maximum(left, right) + SLACK
        lo, hi = np.where(_passes(a, bottom), -1.0, lo), np.where(_passes(a, top), 1.0, hi)
        return Interval(np.maximum(lo, -1.0), np.minimum(hi, 1.0))

    return rule


def _exp(a: Interval) -> Interval:
    return _above_zero(*_out(np.exp(a.lo) * (1.0 - SLACK), np.exp(a.hi) * (1.0 + SLACK)))


def _atan2(y: Interval, x: Interval) -> Interval:
    lo, hi = _corners(np.arctan2, y, x)
    lo, hi = _out(lo - pi * SLACK, hi + pi * SLACK)
    cut = (x.lo <= 0.0) & (y.lo <= 0.0) & (y.hi >= 0.0)
    whole = np.nextafter(pi, np.inf)
    return Interval(np.where(cut, -whole, lo), np.where(cut, whole, hi))


def _each(f: Callable[..., Floats]) -> Callable[..., Interval]:
    """Of a function that rises with all its arguments and does not round."""
    return lambda *args: Interval(f(*(a.lo for a in args)), f(*(a.hi for a in args)))


def _truth(sure: NDArray[np.bool_], never: NDArray[np.bool_]) -> Interval:
    return Interval(np.where(sure, 1.0, 0.0), np.where(never, 0.0, 1.0))


def _select(condition: Interval, then: Interval, otherwise: Interval) -> Interval:
    never = (condition.lo == 0.0) & (condition.hi == 0.0)
    sure = (condition.lo > 0.0) | (condition.hi < 0.0)
    lo = np.where(never, otherwise.lo, np.where(sure, then.lo, np.minimum(then.lo, otherwise.lo)))
    hi = np.where(never, otherwise.hi, np.where(sure, then.hi, np.maximum(then.hi, otherwise.hi)))
    return Interval(lo, hi)


_rules: dict[str, Callable[..., Interval]] = {
    "add": lambda a, b: _out(a.lo + b.lo, a.hi + b.hi),
    "sub": lambda a, b: _out(a.lo - b.hi, a.hi - b.lo),
    "mul": lambda a, b: _out(*_corners(np.multiply, a, b)),
    "div": _div,
    "neg": lambda a: Interval(-a.hi, -a.lo),
    "sqrt": _sqrt,
    "sin": _wave(np.sin, 0.5 * pi, -0.5 * pi),
    "cos": _wave(np.cos, 0.0, pi),
    "exp": _exp,
    "atan2": _atan2,
    "floor": _each(np.floor),
    "abs": _abs,
    "sign": _each(np.sign),
    "min": _each(np.minimum),
    "max": _each(np.maximum),
    "lt": lambda a, b: _truth(a.hi < b.lo, a.lo >= b.hi),
    "le": lambda a, b: _truth(a.hi <= b.lo, a.lo > b.hi),
    "eq": lambda a, b: _truth((a.lo == b.hi) & (a.hi == b.lo), (a.hi < b.lo) | (b.hi < a.lo)),
    "select": _select,
}
