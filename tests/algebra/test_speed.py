"""The promised compile times, with room for a busy machine."""

import time

import numpy as np
from traced_arms import forward_dynamics, inverse_dynamics, random_arm

from torsor.algebra import jacobian, simplify, symbols, tape_from


def test_inverse_dynamics_of_six_joints():
    q, qd, qdd = (symbols(name, 6) for name in ("q", "qd", "qdd"))
    start = time.process_time()
    tau = simplify(inverse_dynamics(random_arm(6, 0), q, qd, qdd))
    tape_from("id", {"q": q, "qd": qd, "qdd": qdd}, {"tau": tau})
    assert time.process_time() - start < 0.3 * 2


def test_forward_dynamics_derivative_of_seven_joints():
    q, qd, u = (symbols(name, 7) for name in ("q", "qd", "u"))
    start = time.process_time()
    qdd = forward_dynamics(random_arm(7, 0), q, qd, u)
    J = jacobian(qdd, np.concatenate([q, qd]))
    tape_from("dfd", {"q": q, "qd": qd, "u": u}, simplify({"qdd": qdd, "J": J}))
    assert time.process_time() - start < 3.0 * 2
