"""From the tables of an arm file to the model: each way of writing frames becomes before . motion(q) . after."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.arm_checks import last_leaf
from torsor.model.build_beams import elastic_links, warn_of_stout_beams
from torsor.model.build_bodies import body_mass, drawn_solid, pose_of
from torsor.model.build_drives import build_drive, unit, with_stages
from torsor.model.build_visuals import read_visuals
from torsor.model.model import Model
from torsor.model.parts import BASE, DhRow, Frame, Joint, Link, Loop
from torsor.model.schema import ArmFile, LinkTable, LoopEndTable, PoseTable
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.model.transforms import (
    Floats,
    craig_head,
    dh_tail,
    inverse,
    pose,
    rotation_z,
    times,
)

Z = np.array([0.0, 0.0, 1.0])

GEOMETRY = {
    "standard-dh": {"a", "alpha", "d", "theta", "offset"},
    "modified-dh": {"a", "alpha", "d", "theta", "offset"},
    "screws": {"axis", "point", "twist", "home"},
    "placements": {"position", "rpy", "rotation", "after", "axis"},
}


def build(arm: ArmFile, toml: TomlFile) -> Model:
    """The model of a checked arm file; ``toml`` knows where its keys stand."""
    names = [table.name or f"link{i + 1}" for i, table in enumerate(arm.link)]
    index = {name: i for i, name in enumerate(names)} | {arm.base.name: BASE}

    def find(name: str, *place: str | int) -> int:
        if name not in index:
            problem = f"{spelled(place)} is {name!r}, which is no link"
            raise toml.error(place, problem, did_you_mean(name, [arm.base.name, *names]))
        return index[name]

    parents = [
        i - 1 if table.parent is None else find(table.parent, "link", i, "parent") for i, table in enumerate(arm.link)
    ]
    homes = [pose_of(table.home or PoseTable(), ("link", i, "home"), toml) for i, table in enumerate(arm.link)] + [
        np.eye(4)
    ]  # the last is that of BASE
    links = []
    for i, table in enumerate(arm.link):
        joint, dh = _joint(arm.frames, table, ("link", i), homes[i], homes[parents[i]], toml)
        seen = read_visuals(table.visual, ("link", i, "visual"), toml)
        mass = body_mass(table, ("link", i), toml)
        touching = read_visuals(table.collision, ("link", i, "collision"), toml)
        seen += drawn_solid(table, ("link", i), toml)
        links.append(Link(names[i], parents[i], joint, mass, dh, seen, collisions=touching))

    tool_link = last_leaf(parents) if arm.tool.link is None else find(arm.tool.link, "tool", "link")
    for word, most in vars(arm.tool.limits).items():
        if most is not None and not most > 0.0:
            raise toml.error(("tool", "limits", word), f"tool.limits.{word} is {most:g}", "above zero")
    payload = None if arm.tool.payload is None else body_mass(arm.tool.payload, ("tool", "payload"), toml)
    joint_names = [link.joint.name for link in links if link.joint.moves and link.joint.mimic is None]
    if not joint_names:
        raise toml.error(("link",), f"arm {arm.name!r} has no joint that moves", "all its joints are fixed or mimics")
    frames: dict[str, Frame] = {}
    for i, frame in enumerate(arm.frame):
        if frame.name in frames:
            raise toml.error(("frame", i, "name"), f"two frames are named {frame.name!r}", "names must be unique")
        frames[frame.name] = Frame(find(frame.link, "frame", i, "link"), pose_of(frame, ("frame", i), toml))
    tool = Frame(tool_link, pose_of(arm.tool, ("tool",), toml))

    def end(table: LoopEndTable, *place: str | int) -> Frame:
        return Frame(find(table.link, *place, "link"), pose_of(table, place, toml))

    loops = tuple(
        Loop(
            name=table.name or f"loop{i + 1}",
            kind=table.joint,
            first=Frame(
                find(table.first.link, "loop", i, "first", "link"), pose_of(table.first, ("loop", i, "first"), toml)
            ),
            second=Frame(
                find(table.second.link, "loop", i, "second", "link"), pose_of(table.second, ("loop", i, "second"), toml)
            ),
            driven=tuple(table.driven),
            branch=table.branch,
            near=tuple(table.near.items()),
            length=table.length,
            place=(toml.file, toml.line_of(("loop", i))),
        )
        for i, table in enumerate(arm.loop)
    )
    links = elastic_links(arm, links, tool, loops, toml)
    try:
        drives = tuple(build_drive(table, i, links, joint_names, find, toml) for i, table in enumerate(arm.drive))
        model = Model(
            name=arm.name,
            links=tuple(with_stages(links, drives, arm.drive)),
            tool=tool,
            gravity=np.array(arm.gravity),
            base=pose_of(arm.base, ("base",), toml),
            base_name=arm.base.name,
            base_mass=body_mass(arm.base, ("base",), toml),
            base_visuals=read_visuals(arm.base.visual, ("base", "visual"), toml),
            base_collisions=read_visuals(arm.base.collision, ("base", "collision"), toml),
            payload=payload,
            tool_limits=arm.tool.limits,
            frames=frames,
            drives=drives,
            loops=loops,
            convention=arm.frames,
            source=arm.source,
            corrections=tuple(arm.corrections),
            allow_nonphysical=arm.allow_nonphysical,
        )
    except ModelError as error:
        if error.file is None:
            error.file, error.line = toml.file, toml.line_of(_place_of(error.part, arm, links))
        raise
    warn_of_stout_beams(links, toml)
    return model


def _place_of(part: tuple[str, str] | None, arm: ArmFile, links: list[Link]) -> KeyPath:
    """The key that describes the part which a check of the model names."""
    kind, name = part or ("", "")
    kind, *inside = kind.split() or [""]  # "beam up" is the key up of a beam
    link_names, joint_names = [link.name for link in links], [link.joint.name for link in links]
    # kind of part -> array of tables, names of its elements, key
    tables = {
        "link": ("link", link_names, "name"),
        "parent": ("link", link_names, "parent"),
        "mass": ("link", link_names, "mass"),
        "beam": ("link", link_names, "beam"),
        "compliance": ("link", link_names, "compliance"),
        "inertia": ("link", link_names, "inertia"),
        "joint": ("link", joint_names, "joint_name"),
        "mimic": ("link", joint_names, "mimic"),
        "limits": ("link", joint_names, "limits"),
        "friction": ("link", joint_names, "friction"),
        "drive": ("drive", [table.name or f"motor{i + 1}" for i, table in enumerate(arm.drive)], "ratio"),
        "loop": ("loop", [table.name or f"loop{i + 1}" for i, table in enumerate(arm.loop)], "driven"),
        "frame": ("frame", [table.name for table in arm.frame], "name"),
    }
    if kind not in tables:
        return {"payload": ("tool", "payload"), "arm": ("name",)}.get(kind, (kind,))
    table, names, key = tables[kind]
    newest = max(i for i, other in enumerate(names) if other == name)  # of two of one name the second is wrong
    return (table, newest, key, *inside)


def _joint(
    frames: str, table: LinkTable, place: KeyPath, home: Floats, home_of_parent: Floats, toml: TomlFile
) -> tuple[Joint, DhRow | None]:
    for key in sorted(set.union(*GEOMETRY.values()) - GEOMETRY[frames]):
        if getattr(table, key) is not None:
            hint = f"there the geometry is in {', '.join(sorted(GEOMETRY[frames]))}"
            raise toml.error((*place, key), f'{spelled(place)}.{key} does not go with frames = "{frames}"', hint)
    if table.pitch is not None and table.joint != "screw":
        problem = f"{spelled(place)}.pitch is given but its joint is {table.joint}"
        raise toml.error((*place, "pitch"), problem, 'say joint = "screw"')
    before, axis, after, pitch, dh = np.eye(4), Z, np.eye(4), table.pitch or 0.0, None
    if frames.endswith("dh"):
        before, after, dh = _dh(frames, table, pitch)
    elif frames == "screws":
        axis, point, pitch = _screw(table, place, toml)
        # in base axes at the zero pose: its point becomes the joint's origin, link frames are the homes
        at_point = pose(position=point)
        before, after = times(inverse(home_of_parent), at_point), times(inverse(at_point), home)
    else:
        turned = PoseTable(position=table.position or (0.0, 0.0, 0.0), rpy=table.rpy, rotation=table.rotation)
        before = pose_of(turned, place, toml)
        after = np.eye(4) if table.after is None else pose_of(table.after, (*place, "after"), toml)
        axis = Z if table.axis is None else unit(np.array(table.axis), (*place, "axis"), toml)
    name = table.joint_name or f"joint{cast(int, place[1]) + 1}"
    return Joint(name, table.joint, axis, before, after, pitch, table.mimic, table.friction, table.limits), dh


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


def _screw(table: LinkTable, place: KeyPath, toml: TomlFile) -> tuple[Floats, Floats, float]:
    """Direction and point of a screw, and how far it moves a radian."""
    pitch, key = table.pitch or 0.0, (*place, "axis" if table.twist is None else "twist")
    if table.twist is not None:
        if table.axis is not None or table.point is not None:
            raise toml.error(key, f"{spelled(place)} has both a twist and an axis", "give one of them")
        v, w = np.array(table.twist[:3]), np.array(table.twist[3:])
        if table.joint == "prismatic":
            return unit(v, key, toml), np.zeros(3), pitch
        size, along = float(np.linalg.norm(w)), float(w @ v)
        if abs(size - 1.0) > 1e-9:
            problem = f"{spelled(key)} has an angular part of length {size:g}"
            raise toml.error(key, problem, "a turning joint has a unit axis (vx, vy, vz, wx, wy, wz)")
        if table.joint != "screw" and abs(along) > 1e-9:
            raise toml.error(key, f"{spelled(key)} slides {along:g} m/rad along its axis", 'say joint = "screw"')
        return unit(w, key, toml), np.cross(w, v), along if table.joint == "screw" else pitch
    if table.axis is None and table.joint != "fixed":
        raise toml.error(place, f"{spelled(place)} has neither axis nor twist", "screws need one of them")
    if table.axis is None:
        return Z, np.zeros(3), pitch
    return unit(np.array(table.axis), key, toml), np.array(table.point or (0.0, 0.0, 0.0)), pitch
