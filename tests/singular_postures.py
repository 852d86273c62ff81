"""Postures that inverse kinematics finds hard: round numbers, singular ones, and both off by a little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torsor.arm import Arm

ROUND = np.array([0.0, 0.0, 0.5, -0.5, 1.0, -1.0, 0.25, -0.25, 1.0 / 6.0]) * np.pi
OFF = np.array([0.0, 1e-14, -1e-14, 1e-12, -1e-12, 1e-10, 1e-9, -1e-9, 1e-7])


def singular_postures(arm: Arm, count: int, seed: int = 0) -> Iterator[np.ndarray]:
    """Joints (n,) of poses that the arm can reach: it is there."""
    rng = np.random.default_rng(seed)
    turning = arm._solver.ranges.only(arm._solver.columns).turning
    for _ in range(count):
        q = np.where(rng.random(arm.n) < 0.6, rng.choice(ROUND, arm.n), rng.uniform(-np.pi, np.pi, arm.n))
        q = np.where(turning, q, rng.uniform(0.2, 0.6, arm.n))
        if rng.random() < 0.5:
            q = _singular(arm, q, int(rng.integers(1, 5)), rng)
        q = q + np.where(rng.random(arm.n) < 0.3, rng.choice(OFF, arm.n), 0.0)
        if np.isfinite(arm.pose(q)).all():  # its loops close
            yield q


def _singular(arm: Arm, q: np.ndarray, joint: int, rng: np.random.Generator) -> np.ndarray:
    """With one joint, of six, turned to where the Jacobian is singular, if there is such a place."""
    if arm.n != 6:
        return q
    along = q + np.linspace(-np.pi, np.pi, 41)[:, None] * np.eye(6)[joint]
    with np.errstate(all="ignore"):
        sizes = np.linalg.det(np.nan_to_num(arm.jacobian(along)))
    places = np.flatnonzero(sizes[:-1] * sizes[1:] < 0.0)
    if not len(places):
        return q
    k = int(rng.choice(places))
    low, high = along[k], along[k + 1]
    for _ in range(60):
        middle = 0.5 * (low + high)
        same = np.linalg.det(arm.jacobian(middle)) * sizes[k] > 0.0
        low, high = (middle, high) if same else (low, middle)
    return low
