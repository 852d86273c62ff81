"""The arms that come with Torsor: sources named, data as the data sheets have it, oddities listed."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.model.library import __doc__ as about

LIBRARY = Path(str(files("torsor.model.library")))
TOMLS = sorted(path.stem for path in LIBRARY.glob("*.toml"))
NONPHYSICAL = {
    "puma560": ["link1", "link3"],
    "puma560-akb": ["link1", "link3"],
    "puma560-burdick": ["link1", "link3"],
    "rl15": ["link1"],
    "rl15-elastic": ["link1"],
}


def model(robot: str):
    return torsor.load(robot).model


def test_all_are_there():
    assert set(torsor.robots()) >= {
        "asea-irb", "delta", "elastic-arm2", "five-bar", "fourbar", "irb140", "panda", "parallelogram5", "planar2",
        "planar3", "puma560", "puma560-akb", "puma560-burdick", "rl15", "rl15-elastic", "scara", "sdt4", "slider-crank",
        "stanford", "ur5", "ur5-elastic",
    }  # fmt: skip
    assert about


@pytest.mark.parametrize("robot", TOMLS)
def test_sources_and_corrections(robot):
    text = (LIBRARY / f"{robot}.toml").read_text()
    arm = model(robot)
    assert arm.name == robot
    assert len(arm.source) > 20
    assert text.startswith("# ")
    assert max(map(len, text.splitlines())) <= 250
    # a value that is marked as corrected where it stands is explained in the list
    if "corrected" in text.split("[[link]]", 1)[1]:
        assert arm.corrections


@pytest.mark.parametrize("robot", torsor.robots())
def test_nonphysical_data_is_declared(robot):
    arm = model(robot)
    assert list(arm.nonphysical()) == NONPHYSICAL.get(robot, [])
    assert arm.allow_nonphysical == (robot in NONPHYSICAL)
    if robot in NONPHYSICAL:
        text = (LIBRARY / f"{robot}.toml").read_text()
        comment = " ".join(line for line in text.splitlines() if line.startswith("#"))
        assert all(link in comment for link in NONPHYSICAL[robot])


KINEMATIC = {"irb120", "irb1200", "irb2600", "irb4600", "irb6640"}  # ABB publishes no masses


@pytest.mark.parametrize("robot", torsor.robots())
def test_all_have_inertia_and_move(robot):
    arm = torsor.load(robot).tree
    assert (arm.model.links_without_inertia != ()) is (robot in KINEMATIC)
    if robot in KINEMATIC:
        assert "not published" in arm.model.corrections[0]
        return
    M = arm.reference.mass_matrix(np.full(arm.n, 0.3))
    np.linalg.cholesky((M + M.T) / 2)


def test_every_way_of_writing_frames_is_shown():
    ways = {tomllib.loads((LIBRARY / f"{robot}.toml").read_text())["frames"] for robot in TOMLS}
    assert ways == {"standard-dh", "modified-dh", "screws", "placements"}


def test_irb140_links_are_cylinders():
    """Table 3.1 with (3.47), (3.48): radius, height, axis in the link frame."""
    cylinders = {
        "link1": (0.191, 0.363, 1),
        "link2": (0.151, 0.515, 0),
        "link4": (0.115, 0.583, 1),
        "link6": (0.044, 0.107, 2),
    }
    arm = model("irb140")
    for name, (r, h, axis) in cylinders.items():
        mass = arm.links[arm.link_index(name)].mass
        expected = np.full(3, mass.mass * (3 * r**2 + h**2) / 12)
        expected[axis] = mass.mass * r**2 / 2
        np.testing.assert_allclose(np.diag(mass.inertia), expected, rtol=1e-6)
    assert arm.total_mass == 75.0  # the base weighs the other 23 kg of 98
    assert [link.name for link in arm.links if link.mass.is_none] == ["link3", "link5"]


def box(mass: float, x: float, y: float, z: float) -> list[float]:
    return [mass / 12 * (y**2 + z**2), mass / 12 * (x**2 + z**2), mass / 12 * (x**2 + y**2)]


def cylinder(mass: float, r: float, h: float) -> list[float]:
    across = mass / 12 * (3 * r**2 + h**2)
    return [across, across, mass * r**2 / 2]


@pytest.mark.parametrize(
    ("robot", "link", "inertia"),
    [
        ("sdt4", "arm", box(2400, 3.6, 0.9, 0.6)),
        ("sdt4", "yoke", box(800, 0.4, 1.2, 2.8)),
        ("sdt4", "ring", [600 * 1.3**2, 300 * 1.3**2, 300 * 1.3**2]),
        ("sdt4", "cockpit", box(700, 1.7, 1.5, 2.2)),
        ("scara", "inner", box(12, 0.53, 0.20, 0.15)),
        ("scara", "outer", box(8, 0.45, 0.16, 0.20)),
        ("scara", "slide", cylinder(2, 0.04, 0.30)),
        ("scara", "quill", cylinder(1, 0.01, 0.40)),
        ("planar3", "upper", [0.0, 4 / 12, 4 / 12]),
        ("planar3", "lower", [0.0, 3 * 0.64 / 12, 3 * 0.64 / 12]),
        ("planar3", "hand", [0.0, 0.16 / 12, 0.16 / 12]),
    ],
)
def test_invented_links_are_the_solids_they_claim(robot, link, inertia):
    arm = model(robot)
    np.testing.assert_allclose(np.diag(arm.links[arm.link_index(link)].mass.inertia), inertia, rtol=1e-12)


def test_sdt4_axes():
    """Kvrgic & Vidakovic (89): z0, z1 up, z2 = (s12, -c12, 0), z3 = (c12 c3, s12 c3, s3)."""
    arm = torsor.load("sdt4")
    q = np.array([0.3, -0.5, 0.7, 0.2])
    s12, c12, s3, c3 = np.sin(q[0] + q[1]), np.cos(q[0] + q[1]), np.sin(q[2]), np.cos(q[2])
    axes = arm.reference.jacobian(q)[3:].T
    np.testing.assert_allclose(axes, [[0, 0, 1], [0, 0, 1], [s12, -c12, 0], [c12 * c3, s12 * c3, s3]], atol=1e-15)
    p = [arm.reference.pose(q, frame=name)[:3, 3] for name in ("arm", "yoke", "ring", "cockpit")]
    np.testing.assert_allclose(p[0], [2.5 * np.cos(q[0]), 2.5 * np.sin(q[0]), 0], atol=1e-15)
    np.testing.assert_allclose(p[1] - p[0], [0, 0, 1.6], atol=1e-15)
    np.testing.assert_allclose([p[2], p[3]], [p[1], p[1]], atol=1e-15)


def test_stanford_centres_of_mass_lie_within_the_arm():
    """The correction: in metres none is further from its joint than the link is long."""
    arm = model("stanford")
    far = [float(np.abs(link.mass.com).max()) for link in arm.links]
    assert max(far) == 0.6447
    # moments about the origin: about the centre of mass they are smaller, and still those of a body
    boom = arm.links[2].mass
    np.testing.assert_allclose(boom.inertia_about_origin, np.diag([2.51, 2.51, 0.006]), atol=1e-12)
    assert 0.5 < boom.inertia[0, 0] < 1.0


def test_scara_reaches():
    arm = torsor.load("scara")
    np.testing.assert_allclose(arm.reference.pose(np.zeros(4))[:3, 3], [0.8, 0.0, 0.5], atol=1e-15)
    np.testing.assert_allclose(arm.reference.pose(np.array([0, 0, 0.1, 0.5]))[:3, 3], [0.8, 0.0, 0.4], atol=1e-15)
    np.testing.assert_allclose(arm.reference.pose(np.zeros(4))[:3, 2], [0, 0, -1], atol=1e-15)


def test_rl15_drives():
    """q_a = N q of (D.1), (D.2), and appendix E."""
    oracle = json.loads((Path(__file__).parent.parent / "oracles" / "rl15.json").read_text())
    drives = model("rl15").drives
    np.testing.assert_allclose([drive.ratio for drive in drives], oracle["meta"]["gear_matrix_N"], rtol=1e-15)
    assert [drive.rotor_inertia for drive in drives] == [0.0042, 0.009, 0.0042, 0.0008, 0.001, 0.0007]
    assert [drive.friction.load for drive in drives] == [0.22, 0.22, 0.22, 0.22, 0.35, 0.21]
    assert [drive.friction.viscous for drive in drives] == [0.00025, 0.00025, 0.00025, 0.002, 0.003, 0.002]
    assert [drive.motor.torque for drive in drives] == [17.8, 38.6, 17.8, 3.47, 3.47, 3.47]
    rpm = [drive.motor.speed * 30 / np.pi for drive in drives]
    np.testing.assert_allclose(rpm, [3150, 2800, 3150, 3400, 3400, 3400], rtol=1e-15)
    # the limits of axes 1 to 3 exceed what the motors can do, those of 4 to 6 agree
    limits = [link.joint.limits.speed for link in model("rl15").links]
    by_motor = [drive.motor.speed / drive.ratio[i] for i, drive in enumerate(drives)]
    assert [limit > fastest * 1.01 for limit, fastest in zip(limits, by_motor, strict=True)] == [True] * 3 + [False] * 3


def test_puma560_drives():
    drives = model("puma560").drives
    assert [drive.ratio[i] for i, drive in enumerate(drives)] == [-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686]
    assert [drive.rotor_inertia for drive in drives] == [200e-6] * 3 + [33e-6] * 3
    assert [drive.friction.viscous for drive in drives] == [1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6]
    assert drives[0].friction.coulomb == (0.435, 0.395)  # by the motor's direction, against that of its joint
    assert drives[5].friction.coulomb == (3.96e-3, 10.5e-3)
    assert [drive.rotor_inertia for drive in model("puma560-akb").drives] == [291e-6, 409e-6, 299e-6] + [35e-6] * 3
    # G^2 Jm of the toolbox: what the oracle's M_with_motor has on its diagonal beyond M_link
    oracle = json.loads((Path(__file__).parent.parent / "oracles" / "puma560.json").read_text())["standard_DH_puma560"][
        "qz"
    ]
    added = np.array(oracle["M_with_motor"]) - np.array(oracle["M_link"])
    expected = sum(drive.rotor_inertia * np.outer(drive.ratio, drive.ratio) for drive in drives)
    np.testing.assert_allclose(added, expected, atol=1e-12)


def test_asea_geometry():
    arm = model("asea-irb")
    assert [link.parent for link in arm.links] == [-1, 0, 1, 2, 3, 4, 0, 6]
    assert arm.tool.link == 5
    (loop,) = arm.loops
    assert (loop.kind, loop.first.link, loop.second.link) == ("hinge", 7, 2)
    assert loop.driven == ("joint1", "joint2", "joint4", "joint5", "joint6", "joint7")
    assert arm.nonphysical() == {}
