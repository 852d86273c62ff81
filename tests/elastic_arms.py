"""Small elastic arms for tests: the library's two bars and four-bar, with what is asked for, a slider-crank's rod."""

import json
import re
from pathlib import Path

import numpy as np

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
    friction='{ side = "motor" }', torque=10.0, limit=None, tilt=None,
):  # fmt: skip
    """The arm; ``stiffer`` multiplies E, ``drives`` adds motors with springs behind gears, ``tilt`` soft bearings."""
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
    if tilt is not None:
        text = text.replace("[link.beam]", f"[link.compliance]\ntilt = {tilt}\n[link.beam]")
    if drives:
        given = {"rotor": rotor, "spring": spring * stiffer, "damper": damper, "friction": friction, "torque": torque}
        text += DRIVES.format(**given)
    return Arm(parse_arm_file(text, "two_bars.toml"))


def with_a_bar(name, beam, more, *, axis="0, 0, 1", link=""):
    """The file of an arm that begins with a bar without mass of its own; ``more`` is what follows it."""
    return f"""
name = "{name}"
frames = "placements"
[[link]]
name = "bar"
joint = "revolute"
axis = [{axis}]
mass = 0.0
{link}
[link.beam]
{beam}
{more}
"""


E, RADIUS, NU = 7e10, 6e-3, 0.33
DENSITY = 2.0 / (np.pi * RADIUS**2)  # 2 kg/m, as the links of the library have
BEAM = f"""
[link.beam]
to = "rocker pin"
section = {{{{ rod = [{2.0 * RADIUS}] }}}}
up = [0, 0, 1]
material = {{{{ E = {{E}}, nu = {NU}, rho = {DENSITY} }}}}
elements = 2
modes = {{modes}}
rotary = {{rotary}}
damping = {{damping}}
mass = "instead"
"""


def bending_fourbar(**given):
    """The arm of `fourbar_text`."""
    return Arm(parse_arm_file(fourbar_text(**given), "fourbar.toml"))


def fourbar_text(*, modes=12, damping=0.01, stiffer=1.0, rotary="true", driven="crank", more=""):
    """The four-bar of the library, its coupler and rocker rods that bend and weigh what its links weigh.

    ``stiffer`` multiplies E; without ``rotary`` inertia rods are those of the library, which are thin; ``more`` stands
    at the end of the file.
    """
    parts = re.split(r"(?=\[\[link\]\]|\[tool\])", (LIBRARY / "fourbar.toml").read_text())
    assert len(parts) == 5
    beam = BEAM.format(E=E * stiffer, modes=modes, rotary=rotary, damping=damping)
    for k in (2, 3):
        parts[k] = parts[k].rstrip() + "\n" + beam + "\n"
    text = "".join(parts).replace('name = "fourbar"', 'name = "bending-fourbar"')
    assert 'driven = ["crank"]' in text
    return text.replace('driven = ["crank"]', f'driven = ["{driven}"]') + more


CRANK = json.loads((Path(__file__).parent / "oracles" / "elastic.json").read_text())["slider_crank_elastic_rod"]


def cranked(dt, until=0.65):
    """Time, and the crank's angle with its rates, (steps, 1): brought to 50 rad/s in half a second."""
    W, T = 50.0, 0.5
    t = np.arange(0.0, until + 0.5 * dt, dt)
    early = t < T
    angle = np.where(early, W / 2.0 * (t - T / np.pi * np.sin(np.pi * t / T)), W * (t - T / 2.0))
    rate = np.where(early, W / 2.0 * (1.0 - np.cos(np.pi * t / T)), W)
    acceleration = np.where(early, W / 2.0 * np.pi / T * np.sin(np.pi * t / T), 0.0)
    return t, angle[:, None], rate[:, None], acceleration[:, None]


def slider_crank(folder, slider_mass="1e-6"):
    given = CRANK["inputs"]
    stiff = 2e11
    area, inertia = given["EA"] / stiff, given["EI"] / stiff
    text = f"""
name = "elastic-slider-crank"
frames = "placements"
gravity = [0, 0, 0]
[[link]]
name = "crank"
joint = "revolute"
joint_name = "crank"
axis = [0, 0, 1]
mass = 0.1
com = [0, 0, 0]
inertia = [1e-3, 1e-3, 1e-3]
[[link]]
name = "rod"
parent = "crank"
joint = "revolute"
joint_name = "rod"
axis = [0, 0, 1]
position = [{given["crank"]}, 0, 0]
mass = 0.0
[link.beam]
to = "pin"
section = {{ area = {area!r}, Iy = {inertia!r}, Iz = {inertia!r}, J = {2.0 * inertia!r} }}
up = [0, 0, 1]
material = {{ E = {stiff}, nu = 0.3, rho = {given["rhoA"] / area!r} }}
elements = 8
rotary = false
modes = 48
damping = 0
mass = "instead"
[[link]]
name = "slider"
parent = "base"
joint = "prismatic"
joint_name = "slider"
axis = [1, 0, 0]
mass = {slider_mass}
com = [0, 0, 0]
inertia = [0, 0, 0]
[tool]
link = "slider"
[[loop]]
name = "pin"
joint = "hinge"
first = {{ link = "rod", position = [{given["rod"]}, 0, 0] }}
second = {{ link = "slider" }}
driven = ["crank"]
near = {{ slider = {given["crank"] + given["rod"]} }}
"""
    path = folder / "crank.toml"
    path.write_text(text)
    return torsor.load(path)


def from_chord(found):
    """(steps,): how far the middle of the rod is from the line between its ends, m."""
    ((body, link),) = found.tree.flexible.items()
    mesh = found.tree.meshes[body]
    shapes = link.shapes.reshape(len(mesh.nodes), 6, -1)[:, :2]
    middle, end = (mesh.nodes[k, :2] + found.e @ shapes[k].T for k in (4, 8))
    chord = end / np.linalg.norm(end, axis=1)[:, None]
    away = middle - 0.5 * end
    return chord[:, 0] * away[:, 1] - chord[:, 1] * away[:, 0]
