"""The drives of a URDF: its <transmission> elements."""

from __future__ import annotations

import numpy as np

from torsor.errors import did_you_mean
from torsor.model.parts import Drive, Joint, Link
from torsor.model.urdf_xml import XmlElement


def read_drives(robot: XmlElement, links: list[Link]) -> tuple[Drive, ...]:
    """A drive for each <transmission> of one joint and one motor.

    The motor sits where nothing else is said: on the joint's axis, carried by the parent link. ``<rotorInertia>`` (or
    ``<motorInertia>``) in the actuator is Torsor's addition to the format.
    """
    by_joint = {link.joint.name: link for link in links}
    independent = [link.joint.name for link in links if link.joint.moves and link.joint.mimic is None]
    drives: list[Drive] = []
    driven: set[str] = set()
    for i, element in enumerate(robot.all("transmission")):
        name = element.attributes.get("name") or f"transmission{i + 1}"
        joints, motors = element.all("joint"), element.all("actuator")
        if len(joints) != 1 or len(motors) > 1:
            element.remark(f"{element} is not one motor on one joint and is left out")
            continue
        joint_name = joints[0].attribute("name")
        if joint_name not in by_joint:
            hint = did_you_mean(joint_name, [j for j in by_joint if by_joint[j].joint.moves])
            problem = f"{element} drives joint {joint_name!r}, which does not exist"
            joints[0].tolerate(problem, hint, f"it is left out; {hint}", kind="drives nothing")
            continue
        own = by_joint[joint_name]
        if not own.joint.moves:
            joints[0].remark(f"{element} drives fixed joint {joint_name!r} and is left out")
            continue
        reduction = _value([element, *motors], "mechanicalReduction", default=1.0)
        if reduction == 0.0:
            hint = "give motor turns per joint turn"
            element.tolerate(f"mechanicalReduction of {element} is 0", hint, f"it is taken as 1; {hint}")
            reduction = 1.0
        if joint_name in driven and not element.source.strict:
            element.remark(f"{element} drives joint {joint_name!r}, as another does: it is left out", "driven twice")
            continue
        driven.add(joint_name)
        motor = motors[0].attributes.get("name", name) if motors else name
        if motor in (drive.name for drive in drives) and not element.source.strict:
            motor = f"{motor}, {joint_name}"
            element.remark(f"two motors have one name: the second is called {motor!r}", "one name")
        leader, factor, shift = _leader(own.joint, by_joint)
        if leader not in independent:
            continue  # a mimic that ends nowhere: the checks of the model say so
        drives.append(
            Drive(
                name=motor,
                ratio=np.array([reduction * factor if joint == leader else 0.0 for joint in independent]),
                offset=reduction * shift,
                rotor_inertia=_value([element, *motors], "rotorInertia", "motorInertia", default=0.0),
                carrier=own.parent,
                axis=own.joint.before[:3, :3] @ own.joint.axis,
            )
        )
    return tuple(drives)


def _value(places: list[XmlElement], *tags: str, default: float) -> float:
    found = [child for place in places for tag in tags for child in place.all(tag)]
    return found[-1].text_number() if found else default


def _leader(joint: Joint, by_joint: dict[str, Link]) -> tuple[str, float, float]:
    """The joint at the end of a chain of mimics, with q = factor * q_leader + shift."""
    factor, shift = 1.0, 0.0
    for _ in by_joint:
        if joint.mimic is None or joint.mimic.joint not in by_joint:
            break
        factor, shift = factor * joint.mimic.factor, shift + factor * joint.mimic.offset
        joint = by_joint[joint.mimic.joint].joint
    return joint.name, factor, shift
