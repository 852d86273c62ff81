"""What is installed where: the constraints fit pyproject.toml, and hold names and versions only."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RUNTIME = [Requirement(each) for each in PROJECT["dependencies"]]


def pinned(name: str) -> dict[str, Version]:
    lines = [line for line in (ROOT / name).read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in lines)  # no address, no path
    assert lines == sorted(lines, key=str.lower)
    return {canonicalize_name(line.partition("==")[0]): Version(line.partition("==")[2]) for line in lines}


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-oldest.txt"])
def test_every_dependency_is_pinned_within_its_bounds(name: str):
    versions = pinned(name)
    for each in RUNTIME:
        assert versions[canonicalize_name(each.name)] in each.specifier


def test_every_dependency_has_both_bounds_and_the_lowest_is_tested():
    lowest = pinned("constraints-oldest.txt")
    assert set(lowest) == {canonicalize_name(each.name) for each in RUNTIME}
    for each in RUNTIME:
        bounds = {bound.operator: Version(bound.version) for bound in each.specifier}
        assert set(bounds) == {">=", "<"}
        assert bounds[">="] == lowest[canonicalize_name(each.name)]


@pytest.mark.parametrize("extra", ["test", "bench", "peers"])
def test_what_is_tested_with_is_pinned(extra: str):
    versions = pinned("constraints.txt")
    for each in map(Requirement, PROJECT["optional-dependencies"][extra]):
        assert versions[canonicalize_name(each.name)] in each.specifier


def test_environments_are_made_anew_when_versions_change():
    """Each stamp of the Makefile depends on the constraints that its environment is installed with."""
    makefile = (ROOT / "Makefile").read_text()
    for stamp in re.findall(r"^(\.venv\S*/\.\w+):(.*)\n\t(.*)", makefile, re.MULTILINE):
        target, needs, recipe = stamp
        uses = "constraints-oldest.txt" if "$(LOWEST)" in recipe else "constraints.txt"
        assert "$(EXACT)" in recipe or "$(LOWEST)" in recipe
        assert uses in needs or ".venv/.installed" in needs, target


DEVELOPMENT = ("test", "docs", "bench", "peers")
EXTRAS = [name for name in PROJECT["optional-dependencies"] if name not in DEVELOPMENT]


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_installs_only_what_some_room_imports(extra: str):
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    for each in map(Requirement, PROJECT["optional-dependencies"][extra]):
        name = {"pyyaml": "yaml"}.get(each.name, each.name.replace("-", "_"))
        asked = rf"(?:import|from) {name}\b|(?:import_module|find_spec|needed)\(\"{name}"
        assert re.search(asked, sources), f"nothing imports {each.name}"
