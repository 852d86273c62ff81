"""The pages behind ``arm.closure``, traced: what each takes, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.algebra import symbols
from torsor.mechanics.asking import require_invertible
from torsor.mechanics.canonical import Trees
from torsor.mechanics.closure import Closure
from torsor.mechanics.constrained import correction, forward_dynamics, independent
from torsor.mechanics.loops import GUESS, Driven, Loops, newton_step, open_posture
from torsor.mechanics.projection import forces

Traced = tuple[dict[str, Any], dict[str, Any]]  # inputs and outputs by name


def _loops(trees: Trees) -> Loops:
    assert trees.loops is not None
    return trees.loops


def _closure(trees: Trees) -> Closure:
    return _loops(trees).closure(trees.plain)


def _kinematic(page: Callable[..., dict[str, Any]], *states: str) -> Callable[[Trees], Traced]:
    def trace(trees: Trees) -> Traced:
        inputs: dict[str, Any] = {name: symbols(name, _loops(trees).n) for name in ("x", *states)}
        at = Driven(_closure(trees), inputs["x"])
        outputs = at.finish(page(at, *(inputs[name] for name in states)))
        return (inputs if at.guess is None else inputs | {GUESS: at.guess}), outputs

    return trace


def _accelerations(at: Driven, xd: Any, xdd: Any) -> dict[str, Any]:
    return {"qdd": at.accelerations(at.rates(xd), xdd)}


def _step(trees: Trees) -> Traced:
    x, guess = symbols("x", _loops(trees).n), symbols(GUESS, len(_closure(trees).guessed))
    move, left = newton_step(_closure(trees), x, guess)
    return {"x": x, GUESS: guess}, {"move": move, "left": np.asarray(left, dtype=object)}


def _residual(trees: Trees) -> Traced:
    q = symbols("q", trees.plain.n)
    posture = open_posture(trees.plain, q)
    left = [x for stage in _closure(trees).stages for x in stage.at(posture).residual()]
    return {"q": q}, {"left": np.array(left, dtype=object)}


def _forces(trees: Trees) -> Traced:
    inputs: dict[str, Any] = {name: symbols(name, _loops(trees).n) for name in ("x", "xd", "xdd")}
    inputs |= {"gravity": symbols("gravity", 3), "wrench": symbols("wrench", 6)}
    at = Driven(_closure(trees), inputs["x"])
    found = forces(at, inputs["xd"], inputs["xdd"], inputs["gravity"], inputs["wrench"])
    outputs = at.finish({"forces": found})
    return (inputs if at.guess is None else inputs | {GUESS: at.guess}), outputs


def _constrained(trees: Trees) -> Traced:
    require_invertible(trees.plain)  # the mass matrix of all joints is factored
    n = trees.plain.n
    inputs: dict[str, Any] = {"q": symbols("q", n), "qd": symbols("qd", n), "tau": symbols("tau", _loops(trees).n)}
    inputs |= {"rate": symbols("rate", 1), "gravity": symbols("gravity", 3), "wrench": symbols("wrench", 6)}
    q, qd, tau, rate, gravity, wrench = inputs.values()
    kept = independent(_loops(trees), _closure(trees))
    closure = _loops(trees).closure(trees.lean)
    qdd, lam = forward_dynamics(closure, kept, q, qd, tau, rate[0], gravity, wrench)
    return inputs, {"qdd": qdd, "multipliers": lam}


def _correction(trees: Trees) -> Traced:
    n = trees.plain.n
    q, qd = symbols("q", n), symbols("qd", n)
    dq, dqd = correction(_closure(trees), independent(_loops(trees), _closure(trees)), q, qd)
    return {"q": q, "qd": qd}, {"dq": dq, "dqd": dqd}


PAGES: dict[str, Callable[[Trees], Traced]] = {
    "positions": _kinematic(lambda at: {"q": at.q}),
    "matrix": _kinematic(lambda at: {"G": at.at.G()}),
    "velocities": _kinematic(lambda at, xd: {"qd": at.rates(xd)}, "xd"),
    "accelerations": _kinematic(_accelerations, "xd", "xdd"),
    "step": _step,
    "residual": _residual,
    "forces": _forces,
    "constrained": _constrained,
    "correction": _correction,
}
