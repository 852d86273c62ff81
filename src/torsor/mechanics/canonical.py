"""The same arm written so that its recursions cost least: frames on common normals, inertia regrouped.

Both changes are exact. A body's frame may turn about and slide along its own joint axis; put on the common normal to
the next axis (Denavit & Hartenberg; Khalil & Kleinfinger for trees) its constant rotation is a single twist about x and
its offset a single length. And whatever part of a body's inertia looks the same however its joint stands may as well
ride on the parent (Gautier & Khalil's base parameters): mass, first moment along the axis and one second moment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra.circle import atan2, hypot
from torsor.mechanics.tree import Body, Mount, Reals, Tree
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, inverse, pose, rotation_x, rotation_z, times

if TYPE_CHECKING:
    from torsor.mechanics.loops import Loops

# Below this angle (sine) the common normal of two axes lies too far away to be of use.
NEARLY_PARALLEL = 0.05
# Entries below this share of the size of an arm are rounding and become structural zeros.
ROUNDING = 1e-14

# Of a body and its parent: mass at its origin, and the second moment along its axis, that stay with it.
KeptOnAxis = Callable[[int, Body, Body | None], tuple[Any, Any]]


@dataclass(frozen=True, eq=False)
class Trees:
    """An arm as it was described, and the same in the frames and with the inertia that cost least."""

    plain: Tree
    given: Tree | None = None  # the lean one, where it cannot be found from the plain
    loops: Loops | None = None  # of an arm that is asked about in its free joints
    rubs: tuple[tuple[float, float], ...] = ()  # viscous and dry friction of its joints, where that is asked for

    @property
    def n(self) -> int:
        """Entries of q as users know it: of an arm with loops the free ones."""
        return self.plain.n if self.loops is None else self.loops.n

    @cached_property
    def lean(self) -> Tree:
        return canonical(self.plain) if self.given is None else self.given


def canonical(tree: Tree) -> Tree:
    """An arm with the same dynamics in as few operations as its structure allows."""
    return regrouped(framed(tree))


def framed(tree: Tree) -> Tree:
    """Frames on common normals. Frames that ride on bodies, links among them, keep their place in space."""
    size = max([1e-3, *(float(np.abs(b.position).max()) for b in tree.bodies)])
    first = {b.parent: i for i, b in reversed(list(enumerate(tree.bodies)))}  # the child whose axis sets the frame
    roots = [i for i, b in enumerate(tree.bodies) if b.parent == BASE]
    root = pose(tree.bodies[0].rotation, tree.bodies[0].position) if len(roots) == 1 else np.eye(4)
    moved: dict[int, Floats] = {BASE: root}  # T_old_new of every body
    bodies: list[Body] = []
    for i, body in enumerate(tree.bodies):
        # the joint's axis frame in the parent's new frame
        T_parent_joint = times(inverse(moved[body.parent]), pose(body.rotation, body.position))
        turn, slide = _on_normal(tree.bodies[first[i]]) if i in first else (_quiet_turn(T_parent_joint), -body.along)
        moved[i] = pose(rotation_z(turn), [0.0, 0.0, slide])
        T = times(T_parent_joint, pose(position=[0.0, 0.0, body.along]))
        bodies.append(_reframed(body, T, turn, slide, moved[i], size))

    def kept(mount: Mount) -> Mount:
        return Mount.at(mount.body, times(inverse(moved[mount.body]), pose(mount.rotation, mount.position)))

    mounts = {name: kept(mount) for name, mount in tree.frames.items()}
    ends = tuple((kept(first), kept(second)) for first, second in tree.ends)
    rotors = tuple(replace(r, axis=_clean(times(moved[r.body][:3, :3].T, r.axis), 1.0)) for r in tree.rotors)
    turned = times(tree.root, root[:3, :3])
    return replace(tree, bodies=tuple(bodies), frames=mounts, root=turned, rotors=rotors, ends=ends)


def _on_normal(child: Body) -> tuple[float, float]:
    """Turn about and slide along z that put x on the common normal from this body's axis to its child's."""
    p, d = child.position, child.rotation[:, 2]
    across = np.array([-d[1], d[0], 0.0])  # z x d
    sine = hypot(d[0], d[1])
    if sine > NEARLY_PARALLEL:
        x = across / sine
        # the normal meets z at the height where p + t d is closest: (p + t d) x-y part along `across` only
        t = -float(p[0] * d[0] + p[1] * d[1]) / (sine * sine)
        return _least_turn(x), float(p[2] + t * d[2])
    if sine == 0.0 and hypot(p[0], p[1]) > 0.0:
        return _least_turn(np.array([p[0], p[1], 0.0])), 0.0
    return 0.0, 0.0


def _least_turn(x: Floats) -> float:
    """The turn about z that brings the x axis onto this line, whichever end, and so is at most a quarter."""
    turn = atan2(x[1], x[0])
    if turn > pi / 2 + 1e-12:
        return turn - pi
    return turn + pi if turn <= -pi / 2 + 1e-12 else turn


def _quiet_turn(T_parent_joint: Floats) -> float:
    """For a body at the tip, whose frame is free: the turn that leaves only a twist about x."""
    R = T_parent_joint[:3, :3]
    return -atan2(-R[0, 1], R[0, 0]) if hypot(R[0, 0], R[0, 1]) > 0.5 else 0.0


def _reframed(body: Body, T: Floats, turn: float, slide: float, T_old_new: Floats, size: float) -> Body:
    """The body in its new frame; T is the old frame at q = 0 in the parent's new frame."""
    R, p, along, shift = T[:3, :3], T[:3, 3], slide, body.shift
    d = R[:, 2]
    if abs(d[0]) <= ROUNDING:  # the parent's x axis is on the common normal: Rx(alpha) Rz(theta)
        angle = atan2(-R[0, 1], R[0, 0]) + turn
        quarters = round(angle / (pi / 2))
        if body.turn and abs(angle - quarters * pi / 2) > 1e-12:
            shift, along = shift + angle, along - body.slide * angle
            angle = 0.0
        R = times(rotation_x(atan2(-d[1], d[2])), rotation_z(angle))
        t = float(p[1] * d[1] + p[2] * d[2])
        if hypot(*(p - t * d)[1:]) <= ROUNDING * size:
            p, along = np.array([p[0], 0.0, 0.0]), along + t
    else:
        R = times(R, rotation_z(turn))
    new = inverse(T_old_new)
    moment = times(new[:3, :3], body.moment + times(body.mass * new[:3, :3].T, new[:3, 3]))
    return replace(
        body,
        rotation=_clean(R, 1.0),
        position=_clean(p, size),
        along=float(_clean(np.array(along), size)),
        shift=shift,
        moment=_clean(moment, float(np.abs(body.moment).max(initial=0.0)) + body.mass * size),
        second=_clean(moved_second(new[:3, :3], new[:3, 3], body), float(np.abs(body.second).max(initial=0.0))),
        link=times(new, body.link),
    )


