"""The JSON of ``torsor show``: the model as data, in SI units and radians."""

from __future__ import annotations

from typing import Any

from torsor.arm import Arm
from torsor.cli.show_links import link_name
from torsor.looking_over import Finding
from torsor.model import Drive, Frame, Link, Mass, Model
from torsor.reach import Reach


def document(arm: Arm, far: Reach, found: list[Finding]) -> dict[str, Any]:
    model = arm.model
    return {
        "name": arm.name,
        "joints": list(arm.joint_names),
        "kinds": model.kinds,
        "convention": model.convention,
        "mass": model.total_mass,
        "reach": {"distance": far.distance, "q": None if far.q is None else far.q.tolist()},
        "gravity": model.gravity.tolist(),
        "base": model.base.tolist(),
        "tool": _frame(model.tool, model),
        "payload": _mass(model.payload),
        "links": [_link(link, model) for link in model.links],
        "frames": {name: _frame(frame, model) for name, frame in model.frames.items()},
        "drives": [_drive(drive, model) for drive in model.drives],
        "loops": [
            {
                "name": loop.name,
                "kind": loop.kind,
                "first": _frame(loop.first, model),
                "second": _frame(loop.second, model),
                "driven": list(loop.driven),
                "branch": loop.branch,
                "near": dict(loop.near),
                "length": loop.length,
            }
            for loop in model.loops
        ],
        "checks": [{"verdict": finding.verdict, "text": finding.text} for finding in found],
        "source": model.source,
        "corrections": list(model.corrections),
    }


def _link(link: Link, model: Model) -> dict[str, Any]:
    joint, limits = link.joint, link.joint.limits
    return {
        "name": link.name,
        "parent": link_name(model, link.parent),
        "joint": {
            "name": joint.name,
            "kind": joint.kind,
            "axis": joint.axis.tolist(),
            "before": joint.before.tolist(),
            "after": joint.after.tolist(),
            "pitch": joint.pitch,
            "mimic": None if joint.mimic is None else vars(joint.mimic),
            "friction": vars(joint.friction),
            "limits": {
                "position": None if limits.position is None else list(limits.position),
                "speed": limits.speed,
                "acceleration": limits.acceleration,
                "torque": limits.torque,
            },
        },
        "dh": None if link.dh is None else vars(link.dh),
        "body": _mass(link.mass),
    }


def _mass(mass: Mass | None) -> dict[str, Any] | None:
    if mass is None:
        return None
    return {"mass": mass.mass, "com": mass.com.tolist(), "inertia": mass.inertia.tolist()}


def _frame(frame: Frame, model: Model) -> dict[str, Any]:
    return {"link": link_name(model, frame.link), "placement": frame.placement.tolist()}


def _drive(drive: Drive, model: Model) -> dict[str, Any]:
    return {
        "name": drive.name,
        "ratio": drive.ratio.tolist(),
        "offset": drive.offset,
        "rotor_inertia": drive.rotor_inertia,
        "carrier": link_name(model, drive.carrier),
        "axis": drive.axis.tolist(),
        "motor": vars(drive.motor),
        "friction": vars(drive.friction) | {"coulomb": list(drive.friction.coulomb)},
    }
