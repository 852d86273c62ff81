"""What the text of KRL's files tells beside what its statements do: the name of a .dat, and #values that are slips."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath

from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.krl.krl_system import BASIC, VALUES
from torsor.programs.misspelt import slip_of

COMMENT = re.compile(r"(\"[^\"]*\")|;.*")
_DEFDAT = re.compile(r"^[ \t]*DEFDAT[ \t]+([$\w]+)", re.IGNORECASE | re.MULTILINE)
_ENUM = re.compile(r"^[ \t]*(?:GLOBAL[ \t]+)?ENUM[ \t]+\w+[ \t]+(.*)$", re.IGNORECASE | re.MULTILINE)
_VALUE = re.compile(r"#[ \t]*([^\W\d]\w*)")
_KNOWN = {*BASIC, *(each.lstrip("#") for few in VALUES.values() for each in few)}

ToldByText = tuple[At, str, str, bool]  # where, what, what would be right, and whether that is certain


def told_by_texts(source: ProgramText) -> Iterator[ToldByText]:
    yield from _names_of_data(source)
    yield from _values_written_once(source)


def _names_of_data(source: ProgramText) -> Iterator[ToldByText]:
    """A .dat has the name of its file; whoever gave the file another name, as a copy, is only warned."""
    for part in source.parts:
        path, found = PurePath(part.file), _DEFDAT.search(part.text)
        if path.suffix.lower() != ".dat" or found is None or found[1].lower() == path.stem.lower():
            continue
        at = part.first + part.text.count("\n", 0, found.start(1)), found.start(1) - _begin(part.text, found) + 1
        certain = slip_of(found[1], (path.stem,), family=False) is not None
        yield at, f"DEFDAT {found[1]} stands in {path.name}", f"it has the name of its file: {path.stem}", certain


def _begin(text: str, found: re.Match[str]) -> int:
    return text.rfind("\n", 0, found.start(1)) + 1


def _values_written_once(source: ProgramText) -> Iterator[ToldByText]:
    """``#ACITVE``, written once, beside ``#ACTIVE``, which is written several times or declared."""
    lines = [COMMENT.sub(lambda found: "" if found[1] is None else " " * len(found[1]), line) for line in source.lines]
    places = [(found, number) for number, line in enumerate(lines, start=1) for found in _VALUE.finditer(line)]
    written = Counter(found[1].lower() for found, _ in places)
    declared = {each.lower() for found in _ENUM.finditer("\n".join(lines)) for each in re.findall(r"\w+", found[1])}
    often: dict[str, set[str]] = {}  # by what is left of them without one letter: of thousands only a few are near
    for each in {each for each, count in written.items() if count > 1} | declared:
        for rest in _without_a_letter(each):
            often.setdefault(rest, set()).add(each)
    for found, number in places:
        name = found[1].lower()
        if written[name] > 1 or name in declared or name in _KNOWN:
            continue
        near = set[str]().union(*(often.get(rest, ()) for rest in _without_a_letter(name)))
        if meant := (slip_of(name, near) or "").upper():
            how = "declared" if meant.lower() in declared else "several times"
            problem = f"#{found[1]} is written once, and #{meant} {how}"
            yield (number, found.start() + 1), problem, f"did you mean #{meant}?", False


def _without_a_letter(name: str) -> set[str]:
    """The name and all that is left of it without one letter: names that differ by one, or by two that changed places,
    have one of these in common."""
    return {name, *(name[:k] + name[k + 1 :] for k in range(len(name)))}
