"""Arms with cut joints of every kind, by arm files."""

from __future__ import annotations

from importlib.resources import files

from torsor.arm import Arm
from torsor.model.armfile import parse_arm_file

LIBRARY = files("torsor.model") / "library"
BOOM = """
name = "boom"
frames = "placements"
[[link]]
name = "boom"
joint = "revolute"
axis = [0, -1, 0]
position = [0, 0, 1.0]
mass = 200.0
com = [1.5, 0, 0]
inertia = [10, 150, 150]
[[link]]
name = "barrel"
parent = "base"
joint = "revolute"
axis = [0, -1, 0]
position = [0.4, 0, 0.2]
mass = 20.0
com = [0.3, 0, 0]
inertia = [0.1, 1, 1]
[[link]]
name = "piston"
parent = "barrel"
joint = "prismatic"
axis = [1, 0, 0]
mass = 10.0
com = [-0.2, 0, 0]
inertia = [0.05, 0.5, 0.5]
[tool]
link = "boom"
position = [3.0, 0, 0]
[[loop]]
name = "eye"
joint = "hinge"
first = { link = "piston", rpy = ["90 deg", 0, 0] }
second = { link = "boom", position = [1.2, 0, -0.1], rpy = ["90 deg", 0, 0] }
driven = ["joint3"]
near = { joint1 = 0.3, joint2 = 0.9, joint3 = 1.3 }
"""


def boom() -> Arm:
    """An excavator's boom on its cylinder, driven by the stroke."""
    return Arm(parse_arm_file(BOOM))


def guided() -> Arm:
    """The slider-crank cut at its guide: the block hangs on the rod by a hinge, and slides on the base."""
    text = (LIBRARY / "slider-crank.toml").read_text()
    text = text.replace('parent = "base"\njoint = "prismatic"\njoint_name = "slider"\naxis = [1, 0, 0]',
                        'parent = "rod"\njoint = "revolute"\njoint_name = "pin"\nposition = [0.30, 0, 0]')  # fmt: skip
    start = text.index("[[loop]]")
    text = (
        text[:start]
        + """[[loop]]
name = "guide"
joint = "slider"
first = { link = "slider", rpy = [0, "90 deg", 0] }
second = { link = "base", rpy = [0, "90 deg", 0] }
driven = ["crank"]
near = { crank = "60 deg", rod = "-77 deg", pin = "17 deg" }
"""
    )
    return Arm(parse_arm_file(text))


def welded(foot: float = 0.0) -> Arm:
    """The four-bar with its rocker's pivot as a joint of its own, welded to the base by a foot of some mass."""
    text = (LIBRARY / "fourbar.toml").read_text()
    start = text.index('[[link]]\nname = "rocker"')
    text = (
        text[:start]
        + """[[link]]
name = "rocker"
parent = "coupler"
joint = "revolute"
joint_name = "pin"
position = [0.50, 0, 0]
mass = 0.8
com = [-0.20, 0, 0]
inertia = [0, 0.010666666666666666, 0.010666666666666666]
[[link]]
name = "foot"
parent = "rocker"
joint = "revolute"
joint_name = "pivot"
position = [-0.40, 0, 0]
mass = FOOT
inertia = [FOOT, FOOT, FOOT]
[tool]
link = "coupler"
position = [0.25, 0.15, 0]
[[loop]]
name = "weld"
joint = "rigid"
first = { link = "foot" }
second = { link = "base", position = [0.60, 0, 0] }
driven = ["crank"]
near = { crank = "60 deg", coupler = "-33 deg", pin = "71 deg", pivot = "-98 deg" }
"""
    )
    return Arm(parse_arm_file(text.replace("FOOT", str(foot))))
