"""Axes beside the arm, a track or a table: where they stand, and which of them a point moves."""

from __future__ import annotations

from collections.abc import Mapping

STANDS = 0.1  # mm or degrees: an axis at rest is taught with a little less or more each time


def moved(stands: Mapping[str, float], now: Mapping[str, float]) -> dict[str, float]:
    """What a point has for axes that stand elsewhere; one of which nothing is known yet is taken to stand there.

    >>> moved({"e1": 800.0, "e2": 90.0}, {"e1": 800.004, "e2": 45.0, "e3": 1.0})
    {'e2': 45.0}
    """
    return {axis: value for axis, value in now.items() if abs(value - stands.get(axis, value)) > STANDS}
