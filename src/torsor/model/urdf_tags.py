"""The tags and attributes of URDF: which are read, which are known and left alone, and so which are unknown."""

from __future__ import annotations

from torsor.model.urdf_xml import XmlElement

# Of these everything is known: attributes and children.
ATTRIBUTES = {
    "robot": {"name", "version"},
    "link": {"name", "type"},
    "inertial": set[str](),
    "mass": {"value"},
    "inertia": {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"},
    "origin": {"xyz", "rpy", "quat_xyzw"},
    "joint": {"name", "type"},
    "parent": {"link"},
    "child": {"link"},
    "axis": {"xyz"},
    "limit": {"lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"},
    "mimic": {"joint", "multiplier", "offset"},
    "dynamics": {"damping", "friction"},
    "visual": {"name"},
    "collision": {"name", "group"},
    "capsule": {"radius", "length"},
    "geometry": set[str](),
    "mesh": {"filename", "scale"},
    "box": {"size"},
    "cylinder": {"radius", "length"},
    "sphere": {"radius"},
    "material": {"name"},
    "color": {"rgba"},
}
CHILDREN = {
    "robot": {"link", "joint", "material"},
    "link": {"inertial", "visual", "collision"},
    "inertial": {"origin", "mass", "inertia"},
    "joint": {"origin", "parent", "child", "axis", "limit", "mimic", "dynamics"},
    "visual": {"origin", "geometry", "material"},
    "collision": {"origin", "geometry"},
    "geometry": {"mesh", "box", "cylinder", "sphere"},
    "material": {"color"},
}
# Known, but of no matter to an arm's mechanics: passed over with all they hold.
IGNORED = {
    "robot": {"gazebo", "transmission", "sensor", "ros2_control", "plugin"},
    "link": {"gazebo", "sensor", "material", "self_collision_checking", "contact"},
    "joint": {"calibration", "safety_controller", "gazebo", "hardwareInterface", "plugin"},
    "visual": {"gazebo"},
    "collision": {"gazebo", "contact", "contact_coefficients", "material", "max_contacts", "surface", "verbose"},
    "geometry": {"capsule"},
    "material": {"texture"},
}


def remark_unknown(robot: XmlElement) -> None:
    """A remark for every tag and attribute that no one would read: a typing error, or another's extension."""
    waiting = [robot]
    while waiting:
        element = waiting.pop()
        for name in element.attributes:
            if name not in ATTRIBUTES[element.tag]:
                element.remark(f"unknown attribute {name!r} of <{element.tag}> is ignored")
        read = CHILDREN.get(element.tag, set())
        for child in element.children:
            if child.tag not in read | IGNORED.get(element.tag, set()):
                child.remark(f"unknown tag <{child.bare_tag}> in <{element.tag}> is ignored")
        waiting += [child for child in reversed(element.children) if child.tag in read]
