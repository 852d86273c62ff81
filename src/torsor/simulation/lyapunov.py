"""Functions along a run, and among them V, the Lyapunov function that comes with the law."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.simulation.recorded import attempted, recording_at
from torsor.simulation.torques import name_of, torque_of

if TYPE_CHECKING:
    from torsor.simulation.outcome import Run


def along(run: Run, function: Callable[..., Any]) -> Floats:
    """(times, ...), or (N, times, ...), at every state that was kept."""
    plant, front = run._plant, run.q.shape[:-1]
    k = plant.k
    shape: list[tuple[int, ...]] = []

    def page(t: Reals, q: Reals, qd: Reals, x: Reals) -> dict[str, Any]:
        with recording_at(run.arm, q):
            found = np.asarray(function(t[0], q, qd, x) if k else function(t[0], q, qd))
        shape.append(found.shape)
        return {"found": found.ravel()}

    t, kernel = run._t, attempted(lambda: plant.page("along", page).kernel)
    if isinstance(kernel, Exception):  # it only runs on numbers
        rows = [page(t[i], run.q[i], run.qd[i], run.x[i])["found"] for i in np.ndindex(front)]
    else:
        rows = run._found(kernel, t, run.q, run.qd, run.x if k else np.zeros((*front, 1)))
    return np.asarray(rows, dtype=np.float64).reshape(*front, *shape[-1])


def lyapunov(run: Run) -> Floats:
    """(times,), or (N, times): ``law.lyapunov(t, q, qd)``, with x last of a law with states."""
    law, torque = run.law, run._plant.torque
    name, V = name_of(law), getattr(law, "lyapunov", None)
    if not callable(V):
        what = f"the law {name} has" if callable(law) else "torques that are given have"
        hint = "laws of torsor.control have; your own: a method lyapunov(t, q, qd)"
        raise Unsupported(f"{what} no Lyapunov function", hint=hint)
    if torque.states and torque.kind == "sampled":
        hint = "V of it needs them: simulate it unsampled"
        raise Unsupported(f"the states of the sampled {name} are not kept", hint=hint)
    now = torque_of(law, run.arm, torque.m, "").graph
    if (now and now.facts) != (torque.graph and torque.graph.facts):
        text = f"the law {name} has changed since this run, and its Lyapunov function with it"
        raise Unsupported(text, hint="simulate again")

    def number(*state: Any) -> Any:
        found = np.asarray(V(*state), dtype=object)
        if found.size != 1:
            raise ShapeError(f"lyapunov of {name} gives {found.shape}", hint="one number")
        return found.reshape(())

    return along(run, number)
