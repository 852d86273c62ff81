"""Arm files that stand on another description: what they say holds, all else stays."""

import numpy as np
import pytest

import torsor
from flawed_urdfs import FLAWED, arm
from torsor.errors import ModelError
from torsor.model.facts import described

MOTORS = "".join(
    f"""
[[drive]]
name = "m{k}"
ratio = {{ joint_{k} = 100.0 }}
rotor = {{ inertia = 1e-4 }}
motor = {{ torque = 2.0, speed = "3000 rpm", continuous = 0.8 }}
"""
    for k in (1, 2, 3)
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "arm.urdf").write_text(arm())
    (tmp_path / "bare.urdf").write_text(FLAWED["no masses"])
    return tmp_path


def written(folder, text, name="mine.toml"):
    path = folder / name
    path.write_text(text)
    return path


def test_nothing_said_is_the_same_arm(folder):
    path = written(folder, 'base = "arm.urdf"\n')
    assert described(torsor.load(path).model) == described(torsor.load(folder / "arm.urdf").model)


def test_motors_limits_payload_and_tool(folder):
    text = """base = "arm.urdf"
name = "mine"
[[link]]
joint_name = "joint_2"
limits = { torque = 80, acceleration = 5.0 }
[[link]]
name = "link_3"
mass = 1.5
com = [0.2, 0, 0]
inertia = [0.01, 0.02, 0.02]
[tool]
position = [0.3, 0, 0]
payload = { mass = 2.0 }
"""
    model = torsor.load(written(folder, text + MOTORS)).model
    base = torsor.load(folder / "arm.urdf").model
    assert (model.name, model.joint_names) == ("mine", base.joint_names)
    second = model.links[1].joint.limits
    assert (second.torque, second.acceleration, second.speed, second.position) == (80.0, 5.0, 2.0, (-2.0, 2.0))
    assert (model.links[2].mass.mass, model.links[1].mass.mass) == (1.5, 2.0)
    assert (model.payload.mass, model.tool.link) == (2.0, base.tool.link)
    np.testing.assert_array_equal(model.tool.placement[:3, 3], [0.3, 0.0, 0.0])
    assert [drive.motor.torque for drive in model.drives] == [2.0] * 3
    assert str(model.read_from).startswith(str(folder / "mine.toml"))
    assert model.read_from.stands_on.path == str(folder / "arm.urdf")


def test_masses_make_torques_known(folder):
    masses = "".join(
        f'[[link]]\nname = "link_{k}"\nmass = 2\ncom = [0.1, 0, 0]\ninertia = [0.02, 0.03, 0.03]\n' for k in (1, 2, 3)
    )
    model = torsor.load(written(folder, 'base = "bare.urdf"\n' + masses)).model
    assert model.links_without_inertia == ()
    assert described(model) == described(torsor.load(folder / "arm.urdf").model)


def test_files_stand_on_files_and_on_the_library(folder):
    written(folder, 'base = "arm.urdf"\n[tool]\npayload = { mass = 1 }\n', "one.toml")
    two = torsor.load(written(folder, 'base = "one.toml"\ngravity = [0, 0, -1.6]\n', "two.toml")).model
    assert (two.payload.mass, two.gravity[2]) == (1.0, -1.6)
    assert torsor.load(written(folder, 'base = "ur5"\n', "three.toml")).n == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"gone.urdf"\n', ":1: base is 'gone.urdf', which is no file; a path from this file to .toml, .urdf"),
        ('"mine.toml"\n', ":1: base is 'mine.toml', which stands on this file itself; one of the files must"),
        ('"arm.urdf"\n[[link]]\nname = "lnk_1"\n', ":3: link[1].name is 'lnk_1', which is no link; did you mean"),
        ('"arm.urdf"\n[[link]]\nmass = 1\n', ":2: link[1] has no name; say which link it is, by name or by joint_name"),
        ('"arm.urdf"\nframes = "screws"\n', ":2: unknown key frames; did you mean 'frame'? known: base, name"),
        (
            '"arm.urdf"\n[[link]]\nname = "link_1"\nlimits = { torque = -1 }\n',
            ":4: the torque limit of joint 'joint_1' is -1; it is a size",
        ),
        (
            '"arm.urdf"\n[[drive]]\nratio = { joint_9 = 1 }\nrotor = { inertia = 0 }\n',
            ":3: drive[1] drives joint 'joint_9', which does not exist",
        ),
    ],
)
def test_what_is_wrong_says_where(folder, text, message):
    path = written(folder, f"base = {text}")
    with pytest.raises(ModelError) as caught:
        torsor.load(path)
    assert str(caught.value).startswith(f"{path}{message}"), str(caught.value)


def test_the_verdict_names_both_files(folder):
    path = written(folder, 'base = "arm.urdf"\n' + MOTORS)
    program = folder / "p.irl"
    program.write_text("program p;\nseq\n  move ptp joint(mainjoint(12, -17, 23));\nendseq\nendprogram\n")
    verdict = torsor.check(program, path)
    assert "mine.toml (sha256 " in dict(verdict.conditions.items())["robot"]
    assert " on " in dict(verdict.conditions.items())["robot"]
    assert verdict.machine.rms_of == ("continuous",) * 3
