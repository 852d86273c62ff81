"""What may drive an arm: torques that are held, a table of them, or a law, traced where it can be and else called."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.tape import Array, Tape
from torsor.errors import CompileError, ShapeError, Unsupported
from torsor.mechanics.arguments import floats
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.algebra import Node
    from torsor.simulation.sampled import Sampled

Kind = Literal["held", "table", "traced", "called", "sampled"]


class SimulationNotice(UserWarning):
    """Something that a simulation did by itself and that its user should know."""


@dataclass(frozen=True, eq=False)
class Torque:
    """Where torques come from. ``function(t, q, qd)``, or with states ``function(t, q, qd, x) -> (u, xdot)``."""

    kind: Kind
    function: Callable[..., Any] | None = None
    held: Floats | None = None  # (m,), or a table (steps, m)
    states: int = 0
    sampled: Sampled | None = None
    parameters: tuple[Node, ...] = ()  # that it was written with
    note: str | None = None  # what its user should know

    def __call__(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        """Torques (m,) and the rates of the law's states (k,)."""
        assert self.function is not None
        if not self.states:
            return self.function(t, q, qd), np.zeros(0)
        u, xdot = self.function(t, q, qd, x)
        return u, xdot


def states_of(law: Any) -> int:
    """How many states of its own a law has."""
    found = getattr(law, "states", 0)
    if callable(found):
        found = found()
    return int(found or 0)


def initial_states(law: Any, q0: Floats, qd0: Floats) -> Floats:
    """(k,), from the law's ``initial_state(q0, qd0)`` or ``state0``; zero without a word."""
    k = states_of(law)
    start = np.zeros(k)
    if k and hasattr(law, "initial_state"):
        start = np.asarray(law.initial_state(q0, qd0), dtype=np.float64)
    elif k and getattr(law, "state0", None) is not None:
        start = np.asarray(law.state0, dtype=np.float64)
    if start.shape != (k,):
        raise ShapeError(f"the law starts with states of shape {start.shape}", hint=f"it says that it has {k}")
    return start


def torque_of(law: ArrayLike | Callable[..., Any], n: int, m: int, whose: str, steps: int) -> Torque:
    """What a user gave, understood: refused by name where it is neither torques nor a law."""
    from torsor.simulation.sampled import Sampled

    if isinstance(law, Sampled):
        inner = torque_of(law.law, n, m, whose, steps)
        if inner.kind in ("held", "table"):
            raise Unsupported("Sampled takes a law", hint="law(t, q, qd) -> torques; a table is sampled as it is")
        if inner.kind == "called":
            raise Unsupported("a sampled law must be traceable", hint="write it with NumPy and torsor.algebra")
        return Torque("sampled", inner.function, None, inner.states, law, inner.parameters)
    if not callable(law):
        given = floats("torque", law, m, whose)
        if not np.isfinite(given).all():
            raise ShapeError("the torque holds something that is no number", hint="in N m, finite")
        if given.ndim == 1:
            return Torque("held", held=given)
        if given.shape != (steps, m):
            raise ShapeError(f"torque has shape {given.shape}", hint=f"one for all, or one a step of dt: {(steps, m)}")
        return Torque("table", held=given)
    states = states_of(law)
    _require_arguments(law, states)
    trial = Torque("traced", law, states=states)
    try:
        u, xdot = _traced(trial, n, m)
    except ShapeError:
        raise
    except (CompileError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError) as error:
        return _called(law, states, n, m, error)
    from torsor.algebra.walk import topological

    roots = [node for node in [*u, *xdot] if hasattr(node, "op")]
    used = [node for node in topological(roots) if node.op == "parameter"]
    return Torque("traced", law, states=states, parameters=tuple(sorted(used, key=lambda node: node.name)))


def _require_arguments(law: Callable[..., Any], states: int) -> None:
    """Refuses a law that cannot be called, before a traceback says so from inside."""
    try:
        signature = inspect.signature(law)
    except (TypeError, ValueError):  # of some builtins nobody knows
        return
    try:
        signature.bind(*([None] * (4 if states else 3)))
    except TypeError:
        hint = (
            f"law(t, q, qd, x) -> (torques, xdot), with its {states} states" if states else "law(t, q, qd) -> torques"
        )
        raise ShapeError(f"the law takes {signature}", hint=hint) from None


