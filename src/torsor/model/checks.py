"""What must hold for a description to be an arm. One function a question; each names the part and the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.parts import BASE
from torsor.model.transforms import is_rotation

if TYPE_CHECKING:
    from torsor.model.model import Model

RESERVED = ("tool", "world")


def check(model: Model) -> None:
    """Raises ModelError at the first thing that cannot be."""
    _names(model)
    _tree(model)
    _finite(model)
    _joints(model)
    _mimics(model)
    _masses(model)
    _references(model)


def _names(model: Model) -> None:
    if not model.name:
        raise ModelError("the arm has no name", hint='give it one: name = "my-arm"')
    if not model.links:
        raise ModelError(f"arm {model.name!r} has no links", hint="an arm needs at least one moving link")
    _unique("link or frame", [model.base_name, *(link.name for link in model.links), *model.frames])
    _unique("joint", [link.joint.name for link in model.links])
    _unique("drive", [drive.name for drive in model.drives])
    for name in (*(link.name for link in model.links), *model.frames):
        if name in RESERVED:
            raise ModelError(f"the name {name!r} is taken", hint="tool and world are Torsor's own frames: choose another")


def _unique(what: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise ModelError(f"{count} {what}s are named {name!r}", hint="names must be unique")


def _tree(model: Model) -> None:
    for link in model.links:
        if not BASE <= link.parent < len(model.links):
            raise ModelError(f"link {link.name!r} has a parent that does not exist")
    for start in model.links:
        link, steps = start, 0
        while link.parent != BASE:
            link, steps = model.links[link.parent], steps + 1
            if steps > len(model.links):
                raise ModelError(
                    f"link {start.name!r} never reaches the base: its parents form a circle",
                    hint="close loops with [[loop]], not with parents",
                )
    if not any(link.joint.moves for link in model.links):
        raise ModelError(f"arm {model.name!r} has no joint that moves", hint="all its joints are fixed")


def _joints(model: Model) -> None:
    for link in model.links:
        joint = link.joint
        if joint.axis.shape != (3,) or abs(np.linalg.norm(joint.axis) - 1.0) > 1e-9:
            raise ModelError(f"the axis of joint {joint.name!r} is {joint.axis.tolist()}", hint="it must be a unit vector")
        for T in (joint.before, joint.after):
            if T.shape != (4, 4) or not is_rotation(T[:3, :3]):
                raise ModelError(f"the placement of joint {joint.name!r} is not a pose")
        if joint.kind == "screw" and joint.pitch == 0.0:
            raise ModelError(f"screw joint {joint.name!r} has no pitch", hint="give pitch in m/rad, or make it revolute")
        limits = joint.limits
        if limits.position is not None and not limits.position[0] <= limits.position[1]:
            low, high = limits.position
            raise ModelError(f"joint {joint.name!r} has position limits [{low:g}, {high:g}]", hint="lower comes first")
        for word in ("speed", "acceleration", "torque"):
            bound = getattr(limits, word)
            if bound is not None and not bound >= 0.0:
                raise ModelError(f"the {word} limit of joint {joint.name!r} is {bound:g}", hint="limits are zero or more")


def _mimics(model: Model) -> None:
    joints = {link.joint.name: link.joint for link in model.links}
    for joint in joints.values():
        seen = [joint.name]
        while (follows := joints[seen[-1]].mimic) is not None:
            if not joint.moves:
                raise ModelError(f"fixed joint {joint.name!r} cannot follow another", hint="remove its mimic")
            if follows.joint not in joints:
                moving = [j.name for j in joints.values() if j.moves]
                hint = did_you_mean(follows.joint, moving)
                raise ModelError(f"joint {joint.name!r} follows {follows.joint!r}, which does not exist", hint=hint)
            if not joints[follows.joint].moves:
                raise ModelError(f"joint {joint.name!r} follows {follows.joint!r}, which is fixed")
            if follows.joint in seen:
                raise ModelError(f"joint {joint.name!r} follows itself: {' -> '.join([*seen, follows.joint])}")
            seen.append(follows.joint)


def _finite(model: Model) -> None:
    def refuse(what: str) -> None:
        raise ModelError(f"{what} is not finite", hint="NaN and infinity cannot describe an arm")

    if model.gravity.shape != (3,) or not np.isfinite(model.gravity).all():
        refuse("gravity")
    for link in model.links:
        joint, mass = link.joint, link.mass
        if not all(np.isfinite(x).all() for x in (joint.before, joint.after, joint.axis, joint.pitch)):
            refuse(f"the placement of joint {joint.name!r}")
        if mass is not None and not all(np.isfinite(x).all() for x in (mass.mass, mass.com, mass.inertia)):
            refuse(f"the mass, com or inertia of link {link.name!r}")


def _masses(model: Model) -> None:
    for name, problems in model.nonphysical().items():
        negative = any("negative" in problem for problem in problems)
        if negative or not model.allow_nonphysical:
            hint = "masses are in kg, zero or more" if negative else "allow_nonphysical = true accepts published data as it is"
            where = "the payload" if name == "payload" else f"link {name!r}"
            raise ModelError(f"{where}: {'; '.join(problems)}", hint=hint)


def _references(model: Model) -> None:
    ends = [model.tool, *model.frames.values(), *(f for loop in model.loops for f in (loop.first, loop.second))]
    if any(not BASE <= frame.link < len(model.links) for frame in ends):
        raise ModelError("a frame rides on a link that does not exist")
    for drive in model.drives:
        if drive.ratio.shape != (model.n,):
            raise ModelError(
                f"drive {drive.name!r} has {drive.ratio.size} ratios for {model.n} joints",
                hint=f"give one for each of {', '.join(model.joint_names)}",
            )
        if not drive.ratio.any():
            raise ModelError(f"drive {drive.name!r} drives nothing: all its ratios are zero")
    for loop in model.loops:
        for joint in loop.driven:
            if joint not in model.joint_names:
                raise ModelError(
                    f"loop {loop.name!r} is driven by joint {joint!r}, which does not exist",
                    hint=did_you_mean(joint, model.joint_names),
                )
