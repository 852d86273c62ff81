"""Values that are tied to others: to ask only these changes no result of resubstitution."""

import numpy as np
import pytest
from hypothesis import given, settings
from random_graphs import follow, recipes
from traced_arms import inverse_dynamics, puma, random_arm

from torsor.algebra import resubstitute as passes
from torsor.algebra import symbols
from torsor.algebra.counting import nodes_of
from torsor.algebra.guard import Guard
from torsor.algebra.netlist import WEIGHTS, weights_with
from torsor.algebra.ties import tied


def all_of_them(net, usable, depends, **margins):
    return np.ones(len(net.defs), dtype=bool)


def asked(roots, weights, who):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "tied", who)
        return passes.resubstitute(roots, Guard(opaque=True), weights=weights)


@settings(max_examples=60, deadline=None)
@given(recipes(longest=40))
def test_random_graphs(recipe):
    roots = nodes_of(follow(recipe, symbols("x", 4)))
    for weights in (WEIGHTS, weights_with(17 / 16), weights_with(2.0)):
        assert asked(roots, weights, tied) == asked(roots, weights, all_of_them)


@pytest.mark.parametrize("links", [puma(), random_arm(3, 0)], ids=["puma", "dense"])
def test_arms(links):
    q, qd, qdd = (symbols(name, len(links)) for name in ("q", "qd", "qdd"))
    roots = nodes_of(inverse_dynamics(links, q, qd, qdd))
    found = asked(roots, WEIGHTS, tied)
    assert found != roots  # there is something to find
    assert found == asked(roots, WEIGHTS, all_of_them)


def test_few_are_asked():
    """Most values have no tie but the operation that they are computed by."""
    q, qd, qdd = (symbols(name, 6) for name in ("q", "qd", "qdd"))
    ties = []

    def counted(*args, **margins):
        ties.append(tied(*args, **margins))
        return ties[-1]

    asked(nodes_of(inverse_dynamics(puma(), q, qd, qdd)), WEIGHTS, counted)
    assert 0 < ties[0].sum() < 0.5 * ties[0].size
