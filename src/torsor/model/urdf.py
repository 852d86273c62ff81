"""Reads URDF into a model: a faithful record, fixed joints included; the lowering in mechanics merges those."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.build import last_leaf
from torsor.model.files import read_text
from torsor.model.mass import Mass, symmetric
from torsor.model.meshes import MeshFinder
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame, Joint, JointFriction, JointKind, Limits, Link, Mimic, Visual
from torsor.model.transforms import size_of
from torsor.model.urdf_drives import read_drives
from torsor.model.urdf_tags import remark_unknown
from torsor.model.urdf_xml import Document, XmlElement, refuse_xacro

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")
NO_LIMIT = 1e300  # a bound this large is none; the writer gives it where URDF wants a number and there is none
NONPHYSICAL_HINT = "allow_nonphysical=True (--allow-nonphysical) accepts published data as it is"

# Names by which a link says that it is the tool frame, the plainest first (tool0 is the ROS-Industrial convention).
TOOL_NAMES = ("tool", "tool0")
TOOL_ENDINGS = ("_tool0", "_tcp")


def read_urdf(
    path: str | os.PathLike[str],
    *,
    package_paths: Sequence[str | os.PathLike[str]] = (),
    tool: str | None = None,
    allow_nonphysical: bool = False,
) -> Model:
    """The arm described by a URDF file.

    The root link is the base, joints are numbered in the order of their elements. ``tool`` names the link that is the
    tool frame; without it that is the link called tool or tool0, or the only one ending in _tool0 or _tcp, or else the
    end of the longest branch. Bounds of a continuous joint's position are ignored, as the format has it. What is not
    understood is a DescriptionWarning, what is wrong a ModelError, both with the line.
    """
    path = Path(path)
    text = read_text(path)
    return _parse(text, str(path), MeshFinder(path.parent, package_paths), tool, allow_nonphysical)


def parse_urdf(
    text: str,
    file: str = "<text>",
    *,
    folder: str | os.PathLike[str] | None = None,
    package_paths: Sequence[str | os.PathLike[str]] = (),
    tool: str | None = None,
    allow_nonphysical: bool = False,
) -> Model:
    """The arm described by the text of a URDF; ``file`` is what errors call it, ``folder`` where its meshes may lie."""
    meshes = MeshFinder(None if folder is None else Path(folder), package_paths)
    return _parse(text, file, meshes, tool, allow_nonphysical)


def _parse(text: str, file: str, meshes: MeshFinder, tool: str | None, allow_nonphysical: bool) -> Model:
    document = Document.parse(text, file)
    robot = document.root
    refuse_xacro(document)
    if robot.tag != "robot":
        raise document.error(robot, f"the root tag is <{robot.tag}>", 'a URDF begins with <robot name="...">')
    name = document.attribute(robot, "name")
    remark_unknown(document)
    links = _named(document, "link")
    joints = _named(document, "joint")
    root, child_of = _tree(document, links, joints)
    called = _names_of_links(document, links, root)
    order = list(joints)
    index = {child_of[joint]: i for i, joint in enumerate(order)} | {root: BASE}
    parts = [
        Link(
            name=called[child_of[joint]],
            parent=index[_end(document, joints[joint], "parent", links)],
            joint=_joint(document, joints[joint]),
            mass=_mass(document, links[child_of[joint]]),
            visuals=_visuals(document, links[child_of[joint]], meshes),
        )
        for joint in order
    ]
    try:
        model = Model(
            name=name,
            links=tuple(parts),
            tool=Frame(_tool(document, parts, tool), np.eye(4)),
            base_name=called[root],
            base_mass=_mass(document, links[root]),
            drives=read_drives(document, parts),
            source=document.source,
            allow_nonphysical=allow_nonphysical,
        )
    except ModelError as error:
        if error.file is None:
            _locate(error, document, links, joints, called)
        raise
    document.warn(stacklevel=3)
    return model


def _named(document: Document, tag: str) -> dict[str, XmlElement]:
    found: dict[str, XmlElement] = {}
    for element in document.root.all(tag):
        name = document.attribute(element, "name")
        if name in found:
            raise document.error(
                element,
                f"two {tag}s are named {name!r}",
                f"the first stands in line {found[name].line}; names must be unique",
            )
        found[name] = element
    return found


def _tree(
    document: Document, links: dict[str, XmlElement], joints: dict[str, XmlElement]
) -> tuple[str, dict[str, str]]:
    """The root link and the child link of each joint; refuses all that is not one tree."""
    robot = document.root
    if not links:
        raise document.error(robot, "the robot has no links", 'describe them with <link name="...">')
    if not joints:
        raise document.error(robot, "the robot has no joints", "an arm needs at least one that moves")
    parent_joint: dict[str, str] = {}
    above: dict[str, str] = {}
    for name, joint in joints.items():
        parent, child = (_end(document, joint, end, links) for end in ("parent", "child"))
        if child in parent_joint:
            raise document.error(
                joint,
                f"link {child!r} is the child of two joints, {parent_joint[child]!r} and {name!r}",
                "a URDF is a tree; an arm file (.toml) can close loops with [[loop]]",
            )
        parent_joint[child], above[child] = name, parent
    roots = [name for name in links if name not in above]
    reached = set(roots)
    for start in links:
        path: dict[str, None] = {}
        link = start
        while link not in reached and link not in path:
            path[link] = None
            link = above[link]
        if link in path:
            circle = list(path)[list(path).index(link) :]
            first = min(circle, key=lambda name: joints[parent_joint[name]].line)
            turned = circle[circle.index(first) :] + circle[: circle.index(first)]
            raise document.error(
                joints[parent_joint[first]],
                f"the joints form a circle: {' -> '.join([*reversed(turned), turned[-1]])}",
                "a URDF is a tree that begins at one root link",
            )
        reached.update(path)
    if len(roots) > 1:
        raise document.error(
            links[roots[1]],
            f"there are {len(roots)} root links: {_listed(roots)}",
            "a URDF has one: join the others to it, with fixed joints where they do not move",
        )
    return roots[0], {joint: child for child, joint in parent_joint.items()}


def _listed(names: list[str], most: int = 5) -> str:
    return ", ".join(map(repr, names[:most])) + (", ..." if len(names) > most else "")


def _end(document: Document, joint: XmlElement, end: str, links: dict[str, XmlElement]) -> str:
    element = document.required(joint, end, f'<{end} link="..."/>')
    name = document.attribute(element, "link")
    if name not in links:
        raise document.error(element, f"{end} of {joint} is {name!r}, which does not exist", did_you_mean(name, links))
    return name


def _names_of_links(document: Document, links: dict[str, XmlElement], root: str) -> dict[str, str]:
    """Links keep their names, except one called world that is not the root: Torsor's world is where the base stands."""
    called = {name: name for name in links}
    if "world" in links and root != "world":
        candidates = ("world_link", *(f"world_link{i}" for i in range(len(links))))
        called["world"] = next(name for name in candidates if name not in links)
        document.remark(links["world"], f"link 'world' is not the root and is called {called['world']!r} here")
    return called


