"""Symbolic and base parameters: the same torques, for the arm's own numbers and for others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import torsor
from library_arms import library, without_loops
from random_arms import arms_and_states, dh_arms, random_mass, random_state
from torsor.algebra import parameter
from torsor.mechanics import newton_euler
from torsor.mechanics.canonical import regrouped
from torsor.mechanics.parameters import LEAST_FACTOR, base_parameters, parametrised
from torsor.mechanics.regressor import parameters, regressor
from torsor.mechanics.tree import Body, Tree, lower
from torsor.model.mass import Mass
from torsor.model.model import Model

EPS = np.finfo(float).eps
LIBRARY = library(without_loops)


def near(mine: np.ndarray, right: np.ndarray, rounding: float = 0.0, tolerance: float = 1e-10) -> None:
    worst, size = float(np.abs(mine - right).max(initial=0.0)), float(np.abs(right).max(initial=0.0))
    assert worst <= tolerance * size + rounding, f"differs by {worst:.3g} of {size:.3g}"


def loads(tree: Tree, states: tuple[np.ndarray, ...]) -> float:
    return float(np.abs(newton_euler.bearing_loads(tree, *states, tree.gravity, None)).max())


# Numbers of base parameters. Turning joints only: 7 n - 4 b - 2, b the axes from the first on that are parallel to it,
# the 2 only if the first is vertical (Mayeda, Yoshida & Osuka 1990); Panda also in Gaz et al. 2019.
KNOWN = {
    "planar2": 6,
    "planar3": 9,
    "puma560": 36,
    "puma560-akb": 36,
    "puma560-burdick": 36,
    "irb140": 36,
    "irb140-screws": 36,
    "rl15": 36,
    "ur5": 36,
    "panda": 43,
    "sdt4": 7 * 4 - 4 * 2 - 2,
}


@pytest.mark.parametrize(("robot", "count"), KNOWN.items())
def test_number_of_base_parameters(robot, count):
    assert len(base_parameters(torsor.load(robot)._trees.plain).names) == count


@pytest.mark.parametrize("robot", LIBRARY)
def test_library_torques_from_base_parameters(robot):
    tree = torsor.load(robot)._trees.plain
    torques_from_base_parameters(tree, random_state(tree.n, 5, (20,)))
    grouping_rules_leave_none_to_spare(tree, exact="P" not in torsor.load(robot).model.kinds)


@settings(max_examples=20, deadline=None)
@given(arms_and_states(batch=(4,), max_links=6))
def test_random_trees_torques_from_base_parameters(case):
    model, states = case
    torques_from_base_parameters(lower(model), states)


@settings(max_examples=40, deadline=None)
@given(arms_and_states(batch=(4,), max_links=6, kinds=("revolute", "continuous"), mimics=False))
def test_rank_is_what_the_grouping_rules_leave(case):
    model, _ = case
    grouping_rules_leave_none_to_spare(lower(model), exact=True)


def torques_from_base_parameters(tree: Tree, states: tuple[np.ndarray, ...]) -> None:
    base = base_parameters(tree)
    tau = newton_euler.inverse_dynamics(tree, *states, tree.gravity)
    Y = regressor(tree, *states, tree.gravity)[..., base.columns]
    rounding = 1e4 * EPS * loads(tree, states)
    with pytest.MonkeyPatch.context() as patch:  # nothing left out: to rounding
        patch.setattr("torsor.mechanics.parameters.LEAST_FACTOR", 0.0)
        near(Y @ base_parameters(tree).values, tau, rounding)
    # what is left out counts where arms are by chance so near to others that columns are 1e-8 apart
    left_out = LEAST_FACTOR * np.abs(Y).sum(axis=-1).max() * np.abs(parameters(tree)).sum()
    near(Y @ base.values, tau, rounding + left_out)
    near(newton_euler.inverse_dynamics(regrouped(tree), *states, tree.gravity), tau, rounding)
    # each value is its combination of the standard parameters
    names = dict(zip(torsor.mechanics.regressor.parameter_names(tree), parameters(tree), strict=True))
    for name, terms, value in zip(base.names, base.combinations, base.values, strict=True):
        sum_of_terms = names[name] + sum(factor * names[other] for other, factor in terms.items())
        assert value == pytest.approx(sum_of_terms, rel=1e-9, abs=1e-9)


def grouping_rules_leave_none_to_spare(tree: Tree, *, exact: bool) -> None:
    """The rank found by QR is the number of regrouped parameters that torques depend on.

    ``regrouped`` applies Gautier & Khalil's rules for a joint. What is left of each body moves the torques by a column
    of its own: the columns that are not zero must be independent. Their special rules for sliding joints behind the
    first turning one are left to QR.
    """
    columns = [_torques_of(tree, i, entry) for i, body in enumerate(tree.bodies) for entry in _left(body)]
    stacked = np.stack(columns, axis=-1)
    size = np.linalg.norm(stacked, axis=0)
    felt = stacked[:, size > 1e-9 * size.max()]
    rank = int(np.linalg.matrix_rank(felt / np.linalg.norm(felt, axis=0), tol=1e-8))
    count = len(base_parameters(tree).names)
    assert rank == count
    if exact:
        assert felt.shape[1] == count


def _left(body: Body) -> list[str]:
    """What ``regrouped`` leaves of a body: a turning joint 7 parameters, a sliding one 4, a screw all but one."""
    second = ["Izz", "Iyy - Ixx", "xy", "xz", "yz"]
    if body.turn and body.slide:
        return ["mass", "x", "y", "z", *second]
    return ["x", "y", *second] if body.turn else ["mass", "x", "y", "z"]


def _torques_of(tree: Tree, index: int, entry: str) -> np.ndarray:
    """Torques of a unit of one parameter of one body, all else massless."""
    bodies = []
    for i, body in enumerate(tree.bodies):
        second, moment, mass = np.zeros((3, 3)), np.zeros(3), 0.0
        if i == index and entry == "mass":
            mass = 1.0
        elif i == index and len(entry) == 1:
            moment["xyz".index(entry)] = 1.0
        elif i == index and entry == "Izz":
            second = np.diag([0.5, 0.5, 0.0])
        elif i == index and entry == "Iyy - Ixx":
            second = np.diag([0.5, -0.5, 0.0])
        elif i == index:
            a, b = ("xyz".index(letter) for letter in entry)
            second[a, b] = second[b, a] = 1.0
        bodies.append(replace(body, mass=mass, moment=moment, second=second))
    states = random_state(tree.n, 11, (12 * len(bodies) + 10,))
    return newton_euler.inverse_dynamics(replace(tree, bodies=tuple(bodies)), *states, tree.gravity).ravel()


def test_base_parameters_are_printed_as_combinations():
    text = str(base_parameters(torsor.load("planar2")._trees.plain))
    assert text.splitlines() == [
        "           1.5  = mx_link1 + m_link1 + m_link2",
        "             0  = my_link1",
        "      -1.66667  = Izz_link1 - m_link1 - m_link2",
        "           0.5  = mx_link2 + m_link2",
        "             0  = my_link2",
        "     -0.666667  = Izz_link2 - m_link2",
    ]


def evaluated(model: Model, kind: str, other: Model, states: tuple[np.ndarray, ...], **options: bool) -> np.ndarray:
    """tau of ``other`` from the equations derived for ``model``, with other's numbers for the parameters."""
    equations = torsor.derive(torsor.Arm(model), parameters=kind, effort="none", **options)
    _, values = parametrised(other, lower(other), kind, **options)
    assert set(equations.values) <= set(values)  # those that do not occur are not listed
    return equations.tape.evaluate(*states, *(values[name] for name in equations.values))[0]


