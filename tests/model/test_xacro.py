"""Xacro files are expanded, with packages that lie beside them; what goes wrong in them is one sentence."""

import sys

import pytest

import torsor
from flawed_urdfs import INERTIAL, LIMIT
from torsor.errors import ModelError, Unsupported

MACRO = f"""<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="segment" params="k parent length">
  <link name="link_${{k}}">{INERTIAL}</link>
  <joint name="joint_${{k}}" type="revolute"><parent link="${{parent}}"/><child link="link_${{k}}"/>
    <origin xyz="0 0 ${{length * 2}}"/><axis xyz="0 1 0"/>{LIMIT}</joint>
</xacro:macro>
</robot>
"""
ROBOT = """<robot name="made" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="$(find parts_description)/urdf/parts.xacro"/>
<xacro:property name="reach" value="0.25"/>
<link name="base_link"/>
<xacro:segment k="1" parent="base_link" length="${reach}"/>
<xacro:segment k="2" parent="link_1" length="${reach}"/>
</robot>
"""


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "parts_description"
    (folder / "urdf").mkdir(parents=True)
    (folder / "package.xml").write_text("<package><name>parts_description</name><version>1.0.0</version></package>")
    (folder / "urdf" / "parts.xacro").write_text(MACRO)
    (folder / "urdf" / "made.urdf.xacro").write_text(ROBOT)
    return folder


def test_it_is_expanded_with_the_package_it_lies_in(package):
    arm = torsor.load(package / "urdf" / "made.urdf.xacro")
    assert arm.joint_names == ("joint_1", "joint_2")
    assert arm.model.links[1].joint.before[2, 3] == 0.5


def test_a_package_elsewhere_is_named(package, tmp_path):
    other = tmp_path / "elsewhere" / "mine.xacro"
    other.parent.mkdir()
    other.write_text(ROBOT)
    assert torsor.load(other, package_paths=[package]).n == 2


@pytest.mark.parametrize("place", ["src/arm", "src/cell/arm", "."])
def test_a_package_beside_it_is_found(package, tmp_path, place):
    own = tmp_path / place / "urdf" if place != "." else tmp_path
    own.mkdir(parents=True, exist_ok=True)
    if place != ".":
        (own.parent / "package.xml").write_text("<package><name>arm</name><version>1.0.0</version></package>")
        (tmp_path / "src" / "parts").mkdir()
        package.rename(tmp_path / "src" / "parts" / "parts_description")
        if place == "src/arm":
            (tmp_path / "src" / "parts" / "parts_description").rename(tmp_path / "src" / "parts_description")
    (own / "mine.xacro").write_text(ROBOT)
    assert torsor.load(own / "mine.xacro").n == 2


def test_only_of_a_package_it_is_told_where_to_look(package):
    path = package / "urdf" / "broken.xacro"
    path.write_text(ROBOT.replace("parts_description", "gone_description"))
    with pytest.raises(ModelError, match=r"expand it: Package not found: gone_description; give folders of packages"):
        torsor.load(path)
    path.write_text(ROBOT.replace("${reach}", "${rech}"))
    with pytest.raises(ModelError, match="rech") as caught:
        torsor.load(path)
    assert "package" not in str(caught.value).partition("expand it")[2]
    path.write_text(ROBOT.replace("$(find parts_description)/urdf/parts.xacro", "broken.xacro"))
    with pytest.raises(ModelError, match="does it include itself"):
        torsor.load(path)


@pytest.mark.parametrize(
    ("old", "new"), [("parts_description", "gone_description"), ("${reach}", "${rech}"), ("</robot>", "")]
)
def test_what_goes_wrong_is_one_sentence(package, old, new):
    path = package / "urdf" / "broken.xacro"
    path.write_text(ROBOT.replace(old, new))
    with pytest.raises(ModelError) as caught:
        torsor.load(path)
    assert str(caught.value).startswith(f"{path}: xacro cannot expand it: ")
    assert "\n" not in str(caught.value)


def test_without_the_extra_it_says_what_to_install(package, monkeypatch):
    monkeypatch.setitem(sys.modules, "xacrodoc", None)
    with pytest.raises(Unsupported, match=r"pip install 'torsor\[xacro\]'"):
        torsor.load(package / "urdf" / "made.urdf.xacro")


def test_an_arm_file_stands_on_it(package):
    path = package / "mine.toml"
    path.write_text('base = "urdf/made.urdf.xacro"\n[tool]\npayload = { mass = 1 }\n')
    assert torsor.load(path).model.payload.mass == 1.0
