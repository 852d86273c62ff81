"""V along a run: the Lyapunov function that comes with the law, at every state that was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import CompileError, ShapeError, Unsupported
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.simulation.outcome import Run


def along(run: Run) -> Floats:
    """(times,), or (N, times): ``law.lyapunov(t, q, qd)``, with x last of a law with states. Traced as the law is."""
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
    n, k = run._plant.n, torque.states

    def page(t: Any, q: Any, qd: Any, x: Any) -> dict[str, Any]:
        found = np.asarray(V(t[0], q, qd, x) if k else V(t[0], q, qd), dtype=object)
        if found.size != 1:
            raise ShapeError(f"lyapunov of {name} gives {found.shape}", hint="one number")
        return {"V": found.reshape(1)}

    t = np.broadcast_to(run.time[:, None], (*run.q.shape[:-1], 1))
    try:
        kernel = run._plant.kernel("lyapunov", {"t": 1, "q": n, "qd": n, "x": k}, page)
    except CompileError:  # it only runs on numbers
        shape = run.q.shape[:-1]
        return np.array([page(t[i], run.q[i], run.qd[i], run.x[i])["V"][0] for i in np.ndindex(shape)]).reshape(shape)
    states = run.x if k else np.zeros((*run.q.shape[:-1], 1))
    p = (run._p,) if run._plant.parameters else ()
    found = kernel.general(*(np.ascontiguousarray(array) for array in (t, run.q, run.qd, states, *p)))
    return np.asarray(found)[..., 0]
