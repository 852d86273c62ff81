"""The quantities of an arm as traces: each a page run on symbols, simplified, and laid out as a tape.

Adding one is a function here with a line in the table, and a line in ``signatures.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.algebra import Tape, count, jacobian, simplify, substitute, symbols, tape_from
from torsor.errors import ModelError
from torsor.mechanics import articulated, composite, coriolis, kinematics, newton_euler, projection, regressor
from torsor.mechanics import energy as energies
from torsor.mechanics.canonical import Trees
from torsor.mechanics.driven_tree import DrivenTree
from torsor.mechanics.formulations import chosen
from torsor.mechanics.loops import Loops
from torsor.mechanics.signatures import QUANTITIES
from torsor.mechanics.tree import Array, Tree

Outputs = dict[str, Array]
Page = Callable[..., Outputs]  # (Trees, Options, *states) -> outputs by name
# Up to here a solve with the mass matrix can cost fewer operations than articulated bodies; beyond it never does.
LARGEST_SOLVE = 16


@dataclass(frozen=True, eq=False)
class Options:
    """What a call may add to the states: a gravity and a tool wrench of its own, and the frame it asks about."""

    gravity: Array
    wrench: Array | None = None
    frame: str = "tool"


def expressions(
    trees: Trees,
    quantity: str,
    *,
    gravity: bool = False,
    wrench: bool = False,
    frame: str = "tool",
    by: str | None = None,
) -> tuple[dict[str, Array], Outputs]:
    """A page run on symbols: its inputs and outputs by name, as they come.

    ``gravity`` and ``wrench`` say which of them are inputs, after the states; ``by`` names a formulation.
    """
    states = QUANTITIES[quantity].states
    inputs: dict[str, Array] = {name: symbols(name, trees.n) for name in states}
    if gravity:
        inputs["gravity"] = symbols("gravity", 3)
    if wrench:
        inputs["wrench"] = symbols("wrench", 6)
    options = Options(inputs.get("gravity", trees.plain.gravity), inputs.get("wrench"), frame)
    if trees.loops is not None:
        return projection.expressions(trees, quantity, inputs, options, by)
    arguments: list[Array | None] = [inputs[name] for name in states]
    if by is None:
        return inputs, PAGES[quantity](trees, options, *arguments)
    page, tree = chosen(trees, quantity, by)
    if "gravity" in QUANTITIES[quantity].knows:
        arguments.append(options.gravity)
    if "wrench" in QUANTITIES[quantity].knows:
        arguments.append(options.wrench)
    return inputs, {RESULTS[quantity]: page(tree, *arguments)}


def trace(trees: Trees, quantity: str, *, by: str | None = None, **options: Any) -> Tape:
    """The tape of a quantity, simplified. Options as for ``expressions``."""
    inputs, outputs = expressions(trees, quantity, by=by, **options)
    name = f"{trees.plain.name}_{quantity}" + (f"_by_{by}" if by else "")
    return tape_from(name, inputs, simplify(outputs))


def _inverse_dynamics(trees: Trees, o: Options, q: Array, qd: Array, qdd: Array) -> Outputs:
    return {"tau": newton_euler.inverse_dynamics(trees.lean, q, qd, qdd, o.gravity, o.wrench)}


def _forward_dynamics(trees: Trees, o: Options, q: Array, qd: Array, tau: Array) -> Outputs:
    return {"qdd": cheapest_forward(trees.lean, q, qd, tau, o)}


def cheapest_forward(tree: Tree, q: Array, qd: Array, tau: Array, o: Options) -> Array:
    """Forward dynamics by the mass matrix or by articulated bodies, whichever has fewer operations for this arm."""
    if not tree.is_direct or tree.rotors:  # joints that follow others, or drives that couple them
        return composite.forward_dynamics(tree, q, qd, tau, o.gravity, o.wrench)
    by_bodies = articulated.forward_dynamics(tree, q, qd, tau, o.gravity, o.wrench)
    if tree.n > LARGEST_SOLVE:
        return by_bodies
    by_matrix = composite.forward_dynamics(tree, q, qd, tau, o.gravity, o.wrench)
    return min((by_matrix, by_bodies), key=lambda outputs: count(outputs).total)


def _mass_matrix(trees: Trees, o: Options, q: Array) -> Outputs:
    return {"M": composite.mass_matrix(trees.lean, q)}


def _coriolis_matrix(trees: Trees, o: Options, q: Array, qd: Array) -> Outputs:
    return {"C": coriolis.coriolis_matrix(trees.lean, q, qd)}


def _gravity(trees: Trees, o: Options, q: Array) -> Outputs:
    still = np.zeros(trees.lean.n)
    return {"g": newton_euler.inverse_dynamics(trees.lean, q, still, still, o.gravity)}


def _dynamics_terms(trees: Trees, o: Options, q: Array, qd: Array) -> Outputs:
    tree, still = trees.lean, np.zeros(trees.lean.n)
    velocity = newton_euler.inverse_dynamics(tree, q, qd, still, np.zeros(3))
    return _mass_matrix(trees, o, q) | {"c": velocity} | _gravity(trees, o, q)


def _pose(trees: Trees, o: Options, q: Array) -> Outputs:
    return {"T": kinematics.pose(trees.plain, q, o.frame)}


def _jacobian(trees: Trees, o: Options, q: Array) -> Outputs:
    return {"J": kinematics.jacobian(trees.plain, q, o.frame)}


def _jacobian_dot_qd(trees: Trees, o: Options, q: Array, qd: Array) -> Outputs:
    return {"a": kinematics.jacobian_dot_qd(trees.plain, q, qd, o.frame)}


def _energy(trees: Trees, o: Options, q: Array, qd: Array) -> Outputs:
    kinetic, potential = energies.energy(trees.plain, q, qd, o.gravity)
    return {"kinetic": kinetic, "potential": potential}


def _regressor(trees: Trees, o: Options, q: Array, qd: Array, qdd: Array) -> Outputs:
    return {"Y": regressor.regressor(trees.plain, q, qd, qdd, o.gravity)}


def _bearing_loads(trees: Trees, o: Options, q: Array, qd: Array, qdd: Array) -> Outputs:
    return {"loads": newton_euler.bearing_loads(trees.plain, q, qd, qdd, o.gravity, o.wrench)}


def _inverse_dynamics_derivatives(trees: Trees, o: Options, q: Array, qd: Array, qdd: Array) -> Outputs:
    tau = _inverse_dynamics(trees, o, q, qd, qdd)["tau"]
    slopes = jacobian(tau, np.concatenate([q, qd]))
    return {"dq": slopes[:, : q.size], "dqd": slopes[:, q.size :]} | _mass_matrix(trees, o, q)


def _forward_dynamics_derivatives(trees: Trees, o: Options, q: Array, qd: Array, tau: Array) -> Outputs:
    """From tau(q, qd, qdd(q, qd, tau)) = tau: dqdd/dx = -M^-1 dtau/dx, with dtau/dx taken at the qdd reached."""
    tree, n = trees.lean, q.size
    unknown = symbols("qdd", n)
    slopes = jacobian(_inverse_dynamics(trees, o, q, qd, unknown)["tau"], np.concatenate([q, qd]))
    reached = cheapest_forward(tree, q, qd, tau, o)
    slopes = substitute(slopes, dict(zip(unknown, reached, strict=True)))
    M = composite.mass_matrix(tree, q)
    inverse = composite.inverse(M)
    moved = -(inverse @ slopes)
    return {"dq": moved[:, :n], "dqd": moved[:, n:], "Minv": inverse}


# What a quantity that has formulations is called as an output.
RESULTS = {
    "inverse_dynamics": "tau",
    "forward_dynamics": "qdd",
    "mass_matrix": "M",
    "coriolis_matrix": "C",
    "gravity": "g",
}
PAGES: Mapping[str, Page] = {
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
    "inverse_dynamics_derivatives": _inverse_dynamics_derivatives,
    "forward_dynamics_derivatives": _forward_dynamics_derivatives,
}


def require_invertible(tree: Tree | DrivenTree, loops: Loops | None = None) -> None:
    """Refuses forward dynamics of an arm whose mass matrix is singular everywhere: a joint that moves no mass."""
    if isinstance(tree, DrivenTree):
        loops, tree = tree.loops, tree.tree
    if loops is not None:
        projection.require_invertible(tree, loops)
        return
    q = np.random.default_rng(0).uniform(-3.0, 3.0, size=(4, tree.n))
    M = composite.mass_matrix(tree, q)
    size = np.sqrt(np.abs(np.diagonal(M, axis1=-2, axis2=-1)))
    size = np.where(size > 0.0, size, 1.0)
    smallest, least = np.linalg.eigh(M / size[..., :, None] / size[..., None, :])
    if (smallest[:, 0] < 1e-13).all():
        body = next(b for b in tree.bodies if b.source == int(np.argmax(np.abs(least[0, :, 0]))))
        raise ModelError(
            f"forward dynamics of {tree.name!r}: the joint of link {body.name!r} moves no mass",
            hint="give the link, or what it carries, mass or inertia",
        )
