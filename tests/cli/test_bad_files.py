"""Malformed files through the command line: exit 2, one line that begins with the file, never a traceback."""

import pytest

LINK = '[[link]]\njoint = "revolute"\n'
HEAD = 'name = "x"\nframes = "standard-dh"\n'
ROBOT = '<robot name="x"><link name="a"/><link name="b"/>{}</robot>'
JOINT = '<joint name="j" type="{}"><parent link="a"/><child link="{}"/></joint>'

BAD = {
    "empty.toml": "",
    "no-toml.toml": "name = \n",
    "truncated.toml": HEAD + "[[link",
    "binary.toml": b"\xff\xfe\x00\x01",
    "nan.toml": HEAD + LINK + "mass = nan\n",
    "negative.toml": HEAD + LINK + "mass = -1\n",
    "unknown-key.toml": HEAD + LINK + "mas = 1\n",
    "wrong-type.toml": HEAD + LINK + 'mass = "heavy"\n',
    "wrong-unit.toml": HEAD + LINK + 'alpha = "90 grad"\n',
    "no-links.toml": HEAD,
    "circle.toml": HEAD + '[[link]]\nparent = "link1"\njoint = "revolute"\n',
    "twins.toml": HEAD + '[[link]]\nname = "a"\njoint = "revolute"\n' * 2,
    "follows-nothing.toml": HEAD + LINK + 'mimic = { joint = "joint9" }\n',
    "drives-nothing.toml": HEAD + LINK + "[[drive]]\nratio = { joint9 = 1 }\nrotor = { inertia = 1 }\n",
    "empty.urdf": "",
    "no-xml.urdf": "<robot",
    "other.urdf": "<mujoco/>",
    "laughs.urdf": '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><robot name="&b;"/>',
    "two-roots.urdf": ROBOT.format(""),
    "unknown-type.urdf": ROBOT.format(JOINT.format("revolut", "b")),
    "unknown-link.urdf": ROBOT.format(JOINT.format("revolute", "c")),
    "floating.urdf": ROBOT.format(JOINT.format("floating", "b")),
    "circle.urdf": ROBOT.format(JOINT.format("revolute", "a")),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", [["show"], ["show", "--json"], ["export", "--to", "urdf"]], ids=" ".join)
def test_bad_file(run, tmp_path, name, command):
    file = tmp_path / name
    content = BAD[name]
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    ran = run(*command, file)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"{file}:")
    assert ran.err.count("\n") == 1
