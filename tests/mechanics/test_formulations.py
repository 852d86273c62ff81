"""All formulations give one answer: on the library, on random arms and trees, on published states; plain and traced.

Torques may be small only because large loads cancel in them, Jacobians because two joints move against each other, and
accelerations inherit the condition of M; tolerances are 1e-10 relative to the result, with an allowance in units of
rounding for those; poses, which hold elements of about 1, need none.
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
from library_arms import library, without_loops
from pinocchio_oracle import PinocchioArm
from random_arms import arms_and_states, random_mass, random_rotation, random_state
from torsor.comparing import COMPARED
from torsor.errors import Unsupported
from torsor.mechanics import closed_form, exponentials
from torsor.mechanics.asking import trace
from torsor.mechanics.canonical import Trees
from torsor.mechanics.formulations import FORMULATIONS, chosen, formulations_of
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import Tree, lower
from torsor.model.model import Model
from torsor.model.parts import Frame, Joint, Link, Mimic
from torsor.model.transforms import pose

EPS = np.finfo(float).eps
STEP = 1e-200  # of complex steps: no cancellation, so no error
TOLERANCE = 1e-10
WRENCH = np.array([3.0, -2.0, 5.0, 0.5, 1.5, -1.0])
LIBRARY = library(without_loops)
ORACLES = Path(__file__).parent.parent / "oracles"
IRB140 = json.loads((ORACLES / "irb140.json").read_text())
RL15 = json.loads((ORACLES / "rl15.json").read_text())
BURDICK = json.loads((ORACLES / "puma560.json").read_text())["burdick_appendix_II_corrected"]
load = cache(torsor.load)


def by(trees: Trees, quantity: str, name: str, *states: np.ndarray, gravity=None, wrench=None) -> np.ndarray:
    """A quantity by a formulation, on floats."""
    formulation = chosen(trees, quantity, name)
    options = []
    if "gravity" in QUANTITIES[quantity].knows:
        options.append(trees.plain.gravity if gravity is None else gravity)
    if "wrench" in QUANTITIES[quantity].knows:
        options.append(wrench)
    return formulation.page(quantity)(formulation.tree(trees), *states, *options)


def takes(trees: Trees, name: str) -> bool:
    formulation = FORMULATIONS[name]
    return formulation.refuses(formulation.tree(trees)) is None


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
    reference = ReferenceQuantities(trees.plain)
    load = float(np.abs(reference.bearing_loads(q, qd, qdd, gravity=gravity, wrench=WRENCH)).max())
    M = reference.mass_matrix(q)
    condition = float(np.linalg.cond(M).max())
    inertia, speed = float(np.abs(M).max()), max(1.0, float(np.abs(trees.plain.coupling @ qd[..., None]).max()))
    joints = [link.joint for link in model.links]
    placements = [model.base, model.tool.placement, *(at for joint in joints for at in (joint.before, joint.after))]
    reach = sum(float(np.linalg.norm(at[:3, 3])) for at in placements) + len(joints) * (1 + np.abs(q).max())
    rounding = {
        "jacobian": 1e2 * EPS * reach * float(np.abs(trees.plain.coupling).max()),
        "inverse_dynamics": 1e3 * EPS * load,
        "gravity": 1e3 * EPS * load,
        "mass_matrix": 1e2 * EPS * inertia,
        "coriolis_matrix": 1e3 * EPS * inertia * speed,
        "forward_dynamics": 1e3 * EPS * condition * (float(np.abs(qdd).max()) + load / inertia),
    }
    for quantity in COMPARED:
        if quantity == "forward_dynamics" and condition > 1e8:
            continue  # massless links on one axis: nothing to solve
        for wrench in (None, np.broadcast_to(WRENCH, (*q.shape[:-1], 6))):
            states = {"q": q, "qd": qd, "qdd": qdd}
            if quantity == "forward_dynamics":
                states["tau"] = reference.inverse_dynamics(q, qd, qdd, gravity=gravity, wrench=wrench)
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
                near(mine, other, f"{quantity} by {a} and {b}", rounding.get(quantity, 0.0))
            if "wrench" not in QUANTITIES[quantity].knows:
                break


def test_every_formulation_says_what_it_is():
    for name, formulation in FORMULATIONS.items():
        assert formulation.name == name
        assert formulation.source
        assert formulation.pages
        assert set(formulation.pages) <= set(COMPARED)
    assert all(len(formulations_of(quantity)) >= 2 for quantity in COMPARED)


@pytest.mark.parametrize("robot", LIBRARY)
def test_library(robot):
    model = load(robot).model
    all_agree(model, *random_state(model.n, 0, (5,)))


def test_open_tree_of_a_closed_chain():
    model = load("asea-irb").tree.model
    all_agree(model, *random_state(model.n, 0, (5,)))


SERIAL = {"branches": False, "mimics": False, "max_links": 6, "shuffled": False}


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([("revolute",), ("prismatic",), ("revolute", "prismatic"), ("revolute", "prismatic", "screw")]),
    st.booleans(),
    st.data(),
)
def test_random_serial_arms(kinds, weightless, data):
    model, states = data.draw(arms_and_states(batch=(2,), kinds=kinds, **SERIAL))
    all_agree(model, *states, gravity=np.zeros(3) if weightless else None)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(arms_and_states(batch=(2,), max_links=8))
def test_random_trees(case):
    """Branches, fixed links, joints that follow others, children before parents."""
    model, states = case
    all_agree(model, *states)


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(arms_and_states(batch=(2,), max_links=8))
def test_many_random_trees(case):
    model, states = case
    all_agree(model, *states)


@settings(max_examples=12, deadline=None)
@given(arms_and_states(max_links=7))
def test_pinocchio(case):
    model, (q, qd, qdd) = case
    trees, oracle = Trees(lower(model)), PinocchioArm(model)
    load = float(np.abs(ReferenceQuantities(trees.plain).bearing_loads(q, qd, qdd, wrench=WRENCH)).max())
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


@pytest.mark.parametrize(
    "robot",
    [
        "planar3",
        "scara",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("irb140", "stanford", "irb140-screws")),
    ],
)
def test_traced(robot):
    """The same pages run on symbols, simplified, and evaluated."""
    arm = load(robot)
    states = random_state(arm.n, 1, (4,))
    for quantity in COMPARED:
        for name in formulations_of(quantity):
            tape = trace(arm._trees, quantity, by=name).verify()
            inputs = list(states[: len(QUANTITIES[quantity].states)])
            right = getattr(arm.reference, quantity)(*inputs)
            near(tape.evaluate(*inputs)[0], right, f"{quantity} by {name}", 1e-12)


@settings(max_examples=3, deadline=None)
@given(arms_and_states(batch=(2,), max_links=4), st.booleans())
def test_traced_random_trees(case, pushed):
    model, states = case
    trees = Trees(lower(model))
    reference = ReferenceQuantities(trees.plain)
    if np.linalg.cond(reference.mass_matrix(states[0])).max() > 1e5:
        return
    load = float(np.abs(reference.bearing_loads(*states, wrench=WRENCH)).max())
    for quantity in COMPARED:
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


@settings(max_examples=30, deadline=None)
@given(arms_and_states(max_links=6, mimics=False, shuffled=False))
def test_exponentials_differentiate_in_closed_form(case):
    """C by Lie brackets, against Christoffel symbols of complex steps through another page's M."""
    model, (q, qd, _) = case
    tree = lower(model)
    reference = ReferenceQuantities(tree)
    d = slopes(reference.mass_matrix, q)
    rounding = 1e3 * EPS * float(np.abs(reference.mass_matrix(q)).max()) * max(1.0, float(np.abs(qd).max()))
    C = exponentials.coriolis_matrix(tree, q, qd)
    near(C, christoffel(d) @ qd, "C", rounding)
    state = exponentials.ExponentialState.at(tree, q)
    for i, j, k in itertools.product(range(len(tree.bodies)), repeat=3):
        assert abs(state.mass_slope(i, j, k) - d[i, j, k]) <= TOLERANCE * np.abs(d).max() + rounding


