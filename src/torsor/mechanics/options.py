"""The options that quantities of an arm take, as types of their keywords. What a quantity names here, it knows."""

from __future__ import annotations

from typing import Any, TypedDict

from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor.mechanics.tree import RotorKind


class Plain(TypedDict, total=False):
    """Options of every quantity."""

    out: NDArray[Any] | tuple[NDArray[Any], ...] | None
    threads: int | None
    dtype: DTypeLike | None


class Framed(Plain, total=False):
    frame: str


class Formulated(Plain, total=False):
    by: str | None


class FramedBy(Framed, Formulated, total=False):
    """Of formulations that know frames."""


class Weighted(Plain, total=False):
    gravity: ArrayLike | None


class Driven(Plain, total=False):
    drives: RotorKind


class DrivenBy(Driven, Formulated, total=False):
    """Of formulations that know drives."""


class WeightedBy(Weighted, Formulated, total=False):
    """Of formulations that know gravity."""


class WeightedDriven(Weighted, Driven, total=False):
    """Of what knows gravity and drives."""


class Loaded(WeightedDriven, total=False):
    wrench: ArrayLike | None


class LoadedBy(Loaded, Formulated, total=False):
    """Of formulations that know all loads."""
