"""Every malformed file of the table through the command line: exit 2, the exact message, never a traceback."""

import pytest

from bad_files import BAD_FILES

STRICT = {".toml": (), ".urdf": ("--strict",)}  # arm files are always strict


@pytest.mark.parametrize("bad", BAD_FILES, ids=str)
def test_show(run, tmp_path, bad):
    path = bad.write(tmp_path)
    ran = run("show", path, *STRICT[path.suffix])
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1] == f"{path}{bad.message}".splitlines()[-1]
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("bad", BAD_FILES[::20], ids=str)
@pytest.mark.parametrize(
    "command", [["show", "--json"], ["export", "--to", "urdf"], ["export", "--to", "mjcf"]], ids=" ".join
)
def test_other_commands(run, tmp_path, bad, command):
    path = bad.write(tmp_path)
    ran = run(*command, path, *STRICT[path.suffix])
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1] == f"{path}{bad.message}".splitlines()[-1]
