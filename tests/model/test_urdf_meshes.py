"""Meshes are found in the folders that were given, and nowhere else."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from torsor.model.meshes import MeshFinder
from torsor.model.urdf import read_urdf


@pytest.fixture
def house(tmp_path):
    """robot/arm.urdf with meshes beside it, a package, and what nobody may see."""
    for name in ("robot/meshes/a.stl", "packages/hand/meshes/b.stl", "packages/hand/c d.stl", "secret/key"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mesh")
    (tmp_path / "robot" / "way_out").symlink_to(tmp_path / "secret")
    (tmp_path / "packages" / "hand" / "key.stl").symlink_to(tmp_path / "secret" / "key")
    (tmp_path / "robot" / "round").symlink_to(tmp_path / "robot" / "round")
    return tmp_path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("meshes/a.stl", "robot/meshes/a.stl"),
        ("meshes/../meshes/a.stl", "robot/meshes/a.stl"),
        ("file://{house}/robot/meshes/a.stl", "robot/meshes/a.stl"),
        ("file://localhost{house}/robot/meshes/a.stl", "robot/meshes/a.stl"),
        ("{house}/robot/meshes/a.stl", "robot/meshes/a.stl"),
        ("package://hand/meshes/b.stl", "packages/hand/meshes/b.stl"),
        ("package://hand/c%20d.stl", "packages/hand/c d.stl"),
    ],
)
def test_found(house, uri, path):
    finder = MeshFinder(house / "robot", [house / "packages"])
    found, reason = finder.find(uri.format(house=house))
    assert reason is None
    assert found is not None
    assert found.samefile(house / path)


def test_a_package_may_be_given_itself(house):
    found, _ = MeshFinder(None, [house / "packages" / "hand"]).find("package://hand/meshes/b.stl")
    assert found == house / "packages" / "hand" / "meshes" / "b.stl"


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("../secret/key", "lies outside"),
        ("way_out/key", "lies outside"),
        ("/etc/passwd", "lies outside"),
        ("file:///etc/passwd", "lies outside"),
        ("file://{house}/secret/key", "lies outside"),
        ("file://elsewhere/robot/meshes/a.stl", "not a file of this computer"),
        ("package://../secret/key", "lies outside"),
        ("package://hand/../../secret/key", "lies outside"),
        ("package://hand/%2e%2e/%2e%2e/secret/key", "lies outside"),
        ("package://hand/key.stl", "lies outside"),
        ("package:////etc/passwd", "lies outside"),
        ("package://hand//etc/passwd", "lies outside"),
        ("package://arm/meshes/b.stl", "was not found; give its folder in package_paths"),
        ("package://hand/meshes", "was not found"),
        ("package://hand", "was not found"),
        ("https://example.org/a.stl", "not a file of this computer"),
        ("round/a.stl", "was not found"),
        ("a" * 5000, "was not found"),
        ("", "was not found"),
    ],
)
def test_not_found(house, uri, reason):
    finder = MeshFinder(house / "robot", [house / "packages"])
    found, said = finder.find(uri.format(house=house))
    assert found is None
    assert said is not None
    assert reason in said


def test_without_folders_nothing_is_found(house):
    for uri in ("meshes/a.stl", f"file://{house}/robot/meshes/a.stl", "package://hand/meshes/b.stl"):
        assert MeshFinder(None).find(uri)[0] is None


def test_visuals_of_a_link(house):
    mesh = '<visual><origin xyz="0 0 1"/><geometry><mesh filename="{}" scale="1 2 3"/></geometry></visual>'
    visuals = mesh.format("meshes/a.stl") + mesh.format("../secret/key")
    file = house / "robot" / "arm.urdf"
    file.write_text(
        f'<robot name="arm"><link name="base"/>\n<link name="a">{visuals}</link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>'
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = read_urdf(file)
    placed, _ = model.links[0].visuals
    found, refused = (visual.shape for visual in model.links[0].visuals)
    assert (found.path, found.uri, found.scale) == (house / "robot/meshes/a.stl", "meshes/a.stl", (1.0, 2.0, 3.0))
    np.testing.assert_array_equal(placed.placement[:3, 3], [0, 0, 1])
    assert (refused.path, refused.uri) == (None, "../secret/key")
    outside = "mesh '../secret/key' lies outside the folders it may be in and is left out"
    assert [str(each.message) for each in caught] == [f"{file}:2: {outside}"]