@settings(max_examples=40, deadline=None)
@given(arms_and_states(max_links=7, mimics=False, shuffled=False))
def test_closed_form_coefficients(case):
    """M, c and b of Burdick's form, on serial arms and trees, against complex steps through another page."""
    model, (q, _, _) = case
    trees = Trees(lower(model))
    reference = ReferenceQuantities(trees.plain)
    M, d = reference.mass_matrix(q), slopes(reference.mass_matrix, q)
    coefficients_agree(trees.lean, q, M, christoffel(d), reference.gravity(q))
    coefficients_agree(trees.plain, q, M, christoffel(d), reference.gravity(q))


def coefficients_agree(tree: Tree, q: np.ndarray, M: np.ndarray, symbols: np.ndarray, g: np.ndarray) -> None:
    found = closed_form.coefficients(tree, q, tree.gravity)
    n = q.size
    rounding = 1e3 * EPS * float(np.abs(M).max())
    mine_M, mine_c, mine_b = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n, n))
    for (i, j), value in found.M.items():
        mine_M[i, j] = mine_M[j, i] = value
    for (i, j), value in found.c.items():
        mine_c[i, j] = value
    for (i, j, k), value in found.b.items():
        assert j < k
        mine_b[i, j, k] = value
    near(mine_M, M, "M", rounding)
    near(mine_c, np.einsum("ijj->ij", symbols), "c", rounding)
    upper = np.triu(np.ones((n, n)), 1)
    near(mine_b, 2.0 * symbols * upper, "b", rounding)
    near(np.array(found.g), g, "g", 1e-10)


