"""The derived inverse of the Jacobian against NumPy's, at round and at random poses, near singular ones included."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from random_arms import SEEDS, random_mass, random_pose, random_state
from torsor.errors import Unsupported
from torsor.loading import robots
from torsor.mechanics.inverse_jacobian import inverse_jacobian, require_invertible
from torsor.mechanics.kinematics import jacobian
from torsor.mechanics.tree import lower
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Joint, Link

EPS = 2.0**-52
SIX = [name for name in robots() if (arm := torsor.load(name)).n == 6 and not arm.model.loops]
ROUND = np.array(list(product([0, 90], [0, 90, -45], [0, 90, -90, 45], [0, 90], [90, 45, -90], [0, 30]))) * np.pi / 180
derived = cache(lambda name: torsor.derive(torsor.load(name), "jacobian_inverse", effort="normal"))


def check(inverse: np.ndarray, J: np.ndarray) -> None:
    """Backward errors of a few roundings, for each pose by its own condition number."""
    condition = np.linalg.cond(J)
    regular = condition < 1e12
    assert regular.any()
    error = np.abs(inverse[regular] @ J[regular] - np.eye(6)).max(axis=(-1, -2))
    assert (error <= 30 * EPS * condition[regular]).all()  # NaN is not


def test_the_library_has_both_forms():
    assert {derived(name).by for name in SIX} == {"wrist partition", "cofactors"}
    assert derived("puma560-burdick").by == "wrist partition"
    assert derived("ur5").by == "cofactors"
    assert "formulation: wrist partition" in str(derived("puma560-burdick"))


@pytest.mark.parametrize("name", SIX)
def test_round_and_random_poses(name):
    arm = torsor.load(name)
    for q in (ROUND, random_state(6, 1, (500,))[0]):
        check(derived(name)(q), arm.jacobian(q))


@pytest.mark.parametrize("name", SIX)
def test_near_singular_poses(name):
    """The wrist nearly straight, the arm nearly stretched: large entries, and right to the condition number."""
    arm = torsor.load(name)
    q = random_state(6, 2, (40,))[0]
    for joint, size in product((2, 4), (1e-2, 1e-4, 1e-6)):
        near = q.copy()
        near[:, joint] = size
        check(derived(name)(near), arm.jacobian(near))


@pytest.mark.parametrize("q", [(0, 0, 0, 0, 90, 0), (90, -40, 30, 17, 52, 0), (23, -40, 30, 0, 52, 0)])
def test_poses_that_were_nan_or_wrong(q):
    """Pivots chosen once from random samples vanish here."""
    q = np.deg2rad(q)
    arm = torsor.load("puma560-burdick")
    assert np.linalg.cond(arm.jacobian(q)) < 50
    np.testing.assert_allclose(derived("puma560-burdick")(q), np.linalg.inv(arm.jacobian(q)), atol=1e-13)


@st.composite
def six_joint_arms(draw):
    """Chains of six joints in any directions; now and then the last two or three axes meet."""
    rng = np.random.default_rng(draw(SEEDS))
    kinds = draw(st.lists(st.sampled_from(["revolute"] * 5 + ["prismatic", "screw"]), min_size=6, max_size=6))
    meet = draw(st.integers(0, 2))
    places = [random_pose(rng, draw(st.sampled_from(("quarter", "general")))) for _ in range(6)]
    for place in places[6 - meet :]:
        place[:3, 3] = 0.0
    links = tuple(
        Link(
            f"link{i}",
            i - 1 if i else BASE,
            Joint(f"joint{i}", kind, before=places[i], pitch=0.3 if kind == "screw" else 0.0),
            random_mass(rng, "solid"),
        )
        for i, kind in enumerate(kinds)
    )
    return Model("six", links, Frame(5, random_pose(rng, draw(st.sampled_from(("none", "shifted", "general"))))))


@settings(max_examples=60, deadline=None)
@given(six_joint_arms())
def test_any_six_joints(model):
    tree = lower(model)
    q = np.concatenate([random_state(6, 5, (20,))[0], ROUND[::40]])
    J = jacobian(tree, q)
    try:
        require_invertible(tree)
    except Unsupported:
        assert (np.linalg.cond(J) > 1e8).all()
        return
    with np.errstate(all="ignore"):  # some round poses are singular
        inverse, form = inverse_jacobian(tree, q)
    if form == "wrist partition":
        assert all(link.joint.kind == "revolute" for link in model.links[3:])
    condition = np.linalg.cond(J)
    fair = condition < 1e4
    error = np.abs(inverse @ J - np.eye(6)).max(axis=(-1, -2))
    # cofactors of six columns lose more digits than elimination where several singular values are small
    assert (error[fair] <= 100 * EPS * condition[fair] ** 3).all()


@pytest.mark.parametrize("name", ["puma560-burdick", "stanford", "irb140", "rl15"])
@pytest.mark.parametrize("parameters", ["numeric", "symbolic"])
def test_lengths_stay_symbols(name, parameters):
    """Also where nothing else is a symbol; and with other lengths it is the inverse of the other arm's Jacobian."""
    arm = torsor.load(name)
    q = random_state(6, 3, (20,))[0]
    made = {
        what: torsor.derive(arm, what, parameters=parameters, lengths=True, effort="normal")
        for what in ("jacobian", "jacobian_inverse")
    }
    lengths = [key for key in made["jacobian"].values if key[0] in "ad"]
    assert lengths
    assert "m2" not in made["jacobian"].values  # what does not occur is not listed
    check(made["jacobian_inverse"](q), arm.jacobian(q))
    other = {key: value * (1.3 if key in lengths else 1.0) for key, value in made["jacobian"].values.items()}
    (J,), (inverse,) = (each.tape.evaluate(q, *(other[key] for key in each.parameters)) for each in made.values())
    assert np.abs(J - arm.jacobian(q)).max() > 0.01
    check(inverse, J)


def test_the_tool_moves_with_its_lengths():
    """The last row's d carries the tool: it is in the Jacobian as a symbol, not as a number."""
    arm = torsor.load("irb140")
    J = torsor.derive(arm, "jacobian", lengths=True, effort="normal")
    q = random_state(6, 3)[0]
    (longer,) = J.tape.evaluate(q, *{**J.values, "d6": 0.5}.values())
    assert np.abs(longer - arm.jacobian(q)).max() > 0.1


def test_other_frames():
    arm = torsor.load("rl15")
    q = random_state(6, 4, (20,))[0]
    last = arm.model.links[-1].name
    check(torsor.derive(arm, "jacobian_inverse", frame=last, effort="none")(q), arm.jacobian(q, frame=last))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("panda", {}, "'panda' has 7 joints; only a Jacobian of six joints has an inverse"),
        (
            "puma560",
            {"frame": "link5"},
            "the Jacobian of 'puma560' is singular everywhere; not every joint",
        ),
        ("puma560", {"by": "kane"}, "'kane' does not compute jacobian_inverse; its form follows from the arm"),
    ],
)
def test_what_cannot_be(name, options, message):
    with pytest.raises(Unsupported, match=message):
        torsor.derive(torsor.load(name), "jacobian_inverse", effort="none", **options)
