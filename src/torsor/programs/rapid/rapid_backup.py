"""A controller's backup: one task is the program of the arm; of all that lies around in HOME what it loads.

Tasks are programs of their own, mostly of other arms: they may have modules, routines and data of the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PureWindowsPath

_TASK = re.compile(r"^(?P<backup>.*[/\\])?RAPID[/\\]TASK(?P<number>\d+)[/\\]", re.IGNORECASE)
_BESIDE_TASKS = re.compile(r"(^|[/\\])RAPID[/\\]", re.IGNORECASE)  # modules that tasks share
_LOADED = re.compile(r'([^"/\\:]+\.(?:modx?|sys|prg))"', re.IGNORECASE)  # Load "HOME:/part7.mod";
_MOVES = re.compile(r"^\s*(Move|Arc|Trigg|Spot|Search|Paint|Disp)(Abs)?[LJC]\w*\b", re.IGNORECASE | re.MULTILINE)
_FEW = 3  # that are named

BackupTask = tuple[str, int]  # its backup and its number
NamedTexts = list[tuple[str, str]]


def of_one_task(texts: Sequence[tuple[str, str]]) -> tuple[NamedTexts, str]:
    """Of files, each its name and text, those of the first task that moves, and what is said of others.

    >>> main, old = ("b/RAPID/TASK1/PROGMOD/Main.mod", "MoveJ p1, v100, fine, tool0;"), ("b/HOME/Old.mod", "...")
    >>> of_one_task([old, main])[1]
    'TASK1 of the backup is what is run; left out, as it does not load it: Old.mod'
    """
    tasks: dict[BackupTask, NamedTexts] = {}
    others: NamedTexts = []
    for name, text in texts:
        if found := _TASK.match(name):
            tasks.setdefault((found["backup"] or "", int(found["number"])), []).append((name, text))
        else:
            others.append((name, text))
    if not tasks:
        return list(texts), ""
    one = _moving(tasks)
    loaded = {name.lower() for _, text in tasks[one] for name in _LOADED.findall(text)}
    used = {name for name, _ in others if PureWindowsPath(name).name.lower() in loaded or _BESIDE_TASKS.search(name)}
    kept = [each for each in others if each[0] in used]
    left = [PureWindowsPath(name).name for name, _ in others if name not in used]
    beside = [f"TASK{number}" for backup, number in sorted(tasks) if (backup, number) != one]
    said = []
    if beside:
        own = "a program of its own" if len(beside) == 1 else "programs of their own"
        said.append(f"{_few(beside)} {'is' if len(beside) == 1 else 'are'} {own}")
    if left:
        said.append(f"left out, as it does not load {'it' if len(left) == 1 else 'them'}: {_few(left)}")
    return [*tasks[one], *kept], "; ".join([f"TASK{one[1]} of the backup is what is run", *said]) if said else ""


def home_of(routine: str, texts: Iterable[tuple[str, str]]) -> str:
    """The folder of the task that has a routine, or the file, where it is of no task.

    >>> home_of("weld", [("b/RAPID/TASK2/PROGMOD/a.mod", "MODULE a\\nPROC Weld()")])
    'b/RAPID/TASK2'
    """
    head = re.compile(rf"^\s*(LOCAL\s+)?PROC\s+{re.escape(routine)}\s*\(", re.IGNORECASE | re.MULTILINE)
    name = next((name for name, text in texts if head.search(text)), "")
    return found[0].rstrip("/\\") if (found := _TASK.match(name)) else name


def _moving(tasks: Mapping[BackupTask, NamedTexts]) -> BackupTask:
    """The first task that moves; the first where none does."""
    order = sorted(tasks)
    return next((each for each in order if any(_MOVES.search(text) for _, text in tasks[each])), order[0])


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
