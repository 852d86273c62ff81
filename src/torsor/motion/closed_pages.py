"""Pages in some joints x of an arm that say where all its joints are: loops are closed at x, then the page runs on q.

The one place where the two meet a third: loops that have no closed form take a guess, which is solved here by Newton's
method before the kernel makes a last, exact step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from torsor.emit.page import Page, Shape
from torsor.mechanics.closed_stance import ClosedStance
from torsor.mechanics.closure import Closure
from torsor.mechanics.loops import GUESS
from torsor.model.transforms import Floats

OfStance = Callable[..., Mapping[str, Any]]  # of a ClosedStance, and of arrays


@dataclass(frozen=True, eq=False)
class ClosedPages:
    arm: str
    closure: Closure
    facts: bytes  # all that the closure depends on
    _pages: dict[str, Page] = field(default_factory=dict)

    def run(self, name: str, function: OfStance, x: Floats, *arrays: Floats, **shapes: Shape) -> Any:
        """``function(at, *arrays)`` compiled, at numbers x (..., n); ``shapes`` are those of the arrays."""
        if name not in self._pages:
            self._pages[name] = self._page(name, function, shapes)
        page = self._pages[name]
        return page(x, *arrays) if self.closure.is_explicit else page(x, *arrays, self.guess(x))

    def guess(self, x: Floats, near: Floats | None = None) -> Floats:
        """Guessed entries (..., d), solved: on straight lines from a closed posture near, or from the reference."""
        return self.closure.guess(x, near, None if self.closure.is_explicit else self._step)

    @cached_property
    def _step(self) -> Page:
        def step(x: Any, guess: Any) -> dict[str, Any]:
            move, left = self.closure.newton_step(x, guess)
            return {"move": move, "left": np.asarray(left, dtype=object)}

        inputs = {"x": self.closure.n, GUESS: len(self.closure.guessed)}
        return Page(f"{self.arm}_loops_step", inputs, step, (self.facts,))

    def _page(self, name: str, function: OfStance, shapes: dict[str, Shape]) -> Page:
        def traced(x: Any, *arrays: Any) -> Any:
            at = ClosedStance(self.closure, x)
            return at.finish(function(at, *arrays[: len(shapes)]))

        guess = {} if self.closure.is_explicit else {GUESS: len(self.closure.guessed)}
        inputs: dict[str, Shape] = {"x": self.closure.n, **shapes, **guess}

        traced.__module__ = function.__module__  # whose sources, too, the kernel depends on
        return Page(f"{self.arm}_{name}", inputs, traced, (self.facts,))
