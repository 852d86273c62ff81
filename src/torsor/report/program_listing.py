"""A program beside the arm: its lines, those that move it, and what is said of some."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from torsor.report.markup import Html, element

AROUND = 4  # lines shown beside each interesting one, where a program is too long to be shown whole
WHOLE = 1500  # lines


def listing(source: str, moving: Collection[int], wrong: Mapping[int, list[str]]) -> Html:
    """The program as it stands in its file, with the lines responsible for problems marked."""
    lines = source.splitlines()
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
                *(element("em", note) for note in first(notes, 3)),
                id=f"line{number}",
                class_="bad" if notes else "moves" if number in moving else None,
            )
        )
    return element("div", *drawn, class_="listing")


def to_line(line: int, shown: object = None) -> Html:
    """A link to a line of the listing."""
    return element("a", line if shown is None else shown, href=f"#line{line}")


def first(texts: list[str], most: int) -> list[str]:
    """So many of them, and how many more there are."""
    left = len(texts) - most
    return texts[:most] + ([f"and {left} more"] if left > 0 else [])