def coefficient(name: str) -> tuple[int, ...]:
    """The indices in a name such as b125."""
    return tuple(int(digit) - 1 for digit in name[1:])


@pytest.mark.parametrize("frames", ["plain", "lean"])
def test_burdick_coefficients(frames):
    """The corrected Appendix II, number by number; the paper's g_i are -(1/g) dV/dq_i."""
    trees = load("puma560-burdick")._trees
    tree = trees.plain if frames == "plain" else trees.lean
    found = closed_form.coefficients(tree, np.array(BURDICK["q"]), tree.gravity)
    for (i, j), value in found.M.items():
        assert value == pytest.approx(BURDICK["M"][i][j], abs=1e-9), (i, j)
    centripetal = {coefficient(name)[:2]: value for name, value in BURDICK["c_nonzero"].items()}
    coriolis = {coefficient(name): value for name, value in BURDICK["b_nonzero"].items()}
    for index in found.c.keys() | centripetal.keys():
        assert found.c.get(index, 0.0) == pytest.approx(centripetal.get(index, 0.0), abs=1e-9), index
    for index, published in coriolis.items():  # the list leaves out those that (28) and (34) give
        assert found.b[index] == pytest.approx(published, abs=1e-9), index
    printed = BURDICK["g_printed_convention(-dV/dq / g)"]
    np.testing.assert_allclose(np.array(found.g) / -9.81, [printed[f"g{i}"] for i in range(1, 7)], rtol=0, atol=1e-9)


@st.composite
def arms_with_parallel_axes(draw: st.DrawFn) -> tuple[Model, int, np.ndarray, bool]:
    """A serial arm of turning joints in which joints p and p+1 are parallel, p, a state, and whether axes before p are
    at right angles to it."""
    n = draw(st.integers(2, 6))
    p = draw(st.integers(0, n - 2))
    square = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    links = []
    for i in range(n):
        R = random_rotation(rng)
        if i == p + 1:
            R = np.eye(3)
        elif i == p and square:
            R = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
        place = pose(R, rng.uniform(-0.5, 0.5, 3))
        links.append(Link(f"link{i}", i - 1, Joint(f"joint{i}", "revolute", before=place), random_mass(rng, "solid")))
    model = Model(
        name="parallel",
        links=tuple(links),
        tool=Frame(n - 1, np.eye(4)),
        gravity=np.array([0.0, 0.0, -9.81]),
        base=np.eye(4),
    )
    return model, p, rng.uniform(-3.0, 3.0, n), square


