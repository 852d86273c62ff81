import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import torsor
from library_arms import library

NOTHING_INSIDE = """
name = "hollow"
frames = "placements"
gravity = [0, 0, 0]
[[link]]
joint = "revolute"
[[link]]
joint = "screw"
pitch = "5 mm/rev"
mass = 1
limits = { position = [-1, 1] }
[[link]]
joint = "revolute"
mimic = { joint = "joint1", factor = -2, offset = 0.5 }
mass = 1
inertia = [0.1, 0.1, 0.1]
[[frame]]
name = "camera"
link = "link2"
position = [0.1, 0, 0]
[tool]
payload = { mass = 2.5 }
"""


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", library(massless=True))
def test_tables_fit_and_line_up(run, name, width):
    ran = run("show", name, width=width)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= width
    assert not any(line.endswith(" ") for line in lines)
    assert "…" not in ran.out  # nothing is cut
    for start in (i + 1 for i, line in enumerate(lines) if line and set(line) == {"─"}):
        table = lines[start - 2 : start - 1] + lines[start : lines.index("", start)]
        assert max(map(len, table)) <= len(lines[start - 1])


def test_every_part_of_an_arm_is_shown(run):
    arm = torsor.load("rl15").model
    text = run("show", "rl15", width=120).out
    for link in arm.links:
        assert link.name in text
        assert f"{link.mass.mass:g}" in text
    for drive in arm.drives:
        assert drive.name in text
        assert f"{drive.rotor_inertia:g}" in text
    assert "1 joint2 + 119 joint3" in text
    assert "- 1" not in text.split("Checks")[0]  # a negative first ratio is written -1, not - 1
    for correction in arm.corrections:
        assert correction.split()[0] in text


BENDS = """
name = "bends"
frames = "placements"
[[link]]
joint = "revolute"
mass = 3
com = [0.2, 0, 0]
inertia = [0.1, 0.1, 0.1]
limits = { position = ["10 deg", "50 deg"] }
compliance = { tilt = [1e5, 2e5], tilt_damping = [3, 4] }
[[link]]
joint = "prismatic"
mass = 1
compliance = { stiffness = "300 N/mm" }
[link.beam]
section = [{ rod = ["30 mm"] }, { bar = ["20 mm", "30 mm"] }]
through = [[0.3, 0, 0]]
up = [0, 0, 1]
material = "steel"
below = "900 Hz"
damping = { rayleigh = [0.5, 1e-5] }
[tool]
position = [0.3, 0.2, 0]
"""


