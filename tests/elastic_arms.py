"""Small elastic arms for tests: the library's two bars, with gravity, drives, springs and damping as asked for."""

from pathlib import Path

import torsor
from torsor.arm import Arm
from torsor.model.armfile import parse_arm_file

LIBRARY = Path(torsor.__file__).parent / "model" / "library"

DRIVES = """
[[drive]]
ratio = {{ joint1 = 50.0 }}
rotor = {{ inertia = {rotor}, carrier = "base", axis = [0, 0, 1] }}
motor = {{ torque = {torque} }}
friction = {friction}
stiffness = {spring}
damping = {damper}

[[drive]]
ratio = {{ joint1 = 2.0, joint2 = 40.0 }}
rotor = {{ inertia = {rotor}, carrier = "upper", axis = [0, 0, 1] }}
motor = {{ torque = {torque} }}
friction = {friction}
stiffness = {spring}
damping = {damper}
"""


def two_bars(
    *, modes=1, gravity=-1.5, damping=0.0, stiffer=1.0, drives=False, rotor=2e-4, spring=300.0, damper=0.0,
    friction='{ side = "motor" }', torque=10.0, limit=None,
):  # fmt: skip
    """The arm; ``stiffer`` multiplies E, ``drives`` adds two motors with springs behind their gears."""
    text = (LIBRARY / "elastic-arm2.toml").read_text()
    for old, new in (
        ("gravity = [0, 0, 0]", f"gravity = [0, {gravity}, 0]"),
        ("damping = 0", f"damping = {damping}"),
        ("modes = 3", f"modes = {modes}"),
        ("E = 7e10", f"E = {7e10 * stiffer!r}"),
    ):
        assert old in text
        text = text.replace(old, new)
    if limit is not None:
        text = text.replace('joint = "revolute"', f'joint = "revolute"\nlimits = {{ torque = {limit} }}')
    if drives:
        given = {"rotor": rotor, "spring": spring * stiffer, "damper": damper, "friction": friction, "torque": torque}
        text += DRIVES.format(**given)
    return Arm(parse_arm_file(text, "two_bars.toml"))
