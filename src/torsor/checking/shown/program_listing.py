"""The program as it stands in its file, with the lines responsible for problems marked."""

from __future__ import annotations

from collections.abc import Sequence

from torsor.checking.verdict import Verdict
from torsor.report.markup import Html, element

AROUND = 4  # lines shown beside each interesting one, where a program is too long to be shown whole
WHOLE = 1500  # lines


def listing(verdict: Verdict) -> Html:
    lines = verdict.source.splitlines()
    wrong: dict[int, list[str]] = {}
    for problem in verdict.problems:
        wrong.setdefault(problem.place.line, []).append(problem.text)
    moving = {move.place.line for move in verdict.moves}
    shown: Sequence[int] = range(1, len(lines) + 1)
    if len(lines) > WHOLE:
        near = {k for line in wrong for k in range(line - AROUND, line + AROUND + 1)} | set(range(1, AROUND + 1))
        shown = sorted(k for k in near if 1 <= k <= len(lines))[:WHOLE]
    drawn, previous = [], 0
    for number in shown:
        if number != previous + 1:
            drawn.append(element("div", element("span", "⋮", class_="no"), class_="gap"))
        previous = number
        notes = wrong.get(number, [])
        drawn.append(
            element(
                "div",
                element("span", number, class_="no"),
                element("code", lines[number - 1] or " "),
                *(element("em", note) for note in notes[:3]),
                element("em", f"and {len(notes) - 3} more") if len(notes) > 3 else "",
                id=f"line{number}",
                class_="bad" if notes else "moves" if number in moving else None,
            )
        )
    return element("div", *drawn, class_="listing")
