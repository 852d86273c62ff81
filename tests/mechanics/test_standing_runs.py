"""Bodies of runs of parallel joints that stand on the body before the run: what that saves, and that it is right.

Trees with branches, opposite axes and quarter turns: test_absolute_angles.py and test_composite_bias.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import torsor
from torsor.algebra import count, simplify, symbols, tape_from
from torsor.mechanics import composite
from torsor.mechanics.ways import all_ways_tried, are_all_tried, cheapest

# M, A, sines and cosines at the normal effort: in axes that runs share, and at most where all ways are tried.
FORWARD = {
    "irb140": ((225, 154, 10), (212, 141, 10)),
    "puma560-burdick": ((265, 199, 10), (259, 184, 10)),
    "rl15": ((310, 246, 10), (293, 217, 12)),
    "ur5": ((201, 142, 16), (180, 124, 13)),
}


def forward(tree, states):
    return simplify(composite.forward_dynamics(tree, *states.values(), tree.gravity))


@pytest.mark.parametrize("robot", FORWARD)
def test_forward_dynamics(robot):
    arm = torsor.load(robot)
    tree = arm._trees.lean
    states = {name: symbols(name, tree.n) for name in ("q", "qd", "tau")}
    usual = count(forward(tree, states))
    with all_ways_tried():
        found = forward(tree, states)
    for counted, most in zip((usual, count(found)), FORWARD[robot], strict=True):
        assert all(a <= b for a, b in zip((counted.M, counted.A, counted.trig), most, strict=True))
    numbers = np.random.default_rng(0).uniform(-2.0, 2.0, (3, 50, tree.n))
    right = arm.reference.forward_dynamics(*numbers)
    mine = tape_from("qdd", states, {"qdd": found}).evaluate(*numbers)[0]
    assert np.abs(mine - right).max() <= 1e-11 * np.abs(right).max()


def test_a_mass_matrix():
    """Of an IRB 140, 61 M 45 A in shared axes; of a PUMA 560 the sines would cost more than is saved."""
    found = {}
    for robot in ("irb140", "puma560-burdick"):
        tree = torsor.load(robot)._trees.lean
        q = symbols("q", tree.n)
        usual = composite.mass_matrix(tree, q)
        with all_ways_tried():
            found[robot] = count(usual), count(simplify(composite.mass_matrix(tree, q)))
        M = simplify(usual)
        assert found[robot][1].total <= count(M).total
    usual, standing = found["irb140"]
    assert (standing.M, standing.A, standing.trig) <= (48, 32, usual.trig + 2)
    assert found["puma560-burdick"][1].trig == found["puma560-burdick"][0].trig


def test_a_sine_must_save_what_it_costs():
    x, y = symbols("x", 2)
    long = [x * y + 3.0 * x + y * y * y]
    sine = [x * y + np.sin(x)]
    assert cheapest((long, sine)) is sine  # M and A alone
    with all_ways_tried():
        assert are_all_tried()
        assert cheapest((long, sine)) is long
    assert not are_all_tried()
