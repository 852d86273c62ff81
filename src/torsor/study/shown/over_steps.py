"""Outputs over grids and lists of numbers: curves over one of them, filled contours over two."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from torsor.model.transforms import Floats
from torsor.study.result import StudyResult
from torsor.study.shown.study_figures import Draws, contours, curves, labelled, measured, yes_or_no
from torsor.study.summary import YES_OR_NO

OUTER = (0.05, 0.95)  # quantiles that are drawn beside the median


def over_steps(result: StudyResult, outputs: Sequence[str]) -> list[Draws]:
    """A picture for each output, where one or two inputs vary in steps; of what else varies the mean, or quantiles."""
    steps = [name for name in result.shape if name in result.inputs and result.inputs[name].dtype.kind == "f"]
    if len(steps) not in (1, 2):
        return []
    known = list(result.shape)
    values = [np.array(list(dict.fromkeys(np.asarray(result.inputs[name]).tolist()))) for name in steps]
    labels = [f"{name} ({measured(result, name)})" for name in steps]
    found = []
    for name in outputs:
        cube = np.moveaxis(result.folded(name), [known.index(each) for each in steps], range(len(steps)))
        runs = cube.reshape(*cube.shape[: len(steps)], -1)  # (steps..., all that varies beside them)
        alone = runs.shape[-1] == 1
        label = f"share of {name}" if name in YES_OR_NO else labelled(name, result.units.get(name, ""))
        if len(steps) == 2 and alone and name in YES_OR_NO:
            found.append(yes_or_no(values[0], values[1], runs[..., 0], name, (labels[0], labels[1]), name))
        elif len(steps) == 2:
            title = name if alone else f"mean of {name} over {runs.shape[-1]} runs each"
            found.append(contours(values[0], values[1], _mean(runs), title, (labels[0], labels[1], label)))
        elif alone or name in YES_OR_NO:
            found.append(curves(values[0], {name: _mean(runs)}, f"{name} over {steps[0]}", (labels[0], label)))
        else:
            found.append(curves(values[0], _quantiles(runs), f"{name} over {steps[0]}", (labels[0], label)))
    return found


def _mean(runs: Floats) -> Floats:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # where all runs failed there is no mean
        return np.asarray(np.nanmean(runs, axis=-1))


def _quantiles(runs: Floats) -> dict[str, Floats]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        low, middle, high = np.nanquantile(runs, (OUTER[0], 0.5, OUTER[1]), axis=-1)
    return {"median": middle, f"{100 * OUTER[0]:g} %": low, f"{100 * OUTER[1]:g} %": high}
