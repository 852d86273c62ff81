"""What must hold for a description to be an arm. One function a question; each names the part and the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.beam_checks import beam_problems
from torsor.model.drive_checks import drive_problems
from torsor.model.parts import BASE
from torsor.model.ranges import LARGEST, NEAR
from torsor.model.transforms import is_rotation

if TYPE_CHECKING:
    from torsor.model.model import Model

Part = tuple[str, str]  # kind and name
Problems = Iterator[tuple[str, str | None, Part | None]]  # what is wrong, what would be right, with which part


def check(model: Model) -> None:
    """Raises ModelError at the first thing that cannot be."""
    questions = _names, _reserved, _tree, _finite, _joints, _placements, _limits, _mimics, _masses, _references
    for question in (*questions, drive_problems, beam_problems):
        for problem, hint, part in question(model):
            raise ModelError(problem, hint=hint, part=part)


def _names(model: Model) -> Problems:
    if not model.name:
        yield "the arm has no name", 'give it one: name = "my-arm"', ("arm", "")
    if not model.links:
        yield f"arm {model.name!r} has no links", "an arm needs at least one moving link", None
    frames = [("base", model.base_name), *(("link", link.name) for link in model.links)]
    frames += [("frame", name) for name in model.frames]
    joints = [("joint", link.joint.name) for link in model.links]
    drives = [("drive", drive.name) for drive in model.drives]
    loops = [("loop", loop.name) for loop in model.loops]
    for parts in (frames, joints, drives, loops):
        first: dict[str, str] = {}
        for part, name in parts:
            if name in first:
                other = "the base" if first[name] == "base" else f"a {first[name]}"
                what = f"two {part}s are" if first[name] == part else f"a {part} and {other} are both"
                yield f"{what} named {name!r}", "names must be unique", (part, name)
            first[name] = part
    for part, name in (("arm", model.name), *frames, *joints, *drives, *loops):
        if not name or not name.isprintable():
            yield f"{part} name {name!r} cannot be printed", "use letters, digits and signs", (part, name)


def _reserved(model: Model) -> Problems:
    """``tool`` is the frame of Model.tool, ``world`` that of gravity: nothing else may be named so."""
    places = {("link", link.name): (i, np.eye(4)) for i, link in enumerate(model.links)}
    places |= {("frame", name): (frame.link, frame.placement) for name, frame in model.frames.items()}
    for (part, name), (link, placement) in places.items():
        if name == "world":
            yield f"no {part} may be named 'world'", "that is the frame of gravity and base", (part, name)
        elsewhere = model.tool.link != link or not np.array_equal(model.tool.placement, placement)
        if name == "tool" and elsewhere:
            hint = "the name tool belongs to the tool frame: rename it, or put the tool there"
            yield f"{part} 'tool' is not where the tool is", hint, (part, name)
    if model.base_name == "world" and not np.array_equal(model.base, np.eye(4)):
        yield "the base is named 'world' but is placed elsewhere", "rename the base", ("base", "world")


def depths(parents: Sequence[int]) -> list[int]:
    """How many links lie between each link and the base, itself counted; 0 where the parents form a circle.

    >>> depths([BASE, 0, 0, 1]), depths([1, 0])
    ([1, 2, 2, 3], [0, 0])
    """
    children: dict[int, list[int]] = {}
    for index, parent in enumerate(parents):
        children.setdefault(parent, []).append(index)
    depth, reached = [0] * len(parents), [(0, BASE)]
    for above, index in reached:  # grows while it is walked through
        for child in children.get(index, ()):
            depth[child] = above + 1
            reached.append((above + 1, child))
    return depth


def last_leaf(parents: list[int]) -> int:
    """The link the tool is on when nothing is said: the end of the longest branch, the later one of equals."""
    depth = depths(parents)
    return max(range(len(parents)), key=lambda i: (depth[i], i))


def _tree(model: Model) -> Problems:
    for link in model.links:
        if not BASE <= link.parent < len(model.links):
            yield f"link {link.name!r} has a parent that does not exist", None, ("link", link.name)
    for link, depth in zip(model.links, depths([link.parent for link in model.links]), strict=True):
        if depth == 0:
            problem = f"link {link.name!r} never reaches the base: its parents form a circle"
            yield problem, "close loops with [[loop]], not with parents", ("parent", link.name)
    if not any(link.joint.moves for link in model.links):
        yield f"arm {model.name!r} has no joint that moves", "all its joints are fixed", None


def _finite(model: Model) -> Problems:
    described: list[tuple[str, Part, Any]] = [
        ("gravity", ("gravity", ""), model.gravity),
        ("the base", ("base", model.base_name), model.base),
        ("the tool frame", ("tool", ""), model.tool),
        ("the payload", ("payload", ""), model.payload),
        ("the mass of the base", ("link", model.base_name), model.base_mass),
    ]
    described += [(f"frame {name!r}", ("frame", name), frame) for name, frame in model.frames.items()]
    for link in model.links:
        joint = link.joint
        what, part = f"joint {joint.name!r}", ("joint", joint.name)
        described += [
            (f"the placement of {what}", part, (joint.before, joint.after, joint.axis, joint.pitch)),
            (f"a limit of {what}", part, joint.limits),
            (f"the friction of {what}", part, joint.friction),
            (f"the mimic of {what}", ("mimic", joint.name), joint.mimic),
            (f"the mass, com or inertia of link {link.name!r}", ("link", link.name), link.mass),
        ]
    described += [(f"drive {drive.name!r}", ("drive", drive.name), drive) for drive in model.drives]
    described += [(f"loop {loop.name!r}", ("loop", loop.name), loop) for loop in model.loops]
    for what, part, value in described:
        worst = np.abs(np.concatenate([[0.0], *map(np.ravel, _numbers(value))])).max()  # NaN where there is one
        if not np.isfinite(worst):
            yield f"{what} is not finite", "NaN and infinity cannot describe an arm", part
        if worst > LARGEST:
            yield f"{what} has a number as large as {worst:g}", f"up to {LARGEST:g} in SI units makes sense", part


def _numbers(value: Any) -> Iterator[Any]:
    """All numbers of a part."""
    if isinstance(value, int | float | np.ndarray):
        yield value
    for each in vars(value).values() if is_dataclass(value) else value if isinstance(value, tuple | list) else ():
        yield from _numbers(each)


def _joints(model: Model) -> Problems:
    for joint in (link.joint for link in model.links):
        part = ("joint", joint.name)
        if joint.axis.shape != (3,) or abs(np.linalg.norm(joint.axis) - 1.0) > 1e-9:
            yield f"the axis of joint {joint.name!r} is {joint.axis.tolist()}", "it must be a unit vector", part
        if joint.kind == "screw" and joint.pitch == 0.0:
            yield f"screw joint {joint.name!r} has no pitch", "give pitch in m/rad, or make it revolute", part


def _placements(model: Model) -> Problems:
    poses = [("the base", ("base", model.base_name), model.base), ("the tool", ("tool", ""), model.tool.placement)]
    joints = [link.joint for link in model.links]
    named = [("joint", joint.name, T) for joint in joints for T in (joint.before, joint.after)]
    named += [("frame", name, frame.placement) for name, frame in model.frames.items()]
    named += [("loop", loop.name, end.placement) for loop in model.loops for end in (loop.first, loop.second)]
    poses += [(f"{kind} {name!r}", (kind, name), T) for kind, name, T in named]
    for what, part, T in poses:
        if T.shape != (4, 4) or not is_rotation(T[:3, :3]) or not np.array_equal(T[3], [0.0, 0.0, 0.0, 1.0]):
            yield f"the placement of {what} is not a pose", "it must be a (4, 4) rigid motion", part
    if model.gravity.shape != (3,):
        yield f"gravity has shape {model.gravity.shape}", "it must be 3 numbers", ("gravity", "")


def _limits(model: Model) -> Problems:
    for joint in (link.joint for link in model.links):
        low, high = joint.limits.position or (0.0, 0.0)
        if not low <= high:
            problem = f"joint {joint.name!r} has position limits [{low:g}, {high:g}]"
            yield problem, "lower comes first", ("limits", joint.name)
        for word in ("speed", "acceleration", "torque"):
            bound = getattr(joint.limits, word)
            if bound is not None and not bound >= 0.0:
                problem = f"the {word} limit of joint {joint.name!r} is {bound:g}"
                yield problem, "it is a size: zero or more", ("limits", joint.name)
        for word, size in vars(joint.friction).items():
            if size < 0.0:
                problem = f"the {word} friction of joint {joint.name!r} is {size:g}"
                yield problem, "friction takes energy: zero or more", ("friction", joint.name)


def _mimics(model: Model) -> Problems:
    joints = {link.joint.name: link.joint for link in model.links}
    settled: set[str] = set()  # joints whose chain of mimics ends well
    for joint in joints.values():
        seen: dict[str, None] = {}
        at = joint
        while at.mimic is not None and at.name not in settled:
            seen[at.name] = None
            part, name = ("mimic", at.name), at.mimic.joint
            if not at.moves:
                yield f"fixed joint {at.name!r} cannot follow another", "remove its mimic", part
            if name not in joints:
                hint = did_you_mean(name, [j.name for j in joints.values() if j.moves and j.name != at.name])
                yield f"joint {at.name!r} follows {name!r}, which does not exist", hint, part
            if not joints[name].moves:
                hint = "a joint can only follow one that moves"
                yield f"joint {at.name!r} follows {name!r}, which is fixed", hint, part
            if name in seen:
                chain = " -> ".join([*list(seen)[list(seen).index(name) :], name])
                hint = "one joint of the chain must move by itself"
                yield f"joint {name!r} follows itself: {chain}", hint, ("mimic", name)
            at = joints[name]
        settled.update(seen)


def _masses(model: Model) -> Problems:
    for name, problems in model.nonphysical().items():
        negative = any("negative" in problem for problem in problems)
        hint = "allow_nonphysical = true accepts published data as it is"
        if negative or not model.allow_nonphysical:
            part = ("mass" if negative else "inertia", name)
            what, part = (name, ("payload", "")) if name == "the payload" else (f"link {name!r}", part)
            yield f"{what}: {'; '.join(problems)}", "masses are in kg, zero or more" if negative else hint, part


def _references(model: Model) -> Problems:
    ends = [model.tool, *model.frames.values(), *(f for loop in model.loops for f in (loop.first, loop.second))]
    carriers = [*(frame.link for frame in ends), *(drive.carrier for drive in model.drives)]
    if any(not BASE <= link < len(model.links) for link in carriers):
        yield "a frame or motor rides on a link that does not exist", None, None
    for loop in model.loops:
        part = ("loop", loop.name)
        said = [(f"loop {loop.name!r} is driven by", joint) for joint in loop.driven]
        said += [(f"near of loop {loop.name!r} speaks of", joint) for joint, _ in loop.near]
        for what, joint in said:
            if joint not in model.joint_names:
                yield f"{what} joint {joint!r}, which does not exist", did_you_mean(joint, model.joint_names), part
        for joint, value in loop.near:
            if not NEAR.holds(value):
                hint = f"close to how it is put together: {NEAR}"
                yield f"near of loop {loop.name!r} has joint {joint!r} at {value:g}", hint, part
        if (loop.length is None) == (loop.kind == "distance") or not (loop.length is None or loop.length > 0.0):
            problem = "has no length" if loop.length is None else f"has the length {loop.length:g}"
            hint = "give a distance its length in m, above zero, and other loops none"
            yield f"loop {loop.name!r}, a {loop.kind}, {problem}", hint, part
