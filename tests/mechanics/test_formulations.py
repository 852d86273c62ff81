"""All formulations give one answer: on the library, on random arms and trees, on published states, by floats and traced.

Torques may be small only because large loads cancel in them, and accelerations inherit the condition of M; tolerances
are 1e-10 relative to the result, with an allowance in units of rounding for those two.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from pinocchio_oracle import PinocchioArm
from random_arms import arms_and_states, random_mass, random_rotation, random_state
from torsor.errors import Unsupported
from torsor.mechanics import closed_form, exponentials
from torsor.mechanics.canonical import Trees
from torsor.mechanics.formulations import FORMULATIONS, chosen, formulations_of
from torsor.mechanics.quantities import RESULTS, trace
from torsor.mechanics.reference import Reference
from torsor.mechanics.signatures import QUANTITIES
from torsor.mechanics.tree import Tree, lower
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Joint, Link
from torsor.model.transforms import pose

EPS = np.finfo(float).eps
STEP = 1e-200  # of complex steps: no cancellation, so no error
TOLERANCE = 1e-10
WRENCH = np.array([3.0, -2.0, 5.0, 0.5, 1.5, -1.0])
LIBRARY = [name for name in torsor.robots() if not torsor.load(name).model.loops]
ORACLES = Path(__file__).parent.parent / "oracles"
IRB140 = json.loads((ORACLES / "irb140.json").read_text())
RL15 = json.loads((ORACLES / "rl15.json").read_text())
BURDICK = json.loads((ORACLES / "puma560.json").read_text())["burdick_appendix_II_corrected"]
load = cache(torsor.load)


def by(trees: Trees, quantity: str, name: str, *states: np.ndarray, gravity=None, wrench=None) -> np.ndarray:
    """A quantity by a formulation, on floats."""
    page, tree = chosen(trees, quantity, name)
    options = []
    if "gravity" in QUANTITIES[quantity].knows:
        options.append(trees.plain.gravity if gravity is None else gravity)
    if "wrench" in QUANTITIES[quantity].knows:
        options.append(wrench)
    return page(tree, *states, *options)


def takes(trees: Trees, name: str) -> bool:
    formulation = FORMULATIONS[name]
    return formulation.refuses(trees.lean if formulation.frames == "lean" else trees.plain) is None


def near(mine: np.ndarray, right: np.ndarray, what: str, rounding: float = 0.0, tolerance: float = TOLERANCE) -> None:
    """To the tolerance relative to the largest element, plus an absolute allowance for rounding."""
    right = np.asarray(right)
    assert mine.shape == right.shape, what
    worst = float(np.abs(mine - right).max(initial=0.0))
    size = float(np.abs(right).max(initial=0.0))
    assert worst <= tolerance * size + rounding, f"{what} differs by {worst:.3g} of {size:.3g}"


def all_agree(model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, gravity: np.ndarray | None = None) -> None:
    """Every formulation that takes this tree, pairwise, without and with a tool wrench."""
    trees = Trees(lower(model))
    reference = Reference(trees.plain)
    load = float(np.abs(reference.bearing_loads(q, qd, qdd, gravity, WRENCH)).max())
    M = reference.mass_matrix(q)
    condition = float(np.linalg.cond(M).max())
    inertia, speed = float(np.abs(M).max()), max(1.0, float(np.abs(trees.plain.coupling @ qd[..., None]).max()))
    rounding = {
        "inverse_dynamics": 1e3 * EPS * load,
        "gravity": 1e3 * EPS * load,
        "mass_matrix": 1e2 * EPS * inertia,
        "coriolis_matrix": 1e3 * EPS * inertia * speed,
        "forward_dynamics": 1e3 * EPS * condition * (float(np.abs(qdd).max()) + load / inertia),
    }
    for quantity in RESULTS:
        if quantity == "forward_dynamics" and condition > 1e8:
            continue  # massless links on one axis: nothing to solve
        for wrench in (None, np.broadcast_to(WRENCH, (*q.shape[:-1], 6))):
            states = {"q": q, "qd": qd, "qdd": qdd}
            if quantity == "forward_dynamics":
                states["tau"] = reference.inverse_dynamics(q, qd, qdd, gravity, wrench)
            inputs = [states[name] for name in QUANTITIES[quantity].states]
            options = {"gravity": gravity, "wrench": wrench}
            found = {
                name: by(trees, quantity, name, *inputs, **options)
                for name in formulations_of(quantity)
                if takes(trees, name)
            }
            known = {k: v for k, v in options.items() if k in QUANTITIES[quantity].knows}
            found["reference"] = getattr(reference, quantity)(*inputs, **known)
            for (a, mine), (b, other) in itertools.combinations(found.items(), 2):
                near(mine, other, f"{quantity} by {a} and {b}", rounding[quantity])
            if "wrench" not in QUANTITIES[quantity].knows:
                break


def test_every_formulation_says_what_it_is():
    for name, formulation in FORMULATIONS.items():
        assert formulation.name == name
        assert formulation.source
        assert formulation.pages
        assert set(formulation.pages) <= set(RESULTS)
    assert set(RESULTS) == {quantity for quantity in QUANTITIES if "by" in QUANTITIES[quantity].knows}
    assert all(len(formulations_of(quantity)) >= 2 for quantity in RESULTS)


@pytest.mark.parametrize("robot", LIBRARY)
def test_library(robot):
    model = load(robot).model
    all_agree(model, *random_state(model.n, 0, (5,)))


def test_open_tree_of_a_closed_chain():
    model = load("asea-irb").tree.model
    all_agree(model, *random_state(model.n, 0, (5,)))


SERIAL = {"branches": False, "mimics": False, "max_links": 7, "shuffled": False}


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([("revolute",), ("prismatic",), ("revolute", "prismatic"), ("revolute", "prismatic", "screw")]),
    st.booleans(),
    st.data(),
)
def test_random_serial_arms(kinds, weightless, data):
    model, states = data.draw(arms_and_states(batch=(2,), kinds=kinds, **SERIAL))
    all_agree(model, *states, gravity=np.zeros(3) if weightless else None)


@settings(max_examples=80, deadline=None)
@given(arms_and_states(batch=(2,), max_links=8))
def test_random_trees(case):
    """Branches, fixed links, joints that follow others, children before parents."""
    model, states = case
    all_agree(model, *states)


@settings(max_examples=60, deadline=None)
@given(arms_and_states(max_links=7))
def test_pinocchio(case):
    model, (q, qd, qdd) = case
    trees, oracle = Trees(lower(model)), PinocchioArm(model)
    load = float(np.abs(Reference(trees.plain).bearing_loads(q, qd, qdd, None, WRENCH)).max())
    tau, M = oracle.inverse_dynamics(q, qd, qdd, WRENCH), oracle.mass_matrix(q)
    C = oracle.coriolis_matrix(q, qd)
    for name in filter(lambda name: takes(trees, name), FORMULATIONS):
        pages = FORMULATIONS[name].pages
        if "inverse_dynamics" in pages:
            mine = by(trees, "inverse_dynamics", name, q, qd, qdd, wrench=WRENCH)
            near(mine, tau, f"tau by {name}", 1e3 * EPS * load)
        if "mass_matrix" in pages:
            near(by(trees, "mass_matrix", name, q), M, f"M by {name}")
        if "coriolis_matrix" in pages:
            speed = max(1.0, float(np.abs(oracle.K @ qd).max()))
            near(by(trees, "coriolis_matrix", name, q, qd), C, f"C by {name}", 1e3 * EPS * np.abs(M).max() * speed)
        if "forward_dynamics" in pages and (condition := float(np.linalg.cond(M))) < 1e8:
            allowed = 1e3 * EPS * condition * (float(np.abs(qdd).max()) + load / float(np.abs(M).max()))
            near(by(trees, "forward_dynamics", name, q, qd, tau, wrench=WRENCH), qdd, f"qdd by {name}", allowed)


@pytest.mark.parametrize("robot", ["planar3", "scara", "stanford", "irb140", "irb140-screws"])
def test_traced(robot):
    """The same pages run on symbols, simplified, and evaluated."""
    arm = load(robot)
    states = random_state(arm.n, 1, (4,))
    for quantity in RESULTS:
        for name in formulations_of(quantity):
            tape = trace(arm._trees, quantity, by=name).verify()
            inputs = list(states[: len(QUANTITIES[quantity].states)])
            right = getattr(arm.reference, quantity)(*inputs)
            near(tape.evaluate(*inputs)[0], right, f"{quantity} by {name}", 1e-12)


@settings(max_examples=10, deadline=None)
@given(arms_and_states(batch=(2,), max_links=4), st.booleans())
def test_traced_random_trees(case, pushed):
    model, states = case
    trees = Trees(lower(model))
    reference = Reference(trees.plain)
    if np.linalg.cond(reference.mass_matrix(states[0])).max() > 1e5:
        return
    load = float(np.abs(reference.bearing_loads(*states, None, WRENCH)).max())
    for quantity in RESULTS:
        knows = QUANTITIES[quantity].knows
        wrench = np.broadcast_to(WRENCH, (2, 6)) if pushed and "wrench" in knows else None
        given_states = states[: len(QUANTITIES[quantity].states)]
        right = getattr(reference, quantity)(*given_states, **({} if wrench is None else {"wrench": wrench}))
        for name in filter(lambda name: takes(trees, name), formulations_of(quantity)):
            tape = trace(trees, quantity, by=name, wrench=wrench is not None)
            found = tape.evaluate(*given_states, *([] if wrench is None else [wrench]))[0]
            scale = load * (1e5 if quantity == "forward_dynamics" else 10.0)
            near(found, right, f"{quantity} by {name}", 1e3 * EPS * scale)


@pytest.mark.parametrize("name", FORMULATIONS)
@pytest.mark.parametrize("state", IRB140["states"], ids=["state1", "state2"])
@pytest.mark.parametrize("robot", ["irb140", "irb140-screws"])
def test_irb140_states(robot, state, name):
    """Fedorov's arm by its DH rows and by its screws: the same q, the same torques."""
    trees = load(robot)._trees
    q, qd, qdd, tau = (np.array(state[key]) for key in ("q", "qd", "qdd", "tau"))
    right = {"inverse_dynamics": (tau, (q, qd, qdd)), "mass_matrix": (state["M"], (q,)), "gravity": (state["g"], (q,))}
    right |= {"forward_dynamics": (qdd, (q, qd, tau))}
    for quantity in (each for each in right if FORMULATIONS[name].page(each)):
        expected, inputs = right[quantity]
        mine = by(trees, quantity, name, *inputs)
        np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-9, err_msg=f"{quantity} by {name}")


