"""What must hold for every arm with loops at a state: closure, rates, dynamics in free joints."""

from __future__ import annotations

import numpy as np

H = 1e-6  # step of differences


def check_closure(arm, x, xd, xdd):
    closure = arm.closure
    q, qd, qdd = closure.positions(x), closure.velocities(x, xd), closure.accelerations(x, xd, xdd)
    assert closure.violation(q) < 1e-13
    np.testing.assert_array_equal(closure.free_of(q), x)
    # equations in space, repeated ones included, hold as well
    from torsor.mechanics.assembly import AllLoops

    assert np.abs(AllLoops(arm._trees.plain, arm.model.loops).residual(q[None])).max() < 1e-12

    def along(t):
        return closure.positions(x + t * xd + 0.5 * t * t * xdd)

    size = np.abs(qd).max() ** 2 + np.abs(qdd).max() + 1.0
    np.testing.assert_allclose((along(H) - along(-H)) / (2 * H), qd, atol=1e-7 * size**2)
    np.testing.assert_allclose((along(1e-4) - 2 * q + along(-1e-4)) / 1e-8, qdd, atol=1e-5 * size**2)
    np.testing.assert_allclose(closure.matrix(x) @ xd, qd, atol=1e-12 * size)


def check_dynamics(arm, x, xd, xdd):
    tau = arm.inverse_dynamics(x, xd, xdd)
    M, C, g = arm.mass_matrix(x), arm.coriolis_matrix(x, xd), arm.gravity(x)
    size = np.abs(M).max() * (np.abs(xdd).max() + np.abs(C).max()) + np.abs(g).max() + 1.0
    np.testing.assert_allclose(M @ xdd + C @ xd + g, tau, atol=1e-11 * size)
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0.0
    condition = np.linalg.cond(M)
    np.testing.assert_allclose(arm.forward_dynamics(x, xd, tau), xdd, atol=1e-12 * condition * size)
    # tau = G^T tau_tree
    c = arm.closure
    q, qd, qdd = c.positions(x), c.velocities(x, xd), c.accelerations(x, xd, xdd)
    by_tree = c.matrix(x).T @ arm.tree.inverse_dynamics(q, qd, qdd)
    np.testing.assert_allclose(tau, by_tree, atol=1e-11 * size)
    # dM/dt - 2C is skew
    h = 1e-6
    S = (arm.mass_matrix(x + h * xd) - arm.mass_matrix(x - h * xd)) / (2 * h) - 2.0 * C
    assert np.abs(S + S.T).max() < 1e-6 * size

    # power: d(T + V)/dt = tau . xd
    def energy(t):
        at = x + t * xd + 0.5 * t * t * xdd
        return sum(arm.energy(at, xd + t * xdd))

    np.testing.assert_allclose((energy(h) - energy(-h)) / (2 * h), tau @ xd, atol=1e-6 * size)
    np.testing.assert_allclose(arm.energy(x, xd)[0], 0.5 * xd @ M @ xd, rtol=1e-11, atol=1e-12)
    for by in ("kane", "newton-euler", "exponentials"):
        np.testing.assert_allclose(arm.inverse_dynamics(x, xd, xdd, by=by), tau, atol=1e-11 * size)
