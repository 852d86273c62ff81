"""Maps of the workspace: what an arm can where its tool is, over a section through it or in space.

Postures are drawn from the joints' ranges; each falls into the cell that its tool is in. A cell shows the best of its
postures, or the worst: where several reach the same place they need not do it equally well.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.errors import StudyError, did_you_mean
from torsor.study.answer import StudyAnswer
from torsor.study.cells import binned, cells_a_side
from torsor.study.definition import Study
from torsor.study.quantity_base import QuantityBase, large_is_bad
from torsor.study.shown.space_cloud import SpaceCloud
from torsor.study.shown.study_figures import SQUARE, cloud, contours, labelled, upright

SectionName = Literal["rz", "xy", "xz", "yz", "xyz"]
STATES = 1_000_000
QUANTILES = (0.0, 0.1, 0.5, 0.9, 1.0)


def workspace_map(
    robot: str | os.PathLike[str] | Arm,
    quantity: str = "manipulability",
    *,
    section: SectionName = "rz",
    show: Literal["worst", "best"] = "best",
    joints: Sequence[str] = (),
    at: ArrayLike | None = None,
    states: int = STATES,
    seed: int = 0,
    on: str | None = None,
    workers: int | None = None,
    progress: Any = None,
) -> StudyAnswer:
    """A quantity where the tool is: in the plane of r and z about the axis of the base, in another, or in space.

    ``quantity``: "reach", "manipulability", "torque_margin", "payload", "frequency", or "effective_inertia.MOTOR".
    ``joints`` vary over their ranges, all without a word; the others are ``at`` (n,). Planes other than "rz" take all
    postures with the tool on any side: hold joints to see one side only.
    """
    if section not in get_args(SectionName):
        raise StudyError(f"there is no section {section!r}", hint=did_you_mean(section, get_args(SectionName)))
    if show not in ("worst", "best"):
        raise StudyError(f"show is {show!r}", hint="worst or best")
    if states < 1:
        raise StudyError(f"states is {states}", hint="one or more")
    base = QuantityBase.of(robot, at, (quantity,))
    arm = base.arm.name
    outputs = tuple(dict.fromkeys((*section, quantity)))
    study = Study(base, base.whole(*joints), states, "sobol", seed, outputs, name=f"map of {arm}")
    result = study.run(on=on, workers=workers, progress=progress)
    values = np.asarray(result[quantity])
    if not np.isfinite(values).any():
        hint = "its arm file gives no torque limits" if quantity in ("torque_margin", "payload") else None
        raise StudyError(f"{quantity} of {arm!r} is not known anywhere", hint=hint)
    low = (show == "worst") != large_is_bad(quantity)
    places = np.stack([result[axis] for axis in section])
    known = np.isfinite(values) & np.isfinite(places).all(axis=0)
    if not known.all():
        places, values = places[:, known], values[known]
    centres, cells = binned(places, values, cells_a_side(len(values), len(section)), lowest=low)
    filled = np.isfinite(cells)
    unit = base.outputs[quantity].unit
    inside = cells[filled]
    most, least = np.unravel_index(np.nanargmax(cells), cells.shape), np.unravel_index(np.nanargmin(cells), cells.shape)
    where = {
        word: ", ".join(f"{axis} {centres[k][i]:.2f}" for k, (axis, i) in enumerate(zip(section, index, strict=True)))
        for word, index in (("most", most), ("least", least))
    }
    size = float(filled.mean() * np.prod([np.ptp(own) * len(own) / max(len(own) - 1, 1) for own in centres]))
    area = f"{size:.3g} {'m^3' if len(section) == 3 else 'm^2'}"
    what = "of space" if len(section) == 3 else f"of the plane of {section[0]} and {section[1]}"
    sentence = (
        f"the tool of {arm} reaches about {area} {what}; "
        f"{quantity} ({show} of the postures in a cell) is {inside.min():.4g} to {inside.max():.4g} {unit}".rstrip()
        + f", the most at {where['most']} m"
    )
    rows = [(f"{100 * q:g} % of cells below", float(np.quantile(inside, q))) for q in QUANTILES]
    title, label = f"{quantity} of {arm}, {show} in each cell", labelled(quantity, unit)
    space = None
    if len(section) == 3:
        index = np.argwhere(filled)
        spots = np.column_stack([centres[k][index[:, k]] for k in range(3)])
        picture = cloud(spots, cells[filled], title, label)
        widths = [float(own[1] - own[0]) for own in centres if len(own) > 1]
        space = SpaceCloud(spots, {quantity: inside}, {quantity: unit}, min(widths, default=0.1), base.arm, base.at)
    else:
        picture = contours(
            centres[0], centres[1], cells, title, (f"{section[0]}, m", f"{section[1]}, m", label), equal=True
        )
    found = {
        "least": float(inside.min()),
        "most": float(inside.max()),
        "cells": int(filled.sum()),
        "states": result.runs,
    }
    left = int((~known).sum())
    notes = [f"{left} of {result.runs} postures gave no number"] if left else []
    notes.append(
        f"{result.runs} postures in {int(filled.sum())} cells of {' x '.join(str(len(own)) for own in centres)}"
    )
    titles = ["cells", labelled(quantity, unit)]
    return StudyAnswer(
        "map",
        sentence,
        titles,
        rows,
        found,
        picture,
        space=space,
        size=SQUARE if len(section) == 3 else upright(*(float(np.ptp(own)) for own in centres)),
        notes=tuple(notes),
        result=result,
    )
