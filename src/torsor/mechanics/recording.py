"""Loops without a closed form in graphs of a state: Newton's method starts where they are closed at that state.

Whoever records a function of a state says at which joints; whoever is asked for a graph at these takes their guess as
it is, and at others goes on from it by so many steps that all but joints far away are closed. What those leave open is
noted, so that nobody trusts what does not close.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from torsor.errors import Unsupported
from torsor.mechanics.closure import Closure
from torsor.mechanics.loops import GUESS
from torsor.mechanics.tree import Reals

ROUNDS = 6  # steps from the joints of the state to others: within half a radian the last one is rounding


@dataclass(frozen=True, eq=False)
class Recording:
    """What is recorded now: joints q at which the guess closes the loops of ``facts``, and what others leave open."""

    q: Reals
    facts: bytes
    open: list[Any] = field(default_factory=list)  # squares


_NOW: ContextVar[Recording | None] = ContextVar("recording", default=None)


@contextmanager
def recording(q: Reals, facts: bytes) -> Iterator[Recording]:
    now = Recording(q, facts)
    token = _NOW.set(now)
    try:
        yield now
    finally:
        _NOW.reset(token)


def guess_at(closure: Closure, facts: bytes, x: Reals) -> Reals:
    """Guessed entries (d,) for graph scalars x, on from those of the state that is recorded."""
    from torsor.algebra import symbols

    now, guess = _NOW.get(), symbols(GUESS, len(closure.guessed))
    if now is None:
        name = closure.tree.name
        text = f"the loops of {name!r} are closed by Newton's method, which is not recorded as a graph"
        raise Unsupported(text, hint="call its methods on numbers; a law that is simulated may call them as it likes")
    if facts == now.facts and len(x) == len(now.q) and all(a is b for a, b in zip(x, now.q, strict=True)):
        return guess
    for _ in range(ROUNDS):
        step, left = closure.newton_step(x, guess)
        guess = guess + step
    now.open.append(left)
    return guess
