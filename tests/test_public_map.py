"""Editors, ``dir``, ``__all__`` and the page of the API name the same things, and each of them has a docstring."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import torsor
from torsor.errors import TorsorError
from torsor.exports import homes_in

DOCS = Path(__file__).parents[1] / "docs"
CAUGHT_WITHIN = {"NoCode"}  # says why machine code cannot be had, to who then runs Python
OF_LEAVES = {"PeerMissing"}  # of `torsor bench`, which nobody imports


def api_page():
    spec = importlib.util.spec_from_file_location("api_page", DOCS / "api_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ROOMS = api_page().rooms()
PACKAGES = [name for name, room in ROOMS.items() if hasattr(room, "__path__")]
NAMES = [(room, name) for room in ROOMS for name in api_page().public_names(ROOMS[room])]


def test_everything_public_is_a_room_that_torsor_names():
    assert {"torsor", "torsor.algebra", "torsor.control", "torsor.errors", "torsor.simulation"} <= set(ROOMS)
    assert {"simulate", "check", "load", "control", "Arm"} <= set(dir(torsor))
    assert {"pd_gravity", "computed_torque", "reference"} <= set(dir(torsor.control))


@pytest.mark.parametrize("room", PACKAGES)
def test_dir_and_all_are_the_imports_that_editors_read(room):
    public = sorted(homes_in(room))
    written = ast.parse(Path(ROOMS[room].__file__).read_text())
    imports = [each for node in ast.walk(written) if isinstance(node, ast.ImportFrom) for each in node.names]
    assert public == sorted(each.name for each in imports if each.asname == each.name)
    assert public
    assert dir(ROOMS[room]) == ROOMS[room].__all__ == public


def test_the_page_lists_each_public_name_once_and_no_other():
    page = api_page().api_markdown()
    listed = re.findall(r"^\.\. (?:auto\w+|py:data):: (\S+)$", page, re.MULTILINE)
    rooms = [room for room in ROOMS if room != "torsor"]
    assert re.findall(r"^## (\S+)$", page, re.MULTILINE) == ["torsor", *rooms]
    assert sorted(listed + rooms) == sorted(
        {f"{room}.{name}" for room in PACKAGES for name in dir(ROOMS[room])}
        | {f"torsor.errors.{name}" for name in api_page().public_names(torsor.errors)}
    )
    assert "torsor.errors.LoopOpen" in listed
    assert "torsor.motion.Unreachable" in listed


@pytest.mark.parametrize(("room", "name"), NAMES)
def test_a_public_name_says_what_it_is(room, name):
    thing = getattr(ROOMS[room], name)
    if not callable(thing) and not inspect.ismodule(thing):
        return  # a value
    said = inspect.getdoc(thing)
    assert said
    assert not said.startswith(f"{name}(")  # what a dataclass writes where nobody has written anything


@pytest.mark.parametrize("room", PACKAGES)
def test_no_module_stands_in_the_way_of_a_public_name(room):
    """Importing a module sets it in its package, where it would hide a name of the same spelling."""
    for found in pkgutil.walk_packages(torsor.__path__, "torsor."):
        importlib.import_module(found.name)
    for name, home in homes_in(room).items():
        expected = (
            importlib.import_module(f"{room}.{name}") if home == room else getattr(importlib.import_module(home), name)
        )
        assert getattr(ROOMS[room], name) is expected


def test_every_error_a_user_can_meet_is_public():
    modules = [importlib.import_module(found.name) for found in pkgutil.walk_packages(torsor.__path__, "torsor.")]
    met = {
        thing
        for module in modules
        for thing in vars(module).values()
        if inspect.isclass(thing)
        and issubclass(thing, (TorsorError, Warning))
        and thing.__module__.startswith("torsor.")
        and not thing.__name__.startswith("_")
    }
    public = {getattr(ROOMS[room], name) for room, name in NAMES if inspect.isclass(getattr(ROOMS[room], name))}
    assert {each.__name__ for each in met - public} == CAUGHT_WITHIN | OF_LEAVES


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute"):
        _ = torsor.control.pd_gravitas
    assert not hasattr(torsor, "homes_in")


def test_a_star_brings_the_public_names():
    program = "from torsor.control import *; print(pd_gravity.__name__, reference.__name__)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "PdGravity torsor.control.reference\n"


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix", "bearing_loads", "energy"])
def test_a_compiled_method_keeps_its_name_its_signature_and_what_it_says(quantity):
    arm = torsor.load("planar2")
    method = getattr(torsor.Arm, quantity)
    parameters = list(inspect.signature(method).parameters.values())[1:]
    arm.kernel(quantity)
    compiled = getattr(arm, quantity)
    assert inspect.isbuiltin(compiled)
    assert compiled.__name__ == quantity
    assert compiled.__module__ == "torsor.mechanics.quantities"
    assert compiled.__doc__ == inspect.getdoc(method)
    assert [(p.name, p.kind, p.default) for p in inspect.signature(compiled).parameters.values()] == [
        (p.name, p.kind, p.default) for p in parameters
    ]
