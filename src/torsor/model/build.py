"""From the tables of an arm file to the model: each way of writing frames becomes before . motion(q) . after."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.arm_checks import depths
from torsor.model.build_drives import build_drive
from torsor.model.mass import Mass, symmetric
from torsor.model.model import Model
from torsor.model.parts import (
    BASE,
    DhRow,
    Frame,
    Joint,
    JointFriction,
    Limits,
    Link,
    Loop,
    Mimic,
)
from torsor.model.schema import ArmFile, BodyTable, LinkTable, PoseTable
from torsor.model.source import LineOf, Source, unit
from torsor.model.toml_lines import spelled
from torsor.model.transforms import Floats, craig_head, dh_tail, inverse, pose, rotation_rpy, rotation_z, times

Z = np.array([0.0, 0.0, 1.0])

GEOMETRY = {
    "standard-dh": {"a", "alpha", "d", "theta", "offset"},
    "modified-dh": {"a", "alpha", "d", "theta", "offset"},
    "screws": {"axis", "point", "twist", "home"},
    "placements": {"position", "rpy", "axis"},
}


def build(arm: ArmFile, line_of: LineOf, file: str) -> Model:
    """The model of a checked arm file."""
    source = Source(file, line_of)
    names = [table.name or f"link{i + 1}" for i, table in enumerate(arm.link)]
    index = {name: i for i, name in enumerate(names)} | {"base": BASE}

    def find(name: str, place: tuple[str | int, ...]) -> int:
        if name not in index:
            problem = f"{spelled(place)} is {name!r}, which is no link"
            raise source.error(place, problem, did_you_mean(name, ["base", *names]))
        return index[name]

    parents = [
        find(table.parent, ("link", i, "parent")) if table.parent is not None else i - 1
        for i, table in enumerate(arm.link)
    ]
    homes = [_pose(table.home) if table.home else np.eye(4) for table in arm.link]
    links = []
    for i, table in enumerate(arm.link):
        _only_keys_of(arm.frames, table, i, source)
        home_of_parent = np.eye(4) if parents[i] == BASE else homes[parents[i]]
        joint, dh = _joint(arm.frames, table, i, home_of_parent, source)
        links.append(Link(names[i], parents[i], joint, _mass(table, ("link", i), source), dh))

    tool_link = find(arm.tool.link, ("tool", "link")) if arm.tool.link is not None else last_leaf(parents)
    payload = None if arm.tool.payload is None else _mass(arm.tool.payload, ("tool", "payload"), source)
    joint_names = [link.joint.name for link in links if link.joint.moves and link.joint.mimic is None]
    if not joint_names:
        raise source.error(("link",), f"arm {arm.name!r} has no joint that moves", "all its joints are fixed or mimics")
    frames: dict[str, Frame] = {}
    for i, frame in enumerate(arm.frame):
        if frame.name in frames:
            raise source.error(("frame", i, "name"), f"two frames are named {frame.name!r}", "names must be unique")
        frames[frame.name] = Frame(find(frame.link, ("frame", i, "link")), _pose(frame))
    try:
        return Model(
            name=arm.name,
            links=tuple(links),
            tool=Frame(tool_link, _pose(arm.tool)),
            gravity=np.array(arm.gravity),
            base=_pose(arm.base),
            payload=payload,
            frames=frames,
            drives=tuple(build_drive(table, i, links, joint_names, find, source) for i, table in enumerate(arm.drive)),
            loops=tuple(
                Loop(
                    name=table.name or f"loop{i + 1}",
                    kind=table.joint,
                    first=Frame(find(table.first.link, ("loop", i, "first", "link")), _pose(table.first)),
                    second=Frame(find(table.second.link, ("loop", i, "second", "link")), _pose(table.second)),
                    driven=tuple(table.driven),
                    branch=table.branch,
                    near=tuple(table.near.items()),
                    length=table.length,
                    place=(file, source.line_of(("loop", i))),
                )
                for i, table in enumerate(arm.loop)
            ),
            convention=arm.frames,
            source=arm.source,
            corrections=tuple(arm.corrections),
            allow_nonphysical=arm.allow_nonphysical,
        )
    except ModelError as error:
        if error.file is None:
            error.file, error.line = file, _line_of_part(error.part, arm, links, source)
        raise


def last_leaf(parents: list[int]) -> int:
    """The link the tool is on when nothing is said: the end of the longest branch, the later one of equals."""
    depth = depths(parents)
    return max(range(len(parents)), key=lambda i: (depth[i], i))


def _line_of_part(part: tuple[str, str] | None, arm: ArmFile, links: list[Link], source: Source) -> int | None:
    """The line on which the part that a check of the model names is described."""
    kind, name = part or ("", "")
    link_names, joint_names = [link.name for link in links], [link.joint.name for link in links]
    # kind of part -> array of tables, names of its elements, key
    tables = {
        "link": ("link", link_names, "name"),
        "parent": ("link", link_names, "parent"),
        "mass": ("link", link_names, "mass"),
        "inertia": ("link", link_names, "inertia"),
        "joint": ("link", joint_names, "joint_name"),
        "mimic": ("link", joint_names, "mimic"),
        "limits": ("link", joint_names, "limits"),
        "friction": ("link", joint_names, "friction"),
        "drive": ("drive", [table.name or f"motor{i + 1}" for i, table in enumerate(arm.drive)], "ratio"),
        "loop": ("loop", [table.name or f"loop{i + 1}" for i, table in enumerate(arm.loop)], "driven"),
        "frame": ("frame", [table.name for table in arm.frame], "name"),
    }
    if kind in tables:
        table, names, key = tables[kind]
        newest = max(i for i, other in enumerate(names) if other == name)  # of two of one name the second is wrong
        return source.line_of((table, newest, key))
    return source.line_of({"payload": ("tool", "payload"), "arm": ("name",)}.get(kind, (kind,)))


def _only_keys_of(frames: str, table: LinkTable, i: int, source: Source) -> None:
    for key in sorted(set.union(*GEOMETRY.values()) - GEOMETRY[frames]):
        if getattr(table, key) is not None:
            hint = f"there the geometry is in {', '.join(sorted(GEOMETRY[frames]))}"
            problem = f'link[{i + 1}].{key} does not go with frames = "{frames}"'
            raise source.error(("link", i, key), problem, hint)


def _joint(frames: str, table: LinkTable, i: int, home_of_parent: Floats, source: Source) -> tuple[Joint, DhRow | None]:
    before, axis, after, pitch, dh = np.eye(4), Z, np.eye(4), table.pitch or 0.0, None
    if table.pitch is not None and table.joint != "screw":
        raise source.error(
            ("link", i, "pitch"), f"link[{i + 1}].pitch is given but its joint is {table.joint}", 'say joint = "screw"'
        )
    if frames.endswith("dh"):
        before, after, dh = _dh(frames, table, pitch)
    elif frames == "screws":
        before, axis, after, pitch = _screw(table, i, home_of_parent, source)
    else:
        before = pose(rotation_rpy(*(table.rpy or (0.0, 0.0, 0.0))), table.position)
        axis = Z if table.axis is None else unit(np.array(table.axis), ("link", i, "axis"), source)
    limits, mimic = table.limits, table.mimic
    joint = Joint(
        name=table.joint_name or f"joint{i + 1}",
        kind=table.joint,
        axis=axis.copy(),
        before=before,
        after=after,
        pitch=pitch,
        limits=Limits(limits.position, limits.speed, limits.acceleration, limits.torque),
        mimic=None if mimic is None else Mimic(mimic.joint, mimic.factor, mimic.offset),
        friction=JointFriction(table.friction.viscous, table.friction.coulomb),
    )
    return joint, dh


def _dh(frames: str, table: LinkTable, pitch: float) -> tuple[Floats, Floats, DhRow]:
    a, alpha, d, theta, offset = (getattr(table, key) or 0.0 for key in ("a", "alpha", "d", "theta", "offset"))
    # the constant part of the motion about and along z: the joint angle's offset, or the angle of a sliding joint
    turn = theta + (offset if table.joint in ("revolute", "continuous", "screw") else 0.0)
    slide = pitch * offset if table.joint == "screw" else offset if table.joint == "prismatic" else 0.0
    start = pose(rotation_z(turn), [0.0, 0.0, slide])
    row = DhRow(cast(Any, frames), a, alpha, d, offset if table.joint != "prismatic" else theta)
    if frames == "standard-dh":
        return start, dh_tail(a, alpha, d), row
    return times(craig_head(a, alpha, d), start), np.eye(4), row


def _screw(table: LinkTable, i: int, home_of_parent: Floats, source: Source) -> tuple[Floats, Floats, Floats, float]:
    """A screw in base axes at the zero pose: its point becomes the joint's origin, link frames are the homes."""
    pitch = table.pitch or 0.0
    if table.twist is not None:
        if table.axis is not None or table.point is not None:
            raise source.error(("link", i, "twist"), f"link[{i + 1}] has both a twist and an axis", "give one of them")
        v, w = np.array(table.twist[:3]), np.array(table.twist[3:])
        if table.joint == "prismatic":
            direction, point = v, np.zeros(3)
        else:
            size = float(np.linalg.norm(w))
            if abs(size - 1.0) > 1e-9:
                problem = f"link[{i + 1}].twist has an angular part of length {size:g}"
                raise source.error(
                    ("link", i, "twist"), problem, "a turning joint has a unit axis (vx, vy, vz, wx, wy, wz)"
                )
            direction, point, along = w, np.cross(w, v), float(w @ v)
            if table.joint == "screw":
                pitch = along
            elif abs(along) > 1e-9:
                problem = f"link[{i + 1}].twist slides {along:g} m/rad along its axis"
                raise source.error(("link", i, "twist"), problem, 'say joint = "screw"')
    elif table.axis is not None:
        direction, point = np.array(table.axis), np.array(table.point or (0.0, 0.0, 0.0))
    elif table.joint == "fixed":
        direction, point = Z, np.zeros(3)
    else:
        raise source.error(("link", i), f"link[{i + 1}] has neither axis nor twist", "screws need one of them")
    axis = unit(direction, ("link", i, "axis" if table.twist is None else "twist"), source)
    home = _pose(table.home) if table.home else np.eye(4)
    at_point = pose(position=point)
    return times(inverse(home_of_parent), at_point), axis, times(inverse(at_point), home), pitch


def _pose(table: PoseTable) -> Floats:
    return pose(rotation_rpy(*table.rpy), table.position)


def _mass(table: BodyTable, place: tuple[str | int, ...], source: Source) -> Mass | None:
    if table.mass is None:
        if table.inertia is not None:
            raise source.error((*place, "inertia"), f"{spelled(place)} has inertia but no mass", "give mass, in kg")
        return None
    inertia = np.zeros((3, 3)) if table.inertia is None else symmetric(*table.inertia)
    make = Mass.about_origin if table.about == "origin" else Mass
    return make(table.mass, np.array(table.com), inertia)
