"""Writes a model as MJCF, MuJoCo's format. What it cannot hold, or only in changed form, is said in its comment."""

from __future__ import annotations

import numpy as np

from torsor.errors import Unsupported
from torsor.model import losses
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, DriveFriction, Frame, Joint, Link, Loop
from torsor.model.physical import physical_equivalent
from torsor.model.transforms import Floats, inverse, pose, quaternion_of
from torsor.model.xml_text import XmlText

SMALLEST = 1e-14  # MuJoCo wants mass and inertia of what moves above 1e-15
ROUNDING = 1e-12  # by which MuJoCo's own principal moments may be off, as a share of the largest
HINGE_SPAN = 0.1  # m between the two points that hold a hinge's axis


def write_mjcf(model: Model) -> str:
    """The text of an MJCF file; ``files.write_text`` saves it.

    Bodies are the links with the frames they have in the model. Rotors of drives become armature (of the joint, or of a
    fixed tendon where a drive moves several joints), motors become actuators, mimics and loops equality constraints,
    tool and named frames sites, the payload a body. What is lost or changed is listed in the comment and warned of.
    """
    for link in model.links:
        if link.joint.kind == "screw":
            raise Unsupported(
                f"joint {link.joint.name!r} is a screw, which MJCF does not have", hint="export an arm without it"
            )
    model.require_inertia()
    notes: list[str] = []
    lost = mjcf_losses(model)
    inertias = _inertias(model, notes, lost)
    xml = XmlText()
    losses.write_header(xml, model, notes, lost)
    xml.begin("mujoco", model=model.name)
    xml.element("compiler", angle="radian", autolimits="true", balanceinertia="false", inertiafromgeom="false")
    xml.element("option", gravity=model.gravity, integrator="implicitfast")
    _bodies(xml, model, inertias)
    _equalities(xml, model)
    _tendons(xml, model)
    _actuators(xml, model)
    xml.end()
    losses.warn(model, "MJCF", lost)
    return str(xml)


def mjcf_losses(model: Model) -> list[str]:
    """What MJCF cannot hold of this arm, each in one line."""
    lost: list[tuple[str, str]] = []  # what, of which part
    for joint in (link.joint for link in model.links if link.joint.moves):
        limits = joint.limits
        lost += [
            (f"the {word} limit", joint.name) for word in ("speed", "acceleration") if getattr(limits, word) is not None
        ]
        if limits.position is not None and limits.position[0] == limits.position[1]:
            lost.append(("position limits without range", joint.name))
        if limits.torque == 0.0:
            lost.append(("the torque limit 0", joint.name))
    for drive in model.drives:
        words = {
            "the offset of the motor": drive.offset != 0.0,
            "the friction of the drive": drive.friction != DriveFriction(),
            "the speed limit of the motor": drive.motor.speed is not None,
            "the torque limit 0 of the motor": drive.motor.torque == 0.0,
        }
        lost += [(word, drive.name) for word, present in words.items() if present]
    for loop in model.loops:
        if loop.kind in ("slider", "distance"):
            lost.append(
                (f"the {loop.kind} loop, for which MuJoCo has no constraint (the tree is left open there)", loop.name)
            )
    lost += [("the meshes", link.name) for link in model.links if link.visuals]
    return losses.grouped(lost)


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


def _bodies(xml: XmlText, model: Model, inertias: dict[str, Mass]) -> None:
    children: dict[int, list[int]] = {BASE: []}
    for i, link in enumerate(model.links):
        children.setdefault(link.parent, []).append(i)
    armature = _armatures(model)
    xml.begin("worldbody")
    is_world = model.base_name == "world"  # MuJoCo's own name for what stands still
    if not is_world:
        xml.begin("body", name=model.base_name, **_placed(model.base))
        _inertial(xml, inertias.get(model.base_name))
    _sites(xml, model, BASE, inertias)
    waiting: list[int | None] = [*reversed(children[BASE])]  # None closes a body
    while waiting:
        index = waiting.pop()
        if index is None:
            xml.end()
            continue
        link = model.links[index]
        xml.begin("body", name=link.name, **_placed(link.joint.before @ link.joint.after))
        _joint(xml, link, armature.get(link.joint.name, 0.0))
        _inertial(xml, inertias.get(link.name))
        _sites(xml, model, index, inertias)
        waiting += [None, *reversed(children.get(index, []))]
    if not is_world:
        xml.end()
    xml.end()


def _placed(T: Floats) -> dict[str, Floats]:
    attributes: dict[str, Floats] = {}
    if T[:3, 3].any():
        attributes["pos"] = T[:3, 3]
    if not np.array_equal(T[:3, :3], np.eye(3)):
        attributes["quat"] = quaternion_of(T[:3, :3])
    return attributes


