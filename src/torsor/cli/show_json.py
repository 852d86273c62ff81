"""The JSON of ``torsor show``: the model as data, in SI units and radians."""

from __future__ import annotations

from typing import Any

from torsor.arm import Arm
from torsor.looking_over import Finding
from torsor.model import Frame, Loop, Model
from torsor.reach import Reach


def document(arm: Arm, far: Reach, found: list[Finding]) -> dict[str, Any]:
    """Parts stand in it as they are: printing makes dicts and lists of them."""
    model = arm.model
    return {
        "name": arm.name,
        "joints": arm.joint_names,
        "kinds": model.kinds,
        "convention": model.convention,
        "mass": model.total_mass,
        "reach": far,
        "gravity": model.gravity,
        "base": model.base,
        "tool": _frame(model.tool, model),
        "payload": model.payload,
        "tool_limits": dict(vars(model.tool_limits)),
        "links": [
            {
                "name": link.name,
                "parent": model.link_name(link.parent),
                "joint": link.joint,
                "dh": link.dh,
                "body": link.mass,
            }
            for link in model.links
        ],
        "frames": {name: _frame(frame, model) for name, frame in model.frames.items()},
        "drives": [
            {word: getattr(drive, word) for word in ("name", "ratio", "offset", "rotor_inertia")}
            | {"carrier": model.link_name(drive.carrier)}
            | {word: getattr(drive, word) for word in ("axis", "motor", "friction")}
            for drive in model.drives
        ],
        "loops": [_loop(loop, model) for loop in model.loops],
        "checks": found,
        "source": model.source,
        "corrections": model.corrections,
    }


def _frame(frame: Frame, model: Model) -> dict[str, Any]:
    return {"link": model.link_name(frame.link), "placement": frame.placement}


def _loop(loop: Loop, model: Model) -> dict[str, Any]:
    ends = {"first": _frame(loop.first, model), "second": _frame(loop.second, model)}
    told = vars(loop) | ends | {"near": dict(loop.near)}
    return {word: value for word, value in told.items() if word != "place"}
