"""Two documents of the page as one: both arms, both curves in every plot, and a table of what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from torsor.report.frame import section
from torsor.report.markup import Column, Html, element, table

Difference = tuple[str, str, float, float]  # what, its unit, and its two values
SCALES = {("W", "kW"): 1e-3, ("kW", "W"): 1e3, ("J", "kJ"): 1e-3, ("kJ", "J"): 1e3}
NONE = "\u2013"


def compared(first: dict[str, Any], second: dict[str, Any], labels: tuple[str, str]) -> dict[str, Any]:
    """The first document with what moves and what is plotted in the second beside it.

    Curves of the second have ``run`` 1, and times of their own: ``compared.time``. The arm of the second is drawn where
    it has the same joints.
    """
    one, other = labels
    motions = [motion | {"label": one} for motion in first["motions"][:1]]
    if _joints(first) == _joints(second):
        motions += [motion | {"label": other} for motion in second["motions"][:1]]
    paths = [path | {"label": one} for path in first["paths"][:1]]
    paths += [path | {"label": other, "kind": "reached", "load": None} for path in second["paths"][:1]]
    known = {group["key"]: {panel["name"]: panel for panel in group["panels"]} for group in second["groups"]}
    groups = []
    for group in first["groups"]:
        others = known.get(group["key"], {})
        groups.append(
            group | {"panels": [_both(panel, others.get(panel["name"]), labels) for panel in group["panels"]]}
        )
    return first | {
        "motions": motions,
        "paths": paths,
        "groups": groups,
        "end": max(first["end"], second["end"]),
        "compared": {"labels": [one, other], "time": second["time"]},
    }


def _joints(drawn: dict[str, Any]) -> list[str]:
    return [joint["name"] for joint in (drawn["scene"] or {"joints": []})["joints"]]


def _both(panel: dict[str, Any], other: dict[str, Any] | None, labels: tuple[str, str]) -> dict[str, Any]:
    series = [panel["series"][0] | {"label": labels[0]}]
    if other is not None and other["series"]:
        factor = SCALES.get((other["unit"], panel["unit"]), 1.0)
        curve = other["series"][0]
        series.append(
            curve | {"from": factor * curve["from"], "step": factor * curve["step"], "label": labels[1], "run": 1}
        )
    return panel | {"series": series}


def differences(labels: Sequence[str], rows: Iterable[Difference]) -> Html:
    """What differs between the two, in numbers."""
    one, other = labels
    columns = [Column("", number=False), Column(one), Column(other), Column("change"), Column("change", "%")]
    return section("Compared", _legend(one, other), table(columns, [_cells(*row) for row in rows]))


def _legend(one: str, other: str) -> Html:
    return element("p", f"{one}: the arm, solid curves; {other}: the ghost, dashed curves.", class_="note")


def _cells(what: str, unit: str, one: float, other: float) -> list[object]:
    change = other - one
    known = isfinite(change)
    share = f"{100.0 * change / abs(one):+.1f}" if known and one != 0.0 else NONE
    return [
        f"{what}, {unit}" if unit else what,
        _number(one),
        _number(other),
        ("+" if change > 0.0 else "") + _number(change),
        share,
    ]


def _number(value: float) -> str:
    if not isfinite(value):
        return NONE
    return f"{value:.0f}" if abs(value) >= 1e4 else f"{value:.4g}"
