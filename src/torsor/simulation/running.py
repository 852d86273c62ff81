"""``run``: an arm under motor torques from a state on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.model.model import Model
from torsor.model.transforms import Floats
from torsor.simulation.system import Law, System


class HasModel(Protocol):
    @property
    def model(self) -> Model: ...


@dataclass(frozen=True, eq=False)
class Run:
    """States at times, the first one included."""

    time: Floats  # (times,)
    q: Floats  # (times, n)
    qd: Floats
    stuck: NDArray[np.bool_]  # (times, elements)
    elements: tuple[str, ...]  # where dry friction acts

    def __repr__(self) -> str:
        return f"<Run {self.time[-1]:g} s, {len(self.time)} states, {int(self.stuck[-1].sum())} elements stuck>"


def run(
    arm: HasModel,
    torque: ArrayLike | Law,
    *,
    q0: ArrayLike,
    qd0: ArrayLike | None = None,
    until: float,
    dt: float = 1e-3,
    every: int = 1,
    method: Literal["fixed", "adaptive"] = "fixed",
    wrench: ArrayLike | None = None,
    gravity: ArrayLike | None = None,
    tolerance: float = 1e-9,
) -> Run:
    """The motion of an arm under motor torques (joint torques where it has no drives), with friction that sticks.

    ``torque`` is (m,), held; or (steps, m), each held for ``dt``; or a function of t, q and qd, which is traced and so
    must be written with NumPy or `torsor.algebra` functions. A state is kept ``every`` so many steps.

    ``method="fixed"`` steps by ``dt`` in machine code; ``"adaptive"`` chooses its steps to ``tolerance``. Both locate
    where an axis stops and where it breaks away, and agree.

    >>> import numpy as np, torsor
    >>> from torsor.simulation import run
    >>> rest = run(torsor.load("puma560"), np.zeros(6), q0=[0, np.pi / 2, -np.pi / 2, 0, 0, 0], until=1.0)
    >>> bool(rest.stuck.all()), bool((rest.q == rest.q[0]).all())
    (True, True)
    """
    if method not in ("fixed", "adaptive"):
        raise Unsupported(f"there is no method {method!r}", hint=did_you_mean(method, ["fixed", "adaptive"]))
    if not dt > 0.0 or not until > 0.0 or every < 1:
        raise ShapeError(f"dt is {dt}, until {until}, every {every}", hint="above zero, and every at least 1")
    model = arm.model
    load = None if wrench is None else floats("wrench", wrench, 6, "force over moment at the tool, in base axes")
    weight = None if gravity is None else floats("gravity", gravity, 3, "in world axes") @ model.base[:3, :3]
    law: Any = torque if callable(torque) else None
    system = System(model, law, load, weight)
    rows = round(until / (dt * every))
    if rows < 1:
        raise ShapeError(f"until is {until}", hint=f"at least one state of {every} steps of {dt} s")
    held = None if law is not None else _held(system, torque, rows, every)  # type: ignore[arg-type]
    joints = f"{model.name!r} has {model.n} joints"
    q = floats("q0", q0, model.n, joints).reshape(model.n)
    qd = np.zeros(model.n) if qd0 is None else floats("qd0", qd0, model.n, joints).reshape(model.n)
    c = system.coordinates
    z, zd = c.T @ q, c.T @ qd
    mode = np.sign(zd[: system.many])
    time = np.asarray(dt * every * np.arange(rows + 1), dtype=np.float64)
    if method == "fixed":
        from torsor.simulation.fixed import FixedStep

        after = FixedStep(system, dt).run(z, zd, mode, rows, every, held)
        zs, zds, modes = (np.vstack([first, rest]) for first, rest in zip((z, zd, mode), after, strict=True))
    else:
        from torsor.simulation.adaptive import adaptive

        nothing = np.zeros(system.m)
        torque_of: Callable[[int], Floats] = (lambda k: nothing) if held is None else (lambda k: held[k])
        zs, zds, modes = adaptive(system, (z, zd, mode), time, torque_of, tolerance)
    return Run(time, zs @ c.B.T, zds @ c.B.T, modes == 0.0, c.names)


def _held(system: System, torque: ArrayLike, rows: int, every: int) -> Floats:
    given = floats("torque", torque, system.m, f"{system.drives.model.name!r} has {system.m} motors")
    if given.ndim == 1:
        return np.broadcast_to(given, (rows, system.m))
    if every != 1 or given.shape != (rows, system.m):
        raise ShapeError(
            f"torque has shape {given.shape}", hint=f"one for all, or one a step of dt: {(rows, system.m)} with every=1"
        )
    return given
