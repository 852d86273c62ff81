"""The joints of a URDF, with their limits, mimics and friction."""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf
from typing import cast

import numpy as np

from torsor.errors import did_you_mean
from torsor.model.parts import Joint, JointFriction, JointKind, Limits, Mimic
from torsor.model.ranges import LARGEST
from torsor.model.urdf_xml import XmlElement

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")
NO_LIMIT = 1e300  # the writer gives it where URDF wants a number and there is none
UNKNOWN = "taken as not known, as ROS-Industrial means it; write its limit where you know it"


def read_joint(element: XmlElement, joints: Mapping[str, XmlElement]) -> Joint:
    """The joint that an element describes; ``joints`` are all of the file, by name."""
    kind = element.attribute("type")
    if kind in ("floating", "planar"):
        cure = "remove the joint, or make it fixed, or use several revolute and prismatic ones"
        hint = f"an arm stands on its base: {cure}"
        element.tolerate(f"{element} is {kind}", hint, f"taken as fixed; {cure}", kind=kind)
        kind = "fixed"
    if kind not in JOINT_TYPES:
        raise element.error(f"type of {element} is {kind!r}", did_you_mean(kind, JOINT_TYPES))
    axis = np.array([0.0, 0.0, 1.0])
    if kind != "fixed":  # without a word the format says x
        given = element.one("axis")
        axis = np.array([1.0, 0.0, 0.0]) if given is None else given.direction("xyz")
    return Joint(
        name=element.attribute("name"),
        kind=cast(JointKind, kind),
        axis=axis,
        before=element.pose("origin"),
        limits=_limits(element, kind),
        mimic=_mimic(element, kind, joints),
        friction=_friction(element),
    )


def _friction(joint: XmlElement) -> JointFriction:
    dynamics = joint.one("dynamics")
    sizes = []
    for word in ("damping", "friction"):
        size = 0.0 if dynamics is None else dynamics.number(word, 0.0)
        if size < 0.0 and dynamics is not None and not dynamics.source.strict:
            dynamics.remark(f"{word} of {dynamics} is {size:g}: taken as none; friction is zero or more", "friction")
            size = 0.0
        sizes.append(size)
    return JointFriction(*sizes)


def _mimic(joint: XmlElement, kind: str, joints: Mapping[str, XmlElement]) -> Mimic | None:
    element = joint.one("mimic")
    if element is None:
        return None
    leader = element.attribute("joint")
    if not element.source.strict:
        why = None
        if kind == "fixed":
            why = "it is fixed"
        elif leader not in joints:
            why = f"there is no joint {leader!r}"
        elif joints[leader].attributes.get("type") in ("fixed", "floating", "planar"):
            why = f"joint {leader!r} does not move"
        if why is not None:
            element.remark(f"{joint} follows no other joint: {why}; its mimic is left out", "mimic")
            return None
    return Mimic(leader, element.number("multiplier", 1.0), element.number("offset", 0.0))


def _limits(joint: XmlElement, kind: str) -> Limits:
    element = joint.one("limit")
    bounded = kind in ("revolute", "prismatic")
    if element is None and bounded:
        joint.remark(f"{kind} {joint} has no <limit>, which URDF requires; it is taken as unbounded", "no limit")
    if element is None or kind == "fixed":
        return Limits()
    position = None
    if bounded and ("lower" in element.attributes or "upper" in element.attributes):
        position = _range(element)
    elif bounded:
        text = f"{element} has neither lower nor upper; its position is taken as unbounded"
        element.remark(text, "no position limits")
    speed, torque = (_size(element, name) for name in ("velocity", "effort"))
    return Limits(position, speed, _bound(element, "acceleration"), torque)


def _bound(element: XmlElement, name: str) -> float | None:
    """A number, None where there is none, or one that bounds nothing."""
    if name not in element.attributes:
        return None
    if not element.source.strict and element.attributes[name].strip().lstrip("+-").lower() in ("inf", "infinity"):
        return None
    value = element.number(name)
    return None if isinf(value) or abs(value) >= (NO_LIMIT if element.source.strict else LARGEST) else value


def _size(element: XmlElement, name: str) -> float | None:
    """The limit of speed or effort: zero or less stands for what is not known."""
    if name not in element.attributes:
        element.remark(f"{element} has no {name}, which URDF requires; it is taken as unbounded", f"no {name}")
        return None
    value = _bound(element, name)
    if value is None or value > 0.0:
        return value
    if not element.source.strict:
        element.remark(f"{name} of {element} is {value:g}: {UNKNOWN}", f"{name} 0")
        return None
    if value == 0.0:
        element.remark(f"{name} of {element} is 0, which bounds it to nothing; leave out what is not known")
    return value


def _range(element: XmlElement) -> tuple[float, float] | None:
    """Lower and upper; one that is missing is 0, as the format has it."""
    low, high = (_bound(element, name) if name in element.attributes else 0.0 for name in ("lower", "upper"))
    if low is None and high is None:
        return None
    low, high = -LARGEST if low is None else low, LARGEST if high is None else high
    if element.source.strict:
        return low, high
    if low == high:
        element.remark(f"lower and upper of {element} are both {low:g}: taken as not known", "no range")
        return None
    if low > high:
        element.remark(f"lower of {element} is above its upper: taken the other way round", "swapped")
        low, high = high, low
    return low, high
