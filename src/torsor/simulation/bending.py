"""What bends in a run: how it is bent at the start, where that leaves the tool, and whether it goes too far."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra import jacobian, substitute, symbols
from torsor.elastic.small_bending import much_bent
from torsor.emit import Kernel
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.arguments import floats
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.newton import settled
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.simulation.parameter_values import ParameterValues
from torsor.simulation.plant import Plant

if TYPE_CHECKING:
    from torsor.simulation.outcome import Run

AT_REST = 1e-9  # rad, m, or units of modes: what Newton's method may leave


def bent_of(plant: Plant, eta0: ArrayLike | None, etad0: ArrayLike | None) -> dict[str, Floats]:
    """What was given, by name, (e,) or (N, e) each."""
    given = {word: value for word, value in (("eta0", eta0), ("etad0", etad0)) if value is not None}
    if given and plant.elastic is None:
        raise Unsupported(f"{' and '.join(given)} is for elastic=True", hint="nothing bends in this run")
    found = {}
    for word, value in given.items():
        names = plant.names[plant.arm.n :]
        found[word] = floats(word, value, len(names), f"what bends here: {', '.join(names)}")
        if found[word].ndim > 2 or not np.isfinite(found[word]).all():
            raise ShapeError(f"{word} is {found[word]}", hint=f"({len(names)},) finite, or (N, {len(names)})")
    return found


def with_bending(
    plant: Plant, q: Floats, qd: Floats, bent: dict[str, Floats], values: ParameterValues
) -> tuple[Floats, Floats]:
    """All coordinates and their rates, (runs, n) each, of joints (runs, n)."""
    if plant.elastic is None:
        return q, qd
    shape = len(q), plant.n - plant.arm.n
    eta = np.broadcast_to(bent["eta0"], shape) if "eta0" in bent else hanging(plant, q, values)
    etad = np.broadcast_to(bent.get("etad0", np.zeros(shape[1])), shape)
    return np.hstack([q, eta]), np.hstack([qd, etad])


def hanging(plant: Plant, q: Floats, values: ParameterValues) -> Floats:
    """(runs, e): where springs and links carry the weight of the arm at joints (runs, n) that are held, at rest."""
    p = np.broadcast_to(values.flat, (len(q), values.flat.shape[-1]))
    nothing, size = np.zeros((len(q), plant.k)), plant.n - plant.arm.n
    kernel = plant.kernel("hanging", partial(_hanging, plant), plant.sizes("y"))

    def step(eta: Floats) -> tuple[Floats, Floats]:
        y = plant.state(np.hstack([q, eta]), np.zeros((len(q), plant.n)), nothing)
        move = np.asarray(kernel.general(y, *plant.more(p, np.zeros((len(q), 0)))))
        return move, (move * move).sum(axis=-1)

    eta, left = settled(step, np.zeros((len(q), size)))
    if not (left < AT_REST).all():
        where = q[int(np.argmax(~(left < AT_REST)))]
        text = f"{plant.arm.name!r} does not come to rest at q0 = {where}: its weight bends it too far"
        raise Unsupported(text, hint="stiffer links, or eta0=")
    return eta


def _hanging(plant: Plant, y: Reals) -> dict[str, Any]:
    """Newton's step to where springs and links carry the weight of the arm, joints held."""
    n, still = plant.arm.n, np.zeros(plant.n)
    bent = symbols("bent", plant.n - n)
    pulled = plant.resisting(np.concatenate([plant.joints(y)[0], bent]), still, still, None)[n:]
    slopes = jacobian(pulled, bent, "forward")
    here = dict(zip(bent, plant.moving(y)[0][n:], strict=True))
    return {"step": -solve_dense(substitute(slopes, here), substitute(pulled, here))}


def tips(plant: Plant) -> Kernel:
    """Of states: displacement over turn of the tool against the rigid arm at the same joints, (..., 6)."""
    return plant.kernel("tips", partial(_tips, plant), plant.sizes("y"))


def _tips(plant: Plant, y: Reals) -> dict[str, Any]:
    assert plant.elastic is not None
    return {"tip": plant.elastic.tip(plant.moving(y)[0])}


def bent_too_far(run: Run) -> list[str]:
    """What is said of links that bend further than small bending goes."""
    if run._plant.elastic is None:
        return []
    bent = much_bent(run._plant.elastic.arm, run._plant.moving(run._y)[0])
    return [f"{each} (at {run.time[each.index[-1]]:.4g} s)" for each in bent]
