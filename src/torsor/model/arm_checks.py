"""What must hold for a description to be an arm. One function a question; each names the part and the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.drive_checks import check_drives, numbers_of
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, is_rotation

if TYPE_CHECKING:
    from torsor.model.model import Model


def check(model: Model) -> None:
    """Raises ModelError at the first thing that cannot be."""
    _names(model)
    _tree(model)
    _finite(model)
    _joints(model)
    _placements(model)
    _limits(model)
    _mimics(model)
    _masses(model)
    _references(model)
    check_drives(model)


def _names(model: Model) -> None:
    if not model.name:
        raise ModelError("the arm has no name", hint='give it one: name = "my-arm"', part=("arm", ""))
    if not model.links:
        raise ModelError(f"arm {model.name!r} has no links", hint="an arm needs at least one moving link")
    links = [("base", model.base_name), *(("link", link.name) for link in model.links)]
    frames = [*links, *(("frame", name) for name in model.frames)]
    joints = [("joint", link.joint.name) for link in model.links]
    drives = [("drive", drive.name) for drive in model.drives]
    loops = [("loop", loop.name) for loop in model.loops]
    for parts in (frames, joints, drives, loops):
        _unique(parts)
    for part, name in (("arm", model.name), *frames, *joints, *drives, *loops):
        if not name or not name.isprintable():
            raise ModelError(
                f"{part} name {name!r} cannot be printed", hint="use letters, digits and signs", part=(part, name)
            )
    _reserved(model)


def _unique(parts: Iterable[tuple[str, str]]) -> None:
    first: dict[str, str] = {}
    for part, name in parts:
        if name in first:
            other = "the base" if first[name] == "base" else f"a {first[name]}"
            what = f"two {part}s are" if first[name] == part else f"a {part} and {other} are both"
            raise ModelError(f"{what} named {name!r}", hint="names must be unique", part=(part, name))
        first[name] = part


def _reserved(model: Model) -> None:
    """``tool`` is the frame of Model.tool, ``world`` that of gravity: nothing else may be named so."""
    for part, name in (*(("link", link.name) for link in model.links), *(("frame", name) for name in model.frames)):
        if name == "world":
            raise ModelError(
                f"no {part} may be named 'world'", hint="that is the frame of gravity and base", part=(part, name)
            )
        if name == "tool":
            on = model.frames[name] if part == "frame" else None
            link = on.link if on is not None else [link.name for link in model.links].index(name)
            placement = on.placement if on is not None else np.eye(4)
            if model.tool.link != link or not np.array_equal(model.tool.placement, placement):
                raise ModelError(
                    f"{part} 'tool' is not where the tool is",
                    hint="the name tool belongs to the tool frame: rename it, or put the tool there",
                    part=(part, name),
                )
    if model.base_name == "world" and not np.array_equal(model.base, np.eye(4)):
        raise ModelError(
            "the base is named 'world' but is placed elsewhere", hint="rename the base", part=("base", "world")
        )


def depths(parents: Sequence[int]) -> list[int]:
    """How many links lie between each link and the base, itself counted; 0 where the parents form a circle.

    >>> depths([BASE, 0, 0, 1]), depths([1, 0])
    ([1, 2, 2, 3], [0, 0])
    """
    known = dict.fromkeys([BASE], 0)
    circle: set[int] = set()
    for start in range(len(parents)):
        path: list[int] = []
        on_path: set[int] = set()
        index = start
        while index not in known and index not in circle and index not in on_path:
            path.append(index)
            on_path.add(index)
            index = parents[index]
        if index in known:
            for step in reversed(path):
                known[step] = known[parents[step]] + 1
        else:
            circle |= on_path
    return [known.get(i, 0) for i in range(len(parents))]


def _tree(model: Model) -> None:
    for link in model.links:
        if not BASE <= link.parent < len(model.links):
            raise ModelError(f"link {link.name!r} has a parent that does not exist", part=("link", link.name))
    for link, depth in zip(model.links, depths([link.parent for link in model.links]), strict=True):
        if depth == 0:
            raise ModelError(
                f"link {link.name!r} never reaches the base: its parents form a circle",
                hint="close loops with [[loop]], not with parents",
                part=("parent", link.name),
            )
    if not any(link.joint.moves for link in model.links):
        raise ModelError(f"arm {model.name!r} has no joint that moves", hint="all its joints are fixed")


def _finite(model: Model) -> None:
    def finite(what: str, part: tuple[str, str], *values: float | Floats | Sequence[float] | None) -> None:
        if not all(np.isfinite(value).all() for value in values if value is not None):
            raise ModelError(f"{what} is not finite", hint="NaN and infinity cannot describe an arm", part=part)

    finite("gravity", ("gravity", ""), model.gravity)
    finite("the base", ("base", model.base_name), model.base)
    finite("the tool frame", ("tool", ""), model.tool.placement)
    if model.payload is not None:
        finite("the payload", ("payload", ""), model.payload.mass, model.payload.com, model.payload.inertia)
    if model.base_mass is not None:
        base_mass = model.base_mass
        finite("the mass of the base", ("link", model.base_name), base_mass.mass, base_mass.com, base_mass.inertia)
    for name, frame in model.frames.items():
        finite(f"frame {name!r}", ("frame", name), frame.placement)
    for link in model.links:
        joint, mass, limits = link.joint, link.mass, link.joint.limits
        part = ("joint", joint.name)
        finite(f"the placement of joint {joint.name!r}", part, joint.before, joint.after, joint.axis, joint.pitch)
        finite(
            f"a limit of joint {joint.name!r}", part, limits.position, limits.speed, limits.acceleration, limits.torque
        )
        finite(f"the friction of joint {joint.name!r}", part, joint.friction.viscous, joint.friction.coulomb)
        if joint.mimic is not None:
            finite(f"the mimic of joint {joint.name!r}", ("mimic", joint.name), joint.mimic.factor, joint.mimic.offset)
        if mass is not None:
            finite(
                f"the mass, com or inertia of link {link.name!r}",
                ("link", link.name),
                mass.mass,
                mass.com,
                mass.inertia,
            )
    for drive in model.drives:
        finite(f"drive {drive.name!r}", ("drive", drive.name), *numbers_of(drive))
    for loop in model.loops:
        ends = loop.first.placement, loop.second.placement
        finite(f"loop {loop.name!r}", ("loop", loop.name), *ends, [q for _, q in loop.near], loop.length)


def _joints(model: Model) -> None:
    for link in model.links:
        joint = link.joint
        part = ("joint", joint.name)
        if joint.axis.shape != (3,) or abs(np.linalg.norm(joint.axis) - 1.0) > 1e-9:
            raise ModelError(
                f"the axis of joint {joint.name!r} is {joint.axis.tolist()}", hint="it must be a unit vector", part=part
            )
        if joint.kind == "screw" and joint.pitch == 0.0:
            raise ModelError(
                f"screw joint {joint.name!r} has no pitch", hint="give pitch in m/rad, or make it revolute", part=part
            )


def _placements(model: Model) -> None:
    poses = [("the base", ("base", model.base_name), model.base), ("the tool", ("tool", ""), model.tool.placement)]
    for link in model.links:
        name = link.joint.name
        poses += [(f"joint {name!r}", ("joint", name), T) for T in (link.joint.before, link.joint.after)]
    poses += [(f"frame {name!r}", ("frame", name), frame.placement) for name, frame in model.frames.items()]
    for loop in model.loops:
        poses += [(f"loop {loop.name!r}", ("loop", loop.name), end.placement) for end in (loop.first, loop.second)]
    for what, part, T in poses:
        if T.shape != (4, 4) or not is_rotation(T[:3, :3]) or not np.array_equal(T[3], [0.0, 0.0, 0.0, 1.0]):
            raise ModelError(
                f"the placement of {what} is not a pose", hint="it must be a (4, 4) rigid motion", part=part
            )
    if model.gravity.shape != (3,):
        raise ModelError(f"gravity has shape {model.gravity.shape}", hint="it must be 3 numbers", part=("gravity", ""))


def _limits(model: Model) -> None:
    for joint in (link.joint for link in model.links):
        limits, part = joint.limits, ("limits", joint.name)
        if limits.position is not None and not limits.position[0] <= limits.position[1]:
            low, high = limits.position
            raise ModelError(
                f"joint {joint.name!r} has position limits [{low:g}, {high:g}]", hint="lower comes first", part=part
            )
        for word in ("speed", "acceleration", "torque"):
            bound = getattr(limits, word)
            if bound is not None and not bound >= 0.0:
                problem = f"the {word} limit of joint {joint.name!r} is {bound:g}"
                raise ModelError(problem, hint="it is a size: zero or more", part=part)
        for word in ("viscous", "coulomb"):
            size = getattr(joint.friction, word)
            if size < 0.0:
                problem = f"the {word} friction of joint {joint.name!r} is {size:g}"
                raise ModelError(problem, hint="friction takes energy: zero or more", part=("friction", joint.name))


def _mimics(model: Model) -> None:
    joints = {link.joint.name: link.joint for link in model.links}
    settled: set[str] = set()  # joints whose chain of mimics ends well
    for joint in joints.values():
        seen: dict[str, None] = {}
        at = joint
        while at.mimic is not None and at.name not in settled:
            seen[at.name] = None
            part = ("mimic", at.name)
            name = at.mimic.joint
            if not at.moves:
                raise ModelError(f"fixed joint {at.name!r} cannot follow another", hint="remove its mimic", part=part)
            if name not in joints:
                hint = did_you_mean(name, [j.name for j in joints.values() if j.moves and j.name != at.name])
                raise ModelError(f"joint {at.name!r} follows {name!r}, which does not exist", hint=hint, part=part)
            if not joints[name].moves:
                hint = "a joint can only follow one that moves"
                raise ModelError(f"joint {at.name!r} follows {name!r}, which is fixed", hint=hint, part=part)
            if name in seen:
                chain = " -> ".join([*list(seen)[list(seen).index(name) :], name])
                hint = "one joint of the chain must move by itself"
                raise ModelError(f"joint {name!r} follows itself: {chain}", hint=hint, part=("mimic", name))
            at = joints[name]
        settled.update(seen)


def _masses(model: Model) -> None:
    for name, problems in model.nonphysical().items():
        negative = any("negative" in problem for problem in problems)
        if negative or not model.allow_nonphysical:
            hint = (
                "masses are in kg, zero or more"
                if negative
                else "allow_nonphysical = true accepts published data as it is"
            )
            is_payload = name == "the payload"
            part = ("payload", "") if is_payload else ("mass" if negative else "inertia", name)
            raise ModelError(f"{name if is_payload else f'link {name!r}'}: {'; '.join(problems)}", hint=hint, part=part)


def _references(model: Model) -> None:
    ends = [model.tool, *model.frames.values(), *(f for loop in model.loops for f in (loop.first, loop.second))]
    carriers = [*(frame.link for frame in ends), *(drive.carrier for drive in model.drives)]
    if any(not BASE <= link < len(model.links) for link in carriers):
        raise ModelError("a frame or motor rides on a link that does not exist")
    for loop in model.loops:
        for joint in loop.driven:
            if joint not in model.joint_names:
                raise ModelError(
                    f"loop {loop.name!r} is driven by joint {joint!r}, which does not exist",
                    hint=did_you_mean(joint, model.joint_names),
                    part=("loop", loop.name),
                )
        for joint, _ in loop.near:
            if joint not in model.joint_names:
                raise ModelError(
                    f"near of loop {loop.name!r} speaks of joint {joint!r}, which does not exist",
                    hint=did_you_mean(joint, model.joint_names),
                    part=("loop", loop.name),
                )
        if (loop.length is None) == (loop.kind == "distance") or not (loop.length is None or loop.length > 0.0):
            problem = "has no length" if loop.length is None else f"has the length {loop.length:g}"
            raise ModelError(
                f"loop {loop.name!r}, a {loop.kind}, {problem}",
                hint="give a distance its length in m, above zero, and other loops none",
                part=("loop", loop.name),
            )