def _traced(trial: Torque, n: int, m: int) -> tuple[Any, Any]:
    from torsor.algebra import symbol, symbols

    states = symbols("x", trial.states) if trial.states else np.zeros(0)
    u, xdot = trial(symbol("t"), symbols("q", n), symbols("qd", n), states)
    return shaped_torque(u, m), _shaped_rates(xdot, trial.states)


def _shaped_rates(xdot: Any, k: int) -> Any:
    rates = np.asarray(xdot, dtype=object)
    if rates.shape != (k,):
        raise ShapeError(f"the law gives rates of shape {rates.shape}", hint=f"({k},), one for each of its states")
    return rates


def shaped_torque(u: Any, m: int) -> Any:
    given = np.asarray(u, dtype=object)
    if given.shape not in ((), (m,)) or any(each is None for each in given.flat):
        if given.shape == ():
            raise ShapeError(f"the law gives {u!r:.60}", hint=f"torques ({m},)")
        raise ShapeError(f"the law gives torques of shape {given.shape}", hint=f"({m},) for these motors")
    return np.broadcast_to(given, (m,))


def _called(law: Any, states: int, n: int, m: int, error: Exception) -> Torque:
    """A law that only runs on numbers, if it does."""
    zeros = np.zeros(n)
    result = law(0.0, zeros, zeros, initial_states(law, zeros, zeros))[0] if states else law(0.0, zeros, zeros)
    shape = np.shape(result)
    if shape not in ((), (m,)):
        raise ShapeError(f"the law gives torques of shape {shape}", hint=f"({m},) for these motors")
    name = getattr(law, "__name__", type(law).__name__)
    note = (
        f"the law {name} cannot be traced ({error}); it is called from Python at every stage, far slower: "
        "write it with NumPy on q, qd and t, Arm methods and torsor.algebra.select"
    )
    return Torque("called", law, states=states, note=note)


class Foreign:
    """A Python function behind the signature of a kernel, so that a native loop can call it."""

    def __init__(
        self, name: str, function: Callable[..., Any], inputs: dict[str, int], outputs: dict[str, int]
    ) -> None:
        self.tape = Tape(
            name,
            tuple(Array(word, (size,)) for word, size in inputs.items()),
            tuple(Array(word, (size,)) for word, size in outputs.items()),
            (),
            (),
        )
        self.general = function
        self.error: BaseException | None = None
        self._seen: dict[tuple[int, int], Floats] = {}
        count = len(inputs) + len(outputs)
        self._native = ctypes.CFUNCTYPE(None, *([ctypes.c_void_p] * count))(self._answer)
        self.scalar_address: int | None = ctypes.cast(self._native, ctypes.c_void_p).value
        self.rows_address: int | None = None

    def _answer(self, *pointers: int) -> None:
        arrays = (*self.tape.inputs, *self.tape.outputs)
        places = [self._at(p, array.size) for p, array in zip(pointers, arrays, strict=True)]
        count = len(self.tape.inputs)
        try:
            results = self.general(*[place.copy() for place in places[:count]])
            results = results if isinstance(results, tuple) else (results,)
            for place, result in zip(places[count:], results, strict=True):
                place[:] = result
        except BaseException as error:  # an error cannot pass through machine code: it is raised when that is done
            self.error = self.error or error
            for place in places[count:]:
                place[:] = np.nan

    def _at(self, pointer: int, size: int) -> Floats:
        """The workspace stays where it is while a loop runs: its places are looked up once."""
        found = self._seen.get((pointer, size))
        if found is None:
            found = np.ctypeslib.as_array((ctypes.c_double * size).from_address(pointer))
            self._seen[pointer, size] = found
        return found

    def raise_error(self) -> None:
        error, self.error = self.error, None
        self._seen.clear()
        if error is not None:
            raise error
