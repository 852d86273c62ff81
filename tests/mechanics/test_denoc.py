"""DeNOC: the recursion that Table 2 of Kvrgic and Vidakovic counts is forward dynamics, on trees too."""

import numpy as np
import pytest

from torsor import load
from torsor.mechanics import articulated, denoc
from torsor.mechanics.tree import lower


@pytest.mark.parametrize("name", ["rl15", "scara", "puma560-burdick"])
def test_both_are_forward_dynamics(name):
    """Against inverse dynamics, with a wrench, and against articulated bodies."""
    arm = load(name)
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.uniform(-1.0, 1.0, (3, 20, arm.n))
    wrench = rng.uniform(-20.0, 20.0, 6)
    tau = arm.reference.inverse_dynamics(q, qd, qdd, wrench=wrench)
    tree = lower(arm.model)
    found = denoc.forward_dynamics(tree, q, qd, tau, tree.gravity, wrench)
    np.testing.assert_allclose(found, qdd, atol=1e-9)
    np.testing.assert_allclose(found, articulated.forward_dynamics(tree, q, qd, tau, tree.gravity, wrench), atol=1e-9)
    np.testing.assert_allclose(arm.forward_dynamics(q, qd, tau, wrench=wrench, by="denoc"), qdd, atol=1e-9)
