"""Files of examples/ are found wherever Torsor is installed."""

import tomllib
from pathlib import Path

import pytest

from torsor.errors import TorsorError
from torsor.shipped import shipped

ROOT = Path(__file__).parents[1]


def test_every_example_is_found():
    for path in (ROOT / "examples").glob("*/*.*"):
        assert shipped(str(path.relative_to(ROOT / "examples"))).read_bytes() == path.read_bytes()


def test_the_wheel_has_them():
    """Where `shipped` looks first is where the build puts them."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    folders = {f"examples/{path.name}" for path in (ROOT / "examples").iterdir() if path.is_dir()} - {
        "examples/__pycache__"
    }
    assert build["force-include"] == {folder: f"torsor/{folder}" for folder in folders}


def test_what_is_not_there_is_named():
    with pytest.raises(TorsorError, match=r"there is no examples/programs/none\.v2"):
        shipped("programs/none.v2")
