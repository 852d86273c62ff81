"""Dynamics of an arm with loops in its driven joints, by projection of its tree.

With qd = G xd virtual work gives tau = G^T tau_tree(q, qd, qdd), so M = G^T M_tree G, g = G^T g_tree and, because
C_tree qd + M_tree dG/dt xd are the velocity torques, C = G^T (C_tree G + M_tree dG/dt), for which dM/dt - 2 C is skew
again. What the loops carry is whatever the joints they move would need a motor for: Phi^T lambda there (multipliers).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import ModelError, Unsupported
from torsor.mechanics import composite, coriolis, kinematics, newton_euler, regressor
from torsor.mechanics import energy as energies
from torsor.mechanics.formulations import chosen
from torsor.mechanics.loop_forces import loop_forces, pushes
from torsor.mechanics.loops import GUESS, Driven, Loops
from torsor.mechanics.signatures import QUANTITIES
from torsor.mechanics.tree import Array, Tree

if TYPE_CHECKING:
    from torsor.mechanics.canonical import Trees
    from torsor.mechanics.quantities import Options

Outputs = dict[str, Array]
Page = Callable[..., Array]
PLAIN = frozenset({"pose", "jacobian", "jacobian_dot_qd", "energy", "regressor", "bearing_loads", "loop_forces"})


def projected_mass(at: Driven, M: Array) -> Array:
    """G^T M G (..., n, n), symmetric by construction."""
    n = at.closure.n
    half = at.times_G(M)
    columns: list[list[Any]] = [[None] * n for _ in range(n)]
    for j in range(n):
        column = at.at.project(half[..., :, j])
        for i in range(n):
            columns[i][j] = column[..., i]
    return np.stack(
        [np.stack(np.broadcast_arrays(*(columns[min(i, j)][max(i, j)] for j in range(n))), axis=-1) for i in range(n)],
        axis=-2,
    )


def _GT(at: Driven, A: Array) -> Array:
    """G^T A (..., n, columns)."""
    return np.swapaxes(at.times_G(np.swapaxes(A, -1, -2)), -1, -2)


def inverse_dynamics(
    at: Driven, xd: Array, xdd: Array, gravity: Array, wrench: Array | None, page: Page | None = None
) -> Array:
    qd = at.rates(xd)
    qdd = at.accelerations(qd, xdd)
    run = newton_euler.inverse_dynamics if page is None else page
    return at.at.project(run(at.tree, at.q, qd, qdd, gravity, wrench))


def mass_matrix(at: Driven, page: Page | None = None) -> Array:
    run = composite.mass_matrix if page is None else page
    return projected_mass(at, run(at.tree, at.q))


def coriolis_matrix(at: Driven, xd: Array, page: Page | None = None) -> Array:
    run = coriolis.coriolis_matrix if page is None else page
    qd = at.rates(xd)
    C, M = run(at.tree, at.q, qd), composite.mass_matrix(at.tree, at.q)
    return _GT(at, at.times_G(C) + M @ at.G_rate(qd))


def gravity_torques(at: Driven, gravity: Array, page: Page | None = None) -> Array:
    still = np.zeros(at.tree.n)
    if page is not None:
        return at.at.project(page(at.tree, at.q, gravity))
    return at.at.project(newton_euler.inverse_dynamics(at.tree, at.q, still, still, gravity))


def forward_dynamics(at: Driven, xd: Array, tau: Array, gravity: Array, wrench: Array | None) -> Array:
    bias = inverse_dynamics(at, xd, np.zeros(at.closure.n), gravity, wrench)
    return composite.solve_dense(mass_matrix(at), tau - bias)


def _inverse_dynamics(at: Driven, o: Options, xd: Array, xdd: Array) -> Outputs:
    return {"tau": inverse_dynamics(at, xd, xdd, o.gravity, o.wrench)}


def _forward_dynamics(at: Driven, o: Options, xd: Array, tau: Array) -> Outputs:
    return {"qdd": forward_dynamics(at, xd, tau, o.gravity, o.wrench)}


def _mass_matrix(at: Driven, o: Options) -> Outputs:
    return {"M": mass_matrix(at)}


def _coriolis_matrix(at: Driven, o: Options, xd: Array) -> Outputs:
    return {"C": coriolis_matrix(at, xd)}


def _gravity(at: Driven, o: Options) -> Outputs:
    return {"g": gravity_torques(at, o.gravity)}


def _dynamics_terms(at: Driven, o: Options, xd: Array) -> Outputs:
    still = np.zeros(at.closure.n)
    velocity = inverse_dynamics(at, xd, still, np.zeros(3), None)
    return {"M": mass_matrix(at), "c": velocity, "g": gravity_torques(at, o.gravity)}


def _pose(at: Driven, o: Options) -> Outputs:
    return {"T": kinematics.pose(at.tree, at.q, o.frame)}


def _jacobian(at: Driven, o: Options) -> Outputs:
    return {"J": at.times_G(kinematics.jacobian(at.tree, at.q, o.frame))}


def _jacobian_dot_qd(at: Driven, o: Options, xd: Array) -> Outputs:
    qd = at.rates(xd)
    J = kinematics.jacobian(at.tree, at.q, o.frame)
    return {"a": kinematics.jacobian_dot_qd(at.tree, at.q, qd, o.frame) + (J * at.drift(qd)[..., None, :]).sum(axis=-1)}


def _energy(at: Driven, o: Options, xd: Array) -> Outputs:
    kinetic, potential = energies.energy(at.tree, at.q, at.rates(xd), o.gravity)
    return {"kinetic": kinetic, "potential": potential}


def _regressor(at: Driven, o: Options, xd: Array, xdd: Array) -> Outputs:
    qd = at.rates(xd)
    return {"Y": _GT(at, regressor.regressor(at.tree, at.q, qd, at.accelerations(qd, xdd), o.gravity))}


def _bearing_loads(at: Driven, o: Options, xd: Array, xdd: Array) -> Outputs:
    qd = at.rates(xd)
    qdd = at.accelerations(qd, xdd)
    torques = newton_euler.inverse_dynamics(at.tree, at.q, qd, qdd, o.gravity, o.wrench)
    given = pushes(at, at.at.multipliers(torques))
    return {"loads": newton_euler.bearing_loads(at.tree, at.q, qd, qdd, o.gravity, o.wrench, given)}


def _loop_forces(at: Driven, o: Options, xd: Array, xdd: Array) -> Outputs:
    qd = at.rates(xd)
    qdd = at.accelerations(qd, xdd)
    torques = newton_euler.inverse_dynamics(at.tree, at.q, qd, qdd, o.gravity, o.wrench)
    return {"forces": loop_forces(at, at.at.multipliers(torques))}


def _inverse_dynamics_derivatives(at: Driven, o: Options, xd: Array, xdd: Array) -> Outputs:
    from torsor.algebra import jacobian

    tau = _inverse_dynamics(at, o, xd, xdd)["tau"]
    return {"dq": at.slopes(tau), "dqd": jacobian(tau, xd), "M": mass_matrix(at)}


def _forward_dynamics_derivatives(at: Driven, o: Options, xd: Array, tau: Array) -> Outputs:
    from torsor.algebra import jacobian, substitute, symbols

    unknown = symbols("xdd", at.closure.n)
    needed = inverse_dynamics(at, xd, unknown, o.gravity, o.wrench)
    slopes = np.concatenate([at.slopes(needed), jacobian(needed, xd)], axis=-1)
    reached = forward_dynamics(at, xd, tau, o.gravity, o.wrench)
    slopes = substitute(slopes, dict(zip(unknown, reached, strict=True)))
    inverse = composite.inverse(mass_matrix(at))
    moved = -(inverse @ slopes)
    n = at.closure.n
    return {"dq": moved[:, :n], "dqd": moved[:, n:], "Minv": inverse}


PAGES: Mapping[str, Callable[..., Outputs]] = {
    "inverse_dynamics": _inverse_dynamics,
    "forward_dynamics": _forward_dynamics,
    "mass_matrix": _mass_matrix,
    "coriolis_matrix": _coriolis_matrix,
    "gravity": _gravity,
    "dynamics_terms": _dynamics_terms,
    "pose": _pose,
    "jacobian": _jacobian,
    "jacobian_dot_qd": _jacobian_dot_qd,
    "energy": _energy,
    "regressor": _regressor,
    "bearing_loads": _bearing_loads,
    "loop_forces": _loop_forces,
    "inverse_dynamics_derivatives": _inverse_dynamics_derivatives,
    "forward_dynamics_derivatives": _forward_dynamics_derivatives,
}


def expressions(
    trees: Trees, quantity: str, inputs: dict[str, Array], options: Options, by: str | None
) -> tuple[dict[str, Array], Outputs]:
    """A page in driven joints run on symbols. Loops that are closed by Newton's method add the input ``guess``."""
    assert trees.loops is not None
    states = [inputs[name] for name in QUANTITIES[quantity].states]
    page, tree = PAGES[quantity], trees.plain if quantity in PLAIN else trees.lean
    if by is not None:
        page, tree = _formulated(trees, quantity, by)
    at = Driven(trees.loops.closure(tree), states[0])
    outputs = page(at, options, *states[1:])
    if at.guess is not None:
        inputs = inputs | {GUESS: at.guess}
    return inputs, at.finish(outputs)


