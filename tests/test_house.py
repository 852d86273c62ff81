"""What the docs say of the house: a name means one thing, rooms are asked for by import, tests sit where they say."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "torsor"
ROOMS = sorted(path.name for path in SOURCES.iterdir() if (path / "__init__.py").exists())

# Names that stand in two rooms, each with a reason.
ALIASES_THAT_RECUR = {
    "Floats": "one type, the same everywhere: algebra stands below model and cannot ask it for the name",
}


@cache
def definitions() -> tuple[dict[str, set[str]], set[str]]:
    """Where each class or alias of a type is defined, by name, and which names are those of classes."""
    where: dict[str, set[str]] = defaultdict(set)
    classes = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = [node.name] if isinstance(node, ast.ClassDef) else []
            classes.update(names)
            if isinstance(node, ast.Assign):
                names = [each.id for each in node.targets if isinstance(each, ast.Name)]
            for name in names:
                if re.fullmatch("[A-Z][a-z]\\w*", name):
                    where[name].add(str(path.relative_to(SOURCES)))
    return where, classes


def test_a_class_means_one_thing():
    where, classes = definitions()
    assert {name: sorted(files) for name, files in where.items() if name in classes and len(files) > 1} == {}


def test_an_alias_of_a_type_means_one_thing_in_all_rooms():
    where, _ = definitions()
    recurring = {name: files for name, files in where.items() if len({Path(file).parts[0] for file in files}) > 1}
    assert {name: sorted(files) for name, files in recurring.items() if name not in ALIASES_THAT_RECUR} == {}
    assert sorted(ALIASES_THAT_RECUR.keys() - recurring) == []


def test_a_module_has_a_name_of_its_own():
    where = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        where[path.stem].append(str(path.relative_to(SOURCES)))
    recurring = {name: files for name, files in where.items() if len(files) > 1 and name != "__init__"}
    assert recurring == {}


def test_no_room_is_imported_by_a_string():
    """Import rules see imports only; `exports.py` looks names up in imports that they see too."""
    for path in SOURCES.rglob("*.py"):
        if path != SOURCES / "exports.py":
            found = re.findall(r"(?:import_module|__import__)\(\s*f?[\"']torsor", path.read_text(encoding="utf-8"))
            assert not found, path


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_its_tests(room):
    """Those of `measuring` and `report` are the tests of the bench and of the verdict's page."""
    if room not in {"measuring", "report"}:
        assert list((ROOT / "tests" / room).glob("test_*.py"))


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md", "src/torsor/emit/README.md", "README.md"])
def test_files_that_pages_name_are_there(page):
    """Every `room/file.py` or `file.py` in a page is a file of the house."""
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    known = {str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py")}
    known |= {str(path.relative_to(ROOT)) for path in ROOT.rglob("tests/**/*.py")}
    named = re.findall(r"`([\w/]+\.py)`", text)
    missing = [name for name in named if not any(each == name or each.endswith(f"/{name}") for each in known)]
    missing = [name for name in missing if not (ROOT / name).exists()]
    assert missing == []


def test_files_in_the_chains_of_calls_are_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = {
        name
        for part in re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
        for name in re.findall(r"[\w/]+\.py", part)
    }
    known = [f"/{path.relative_to(SOURCES)}" for path in SOURCES.rglob("*.py")]
    assert len(named) > 30
    assert [name for name in sorted(named) if not any(each.endswith(f"/{name}") for each in known)] == []


def test_mechanics_are_algorithms_without_files():
    files = r"\bopen\(|pathlib|tomllib|read_text"
    found = [path.name for path in (SOURCES / "mechanics").rglob("*.py") if re.search(files, path.read_text())]
    assert found == []


def test_commands_compute_nothing():
    """`cli/` asks for results and prints them: it integrates, solves and optimises nothing itself."""
    banned = r"scipy|np\.(linalg|random)|algebra|torsor\.emit\.(?!disk)"
    found = [path.name for path in (SOURCES / "cli").rglob("*.py") if re.search(banned, path.read_text())]
    assert found == []


def test_files_stay_short():
    """A file that passes 400 lines asks to be split by idea."""
    long = {path.name: len(path.read_text().splitlines()) for path in SOURCES.rglob("*.py")}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}


def test_pages_of_mechanics_write_into_no_array():
    """So that they can be traced; what builds trees and numbers of arms may."""
    page = re.compile(r"^def (inverse_dynamics|forward_dynamics|mass_matrix)\(", re.MULTILINE)
    for path in (SOURCES / "mechanics").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if page.search(text):
            assert not re.search(r"\[\.\.\., [^]]+\] [-+*/]?= ", text), path.name


def test_what_the_docs_rely_on_is_there():
    """Promises of docs/reliability.md name the tests that hold them."""
    text = (ROOT / "docs" / "reliability.md").read_text()
    named = set(re.findall(r"`(tests/[\w./]+)`", text)) | set(re.findall(r"`(constraints[\w-]*\.txt)`", text))
    assert len(named) > 30
    assert not [name for name in named if not (ROOT / name).exists()]
