"""Which files had a say in something that was made, and whether they are still the same.

A page that was traced ran through its module and through what that imports, directly or not. Their files are found from
the import statements in their text, those inside functions and for types included; each is remembered by its size and
its times, as Python does for byte code, because reading them all would take longer than loading a kernel.
"""

from __future__ import annotations

import marshal
import os
import re
from functools import cache

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMPORT = re.compile(r"^ *from (torsor[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
NAME = re.compile(r"(\w+)(?: as \w+)?(?:,|\n|$)")


def stamp(*modules: str) -> bytes:
    """The files behind these modules of Torsor, and what they are now."""
    return marshal.dumps([(file, _state(file)) for file in files_behind(modules)], 2)


def unchanged(stamped: bytes) -> bool:
    """Whether the files of a stamp are what they were."""
    return all(_state(file) == state for file, state in marshal.loads(stamped))


@cache
def files_behind(modules: tuple[str, ...]) -> tuple[str, ...]:
    """All files, relative to the package, that these modules run through."""
    found: set[str] = set()
    waiting = [file for module in modules for file in _files(module)]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _imported(file)
    return tuple(sorted(found))


@cache
def _imported(file: str) -> tuple[str, ...]:
    """What one file imports of Torsor. A name that is no module may come from anywhere in its room."""
    with open(os.path.join(PACKAGE, file), encoding="utf-8") as source:
        text = source.read()
    found: list[str] = []
    for module, names in IMPORT.findall(text) if "from torsor" in text else ():
        for name in NAME.findall(names.strip("()").split("#")[0]):
            found += _files(f"{module}.{name}") or _files(module)
    return tuple(found)


@cache
def _files(module: str) -> tuple[str, ...]:
    """Of a module, its file; of a room, all of its files, also deeper ones; nothing for what is neither."""
    place = "/".join(module.split(".")[1:])
    if os.path.isfile(os.path.join(PACKAGE, f"{place}.py")):
        return (f"{place}.py",)
    found: list[str] = []
    for folder, _, names in os.walk(os.path.join(PACKAGE, place)) if place else ():
        inside = os.path.relpath(folder, PACKAGE)
        found += [f"{inside}/{name}" for name in names if name.endswith(".py")]
    return tuple(found)


@cache
def _state(file: str) -> tuple[int, int, int]:
    """Size and times. That of the last change of the file's entry is the one an installer does not set."""
    try:
        known = os.stat(os.path.join(PACKAGE, file))
    except OSError:
        return 0, 0, 0
    return known.st_size, known.st_mtime_ns, known.st_ctime_ns
