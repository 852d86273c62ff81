"""Which files had a say in something that was made, and whether they are still the same.

A page that was traced ran through its module and through what that imports, directly or not. Their files are found from
the import statements in their text, those inside functions and for types included; each is remembered by its size and
its times, as Python does for byte code, because reading them all would take longer than loading a kernel.

What this process runs was read when its modules were loaded. A file that changed since then has no say in what is made
here, and nothing is known of the one that had: there is no stamp for such work.
"""

from __future__ import annotations

import marshal
import os
import re
from functools import cache

from torsor.exports import BEGUN

CHANGED = 2 if os.name == "posix" else 1  # which part of a file's state says when it changed
DOORS = ("exports.py",)  # how rooms, each in its __init__.py, hand out their names
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMPORT = re.compile(r"from (torsor[\w.]*) import (\([^)]*\)|.*)")  # begins with letters, which are found fast
NAME = re.compile(r"(\w+)(?: as \w+)?(?:,|\n|$)")


def stamp(*modules: str) -> bytes | None:
    """The files behind these modules, and what they are; None where that is not known: see above, and other packages'.

    >>> stamp("torsor.errors") is None, stamp("numpy") is None
    (False, True)
    """
    if not all(_files(module) for module in modules):
        return None
    found = [(file, _state(file)) for file in files_behind(modules)]
    if any(state is None or state[CHANGED] > BEGUN for _, state in found):
        return None
    return marshal.dumps(found, 2)


def unchanged(stamped: bytes) -> bool:
    """Whether the files of a stamp are what they were. What is no stamp says nothing of them."""
    try:
        return all(_state(file) == state for file, state in marshal.loads(stamped))
    except (EOFError, TypeError, ValueError):
        return False


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
    if not found:
        return ()
    rooms = {os.path.dirname(file) for file in found} - {""}
    return tuple(sorted(found.union(DOORS, (f"{room}/__init__.py" for room in rooms))))


@cache
def _imported(file: str) -> tuple[str, ...]:
    """What one file imports of Torsor. A name that is no module may come from anywhere in its room."""
    with open(os.path.join(PACKAGE, file), encoding="utf-8") as source:
        text = source.read()
    found: list[str] = []
    for match in IMPORT.finditer(text):
        module, names = match.groups()
        if text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip(" "):
            continue  # in the middle of a line, or of a text
        for name in NAME.findall(names.strip("()").split("#")[0]):
            found += _files(f"{module}.{name}") or _files(module)
    return tuple(found)


@cache
def _files(module: str) -> tuple[str, ...]:
    """Of a module, its file; of a room, all of its files, also deeper ones; nothing for what is neither."""
    package, *parts = module.split(".")
    place = "/".join(parts) if package == "torsor" else ""
    known = _known()
    return tuple(known.get(f"{place}.py", ()) or known.get(place, ()))


@cache
def _known() -> dict[str, list[str]]:
    """Every file, and the files of every folder, deeper ones too: the disk is asked once, not for every name."""
    found: dict[str, list[str]] = {}
    for folder, _, names in os.walk(PACKAGE):
        inside = folder[len(PACKAGE) + 1 :].replace(os.sep, "/")
        files = [f"{inside}/{name}" if inside else name for name in names if name.endswith(".py")]
        found |= {file: [file] for file in files}
        room = inside
        while room:
            found.setdefault(room, []).extend(files)
            room = room.rpartition("/")[0]
    return found


@cache
def _state(file: str) -> tuple[int, int, int] | None:
    """Size and times. That of the last change of the file's entry is the one an installer does not set."""
    try:
        known = os.stat(f"{PACKAGE}/{file}")
    except OSError:
        return None
    return known.st_size, known.st_mtime_ns, known.st_ctime_ns
