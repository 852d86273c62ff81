"""Time laws: how far along a path, s(t), under a speed and an acceleration limit. All are piecewise polynomials.

A law ramps from its first speed to a peak, stays there, and ramps to its last speed. Ramps are symmetric in all laws,
so a ramp from v0 to v1 of duration T covers (v0 + v1) / 2 * T, and only T tells the laws apart:

- trapezoid: constant acceleration, T = |v1 - v0| / a;
- s-curve: jerk-limited, T = |v1 - v0| / a + a / j, or 2 sqrt(|v1 - v0| / j) where a is not reached;
- quartic: Paul's smooth step of the speed, T = 3/2 |v1 - v0| / a;
- quintic: no ramps but one polynomial for the whole move, with no acceleration at its ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal

import numpy as np

from torsor.errors import TorsorError, did_you_mean
from torsor.motion.narrowing import edge
from torsor.motion.time_laws.polynomials import Polynomials, chained

TimeLawShape = Literal["trapezoid", "s-curve", "quintic", "quartic"]
SHAPES: tuple[TimeLawShape, ...] = ("trapezoid", "s-curve", "quintic", "quartic")
_SLOPES = {"trapezoid": 1.0, "quartic": 1.5, "quintic": 1.5}  # time of a ramp over that at even acceleration
_NEWTON = 60
_EVEN = 1e-9  # relative difference of speeds that is none: rounding makes more of it where a ramp is smooth
_QUINTIC_SPEED, _QUINTIC_ACCELERATION = 15.0 / 8.0, 10.0 / sqrt(3.0)  # peaks of 10 h^3 - 15 h^4 + 6 h^5
RampPiece = tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class TimeLaw:
    """The kind of a time law and, for the S-curve, the time in which it builds up the full acceleration.

    >>> law = TimeLaw("trapezoid")
    >>> s = law.over(1.0, speed=0.5, acceleration=1.0)
    >>> s.duration, [round(float(x), 6) for x in s.at(1.25)]
    (2.5, [0.5, 0.5, 0.0, 0.0])
    """

    shape: TimeLawShape = "trapezoid"
    jerk_time: float = 0.1  # s: jerk limit = acceleration / jerk_time

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise TorsorError(f"there is no time law {self.shape!r}", hint=did_you_mean(self.shape, SHAPES))
        if not (0.0 < self.jerk_time < inf):
            raise TorsorError(f"jerk_time is {self.jerk_time}", hint="the time in s to full acceleration, above zero")

    def over(
        self, length: float, *, speed: float, acceleration: float, first: float = 0.0, last: float = 0.0
    ) -> Polynomials:
        """The fastest law of this kind from 0 to ``length``, from speed ``first`` to speed ``last``.

        Speeds at the ends must be within the limit and near enough to each other: see `reach`.
        """
        for word, value in (("speed", speed), ("acceleration", acceleration)):
            if not value > 0.0:
                raise TorsorError(f"{word} is {value}", hint=f"the limit of {word} is above zero")
        if not length > 0.0:
            return chained(0.0, [])
        speed = max(speed, first, last)
        reached = self.reach(min(first, last), length, acceleration)
        if reached < max(first, last) * (1.0 - 1e-12):
            problem = f"a {self.shape} from speed {first:.6g} to {last:.6g} does not fit into a length of {length:.6g}"
            raise TorsorError(problem, hint=f"with acceleration {acceleration:.6g} it reaches {reached:.6g}")
        if self.shape == "quintic":
            return _quintic(length, speed, acceleration, first, last)
        peak = self._peak(length, speed, acceleration, first, last)
        # a ramp shorter than the rounding of time is none
        first, last = (peak if abs(peak - end) < _EVEN * peak else end for end in (first, last))
        up, down = self._ramp_time(peak - first, acceleration), self._ramp_time(peak - last, acceleration)
        left = length - 0.5 * (first + peak) * up - 0.5 * (peak + last) * down
        cruise = max(left, 0.0) / peak
        pieces = [*self._ramp(first, peak, up, acceleration), (cruise, (peak,))]
        return _ending(chained(0.0, [*pieces, *self._ramp(peak, last, down, acceleration)]), length)

    def reach(self, first: float, length: float, acceleration: float) -> float:
        """The highest speed that a ramp from ``first`` reaches within ``length``; the same way back for braking."""
        if self.shape in _SLOPES:  # slope dv / a * (2 first + dv) / 2 = length
            return sqrt(first * first + 2.0 / _SLOPES[self.shape] * acceleration * length)
        build = acceleration * self.jerk_time  # the change of speed from which on the acceleration is reached
        # (2 first + dv) / 2 * (dv / a + jerk time) = length
        half = 0.5 * (2.0 * first + build)
        change = sqrt(max(half * half + 2.0 * acceleration * length - 2.0 * first * build, 0.0)) - half
        if change >= build:
            return first + change
        # (2 first + dv) sqrt(dv jerk time / a) = length: a cubic of x = sqrt(dv), by Newton's method from above
        right = length * sqrt(acceleration / self.jerk_time)
        x = float(right ** (1.0 / 3.0))
        for _ in range(_NEWTON):
            step = (x * (x * x + 2.0 * first) - right) / (3.0 * x * x + 2.0 * first)
            x -= step
            if abs(step) <= 1e-15 * x:
                break
        return first + x * x

    def _peak(self, length: float, speed: float, acceleration: float, first: float, last: float) -> float:
        """The highest speed within the limit for which both ramps fit into the length."""

        def fits(peak: float) -> bool:
            up, down = self._ramp_time(peak - first, acceleration), self._ramp_time(peak - last, acceleration)
            return 0.5 * (first + peak) * up + 0.5 * (peak + last) * down <= length

        if fits(speed):
            return speed
        if self.shape in _SLOPES:  # slope (2 peak^2 - first^2 - last^2) / (2 a) = length
            exact = sqrt(acceleration * length / _SLOPES[self.shape] + 0.5 * (first * first + last * last))
            return max(exact, first, last)
        return edge(max(first, last), speed, fits)

    def _ramp_time(self, change: float, acceleration: float) -> float:
        change = abs(change)
        if self.shape in _SLOPES:
            return _SLOPES[self.shape] * change / acceleration
        if change >= acceleration * self.jerk_time:
            return change / acceleration + self.jerk_time
        return 2.0 * sqrt(change * self.jerk_time / acceleration)

    def _ramp(self, start: float, end: float, time: float, acceleration: float) -> list[RampPiece]:
        change = end - start
        if time == 0.0 or change == 0.0:
            return []
        if self.shape == "trapezoid":
            return [(time, (start, change / time))]
        if self.shape == "quartic":  # speed start + change (3 h^2 - 2 h^3), h = t / time
            return [(time, (start, 0.0, 6.0 * change / time**2, -12.0 * change / time**3))]
        build = min(self.jerk_time, 0.5 * time)  # up to the acceleration, and down from it
        peak = change / (time - build)
        jerk = peak / build
        return [
            (build, (start, 0.0, jerk)),
            (time - 2.0 * build, (start + 0.5 * peak * build, peak)),
            (build, (end - 0.5 * peak * build, peak, -jerk)),
        ]


def quintic_between(length: float, time: float, first: float, last: float) -> Polynomials:
    """The quintic from 0 to ``length`` in ``time`` with these speeds, and no acceleration, at its ends."""
    d, v0, v1 = length / time, first, last
    c3 = (10.0 * d - 6.0 * v0 - 4.0 * v1) / time**2
    c4 = (-15.0 * d + 8.0 * v0 + 7.0 * v1) / time**3
    c5 = (6.0 * d - 3.0 * (v0 + v1)) / time**4
    return Polynomials(np.array([0.0, time]), np.array([[0.0, v0, 0.0, c3, c4, c5]]))


def _quintic(length: float, speed: float, acceleration: float, first: float, last: float) -> Polynomials:
    time = max(_QUINTIC_SPEED * length / speed, sqrt(_QUINTIC_ACCELERATION * length / acceleration))
    if first == last == 0.0:
        return _ending(quintic_between(length, time, 0.0, 0.0), length)
    # In this time the quintic is the quartic ramp, which `reach` knows to be within the limits.
    longest = 2.0 * length / (first + last)

    def allowed(time: float) -> bool:
        fastest, hardest, slowest = _peaks(quintic_between(length, time, first, last))
        return fastest <= speed * (1 + 1e-12) and hardest <= acceleration * (1 + 1e-12) and slowest >= -1e-12 * speed

    while time < longest and not allowed(time):
        time *= 1.25
    time = min(time, longest)
    if allowed(time):
        time = edge(time, length / speed, allowed)
    return _ending(quintic_between(length, time, first, last), length)


def _peaks(s: Polynomials) -> tuple[float, float, float]:
    """The highest speed, the largest acceleration and the lowest speed of one polynomial."""
    v, found = np.polynomial.Polynomial(s.coefficients[0]).deriv(), []
    for rate in (v, v.deriv()):
        roots = rate.deriv().roots()
        inside = roots.real[(np.abs(roots.imag) < 1e-9) & (roots.real > 0.0) & (roots.real < s.duration)]
        found.append(rate(np.concatenate([[0.0, s.duration], inside])))
    return float(found[0].max()), float(np.abs(found[1]).max()), float(found[0].min())


def _ending(law: Polynomials, length: float) -> Polynomials:
    """Rounding of the last digits goes into the length, so that a law ends exactly where its path does."""
    end, h = 0.0, float(law.breaks[-1] - law.breaks[-2])
    for c in law.coefficients[-1, ::-1].tolist():
        end = end * h + c
    if end > 0.0 and abs(end / length - 1.0) < 1e-6:
        return Polynomials(law.breaks, law.coefficients * (length / end))
    return law
