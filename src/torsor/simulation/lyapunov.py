"""Functions along a run, and among them V, the Lyapunov function that comes with the law."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import CompileError, ShapeError, Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.simulation.recorded import UNTRACEABLE
from torsor.simulation.torques import torque_of

if TYPE_CHECKING:
    from torsor.simulation.outcome import Run


def along(run: Run, function: Callable[..., Any]) -> Floats:
    """(times, ...), or (N, times, ...), at every state that was kept."""
    plant, front = run._plant, run.q.shape[:-1]
    k = plant.k
    shape: list[tuple[int, ...]] = []

    def page(t: Reals, q: Reals, qd: Reals, x: Reals) -> dict[str, Any]:
        found = np.asarray(function(t[0], q, qd, x) if k else function(t[0], q, qd))
        shape.append(found.shape)
        return {"found": found.ravel()}

    t = np.broadcast_to(run.time[:, None], (*front, 1))
    try:
        kernel = plant.page("along", page).kernel
    except ShapeError:
        raise
    except (CompileError, *UNTRACEABLE):  # it only runs on numbers
        rows = [page(t[i], run.q[i], run.qd[i], run.x[i])["found"] for i in np.ndindex(front)]
    else:
        x = run.x if k else np.zeros((*front, 1))
        p = (run._p,) if plant.parameters else ()
        rows = kernel.general(*(np.ascontiguousarray(array) for array in (t, run.q, run.qd, x, *p)))
    return np.asarray(rows, dtype=np.float64).reshape(*front, *shape[-1])


def lyapunov(run: Run) -> Floats:
    """(times,), or (N, times): ``law.lyapunov(t, q, qd)``, with x last of a law with states."""
    law, torque = run.law, run._plant.torque
    name = getattr(law, "__name__", type(law).__name__)
    V = getattr(law, "lyapunov", None)
    if not callable(V):
        what = f"the law {name} has" if callable(law) else "torques that are given have"
        raise Unsupported(
            f"{what} no Lyapunov function", hint="laws of torsor.control have; your own: a method lyapunov(t, q, qd)"
        )
    if torque.states and torque.kind == "sampled":
        raise Unsupported(
            f"the states of the sampled {name} are not kept", hint="V of it needs them: simulate it unsampled"
        )
    now = torque_of(law, run.arm.n, torque.m, "").graph
    if (now and now.facts) != (torque.graph and torque.graph.facts):
        raise Unsupported(
            f"the law {name} has changed since this run, and its Lyapunov function with it", hint="simulate again"
        )

    def number(*state: Any) -> Any:
        found = np.asarray(V(*state), dtype=object)
        if found.size != 1:
            raise ShapeError(f"lyapunov of {name} gives {found.shape}", hint="one number")
        return found.reshape(())

    return along(run, number)
