"""Coefficients by composite bodies: against torques of Lagrange's equations, of which they are the second differences,
and against the closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import torsor
from random_arms import arms_and_states
from torsor.arm import Arm
from torsor.errors import Unsupported
from torsor.mechanics import closed_form, composite_coefficients, lagrange
from torsor.mechanics.canonical import at_feet, canonical
from torsor.mechanics.closed_form import Coefficients
from torsor.mechanics.tree import Tree, lower
from torsor.model.parts import Mimic

EPS = np.finfo(float).eps
NONE = np.zeros(3)


def from_torques(tree: Tree, q: np.ndarray) -> dict[str, np.ndarray]:
    """M, c, b and g: torques are linear in qdd and quadratic in qd, so that sums and differences of them are exact."""
    still, n = np.zeros(tree.n), tree.n

    def tau(qd, qdd, gravity=NONE):
        return lagrange.inverse_dynamics(tree, q, qd + 0.0 * q, qdd + 0.0 * q, gravity)

    unit = np.eye(n)
    M = np.stack([tau(still, e) for e in unit], axis=-1)
    c = np.stack([tau(e, still) for e in unit], axis=-1)
    b = np.zeros((*q.shape, n, n))
    for j in range(n):
        for k in range(j + 1, n):
            b[..., j, k] = tau(unit[j] + unit[k], still) - c[..., j] - c[..., k]
    return {"M": M, "c": c, "b": b, "g": tau(still, still, tree.gravity)}


def filled(found: Coefficients, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    n = shape[-1]
    M, c, b = np.zeros((*shape, n)), np.zeros((*shape, n)), np.zeros((*shape, n, n))
    for (i, j), value in found.M.items():
        M[..., i, j] = M[..., j, i] = value
    for (i, j), value in found.c.items():
        c[..., i, j] = value
    for (i, j, k), value in found.b.items():
        assert j < k
        b[..., i, j, k] = value
    g = np.stack([np.broadcast_to(each, shape[:-1]) for each in found.g], axis=-1)
    return {"M": M, "c": c, "b": b, "g": g}


def agree(mine: dict[str, np.ndarray], right: dict[str, np.ndarray], allowed: float = 1e3 * EPS) -> None:
    size = max(np.abs(right[name]).max(initial=0.0) for name in ("M", "c", "b"))
    for name, each in right.items():
        limit = size if name != "g" else 10.0 * size + np.abs(each).max()
        assert np.abs(mine[name] - each).max(initial=0.0) <= allowed * limit, name


@settings(max_examples=40, deadline=None)
@given(arms_and_states(batch=(2,), mimics=False, max_links=7, shuffled=False))
def test_random_trees(case):
    """All kinds of joints, branches, massless links."""
    model, (q, *_) = case
    plain = lower(model)
    right = from_torques(plain, q)
    for tree in (plain, canonical(plain), at_feet(canonical(plain))):
        agree(filled(composite_coefficients.coefficients(tree, q, tree.gravity), q.shape), right)


@pytest.mark.parametrize("robot", ["puma560", "ur5", "rl15", "panda", "stanford", "scara", "sdt4", "planar3"])
def test_library(robot):
    trees = torsor.load(robot)._trees
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (20, trees.n))
    mine = composite_coefficients.coefficients(trees.lean, q, trees.lean.gravity)
    theirs = closed_form.coefficients(trees.plain, q, trees.plain.gravity)
    agree(filled(mine, q.shape), filled(theirs, q.shape), 1e2 * EPS)


@pytest.mark.parametrize("parameters", ["numeric", "symbolic", "base"])
def test_derived(parameters):
    """The cheaper is taken and told; Burdick's own stay to be asked for, and both are printed in his style."""
    arm = torsor.load("puma560-burdick")
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (50, 6))
    cheaper, asked = (
        torsor.derive(arm, "coefficients", by=by, parameters=parameters, effort="normal")
        for by in (None, "closed-form")
    )
    assert (cheaper.by, asked.by) == ("composite", "closed-form")
    assert cheaper.count().total < asked.count().total
    for mine, theirs in zip(cheaper(q), asked(q), strict=True):
        assert np.abs(mine - theirs).max() <= 1e-13 * np.abs(theirs).max()
    assert all("\n  V1 " in str(each) for each in (cheaper, asked))


def test_planes_read_as_they_would_be_written():
    text = str(torsor.derive(torsor.load("planar2"), "coefficients", parameters="symbolic", lengths=True))
    assert "g111*c1 + g2" in text
    assert "s12" not in text


def test_joints_that_follow_others_have_none():
    model = torsor.load("planar3").model
    *others, last = model.links
    following = replace(last, joint=replace(last.joint, mimic=Mimic(model.joint_names[0], 1.0, 0.0)))
    with pytest.raises(Unsupported, match="a joint follows another"):
        torsor.derive(Arm(replace(model, links=(*others, following))), "coefficients")


def test_counts():
    """Where the closed form has 279 M 203 A."""
    found = torsor.derive(torsor.load("puma560-burdick"), "coefficients", parameters="base", effort="normal").count()
    assert found.M <= 240
    assert found.A <= 155
