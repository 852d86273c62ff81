"""Random arms of every class with a closed form, against a search that knows nothing of classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor import load
from torsor.arm import Arm
from torsor.mechanics import kinematics
from torsor.mechanics.spherical_wrist import MET, branches, recognised, thirds, with_third
from torsor.mechanics.tree import lower
from torsor.model.armfile import parse_arm_file
from torsor.motion.inverse.search import polished
from wrist_arms import wrist_arm, wrist_arm_text

CLASSES = [
    ("revolute", "pass", "quartic"),
    ("revolute", "meet", "coplanar"),
    ("revolute", "parallel", "coplanar"),
    ("prismatic", "pass", "quartic"),
    ("prismatic", "meet", "coplanar"),
    ("prismatic", "parallel", "coplanar"),
]


def apart(arm, a, b):
    """How far joints are apart, whole turns not counted."""
    turning = arm._solver.ranges.turning
    return np.where(turning, np.abs(np.angle(np.exp(1j * (a - b)))), np.abs(a - b)).max(axis=-1)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("asea-irb", "parallel"),
        ("irb140", "parallel"),
        ("puma560", "parallel"),
        ("rl15", "parallel"),
        ("stanford", "coplanar"),
        ("ur5", "three parallel"),
        ("panda", None),
        ("scara", None),
        ("planar3", None),
    ],
)
def test_arms_are_recognised(name, family):
    geometry = recognised(lower(load(name).model))
    assert (None if geometry is None else geometry.family) == family


def by_pages(geometry, T):
    """All branches by the pages themselves, on floats: an arm need not be compiled to be proved."""
    near = np.zeros(6)
    with np.errstate(all="ignore"):
        if geometry.is_direct:
            q, miss, _ = branches(geometry, T, near)
        else:
            q, miss, _ = with_third(geometry, T[:, None], thirds(geometry, T), near)
            q, miss = q.reshape(len(T), 8, 6), miss.reshape(len(T), 8)
    if not geometry.is_exact:
        tree = geometry.tree
        q, miss = polished(lambda q: kinematics.pose(tree, q), lambda q: kinematics.jacobian(tree, q), q, T)
    return np.where((miss < MET)[..., None], q, np.nan)


@pytest.mark.parametrize(("third", "first_two", "family"), CLASSES)
def test_compiled_as_by_pages(third, first_two, family):
    arm = wrist_arm(11, third=third, first_two=first_two)
    T = arm.pose(np.random.default_rng(0).uniform(-3.0, 3.0, (50, 6)))
    pages, compiled = by_pages(arm._solver.geometry, T), arm._solver.closed_form(T)
    assert np.isfinite(pages).sum() == np.isfinite(compiled).sum()
    for a, b in zip(pages, compiled, strict=True):
        b = b[np.isfinite(b).all(axis=-1)]
        for each in a[np.isfinite(a).all(axis=-1)]:
            assert apart(arm, b, each).min() < 1e-6


@pytest.mark.parametrize(("third", "first_two", "family"), CLASSES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_random_arms(third, first_two, family, seed):
    arm = wrist_arm(seed, third=third, first_two=first_two)
    geometry = arm._solver.geometry
    assert geometry.family == family
    q = np.random.default_rng(seed).uniform(-3.0, 3.0, (200, 6))
    T = kinematics.pose(geometry.tree, q)
    found = by_pages(geometry, T)
    there = np.isfinite(found).all(axis=-1)
    off = np.abs(kinematics.pose(geometry.tree, found) - T[:, None])[there].max(axis=(-1, -2))
    assert off.max() < MET
    assert np.quantile(off, 0.99) < 1e-12  # the rest stand where branches have all but met, and half the digits go
    own = np.where(there, apart(arm, found, q[:, None]), np.inf).min(axis=-1)
    assert np.median(own) < 1e-10
    assert (own < 1e-5).mean() > 0.99  # the rest stand where two branches have all but met


@pytest.mark.slow
@pytest.mark.parametrize(("third", "first_two", "family"), CLASSES)
def test_no_branch_is_missing(third, first_two, family):
    """Whatever a search from very many starts finds is among the branches, and it finds nearly all of them."""
    seen = total = 0
    for seed in range(4):
        arm = wrist_arm(100 + seed, third=third, first_two=first_two)
        q = np.random.default_rng(seed).uniform(-2.0, 2.0, (4, 6))
        T = arm.pose(q)
        closed = arm._solver.closed_form(T)
        sought = arm._solver.unlimited_search.solutions(T, count=600)
        for each, others in zip(closed, sought, strict=True):
            each = each[np.isfinite(each).all(axis=-1)]
            others = others[np.isfinite(others).all(axis=-1)]
            distance = apart(arm, others[:, None], each)
            assert distance.min(axis=1).max() < 1e-4
            seen += int((distance.min(axis=0) < 1e-4).sum())
            total += len(each)
    assert seen > 0.9 * total


@pytest.mark.parametrize("offset", [1e-2, 1e-4, 1e-5, 3e-6, 1e-7])
def test_axes_that_all_but_meet(offset):
    """Between the quartic and its special case no digits are lost, and at most one branch in a hundred."""
    arm = wrist_arm(5, offset=offset)
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (300, 6))
    T = arm.pose(q)
    found = arm._solver.closed_form(T)
    there = np.isfinite(found).all(axis=-1)
    assert np.abs(arm.pose(found) - T[:, None])[there].max() < 1e-10
    own = np.where(there, apart(arm, found, q[:, None]), np.inf).min(axis=-1)
    assert (own < 1e-5).mean() >= 0.99


def test_the_arms_of_a_quartic_are_numbered():
    arm = wrist_arm(0)
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (20, 6))
    for T in arm.pose(q):
        found = arm.inverse_kinematics(T)
        assert len(set(found.names)) == len(found)
        assert found.names[0].startswith("arm 1, wrist")
        for name, each in zip(found.names, found, strict=True):
            assert np.abs(arm.inverse_kinematics(T, branch=name) - each).max() < 1e-9


def with_finger(seed):
    """A wrist arm with one more joint on its third link, which does not move the tool, listed before the wrist."""
    text = wrist_arm_text(seed)
    head, *links = text.split("[[link]]")
    finger = '\nname = "finger"\nparent = "link3"\njoint = "revolute"\na = 0.1\nalpha = 0.0\nd = 0.0\noffset = 0.0\n'
    numbered = [
        f'\nname = "link{k + 1}"' + (f'\nparent = "link{k}"' if k else "") + link for k, link in enumerate(links)
    ]
    numbered.insert(3, finger)
    return Arm(parse_arm_file(head + "".join("[[link]]" + link for link in numbered) + '\n[tool]\nlink = "link6"\n'))


def test_a_joint_that_does_not_move_the_tool_stays():
    arm = with_finger(3)
    assert arm.n == 7
    q = np.random.default_rng(1).uniform(-2.0, 2.0, 7)
    T = arm.pose(q)
    for each in arm.inverse_kinematics(T):
        assert np.abs(arm.pose(each) - T).max() < 1e-10
        assert each[3] == 0.0
    assert np.abs(arm.inverse_kinematics(T, nearest=q) - q).max() < 1e-8
    path = q + np.linspace(0.0, 0.3, 50)[:, None] * np.array([1.0, -1.0, 0.5, 0.0, 0.3, 0.8, -0.6])
    assert np.abs(arm.inverse_kinematics(arm.pose(path), nearest=q) - path).max() < 1e-7
    rates = arm.inverse_velocity(q, arm.jacobian(q) @ np.array([0.1, 0.2, 0.3, 0.0, 0.5, 0.6, 0.7]), damping=0.0)
    assert np.abs(rates - [0.1, 0.2, 0.3, 0.0, 0.5, 0.6, 0.7]).max() < 1e-9
