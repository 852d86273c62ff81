"""What may drive an arm: torques that are held, a table of them, or a law, recorded where it can be and else called."""

from __future__ import annotations

import inspect
import os
import pickle
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.emit.page import described
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.arguments import floats
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats
from torsor.simulation.described_arm import HUGE
from torsor.simulation.recorded import Recorded, attempted, recorded
from torsor.simulation.sampled import Sampled

TorqueKind = Literal["held", "table", "traced", "called", "sampled"]


class SimulationNotice(UserWarning):
    """Something that a simulation did by itself and that its user should know."""


def notice(text: str) -> None:
    """Says it to whoever called into Torsor."""
    level = 1
    while sys._getframe(level).f_globals["__name__"].startswith("torsor."):
        level += 1
    warnings.warn(text, SimulationNotice, stacklevel=level + 1)


@dataclass(frozen=True, eq=False)
class Torque:
    """Where torques come from: numbers, a law as it was recorded, or one that has to be called."""

    kind: TorqueKind
    m: int
    law: Any = None  # that is recorded or called
    graph: Recorded | None = None  # the law's torques (m,), and after them the rates of its states (k,)
    held: Floats | None = None  # (m,), or a table (steps, m)
    states: int = 0
    begin: Recorded | None = None  # the law's states at the start, from q and qd
    sampled: Sampled | None = None
    note: str | None = None  # what its user should know
    mark: bytes = b""  # of a law that is asked during the run: nobody knows what it depends on, so it equals none

    def __call__(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        """Torques (m,) and the rates of the law's states (k,), traced."""
        assert self.graph is not None
        both = self.graph(t, q, qd, x)
        return both[: self.m], both[self.m :]

    def called(self, t: float, q: Floats, qd: Floats, x: Floats) -> Floats:
        """(m + k,) torques and rates of a law that runs on numbers."""
        u, xdot = self.law(t, q, qd, x) if self.states else (self.law(t, q, qd), ())
        return np.concatenate([np.broadcast_to(np.asarray(u, dtype=np.float64), (self.m,)), xdot])

    def initial(self, q0: Floats, qd0: Floats) -> Floats:
        """(..., k): the law's states at the start."""
        shape = (*q0.shape[:-1], self.states)
        if self.begin is not None:
            found = np.array(np.broadcast_to(self.begin.evaluate(0.0, q0, qd0), shape))
        else:
            pairs = zip(np.atleast_2d(q0), np.atleast_2d(qd0), strict=True)
            rows = [_first_states(self.law, self.states, *pair) for pair in pairs]
            found = np.array(rows, dtype=float).reshape(shape)
        if not np.isfinite(found).all():
            raise ShapeError(f"the law starts with states {found}", hint="finite, for every start")
        return found

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"law": self.sent(self.law), "sampled": self.sent(self.sampled)}

    def sent(self, law: Any) -> Any:
        """What was given, for another process: as it was recorded, where a function itself cannot go there."""
        if self.graph is None or not callable(law):
            return law
        if self.sampled is not None and law is self.sampled:
            return replace(self.sampled, law=self.sent(self.law))
        try:
            pickle.dumps(law)
        except (pickle.PicklingError, AttributeError, TypeError):  # a lambda, or a function inside another
            return RecordedLaw(self.graph, self.m, self.states)
        return law

    @property
    def facts(self) -> bytes:
        """All that it is, but for torques that are given as numbers, as bytes."""
        known: list[object] = [self.kind, self.m, self.states, self.mark]
        known += [each.facts for each in (self.graph, self.begin) if each is not None]
        if self.sampled is not None:
            known += [getattr(self.sampled, each.name) for each in fields(self.sampled) if each.name != "law"]
        return described(*known)


def name_of(law: Any) -> str:
    return str(getattr(law, "__name__", type(law).__name__))


@dataclass(frozen=True, eq=False)
class RecordedLaw:
    """A law of which only what was recorded is left."""

    graph: Recorded
    m: int
    states: int

    def __call__(self, t: Any, q: Any, qd: Any, x: Any = ()) -> Any:
        traced = any(np.asarray(each).dtype == object for each in (t, q, qd, x))
        both = self.graph(t, q, qd, x) if traced else self.graph.evaluate(t, np.asarray(q), np.asarray(qd), x)
        return (both[..., : self.m], both[..., self.m :]) if self.states else both


def spoken_of(law: Any) -> Literal["motor", "joint"]:
    """Whose torques a law gives: those of the motors, unless it says otherwise."""
    law = law.law if isinstance(law, Sampled) else law
    return "joint" if getattr(law, "gives", "motor") == "joint" else "motor"


