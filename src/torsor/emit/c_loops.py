"""Loops without a closed form, in C: Newton's method with a bounded number of steps, its residual an output.

The guess is in and out: a controller hands in what the last cycle gave. ``..._assembled`` gives one to begin with.
"""

from __future__ import annotations

import numpy as np

from torsor.emit.c_text import literal
from torsor.emit.code_function import STEPS, CodeLoops


def assembled(loops: CodeLoops, library: str, real: str) -> str:
    """The prototype of the function that gives a posture to begin with."""
    q = np.ravel(loops.around["q"])
    return f"void {library}_assembled({real} q[{len(q)}], {real} {loops.guess.name}[{loops.guess.size}])"


def assembled_body(loops: CodeLoops, real: str) -> list[str]:
    return [
        f"    {name}[{k}] = {literal(float(x), real)};"
        for name in ("q", loops.guess.name)
        for k, x in enumerate(np.ravel(loops.around[name]))
    ]


def loops_explained(loops: CodeLoops) -> list[str]:
    """Of the two arrays that a function takes beside its own."""
    return [
        f"in and out  {loops.guess.name}  {loops.guess.size}: joints that loops move, as the last call left them",
        f"out  {loops.gap.name}  1: what loops leave open at that guess, m or rad; not small: they do not close",
        f"Loops are closed by {STEPS} steps of Newton's method, on from the guess, and one more.",
    ]