def test_what_bends_is_shown(run, tmp_path):
    file = tmp_path / "bends.toml"
    file.write_text(BENDS)
    ran = run("show", file)
    assert (ran.code, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    arm = torsor.load(file)
    locked, held = (arm.elastic.frequencies(np.radians([30.0, 0.0]), drives=d)[:3] for d in ("locked", "held"))
    for line in (
        "link2 steel 210 0.5 2.6067 below 900 Hz 0.5 M + 1e-05 K",
        "link2 rod 30 mm 0.3 7.0686 3.9761 3.9761 7.9522",
        "link2 bar 20 mm x 30 mm 0.2 6 4.5 2 4.6983",
        "joint2 3e+05 0 N/m, N s/m",
        "joint1 1e+05 2e+05 3 4",
        "First natural frequencies, at joint1 30 deg, others zero",
        "locked " + " ".join(f"{f:.5g}" for f in locked),
        "held " + " ".join(f"{f:.5g}" for f in held),
    ):
        assert line in lines
    found = json.loads(run("show", file, "--json").out)["elastic"]
    assert found["posture"] == {"joint1": pytest.approx(np.pi / 6), "joint2": 0.0}
    assert found["frequencies"] == {"locked": pytest.approx(locked), "held": pytest.approx(held)}
    assert found["compliance"]["joint1"]["tilt"] == [1e5, 2e5]
    assert [each["text"] for each in found["beams"]["link2"]["sections"]] == ["rod 30 mm", "bar 20 mm x 30 mm"]
    assert json.loads(run("show", "planar2", "--json").out)["elastic"] is None
    assert "frequencies" not in run("show", "planar2").out


def test_frequencies_that_are_not_to_be_had_are_said(run, tmp_path):
    file = tmp_path / "bends.toml"
    spring = '[[link]]\njoint = "revolute"\nmass = 1\ncompliance = { stiffness = 1e3 }\n'
    file.write_text('name = "spring"\nframes = "standard-dh"\n' + spring)
    ran = run("show", file)
    assert (ran.code, ran.err) == (0, "")
    said = ran.out.split("First natural frequencies\n")[1].splitlines()[:2]
    assert said[0] == "locked  'spring' has no elastic links; ask with drives=\"held\""
    assert said[1] == "held    frequencies of 'spring': 'joint1.spring' moves no mass; give what swings"


def test_checks_name_the_link_and_the_numbers(run):
    text = " ".join(run("show", "rl15").out.split())
    assert "warn link1: principal moments (0, 0, 19) kg m^2 break the triangle inequality: 19 > 0 + 0" in text
    assert "joint2: speed limit 3.46 rad/s is more than motor2 gives (2.464): the smaller holds" in text
    assert "masses and inertias are those of real bodies" in run("show", "ur5").out


def test_an_arm_without_inertia_is_shown_and_said_to_be_so(run, tmp_path):
    file = tmp_path / "hollow.toml"
    file.write_text(NOTHING_INSIDE)
    ran = run("show", file, width=120)
    assert ran.code == 0
    assert "no inertia given for link1: kinematics work, dynamics are refused" in ran.out
    assert "camera" in ran.out
    assert "revolute = -2 joint1 + 0.5" in ran.out
    assert "2.5 kg at (0, 0, 0) m in the tool frame" in ran.out


def test_a_joint_that_moves_no_mass_is_found(run, tmp_path):
    file = tmp_path / "ghost.toml"
    file.write_text('name = "ghost"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\nmass = 0\n')
    out = run("show", file).out
    assert "mass matrix singular" in out
    assert "massless: link1" in out


def test_screws_are_shown_in_base_axes(run, tmp_path):
    file = tmp_path / "screws.toml"
    file.write_text(
        'name = "s"\nframes = "screws"\n'
        '[[link]]\njoint = "revolute"\naxis = [0, 0, 1]\nhome = { position = [0.5, 0, 0] }\nmass = 1\n'
        '[[link]]\njoint = "revolute"\naxis = [0, -1, 0]\npoint = [0.5, 0, 0.3]\nmass = 1\ncom = [0.1, 0, 0]\n'
    )
    joint2 = next(line for line in run("show", file).out.splitlines() if line.startswith("joint2"))
    assert joint2.split() == ["joint2", "-y", "0.5", "0", "0.3"]


@pytest.mark.parametrize("name", library(massless=True))
def test_json_is_the_model(run, name):
    ran = run("show", name, "--json")
    document = json.loads(ran.out)
    arm = torsor.load(name)
    assert (ran.code, ran.err) == (0, "")
    assert document["joints"] == list(arm.joint_names)
    assert document["mass"] == arm.model.total_mass
    assert [link["name"] for link in document["links"]] == [link.name for link in arm.model.links]
    for link, shown in zip(arm.model.links, document["links"], strict=True):
        assert shown["joint"]["before"] == link.joint.before.tolist()
        assert (shown["body"] is None) == (link.mass is None)
        if link.mass is not None:
            assert shown["body"]["inertia"] == link.mass.inertia.tolist()
    assert [drive["ratio"] for drive in document["drives"]] == [drive.ratio.tolist() for drive in arm.model.drives]
    assert len(document["loops"]) == len(arm.model.loops)


def test_a_motor_that_warms_is_shown(run, tmp_path):
    file = tmp_path / "warm.toml"
    file.write_text(
        'name = "warm"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\nmass = 1\ncom = [0.1, 0, 0]\n'
        "[[drive]]\nratio = [10]\nrotor = { inertia = 1e-3 }\n"
        "motor = { torque = 2, continuous = 1, thermal = { time_constant = 2, rise = 80, limit = 100 } }\n"
    )
    motor = json.loads(run("show", file, "--json").out)["drives"][0]["motor"]
    assert motor["thermal"] == {"time_constant": 2.0, "rise": 80.0, "limit": 100.0}


def test_absurd_sizes_are_shown_not_choked_on(run, tmp_path):
    """Up to the largest numbers that an arm may have; beyond them see tests/model/test_ranges.py."""
    file = tmp_path / "huge.toml"
    link = '[[link]]\njoint = "revolute"\na = 1e12\nmass = 1e12\nlimits = { position = [-1e12, 1e12] }\n'
    file.write_text(f'name = "huge"\nframes = "standard-dh"\n{link}{link}')
    ran = run("show", file)
    assert (ran.code, ran.err) == (0, "")
    assert "reach    unbounded" in ran.out
    assert json.loads(run("show", file, "--json").out)["mass"] == 2e12


def test_a_reach_along_a_thread_of_postures_is_given_up_and_said(run, tmp_path):
    """Of a delta whose plate slides along z twice its loops close almost nowhere: climbing there took minutes."""
    delta = (Path(torsor.__file__).parent / "model/library/delta.toml").read_text()
    skewed = delta.replace('joint_name = "x"\naxis = [1, 0, 0]', 'joint_name = "x"\naxis = [1, 0, 1e6]')
    assert skewed != delta
    file = tmp_path / "skewed.toml"
    file.write_text(skewed)
    assert "reach    at least 0." in run("show", file).out
    assert json.loads(run("show", file, "--json").out)["reach"]["is_largest"] is False
    assert json.loads(run("show", "delta", "--json").out)["reach"]["is_largest"] is True


def test_a_file_cannot_steer_the_terminal(run, tmp_path):
    file = tmp_path / "sly.toml"
    file.write_text(
        'name = "sly"\nframes = "standard-dh"\nsource = "two\\nlines \\u001b[31m"\n[[link]]\njoint = "revolute"\n'
    )
    out = run("show", file).out
    assert "\x1b" not in out
    assert r"two lines \x1b[31m" in out


def test_the_arm_in_space_is_a_page_of_one_file(run, tmp_path):
    page = tmp_path / "arm.html"
    ran = run("show", "planar2", "--3d", "--no-open", "-o", page)
    assert (ran.code, ran.out, ran.err) == (0, f"page  {page}\n", "")
    assert '"name":"planar2"' in page.read_text()


def test_without_a_name_the_page_is_a_temporary_file(run):
    ran = run("show", "planar2", "--3d", "--no-open")
    assert ran.code == 0
    page = Path(ran.out.split(maxsplit=1)[1].strip())
    assert page.read_text().startswith("<!doctype html>")
    shutil.rmtree(page.parent)


def test_meshes_that_cannot_be_drawn_are_said(run, tmp_path):
    (tmp_path / "bad.stl").write_text("nothing")
    (tmp_path / "arm.urdf").write_text(
        '<robot name="arm"><link name="base"/><link name="a"><visual><geometry><mesh filename="bad.stl"/></geometry>'
        '</visual></link><joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>'
    )
    ran = run("show", tmp_path / "arm.urdf", "--3d", "--no-open", "-o", tmp_path / "arm.html", width=160)
    assert ran.code == 0
    note = "note  mesh bad.stl says that it has 0 triangles, and ends before them; its link is drawn plainly"
    assert ran.out.splitlines()[1] == note


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--3d", "--json"], "--json and --3d do not go together; ask for one of them"),
        (["-o", "a.html"], "-o names a page, which --3d makes; torsor show ROBOT --3d -o FILE.html"),
        (["--3d", "-o", "none/a.html"], "none/a.html: cannot write here: No such file or directory"),
    ],
)
def test_options_that_do_not_go_together(run, options, problem):
    ran = run("show", "planar2", *options)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{problem}\n")


def test_numbers_stay_whole_however_narrow(run):
    """A column that does not fit makes lines longer: digits that are cut off are another number."""
    ran = run("show", "ur5-elastic", width=40)
    for number in ("0.089159", "-0.1197", "0.39225", "0.010267", "torque"):
        assert number in ran.out