def torque_of(law: ArrayLike | Callable[..., Any], arm: Arm, m: int, whose: str) -> Torque:
    """What a user gave, understood: refused by name where it is neither torques nor a law."""
    if isinstance(law, Sampled):
        inner = torque_of(law.law, arm, m, whose)
        if inner.kind == "called":
            raise Unsupported("a sampled law must be traceable", hint="write it with NumPy and torsor.algebra")
        if inner.kind != "traced":
            raise Unsupported("Sampled takes a law", hint="law(t, q, qd) -> torques; a table is sampled as it is")
        return replace(inner, kind="sampled", sampled=law)
    if not callable(law):
        given = floats("torque", law, m, whose).copy()
        if not np.isfinite(given).all():
            raise ShapeError("the torque holds something that is no number", hint="in N m, finite")
        if not (np.abs(given) < HUGE).all():
            raise ShapeError(
                f"the torque holds {given.flat[np.argmax(np.abs(given))]:g}", hint=f"in N m, below {HUGE:g}"
            )
        given.flags.writeable = False
        return Torque("held" if given.ndim == 1 else "table", m, held=given)
    states = getattr(law, "states", 0)
    k = int((states() if callable(states) else states) or 0)
    _require_arguments(law, k)
    graph = attempted(lambda: recorded(lambda *now: _shaped(law(*now), m, k), arm, k, "what the law gives"))
    if isinstance(graph, Exception):
        return _called(law, k, arm.n, m, graph)
    traced = Torque("traced", m, law, graph, states=k)
    first = partial(recorded, lambda t, q, qd: _first_states(law, k, q, qd), arm, 0, "the law's first state")
    begin = attempted(first) if k else None
    return replace(traced, mark=os.urandom(16)) if isinstance(begin, Exception) else replace(traced, begin=begin)


def _require_arguments(law: Callable[..., Any], states: int) -> None:
    """Refuses a law that cannot be called, before a traceback says so from inside."""
    try:
        signature = inspect.signature(law)
    except (TypeError, ValueError):  # of some builtins nobody knows
        return
    try:
        signature.bind(*([None] * (4 if states else 3)))
    except TypeError:
        hint = f"law(t, q, qd, x) -> (torques, xdot), with its {states} states"
        raise ShapeError(f"the law takes {signature}", hint=hint if states else "law(t, q, qd) -> torques") from None


def _shaped(found: Any, m: int, k: int) -> Reals:
    """Torques and rates as one row (m + k,)."""
    u, xdot = found if k else (found, ())
    rates = np.asarray(xdot, dtype=object)
    if rates.shape != (k,):
        raise ShapeError(f"the law gives rates of shape {rates.shape}", hint=f"({k},), one for each of its states")
    given = np.asarray(u, dtype=object)
    if given.shape not in ((), (m,)) or any(each is None for each in given.flat):
        what = f"{u!r:.60}" if given.shape == () else f"torques of shape {given.shape}"
        raise ShapeError(f"the law gives {what}", hint=f"torques ({m},)" if u is None else f"({m},) for these motors")
    return np.concatenate([np.broadcast_to(given, (m,)), rates])


def _first_states(law: Any, k: int, q0: Reals, qd0: Reals) -> Reals:
    """(k,), from the law's ``initial_state(q0, qd0)`` or ``state0``; zero without a word."""
    own = getattr(law, "state0", None)
    start = law.initial_state(q0, qd0) if hasattr(law, "initial_state") else np.zeros(k) if own is None else own
    if np.shape(start) != (k,):
        raise ShapeError(f"the law starts with states of shape {np.shape(start)}", hint=f"it says that it has {k}")
    return np.asarray(start)


def _called(law: Any, k: int, n: int, m: int, error: Exception) -> Torque:
    """A law that only runs on numbers, if it does."""
    zeros = np.zeros(n)
    result = law(0.0, zeros, zeros, _first_states(law, k, zeros, zeros))[0] if k else law(0.0, zeros, zeros)
    if (shape := np.shape(result)) not in ((), (m,)):
        raise ShapeError(f"the law gives torques of shape {shape}", hint=f"({m},) for these motors")
    cure = "write it with NumPy on q, qd and t, Arm methods and torsor.algebra.select"
    slow = f"cannot be traced ({error}); it is called from Python at every stage, far slower"
    return Torque("called", m, law, states=k, note=f"the law {name_of(law)} {slow}: {cure}", mark=os.urandom(16))
