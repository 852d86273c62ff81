"""Streams of arms that move in known ways, for the tests of `torsor.monitoring`.

Torques come from inverse dynamics with a wrench, or from a simulation: neither knows the observer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import torsor
from torsor.checking.checked_arm import CheckedArm
from torsor.monitoring.stream_samples import StreamSample


@dataclass(frozen=True, eq=False)
class Motion:
    """Samples as arrays; u of motors, or of joints where there are none."""

    arm: torsor.Arm
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    u: np.ndarray

    def samples(self, *, speeds: bool = True, torques: bool = True) -> list[StreamSample]:
        side = ("motor" if self.arm.model.drives else "joint") if torques else None
        rows = zip(self.t.tolist(), self.q, self.qd, self.u, strict=True)
        return [StreamSample(t, q, qd if speeds else None, u if torques else None, side) for t, q, qd, u in rows]

    def noisy(self, seed: int = 0, size: float = 1.0) -> Motion:
        """1 % of the largest torque, 1e-5 rad, 1e-3 rad/s."""
        random = np.random.default_rng(seed)

        def more(x, sigma):
            return x + size * sigma * random.standard_normal(x.shape)

        peak = np.abs(self.u).max(axis=0)
        return Motion(self.arm, self.t, more(self.q, 1e-5), more(self.qd, 1e-3), more(self.u, 0.01 * peak))


def home(arm: torsor.Arm) -> np.ndarray:
    if arm.model.loops:
        return arm.closure.reference[[arm.closure.names.index(name) for name in arm.joint_names]]
    ranges = [link.joint.limits.position or (-1.0, 1.0) for link in arm.model.independent]
    return np.array([0.5 * (low + high) for low, high in ranges])


def swinging(
    arm: torsor.Arm, t: np.ndarray, *, held: float = 0.0, wrench: np.ndarray | None = None, size: float = 0.2,
    pace: float = 1.3,
) -> Motion:  # fmt: skip
    """Waves about the middle, each joint at its own phase; ``held`` kg more at the tool, or a wrench (samples, 6)."""
    phase = pace * (1.0 + 0.1 * np.arange(arm.n)) * t[:, None] + np.arange(arm.n)
    w = pace * (1.0 + 0.1 * np.arange(arm.n))
    sizes = size * np.array([0.2 if k == "prismatic" else 1.0 for k in kinds(arm)])
    q, qd, qdd = home(arm) + sizes * np.sin(phase), sizes * w * np.cos(phase), -sizes * w**2 * np.sin(phase)
    real = CheckedArm(arm.with_payload(held) if held else arm).driven.drives
    return Motion(arm, t, q, qd, real.torques(q, qd, qdd, wrench=wrench))


def kinds(arm: torsor.Arm) -> list[str]:
    return [link.joint.kind for link in arm.model.links_on(arm.joint_names)]


def followed(x: np.ndarray, t: np.ndarray, gain: float) -> np.ndarray:
    """y of y' = gain (x - y) from zero, for x in straight lines between times: the closed form, in plain steps."""
    y = np.zeros_like(x)
    for k in range(1, len(t)):
        dt = t[k] - t[k - 1]
        slope, keep = (x[k] - x[k - 1]) / dt, np.exp(-gain * dt)
        y[k] = x[k] - slope / gain + keep * (y[k - 1] - x[k - 1] + slope / gain)
    return y
