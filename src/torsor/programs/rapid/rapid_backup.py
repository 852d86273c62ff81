"""A controller's backup: its tasks are what runs; of all that lies around in HOME only what a task loads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PureWindowsPath

_OF_TASK = re.compile(r"(^|[/\\])RAPID[/\\]TASK\d+[/\\]", re.IGNORECASE)
_LOADED = re.compile(r'([^"/\\:]+\.(?:modx?|sys|prg))"', re.IGNORECASE)  # Load "HOME:/part7.mod";
_FEW = 3  # files that are named


def of_tasks(texts: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], str]:
    """The files, each its name and text, that the tasks of a backup run, and what is said of others.

    >>> main, old = ("b/RAPID/TASK1/PROGMOD/Main.mod", "..."), ("b/HOME/Old.mod", "...")
    >>> of_tasks([old, main])
    ([('b/RAPID/TASK1/PROGMOD/Main.mod', '...')], 'left out, as no task of the backup loads it: Old.mod')
    """
    own = [each for each in texts if _OF_TASK.search(each[0])]
    if not own:
        return list(texts), ""
    loaded = {name.lower() for _, text in own for name in _LOADED.findall(text)}
    others = [each for each in texts if each not in own]
    kept = [each for each in others if PureWindowsPath(each[0]).name.lower() in loaded]
    left = [PureWindowsPath(name).name for name, _ in others if PureWindowsPath(name).name.lower() not in loaded]
    more = f" and {len(left) - _FEW} more" if len(left) > _FEW else ""
    them = "it" if len(left) == 1 else "them"
    said = f"left out, as no task of the backup loads {them}: {', '.join(left[:_FEW])}{more}" if left else ""
    return [*own, *kept], said
