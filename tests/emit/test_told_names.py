"""Listings have the names of their papers: vectors of the recursions, twists, inertias seen from the base."""

import json
import re
from functools import cache

import numpy as np
import pytest

import torsor
from torsor.mechanics.body_motion import motion
from torsor.mechanics.exponentials import Screws
from torsor.mechanics.kinematics import steps

load = cache(torsor.load)


@cache
def derived(robot, by, parameters="numeric"):
    return torsor.derive(load(robot), by=by, parameters=parameters, effort="normal")


def evaluated(equations, *states):
    """Every name of the sheet with its number."""
    document = json.loads(equations.to_json())
    names = {"sin": np.sin, "cos": np.cos, "sqrt": np.sqrt} | equations.values
    names |= {each["identifier"]: state for each, state in zip(document["inputs"], states, strict=False)}
    for each in document["equations"]:
        names[each["name"]] = eval(each["infix"], {}, names)
    return names


@pytest.mark.parametrize("robot", ["planar2", "irb140", "stanford"])
@pytest.mark.parametrize("by", ["newton-euler", "mrnea", "exponentials", "lagrange"])
def test_the_sheet_is_the_arm(robot, by):
    equations = derived(robot, by)
    q, qd, qdd = np.random.default_rng(0).uniform(-2, 2, (3, load(robot).n))
    right = load(robot).inverse_dynamics(q, qd, qdd)
    found = evaluated(equations, q, qd, qdd)
    mine = [found[f"tau{k + 1}"] for k in range(load(robot).n)]
    np.testing.assert_allclose(mine, right, rtol=0, atol=1e-12 * max(1.0, np.abs(right).max()))


def test_what_is_called_w_is_the_angular_velocity():
    arm = load("irb140")
    equations = derived("irb140", "newton-euler")
    q, qd, qdd = np.random.default_rng(1).uniform(-2, 2, (3, 6))
    found = evaluated(equations, q, qd, qdd)
    tree = arm._trees.lean
    moving = motion(tree, steps(tree, q), qd, qdd, tree.gravity)
    checked = 0
    for i, body in enumerate(moving):
        for letter, vector in (("w", body.w), ("wd", body.wd), ("a", body.a)):
            for axis, value in zip("xyz", vector, strict=True):
                if f"{letter}{axis}{i + 1}" in found:
                    assert abs(found[f"{letter}{axis}{i + 1}"] - value) < 1e-10
                    checked += 1
    assert checked > 15


@pytest.mark.parametrize("robot", ["irb140", "stanford", "ur5"])
def test_newton_and_euler_have_their_vectors(robot):
    names = [each.name for each in derived(robot, "newton-euler").sheet.equations]
    told = {re.sub(r"[xyz]?\d+$", "", name) for name in names}
    assert told >= {"w", "wd", "a", "F", "N"}
    assert told & {"f", "n"} or robot == "ur5"  # all the forces of its joints are taken together
    anonymous = [name for name in names if re.fullmatch(r"V\d+", name)]
    assert len(anonymous) < 0.4 * len(names)


def test_mrnea_has_its_vectors():
    names = {each.name for each in derived("irb140", "mrnea").sheet.equations}
    for pattern in (r"b[xyz]\d\d", r"d[xyz]\d\d", r"e[xyz]\d\d|f[xyz]\d\d", r"np[xyz]\d|dp[xyz]\d"):
        assert any(re.fullmatch(pattern, name) for name in names), pattern


def test_exponentials_print_twists_and_inertias():
    equations = derived("irb140", "exponentials")
    text, screws = str(equations), Screws(load("irb140")._trees.plain)
    assert "xi2 = (-0.352, 0, 0.07, 0, 1, 0)" in text
    assert any(re.fullmatch(r"A\d\d_\d\d", each.name) for each in equations.sheet.equations)
    document = json.loads(equations.to_json())
    for l, (twist, M) in enumerate(zip(screws.twist, screws.inertia, strict=True)):
        np.testing.assert_allclose([eval(x) for x in document["given"][f"xi{l + 1}"]], twist, atol=1e-14)
        m, sx, sy, sz, *_ = (eval(x) for x in document["given"][f"Mp{l + 1}"])
        np.testing.assert_allclose([m, sx, sy, sz], [M[0, 0], *screws.moment[l]], atol=1e-12)
    assert r"\xi_{2} = (-0.352," in equations.to_latex()
    assert "Given" not in str(derived("irb140", "newton-euler"))


def test_symbols_in_tables_are_tidy():
    text = str(derived("planar2", "exponentials", "symbolic"))
    assert "Mp2 = (m2, m2*(2 + rx2), 0, 0" in text


def test_the_pose_is_not_mixed_up_with_products():
    names = [each.name for each in torsor.derive(load("irb140"), "pose", effort="normal").sheet.equations]
    assert not [name for name in names if re.fullmatch(r"T\d", name)]
    assert "P1" in names
