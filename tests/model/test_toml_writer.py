"""An arm file that is written reads back as the same arm, to the last bit."""

import warnings

import pytest

import torsor
from flawed_urdfs import FLAWED
from torsor.errors import DescriptionWarning, Unsupported
from torsor.loading import load_model
from torsor.model.armfile import parse_arm_file
from torsor.model.facts import described
from torsor.model.toml_writer import write_toml
from torsor.model.urdf import parse_urdf

BENDING = ("asea-irb", "elastic-arm2", "rl15-elastic", "ur5-elastic")
SCREWS = ("irb140-screws", "planar3")  # become placements, which have the same frames


@pytest.mark.parametrize("robot", [name for name in torsor.robots() if name not in BENDING])
def test_the_library(robot):
    model = load_model(robot)
    again = parse_arm_file(write_toml(model))
    if robot not in SCREWS:
        assert described(again) == described(model)
    for new, old in zip(again.links, model.links, strict=True):
        assert described(new.joint) == described(old.joint)
        assert described(new.mass) == described(old.mass)


@pytest.mark.parametrize("name", FLAWED)
def test_urdfs(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DescriptionWarning)
        model = parse_urdf(FLAWED[name])
    assert described(parse_arm_file(write_toml(model))) == described(model)


def test_shapes_and_colours():
    look = (
        '<visual><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><geometry><box size="1 2 3"/></geometry>'
        '<material name="red"><color rgba="1 0 0 0.5"/></material></visual>'
        '<visual><geometry><cylinder radius="0.1" length="0.4"/></geometry></visual>'
        '<visual><geometry><sphere radius="0.2"/></geometry></visual>'
        '<visual><geometry><mesh filename="package://a/b.stl" scale="1 1 2"/></geometry></visual>'
    )
    model = parse_urdf(
        f'<robot name="r"><link name="base"/><link name="a">{look}</link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>'
    )
    again = parse_arm_file(write_toml(model))
    assert len(again.links[0].visuals) == 4
    assert described(again) == described(model)


def test_what_bends_is_refused():
    with pytest.raises(Unsupported, match="how upper, lower of 'elastic-arm2' bends cannot be written"):
        write_toml(load_model("elastic-arm2"))
