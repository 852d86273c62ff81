"""The public names of a room, imported when they are first asked for.

A room's ``__init__`` lists them once, as the imports that type checkers read; "name as name" makes a name public::

    if TYPE_CHECKING:
        from house.control.law import Law as Law
    else:
        __getattr__, __dir__ = exports(__name__)

At run time the same lines are the table in which names are looked up, so that what editors, ``dir``, ``__all__`` and
``import`` say of a room cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from time import time_ns
from typing import Any

PUBLIC = re.compile(r"^ *from ([\w.]+) import (\w+) as \2\b", re.MULTILINE)  # parsing would cost every first call 1 ms
BEGUN = time_ns()  # before any other module of Torsor was read


def exports(room: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a room (PEP 562). What was asked for once stands in the room from then on."""

    def of_the_room(name: str) -> Any:
        homes = homes_in(room)
        if name == "__all__":
            return sorted(homes)
        if name not in homes:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        home = homes[name]
        found = import_module(f"{room}.{name}") if home == room else getattr(import_module(home), name)
        setattr(import_module(room), name, found)
        return found

    return of_the_room, lambda: sorted(homes_in(room))


@cache
def homes_in(room: str) -> dict[str, str]:
    """Name and home of each ``from home import name as name`` in the source of a room."""
    with open(str(import_module(room).__file__), encoding="utf-8") as source:
        return {name: home for home, name in PUBLIC.findall(source.read())}
