"""What is wrong with a point of a trajectory, and in which line of its file that stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torsor.errors import TorsorError
from torsor.programs.misspelt import slip_of

TOGETHER = ("positions", "velocities", "accelerations")
NEEDED = ("positions", "time_from_start")
WORDS = (*TOGETHER, "time_from_start", "effort")


def refuse(path: Path, points: Sequence[Any], text: str) -> None:
    """Raises `TorsorError` for the first point that lacks what it needs, or has more or fewer numbers than the first.

    ``text`` is the file, as far as it has lines: the words of its points stand there in their order.
    """
    for k, point in enumerate(points):
        if not isinstance(point, Mapping):
            raise _fault(path, text, k, len(points), f"point {k + 1} is {point!r:.40}", "positions and time_from_start")
        for word in NEEDED:
            if point.get(word) is None or point[word] == []:
                _misspelt(path, text, k, point, word)
                raise _fault(path, text, k, len(points), f"point {k + 1} has no {word}", "every point needs it")
        for word in TOGETHER:
            first, here = points[0].get(word), point.get(word)
            if first and here and len(first) != len(here):
                told = f"point {k + 1} has {len(here)} {word}, the first has {len(first)}"
                raise _fault(path, text, k, len(points), told, "one for each joint")


def _misspelt(path: Path, text: str, k: int, point: Mapping[str, Any], word: str) -> None:
    for key in point:
        if key not in WORDS and slip_of(str(key), WORDS, family=False) == word:
            found = re.search(rf"\b{re.escape(str(key))}\b", text)
            line = text.count("\n", 0, found.start()) + 1 if found else 1
            told = f"point {k + 1} has {key!r}, which is no word of a point"
            raise TorsorError(told, hint=f"did you mean {word!r}?", file=path, line=line)


def _fault(path: Path, text: str, k: int, count: int, problem: str, hint: str) -> TorsorError:
    return TorsorError(problem, hint=hint, file=path, line=lines_of(text, count)[k])


def lines_of(text: str, count: int) -> tuple[int, ...]:
    """The lines of so many points, by a word that each of them has; 1 where they do not stand one by one."""
    for word in NEEDED:
        lines = [k for k, line in enumerate(text.split("\n"), start=1) for _ in re.finditer(rf"\b{word}\b", line)]
        if len(lines) == count:
            return tuple(lines)
    return (1,) * count
