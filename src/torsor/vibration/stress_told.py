"""The stress of an arm along a program, as plain data and as rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.elastic.stress import ArmStress, LinkStress, WorstStress, worst_of


def told_stress(found: ArmStress) -> dict[str, Any]:
    """For JSON: SI units; what is not known is null."""
    return {
        "worst": None if found.worst is None else _worst(found.worst),
        "links": [_link(link) for link in found.links.values()],
        "notes": found.notes,
    }


def _worst(worst: WorstStress) -> dict[str, Any]:
    return {
        "link": worst.link, "to": worst.to, "place": worst.place, "time": worst.time, "stress": worst.stress,
        "share_of_yield": worst.share,
    }  # fmt: skip


def _link(link: LinkStress) -> dict[str, Any]:
    def numbers(values: Any) -> list[float | None]:
        return [float(value) if np.isfinite(value) else None for value in values]

    return {
        "link": link.link,
        "to": [cut.to for cut in link.cuts],
        "places": link.places.tolist(),
        "von_mises": numbers(link.von_mises),
        "times": numbers(link.von_mises if link.time is None else link.time),
        "yield": link.yields,
    }


def stress_rows(found: ArmStress) -> list[list[str]]:
    """Of each link: its worst, where along it, when, and the share of yield."""
    rows = []
    for link in found.links.values():
        if not link.is_known:
            rows.append([link.link, "not known", "", "", ""])
            continue
        worst = worst_of(link)
        share = "not known" if worst.share is None else f"{100.0 * worst.share:.3g} %"
        when = "" if worst.time is None else f"{worst.time:.3f}"
        rows.append([link.link, f"{1e-6 * worst.stress:.3g}", f"{worst.place:.3f}", when, share])
    return rows
