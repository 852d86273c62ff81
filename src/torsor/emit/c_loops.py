"""Loops without a closed form, in C: Newton's method with a bounded number of steps, its residual an output.

The guess is in and out: a controller hands in what the last cycle gave. ``..._assembled`` gives one to begin with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.algebra.tape import Array, Tape
from torsor.emit.c_text import literal

STEPS = 4  # of a call, and one more inside the function: from a guess that is off by 0.1 rad the last is rounding


@dataclass(frozen=True, eq=False)
class CLoops:
    """``step`` takes the first state and a guess and gives one nearer, and the residual at the guess it was given."""

    step: Tape
    around: Mapping[str, Any]  # an assembled posture: the free joints q, and the guess there

    @property
    def guess(self) -> Array:
        return self.step.inputs[1]

    @property
    def gap(self) -> Array:
        return self.step.outputs[1]

    def assembled(self, library: str, real: str) -> str:
        q = np.ravel(self.around["q"])
        return f"void {library}_assembled({real} q[{len(q)}], {real} {self.guess.name}[{self.guess.size}])"

    def assembled_body(self, real: str) -> list[str]:
        names = (("q", "q"), (self.guess.name, self.guess.name))
        return [
            f"    {name}[{k}] = {literal(float(x), real)};"
            for name, key in names
            for k, x in enumerate(np.ravel(self.around[key]))
        ]

    def explained(self) -> list[str]:
        """Of the two arrays that a function takes beside its own."""
        return [
            f"in and out  {self.guess.name}  {self.guess.size}: joints that loops move, as the last call left them",
            f"out  {self.gap.name}  1: what loops leave open at that guess, m or rad; not small: they do not close",
            f"Loops are closed by {STEPS} steps of Newton's method, on from the guess, and one more.",
        ]