def heavier(model: Model, seed: int = 0) -> Model:
    """Other masses, centres and inertias with the same zeros and symmetries."""
    rng = np.random.default_rng(seed)
    links = []
    merged = any(not link.joint.moves for link in model.links)
    for link in model.links:
        # a link with others welded on keeps its zeros only if all of them change alike
        a, b, c = (1.7, 1.0, 1.7) if merged else rng.uniform(0.5, 2.0, 3)
        mass = None if link.mass is None else Mass(a * link.mass.mass, b * link.mass.com, c * link.mass.inertia)
        links.append(replace(link, mass=mass))
    return replace(model, links=tuple(links), gravity=1.5 * model.gravity, allow_nonphysical=True)


@pytest.mark.parametrize("kind", ["symbolic", "base"])
@pytest.mark.parametrize("robot", LIBRARY)
def test_equations_hold_for_other_masses(robot, kind):
    model = torsor.load(robot).model
    states = random_state(model.n, 2, (5,))
    for other in (model, heavier(model)):
        tree = lower(other)
        tau = newton_euler.inverse_dynamics(tree, *states, tree.gravity)
        near(evaluated(model, kind, other, states), tau, 1e4 * EPS * loads(tree, states))


@pytest.mark.parametrize("robot", ["ur5", "panda"])
def test_equations_of_arms_with_fixed_links(robot):
    arm = torsor.load(robot)
    states = random_state(arm.n, 2, (5,))
    tau = arm.reference.inverse_dynamics(*states)
    for kind in ("symbolic", "base"):
        near(torsor.derive(arm, parameters=kind, effort="none")(*states), tau, 1e-10)


