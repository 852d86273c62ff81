"""Facts are complete: change any one number of an arm, and either they differ or nothing that was asked does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

import torsor
from random_arms import random_state
from torsor.arm import Arm
from torsor.drives import tracing
from torsor.emit import Page
from torsor.errors import TorsorError
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.quantity import Options
from torsor.model.facts import described
from torsor.motion.inverse.joint_ranges import ranges


def changed(part: Any) -> Iterator[tuple[str, Any]]:
    """The part with each of its numbers changed a little, one at a time, and which it was."""
    if isinstance(part, bool | str | None):
        return
    if isinstance(part, float):
        yield "", part + 1e-13 * (1.0 + abs(part))
    elif isinstance(part, np.ndarray):
        for index in np.ndindex(part.shape):
            for _, value in changed(float(part[index])):
                other = np.array(part)
                other[index] = value
                yield f"{list(index)}", other
    elif isinstance(part, tuple):
        for k, each in enumerate(part):
            for where, value in changed(each):
                yield f"[{k}]{where}", (*part[:k], value, *part[k + 1 :])
    elif isinstance(part, Mapping):
        for key, each in part.items():
            for where, value in changed(each):
                yield f"[{key}]{where}", {**part, key: value}
    elif is_dataclass(part):
        for each in fields(part):
            for where, value in changed(getattr(part, each.name)):
                try:
                    yield f".{each.name}{where}", replace(part, **{each.name: value})
                except TorsorError:  # no arm
                    continue


def arrays(found: Any) -> list[np.ndarray]:
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


ASKED = ("pose", "centre_of_mass", "inverse_dynamics", "energy", "regressor", "mass_matrix")


def answers(arm: Arm) -> list[np.ndarray]:
    q, qd, qdd = random_state(arm.n, 9)
    if arm.model.loops:
        q = np.array([0.1]) + 0.01 * q
    found = []
    for name in ASKED:
        found += arrays(getattr(arm.reference, name)(*(q, qd, qdd)[: len(QUANTITIES[name].states)]))
    return found


def motor_answers(arm: Arm) -> list[np.ndarray]:
    drives, (q, qd, qdd) = arm.drives, random_state(arm.n, 9)
    o = Options(drives.trees().plain.gravity)
    found = [tracing.torques(drives, o, q, qd, qdd, friction=True), tracing.mass(drives, o, q)]
    found += [tracing.forward(drives, o, q, qd, qdd, friction=True), tracing.published(drives, o, q, qd, qdd, dt=0.01)]
    options = {"dt": 0.01, "variant": "corrected", "speeds": "both", "catch_up": False}
    found += [tracing.cycle(drives, o, q, qd, qd, q, kind=kind, **options) for kind in ("exact", "as-published")]
    return [np.asarray(value) for each in found for value in each.values()]


def facts_of(arm: Arm) -> list[bytes]:
    asked = [arm._question(QUANTITIES[name], False, False, "tool", None, False) for name in ASKED]
    return [described(*question.facts) for question in asked]


@pytest.mark.parametrize("robot", ["planar2", "fourbar", pytest.param("panda", marks=pytest.mark.slow)])
def test_every_number_of_an_arm_is_in_the_facts_or_matters_not(robot):
    model = torsor.load(robot).model
    arm = Arm(model)
    before, right, seen = facts_of(arm), answers(arm), 0
    for where, other in changed(model):
        if facts_of(Arm(other)) == before:
            seen += 1
            for mine, theirs in zip(answers(Arm(other)), right, strict=True):
                np.testing.assert_array_equal(mine, theirs, err_msg=where)
    assert seen  # limits, visuals and the like


def test_every_number_of_drives_is_in_their_facts_or_matters_not():
    model = torsor.load("rl15").model
    before, right, unlike = described(*Arm(model).drives.facts), motor_answers(Arm(model)), 0
    for where, other in changed(replace(model, links=model.links)):
        if where.startswith((".links[3]", ".links[4]", ".links[1]", ".links[2]", ".tool", ".base")):
            continue  # as the first and the last link, and as above
        if described(*Arm(other).drives.facts) == before:
            for mine, theirs in zip(motor_answers(Arm(other)), right, strict=True):
                np.testing.assert_array_equal(mine, theirs, err_msg=where)
        else:
            unlike += 1
    assert unlike > 50


def test_a_search_is_found_by_its_limits():
    arm = torsor.load("planar3")
    search = arm._solver.search
    within = ranges(arm.model)
    low, high = within.bounds()
    assert described(search.tree.facts("tool"), low, high) != described(
        search.tree.facts("tool"), low, high + 1e-15 * high
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1.0, 1),
        (1, True),
        (0.0, -0.0),
        (0.1 + 0.2, 0.3),
        ("ab", b"ab"),
        (("ab", "c"), ("a", "bc")),
        ((1, (2, 3)), (1, 2, 3)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.zeros(2), np.zeros(2, dtype=np.float32)),
        (np.linspace(0.0, 1.0, 2000), np.linspace(0.0, 1.0, 2000) + 1e-16 * np.eye(2000)[1000]),
        ({"a": 1.0}, {"b": 1.0}),
        (None, "None"),
    ],
)
def test_different_facts_are_described_differently(one, other):
    assert described(one) == described(one)
    assert described(one) != described(other)


def test_numpy_scalars_are_numbers():
    assert described(np.float64(0.1), np.int64(3), np.True_) == described(0.1, 3, True)


@pytest.mark.parametrize("fact", [object(), lambda: 0, torsor.load("planar2"), np.array([object()])])
def test_what_has_no_defined_bytes_is_refused(fact):
    with pytest.raises(TypeError, match="has no defined bytes"):
        described(fact)


def test_pages_of_one_name_in_two_modules_are_two(own_cache):
    facts = [Page("same", {"x": 2}, page)._known for page in (np.cross, tracing.mass)]
    assert facts[0] != facts[1]
