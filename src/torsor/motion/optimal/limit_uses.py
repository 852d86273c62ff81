"""How much of every limit a motion uses, by the exact model: what timing is verified with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.curves import Along
from torsor.motion.optimal.path_limits import PathLimits, fastest


@dataclass(frozen=True, eq=False)
class Uses:
    """Shares of limits, 1 is all of one. Limits are ordered: speeds, torques, accelerations of joints, of the tool.

    The share of a torque is 1 + (its distance beyond the bound at that speed) / (the bound at rest).
    """

    names: tuple[str, ...]
    share: Floats  # (..., limits)
    kinds: tuple[int, int, int]  # where torques, accelerations of joints and that of the tool begin
    torque_peak: Floats  # (torques,)

    def shaped(self, lead: tuple[int, ...]) -> Uses:
        return replace(self, share=self.share.reshape(*lead, -1))


def uses(limits: PathLimits, s: Floats, along: Along, x: Floats, a: Floats) -> Uses:
    """At points of a path (k,), passed with sd^2 = x and sdd = a."""
    caps, names = limits.speeds(s, along)
    sd = np.sqrt(x)[:, None]
    q, qd, qdd = along.q, along.dq * sd, along.ddq * x[:, None] + along.dq * a[:, None]
    parts = [sd / np.sqrt(np.maximum(caps, 1e-300)), torque_shares(limits, q, qd, qdd)]
    names += [f"torque of {row.name}" for row in limits.torque_rows]
    joints = limits.accelerated
    parts.append(np.abs(qdd[:, joints]) / limits.acceleration[joints])
    names += [f"acceleration of {limits.arm.joint_names[j]}" for j in joints]
    if limits.bounds_tool_acceleration:
        p, r, most = limits.tool_acceleration(s, along)
        parts.append((np.linalg.norm(p * a[:, None] + r * x[:, None], axis=-1) / most)[:, None])
        names.append("acceleration of the tool")
    starts = np.cumsum([part.shape[1] for part in parts])
    peaks = np.array([row.peak for row in limits.torque_rows])
    kinds = int(starts[0]), int(starts[1]), int(starts[2])
    return Uses(tuple(names), np.concatenate(parts, axis=1), kinds, peaks)


def torque_shares(limits: PathLimits, q: Floats, qd: Floats, qdd: Floats) -> Floats:
    """Of the torque rows, (k, rows)."""
    arm, found = limits.arm, np.zeros((len(q), len(limits.torque_rows)))
    options: dict[str, Any] = {"wrench": limits.wrench, "gravity": limits.gravity}
    if any(not row.of_joint for row in limits.torque_rows):
        u = arm.drives.torques(q, qd, qdd, **options)
        # beyond the end of a torque-speed curve it is the speed that is exceeded
        most = np.array([fastest(drive.motor) for drive in arm.model.drives])
        lower, upper = arm.drives.available(np.clip(arm.drives.rates(q, qd), -most, most))
    if any(row.of_joint for row in limits.torque_rows):
        tau = arm.inverse_dynamics(q, qd, qdd, drives=limits.motors, **options)
        friction = {link.joint.name: link.joint.friction for link in arm.model.links}
    for r, row in enumerate(limits.torque_rows):
        k = row.at
        if row.of_joint:
            own = friction[arm.joint_names[k]]
            value = tau[:, k] + own.viscous * qd[:, k] + own.coulomb * np.sign(qd[:, k])
            found[:, r] = np.abs(value) / row.peak
        else:
            found[:, r] = 1.0 + np.maximum(u[:, k] - upper[:, k], lower[:, k] - u[:, k]) / row.peak
    return found
