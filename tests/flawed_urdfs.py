"""URDFs as they are published, each with a flaw that other readers let pass: written here, after what is met outside.

Each is two to seven joints; ``FLAWED`` has their texts by what is wrong with them.
"""

from __future__ import annotations

INERTIAL = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="2"/>'
    '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial>'
)
LIMIT = '<limit lower="-2" upper="2" effort="50" velocity="2"/>'


def link(name: str, inside: str = INERTIAL) -> str:
    return f'<link name="{name}">{inside}</link>\n'


def joint(name: str, parent: str, child: str, inside: str = LIMIT, kind: str = "revolute") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="0 0 0.3" rpy="0 0 0"/><axis xyz="0 1 0"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>\n'


GREY = "<material name=''><color rgba='0.5'/></material>"


def arm(*more: str, limit: str = LIMIT, inertial: str = INERTIAL, joints: int = 3, head: str = "") -> str:
    """A chain of links with something wrong in or beside it."""
    parts = [link("base_link", "")]
    for k in range(joints):
        parent = "base_link" if k == 0 else f"link_{k}"
        parts += [link(f"link_{k + 1}", inertial), joint(f"joint_{k + 1}", parent, f"link_{k + 1}", limit)]
    return f'{head}<robot name="flawed">\n{"".join(parts)}{"".join(more)}</robot>\n'


def transmission(name: str, of: str, inside: str = "<mechanicalReduction>1</mechanicalReduction>") -> str:
    return (
        f'<transmission name="{name}"><type>transmission_interface/SimpleTransmission</type>'
        f'<joint name="{of}"><hardwareInterface>Effort</hardwareInterface></joint>'
        f'<actuator name="{name}_motor">{inside}</actuator></transmission>\n'
    )


EVERY = "".join(transmission(f"t{k}", f"joint_{k}") for k in (1, 2, 3))
TALL = '<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial>'
MESH = '<visual><geometry><mesh filename="package://nowhere/meshes/link.stl"/></geometry></visual>'
STROKE = '<limit lower="0" upper="0.04" effort="20" velocity="0.2"/>'
PAD = (
    link("pad", "")
    + link("pad_body")
    + joint("pad_joint", "link_3", "pad")
    + joint("glue", "pad", "pad_body", "", "fixed")
)
MOST = "1.7976931348623157e+308"

FLAWED = {
    "effort 0": arm(limit='<limit lower="-2" upper="2" effort="0" velocity="2"/>'),
    "velocity 0": arm(limit='<limit lower="-2" upper="2" effort="50" velocity="0"/>'),
    "effort and velocity 0": arm(limit='<limit lower="-2" upper="2" effort="0" velocity="0"/>'),
    "effort -1": arm(limit='<limit lower="-2" upper="2" effort="-1" velocity="-1"/>'),
    "no masses": arm(inertial=""),
    "no masses, effort 0": arm(inertial="", limit='<limit lower="-2" upper="2" effort="0" velocity="2.6"/>'),
    "masses of 0": arm(
        inertial='<inertial><mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
    ),
    "one link without mass": arm(link("finger", ""), joint("finger_joint", "link_3", "finger")),
    "a frame between joints": arm(PAD),
    "inertia of no body": arm(inertial=TALL),
    "no inertia": arm(inertial='<inertial><mass value="1"/></inertial>'),
    "no mass in inertial": arm(link("x", "<inertial/>"), joint("j", "link_3", "x")),
    "no limits": arm(limit=""),
    "limits without numbers": arm(limit="<limit/>"),
    "limits of infinity": arm(limit='<limit lower="-inf" upper="inf" effort="inf" velocity="inf"/>'),
    "limits without end": arm(limit=f'<limit lower="-1e16" upper="1e16" effort="{MOST}" velocity="1e16"/>'),
    "limits swapped": arm(limit='<limit lower="2" upper="-2" effort="50" velocity="2"/>'),
    "limits both 0": arm(limit='<limit lower="0" upper="0" effort="50" velocity="2"/>'),
    "zero outside of limits": arm(limit='<limit lower="0.5" upper="2" effort="50" velocity="2"/>'),
    "negative damping": arm(limit=LIMIT + '<dynamics damping="-1" friction="0"/>'),
    "transmissions without motors": arm(EVERY),
    "a transmission to nothing": arm(EVERY, transmission("t4", "torso_3_joint")),
    "a transmission of some joints": arm(transmission("t1", "joint_1")),
    "two transmissions of a joint": arm(EVERY, transmission("again", "joint_1")),
    "two motors of one name": arm(*(transmission("t", f"joint_{k}") for k in (1, 2, 3))),
    "a reduction of 0": arm(EVERY.replace(">1</mechanical", ">0</mechanical")),
    "an actuator of two joints": arm(
        '<transmission name="d"><joint name="joint_1"/><joint name="joint_2"/><actuator name="m"/></transmission>'
    ),
    "meshes that are missing": arm(inertial=INERTIAL + MESH),
    "a mimic of nothing": arm(link("f"), joint("f_joint", "link_3", "f", LIMIT + '<mimic joint="gone"/>')),
    "a mimic of a fixed joint": arm(
        link("g"),
        joint("g_joint", "link_3", "g", "", "fixed"),
        link("f"),
        joint("f_joint", "link_3", "f", LIMIT + '<mimic joint="g_joint"/>'),
    ),
    "mimics": arm(link("f"), joint("f_joint", "link_3", "f", LIMIT + '<mimic joint="joint_3" multiplier="-1"/>')),
    "continuous joints": arm(link("f"), joint("f_joint", "link_3", "f", "", "continuous")),
    "a prismatic joint": arm(link("f"), joint("f_joint", "link_3", "f", STROKE, "prismatic")),
    "a floating base": arm(link("world", ""), joint("virtual", "world", "base_link", "", "floating")),
    "a planar base": arm(link("world", ""), joint("virtual", "world", "base_link", "", "planar")),
    "a world link": arm(link("world", ""), joint("fixed_base", "world", "base_link", "", "fixed")),
    "several tips": arm(link("left"), joint("l", "link_2", "left"), link("right"), joint("r", "link_2", "right")),
    "a second inertial": arm(inertial=INERTIAL + INERTIAL),
    "blanks before the declaration": "\n  " + arm(head='<?xml version="1.0" ?>\n'),
    "a namespace": arm().replace("<robot ", '<robot xmlns="http://www.ros.org" '),
    "prefixes that nothing declares": arm('<controller:plugin sim:rate="100"/><body:x/>'),
    "visuals that cannot be read": arm(
        inertial=f"{INERTIAL}<visual><geometry><box size='1 1'/></geometry>{GREY}</visual>"
    ),
    "extensions": arm(
        '<gazebo reference="link_1"><material>Gazebo/Orange</material></gazebo><ros2_control name="x" type="system"/>'
        '<sensor name="s"/><unknown/>'
    ),
    "collision shapes alone": arm(
        inertial=INERTIAL + '<collision><geometry><cylinder radius="0.05" length="0.3"/></geometry></collision>'
    ),
    "letters of Latin-1": arm(head="<!-- Kuka Roboter f\xfcr die Schwei\xdferei -->\n"),
}  # fmt: skip
NOT_UTF8 = ("letters of Latin-1",)


def content(name: str) -> bytes:
    return FLAWED[name].encode("latin-1" if name in NOT_UTF8 else "utf-8")