def require_invertible(tree: Tree, loops: Loops) -> None:
    """Refuses forward dynamics where a driven joint moves no mass, at the assembled posture and so everywhere."""
    closure = loops.closure(tree)
    q = loops.assembly.reference
    at = Driven(closure, q[list(closure.driven)], {k: q[k] for k in closure.guessed})
    M = mass_matrix(at)
    size = np.sqrt(np.abs(np.diagonal(M)))
    smallest, least = np.linalg.eigh(M / np.outer(np.where(size > 0.0, size, 1.0), np.where(size > 0.0, size, 1.0)))
    if smallest[0] < 1e-13:
        raise ModelError(
            f"forward dynamics of {tree.name!r}: driven joint {loops.names[int(np.argmax(np.abs(least[:, 0])))]!r} "
            "moves no mass",
            hint="give what it moves mass or inertia",
        )


def _formulated(trees: Trees, quantity: str, by: str) -> tuple[Callable[..., Outputs], Tree]:
    """The page of a formulation, projected."""
    if quantity == "forward_dynamics":
        if by != "composite":
            raise Unsupported(
                f"{by!r} does not compute forward dynamics of an arm with loops", hint="it is computed by composite"
            )
        return _forward_dynamics, trees.lean
    page, tree = chosen(trees, quantity, by)
    if by == "kane":
        from torsor.mechanics import kane_loops

        return kane_loops.PAGES[quantity], tree
    if quantity == "inverse_dynamics":
        return lambda at, o, xd, xdd: {"tau": inverse_dynamics(at, xd, xdd, o.gravity, o.wrench, page)}, tree
    if quantity == "mass_matrix":
        return lambda at, o: {"M": mass_matrix(at, page)}, tree
    if quantity == "coriolis_matrix":
        return lambda at, o, xd: {"C": coriolis_matrix(at, xd, page)}, tree
    return lambda at, o: {"g": gravity_torques(at, o.gravity, page)}, tree
