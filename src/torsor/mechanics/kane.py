"""Kane's equations (Kane & Levinson 1985; Behi 1989, 3.6), with the rates of the free joints as generalised speeds.

The partial velocities of a body are what multiplies each speed in its velocity; with them the generalised inertia and
active forces are plain scalar products, K_r + K*_r = 0. Behi computes every product of rates, angles and masses once
and calls it Z_i; a traced page does the same by itself, because equal expressions are one node. Arms that are built
like his run his own equations (``simasea.py``), so that their listings have his numbers.
Everything is about the bodies' origins instead of their centres of mass, so that massless links are no exception.

A joint that a loop moves turns at G_jr per unit of speed r, so the partial velocities of bodies beyond it hold G: that
is all a loop changes, and its own forces appear nowhere. The corrections to the thesis (Z12, Z13, Z24, Z89, Z90, the
signs of (3.121) to (3.147), ...) are listed in docs/errata.md; here every Z is generated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from torsor.mechanics import simasea
from torsor.mechanics.body_motion import BodyMotion, inertial_wrench, motion
from torsor.mechanics.formulation import Formulation, links_only, named
from torsor.mechanics.kinematics import JointStep, dot, matrix, steps, vector
from torsor.mechanics.newton_euler import tool_pushes
from torsor.mechanics.quantity import Options
from torsor.mechanics.simasea_numbers import SimaseaArm
from torsor.mechanics.stance import Stance
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

Partials = list[dict[int, tuple[Reals, Reals]]]  # body -> speed -> (partial velocity of the origin, partial angular)


def partial_velocities(
    tree: Tree, joints: list[JointStep], shares: Callable[[int], Mapping[int, Any]] = lambda i: {i: 1.0}
) -> Partials:
    """In the axes of each body. ``shares`` are what the speeds are in the rate of a body's joint: all of it their own
    where the rates of the bodies' joints are the speeds."""
    found: Partials = []
    for i, (body, joint) in enumerate(zip(tree.bodies, joints, strict=True)):
        before = {} if body.parent == BASE else found[body.parent]
        own = {r: joint.carried(*moving) for r, moving in before.items()}
        for r, rate in shares(i).items():
            v, w = own.get(r, (np.zeros(3), np.zeros(3)))
            own[r] = (
                v + vector(0.0, 0.0, body.slide * rate) if body.slide else v,
                w + vector(0.0, 0.0, body.turn * rate) if body.turn else w,
            )
        found.append(own)
    return found


def _in_free_joints(at: Stance) -> Partials:
    def shares(i: int) -> dict[int, Any]:
        body = at.tree.bodies[i]
        return {r: body.factor * share for r, share in at.shares(body.source).items()}

    return partial_velocities(at.tree, steps(at.tree, at.q), shares)


def inverse_dynamics(at: Stance, o: Options, xd: Reals, xdd: Reals) -> Reals:
    """tau_r = - (K*_r + K_r without the motors), for every speed r."""
    tree, joints, partials, qd = at.tree, steps(at.tree, at.q), _in_free_joints(at), at.rates(xd)
    his = _of_the_thesis(at, o)
    if his is not None:
        return simasea.torques(his, at.q, qd, at.accelerations(qd, xdd), -float(o.gravity[2]))
    # gravity is an active force; as an acceleration of the base the other way it enters K* with the same sign
    moving = motion(tree, joints, qd, at.accelerations(qd, xdd), o.gravity)
    given = [(i, *inertial_wrench(body, m)) for i, (body, m) in enumerate(zip(tree.bodies, moving, strict=True))]
    given += [(i, -force, -moment) for i, force, moment in tool_pushes(tree, joints, o.wrench)]
    torques: list[Any] = [0.0] * at.n
    for i, force, moment in given:
        for r, (v, w) in partials[i].items():
            torques[r] = torques[r] + dot(force, v) + dot(moment, w)
    return vector(*torques)


def _of_the_thesis(at: Stance, o: Options) -> SimaseaArm | None:
    """His arm, under its own weight alone: then the equations are his, with his numbers."""
    if at.n != len(simasea.FREE) or o.wrench is not None or np.asarray(o.gravity).dtype == object:
        return None
    downward = not np.asarray(o.gravity)[:2].any() and [k + 1 for k in at.free] == list(simasea.FREE)
    return SimaseaArm.of(at.tree) if downward else None


def gravity(at: Stance, o: Options) -> Reals:
    return inverse_dynamics(at, Options(o.gravity), np.zeros(at.n), np.zeros(at.n))


def mass_matrix(at: Stance, o: Options) -> Reals:
    """M_rs: the generalised inertia force of speed r for a unit rate of change of speed s."""
    M: list[list[Any]] = [[0.0] * at.n for _ in range(at.n)]
    for body, partials in zip(at.tree.bodies, _in_free_joints(at), strict=True):
        for s, (a, wd) in partials.items():
            force, moment = inertial_wrench(body, BodyMotion.starting(wd, a))
            for r, (v, w) in partials.items():
                if r <= s:
                    M[r][s] = M[s][r] = M[r][s] + dot(force, v) + dot(moment, w)
    return np.broadcast_to(matrix(*map(tuple, M)), (*at.q.shape[:-1], at.n, at.n))


FORMULATION = Formulation(
    "kane",
    "Kane & Levinson 1985; Behi 1989, 3.6",
    {
        "inverse_dynamics": lambda tree, q, qd, qdd, *load: inverse_dynamics(Stance(tree, q), Options(*load), qd, qdd),
        "mass_matrix": lambda tree, q: mass_matrix(Stance(tree, q), Options(tree.gravity)),
    },
    refuses=links_only,
    with_loops=named(inverse_dynamics, gravity, mass_matrix),
)
