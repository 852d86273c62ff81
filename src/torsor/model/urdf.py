"""Reads URDF into a model: a faithful record, fixed joints included; the lowering in mechanics merges those."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.arm_checks import depths, last_leaf
from torsor.model.file_mark import FileMark
from torsor.model.files import read_text
from torsor.model.mass import Mass, symmetric
from torsor.model.meshes import MeshFinder
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Link
from torsor.model.urdf_drives import read_drives
from torsor.model.urdf_joints import read_joint
from torsor.model.urdf_tags import remark_unknown
from torsor.model.urdf_visuals import VisualReader
from torsor.model.urdf_xml import XmlElement, parse_xml

NONPHYSICAL_HINT = "allow_nonphysical=True (--allow-nonphysical) accepts published data as it is"

# Names by which a link says that it is the tool frame, the plainest first (tool0 is the ROS-Industrial convention).
TOOL_NAMES = ("tool", "tool0")
TOOL_ENDINGS = ("_tool0", "_tcp")


class UrdfOptions(TypedDict, total=False):
    """What a URDF leaves open; an arm file says it itself."""

    package_paths: Sequence[str | os.PathLike[str]]  # folders in which package:// meshes may lie
    tool: str | None  # the link that is the tool frame
    allow_nonphysical: bool  # accept inertias that no body can have, without a word
    strict: bool  # refuse what other readers let pass


def read_urdf(path: str | os.PathLike[str], **options: Unpack[UrdfOptions]) -> Model:
    """The arm described by a URDF file, or by a xacro file, whose lines are then those of what it expands to."""
    strict = bool(options.get("strict", False))
    if Path(path).suffix == ".xacro":
        from torsor.model.xacro_expanding import expanded

        text = expanded(Path(path), options.get("package_paths", ()))
        return parse_urdf(text, str(path), folder=Path(path).parent, **options)
    text = read_text(Path(path), otherwise=None if strict else "latin-1")
    return parse_urdf(text, str(path), folder=Path(path).parent, **options)


def parse_urdf(
    text: str,
    file: str = "<text>",
    *,
    folder: str | os.PathLike[str] | None = None,
    package_paths: Sequence[str | os.PathLike[str]] = (),
    tool: str | None = None,
    allow_nonphysical: bool = False,
    strict: bool = False,
) -> Model:
    """The arm described by the text of a URDF; ``file`` is what errors call it, ``folder`` where its meshes may lie.

    The root link is the base, joints are numbered in the order of their elements. ``tool`` names the link that is the
    tool frame; without it that is the link called tool or tool0, or the only one ending in _tool0 or _tcp, or else the
    end of the longest branch. Bounds of a continuous joint's position are ignored, as the format has it. What is not
    understood, or wrong in a way that other readers let pass, is a DescriptionWarning that says what it is taken as
    (``model.remarks`` has them all); what is wrong otherwise, or with ``strict``, is a ModelError. Both have the line.
    """
    robot = parse_xml(text, file, strict=strict)
    if robot.tag != "robot":
        raise robot.error(f"the root tag is <{robot.tag}>", 'a URDF begins with <robot name="...">')
    name = robot.attribute("name")
    remark_unknown(robot)
    links, joints = _named(robot, "link"), _named(robot, "joint")
    root, parent_of = _tree(robot, links, joints)
    called = _names_of_links(links, root)
    visuals = VisualReader(robot, MeshFinder(None if folder is None else Path(folder), package_paths))
    index = {child: i for i, child in enumerate(parent_of)} | {root: BASE}
    parts = [
        Link(
            name=called[child],
            parent=index[parent],
            joint=read_joint(joint, joints),
            mass=_mass(links[child]),
            visuals=visuals.of(links[child]),
            collisions=visuals.touching(links[child]),
        )
        for joint, (child, parent) in zip(joints.values(), parent_of.items(), strict=True)
    ]
    try:
        model = Model(
            name=name,
            links=tuple(parts),
            tool=Frame(_tool(robot, parts, tool), np.eye(4)),
            base_name=called[root],
            base_mass=_mass(links[root]),
            drives=read_drives(robot, parts),
            source=robot.source.said,
            allow_nonphysical=allow_nonphysical or not strict,
            base_visuals=visuals.of(links[root]),
            base_collisions=visuals.touching(links[root]),
            read_from=FileMark.of(file, text),
        )
    except ModelError as error:
        if error.file is None:
            original = {new: links[old] for old, new in called.items()}
            at = _described_at(error.part or ("", ""), robot, original, joints)
            error.file, error.line, error.column = file, at.line, at.column
            if error.hint is not None and "allow_nonphysical" in error.hint:
                error.hint = NONPHYSICAL_HINT
        raise
    nonphysical = model.nonphysical()
    if not (strict or allow_nonphysical):
        for name, problems in nonphysical.items():
            inertia = _described_at(("inertia", name), robot, {new: links[old] for old, new in called.items()}, joints)
            text = f"link {name!r}: {'; '.join(problems)}: taken as it is; torques may be wrong, ask who published it"
            inertia.remark(text, kind="nonphysical")
    robot.source.warn(stacklevel=2)
    meant = allow_nonphysical or bool(nonphysical)
    return replace(model, allow_nonphysical=meant, remarks=robot.source.collected)


def _named(robot: XmlElement, tag: str) -> dict[str, XmlElement]:
    found: dict[str, XmlElement] = {}
    for element in robot.all(tag):
        first = found.setdefault(name := element.attribute("name"), element)
        if first is not element:
            hint = f"the first stands in line {first.line}; names must be unique"
            raise element.error(f"two {tag}s are named {name!r}", hint)
    return found


def _tree(robot: XmlElement, links: dict[str, XmlElement], joints: dict[str, XmlElement]) -> tuple[str, dict[str, str]]:
    """The root link, and the parent of each joint's child link in the order of joints; refuses what is not one tree."""
    if not links:
        raise robot.error("the robot has no links", 'describe them with <link name="...">')
    if not joints:
        raise robot.error("the robot has no joints", "an arm needs at least one that moves")
    parent_joint: dict[str, XmlElement] = {}
    above: dict[str, str] = {}
    for name, joint in joints.items():
        parent, child = (_end(joint, end, links) for end in ("parent", "child"))
        if child in parent_joint:
            other = parent_joint[child].attribute("name")
            problem = f"link {child!r} is the child of two joints, {other!r} and {name!r}"
            raise joint.error(problem, "a URDF is a tree; an arm file (.toml) can close loops with [[loop]]")
        parent_joint[child], above[child] = joint, parent
    index = {name: i for i, name in enumerate(links)}
    depth = depths([index[above[name]] if name in above else BASE for name in links])
    if 0 in depth:
        path: dict[str, None] = {}
        link = list(links)[depth.index(0)]
        while link not in path:
            path[link] = None
            link = above[link]
        circle = list(path)[list(path).index(link) :]
        first = min(circle, key=lambda name: parent_joint[name].line)
        turned = circle[circle.index(first) :] + circle[: circle.index(first)]
        problem = f"the joints form a circle: {' -> '.join([*reversed(turned), turned[-1]])}"
        raise parent_joint[first].error(problem, "a URDF is a tree that begins at one root link")
    roots = [name for name in links if name not in above]
    if len(roots) > 1:
        listed = ", ".join(map(repr, roots[:5])) + ", ..." * (len(roots) > 5)
        hint = "a URDF has one: join the others to it, with fixed joints where they do not move"
        raise links[roots[1]].error(f"there are {len(roots)} root links: {listed}", hint)
    return roots[0], above