@pytest.mark.parametrize("name", FORMULATIONS)
@pytest.mark.parametrize("state", RL15["states"], ids=["state1", "state2"])
def test_rl15_states(state, name):
    """f_e is the force of the robot on its surroundings: the tool feels the opposite."""
    trees = load("rl15")._trees
    q, qd, qdd, u = (np.array(state[key]) for key in ("q", "qd", "qdd", "u"))
    wrench = np.concatenate([-np.array(state["f_e"]), np.zeros(3)])
    pages = FORMULATIONS[name].pages
    if "inverse_dynamics" in pages:
        near(by(trees, "inverse_dynamics", name, q, qd, qdd, wrench=wrench), u, "u", 1e-6)
        near(by(trees, "inverse_dynamics", name, q, qd, qdd), state["u_no_external"], "u without f_e", 1e-6)
    if "forward_dynamics" in pages:
        near(by(trees, "forward_dynamics", name, q, qd, u, wrench=wrench), qdd, "qdd", 1e-9)
    if "mass_matrix" in pages:
        near(by(trees, "mass_matrix", name, q), state["H"], "H", 1e-8)


# /work/shared/robots/irb140.toml [poe], space twists (v, w) at the zero pose, corrected; from the robot's geometry
TWISTS = [
    [0, 0, 0, 0, 0, 1],
    [-0.352, 0, 0.070, 0, 1, 0],
    [-0.712, 0, 0.070, 0, 1, 0],
    [0, 0.712, 0, 1, 0, 0],
    [-0.712, 0, 0.450, 0, 1, 0],
    [0, 0.712, 0, 1, 0, 0],
]