def _joint(document: Document, element: XmlElement) -> Joint:
    kind = document.attribute(element, "type")
    if kind in ("floating", "planar"):
        hint = (
            "an arm stands on its base: remove the joint, or make it fixed, or use several revolute and prismatic ones"
        )
        raise document.error(element, f"{element} is {kind}", hint)
    if kind not in JOINT_TYPES:
        raise document.error(element, f"type of {element} is {kind!r}", did_you_mean(kind, JOINT_TYPES))
    axis = np.array([0.0, 0.0, 1.0])
    if kind != "fixed":
        axis_element = document.one(element, "axis")
        axis = np.array([1.0, 0.0, 0.0])  # what the format says when the file does not
        if axis_element is not None:
            axis = document.numbers(axis_element, "xyz", 3)
            size = size_of(axis)
            if not size > 0.0:
                raise document.error(axis_element, f"xyz of {axis_element} is zero", "give a direction such as 0 0 1")
            axis = axis if size == 1.0 else axis / size
    dynamics = document.one(element, "dynamics")
    return Joint(
        name=document.attribute(element, "name"),
        kind=cast(JointKind, kind),
        axis=axis,
        before=document.pose(document.one(element, "origin")),
        limits=_limits(document, element, kind),
        mimic=_mimic(document, element),
        friction=JointFriction()
        if dynamics is None
        else JointFriction(document.number(dynamics, "damping", 0.0), document.number(dynamics, "friction", 0.0)),
    )


