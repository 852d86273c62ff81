"""Tapes on intervals: bounds that hold for every point of a box, rounding included.

Each operation gives an interval that contains all results of its arguments, rounded outward; so the outputs of a tape
contain all values it takes over a box of inputs. They are wider than need be where an input occurs more than once, the
more the wider the box: ``extremes.py`` cuts boxes in two where that matters and keeps the certainty.
"""

from __future__ import annotations

from collections.abc import Callable
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
    if len(boxes) != len(tape.inputs):
        raise ShapeError(f"tape {tape.name!r} takes {len(tape.inputs)} boxes, not {len(boxes)}")
    flat: list[Interval] = []
    for want, box in zip(tape.inputs, boxes, strict=True):
        lo, hi = box if isinstance(box, tuple) else (box, box)
        lo, hi = np.broadcast_arrays(np.asarray(lo, dtype=np.float64), np.asarray(hi, dtype=np.float64))
        core = len(want.shape)
        if lo.ndim < core or lo.shape[lo.ndim - core :] != want.shape:
            raise ShapeError(f"{want.name} has shape {lo.shape}", hint=f"it must end in {want.shape}")
        if not (lo <= hi).all():
            raise ShapeError(f"a box of {want.name} ends below where it begins", hint="give (lo, hi) with lo <= hi")
        batch = lo.shape[: lo.ndim - core]
        lo, hi = (end.reshape((*batch, want.size)) for end in (lo, hi))
        flat += [Interval(lo[..., k], hi[..., k]) for k in range(want.size)]
    batch = np.broadcast_shapes(*(each.lo.shape for each in flat)) if flat else ()
    values = _values(tape, flat)
    outputs, start = [], 0
    for want in tape.outputs:
        ends = [np.empty((*batch, want.size)), np.empty((*batch, want.size))]
        for k in range(want.size):
            for end, value in zip(ends, values[tape.results[start + k]], strict=True):
                end[..., k] = value
        start += want.size
        outputs.append(Interval(*(end.reshape((*batch, *want.shape)) for end in ends)))
    return tuple(outputs)


def _values(tape: Tape, inputs: list[Interval]) -> list[Interval]:
    values: list[Interval] = []
    done: dict[int, list[int]] = {}
    last = list(tape.liveness().last_use)
    for k in tape.results:
        last[k] = len(tape.code)
    for k, end in enumerate(last):
        done.setdefault(end, []).append(k)
    none = Interval(np.zeros(0), np.zeros(0))
    with np.errstate(all="ignore"):
        for k, step in enumerate(tape.code):
            values.append(_step(step, values, inputs))
            for spent in done.get(k, ()):
                if spent != k:
                    values[spent] = none  # memory: boxes come by the ten thousand
    return values


def _step(step: Instruction, values: list[Interval], inputs: list[Interval]) -> Interval:
    if step.op == "input":
        return inputs[int(step.value)]
    if step.op == "const":
        return Interval(np.float64(step.value), np.float64(step.value))  # type: ignore[arg-type]
    if step.op == "mul" and step.args[0] == step.args[1]:
        return _square(values[step.args[0]])
    return _rules[step.op](*(values[arg] for arg in step.args))


def _out(lo: Floats, hi: Floats) -> Interval:
    """Rounded outward. NaN, as of inf - inf, says nothing: the whole line."""
    lo, hi = np.nextafter(lo, -np.inf), np.nextafter(hi, np.inf)
    return Interval(np.where(np.isnan(lo), -np.inf, lo), np.where(np.isnan(hi), np.inf, hi))


def _add(a: Interval, b: Interval) -> Interval:
    return _out(a.lo + b.lo, a.hi + b.hi)


def _sub(a: Interval, b: Interval) -> Interval:
    return _out(a.lo - b.hi, a.hi - b.lo)


def _corners(f: Callable[[Floats, Floats], Floats], a: Interval, b: Interval) -> tuple[Floats, Floats]:
    one, two, three, four = f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)
    return (
        np.minimum(np.minimum(one, two), np.minimum(three, four)),
        np.maximum(np.maximum(one, two), np.maximum(three, four)),
    )


def _mul(a: Interval, b: Interval) -> Interval:
    return _out(*_corners(np.multiply, a, b))


def _square(a: Interval) -> Interval:
    least, most = np.minimum(np.abs(a.lo), np.abs(a.hi)), np.maximum(np.abs(a.lo), np.abs(a.hi))
    inside = (a.lo <= 0.0) & (a.hi >= 0.0)
    lo, hi = _out(np.where(inside, 0.0, least * least), most * most)
    return Interval(np.maximum(lo, 0.0), hi)


def _div(a: Interval, b: Interval) -> Interval:
    lo, hi = _out(*_corners(np.divide, a, b))
    unsure = (b.lo <= 0.0) & (b.hi >= 0.0)
    return Interval(np.where(unsure, -np.inf, lo), np.where(unsure, np.inf, hi))


def _neg(a: Interval) -> Interval:
    return Interval(-a.hi, -a.lo)


def _sqrt(a: Interval) -> Interval:
    lo, hi = _out(np.sqrt(np.maximum(a.lo, 0.0)), np.sqrt(np.maximum(a.hi, 0.0)))
    return Interval(np.maximum(lo, 0.0), hi)


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
    lo, hi = _out(np.exp(a.lo) * (1.0 - SLACK), np.exp(a.hi) * (1.0 + SLACK))
    return Interval(np.maximum(lo, 0.0), hi)


def _atan2(y: Interval, x: Interval) -> Interval:
    lo, hi = _corners(np.arctan2, y, x)
    lo, hi = _out(lo - pi * SLACK, hi + pi * SLACK)
    cut = (x.lo <= 0.0) & (y.lo <= 0.0) & (y.hi >= 0.0)
    whole = np.nextafter(pi, np.inf)
    return Interval(np.where(cut, -whole, lo), np.where(cut, whole, hi))


def _abs(a: Interval) -> Interval:
    inside = (a.lo <= 0.0) & (a.hi >= 0.0)
    least = np.where(inside, 0.0, np.minimum(np.abs(a.lo), np.abs(a.hi)))
    return Interval(least, np.maximum(np.abs(a.lo), np.abs(a.hi)))


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
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div": _div,
    "neg": _neg,
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