class Extended:
    """What Burdick's rules speak of, in base axes and from the links' own data: z_i, P_i, r_i, M_j, U_j, K_jj."""

    def __init__(self, model: Model, q: np.ndarray) -> None:
        reference = ReferenceQuantities(lower(model))
        n = len(model.links)
        T = [reference.pose(q, frame=link.name) for link in model.links]
        self.z = [t[:3, 2] for t in T]
        self.o = [t[:3, 3] for t in T]
        self.m = [link.mass.mass for link in model.links]
        self.com = [t[:3, :3] @ link.mass.com + t[:3, 3] for t, link in zip(T, model.links, strict=True)]
        self.inertia = [t[:3, :3] @ link.mass.inertia @ t[:3, :3].T for t, link in zip(T, model.links, strict=True)]
        self.P = [self.o[i] - (self.o[i - 1] if i else 0.0) for i in range(n)]
        self.r = [self.com[i] - self.o[i] for i in range(n)]
        self.mass = [sum(self.m[j:]) for j in range(n)]
        self.U = [sum(self.m[k] * (self.com[k] - self.o[j]) for k in range(j, n)) for j in range(n)]

    def K(self, j: int) -> np.ndarray:
        """K_jj of (20)."""
        r, P = hat(self.r[j]), hat(self.P[j + 1])
        return self.inertia[j] - self.m[j] * r @ r - self.mass[j + 1] * P @ P

    def eta(self, i: int, j: int) -> float:
        """eta_ij of (24)."""
        return float(-self.z[i] @ hat(self.P[i]) @ hat(self.U[j]) @ self.z[j])


