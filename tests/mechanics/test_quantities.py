"""The traced quantities, in lean frames and with regrouped inertia, against the plain reference on random trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from random_arms import arms_and_states, random_state
from torsor.errors import ModelError
from torsor.mechanics import articulated, composite, newton_euler
from torsor.mechanics.asking import require_invertible, trace
from torsor.mechanics.canonical import Trees, canonical, framed, regrouped
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower

EPS = np.finfo(float).eps
STEP = 1e-200  # of complex steps: no cancellation, so no error


def agree(mine: np.ndarray, right: np.ndarray, what: str, scale: float = 0.0, tolerance: float = 1e-12) -> None:
    size = max(scale, float(np.abs(right).max(initial=0.0)), 1e-30)
    worst = float(np.abs(mine - right).max(initial=0.0))
    assert worst <= tolerance * size, f"{what} differs by {worst:.3g} of {size:.3g}"


def conditioned(reference: ReferenceQuantities, q: np.ndarray) -> float:
    return float(np.linalg.cond(reference.mass_matrix(q)).max())


@settings(max_examples=60, deadline=None)
@given(arms_and_states(batch=(3,)))
def test_lean_trees_have_the_same_dynamics(arm_and_states):
    model, (q, qd, qdd) = arm_and_states
    plain = lower(model)
    tau = newton_euler.inverse_dynamics(plain, q, qd, qdd, plain.gravity)
    wrench = random_state(6, 1, (3,))[0]
    pushed = newton_euler.inverse_dynamics(plain, q, qd, qdd, plain.gravity, wrench)
    M = ReferenceQuantities(plain).mass_matrix(q)
    # a torque may be small only because large loads cancel in it
    load = float(np.abs(newton_euler.bearing_loads(plain, q, qd, qdd, plain.gravity, wrench)).max())
    for lean in (framed(plain), regrouped(plain), canonical(plain)):
        agree(newton_euler.inverse_dynamics(lean, q, qd, qdd, plain.gravity), tau, "tau", load)
        agree(newton_euler.inverse_dynamics(lean, q, qd, qdd, plain.gravity, wrench), pushed, "pushed tau", load)
        agree(composite.mass_matrix(lean, q), M, "M")


@settings(max_examples=60, deadline=None)
@given(arms_and_states(batch=(3,)))
def test_both_forward_dynamics_invert_the_inverse(arm_and_states):
    model, (q, qd, qdd) = arm_and_states
    plain = lower(model)
    condition = conditioned(ReferenceQuantities(plain), q)
    if condition > 1e8:  # massless links on one axis: nothing to solve
        return
    wrench = random_state(6, 1, (3,))[0]
    tau = newton_euler.inverse_dynamics(plain, q, qd, qdd, plain.gravity, wrench)
    load = float(np.abs(newton_euler.bearing_loads(plain, q, qd, qdd, plain.gravity, wrench)).max())
    allowed = 1e4 * EPS * condition * max(1.0, load / float(np.abs(ReferenceQuantities(plain).mass_matrix(q)).max()))
    for tree in (plain, canonical(plain)):
        by_matrix = composite.forward_dynamics(tree, q, qd, tau, plain.gravity, wrench)
        agree(by_matrix, qdd, "composite", tolerance=allowed)
        if tree.is_direct:
            by_bodies = articulated.forward_dynamics(tree, q, qd, tau, plain.gravity, wrench)
            agree(by_bodies, qdd, "articulated", tolerance=allowed)


@pytest.mark.parametrize("quantity", QUANTITIES)
@settings(max_examples=8, deadline=None)
@given(arms_and_states(batch=(3,), max_links=6), st.booleans(), st.booleans())
def test_tapes_equal_the_reference(quantity, arm_and_states, own_gravity, pushed):
    """The whole way but for the machine code: traced, differentiated, simplified, laid out, interpreted."""
    model, states = arm_and_states
    trees = Trees(lower(model))
    reference = ReferenceQuantities(trees.plain)
    if "forward" in quantity and conditioned(reference, states[0]) > 1e5:
        return
    knows = QUANTITIES[quantity].knows
    gravity = np.array([1.0, 2.0, -3.0]) if own_gravity and "gravity" in knows else None
    wrench = random_state(6, 2, (3,))[0] if pushed and "wrench" in knows else None
    tape = trace(trees, quantity, gravity=gravity is not None, wrench=wrench is not None)
    tape.verify()
    given_states = states[: len(QUANTITIES[quantity].states)]
    extra = [array for array in (gravity, wrench) if array is not None]
    outputs = tape.evaluate(*given_states, *extra)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    right = expected(reference, quantity, given_states, gravity, wrench)
    load = float(np.abs(reference.bearing_loads(*states, gravity=gravity, wrench=wrench)).max())
    size = load * (1.0 + conditioned(reference, states[0])) if "forward" in quantity else load
    size *= 10.0 if "derivatives" in quantity else 1.0
    for array, mine, theirs in zip(tape.outputs, outputs, right, strict=True):
        agree(mine, theirs, array.name, 0.0 if quantity in ("pose", "jacobian") else size)


def expected(reference, quantity, states, gravity, wrench):
    """From the reference; derivatives by complex steps through it."""
    options = {}
    if "gravity" in QUANTITIES[quantity].knows:
        options["gravity"] = gravity
    if "wrench" in QUANTITIES[quantity].knows:
        options["wrench"] = wrench
    if quantity == "dynamics_terms":
        q, qd = states
        still = np.zeros_like(q)
        c = reference.inverse_dynamics(q, qd, still, gravity=np.zeros(3))
        return reference.mass_matrix(q), c, reference.gravity(q, gravity=gravity)
    if not quantity.endswith("derivatives"):
        value = getattr(reference, quantity)(*states, **options)
        return value if isinstance(value, tuple) else (value,)
    page = getattr(reference, quantity.removesuffix("_derivatives"))
    slopes = []
    for k in range(3):
        steps = [x[:, None, :] + (1j * STEP * np.eye(x.shape[-1]) if j == k else 0.0) for j, x in enumerate(states)]
        push = None if wrench is None else wrench[:, None, :]
        slopes.append(np.swapaxes(page(*steps, gravity=gravity, wrench=push).imag / STEP, -1, -2))
    return tuple(slopes)


def test_a_joint_that_moves_no_mass_is_named():
    model = torsor.load("planar2").model
    from dataclasses import replace

    from torsor.model import Mass

    light = replace(model, links=(model.links[0], replace(model.links[1], mass=Mass.none())))
    with pytest.raises(ModelError, match=r"the joint of link 'link2' moves no mass; give the link"):
        require_invertible(lower(light))
    with pytest.raises(ModelError, match="moves no mass"):
        torsor.Arm(light).forward_dynamics([0.0, 0.0], [0.0, 0.0], [1.0, 1.0])
    assert torsor.Arm(light).gravity([0.0, 0.0])[1] == 0.0
