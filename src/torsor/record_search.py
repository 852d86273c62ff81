"""How long to search for fewer operations, up to a record: other gauges of the arm, several starts of the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from torsor.algebra import count, simplify
from torsor.mechanics.canonical import Trees, at_feet
from torsor.mechanics.formulations import FORMULATIONS
from torsor.mechanics.gauges import can_be_gauged, leanest
from torsor.mechanics.quantity import Quantity
from torsor.mechanics.tree import Reals, Tree

DeriveEffort = Literal["none", "normal", "high", "record"]
Graphs = dict[str, Reals]
SearchProgress = Callable[[str, float], None]  # hears what is done at the moment, and the share that is behind

# Beyond these operations the search for the fewest takes minutes; the normal level stays within seconds.
LARGEST = 1100
LARGEST_RECORD = 1600  # for those who wait for a record
STARTS = 4  # of the search, afresh ...
FURTHER = 8  # ... and searches that go on from the best that was found
AT_GAUGES = 0.4  # of the time for a record


def fewest(outputs: Graphs, effort: DeriveEffort, progress: SearchProgress) -> Graphs:
    """Graphs simplified as hard as was asked for; for a record by several searches, some from what others found."""
    as_traced = count(outputs).total
    if effort != "record":
        found: Graphs = simplify(outputs, effort=effort if effort != "high" or as_traced <= LARGEST else "normal")
        return found
    best, least = outputs, as_traced
    searches = STARTS + FURTHER if as_traced <= LARGEST_RECORD else 1
    for seed in range(searches):
        done = AT_GAUGES + (1 - AT_GAUGES) * seed / searches
        progress(f"search {seed + 1} of {searches}: {least} operations so far", done)
        found = simplify(outputs if seed < STARTS else best, effort="high", seed=seed)
        if count(found).total < least:
            best, least = found, count(found).total
    return best


def is_same_in_all_gauges(quantity: Quantity, by: str | None) -> bool:
    """Whether a quantity by a formulation is computed in lean frames, from what torques depend on alone."""
    frames = FORMULATIONS[by].frames if by is not None else quantity.frames
    return frames == "lean" and quantity.needs_inertia and quantity.of_base_parameters


def in_leanest_gauge(trees: Trees, trace: Callable[[Trees], Graphs], progress: SearchProgress) -> Trees:
    """The trees in the gauge in which what is traced costs least; as they are where there is no choice, or where to
    count what every choice costs would take hours."""
    if trees.loops is not None or not can_be_gauged(trees.lean):
        return trees

    def traced(tree: Tree) -> Graphs:
        return trace(replace(trees, given=tree))

    def as_traced(tree: Tree) -> int:
        return count(traced(tree)).total

    def simplified(tree: Tree) -> int:
        return count(simplify(traced(tree))).total

    if as_traced(trees.lean) > LARGEST_RECORD:
        return trees
    # offsets along an axis may stand before its joint or behind: from both, first by what is counted at once
    starts = []
    for share, tree in ((0.0, trees.lean), (0.1, at_feet(trees.lean))):
        starts.append((tree, leanest(tree, as_traced, _told(progress, share))))
    tree, start = min(starts, key=lambda each: simplified(each[1].of(each[0])))
    return replace(trees, given=leanest(tree, simplified, _told(progress, 0.2), start).of(tree))


def _told(progress: SearchProgress, share: float) -> Callable[[int], None]:
    return lambda least: progress(f"gauges: {least} operations", share)