def _end(joint: XmlElement, end: str, links: dict[str, XmlElement]) -> str:
    element = joint.required(end, f'<{end} link="..."/>')
    name = element.attribute("link")
    if name not in links:
        raise element.error(f"{end} of {joint} is {name!r}, which does not exist", did_you_mean(name, links))
    return name


def _names_of_links(links: dict[str, XmlElement], root: str) -> dict[str, str]:
    """Links keep their names, except one called world that is not the root: Torsor's world is where the base stands."""
    called = {name: name for name in links}
    if "world" in links and root != "world":
        candidates = ("world_link", *(f"world_link{i}" for i in range(len(links))))
        called["world"] = next(name for name in candidates if name not in links)
        links["world"].remark(f"link 'world' is not the root and is called {called['world']!r} here")
    return called


def _mass(link: XmlElement) -> Mass | None:
    inertial = link.one("inertial")
    if inertial is None:
        return None
    six = " ".join(f'{name}="..."' for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    mass_element, inertia_element = inertial.one("mass"), inertial.one("inertia")
    if mass_element is None:
        inertial.tolerate(f"there is no <mass> in {inertial}", 'write <mass value="..."/>', "its mass is not known")
        return None
    mass = mass_element.number("value")
    if inertia_element is None:
        problem, hint = f"there is no <inertia> in {inertial}", f"write <inertia {six}/>"
        inertial.tolerate(problem, hint, "its mass is taken as a point", kind="no inertia")
        return Mass(mass, np.zeros(3), np.zeros((3, 3))).moved(inertial.pose("origin"))
    if mass < 0.0:
        raise mass_element.error(f"the mass of {link} is {mass:g} kg", "masses are in kg, zero or more")
    T_link_inertial = inertial.pose("origin")
    moments = (inertia_element.number(name) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    return Mass(mass, np.zeros(3), symmetric(*moments)).moved(T_link_inertial)


def _tool(robot: XmlElement, links: list[Link], tool: str | None) -> int:
    names = [link.name for link in links]
    if tool is not None and tool not in names:
        problem = f"the tool was to be link {tool!r}, which does not exist"
        raise robot.error(problem, did_you_mean(tool, names))
    named = tool_by_name(names) if tool is None else names.index(tool)
    return last_leaf([link.parent for link in links]) if named is None else named


def tool_by_name(links: list[str]) -> int | None:
    """Which of these links says by its name that it is the tool frame.

    >>> tool_by_name(["link1", "hand_tcp"]), tool_by_name(["link1", "link2"])
    (1, None)
    """
    for name in TOOL_NAMES:
        if name in links:
            return links.index(name)
    for ending in TOOL_ENDINGS:
        ended = [i for i, name in enumerate(links) if name.endswith(ending)]
        if len(ended) == 1:
            return ended[0]
    return None


def _described_at(
    part: tuple[str, str], robot: XmlElement, links: dict[str, XmlElement], joints: dict[str, XmlElement]
) -> XmlElement:
    """Where the part stands that a check of the model names."""
    kind, name = part
    if kind in ("link", "base", "mass", "inertia") and name in links:
        inside = [found for inertial in links[name].all("inertial") for found in inertial.all(kind)]
        return next(iter(inside), links[name])
    if kind in ("joint", "mimic", "limits", "friction") and name in joints:
        tag = {"limits": "limit", "friction": "dynamics"}.get(kind, kind)
        return next(iter(joints[name].all(tag)), joints[name])
    if kind == "drive":
        drives = robot.all("transmission")
        named = [each for each in drives if name in (m.attributes.get("name") for m in (each, *each.all("actuator")))]
        return (named or drives or [robot])[-1]
    return robot
