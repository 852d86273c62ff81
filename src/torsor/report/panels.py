"""Curves against time and their limits, as numbers for the page's script."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.report.packing import packed


def group(key: str, title: str, note: str, panels: list[dict[str, Any]]) -> dict[str, Any]:
    return {"key": key, "title": title, "note": note, "panels": panels}


def panel(
    name: str,
    unit: str,
    series: list[tuple[str, Floats]],
    *,
    limits: tuple[float, float] = (-np.inf, np.inf),
    spans: list[tuple[float, float]] | None = None,
    from_zero: bool = False,
) -> dict[str, Any]:
    return {
        "name": name,
        "unit": unit,
        "limits": [round(x, 6) if isfinite(x) else None for x in limits],
        "spans": [[round(a, 4), round(b, 4)] for a, b in spans or []],
        "zero": from_zero,
        "series": [{"label": label, **packed(values)} for label, values in series],
    }


def where_different(values: Floats, others: Floats, least: float) -> Floats | None:
    """The values where they differ from the others, and one sample to either side; None where they never do."""
    apart = np.abs(values - others) > least
    if not apart.any():
        return None
    wide = apart.copy()
    wide[1:] |= apart[:-1]
    wide[:-1] |= apart[1:]
    return np.where(wide, values, np.nan)
