"""Drake's plants of the library's arms and of random trees move as ours do."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from peers.drake_arm import DrakeArm, drake_can
from random_arms import arms_and_states
from torsor import Arm, load, robots

STATES = 1000
MOTION = ("inverse_dynamics", "forward_dynamics")
AT_REST = ("mass_matrix", "gravity", "pose", "jacobian")


def movable(name: str) -> bool:
    model = load(name).model
    return not model.links_without_inertia and drake_can(model)


def hold(table, arm: Arm, states: tuple[np.ndarray, ...], of: str, within: float) -> None:
    """Machine code for the library; random trees by the reference, which tests hold machine code to."""
    theirs, ours = DrakeArm(arm.model), arm if "library" in of else arm.reference
    q, qd, last = states
    # a mass on its own axis, or none: then there are torques that nothing answers
    defined = np.linalg.cond(ours.mass_matrix(q)).max() < 1e8
    for quantity in (*(MOTION if defined else MOTION[:1]), *AT_REST):
        given = (q, qd, last) if quantity in MOTION else (q,)
        expected = np.array([getattr(theirs, quantity)(*state) for state in zip(*given, strict=True)])
        what = f"{quantity.replace('_', ' ')} of {of}"
        table.hold("drake", what, getattr(ours, quantity)(*given), expected, within=within)


@pytest.mark.parametrize("name", [name for name in robots() if movable(name)])
def test_arms_of_the_library(table, name: str):
    arm = load(name).tree
    states = tuple(np.random.default_rng(0).uniform(-2.0, 2.0, (3, STATES, arm.n)))
    hold(table, arm, states, "the library's arms", 1e-9)


@given(arms_and_states(batch=(10,), max_links=7))
@settings(max_examples=200, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_random_trees(table, drawn):
    """Branches, screws, joints that follow others, links without mass, bases and tools anywhere."""
    model, states = drawn
    hold(table, Arm(model), states, "random trees", 1e-8)
