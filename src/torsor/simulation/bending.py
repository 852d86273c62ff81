"""What bends in a run: how it is bent at the start, where that leaves the tool, and whether it goes too far."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra import jacobian, substitute, symbols
from torsor.elastic.coupled_equations import CoupledEquations
from torsor.elastic.looped_equations import LoopedElasticEquations
from torsor.elastic.play import at_a_flank, loose
from torsor.emit import Kernel
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.arguments import floats
from torsor.mechanics.newton import settled
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.simulation.parameter_values import ParameterValues
from torsor.simulation.plant import Plant

if TYPE_CHECKING:
    from torsor.simulation.outcome import Run

OPEN = 1e-6  # m or rad by which loops may be open: well below what bends, well above what good steps leave
FORCE = 1e6  # N or N m that Newton's method takes for one, so that forces of loops do not shorten its steps
LOOSE = 1e-9  # of its stiffness that Newton's method gives a spring within its play, where it has none
AT_REST = 1e-9  # rad, m, or units of modes: what Newton's method may leave


def bent_of(plant: Plant, eta0: ArrayLike | None, etad0: ArrayLike | None) -> dict[str, Floats]:
    """What was given, by name, (e,) or (N, e) each."""
    given = {word: value for word, value in (("eta0", eta0), ("etad0", etad0)) if value is not None}
    if given and plant.elastic is None:
        raise Unsupported(f"{' and '.join(given)} is for elastic=True", hint="nothing bends in this run")
    found = {}
    for word, value in given.items():
        names = plant.names[plant.bends_from :]
        found[word] = floats(word, value, len(names), f"what bends here: {', '.join(names)}")
        if found[word].ndim > 2 or not np.isfinite(found[word]).all():
            raise ShapeError(f"{word} is {found[word]}", hint=f"({len(names)},) finite, or (N, {len(names)})")
    return found


def with_bending(
    plant: Plant, q: Floats, qd: Floats, bent: dict[str, Floats], values: ParameterValues
) -> tuple[Floats, Floats]:
    """All coordinates and their rates, (runs, n) each, of joints (runs, n).

    Of an arm with loops what is given is changed as little as closes them.
    """
    if plant.elastic is None:
        return q, qd
    c, cd = plant.elastic.straight(q, qd)
    if "eta0" in bent:
        c[:, plant.bends_from :] = bent["eta0"]
        c = plant.elastic.closed(c)
    else:
        c = hanging(plant, c, np.broadcast_to(values.flat, (len(c), values.flat.shape[-1])))
    cd[:, plant.bends_from :] = bent.get("etad0", 0.0)
    return c, plant.elastic.closed_rates(c, cd)


def hanging(plant: Plant, c: Floats, p: Floats) -> Floats:
    """(runs, n) from coordinates with nothing bent: where the arm carries its weight, joints held, at rest."""
    assert plant.elastic is not None
    n, runs = plant.arm.n, len(c)
    unknown = plant.n - n
    if not unknown:  # nothing gives way
        return c
    q, y = c[:, :n], plant.state(c, 0.0 * c, np.zeros((runs, plant.k)))
    more = plant.more(p, plant.guess(y))
    sizes = plant.sizes("y") | {"force": plant.elastic.multipliers}
    kernel = plant.kernel("hanging", partial(_hanging, plant), sizes)
    free = loose(plant.elastic.tree)
    between = np.diag(
        plant.elastic.c(np.array([LOOSE * free[k].stiffness if k in free else 0.0 for k in range(plant.n)]))
    )

    def balance(u: Floats) -> tuple[Floats, Any]:
        y = plant.state(np.hstack([q, u[:, :unknown]]), 0.0 * c, np.zeros((runs, plant.k)))
        force = FORCE * u[:, unknown:] if plant.has_multipliers else np.zeros((runs, 1))
        left, slopes = kernel.general(y, force, *more)
        return left, slopes.reshape(runs, u.shape[1], u.shape[1])

    def step(u: Floats) -> tuple[Floats, Floats]:
        left, slopes = balance(u)
        slopes[..., unknown:] *= FORCE
        slopes[..., :unknown, :unknown] += between[n:, n:]
        move = np.linalg.solve(slopes, -left[..., None])[..., 0]
        moved = move[:, :unknown]
        return np.asarray(move), (moved * moved).sum(axis=-1)

    start = np.hstack([c[:, n:], np.zeros((runs, plant.elastic.multipliers))])
    if free:
        asked = np.hstack([0.0 * q, -balance(start)[0][:, :unknown]])
        start[:, :unknown] = _at_flanks(plant.elastic, c, asked)[:, n:]
    u, left = settled(step, start)
    if not (left < AT_REST).all():
        where = q[int(np.argmax(~(left < AT_REST)))]
        text = f"{plant.arm.name!r} does not come to rest at q0 = {where}: its weight bends it too far"
        raise Unsupported(text, hint="stiffer links, or eta0=")
    return np.hstack([q, u[:, :unknown]])


def _at_flanks(elastic: CoupledEquations, c: Floats, asked: Floats) -> Floats:
    return elastic.c(at_a_flank(elastic.tree, elastic.x(c), elastic.x(asked)))


def _hanging(plant: Plant, y: Reals, force: Reals) -> dict[str, Any]:
    """What all but the joints are pulled by at rest, with what loops leave open, and the slopes of both."""
    assert plant.elastic is not None
    n, still = plant.arm.n, np.zeros(plant.n)
    u = np.concatenate([symbols("bent", plant.n - n), force])
    c = np.concatenate([plant.joints(y)[0], u[: plant.n - n]])
    pulled = plant.resisting(c, still, still, None) - force @ plant.elastic.rows(c)
    both = np.concatenate([pulled[n:], plant.elastic.left(c)])
    slopes = jacobian(both, u, "forward")
    here = dict(zip(u, plant.moving(y)[0][n:], strict=False))
    return {"left": substitute(both, here), "slopes": substitute(slopes, here).ravel()}


def bent_poses(plant: Plant) -> Kernel:
    """Of states: T_base_tool of the bent arm, (..., 4, 4)."""
    return plant.kernel("bent_poses", partial(_bent_poses, plant), plant.sizes("y"))


def _bent_poses(plant: Plant, y: Reals) -> dict[str, Any]:
    assert plant.elastic is not None
    return {"pose": plant.elastic.pose(plant.moving(y)[0])}


def loops_open(run: Run) -> list[str]:
    """What is said of loops that are not closed any more."""
    far, t = _opened(run)
    if not far > OPEN:
        return []
    return [f"loops open by {far:.2g} m or rad, at {t:.4g} s: beyond {OPEN:g} a smaller dt or tolerance is needed"]


def loops_held(run: Run) -> list[str]:
    """How loops that restrict the coordinates are kept closed, and how far they were open."""
    elastic = run._plant.elastic
    if not isinstance(elastic, LoopedElasticEquations):
        return []
    how = f"loops are kept closed by (d/dt + a)^2 g = 0 with a = {elastic.stabilise:.3g} 1/s"
    return [f"{how}: open by {_opened(run)[0]:.2g} m or rad at most"]


def _opened(run: Run) -> tuple[float, float]:
    """How far loops are open at most, m or rad, and when."""
    plant = run._plant
    if plant.elastic is None or not plant.has_multipliers:
        return 0.0, 0.0
    gaps = np.nan_to_num(np.abs(run._found(plant.kernel("gaps", partial(_gaps, plant), plant.sizes("y")), run._y)))
    where = np.unravel_index(int(np.argmax(gaps)), gaps.shape)
    return float(gaps[where]), float(run.time[where[-2]])


def _gaps(plant: Plant, y: Reals) -> dict[str, Any]:
    assert plant.elastic is not None
    return {"gaps": plant.elastic.left(plant.moving(y)[0])}


def bent_too_far(run: Run) -> list[str]:
    """What is said of links that bend further than small bending goes."""
    if run._plant.elastic is None:
        return []
    bent = run._plant.elastic.much_bent(run._plant.moving(run._y)[0])
    return [f"{each} (at {run.time[each.index[-1]]:.4g} s)" for each in bent]