def _limits(document: Document, joint: XmlElement, kind: str) -> Limits:
    element = document.one(joint, "limit")
    bounded = kind in ("revolute", "prismatic")
    if element is None:
        if bounded:
            document.remark(joint, f"{kind} {joint} has no <limit>, which URDF requires; it is taken as unbounded")
        return Limits()
    if kind == "fixed":
        return Limits()
    for name in ("effort", "velocity"):
        if name not in element.attributes:
            document.remark(element, f"{element} has no {name}, which URDF requires; it is taken as unbounded")
        elif document.number(element, name) == 0.0:
            document.remark(
                element, f"{name} of {element} is 0, which bounds it to nothing; leave out what is not known"
            )
    position = None
    if bounded and ("lower" in element.attributes or "upper" in element.attributes):
        position = document.number(element, "lower", 0.0), document.number(element, "upper", 0.0)
        if min(map(abs, position)) >= NO_LIMIT:
            position = None
    elif bounded:
        document.remark(element, f"{element} has neither lower nor upper; its position is taken as unbounded")

    def bound(name: str) -> float | None:
        value = document.number(element, name) if name in element.attributes else NO_LIMIT
        return None if value >= NO_LIMIT else value

    return Limits(position, speed=bound("velocity"), acceleration=bound("acceleration"), torque=bound("effort"))


def _mimic(document: Document, joint: XmlElement) -> Mimic | None:
    element = document.one(joint, "mimic")
    if element is None:
        return None
    other = document.attribute(element, "joint")
    return Mimic(other, document.number(element, "multiplier", 1.0), document.number(element, "offset", 0.0))


def _mass(document: Document, link: XmlElement) -> Mass | None:
    inertial = document.one(link, "inertial")
    if inertial is None:
        return None
    mass_element = document.required(inertial, "mass", '<mass value="..."/>')
    six = " ".join(f'{name}="..."' for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    inertia_element = document.required(inertial, "inertia", f"<inertia {six}/>")
    mass = document.number(mass_element, "value")
    if mass < 0.0:
        raise document.error(mass_element, f"the mass of {link} is {mass:g} kg", "masses are in kg, zero or more")
    T_link_inertial = document.pose(document.one(inertial, "origin"))
    moments = (document.number(inertia_element, name) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    return Mass(mass, np.zeros(3), symmetric(*moments)).moved(T_link_inertial)


def _visuals(document: Document, link: XmlElement, meshes: MeshFinder) -> tuple[Visual, ...]:
    """The meshes to draw. Boxes, cylinders and spheres are left out."""
    visuals = []
    for visual in link.all("visual"):
        geometry = document.one(visual, "geometry")
        mesh = None if geometry is None else document.one(geometry, "mesh")
        if mesh is None:
            continue
        uri = document.attribute(mesh, "filename")
        path, reason = meshes.find(uri)
        if reason is not None:
            document.remark(mesh, f"mesh {uri!r} {reason}", kind=reason)
        scale = document.numbers(mesh, "scale", 3) if "scale" in mesh.attributes else np.ones(3)
        x, y, z = map(float, scale)
        visuals.append(Visual(uri, path, document.pose(document.one(visual, "origin")), (x, y, z)))
    return tuple(visuals)


def _tool(document: Document, links: list[Link], tool: str | None) -> int:
    names = [link.name for link in links]
    if tool is not None:
        if tool not in names:
            raise document.error(
                document.root, f"the tool was to be link {tool!r}, which does not exist", did_you_mean(tool, names)
            )
        return names.index(tool)
    named = tool_by_name(names)
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


def _locate(
    error: ModelError,
    document: Document,
    links: dict[str, XmlElement],
    joints: dict[str, XmlElement],
    called: dict[str, str],
) -> None:
    """Adds to an error of the model's checks the place in the file."""
    kind, name = error.part or ("", "")
    at = document.root
    original = {new: old for old, new in called.items()}
    if kind in ("link", "base", "mass", "inertia") and original.get(name) in links:
        at = links[original[name]]
        if kind in ("mass", "inertia"):
            at = next((found for inertial in at.all("inertial") for found in inertial.all(kind)), at)
    elif kind in ("joint", "mimic", "limits", "friction") and name in joints:
        joint = joints[name]
        tag = {"limits": "limit", "friction": "dynamics"}.get(kind, kind)
        at = next(iter(joint.all(tag)), joint)
    elif kind == "drive":
        drives = document.root.all("transmission")
        named = [each for each in drives if name in (m.attributes.get("name") for m in (each, *each.all("actuator")))]
        at = (named or drives or [at])[-1]
    error.file, error.line, error.column = document.file, at.line, at.column
    if error.hint is not None and "allow_nonphysical" in error.hint:
        error.hint = NONPHYSICAL_HINT
