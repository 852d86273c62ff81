"""What the fold above an inline form says: the names that its statements have then, as the pendant writes them.

``;FOLD LIN P5 CONT Vel=2 m/s CPDAT1 Tool[1]`` stands above XP5, FP5 and LCPDAT1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_LINES = 30  # of one inline form
_FOLD = re.compile(r"\s*;\s*(END)?FOLD\b", re.IGNORECASE)
_MOVE = re.compile(
    r"\s*;\s*FOLD\s+(?P<word>S?PTP|S?LIN|S?CIRC|SPL)\s+(?P<points>\w+(?:[ \t,]+(?!(?:CONT|Vel|C_\w+)\b)\w+)?)\b"
    r"(?:[^;]*?\bVel\s*=\s*[\d.]+\s*(?:%|m/s)\s*(?P<data>[^\W\d]\w*))?",
    re.IGNORECASE,
)


def names_of_form(lines: Sequence[str], line: int) -> tuple[str, ...]:
    """The names of the inline form in which a line stands, from 1; none where it stands in none.

    >>> names_of_form([";FOLD PTP P1 CONT Vel=100 % PDAT4 Tool[1]", "PDAT_ACT=PPDAT4", "PTP XP1 C_DIS"], 3)
    ('XP1', 'FP1', 'PPDAT4', 'PP1')
    """
    closed = 0
    for above in range(line - 2, max(line - 2 - MOST_LINES, -1), -1):
        fold = _FOLD.match(lines[above])
        if fold is None:
            continue
        if fold[1]:
            closed += 1
        elif closed:
            closed -= 1
        else:
            return _names(_MOVE.match(lines[above]))
    return ()


def _names(move: re.Match[str] | None) -> tuple[str, ...]:
    if move is None:
        return ()
    points = re.findall(r"\w+", move["points"])
    # a point that is called by its whole name, with its X
    bare = [point[1:] if point[0] in "xX" and len(point) > 1 else point for point in points]
    sort = "P" if move["word"].upper().endswith("PTP") else "L"
    # the data that the form names, or, as with points of $config.dat, data that have the name of the point
    data = [f"{sort}{each}" for each in ([move["data"]] if move["data"] else []) + bare]
    return tuple(dict.fromkeys([*(f"{letter}{each}" for letter in "XF" for each in (*points, *bare)), *data]))
