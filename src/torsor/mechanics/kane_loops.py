"""Kane's equations of an arm with loops (Behi 1989, 3.6): the rates of its free joints are the generalised speeds.

A body's partial velocities are what multiplies each free rate in its velocity. A joint that a loop moves turns at
G_jr per unit of speed r, so the partial velocities of bodies beyond it hold G: that is all a loop changes, and its own
forces appear nowhere. The corrections to the thesis (Z12, Z13, Z24, Z89, Z90, the signs of (3.121) to (3.147), ...) are
listed in docs/errata.md; here every Z is generated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from torsor.mechanics import kane
from torsor.mechanics.kane import Partials, carried
from torsor.mechanics.kinematics import steps, vector
from torsor.mechanics.newton_euler import BodyMotion, inertial_wrench, motion, tool_wrench
from torsor.mechanics.quantity import Options
from torsor.mechanics.stance import Stance
from torsor.mechanics.tree import Reals
from torsor.model.parts import BASE


def partial_velocities(at: Stance) -> Partials:
    """In the axes of each body."""
    found: Partials = []
    for body, joint in zip(at.tree.bodies, steps(at.tree, at.q), strict=True):
        own = carried(body, joint, found)
        for r, share in at.shares(body.source).items():
            rate = body.factor * share
            v_r, w_r = own.get(r, (np.zeros(3), np.zeros(3)))
            own[r] = (
                v_r + vector(0.0, 0.0, body.slide * rate) if body.slide else v_r,
                w_r + vector(0.0, 0.0, body.turn * rate) if body.turn else w_r,
            )
        found.append(own)
    return found


def inverse_dynamics(at: Stance, o: Options, xd: Reals, xdd: Reals) -> Reals:
    """tau_r = - (K*_r + K_r without the motors), for every free joint r."""
    partials, joints = partial_velocities(at), steps(at.tree, at.q)
    qd = at.rates(xd)
    moving = motion(at.tree, joints, qd, at.accelerations(qd, xdd), o.gravity)
    torques: list[Any] = [0.0] * at.n
    for i, (body, m) in enumerate(zip(at.tree.bodies, moving, strict=True)):
        _give(torques, partials[i], *inertial_wrench(body, m))
    if o.wrench is not None and (tool := at.tree.mount("tool")).body != BASE:
        force, moment = tool_wrench(at.tree, joints, o.wrench)
        _give(torques, partials[tool.body], -force, -moment)
    return vector(*torques)


def gravity(at: Stance, o: Options) -> Reals:
    partials, joints = partial_velocities(at), steps(at.tree, at.q)
    still = np.zeros(at.tree.n)
    torques: list[Any] = [0.0] * at.n
    for i, (body, m) in enumerate(zip(at.tree.bodies, motion(at.tree, joints, still, still, o.gravity), strict=True)):
        _give(torques, partials[i], *inertial_wrench(body, m))
    return vector(*torques)


def mass_matrix(at: Stance, o: Options) -> Reals:
    """M_rs: the generalised inertia force of speed r for a unit rate of change of speed s."""
    partials, n = partial_velocities(at), at.n
    rows: list[list[Any]] = [[0.0] * n for _ in range(n)]
    for i, body in enumerate(at.tree.bodies):
        for s, (a, wd) in partials[i].items():
            force, moment = inertial_wrench(body, BodyMotion.starting(wd, a))
            for r, (v, w) in partials[i].items():
                if r <= s:
                    rows[s][r] = rows[s][r] + (force * v).sum(axis=-1) + (moment * w).sum(axis=-1)
    return np.stack([vector(*(rows[max(r, s)][min(r, s)] for s in range(n))) for r in range(n)], axis=-2)


def _give(torques: list[Any], partials: dict[int, tuple[Reals, Reals]], force: Reals, moment: Reals) -> None:
    for r, (v, w) in partials.items():
        torques[r] = torques[r] + (force * v).sum(axis=-1) + (moment * w).sum(axis=-1)


FORMULATION = replace(
    kane.FORMULATION,
    with_loops={"inverse_dynamics": inverse_dynamics, "gravity": gravity, "mass_matrix": mass_matrix},
)
