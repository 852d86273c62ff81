import warnings
from xml.etree import ElementTree

import numpy as np
import pytest

import torsor
from library_arms import WITH_MASSES
from torsor.errors import DescriptionWarning
from torsor.model.facts import described

PLAIN = [name for name in WITH_MASSES if not torsor.load(name).model.loops]


@pytest.mark.parametrize("name", PLAIN)
def test_urdf_read_again_gives_the_same_torques(run, tmp_path, name):
    file = tmp_path / f"{name}.urdf"
    ran = run("export", name, "--to", "urdf", "-o", file)
    assert (ran.code, ran.out) == (0, "")
    arm = torsor.load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DescriptionWarning)
        again = torsor.load(file, allow_nonphysical=True)
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 20, arm.n))
    tau = arm.inverse_dynamics(q, qd, qdd)
    np.testing.assert_allclose(again.inverse_dynamics(q, qd, qdd), tau, rtol=0, atol=1e-12 * np.abs(tau).max())


def test_without_a_file_the_text_goes_to_stdout(run):
    ran = run("export", "planar2", "--to", "mjcf")
    assert ran.code == 0
    assert ElementTree.fromstring(ran.out).tag == "mujoco"


def test_what_is_lost_is_said_on_stderr(run):
    ran = run("export", "rl15", "--to", "urdf")
    assert ran.code == 0
    assert "motor3" in ran.err  # it moves two joints, which no transmission of URDF can
    assert all(line.startswith("warning: ") for line in ran.err.splitlines())
    assert ElementTree.fromstring(ran.out).tag == "robot"


def test_a_file_that_cannot_be_written_is_named_and_the_old_one_kept(run, tmp_path):
    missing = tmp_path / "nowhere" / "arm.urdf"
    ran = run("export", "planar2", "--to", "urdf", "-o", missing)
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == f"{missing}: cannot write here: No such file or directory"
    folder = tmp_path / "folder.urdf"
    folder.mkdir()
    ran = run("export", "planar2", "--to", "urdf", "-o", folder)
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == f"{folder}: this is a folder; give the path of a file"
    assert list(tmp_path.iterdir()) == [folder]  # no half-written file is left


def test_what_the_format_does_not_have_is_refused(run, tmp_path):
    file = tmp_path / "screw.toml"
    file.write_text('name = "s"\nframes = "placements"\n[[link]]\njoint = "screw"\npitch = 0.1\nmass = 1\n')
    ran = run("export", file, "--to", "urdf")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "joint 'joint1' is a screw, which URDF does not have; export an arm without it\n"


def test_an_arm_file_is_the_same_arm(run, tmp_path):
    file = tmp_path / "ur5.toml"
    assert run("export", "ur5", "--to", "toml", "-o", file).code == 0
    assert described(torsor.load(file).model) == described(torsor.load("ur5").model)
