"""Where the tool was in the runs of a study of postures: in space as a cloud, in a plane as filled contours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torsor.study.cells import binned, cells_a_side
from torsor.study.quantity_base import PLACES, QuantityBase, large_is_bad
from torsor.study.result import StudyResult
from torsor.study.shown.space_cloud import SpaceCloud
from torsor.study.shown.study_figures import Draws, contours, labelled, upright

AXES = ("x", "y", "z")
FLAT = 1e-9  # of the largest extent: what is less is none
FILLED = 0.7  # of the room that a point has on average: how large it is drawn


def in_space(result: StudyResult) -> SpaceCloud | None:
    """A point for each run, where the tool moves in all of space."""
    moved = _moved(result)
    if len(moved) != 3:
        return None
    quantities = _quantities(result) or ["reach"] * ("reach" in result.values) or ["z"]
    places = np.column_stack([result[axis] for axis in AXES])
    values = {name: np.asarray(result[name]) for name in quantities}
    known = np.isfinite(places).all(axis=1) & np.isfinite(np.column_stack(list(values.values()))).all(axis=1)
    if not known.any():
        return None
    places = places[known]
    room = float(np.prod(np.ptp(places, axis=0)) / len(places)) ** (1.0 / 3.0)
    base = result.base if isinstance(result.base, QuantityBase) else None
    return SpaceCloud(
        places,
        {name: own[known] for name, own in values.items()},
        {name: result.units[name] for name in values},
        FILLED * room,
        base.arm if base else None,
        base.at if base else None,
    )


def in_plane(result: StudyResult) -> Iterator[tuple[Draws, tuple[float, float]]]:
    """Quantities where the tool moves in a plane, with their sizes: of the runs in a cell the best."""
    moved = _moved(result)
    if len(moved) != 2:
        return
    for name in _quantities(result):
        columns = np.stack([result[axis] for axis in (*moved, name)])
        *places, values = columns[:, np.isfinite(columns).all(axis=0)]
        if not len(values):
            continue
        centres, cells = binned(np.stack(places), values, cells_a_side(len(values), 2), lowest=large_is_bad(name))
        said = (f"{moved[0]}, m", f"{moved[1]}, m", labelled(name, result.units[name]))
        draw = contours(centres[0], centres[1], cells, f"{name}, best in each cell", said, equal=True)
        yield draw, upright(*(float(np.ptp(own)) for own in centres))


def _quantities(result: StudyResult) -> list[str]:
    return [name for name in result.scalars if name not in PLACES]


def _moved(result: StudyResult) -> list[str]:
    """The axes along which the tool moves; none where that is not known."""
    if result.kind != QuantityBase.kind or not all(axis in result.values for axis in AXES):
        return []
    spans = {}
    for axis in AXES:
        values = np.asarray(result[axis])
        known = values[np.isfinite(values)]
        spans[axis] = float(np.ptp(known)) if len(known) else 0.0
    most = max(spans.values())
    return [axis for axis, span in spans.items() if span > FLAT * most]
