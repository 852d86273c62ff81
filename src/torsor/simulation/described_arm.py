"""The arm that is simulated, from the arm as it is described: with its drives or its links alone, and what it holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torsor.algebra import parameter
from torsor.errors import Unsupported
from torsor.mechanics.assembly import free_names
from torsor.mechanics.tree import Tree
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, JointFriction
from torsor.simulation.setting import Setting

PAYLOAD, FRICTION = "payload", "friction"  # parameters of the arm itself
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


def holding(tree: Tree, model: Model) -> Tree:
    """The tree with a mass at the tool that is a parameter, at the centre of the arm's own payload if it has one."""
    mount = tree.mount("tool")
    if mount.body == BASE:
        raise Unsupported(f"the tool of {model.name!r} does not move", hint="a payload needs a link that carries it")
    m = parameter(PAYLOAD)
    com = np.zeros(3) if model.payload is None else model.payload.com
    r = mount.position + mount.rotation @ com
    body = tree.bodies[mount.body]
    held = replace(body, mass=body.mass + m, moment=body.moment + m * r, second=body.second + m * np.outer(r, r))
    return replace(tree, bodies=tuple(held if i == mount.body else b for i, b in enumerate(tree.bodies)))
