"""References: where joints (or a tool) shall be at time t, with speed and acceleration, on floats and traced.

All begin and end at rest and stay at their ends before and after.

    q, qd, qdd = reference.at(t)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.algebra.functions import cos, less, maximum, minimum, select, sin
from torsor.control.gains import numbers, vector
from torsor.errors import ShapeError
from torsor.mechanics.tree import Real
from torsor.model import ranges
from torsor.model.transforms import Floats
from torsor.motion.time_laws.polynomials import Polynomials
from torsor.motion.time_laws.time_law import TimeLaw, TimeLawShape, quintic_between

TINY = 1e-300
_AT_ONCE = 1e9  # 1/s: ways per second of a way without limits
State = tuple[Any, Any, Any]  # q, qd, qdd, each (..., n), of floats or of graph scalars


@runtime_checkable
class Reference(Protocol):
    """Anything with a size and a value at t, its exact rates included."""

    @property
    def n(self) -> int: ...

    @property
    def duration(self) -> float: ...

    def at(self, t: Real) -> State: ...


@dataclass(frozen=True, eq=False)
class Point:
    """A place to be at, always."""

    q: Floats
    duration: float = 0.0

    @property
    def n(self) -> int:
        return int(self.q.size)

    def at(self, t: Real) -> State:
        still = np.zeros(self.n)
        return self.q, still, still


@dataclass(frozen=True, eq=False)
class Piecewise:
    """Polynomials in turn: between breaks[k] and breaks[k + 1] q = sum_d coefficients[k, d] (t - breaks[k])^d."""

    breaks: Floats  # (pieces + 1,)
    coefficients: Floats  # (pieces, degree + 1, n)

    @property
    def n(self) -> int:
        return int(self.coefficients.shape[-1])

    @property
    def duration(self) -> float:
        return float(self.breaks[-1])

    def at(self, t: Real) -> State:
        """At a time, at times (...), or at a graph scalar, where selects choose the piece."""
        traced = hasattr(t, "op")
        t = t if traced else np.asarray(t, dtype=np.float64)
        inside = minimum(maximum(t, self.breaks[0]), self.breaks[-1])
        if traced:
            local: Any = inside - self.breaks[0]
            chosen: Any = self.coefficients[0]
            for start, piece in zip(self.breaks[1:-1], self.coefficients[1:], strict=True):
                later = less(float(start), inside)
                local = select(later, inside - float(start), local)
                chosen = select(later, piece, chosen)
        else:
            k = np.clip(np.searchsorted(self.breaks, inside, side="left") - 1, 0, len(self.coefficients) - 1)
            local = (inside - self.breaks[k])[..., None]
            chosen = np.moveaxis(self.coefficients[k], -2, 0)
        q, qd, qdd = _horner(chosen, local)
        moving = less(self.breaks[0], t) * less(t, self.breaks[-1])
        moving = moving if traced else moving[..., None]
        return q, qd * moving, qdd * moving


def _horner(coefficients: Any, s: Any) -> State:
    q, qd, qdd = coefficients[-1], 0.0 * coefficients[-1], 0.0 * coefficients[-1]
    for c in coefficients[-2::-1]:
        qdd = qdd * s + 2.0 * qd
        qd = qd * s + q
        q = q * s + c
    return q, qd, qdd


@dataclass(frozen=True, eq=False)
class Sine:
    """q = centre + amplitude sin(2 pi frequency t + phase), each joint its own; it never rests."""

    centre: NDArray[Any]
    amplitude: NDArray[Any]
    frequency: NDArray[Any]  # Hz
    phase: NDArray[Any]
    duration: float = float("inf")

    @property
    def n(self) -> int:
        return int(self.centre.size)

    def at(self, t: Real) -> State:
        w = 2.0 * np.pi * self.frequency
        t = t if hasattr(t, "op") else np.asarray(t, dtype=np.float64)[..., None]
        angle = w * t + self.phase
        s, c = sin(angle), cos(angle)
        return self.centre + self.amplitude * s, self.amplitude * w * c, -self.amplitude * w * w * s


def point(q: ArrayLike) -> Point:
    """A constant reference.

    >>> point([1.0, 2.0]).at(0.5)[0]
    array([1., 2.])
    """
    array = numbers("q", q)
    if array.ndim != 1:
        raise ShapeError(f"q has shape {array.shape}", hint="give one number a joint")
    return Point(array)


def quintic(
    points: ArrayLike,
    *,
    durations: ArrayLike | None = None,
    speed: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
) -> Piecewise:
    """Through points (k, n), at rest at each, by polynomials of degree five: q = q0 + d (10 s^3 - 15 s^4 + 6 s^5).

    Each way takes ``durations`` s, or as long as ``speed`` and ``acceleration`` allow: their peaks are 15/8 d/T and
    10/sqrt(3) d/T^2.

    >>> quintic([[0.0], [1.0]], durations=2.0).at(1.0)
    (array([0.5]), array([0.9375]), array([0.]))
    """
    q = _points(points)
    if durations is None:
        return _through(q, "quintic", speed, acceleration)
    T = vector("durations", durations, len(q) - 1, positive=True)
    ranges.DURATION.refuse("a duration", T)
    return _made(q, [quintic_between(1.0, time, 0.0, 0.0) for time in T.tolist()])


def trapezoid(points: ArrayLike, *, speed: ArrayLike, acceleration: ArrayLike) -> Piecewise:
    """Through points (k, n), at rest at each: all joints speed up evenly, keep their speed, and brake, together.

    The joint that needs longest at its ``speed`` and ``acceleration`` says how long; the others keep below theirs.

    >>> r = trapezoid([[0.0], [2.0]], speed=1.0, acceleration=1.0)
    >>> r.duration, r.at(1.5)
    (3.0, (array([1.]), array([1.]), array([0.])))
    """
    return _through(_points(points), "trapezoid", speed, acceleration)


def table(times: ArrayLike, q: ArrayLike) -> Piecewise:
    """Through q (k, n) at times (k,), by a cubic spline at rest at both ends.

    Traced, each row costs a choice for every coefficient: thousands of rows make large programs.

    >>> table([0.0, 1.0], [[0.0], [1.0]]).at(0.5)[0]
    array([0.5])
    """
    from scipy.interpolate import CubicSpline

    t, rows = numbers("times", times), _points(q)
    ranges.WAITING.refuse("a time", t - t.min(initial=0.0))
    if t.shape != (len(rows),) or not (np.diff(t) > 0.0).all():
        raise ShapeError(f"times have shape {t.shape}", hint=f"{len(rows)} that rise, one for each row of q")
    spline = CubicSpline(t, rows, bc_type="clamped")
    return Piecewise(t, np.moveaxis(spline.c[::-1], 0, 1))


def sine(centre: ArrayLike, amplitude: ArrayLike, frequency: ArrayLike, phase: ArrayLike = 0.0) -> Sine:
    """A wave for each joint, ``frequency`` in Hz: q = centre + amplitude sin(2 pi f t + phase).

    >>> sine([0.0], 1.0, 0.25).at(1.0)[0]
    array([1.])
    """
    middle = point(centre).q
    n = middle.size
    wave = Sine(middle, vector("amplitude", amplitude, n), vector("frequency", frequency, n), vector("phase", phase, n))
    for name, sensible in (("amplitude", ranges.PLACE), ("frequency", ranges.FREQUENCY), ("phase", ranges.PLACE)):
        sensible.refuse(name, getattr(wave, name))
    return wave


def as_reference(value: Reference | ArrayLike, n: int, what: str = "reference") -> Reference:
    """A reference as it is, or a point of the numbers given."""
    found = value if isinstance(value, Reference) else Point(numbers(what, value).reshape(-1))
    if found.n != n:
        raise ShapeError(f"{what} is of {found.n} numbers", hint=f"give {n}")
    return found


def _points(points: ArrayLike) -> Floats:
    q = numbers("points", points)
    if q.ndim != 2 or len(q) < 2:
        raise ShapeError(f"points have shape {q.shape}", hint="give two or more rows, one number a joint in each")
    ranges.PLACE.refuse("a coordinate of the points", q)
    return q


def _through(q: Floats, shape: TimeLawShape, speed: ArrayLike | None, acceleration: ArrayLike | None) -> Piecewise:
    """The fastest time law of a shape for each way, whose share all joints go together."""
    if speed is None and acceleration is None:
        raise ShapeError("no durations, speed or acceleration", hint="give durations=, or limits of speed and so on")
    n, law = q.shape[1], TimeLaw(shape)
    v = _AT_ONCE if speed is None else vector("speed", speed, n, positive=True)
    a = _AT_ONCE**2 if acceleration is None else vector("acceleration", acceleration, n, positive=True)
    laws = []
    for size in np.abs(np.diff(q, axis=0)):
        # limits of the share of the way, 1/s and 1/s^2; a way of no length takes no time to speak of
        v_share = float(np.min(v / np.maximum(size, v / _AT_ONCE)))
        a_share = float(np.min(a / np.maximum(size, a / _AT_ONCE**2)))
        ranges.WAITING.refuse("the time of a way", max(1.0 / max(v_share, TINY), max(a_share, TINY) ** -0.5))
        laws.append(law.over(1.0, speed=v_share, acceleration=a_share))
    return _made(q, laws)


def _made(q: Floats, laws: Sequence[Polynomials]) -> Piecewise:
    """The ways between points, each by its law of the share of the way."""
    share = laws[0]
    for law in laws[1:]:
        share = share.then(law)
    way = np.repeat(np.arange(len(laws)), [len(law.coefficients) for law in laws])  # of each piece
    c = share.coefficients[..., None] * np.diff(q, axis=0)[way, None, :]
    c[:, 0] += q[:-1][way]
    return Piecewise(share.breaks, c)