def _joint(xml: XmlText, link: Link, armature: float) -> None:
    joint = link.joint
    if not joint.moves:
        return
    at_link = inverse(joint.after)  # the axis stands still in the link, where before it the joint's frame was
    limits = joint.limits
    span = limits.position
    xml.element(
        "joint",
        name=joint.name,
        type="slide" if joint.kind == "prismatic" else "hinge",
        pos=at_link[:3, 3] if at_link[:3, 3].any() else None,
        axis=at_link[:3, :3] @ joint.axis,
        range=span if span is not None and span[0] < span[1] else None,
        actuatorfrcrange=(-limits.torque, limits.torque) if limits.torque else None,
        damping=joint.friction.viscous or None,
        frictionloss=joint.friction.coulomb or None,
        armature=armature or None,
    )


def _inertial(xml: XmlText, mass: Mass | None) -> None:
    if mass is None:
        return
    I = mass.inertia
    moments, products = np.diag(I), np.array([I[0, 1], I[0, 2], I[1, 2]])
    if products.any():
        xml.element("inertial", pos=mass.com, mass=mass.mass, fullinertia=np.concatenate([moments, products]))
    else:
        xml.element("inertial", pos=mass.com, mass=mass.mass, diaginertia=moments)


def _sites(xml: XmlText, model: Model, index: int, inertias: dict[str, Mass]) -> None:
    """All that rides on a link: tool, payload, named frames, ends of loops."""
    for name, frame in {**model.frames, "tool": model.tool}.items():
        if frame.link == index:
            xml.element("site", name=name, **_placed(frame.placement))
    for loop in model.loops:
        for end, frame in (("first", loop.first), ("second", loop.second)):
            if frame.link == index:
                for suffix, T in _loop_points(loop, frame):
                    xml.element("site", name=f"{loop.name}_{end}{suffix}", **_placed(T))
    payload = inertias.get(_payload_name(model))
    if payload is not None and model.tool.link == index:
        xml.begin("body", name=_payload_name(model), **_placed(model.tool.placement))
        _inertial(xml, payload)
        xml.end()


def _loop_points(loop: Loop, frame: Frame) -> list[tuple[str, Floats]]:
    points = [("", frame.placement)]
    if loop.kind == "hinge":
        points.append(("_axis", frame.placement @ pose(position=[0.0, 0.0, HINGE_SPAN])))
    return points


def _equalities(xml: XmlText, model: Model) -> None:
    mimics = [link.joint for link in model.links if link.joint.mimic is not None]
    loops = [loop for loop in model.loops if loop.kind in ("hinge", "ball", "rigid")]
    if not mimics and not loops:
        return
    xml.begin("equality")
    for joint in mimics:
        _mimic(xml, joint)
    for loop in loops:
        if loop.kind == "rigid":
            xml.element("weld", name=loop.name, site1=f"{loop.name}_first", site2=f"{loop.name}_second")
            continue
        for suffix, _ in _loop_points(loop, loop.first):
            sites = {"site1": f"{loop.name}_first{suffix}", "site2": f"{loop.name}_second{suffix}"}
            xml.element("connect", name=f"{loop.name}{suffix}", **sites)
    xml.end()


def _mimic(xml: XmlText, joint: Joint) -> None:
    if joint.mimic is not None:
        line = (joint.mimic.offset, joint.mimic.factor, 0.0, 0.0, 0.0)
        xml.element("joint", name=f"{joint.name}_mimic", joint1=joint.name, joint2=joint.mimic.joint, polycoef=line)


def _is_coupled(drive: Drive) -> bool:
    return int(np.count_nonzero(drive.ratio)) > 1


def _armatures(model: Model) -> dict[str, float]:
    """What the rotors of drives that move one joint each add to it: ratio^2 times the rotor's inertia."""
    total = dict.fromkeys(model.joint_names, 0.0)
    for drive in model.drives:
        if not _is_coupled(drive):
            for name, ratio in zip(model.joint_names, drive.ratio, strict=True):
                total[name] += float(ratio) * float(ratio) * drive.rotor_inertia
    return total


def _tendons(xml: XmlText, model: Model) -> None:
    """A drive that moves several joints is a fixed tendon: its length is the motor's angle, ratio . q."""
    coupled = [drive for drive in model.drives if _is_coupled(drive)]
    if not coupled:
        return
    xml.begin("tendon")
    for drive in coupled:
        xml.begin("fixed", name=drive.name, armature=drive.rotor_inertia or None)
        for name, ratio in zip(model.joint_names, drive.ratio, strict=True):
            if ratio:
                xml.element("joint", joint=name, coef=float(ratio))
        xml.end()
    xml.end()


def _actuators(xml: XmlText, model: Model) -> None:
    """The motors of the drives; an arm without drives gets a torque at every joint."""
    xml.begin("actuator")
    for drive in model.drives:
        torque = drive.motor.torque
        span = (-torque, torque) if torque else None
        if _is_coupled(drive):
            xml.element("motor", name=drive.name, tendon=drive.name, ctrlrange=span)
        else:
            k = int(np.flatnonzero(drive.ratio)[0])
            xml.element(
                "motor", name=drive.name, joint=model.joint_names[k], gear=float(drive.ratio[k]), ctrlrange=span
            )
    if not model.drives:
        for joint in (link.joint for link in model.independent):
            span = (-joint.limits.torque, joint.limits.torque) if joint.limits.torque else None
            xml.element("motor", name=joint.name, joint=joint.name, ctrlrange=span)
    xml.end()
