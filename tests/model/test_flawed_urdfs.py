"""URDFs as they are published: what others read is read, each flaw is told once with what it is taken as."""

import warnings

import numpy as np
import pytest

import torsor
from flawed_urdfs import FLAWED, arm, content, transmission
from torsor.errors import DescriptionWarning, ModelError
from torsor.model.urdf import parse_urdf

# Files of which nothing need be said: they are as URDFs may be, or what is missing is asked for by others.
QUIET = {
    "no masses", "masses of 0", "one link without mass", "a frame between joints", "limits of infinity",
    "limits without end", "transmissions without motors", "a transmission of some joints", "meshes that are missing",
    "mimics", "continuous joints", "a prismatic joint", "a world link", "several tips", "blanks before the declaration",
    "a namespace", "collision shapes alone", "letters of Latin-1", "zero outside of limits",
}  # fmt: skip


@pytest.mark.parametrize("name", FLAWED)
def test_it_loads_and_says_each_flaw_once(name, tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_bytes(content(name))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DescriptionWarning)
        model = torsor.load(path).model
    said = [str(each.message) for each in caught]
    assert model.remarks == tuple(said)
    assert bool(said) == (name not in QUIET), said
    assert len(said) <= 3
    for joint in (link.joint for link in model.links):
        for limit in (joint.limits.torque, joint.limits.speed):
            assert limit is None or (np.isfinite(limit) and limit > 0.0)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("inertia of no body", "break the triangle inequality"),
        ("a transmission to nothing", "drives joint 'torso_3_joint', which does not exist"),
        ("a floating base", "is floating"),
        ("a mimic of nothing", "follows 'gone', which does not exist"),
        ("a second inertial", "there is a second <inertial>"),
        ("limits swapped", "has position limits"),
        ("letters of Latin-1", "is not UTF-8"),
        ("two motors of one name", "two drives are named"),
    ],
)
def test_strict_refuses(name, message, tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_bytes(content(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DescriptionWarning)
        with pytest.raises(ModelError, match=message):
            torsor.load(path, strict=True)


def test_zero_is_not_known():
    with pytest.warns(DescriptionWarning, match=r"effort of <limit> of joint 'joint_1' is 0: .* \(and 2 more\)"):
        model = parse_urdf(FLAWED["effort 0"])
    assert [link.joint.limits.torque for link in model.links] == [None] * 3


def test_the_second_motor_of_a_name_is_called_otherwise():
    text = arm(transmission("t", "joint_1"), transmission("t", "joint_2"))
    with pytest.warns(DescriptionWarning, match="two motors have one name: the second is called 't_motor, joint_2'"):
        assert [drive.name for drive in parse_urdf(text).drives] == ["t_motor", "t_motor, joint_2"]


def test_a_mesh_is_found_in_the_package_that_the_urdf_lies_in(tmp_path):
    (tmp_path / "hand" / "urdf").mkdir(parents=True)
    (tmp_path / "hand" / "meshes").mkdir()
    (tmp_path / "hand" / "meshes" / "a.stl").write_bytes(b"")
    look = '<visual><geometry><mesh filename="package://hand/meshes/a.stl"/></geometry></visual>'
    path = tmp_path / "hand" / "urdf" / "hand.urdf"
    path.write_text(arm(inertial=look))
    shape = torsor.load(path).model.links[0].visuals[0].shape
    assert shape.path == tmp_path / "hand" / "meshes" / "a.stl"
