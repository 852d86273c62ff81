"""The arm that is simulated, from the arm as it is described: with its drives or its links alone, and what it holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from torsor.algebra import Node, parameter
from torsor.algebra.node import parameters
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.assembly import free_names
from torsor.mechanics.tree import Tree
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, JointFriction
from torsor.model.transforms import Floats
from torsor.simulation.setting import Setting

PAYLOAD, GRASPED, FRICTION = "payload", "grasped", "friction"  # parameters of the arm itself
HeldAs = Literal["point", "body"]  # what is held: a mass at the tool, or a body with a centre and an inertia
HUGE = 1e12  # no torque, mass or friction of a machine is as large


def described_for(model: Model, setting: Setting) -> Model:
    """The arm with its drives, or its links alone."""
    return model if setting.drives else links_alone(model)


def require_described(setting: Setting, changed: bool, inertia: bool, *, direct: bool) -> None:
    """Refuses what is for rigid arms, or for arms as they are described, alone."""
    by, only = setting.by, f"by={setting.by!r} is for"
    if by is not None and not direct:
        raise Unsupported(f"{only} links without drives and friction", hint="drives=False leaves them out")
    if by is not None and setting.elastic:
        raise Unsupported(f"{only} rigid links", hint="leave by out, or elastic")
    if by is not None and changed:
        text = f"{only} the arm as it is described, without payload and inertia as parameters"
        raise Unsupported(text, hint="arm.with_payload(mass), or leave by out")
    if inertia and setting.elastic:
        hint = "payload= works; else change the arm file"
        raise Unsupported("inertia as parameters is for rigid links", hint=hint)


def grasped(held: Mass) -> Floats:
    """(10,) the parameters of a body that is held: mass, first and second moments about the tool point, tool axes."""
    if problems := list(held.impossibilities()):
        raise ShapeError(f"what is held cannot be: {problems[0]}", hint="a mass, its centre, and inertia about that")
    I = held.inertia_about_origin
    S = 0.5 * np.trace(I) * np.eye(3) - I  # integral of r r^T
    moments = [S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2]]
    return np.array([held.mass, *(held.mass * held.com), *moments])


def direct(model: Model) -> Model:
    """An arm without drives as if each joint were driven directly, by a motor without inertia."""
    if model.drives:
        return model
    Z = np.array([0.0, 0.0, 1.0])
    driven = free_names(model) if model.loops else model.joint_names
    rows = zip(model.joint_names, np.eye(model.n), strict=True)
    return replace(model, drives=tuple(Drive(name, row, 0.0, 0.0, BASE, Z) for name, row in rows if name in driven))


def links_alone(model: Model) -> Model:
    """Without drives and without friction."""
    links = tuple(replace(link, joint=replace(link.joint, friction=JointFriction())) for link in model.links)
    return replace(model, drives=(), links=links)


def own_parameters(payload: HeldAs | None, *, friction: bool) -> dict[str, Node]:
    """Of the arm itself, by name: what it holds, and a factor of all friction."""
    held = {"point": [parameter(PAYLOAD)], "body": list(parameters(GRASPED, 10)), None: []}[payload]
    return {node.name: node for node in [*held, *([friction_factor()] if friction else [])]}


def friction_factor() -> Node:
    """What multiplies all friction of a run."""
    return parameter(FRICTION)


def holding(tree: Tree, model: Model, held_as: HeldAs) -> Tree:
    """The tree with what it holds as parameters: a mass where the arm's own payload has its centre, or a body.

    The parameters of a body are its mass, its first moments and its second moments about the tool point, in tool axes:
    what they add to a link is linear in them.
    """
    mount = tree.mount("tool")
    if mount.body == BASE:
        raise Unsupported(f"the tool of {model.name!r} does not move", hint="a payload needs a link that carries it")
    body, p, R = tree.bodies[mount.body], mount.position, mount.rotation
    if held_as == "point":
        m = parameter(PAYLOAD)
        r = p + R @ (np.zeros(3) if model.payload is None else model.payload.com)
        moment, second = m * r, m * np.outer(r, r)
    else:
        m, x, y, z, xx, yy, zz, xy, xz, yz = parameters(GRASPED, 10)
        first, about = R @ np.array([x, y, z]), R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        moment, across = m * p + first, np.outer(p, first)
        second = m * np.outer(p, p) + across + across.T + about
    held = replace(body, mass=body.mass + m, moment=body.moment + moment, second=body.second + second)
    return replace(tree, bodies=tuple(held if i == mount.body else b for i, b in enumerate(tree.bodies)))
