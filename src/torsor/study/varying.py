"""What varies in a study: values on a grid or in a list, or drawn from a distribution.

A distribution is its quantile function: it turns numbers u in (0, 1) into values, wherever these numbers come from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.errors import StudyError
from torsor.model.transforms import Floats

MOST_STEPS = 10_000_000  # of a grid: its values are kept


@dataclass(frozen=True)
class Grid1D:
    """``count`` values from ``low`` to ``high``, both included, in equal steps; with ``log`` in equal ratios.

    >>> Grid1D(0.0, 4.0, 5).values
    (0.0, 1.0, 2.0, 3.0, 4.0)
    """

    low: float
    high: float
    count: int
    log: bool = False

    def __post_init__(self) -> None:
        _finite("a grid", low=self.low, high=self.high)
        if not self.low < self.high or self.count < 2:
            raise StudyError(f"a grid of {self.count} from {self.low:g} to {self.high:g}", hint="two or more, rising")
        if self.count > MOST_STEPS:
            hint = f"at most {MOST_STEPS}; of a distribution more can be drawn"
            raise StudyError(f"a grid of {self.count} values", hint=hint)
        if self.log and not self.low > 0.0:
            raise StudyError(f"a grid in equal ratios begins at {self.low:g}", hint="above zero")

    @property
    def values(self) -> tuple[float, ...]:
        steps = np.arange(self.count) / (self.count - 1)
        if self.log:
            found = self.low * np.exp(steps * np.log(self.high / self.low))
        else:
            found = self.low + (self.high - self.low) * steps
        found[-1] = self.high
        return tuple(found.tolist())


@dataclass(frozen=True)
class Listed:
    """Values one by one: numbers, or names of arms and programs."""

    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise StudyError("a list without values", hint="one or more")
        kinds = {isinstance(each, str) for each in self.values}
        if len(kinds) > 1:
            raise StudyError("a list of numbers and texts", hint="either of them")
        if not kinds.pop():
            _finite("a list", **{f"value {k + 1}": each for k, each in enumerate(self.values)})
        if len(set(self.values)) < len(self.values):
            raise StudyError("a list has a value twice", hint="each once: runs are told apart by their values")


@dataclass(frozen=True)
class Uniform:
    """Every value between ``low`` and ``high`` is as likely.

    >>> Uniform(1.0, 3.0).quantile(np.array([0.0, 0.5, 1.0])).tolist()
    [1.0, 2.0, 3.0]
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        _rising("a uniform distribution", self.low, self.high)

    def quantile(self, u: Floats) -> Floats:
        return self.low + (self.high - self.low) * u


@dataclass(frozen=True)
class Normal:
    """Gauss's bell about ``mean``; cut off at ``least`` and ``most`` where they are given, and as likely in between.

    >>> Normal(5.0, 1.0).quantile(np.array([0.5])).tolist()
    [5.0]
    """

    mean: float
    deviation: float
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        _finite("a normal distribution", mean=self.mean, deviation=self.deviation)
        if not self.deviation > 0.0:
            raise StudyError(f"a normal distribution has the deviation {self.deviation:g}", hint="above zero")
        if self.least is not None and self.most is not None:
            _rising("a normal distribution cut off", self.least, self.most)
        low, high = self._tails
        if not high > low:
            raise StudyError("a normal distribution is cut off where nothing of it is left", hint="nearer to its mean")

    @property
    def _tails(self) -> tuple[float, float]:
        from scipy.special import ndtr

        least = -np.inf if self.least is None else (self.least - self.mean) / self.deviation
        most = np.inf if self.most is None else (self.most - self.mean) / self.deviation
        return float(ndtr(least)), float(ndtr(most))

    def quantile(self, u: Floats) -> Floats:
        from scipy.special import ndtri

        low, high = self._tails
        found = self.mean + self.deviation * ndtri(low + (high - low) * u)
        return np.asarray(np.clip(found, self.least, self.most))


@dataclass(frozen=True)
class Triangular:
    """From ``low`` to ``high``, likeliest at ``mode``: what is known of a tolerance is often no more.

    >>> Triangular(0.0, 1.0, 2.0).quantile(np.array([0.5])).tolist()
    [1.0]
    """

    low: float
    mode: float
    high: float

    def __post_init__(self) -> None:
        _rising("a triangular distribution", self.low, self.high)
        if not self.low <= self.mode <= self.high:
            raise StudyError(f"a triangle from {self.low:g} to {self.high:g} peaks at {self.mode:g}", hint="in between")

    def quantile(self, u: Floats) -> Floats:
        width, left, right = self.high - self.low, self.mode - self.low, self.high - self.mode
        rising = self.low + np.sqrt(u * width * left)
        falling = self.high - np.sqrt((1.0 - u) * width * right)
        return np.where(u * width < left, rising, falling)


@dataclass(frozen=True)
class LogNormal:
    """exp of a bell: factors that are as likely twice as half. ``median`` above zero, ``spread`` of the logarithm.

    >>> LogNormal(2.0, 0.1).quantile(np.array([0.5])).tolist()
    [2.0]
    """

    median: float
    spread: float

    def __post_init__(self) -> None:
        _finite("a lognormal distribution", median=self.median, spread=self.spread)
        if not (self.median > 0.0 and self.spread > 0.0):
            raise StudyError("a lognormal distribution has a median and a spread above zero")

    def quantile(self, u: Floats) -> Floats:
        from scipy.special import ndtri

        return np.asarray(self.median * np.exp(self.spread * ndtri(u)))


Distribution = Uniform | Normal | Triangular | LogNormal
Variation = Grid1D | Listed | Distribution
DISTRIBUTIONS = (Uniform, Normal, Triangular, LogNormal)


def as_variation(name: str, value: Variation | Iterable[Any]) -> Variation:
    """What was given as a variation: itself, or values one by one."""
    if isinstance(value, (Grid1D, Listed, *DISTRIBUTIONS)):
        return value
    if isinstance(value, str | float | int) or not isinstance(value, Iterable):
        raise StudyError(f"{name} does not vary", hint="give values, Grid1D, Uniform, Normal, Triangular or LogNormal")
    return Listed(tuple(each.item() if isinstance(each, np.generic) else each for each in value))


def _finite(what: str, **numbers: Any) -> None:
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not np.isfinite(value):
            raise StudyError(f"{what}: {name} is {value!r}", hint="a finite number")


def _rising(what: str, low: float, high: float) -> None:
    _finite(what, low=low, high=high)
    if not low < high:
        raise StudyError(f"{what} from {low:g} to {high:g}", hint="low below high")
