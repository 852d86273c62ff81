"""Columns of the table of signals that tell how everything moves: joints that loops move, the tool, centres of mass.

With them the graphs of a simulator such as SIMASEA (Behi 1989) come from one run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torsor.arm import Arm
from torsor.checking.signals import Signals
from torsor.model.transforms import Floats

AXES = ("x", "y", "z")
ANGLES = ("phi", "theta", "psi")  # R = Rz(phi) Ry(theta) Rz(psi)
_STRAIGHT = 1e-9  # sine of theta below which phi and psi turn about one axis


@dataclass(frozen=True)
class KinematicColumns:
    arm: Arm

    @cached_property
    def moved(self) -> tuple[str, ...]:
        """Joints that loops move."""
        if not self.arm.model.loops:
            return ()
        return tuple(name for name in self.arm.closure.names if name not in self.arm.joint_names)

    @cached_property
    def links(self) -> tuple[str, ...]:
        """That joints move, in the order of the file."""
        return tuple(link.name for link in self.arm.model.links if link.joint.moves)

    @property
    def titles(self) -> list[str]:
        found = [f"{name}.{what}" for what in ("q", "qd", "qdd") for name in self.moved]
        found += [f"tool.{what}{axis}" for what in ("v", "a", "w") for axis in AXES]
        found += [f"tool.{angle}{rate}" for rate in ("", "_rate", "_acceleration") for angle in ANGLES]
        found += [f"{name}.com.{what}{axis}" for name in self.links for what in ("", "v", "a") for axis in AXES]
        return found

    def of(self, signals: Signals) -> Floats:
        """(samples, titles): of the planned motion, in base axes."""
        q, qd, qdd = signals.q, signals.qd, signals.qdd
        parts: list[Floats] = []
        if self.moved:
            whole = self.arm.closure.along(q, qd, qdd)
            at = [self.arm.closure.names.index(name) for name in self.moved]
            parts += [np.asarray(each)[:, at] for each in whole]
        J = self.arm.jacobian(q)
        twist = (J @ qd[..., None])[..., 0]
        rates = (J @ qdd[..., None])[..., 0] + self.arm.jacobian_dot_qd(q, qd)
        r, w, alpha = signals.tool - self.arm.pose(q)[:, :3, 3], twist[:, 3:], rates[:, 3:]
        velocity = twist[:, :3] + np.cross(w, r)
        acceleration = rates[:, :3] + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
        parts += [velocity, acceleration, w, *euler_motion(signals.tool_turn, w, alpha)]
        places = self.arm.centre_of_mass(q, qd, qdd)[3:]  # each (samples, links, 3)
        parts.append(np.stack(places, axis=-2).reshape(len(q), -1))
        return np.column_stack(parts)


def euler_motion(R: Floats, w: Floats, alpha: Floats) -> tuple[Floats, Floats, Floats]:
    """phi, theta, psi of R (k, 3, 3) = Rz(phi) Ry(theta) Rz(psi), and their first two derivatives, each (k, 3).

    ``w`` and ``alpha`` (k, 3) are the angular velocity and acceleration in base axes. Where theta is 0 or pi, phi is 0
    and rates are NaN: the angles have none there. Angles go on past half a turn from row to row.
    """
    sine = np.hypot(R[:, 0, 2], R[:, 1, 2])
    straight = sine < _STRAIGHT
    phi = np.where(straight, 0.0, np.arctan2(R[:, 1, 2], R[:, 0, 2]))
    theta = np.arctan2(sine, R[:, 2, 2])
    psi = np.where(straight, np.arctan2(R[:, 1, 0], R[:, 1, 1]), np.arctan2(R[:, 2, 1], -R[:, 2, 0]))
    with np.errstate(all="ignore"):
        # w = phi' z + theta' y1 + psi' z2, with y1 = (-sin phi, cos phi, 0) and z2 the third column of R
        s, c, sine = np.sin(phi), np.cos(phi), np.where(straight, np.nan, sine)
        cosine = R[:, 2, 2]
        across, along = -s * w[:, 0] + c * w[:, 1], c * w[:, 0] + s * w[:, 1]
        d_theta, d_psi = across + 0.0 * sine, along / sine
        d_phi = w[:, 2] - cosine * d_psi
        dd_theta = -s * alpha[:, 0] + c * alpha[:, 1] - along * d_phi
        dd_psi = ((c * alpha[:, 0] + s * alpha[:, 1]) + across * d_phi - cosine * d_theta * d_psi) / sine
        dd_phi = alpha[:, 2] - cosine * dd_psi + sine * d_theta * d_psi
    angles = np.unwrap(np.column_stack([phi, theta, psi]), axis=0)
    return angles, np.column_stack([d_phi, d_theta, d_psi]), np.column_stack([dd_phi, dd_theta, dd_psi])