@settings(max_examples=8, deadline=None)
@given(arms_and_states(batch=(3,), max_links=5))
def test_random_trees_with_symbolic_parameters(case):
    model, states = case
    tree = lower(model)
    tau = newton_euler.inverse_dynamics(tree, *states, tree.gravity)
    for kind in ("symbolic", "base"):
        near(evaluated(model, kind, model, states), tau, 1e4 * EPS * loads(tree, states))


@settings(max_examples=8, deadline=None)
@given(dh_arms(max_joints=5))
def test_lengths_of_rows_are_symbols(arm):
    """Both conventions: other lengths and other masses, the same equations."""
    rng = np.random.default_rng(4)
    scale = np.array([rng.uniform(0.5, 2.0), 1.0, rng.uniform(0.5, 2.0), 1.0])
    starts = arm.starts  # a sliding joint's d is where it starts
    masses = tuple(random_mass(rng, "solid") for _ in arm.masses)
    model, other = arm.model(), replace(arm, rows=arm.rows * scale, starts=starts, masses=masses).model()
    states = random_state(model.n, 3, (3,))
    tree = lower(other)
    tau = newton_euler.inverse_dynamics(tree, *states, tree.gravity)
    for kind in ("symbolic", "base"):
        near(evaluated(model, kind, other, states, lengths=True), tau, 1e4 * EPS * loads(tree, states))


def test_names_are_those_of_the_paper():
    arm = torsor.load("puma560-burdick")
    _, values = parametrised(arm.model, arm._trees.plain, "symbolic", lengths=True)
    paper = {"a2": 0.4318, "a3": -0.0203, "d2": 0.2435, "d3": -0.0934, "d4": 0.4331, "g": 9.81}
    paper |= {"m2": 17.4, "m3": 4.8, "m4": 0.82, "m5": 0.34, "m6": 0.09}
    paper |= {"rx2": 0.068, "ry3": -0.070, "ry5": 0.01, "rz6": 0.032}
    paper |= {"Ixx5": 0.3e-3, "Izz5": 0.4e-3, "Ixx6": 0.15e-3, "Izz6": 0.04e-3, "Iyz3": -0.006, "Ixy2": 0.01}
    for name, value in paper.items():
        assert values[name] == pytest.approx(value, rel=1e-12), name
    assert "Iyy5" not in values  # one symbol for equal moments, as section 6 writes it
    assert not {"m1", "rx1", "ry2", "a1", "a4", "d1"} & values.keys()  # zeros of the file are no symbols


def test_regrouping_is_exact_on_symbols():
    """No parameter may hide a division or a square root: grouping is sums of products."""
    arm = torsor.load("puma560-burdick")
    trees, values = parametrised(arm.model, arm._trees.plain, "base")
    for body in trees.lean.bodies:
        assert body.mass == 0.0 or body.parent < 0
    counts = torsor.derive(arm, parameters="base", effort="none").count()
    assert (counts.div, counts.sqrt) == (0, 0)
    assert parameter("m2") is parameter("m2")
    assert set(values) >= {"m2", "rx2", "g"}