@pytest.mark.parametrize("robot", ["irb140", "irb140-screws"])
def test_irb140_twists(robot):
    twists = exponentials.Screws(load(robot)._trees.plain).twist
    np.testing.assert_allclose(twists, TWISTS, rtol=0, atol=1e-15)


def test_irb140_by_rows_and_by_screws():
    rows, screws = load("irb140"), load("irb140-screws")
    states = random_state(6, 3, (50,))
    near(screws.inverse_dynamics(*states), rows.inverse_dynamics(*states), "tau")
    near(screws.mass_matrix(states[0]), rows.mass_matrix(states[0]), "M")
    np.testing.assert_allclose(screws.pose(states[0]), rows.pose(states[0]), rtol=0, atol=1e-14)


def slopes(page, q: np.ndarray) -> np.ndarray:
    """dM_ij/dq_k by complex steps: (n, n, n)."""
    n = q.size
    return np.stack([page(q + 1j * STEP * np.eye(n)[k]).imag / STEP for k in range(n)], axis=-1)


def christoffel(d: np.ndarray) -> np.ndarray:
    """Gamma_ijk = 1/2 (dM_ij/dk + dM_ik/dj - dM_jk/di)."""
    return 0.5 * (d + np.swapaxes(d, 1, 2) - np.moveaxis(d, 2, 0))


@settings(max_examples=60, deadline=None)
@given(arms_and_states(max_links=6, mimics=False, shuffled=False))
def test_exponentials_differentiate_in_closed_form(case):
    """C by Lie brackets, against Christoffel symbols of complex steps through another page's M."""
    model, (q, qd, _) = case
    tree = lower(model)
    reference = Reference(tree)
    d = slopes(reference.mass_matrix, q)
    rounding = 1e3 * EPS * float(np.abs(reference.mass_matrix(q)).max()) * max(1.0, float(np.abs(qd).max()))
    C = exponentials.coriolis_matrix(tree, q, qd)
    near(C, christoffel(d) @ qd, "C", rounding)
    state = exponentials.State.at(tree, q)
    for i, j, k in itertools.product(range(len(tree.bodies)), repeat=3):
        assert abs(state.mass_slope(i, j, k) - d[i, j, k]) <= TOLERANCE * np.abs(d).max() + rounding
