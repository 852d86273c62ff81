"""Beams as data: where they are in every way of writing frames, what they weigh, what becomes of the link's mass."""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from plain_frame import PlainFrame
from torsor.errors import ModelError
from torsor.mechanics.tree import lower
from torsor.model import BASE, Beam, BeamDamping, Branch, Compliance, Drive, Frame, Joint, Link, Mass, Material, Model
from torsor.model.armfile import parse_arm_file
from torsor.model.beams import MATERIALS, section_axes
from torsor.model.facts import described
from torsor.model.mjcf_writer import mjcf_losses, write_mjcf
from torsor.model.sections import bar, box, by_numbers, rod, tube
from torsor.model.urdf_writer import write_urdf

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "elastic.json").read_text())
STEEL = MATERIALS["steel"]
TUBE = 'section = { tube = ["80 mm", "4 mm"] }\nmaterial = "aluminium"\n'


def arm(text: str) -> Model:
    return parse_arm_file(text)


# --- what it weighs


def sum_of_short_rods(beam: Beam, n: int = 400) -> Mass:
    """Each piece as n slices; each slice as four masses placed so that they have the section's moments."""
    total = Mass.none()
    for path in beam.paths:
        for a, b, section in zip(path.points, path.points[1:], path.sections, strict=False):
            length = np.linalg.norm(b - a)
            R = section_axes(b - a, beam.up)
            m = beam.material.rho * section.area * length / n
            y, z = np.sqrt(2 * section.Iz / section.area), np.sqrt(2 * section.Iy / section.area)
            for k in range(n):
                at = a + (b - a) * (k + 0.5) / n
                for off in (y * R[:, 1], -y * R[:, 1], z * R[:, 2], -z * R[:, 2]):
                    total = total + Mass(m / 4, at + off, np.zeros((3, 3)))
    return total


def crooked() -> Beam:
    points = np.array([[0.1, 0, 0], [0.4, 0.1, 0], [0.5, 0.1, 0.4], [0.9, -0.2, 0.5]])
    sections = (box(0.08, 0.05, 0.004, nu=0.3), bar(0.06, 0.03), rod(0.04, nu=0.3))
    side = Branch(np.array([[0.1, 0, 0], [0.0, -0.3, 0.1]]), (bar(0.02, 0.05),))
    up = np.array([1.0, -2.0, 2.0]) / 3.0
    return Beam(points, sections, up, STEEL, to="tool", branches=(side,))


def test_mass_is_the_sum_of_short_rods():
    beam, n = crooked(), 300
    made, summed = beam.mass, sum_of_short_rods(beam, n)
    assert made.mass == pytest.approx(summed.mass, rel=1e-12)
    np.testing.assert_allclose(made.com, summed.com, rtol=1e-12)
    # n slices of points lack 1/n^2 of the moment of a rod across its own axis
    np.testing.assert_allclose(made.inertia, summed.inertia, rtol=0, atol=0.6 / n**2 * np.abs(made.inertia).max())
    assert not list(made.impossibilities())


def test_mass_of_a_tube_is_that_of_the_solid():
    D, t, L = 0.08, 0.004, 0.5
    beam = Beam(np.array([[0, 0, 0], [0, 0, L]]), (tube(D, t, nu=0.3),), np.array([1.0, 0, 0]), STEEL)
    m = STEEL.rho * np.pi / 4 * (D**2 - (D - 2 * t) ** 2) * L
    squares = (D / 2) ** 2 + (D / 2 - t) ** 2
    across = m * (3 * squares + L**2) / 12
    np.testing.assert_allclose(np.diag(beam.mass.inertia), [across, across, m * squares / 2], rtol=1e-12)
    assert (beam.mass.mass, beam.length) == (pytest.approx(m), L)


def test_counting():
    beam = crooked()
    assert len(beam.pieces) == 4
    assert len(beam.lines) == 2
    assert beam.freedoms == 6 * 8 * 4
    assert beam.length == pytest.approx(sum(np.linalg.norm(np.diff(beam.points, axis=0), axis=1)))


