"""Newton-Euler recursion in link frames (Luh, Walker & Paul 1980; Fedorov 2015, 4.1), for trees and all joints.

Outward: velocities and accelerations of every body in its own axes (``body_motion.py``). Inward: the force and moment
each joint carries. Gravity is an acceleration of the base the other way. Torques alone need less than all that joints
carry: there parallel joints are taken together (``parallel_runs.py``).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from torsor.algebra.telling import told
from torsor.mechanics.body_motion import BodyMotion, BodyWrench, inertial_wrench, motion
from torsor.mechanics.formulation import Formulation, named
from torsor.mechanics.kinematics import JointStep, joined, scaled, stacked, steps, unrotate, vector
from torsor.mechanics.parallel_runs import ParallelRuns
from torsor.mechanics.transmissions import rotor_wrenches
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

BodyPush = tuple[int, Reals, Reals]  # body, force and moment about its origin, in its axes


def body_wrenches(
    tree: Tree, moving: list[BodyMotion], spins: Iterable[tuple[int, Reals]], pushes: Iterable[BodyPush]
) -> list[BodyWrench]:
    """What moves each body, with the rotors that spin on it, against what pushes it."""
    wrenches = [inertial_wrench(body, m) for body, m in zip(tree.bodies, moving, strict=True)]
    for i, spin in spins:
        wrenches[i] = wrenches[i][0], wrenches[i][1] + spin
    for i, force, moment in pushes:
        wrenches[i] = wrenches[i][0] - force, wrenches[i][1] - moment
    return wrenches


def joint_wrenches(
    tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None, pushes: Iterable[BodyPush] = ()
) -> tuple[list[tuple[Reals, Reals]], Reals]:
    """Force and moment that each joint exerts on its body, in the body's axes, the moment about the body's origin.

    ``wrench`` is the force over the moment that the surroundings exert on the tool, in base axes. After them the
    torques that turn the rotors of the drives.
    """
    joints = steps(tree, q)
    moving = motion(tree, joints, qd, qdd, gravity)
    spins, rotor_torques = rotor_wrenches(tree, moving, q, qd, qdd)
    wrenches = body_wrenches(tree, moving, spins, (*tool_pushes(tree, joints, wrench), *pushes))
    _tell(tree, wrenches)
    for i in reversed(range(len(joints))):
        told("f", tree.numbered(i), wrenches[i][0])
        told("n", tree.numbered(i), wrenches[i][1])
        parent = tree.bodies[i].parent
        if parent != BASE:
            force, moment = to_parent(joints[i], *wrenches[i])
            wrenches[parent] = wrenches[parent][0] + force, wrenches[parent][1] + moment
    return wrenches, rotor_torques


def _tell(tree: Tree, wrenches: list[BodyWrench]) -> None:
    for i, (force, moment) in enumerate(wrenches):
        told("F", tree.numbered(i), force)
        told("N", tree.numbered(i), moment)


def tool_pushes(tree: Tree, joints: list[JointStep], wrench: Reals | None) -> list[BodyPush]:
    """A wrench at the tool, in base axes, as a push on the body it is on; none where the base carries the tool."""
    tool = tree.mount("tool")
    if wrench is None or tool.body == BASE:
        return []
    force, moment = unrotate(tree.root, wrench[..., :3]), unrotate(tree.root, wrench[..., 3:])
    for i in tree.path(tool.body):
        force, moment = joints[i].into(force), joints[i].into(moment)
    return [(tool.body, force, moment + np.cross(tool.position, force))]


def to_parent(joint: JointStep, force: Reals, moment: Reals) -> tuple[Reals, Reals]:
    """A wrench about the body's origin, seen from the parent: first along z in body axes, then in the parent's."""
    body = joint.body
    if body.slide or body.along:
        moment = moment + scaled(joint.reach, vector(-force[..., 1], force[..., 0], 0.0))
    force = joint.out_of(force)
    return force, joint.out_of(moment) + np.cross(body.position, force)


def inverse_dynamics(
    tree: Tree,
    q: Reals,
    qd: Reals,
    qdd: Reals,
    gravity: Reals,
    wrench: Reals | None = None,
    *,
    bending: bool | None = None,
) -> Reals:
    """tau = M(q) qdd + C(q, qd) qd + g(q) - J^T wrench, (..., n); ``bending`` as in `motion`."""
    links, rotors = split_torques(tree, q, qd, qdd, gravity, wrench, bending=bending)
    return links + rotors if tree.rotors else links


def split_torques(
    tree: Tree,
    q: Reals,
    qd: Reals,
    qdd: Reals,
    gravity: Reals,
    wrench: Reals | None = None,
    *,
    bending: bool | None = None,
) -> tuple[Reals, Reals]:
    """Torques (..., n) that move the links, and those that turn the rotors of the drives."""
    runs = ParallelRuns(tree, q, qd, qdd)
    moving = motion(tree, runs.joints, qd, qdd, gravity, runs.ways, bending=bending)
    spins, rotors = rotor_wrenches(tree, moving, q, qd, qdd)
    return link_torques(runs, moving, spins, tool_pushes(tree, runs.joints, wrench)), rotors


def link_torques(
    runs: ParallelRuns, moving: list[BodyMotion], spins: Iterable[tuple[int, Reals]], pushes: Iterable[BodyPush]
) -> Reals:
    """Torques (..., n) of links in motion, with what spins on them and against what pushes them."""
    felt = body_wrenches(runs.tree, moving, spins, pushes)
    _tell(runs.tree, felt)
    quiet = runs.quiet(moving)
    handed = felt if quiet is moving else body_wrenches(runs.tree, quiet, spins, pushes)
    return runs.tree.gather(runs.torques(felt, handed))


def bearing_loads(
    tree: Tree, q: Reals, qd: Reals, qdd: Reals, g: Reals, wrench: Reals | None = None, pushes: Iterable[BodyPush] = ()
) -> Reals:
    """(..., joints, 6): force over moment each joint exerts on its link, about the joint's origin, in link axes.

    ``pushes`` are those of loops.
    """
    wrenches, _ = joint_wrenches(tree, q, qd, qdd, g, wrench, pushes)
    return stacked(joined(*(unrotate(tree.bodies[i].link[:3, :3], part) for part in wrenches[i])) for i in tree.listed)


FORMULATION = Formulation(
    "newton-euler", "Luh, Walker & Paul 1980; Fedorov 2015, 4.1", named(inverse_dynamics), frames="lean"
)