def moved_moment(R: Reals, p: Reals, body: Body) -> Reals:
    """First moments seen from another frame."""
    return np.asarray(times(R, body.moment) + body.mass * p)


def moved_second(R: Reals, p: Reals, body: Body) -> Reals:
    """Second moments seen from another frame: K = sum m r r^T with r = R r_old + p."""
    cross = np.outer(times(R, body.moment), p)
    K: Reals = times(R, body.second, R.T) + cross + cross.T + body.mass * np.outer(p, p)
    return K


def regrouped(tree: Tree, kept: KeptOnAxis = lambda i, body, parent: (0.0, 0.0)) -> Tree:
    """Inertia moved towards the base wherever torques do not notice (base parameters); ``kept`` says what stays."""
    bodies = list(tree.bodies)
    for i in reversed(range(len(bodies))):
        body, R = bodies[i], bodies[i].rotation
        parent = None if body.parent == BASE else bodies[body.parent]
        left, along = kept(i, body, parent) if body.turn and not body.slide else (0.0, 0.0)
        # a slider turns with its parent: its whole inertia is a pure inertia of the parent; of others the second moment
        # along the axis
        given = np.diag([0.0, 0.0, body.second[2, 2] - along]) if body.turn else body.second
        bodies[i] = replace(body, second=body.second - given if body.turn else np.zeros((3, 3)))
        mass, moment, second = 0.0, np.zeros(3), times(R, given, R.T)
        if body.turn and not body.slide:
            # all that is symmetric about the axis and does not spin with it: mass and moments along z
            axis_part = replace(body, mass=body.mass - left, moment=np.array([0.0, 0.0, body.moment[2]]), second=given)
            bodies[i] = replace(bodies[i], mass=left, moment=body.moment * np.array([1.0, 1.0, 0.0]))
            p = foot(body)
            mass, moment, second = axis_part.mass, moved_moment(R, p, axis_part), moved_second(R, p, axis_part)
        if parent is not None:
            bodies[body.parent] = replace(
                parent, mass=parent.mass + mass, moment=parent.moment + moment, second=parent.second + second
            )
    return replace(tree, bodies=tuple(bodies))


