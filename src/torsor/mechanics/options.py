"""The options that quantities of an arm take, as types of their keywords."""

from __future__ import annotations

from typing import TypedDict

from numpy.typing import ArrayLike

from torsor.mechanics.tree import Drives
from torsor.model.transforms import Floats


class Plain(TypedDict, total=False):
    """Options of every quantity."""

    out: Floats | tuple[Floats, ...] | None
    threads: int | None


class Framed(Plain, total=False):
    frame: str


class Driven(Plain, total=False):
    drives: Drives


class Formulated(Plain, total=False):
    by: str | None


class DrivenBy(Driven, Formulated, total=False):
    pass


class Weighted(Plain, total=False):
    gravity: ArrayLike | None


class WeightedDriven(Weighted, Driven, total=False):
    pass


class Loaded(Weighted, Driven, total=False):
    wrench: ArrayLike | None


class WeightedBy(Weighted, Formulated, total=False):
    pass


class LoadedBy(Loaded, Formulated, total=False):
    pass