def test_axes_of_sections():
    R = section_axes(np.array([0.0, 2.0, 0.0]), np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(R[:, 0], [0, 1, 0])
    np.testing.assert_allclose(R[:, 1], [-1, 0, 0], atol=1e-15)  # up x beam
    np.testing.assert_allclose(R[:, 2], [0, 0, 1], atol=1e-15)


# --- where it is

STANDARD = """
name = "arm"
frames = "standard-dh"
[[link]]
joint = "revolute"
a = 0.4
d = 0.1
alpha = "90 deg"
mass = 3.0
[link.beam]
{beam}
[[link]]
joint = "revolute"
a = 0.3
mass = 1.0
[link.beam]
{beam}
"""


def test_standard_dh_begins_at_the_joint_not_at_the_frame():
    model = arm(STANDARD.format(beam=TUBE))
    np.testing.assert_allclose(model.links[0].beam.points, [[-0.4, -0.1, 0], [0, 0, 0]], atol=1e-15)
    assert [link.beam.to for link in model.links] == ["link2", "tool"]
    np.testing.assert_allclose(model.links[1].beam.points, [[-0.3, 0, 0], [0, 0, 0]])


def test_every_way_of_writing_frames_has_the_same_beam():
    mass, section = "mass = 1\n", f"[link.beam]\n{TUBE}"
    ways = {
        "standard-dh": ("a = 0.4\n", "a = 0.3\n", ""),
        "modified-dh": ("", "a = 0.4\n", "[tool]\nposition = [0.3, 0, 0]"),
        "placements": ("", "position = [0.4, 0, 0]\n", "[tool]\nposition = [0.3, 0, 0]"),
        "screws": (
            "axis = [0, 0, 1]\nhome = { position = [0.2, 0, 0] }\n",
            "twist = [0, -0.4, 0, 0, 0, 1]\nhome = { position = [0.55, 0, 0] }\n",
            "[tool]\nposition = [0.15, 0, 0]",
        ),
    }
    for way, (one, two, end) in ways.items():
        links = "".join(f'[[link]]\njoint = "revolute"\n{mass}{each}{section}' for each in (one, two))
        model = arm(f'name = "arm"\nframes = "{way}"\n{links}{end}')
        for link, body, end_x in zip(model.links, lower(model).bodies, (0.4, 0.3), strict=True):
            points = link.beam.points @ body.link[:3, :3].T + body.link[:3, 3]
            np.testing.assert_allclose(points, [[0, 0, 0], [end_x, 0, 0]], atol=1e-15, err_msg=way)


def test_corners_and_points_of_ones_own():
    words = 'through = [["-200 mm", 0.05, 0]]\nfrom = [-0.3, 0, 0]\nend = [0, 0, 0.1]\n'
    beam = arm(STANDARD.format(beam=words + TUBE)).links[0].beam
    assert beam.points.tolist() == [[-0.3, 0, 0], [-0.2, 0.05, 0], [0, 0, 0.1]]
    assert beam.sections[0] == beam.sections[1]
    assert beam.to == "link2"


BRANCHED = """
name = "arm"
frames = "placements"
[[link]]
joint = "revolute"
mass = 1
[link.beam]
{beam}
[[link]]
name = "left"
joint = "revolute"
position = [1, 1, 0]
mass = 1
[[link]]
name = "right"
parent = "link1"
joint = "fixed"
position = [1, -1, 0]
mass = 1
[tool]
link = "link1"
position = [2, 0, 0]
"""


@pytest.mark.parametrize(("to", "end"), [("left", [1, 1, 0]), ("right", [1, -1, 0]), ("tool", [2, 0, 0])])
def test_where_there_are_several_one_is_named(to, end):
    beam = arm(BRANCHED.format(beam=f'to = "{to}"\n{TUBE}')).links[0].beam
    assert (beam.to, beam.points.tolist()) == (to, [[0, 0, 0], end])


def test_branches():
    more = '[[link.beam.branch]]\nto = "right"\nthrough = [[0.5, -1, 0]]\nsection = { rod = ["20 mm"] }\n'
    more += '[[link.beam.branch]]\nend = [-0.2, 0, 0]\nsection = { rod = ["30 mm"] }\n'
    beam = arm(BRANCHED.format(beam=f'to = "left"\n{TUBE}{more}')).links[0].beam
    assert [branch.to for branch in beam.branches] == ["right", ""]
    assert beam.branches[0].points.tolist() == [[0, 0, 0], [0.5, -1, 0], [1, -1, 0]]
    assert [len(line) for line in beam.lines] == [1, 2, 1]
    lengths = np.sqrt(2), np.sqrt(1.25) + 0.5, 0.2
    areas = tube(0.08, 0.004, nu=0.33).area, rod(0.02, nu=0.33).area, rod(0.03, nu=0.33).area
    assert beam.mass.mass == pytest.approx(2700 * np.dot(lengths, areas))


def test_up_of_round_sections_is_chosen():
    assert arm(STANDARD.format(beam=TUBE)).links[0].beam.up.tolist() == [0, 0, 1]
    along_z = STANDARD.format(beam=TUBE + "from = [0, 0, -0.5]\nend = [0, 0, 0]\n")
    assert arm(along_z).links[0].beam.up.tolist() == [0, 1, 0]
    all_ways = TUBE + "from = [0, 0, 0]\nthrough = [[1, 0, 0], [1, 1, 0]]\nend = [1, 1, 1]\n"
    beam = arm(STANDARD.format(beam=all_ways)).links[0].beam
    assert min(np.linalg.norm(np.cross(beam.up, step)) for step in np.eye(3)) > 0.1


def test_defaults():
    beam = arm(STANDARD.format(beam=TUBE)).links[0].beam
    assert (beam.theory, beam.elements, beam.modes, beam.below) == ("euler-bernoulli", 8, 5, None)
    assert (beam.damping, beam.rule, beam.up_in) == (BeamDamping(0.01), "beside", None)
    beam = arm(STANDARD.format(beam=TUBE + 'below = "0.4 kHz"\ndamping = { rayleigh = [0.1, 1e-4] }\n')).links[0].beam
    assert (beam.modes, beam.below, beam.damping.rayleigh) == (None, 400.0, (0.1, 1e-4))
    assert arm(STANDARD.format(beam=TUBE + "damping = 0\n")).links[0].beam.damping == BeamDamping(0.0)


def test_materials_and_sections_with_units():
    words = 'section = { area = "9 cm^2", Iy = "4 cm^4", Iz = "30000 mm^4", J = 2e-8, shear = [0.8, 0.7] }\n'
    words += 'material = { E = "70 GPa", nu = 0.3, rho = "2.7 g/cm^3", yield = "250 MPa" }\nup = [0, 0, 2]\n'
    beam = arm(STANDARD.format(beam=words)).links[0].beam
    made = by_numbers(area=9e-4, Iy=4e-8, Iz=3e-8, J=2e-8, shear=(0.8, 0.7))
    for name in ("area", "Iy", "Iz", "J", "shear"):
        assert getattr(beam.sections[0], name) == pytest.approx(getattr(made, name))
    assert beam.material == Material("", 70e9, 0.3, 2700.0, 250e6)
    assert pytest.approx(70e9 / 2.6) == beam.material.G
    assert beam.up.tolist() == [0, 0, 1]


# --- what becomes of the link's mass


def test_beside_adds_and_keeps_what_the_file_says():
    link = arm(STANDARD.format(beam=TUBE)).links[0]
    assert (link.beam.own.mass, link.beam.own.com.tolist()) == (3.0, [0, 0, 0])
    whole = link.beam.own + link.beam.mass
    assert link.mass.mass == whole.mass
    np.testing.assert_array_equal(link.mass.inertia, whole.inertia)


def test_instead_leaves_rigid_dynamics_as_they_are():
    link = arm(STANDARD.format(beam=TUBE + 'mass = "instead"\n')).links[0]
    assert link.beam.own is None
    assert link.mass.mass == 3.0


def test_share_keeps_the_rest_rigid():
    text = STANDARD.format(beam=TUBE + 'mass = "share"\n').replace(
        "mass = 3.0\n", "mass = 3.0\ncom = [-0.2, 0, 0]\ninertia = [0.05, 0.2, 0.2]\n"
    )
    text = text.replace("mass = 1.0\n", "mass = 1.0\ncom = [-0.15, 0, 0]\ninertia = [0.01, 0.2, 0.2]\n")
    link = arm(text).links[0]
    assert link.mass.mass == 3.0
    whole = link.beam.own + link.beam.mass
    assert whole.mass == pytest.approx(3.0)
    np.testing.assert_allclose(whole.com, link.mass.com, atol=1e-15)
    np.testing.assert_allclose(whole.inertia, link.mass.inertia, atol=1e-15)


def test_a_beam_that_is_all_of_its_link_leaves_nothing():
    first = arm(STANDARD.format(beam=TUBE).replace("mass = 3.0\n", ""))
    mass = first.links[0].mass
    numbers = [mass.inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    said = f"mass = {mass.mass!r}\ncom = {mass.com.tolist()}\ninertia = {[float(x) for x in numbers]}\n"
    text = STANDARD.format(beam=TUBE).replace("mass = 3.0\n", said).replace(TUBE, TUBE + 'mass = "share"\n', 1)
    assert arm(text).links[0].beam.own.is_none


@pytest.mark.parametrize("rule", ["beside", "instead"])
def test_a_link_of_which_nothing_is_said_is_its_beam(rule):
    model = arm(STANDARD.format(beam=TUBE + f'mass = "{rule}"\n').replace("mass = 3.0\n", ""))
    link = model.links[0]
    assert link.beam.own is None
    assert link.mass.mass == link.beam.mass.mass
    assert not model.links_without_inertia


# --- springs of joints and drives


def test_compliance_and_stiffness_with_units():
    text = (
        'name = "arm"\nframes = "standard-dh"\n'
        '[[link]]\njoint = "revolute"\na = 1\nmass = 1\n[link.compliance]\nstiffness = "2 kN m/rad"\ndamping = 10\n'
        'tilt = [1e5, "2e5 N m/rad"]\ntilt_damping = ["3 N m s/rad", 0]\n'
        '[[link]]\njoint = "prismatic"\nmass = 1\ncompliance = { stiffness = "300 N/mm", damping = "5 N s/m" }\n'
        '[[link]]\njoint = "revolute"\nmass = 1\ncompliance = { tilt = [1e5, 1e5] }\n'
        '[[drive]]\nratio = { joint3 = 100 }\nrotor = { inertia = 1e-4 }\nstiffness = "2e4 N m/rad"\ndamping = 3\n'
    )
    model = arm(text)
    assert model.links[0].compliance == Compliance(2000.0, 10.0, (1e5, 2e5), (3.0, 0.0))
    assert model.links[1].compliance == Compliance(3e5, 5.0)
    assert model.links[2].compliance == Compliance(None, tilt=(1e5, 1e5))  # beside the stiffness of its drive
    assert (model.drives[0].stiffness, model.drives[0].damping, model.drives[0].joint) == (2e4, 3.0, 2)


def test_stiffness_of_coupled_drives_is_at_one_joint():
    drives = torsor.load("rl15-elastic").model.drives
    assert [drive.joint for drive in drives] == [0, 1, 2, 3, 4, 5]


# --- as data


def test_immutable_and_pickled():
    model = torsor.load("asea-irb").model
    beam = model.links[2].beam
    with pytest.raises(ValueError, match="read-only"):
        beam.points[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        beam.branches[0].points[0, 0] = 1.0
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert described(again) == described(model)
        assert not again.links[2].beam.points.flags.writeable
    stiffer = replace(beam, material=replace(beam.material, E=3e11))
    assert described(stiffer) != described(beam)


def test_exports_say_what_they_leave_out():
    model = torsor.load("ur5-elastic").model
    for write in (write_urdf, write_mjcf):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            text = write(model)
        said = " ".join(str(each.message) for each in caught)
        assert "the beam (the link is rigid there): upper_arm_link, forearm_link" in said
        assert "the compliance of the joint: shoulder_pan_joint, " in said
        assert "not in this file: the beam (the link is rigid there)" in text
    lost = mjcf_losses(torsor.load("rl15-elastic").model)
    assert "the stiffness of the drive: motor1, motor2, motor3, motor4, motor5, motor6" in lost


def test_made_by_hand_is_checked_too():
    beam = Beam(np.array([[0, 0, 0], [0.5, 0, 0]]), (bar(0.02, 0.03),), np.array([0, 0, 1.0]), STEEL)

    def made(beam: Beam, **more) -> Model:
        link = Link("link1", BASE, Joint("joint1", "revolute"), Mass(1.0, np.zeros(3), np.eye(3)), beam=beam, **more)
        return Model("one", (link,), Frame(0, np.eye(4)))

    assert made(beam).links[0].beam is beam
    bad = {
        "it has 1 sections for 2 pieces": replace(beam, points=np.array([[0, 0, 0], [0.2, 0, 0], [0.5, 0, 0]])),
        "its points have shape": replace(beam, points=np.zeros(3)),
        "a corner lies at nan m": replace(beam, points=np.array([[0, 0, 0], [np.nan, 0, 0]])),
        "a branch begins elsewhere": replace(
            beam, branches=(Branch(np.array([[0, 0, 1.0], [0, 1, 1]]), beam.sections),)
        ),
        "it must be a unit vector": replace(beam, up=np.array([0, 0, 2.0])),
        "which is no link": replace(beam, up_in="link9"),
        "E is nan Pa": replace(beam, material=replace(STEEL, E=np.nan)),
        "area is inf": replace(beam, sections=(replace(beam.sections[0], area=np.inf),)),
        "shear coefficient ky is nan": replace(beam, sections=(replace(beam.sections[0], shear=(np.nan, 0.8)),)),
        "both or neither": replace(beam, modes=None),
        "modes below 0 Hz": replace(beam, modes=None, below=0.0),
    }
    for words, wrong in bad.items():
        with pytest.raises(ModelError, match=words):
            made(wrong)
    with pytest.raises(ModelError, match="has the stiffness nan"):
        made(beam, compliance=Compliance(np.nan))
    with pytest.raises(ModelError, match="neither a stiffness nor a tilt"):
        made(beam, compliance=Compliance(None))
    with pytest.raises(ModelError, match=r"has the tilt \[nan, 1.0\]"):
        made(beam, compliance=Compliance(None, tilt=(np.nan, 1.0)))
    drive = Drive("motor1", np.array([10.0]), 0.0, 1e-4, BASE, np.array([0, 0, 1.0]), stiffness=-1.0)
    with pytest.raises(ModelError, match="the stiffness of drive 'motor1' is -1"):
        replace(made(beam), drives=(drive,))
    assert made(replace(beam, material=replace(STEEL, E=210e15)))  # how rigid arms are approached


# --- the library


def test_ur5_elastic_is_ur5_with_tubes():
    rigid, elastic = torsor.load("ur5").model, torsor.load("ur5-elastic").model
    bodies = list(zip(lower(rigid).bodies, lower(elastic).bodies, strict=True))
    assert [one.name for one, _ in bodies] == [two.name for _, two in bodies]
    for one, two in bodies:
        np.testing.assert_array_equal(one.rotation, two.rotation)
        np.testing.assert_array_equal(one.position, two.position)
        np.testing.assert_array_equal(one.link, two.link)
        link = elastic.links[two.place]
        assert one.mass == (link.mass if link.beam is None else link.beam.own).mass
        joint = rigid.links[one.place].joint
        assert (joint.name, joint.limits) == (link.joint.name, link.joint.limits)
    for frame in ("tool", "ee_link"):
        np.testing.assert_array_equal(lower(rigid).mount(frame).rotation, lower(elastic).mount(frame).rotation)
        np.testing.assert_array_equal(lower(rigid).mount(frame).position, lower(elastic).mount(frame).position)


def test_ur5_tubes_are_the_oracles():
    model, oracle = torsor.load("ur5-elastic").model, ORACLE["ur5_tubes"]
    ends = {"upper_arm_link": (0.425, 0, -0.1197), "forearm_link": (0.39225, 0, 0)}
    for body in lower(model).bodies:
        beam = model.links[body.place].beam
        if beam is not None:
            points = beam.points @ body.link[:3, :3].T + body.link[:3, 3]
            np.testing.assert_allclose(points, [[0, 0, 0], ends.pop(body.name)], rtol=0, atol=1e-15)
            assert beam.sections == (tube(0.08, 0.004, nu=0.33),)
            made_of = beam.material
            assert (made_of.E, made_of.nu, made_of.rho, beam.elements, beam.modes) == (7e10, 0.33, 2700.0, 8, 5)
    assert not ends
    stiffness = {link.joint.name: link.compliance.stiffness for link in model.links}
    assert list(stiffness.values()) == oracle["inputs"]["joint_stiffness"]
    posture = dict(zip(model.joint_names, oracle["q"], strict=True))
    for springs, expected in (({}, oracle["locked_hz"]), (stiffness, oracle["joint_compliance_hz"])):
        found = PlainFrame(model, posture, springs).frequencies()[: len(expected)]
        np.testing.assert_allclose(found, expected, rtol=1e-7)


def test_asea_beams_are_simaseas():
    """The frequencies of 14 elements, welded and with the hinges of the loop released, by the file's data alone."""
    model, oracle = torsor.load("asea-irb").model, ORACLE["asea_irb"]["P2"]
    posture = {f"joint{i + 1}": x for i, x in enumerate(np.radians(oracle["theta_deg"]))}
    for hinges, expected in (((), oracle["welded_hz"]), (("joint3", "joint8"), oracle["released_hz"])):
        frame = PlainFrame(model, posture, dict.fromkeys(hinges, 0.0), rotary=False)
        (rod_end, rod_moves), (lever_end, lever_moves) = frame.ends[7, "parallel"], frame.ends[2, "parallel"]
        np.testing.assert_allclose(rod_end, lever_end, atol=1e-12)
        apart = rod_moves - lever_moves
        if hinges:  # free about z1
            across = np.linalg.svd(frame.T[0][:3, 2][None])[2][1:]
            apart = np.vstack([apart[:3], across @ apart[3:]])
        np.testing.assert_allclose(frame.frequencies(apart)[: len(expected)], expected, rtol=1e-7)


def test_asea_beams_weigh_what_14_elements_weigh():
    model = torsor.load("asea-irb").model
    beams = [link.beam for link in model.links]
    assert sum(len(beam.pieces) for beam in beams) == 14
    lengths = [piece.length for beam in beams for piece in beam.pieces]
    assert sum(beam.mass.mass for beam in beams) == pytest.approx(7850 * 9e-4 * sum(lengths), rel=1e-14)
    assert sum(lengths) == pytest.approx(0.55 + 0.60 + 0.24 + 0.54 + 0.30 + 0.25 + 0.60)
    assert all(beam.rule == "instead" and beam.own is None and beam.modes == beam.freedoms for beam in beams)
    assert model.total_mass == pytest.approx(4.3)


def test_elastic_arm2_is_the_oracles():
    model = torsor.load("elastic-arm2").model
    for link in model.links:
        beam = link.beam
        (section,) = beam.sections
        assert beam.material.E * section.Iz == pytest.approx(37.8)
        assert beam.material.rho * section.area == pytest.approx(0.486)
        assert beam.length == 1.0
        assert beam.damping.ratio == 0.0
        np.testing.assert_array_equal(section_axes(np.array([1.0, 0, 0]), beam.up), np.eye(3))
    assert [link.beam.own.mass for link in model.links] == [0.0, 0.5]
    assert model.payload.mass == 0.5
    assert not model.gravity.any()


def test_rl15_elastic_is_rl15_and_shakes_at_ten_hertz():
    rigid, elastic = torsor.load("rl15").model, torsor.load("rl15-elastic").model
    for one, two in zip(lower(rigid, drives=True).bodies, lower(elastic, drives=True).bodies, strict=True):
        assert described(one) == described(two)
    springs = {elastic.joint_names[drive.joint]: drive.stiffness for drive in elastic.drives}
    for q in ([0, 0, 0, 0, 0, 0], [0, -0.3, 0.3, 0, 0.5, 0], [0, 0.8, -1.0, 0, 0.5, 0]):
        first = PlainFrame(elastic, dict(zip(elastic.joint_names, q, strict=True)), springs).frequencies()[0]
        assert 8.0 < first < 15.0
    for link in (elastic.links[1], elastic.links[3]):
        assert link.beam.rule == "share"
        assert not list(link.beam.own.impossibilities())
