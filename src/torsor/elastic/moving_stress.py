"""Stress of elastic links along a motion: block by block, so that programs may be long."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from torsor.elastic.beam_cuts import ArmCuts
from torsor.elastic.section_forces import moving_forces_page
from torsor.elastic.stress import ArmStress, StressPeaks
from torsor.emit import Page
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.elastic.swinging import Swing

BLOCK = 4096  # samples at once


def stress_along(swing: Swing) -> ArmStress:
    """The most that every section of every link sees along a motion, over all its samples, and when.

    From equilibrium: what is beyond a section, as it moves, and what it carries. Motion between samples is not looked
    at, and what a step of time cannot resolve is not in the samples.
    """
    cuts, page = _page(swing)
    peaks = StressPeaks(cuts)
    for block in _blocks(len(swing.time)):
        peaks.add(swing.time[block], _forces(page, swing, block))
    return peaks.found


def stress_at(swing: Swing, samples: slice | Floats | int) -> ArmStress:
    """At some samples of a motion: (samples, cuts) of each link, or of one sample (cuts,)."""
    cuts, page = _page(swing)
    return ArmStress.of(cuts, _forces(page, swing, samples))


def _page(swing: Swing) -> tuple[ArmCuts, Page]:
    elastic, tree = swing.elastic, swing.tree
    cuts = elastic.cuts if tree is elastic.tree else ArmCuts.through(tree)
    inputs = dict.fromkeys(("x", "xd", "xdd"), tree.size)
    inputs |= {f"loop{k}": 6 for k in range(len(swing.loop_forces))}
    return cuts, Page(f"{elastic.model.name}_stress", inputs, partial(moving_forces_page, cuts), cuts.facts)


def _forces(page: Page, swing: Swing, at: slice | Floats | int) -> Floats:
    return np.asarray(page(*(part[at] for part in (swing.x, swing.xd, swing.xdd, *swing.loop_forces))))


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, count, BLOCK):
        yield slice(start, start + BLOCK)
