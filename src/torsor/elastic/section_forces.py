"""Forces in beams, from equilibrium at a cut: the inward recursion, stopped along the beam.

What is beyond a cut, moving as it does, asks for a force and a moment: its own mass for r_dd - g, and whatever rides on
it for what it hands down. The section gives them. Curvature is not asked for: of few modes its second derivatives are
far off where forces are not. Written for floats with leading dimensions and for graph scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torsor.elastic.beam_cuts import ArmCuts, BeamCut
from torsor.elastic.elastic_kinematics import BentArm
from torsor.elastic.elastic_newton_euler import (
    Deformed,
    TipStep,
    beam_wrench,
    elastic_motion,
    elastic_steps,
    flexible_wrench,
    hand_down,
    onto_frame,
)
from torsor.elastic.elastic_tree import ElasticTree
from torsor.mechanics.body_motion import BodyMotion, BodyWrench, inertial_wrench
from torsor.mechanics.kinematics import joined, rotate, unrotate
from torsor.mechanics.transmissions import rotor_wrenches
from torsor.mechanics.tree import Mount, Reals
from torsor.model.parts import BASE

FramePush = tuple[Mount, int | None, Reals]  # on a frame, and the tip that it rides on: (..., 6) in base axes


def section_forces(
    cuts: ArmCuts, x: Reals, xd: Reals, xdd: Reals, gravity: Reals, pushes: Sequence[FramePush] = ()
) -> Reals:
    """(..., cuts, 6): N, Qy, Qz, T, My, Mz, which what is beyond a cut exerts on what is before it.

    In the axes of the section as it is turned, about its centroid: N pulls, Mz = E Iz v'' bends in the x-y plane, My
    in the x-z plane. ``pushes`` are wrenches from outside: on the tool, or of loops that close there.
    """
    arm = cuts.tree
    joints, rides = elastic_steps(arm, x)
    moving = elastic_motion(arm, joints, rides, xd, xdd, gravity)
    asked: list[BodyWrench] = [inertial_wrench(body, m) for body, m in zip(arm.tree.bodies, moving, strict=True)]
    on_tips: dict[tuple[int, int], BodyWrench] = {}

    def ask(body: int, tip: int | None, force: Reals, moment: Reals) -> None:
        asked[body] = asked[body][0] + force, asked[body][1] + moment
        if tip is not None:
            f, n = on_tips.get((body, tip), (0.0, 0.0))
            on_tips[body, tip] = f + force, n + moment

    for i, link in arm.flexible.items():
        force, moment, _ = flexible_wrench(link, arm.own(i, x), arm.own(i, xd), arm.own(i, xdd), moving[i])
        ask(i, None, force, moment)
    for i, spin in rotor_wrenches(arm.tree, moving, *(part[..., : arm.n] for part in (x, xd, xdd)))[0]:
        ask(i, None, np.zeros(3), spin)
    for mount, tip, wrench in pushes:
        if mount.body != BASE:
            force, moment, _ = onto_frame(arm, x, joints, rides, mount, tip, wrench)
            ask(mount.body, tip, -force, -moment)
    for i in reversed(range(len(joints))):
        if (p := arm.tree.bodies[i].parent) != BASE:
            force, moment, _ = hand_down(joints[i], rides[i], *asked[i])
            ask(p, arm.rides[i], force, moment)
    found = []
    for i, through in cuts.of.items():
        own = arm.own(i, x), arm.own(i, xd), arm.own(i, xdd)
        found += [_at_cut(cut, {tip: on_tips[i, tip] for tip in cut.tips}, *own, moving[i]) for cut in through]
    shape = (*x.shape[:-1], 6)
    return np.stack([np.broadcast_to(each, shape) for each in found], axis=-2)


def _at_cut(cut: BeamCut, riding: dict[int, BodyWrench], e: Reals, ed: Reals, edd: Reals, m: BodyMotion) -> Reals:
    total: Any = np.zeros(3), np.zeros(3)
    if cut.beyond is not None:
        total = beam_wrench(cut.beyond, Deformed.of(cut.beyond, e), ed, edd, m)
    force, moment = total
    for more in riding.values():
        force, moment = force + more[0], moment + more[1]
    step = TipStep.at(cut.here, e)
    moment = moment - np.cross(step.r, force)
    # what the section gives what is beyond, turned about: what is beyond exerts on it
    parts = [-unrotate(cut.axes, step.into(each)) for each in (force, moment)]
    return np.concatenate([np.broadcast_to(part, (*e.shape[:-1], 3)) for part in parts], axis=-1)


def moving_forces_page(cuts: ArmCuts, x: Reals, xd: Reals, xdd: Reals, *loops: Reals) -> dict[str, Any]:
    """In motion, with what each loop pushes with."""
    arm = cuts.tree
    return {"forces": section_forces(cuts, x, xd, xdd, arm.tree.gravity, closing_pushes(arm, x, loops))}


def closing_pushes(arm: ElasticTree, x: Reals, wrenches: Sequence[Reals]) -> list[FramePush]:
    """What loops push with on both links that each joins.

    ``wrenches`` (..., 6) are on the link of the first end, about its frame there, in the axes of the second.
    """
    stance, found = BentArm.at(arm, x), []
    for wrench, (first, second), (on_first, on_second) in zip(wrenches, arm.tree.ends, arm.ends, strict=True):
        (_, p), (R, other) = stance.frame(first, on_first)[0], stance.frame(second, on_second)[0]
        force, moment = rotate(R, wrench[..., :3]), rotate(R, wrench[..., 3:])
        back = joined(-force, -moment - np.cross(p - other, force))
        found += [(first, on_first, joined(force, moment)), (second, on_second, back)]
    return found
