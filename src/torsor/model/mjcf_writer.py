"""Writes a model as MJCF, MuJoCo's format. What it cannot hold, or only in changed form, is said in its comment."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torsor.model import losses
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, DriveFriction, Frame, Joint, Loop
from torsor.model.physical import physical_equivalent
from torsor.model.transforms import Floats, inverse, pose, quaternion_of
from torsor.model.xml_text import XmlNode, node

SMALLEST = 1e-14  # MuJoCo wants mass and inertia of what moves above 1e-15
ROUNDING = 1e-12  # by which MuJoCo's own principal moments may be off, as a share of the largest
HINGE_SPAN = 0.1  # m between the two points that hold a hinge's axis


def write_mjcf(model: Model) -> str:
    """The text of an MJCF file; ``files.write_text`` saves it.

    Bodies are the links with the frames they have in the model. Rotors of drives become armature (of the joint, or of a
    fixed tendon where a drive moves several joints), motors become actuators, mimics and loops equality constraints,
    tool and named frames sites, the payload a body. What is lost or changed is listed in the comment and warned of.
    """
    losses.refuse_screws(model, "MJCF")
    model.require_inertia()
    notes: list[str] = []
    lost = mjcf_losses(model)
    inertias = _inertias(model, notes, lost)
    inside = [
        node("compiler", angle="radian", autolimits="true", balanceinertia="false", inertiafromgeom="false"),
        node("option", gravity=model.gravity, integrator="implicitfast"),
        node("worldbody", _bodies(model, inertias)),
    ]
    # constraints of mimics and loops, drives that move several joints, motors
    parts = {"equality": [*_mimics(model), *_loops(model)], "tendon": _tendons(model), "actuator": _actuators(model)}
    inside += [node(tag, nodes) for tag, nodes in parts.items() if nodes]
    return losses.written(node("mujoco", inside, model=model.name), model, "MJCF", notes, lost)


def mjcf_losses(model: Model) -> list[str]:
    """What MJCF cannot hold of this arm, each in one line."""
    lost: list[tuple[str, dict[str, bool]]] = []  # of which part, what
    for joint in (link.joint for link in model.links if link.joint.moves):
        limits = joint.limits
        words = {
            "the speed limit": limits.speed is not None,
            "the acceleration limit": limits.acceleration is not None,
            "position limits without range": limits.position is not None and limits.position[0] == limits.position[1],
            "the torque limit 0": limits.torque == 0.0,
        }
        lost.append((joint.name, words))
    for drive in model.drives:
        words = {
            "the offset of the motor": drive.offset != 0.0,
            "the stages of the gear": bool(drive.stages),
            "the friction of the drive": drive.friction != DriveFriction(),
            "the speed limit of the motor": drive.motor.speed is not None,
            "the torque limit 0 of the motor": drive.motor.torque == 0.0,
        }
        lost.append((drive.name, words))
    for loop in model.loops:
        what = f"the {loop.kind} loop, for which MuJoCo has no constraint (the tree is left open there)"
        lost.append((loop.name, {what: loop.kind in ("slider", "distance")}))
    looks = [(link.name, link.visuals, link.collisions) for link in model.links]
    looks.append((model.base_name, model.base_visuals, model.base_collisions))
    for name, visuals, collisions in looks:
        lost.append((name, {"what is drawn of it": bool(visuals), "what it may touch with": bool(collisions)}))
    said = [(word, part) for part, words in lost for word, present in words.items() if present]
    return losses.grouped(said + losses.at_tool(model) + losses.bending(model))


def _inertias(model: Model, notes: list[str], lost: list[str]) -> dict[str, Mass]:
    """Mass properties by body name, raised where MuJoCo would refuse them."""
    equivalent = physical_equivalent(model)
    if equivalent:
        notes.append(
            f"the inertias of {', '.join(equivalent)} are not those of the arm, which MuJoCo refuses as nonphysical; "
            "what joints do not feel was moved across them, the dynamics are the same"
        )
    bodies = [(link.name, equivalent.get(link.name, link.mass), link.joint.moves) for link in model.links]
    bodies += [(model.base_name, model.base_mass, False), (_payload_name(model), model.payload, False)]
    accepted: dict[str, Mass] = {}
    for name, mass, moves in bodies:
        if mass is None or (mass.is_none and not moves):
            continue
        small, middle, large = np.linalg.eigvalsh(mass.inertia)
        least = SMALLEST if moves else 0.0
        raised = float(max(0.0, least - small, large - small - middle + ROUNDING * large))
        accepted[name] = Mass(max(mass.mass, least), mass.com, mass.inertia + raised * np.eye(3))
        if mass.is_none:
            notes.append(f"link {name!r} has no mass; MuJoCo refuses that and gets {SMALLEST:g} kg and kg m^2")
        elif raised > max(1e-9 * large, SMALLEST):
            lost.append(
                f"the inertia of {name!r} as it is: MuJoCo refuses principal moments that are negative or break "
                f"A + B >= C, so {raised:.6g} kg m^2 were added to each"
            )
        elif raised > 0.0:
            notes.append(f"{raised:.2g} kg m^2 were added to the moments of {name!r}; MuJoCo refuses bodies that thin")
    return accepted


def _payload_name(model: Model) -> str:
    taken = {model.base_name, *(link.name for link in model.links)}
    return next(name for name in ("payload", *(f"payload{i}" for i in range(2, len(taken) + 3))) if name not in taken)


def _bodies(model: Model, inertias: dict[str, Mass]) -> list[XmlNode]:
    armature = _armatures(model)
    inside = [
        [*_joint(link.joint, armature.get(link.joint.name, 0.0)), *_inertial(inertias.get(link.name))]
        for link in model.links
    ]
    is_world = model.base_name == "world"  # MuJoCo's own name for what stands still
    inside.append([] if is_world else _inertial(inertias.get(model.base_name)))  # of BASE
    for index in range(BASE, len(model.links)):
        inside[index] += _sites(model, index, inertias)
    for i, link in enumerate(model.links):
        placed = _placed(link.joint.before @ link.joint.after)
        inside[link.parent].append(node("body", inside[i], name=link.name, **placed))
    return inside[BASE] if is_world else [node("body", inside[BASE], name=model.base_name, **_placed(model.base))]


def _placed(T: Floats) -> dict[str, Floats | None]:
    turned = not np.array_equal(T[:3, :3], np.eye(3))
    return {"pos": T[:3, 3] if T[:3, 3].any() else None, "quat": quaternion_of(T[:3, :3]) if turned else None}


def _joint(joint: Joint, armature: float) -> list[XmlNode]:
    if not joint.moves:
        return []
    at_link = inverse(joint.after)  # the axis stands still in the link, where before it the joint's frame was
    span = joint.limits.position
    return [
        node(
            "joint",
            name=joint.name,
            type="slide" if joint.kind == "prismatic" else "hinge",
            pos=at_link[:3, 3] if at_link[:3, 3].any() else None,
            axis=at_link[:3, :3] @ joint.axis,
            range=span if span is not None and span[0] < span[1] else None,
            actuatorfrcrange=_both_ways(joint.limits.torque),
            damping=joint.friction.viscous or None,
            frictionloss=joint.friction.coulomb or None,
            armature=armature or None,
        )
    ]


def _both_ways(torque: float | None) -> tuple[float, float] | None:
    return (-torque, torque) if torque else None


def _inertial(mass: Mass | None) -> list[XmlNode]:
    if mass is None:
        return []
    I = mass.inertia
    moments, products = np.diag(I), np.array([I[0, 1], I[0, 2], I[1, 2]])
    word, values = ("fullinertia", np.append(moments, products)) if products.any() else ("diaginertia", moments)
    return [node("inertial", pos=mass.com, mass=mass.mass, **{word: values})]


def _sites(model: Model, index: int, inertias: dict[str, Mass]) -> list[XmlNode]:
    """All that rides on a link: tool, payload, named frames, ends of loops."""
    riding = [(name, frame.link, frame.placement) for name, frame in {**model.frames, "tool": model.tool}.items()]
    for loop in model.loops:
        for end, frame in (("first", loop.first), ("second", loop.second)):
            riding += [(f"{loop.name}_{end}{suffix}", frame.link, T) for suffix, T in _loop_points(loop, frame)]
    found = [node("site", name=name, **_placed(T)) for name, link, T in riding if link == index]
    payload = inertias.get(_payload_name(model))
    if payload is not None and model.tool.link == index:
        placed = _placed(model.tool.placement)
        found.append(node("body", _inertial(payload), name=_payload_name(model), **placed))
    return found


def _loop_points(loop: Loop, frame: Frame) -> list[tuple[str, Floats]]:
    points = [("", frame.placement)]
    if loop.kind == "hinge":
        points.append(("_axis", frame.placement @ pose(position=[0.0, 0.0, HINGE_SPAN])))
    return points


def _mimics(model: Model) -> Iterator[XmlNode]:
    for joint in (link.joint for link in model.links):
        if (mimic := joint.mimic) is not None:
            line = (mimic.offset, mimic.factor, 0.0, 0.0, 0.0)
            yield node("joint", name=f"{joint.name}_mimic", joint1=joint.name, joint2=mimic.joint, polycoef=line)


def _loops(model: Model) -> Iterator[XmlNode]:
    for loop in model.loops:
        tag = {"rigid": "weld", "hinge": "connect", "ball": "connect"}.get(loop.kind)
        for suffix, _ in _loop_points(loop, loop.first) if tag else ():
            sites = {f"site{k}": f"{loop.name}_{end}{suffix}" for k, end in ((1, "first"), (2, "second"))}
            yield node(str(tag), name=f"{loop.name}{suffix}", **sites)


def _ratios(model: Model, drive: Drive) -> dict[str, float]:
    """The joints that a drive moves, and how."""
    return {name: float(ratio) for name, ratio in zip(model.joint_names, drive.ratio, strict=True) if ratio}


def _armatures(model: Model) -> dict[str, float]:
    """What the rotors of drives that move one joint each add to it: ratio^2 times the rotor's inertia."""
    total = dict.fromkeys(model.joint_names, 0.0)
    for drive in model.drives:
        name, *others = ratios = _ratios(model, drive)
        if not others:
            total[name] += ratios[name] * ratios[name] * drive.rotor_inertia
    return total


def _tendons(model: Model) -> list[XmlNode]:
    """A drive that moves several joints is a fixed tendon: its length is the motor's angle, ratio . q."""
    return [
        node(
            "fixed",
            [node("joint", joint=name, coef=ratio) for name, ratio in ratios.items()],
            name=drive.name,
            armature=drive.rotor_inertia or None,
        )
        for drive in model.drives
        if len(ratios := _ratios(model, drive)) > 1
    ]


def _actuators(model: Model) -> list[XmlNode]:
    """The motors of the drives; an arm without drives gets a torque at every joint."""
    if not model.drives:
        joints = [link.joint for link in model.independent]
        return [node("motor", name=j.name, joint=j.name, ctrlrange=_both_ways(j.limits.torque)) for j in joints]
    motors = []
    for drive in model.drives:
        (joint, ratio), *others = _ratios(model, drive).items()
        moved: dict[str, str | float] = {"tendon": drive.name} if others else {"joint": joint, "gear": ratio}
        motors.append(node("motor", name=drive.name, **moved, ctrlrange=_both_ways(drive.motor.torque)))
    return motors