def hat(v: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


@settings(max_examples=30, deadline=None)
@given(arms_with_parallel_axes())
def test_parallel_axes_in_the_mass_matrix(case):
    """(22)-(25), line 2 and 3 of (25) corrected."""
    model, p, q, _ = case
    tree, n, e = lower(model), q.size, Extended(model, q)
    reference = ReferenceQuantities(tree)
    M = reference.mass_matrix(q)
    z, P = e.z[p], e.P[p + 1]
    scale = float(np.abs(M).max())

    def equal(a: float, b: float, rule: str) -> None:
        assert abs(a - b) <= 1e-12 * scale, f"{rule}: {a} and {b}"

    np.testing.assert_allclose(e.z[p + 1], z, rtol=0, atol=1e-14)  # (22)
    for j in range(p + 1, n):  # (23): partial velocities of link j
        J = reference.jacobian(q, frame=f"link{j}")
        np.testing.assert_allclose(J[:3, p], np.cross(z, P) + J[:3, p + 1], rtol=0, atol=1e-13)
        np.testing.assert_allclose(J[3:, p], J[3:, p + 1], rtol=0, atol=1e-13)
    eta, K = e.eta(p + 1, p + 1), e.K(p)
    equal(M[p, p + 1], M[p + 1, p + 1] + eta, "(24)")
    equal(M[p, p], M[p + 1, p + 1] + z @ K @ z + 2.0 * eta, "(25), 1")
    equal(M[p, p], M[p, p + 1] + z @ K @ z + eta, "(25), 2 corrected")
    elsewhere = Extended(model, random_state(n, 7)[0])
    equal(z @ K @ z, elsewhere.z[p] @ elsewhere.K(p) @ elsewhere.z[p], "z.K.z is constant")
    U_bar = e.m[p] * e.r[p] + e.mass[p + 1] * P
    for i in range(p):
        L = e.o[p] - e.o[i]
        bracket = K - hat(e.U[p + 1]) @ hat(P) - hat(L) @ hat(U_bar)
        equal(M[i, p], M[i, p + 1] + e.z[i] @ bracket @ z, "(25), 3 corrected")
    for i in range(p + 2, n):
        equal(M[p, i], M[p + 1, i] + e.eta(p + 1, i), "(25), 4")
    if n > 2:
        coefficients_agree(tree, q, M, christoffel(slopes(reference.mass_matrix, q)), reference.gravity(q))


@settings(max_examples=30, deadline=None)
@given(arms_with_parallel_axes())
def test_parallel_axes_in_the_velocity_terms(case):
    """(26)-(29), (31), (33), (34) and (35) corrected, on Christoffel symbols from complex steps."""
    model, p, q, square = case
    n, e = q.size, Extended(model, q)
    d = slopes(ReferenceQuantities(lower(model)).mass_matrix, q)
    symbols = christoffel(d)
    z, P, outer = e.z[p], e.P[p + 1], p + 1
    scale = max(float(np.abs(symbols).max()), 1e-3)

    def c(i: int, j: int) -> float:
        return float(symbols[i, j, j])

    def b(i: int, j: int, k: int) -> float:
        return 2.0 * float(symbols[i, j, k])

    def equal(mine: float, other: float, rule: str) -> None:
        assert abs(mine - other) <= 1e-11 * scale, f"{rule}: {mine} and {other}"

    for i, j, k in itertools.product(range(n), repeat=3):
        if k <= min(i, j):
            equal(d[i, j, k], 0.0, "(26)")
        if j < k:
            if i == j:
                equal(b(i, j, k), -2.0 * c(k, i), "(28)")
            elif i == k:
                equal(b(i, j, k), 0.0, "(28)")
            elif i > k:
                equal(b(i, j, k), -b(k, j, i), "(28)")
            elif i < j:
                equal(b(i, j, k), d[i, j, k] + d[i, k, j], "(29)")
            else:
                equal(b(i, j, k), d[i, j, k] - d[j, k, i], "(29)")
    for k in range(p + 2, n):
        turned = hat(np.cross(e.z[k], e.U[k]))
        for i in range(p):
            change = e.z[i] @ turned @ hat(P) @ z
            equal(d[i, p, k], d[i, outer, k] - change, "(31)")
            equal(d[i, k, p], d[i, k, outer] + change, "(33)")
            equal(b(p, i, k), b(outer, i, k) - 2.0 * z @ hat(P) @ turned @ e.z[i], "(35), 5")
        for i in (*range(p), *range(p + 2, n)):
            if i != k:
                equal(b(i, p, k), b(i, outer, k), "(34)")
        equal(b(outer, p, k), b(outer, outer, k), "(35), 1 corrected")
        for j in range(p + 2, k):
            equal(b(p, j, k), b(outer, j, k) - 2.0 * z @ hat(P) @ turned @ e.z[j], "(35), 4")
        equal(b(p, outer, k), -2.0 * c(k, outer) - 2.0 * z @ hat(P) @ turned @ z, "(35), 6")
        equal(c(p, k), c(outer, k) + e.z[k] @ hat(np.cross(z, P)) @ hat(e.U[k]) @ e.z[k], "(35), 8 corrected")
    for i in range(p):
        equal(b(i, p, outer), 2.0 * c(i, outer), "(35), 3 corrected")
        if square and i == p - 1:
            equal(b(p, i, outer), 0.0, "(35), 2, for axes at right angles")
    equal(c(p, outer), -c(outer, p), "(35), 7 corrected")


def test_a_word_for_each_mistake():
    arm = load("planar2")
    states = np.zeros((3, 2))
    with pytest.raises(Unsupported, match=r"there is no formulation 'kan'; did you mean 'kane'\?"):
        arm.inverse_dynamics(*states, by="kan")
    with pytest.raises(Unsupported, match=r"'articulated' does not compute mass_matrix; it is computed by expon"):
        arm.mass_matrix(states[0], by="articulated")
    first, second = arm.model.links
    following = replace(second, joint=replace(second.joint, mimic=Mimic(first.joint.name, 1.0, 0.0)))
    follower = replace(arm.model, links=(first, following))
    with pytest.raises(Unsupported, match="'articulated' is not for 'planar2': a joint follows another"):
        torsor.Arm(follower).forward_dynamics([0.0], [0.0], [0.0], by="articulated")
