"""Paths and the check of all limits that tests of time-optimal timing share."""

import numpy as np

from torsor.motion.curves import Along


class Straight:
    """q = start + s (goal - start)."""

    length = 1.0

    def __init__(self, start, goal):
        self.start, self.way = np.array(start, float), np.array(goal, float) - np.array(start, float)

    def at(self, s):
        none = np.zeros((len(s), len(self.way)))
        return Along(self.start + s[:, None] * self.way, none + self.way, none, none)


class Wave:
    """A straight line with a sine on every joint."""

    length = 1.0

    def __init__(self, start, goal, size, pace):
        self.line, self.size, self.pace = Straight(start, goal), np.array(size, float), np.array(pace, float)

    def at(self, s):
        line, w, a = self.line.at(s), self.pace, self.size
        sine, cosine = np.sin(w * s[:, None]), np.cos(w * s[:, None])
        return Along(line.q + a * sine, line.dq + a * w * cosine, -a * w**2 * sine, -a * w**3 * cosine)


def require_within(arm, timed, *, motors=True, tolerance=1e-6, **options):
    """The exact model, asked for ten times as many times as there are grid points, and at the grid points."""
    t = np.unique(np.concatenate([np.linspace(0.0, timed.duration, 10 * len(timed.s)), timed.time, [timed.duration]]))
    t = t[t <= timed.duration]
    at = timed.at(t)
    for j, link in enumerate(arm.model.independent):
        limits = link.joint.limits
        if limits.speed is not None:
            assert np.abs(at.qd[:, j]).max() <= limits.speed * (1 + tolerance)
        if limits.acceleration is not None:
            assert np.abs(at.qdd[:, j]).max() <= limits.acceleration * (1 + tolerance)
        if limits.torque is not None:
            rubbing = link.joint.friction
            tau = arm.inverse_dynamics(at.q, at.qd, at.qdd, drives=motors, **options)[:, j]
            tau = tau + rubbing.viscous * at.qd[:, j] + rubbing.coulomb * np.sign(at.qd[:, j])
            assert np.abs(tau).max() <= limits.torque * (1 + tolerance)
    if motors:
        u = arm.drives.torques(at.q, at.qd, at.qdd, **options)
        rates = arm.drives.rates(at.q, at.qd)
        lower, upper = arm.drives.available(rates)
        for k, drive in enumerate(arm.model.drives):
            if drive.motor.speed is not None:
                assert np.abs(rates[:, k]).max() <= drive.motor.speed * (1 + tolerance)
            peak = upper[:, k].max()
            assert (u[:, k] - upper[:, k]).max() <= tolerance * peak
            assert (lower[:, k] - u[:, k]).max() <= tolerance * peak
