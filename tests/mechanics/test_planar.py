"""Planar arms against their textbook formulas, written out here."""

from __future__ import annotations

import numpy as np
import pytest

import torsor
from random_arms import random_state

G = 9.81


@pytest.mark.parametrize("seed", range(5))
def test_planar2(seed):
    """Spong, Hutchinson & Vidyasagar, Robot Modeling and Control: the two-link elbow arm."""
    arm = torsor.load("planar2")
    q, qd, qdd = random_state(2, seed)
    m1 = m2 = l1 = 1.0
    lc1 = lc2 = 0.5
    I1 = I2 = 1.0 / 12.0
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    d11 = m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * c2) + I1 + I2
    d12 = m2 * (lc2**2 + l1 * lc2 * c2) + I2
    d22 = m2 * lc2**2 + I2
    h = -m2 * l1 * lc2 * s2
    D = np.array([[d11, d12], [d12, d22]])
    C = np.array([[h * qd[1], h * (qd[0] + qd[1])], [-h * qd[0], 0.0]])
    c1, c12 = np.cos(q[0]), np.cos(q[0] + q[1])
    g = np.array([(m1 * lc1 + m2 * l1) * G * c1 + m2 * lc2 * G * c12, m2 * lc2 * G * c12])
    np.testing.assert_allclose(arm.mass_matrix(q), D, atol=1e-14)
    np.testing.assert_allclose(arm.coriolis_matrix(q, qd), C, atol=1e-14)
    np.testing.assert_allclose(arm.gravity(q), g, atol=1e-13)
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd), D @ qdd + C @ qd + g, atol=1e-12)
    tip = [np.cos(q[0]) + c12, np.sin(q[0]) + np.sin(q[0] + q[1]), 0.0]
    np.testing.assert_allclose(arm.pose(q)[:3, 3], tip, atol=1e-15)
    kinetic, potential = arm.energy(q, qd)
    assert kinetic == pytest.approx(0.5 * qd @ D @ qd, rel=1e-14)
    height = m1 * lc1 * np.sin(q[0]) + m2 * (l1 * np.sin(q[0]) + lc2 * np.sin(q[0] + q[1]))
    assert potential == pytest.approx(G * height, rel=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_planar3(seed):
    """Lagrange's equations in absolute angles, where they are short; then tau_i sums all beyond joint i."""
    arm = torsor.load("planar3")
    q, qd, qdd = random_state(3, seed)
    m, l = np.array([4.0, 3.0, 1.0]), np.array([1.0, 0.8, 0.4])
    c, inertia = l / 2, m * l**2 / 12
    a12 = (m[1] * c[1] + m[2] * l[1]) * l[0]
    A = np.array(
        [
            [m[0] * c[0] ** 2 + inertia[0] + (m[1] + m[2]) * l[0] ** 2, a12, m[2] * c[2] * l[0]],
            [a12, m[1] * c[1] ** 2 + inertia[1] + m[2] * l[1] ** 2, m[2] * c[2] * l[1]],
            [m[2] * c[2] * l[0], m[2] * c[2] * l[1], m[2] * c[2] ** 2 + inertia[2]],
        ]
    )
    weight = G * np.array([m[0] * c[0] + (m[1] + m[2]) * l[0], m[1] * c[1] + m[2] * l[1], m[2] * c[2]])
    phi, rate, acceleration = (np.cumsum(x) for x in (q, qd, qdd))
    between = phi[:, None] - phi[None, :]
    L = np.tril(np.ones((3, 3)))  # phi = L q
    force = A * np.cos(between) @ acceleration + A * np.sin(between) @ rate**2 + weight * np.cos(phi)
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd), L.T @ force, atol=1e-11)
    np.testing.assert_allclose(arm.mass_matrix(q), L.T @ (A * np.cos(between)) @ L, atol=1e-13)
    np.testing.assert_allclose(arm.gravity(q), L.T @ (weight * np.cos(phi)), atol=1e-12)
    np.testing.assert_allclose(arm.coriolis_matrix(q, qd) @ qd, L.T @ (A * np.sin(between) @ rate**2), atol=1e-12)
    tip = [(l * np.cos(phi)).sum(), (l * np.sin(phi)).sum(), 0.0]
    np.testing.assert_allclose(arm.pose(q)[:3, 3], tip, atol=1e-14)
    J = arm.jacobian(q)
    expected = np.zeros((6, 3))
    expected[0] = -(L.T @ (l * np.sin(phi)))
    expected[1] = L.T @ (l * np.cos(phi))
    expected[5] = 1.0
    np.testing.assert_allclose(J, expected, atol=1e-14)