def foot(body: Body) -> Reals:
    """The origin of a body that does not slide, in its parent's frame."""
    return np.asarray(body.position + body.rotation[:, 2] * body.along)


def at_feet(tree: Tree) -> Tree:
    """Origins slid along their axes to where these stand on the parents, so that more of them stay at rest."""
    bodies = list(tree.bodies)
    for i in range(len(bodies)):
        body = bodies[i]
        p = np.array([0.0, 0.0, body.along])
        if body.along:
            second = moved_second(np.eye(3), p, body)
            bodies[i] = replace(body, along=0.0, moment=body.moment + body.mass * p, second=second)
            bodies = [replace(b, position=b.position + p) if b.parent == i else b for b in bodies]
    return replace(tree, bodies=tuple(bodies))


def unit_length(tree: Tree) -> float:
    """The length that costs most products, for which 1 may be written: see `in_lengths`. 1.0 where there is none.

    Wrenches of all bodies beyond a joint are shifted by its position. What arrives at the first body is needed along
    its axis alone.
    """
    share: dict[float, int] = {}
    if any(b.slide or b.position.dtype == object for b in tree.bodies):
        return 1.0
    for i, body in enumerate(tree.bodies):
        if body.parent == BASE:
            continue
        beyond = sum(i in tree.path(k) for k in range(len(tree.bodies)))
        # across parallel axes positions turn: no product is saved
        for length in np.abs(body.position[2:] if body.is_parallel else body.position):
            alike = next((each for each in share if abs(each - length) <= ROUNDING * each), float(length))
            share[alike] = share.get(alike, 0) + beyond * (1 if tree.bodies[body.parent].parent == BASE else 3)
    share.pop(0.0, None)
    return max(share, key=lambda each: share[each], default=1.0)


def in_lengths(tree: Tree, unit: float) -> Tree:
    """An arm that only turns, written in lengths of ``unit``, and in masses in which torques stay as they are.

    Gravity, a length by time squared, is then smaller by ``unit`` too.
    """

    def whole(lengths: Floats) -> Floats:
        told = lengths / unit
        return np.where(np.abs(np.abs(told) - 1.0) <= ROUNDING, np.sign(told), told)

    return replace(
        tree,
        bodies=tuple(
            replace(b, position=whole(b.position), along=b.along / unit, mass=b.mass * unit**2, moment=b.moment * unit)
            for b in tree.bodies
        ),
        gravity=tree.gravity / unit,
    )


def _clean(array: Floats, size: float) -> Floats:
    return np.where(np.abs(array) <= ROUNDING * size, 0.0, array)
