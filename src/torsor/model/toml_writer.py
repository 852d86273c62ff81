"""Writes a model as an arm file that reads back as the same model, to the last bit: it is read to prove it.

Rows of Denavit-Hartenberg stay such rows where that gives the same frames; else placements are written, with rotations
as matrices wherever roll, pitch and yaw would round.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from torsor.errors import ModelError, Unsupported
from torsor.model.armfile import parse_arm_file
from torsor.model.facts import described
from torsor.model.mass import Mass, symmetric
from torsor.model.model import Model
from torsor.model.parts import (
    AngleTable,
    BallShape,
    BoxShape,
    CylinderShape,
    Drive,
    Frame,
    GearStage,
    Joint,
    JointFriction,
    Limits,
    Link,
    Loop,
    ToolLimits,
    Visual,
)
from torsor.model.transforms import Floats, rotation_rpy, rpy_of

Pairs = dict[str, Any]  # keys of a table and their values, those that are None left out


def write_toml(model: Model) -> str:
    """The text of an arm file of a model; raises Unsupported for links that bend, which only arm files describe."""
    bending = [link.name for link in model.links if link.beam is not None or link.compliance is not None]
    if bending:
        hint = "its own arm file says it: copy that, or stand on it with base = ..."
        raise Unsupported(f"how {', '.join(bending)} of {model.name!r} bends cannot be written", hint=hint)
    rows = all(link.dh is not None for link in model.links)
    as_placements = replace(model, convention="placements", links=tuple(replace(each, dh=None) for each in model.links))
    for one, dh in ((model, True), (as_placements, False)):
        if dh and not rows:
            continue
        text = "\n".join(_lines(one, dh=dh)) + "\n"
        try:
            if described(parse_arm_file(text)) == described(one):
                return text
        except ModelError:
            if not dh:
                raise
    raise Unsupported(f"{model.name!r} does not read back as it is written", hint="please report it with its file")


def _lines(model: Model, *, dh: bool) -> Iterator[str]:
    yield from _table(
        "",
        {
            "name": model.name,
            "source": model.source or None,
            "corrections": list(model.corrections) or None,
            "frames": model.convention if dh else "placements",
            "gravity": model.gravity,
            "allow_nonphysical": model.allow_nonphysical or None,
        },
    )
    base = {"name": model.base_name, **_pose(model.base), **_mass(model.base_mass)}
    if len(base) > 1 or model.base_name != "base" or model.base_visuals or model.base_collisions:
        yield from _table("[base]", base)
        yield from _visuals("[[base.visual]]", model.base_visuals)
        yield from _visuals("[[base.collision]]", model.base_collisions)
    for link in model.links:
        yield from _table("[[link]]", _link(model, link, dh=dh))
        yield from _visuals("[[link.visual]]", link.visuals)
        yield from _visuals("[[link.collision]]", link.collisions)
    for name, frame in model.frames.items():
        yield from _table("[[frame]]", {"name": name, **_frame(model, frame)})
    yield from _table("[tool]", _frame(model, model.tool) | {"limits": _given(model.tool_limits, ToolLimits())})
    if model.payload is not None:
        yield from _table("[tool.payload]", _mass(model.payload))
    for drive in model.drives:
        yield from _table("[[drive]]", _drive(model, drive))
    for loop in model.loops:
        yield from _table("[[loop]]", _loop(model, loop))


def _link(model: Model, link: Link, *, dh: bool) -> Pairs:
    joint = link.joint
    mimic = joint.mimic
    return {
        "name": link.name,
        "parent": model.link_name(link.parent),
        "joint": joint.kind,
        "joint_name": joint.name,
        "pitch": joint.pitch if joint.kind == "screw" else None,
        **(_row(link) if dh else _placement(joint)),
        **_mass(link.mass),
        "limits": _given(joint.limits, Limits()),
        "mimic": None if mimic is None else {"joint": mimic.joint, "factor": mimic.factor, "offset": mimic.offset},
        "friction": _given(joint.friction, JointFriction()),
    }


def _row(link: Link) -> Pairs:
    row = link.dh
    assert row is not None
    found: Pairs = {"a": row.a, "alpha": row.alpha, "d": row.d}
    if link.joint.kind == "prismatic":
        return found | {"theta": row.offset, "offset": float(link.joint.before[2, 3])}
    return found | {"theta" if link.joint.kind == "fixed" else "offset": row.offset}


def _placement(joint: Joint) -> Pairs:
    after = _pose(joint.after)
    axis = None if np.array_equal(joint.axis, [0.0, 0.0, 1.0]) else joint.axis
    return {**_pose(joint.before), "axis": axis, "after": after or None}


def _pose(T: Floats) -> Pairs:
    """What differs from the identity: rpy where it is exact, else the rotation."""
    found: Pairs = {} if not T[:3, 3].any() else {"position": T[:3, 3]}
    R = T[:3, :3]
    if np.array_equal(R, np.eye(3)):
        return found
    rpy = rpy_of(R)
    exact = rotation_rpy(*rpy).tobytes() == R.tobytes()
    return found | ({"rpy": list(rpy)} if exact else {"rotation": R.ravel()})


def _mass(mass: Mass | None) -> Pairs:
    if mass is None:
        return {}
    six = [mass.inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    exact = symmetric(*six).tobytes() == mass.inertia.tobytes()
    return {"mass": mass.mass, "com": mass.com, "inertia": six if exact else mass.inertia.ravel()}


def _visuals(title: str, visuals: Sequence[Visual]) -> Iterator[str]:
    for visual in visuals:
        shape = visual.shape
        said: Pairs
        match shape:
            case BoxShape():
                said = {"box": list(shape.size)}
            case CylinderShape():
                said = {"cylinder": [shape.radius, shape.length]}
            case BallShape():
                said = {"ball": shape.radius}
            case _:
                said = {"mesh": shape.uri, "scale": list(shape.scale)}
        yield from _table(
            title, said | _pose(visual.placement) | {"color": visual.color, "is_mass": visual.is_mass or None}
        )


def _frame(model: Model, frame: Frame) -> Pairs:
    return {"link": model.link_name(frame.link), **_pose(frame.placement)}


def _drive(model: Model, drive: Drive) -> Pairs:
    law = drive.transmission
    ratio = {name: value for name, value in zip(model.joint_names, drive.ratio.tolist(), strict=True) if value}
    transmission: Pairs | None = None
    if isinstance(law, AngleTable):
        transmission = {"joint": law.joint, "positions": list(law.positions), "angles": list(law.angles)}
    elif law is not None:
        transmission = {"formula": law.text}
    return {
        "name": drive.name,
        "ratio": None if transmission else ratio,
        "transmission": transmission,
        "offset": drive.offset,
        "rotor": {
            "inertia": drive.rotor_inertia,
            "carrier": model.link_name(drive.carrier),
            "axis": drive.axis,
        },
        "stages": [_stage(stage, model) for stage in drive.stages] or None,
        "motor": _given(drive.motor, type(drive.motor)()),
        "friction": _given(drive.friction, type(drive.friction)()),
        "stiffness": drive.stiffness,
        "damping": drive.damping,
        "backlash": drive.backlash or None,
    }


def _stage(stage: GearStage, model: Model) -> Pairs:
    """Its mass is part of its carrier already."""
    own: Pairs = {"inertia": stage.inertia, "ratio": stage.ratio}
    own |= {} if stage.carrier is None else {"carrier": model.link_name(stage.carrier)}
    return own | ({} if stage.axis is None else {"axis": list(stage.axis)})


def _loop(model: Model, loop: Loop) -> Pairs:
    return {
        "name": loop.name,
        "joint": loop.kind,
        "first": _frame(model, loop.first),
        "second": _frame(model, loop.second),
        "driven": list(loop.driven),
        "branch": loop.branch,
        "near": dict(loop.near) or None,
        "length": loop.length,
    }


def _given(part: Any, plain: Any) -> Pairs | None:
    """The fields of a part that are not as they are without a word."""
    found = {each.name: getattr(part, each.name) for each in fields(part)}
    return {name: value for name, value in found.items() if value != getattr(plain, name)} or None


def _table(title: str, pairs: Pairs) -> Iterator[str]:
    if title:
        yield ""
        yield title
    for key, value in pairs.items():
        if value is not None:
            yield f"{key} = {_text(value)}"


def _text(value: Any) -> str:
    """A value as TOML has it; numbers lose nothing."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return repr(float(value))
    if is_dataclass(value):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, Mapping):
        inside = (f"{_key(key)} = {_text(each)}" for key, each in value.items() if each is not None)
        return "{ " + ", ".join(inside) + " }"
    return "[" + ", ".join(_text(each) for each in value) + "]"


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else json.dumps(key, ensure_ascii=False)
