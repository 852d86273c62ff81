"""How long to search for fewer operations, up to a record: other gauges of the arm, several starts of the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from torsor.algebra import count, simplify
from torsor.mechanics.asking import Question
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
STARTS = 8
AT_GAUGES = 0.4  # of the time for a record


def fewest(outputs: Graphs, effort: DeriveEffort, progress: SearchProgress) -> Graphs:
    """Graphs simplified as hard as was asked for; of several searches that start differently the best one."""
    as_traced = count(outputs).total
    is_small = as_traced <= LARGEST
    if effort != "record":
        found: Graphs = simplify(outputs, effort=effort if effort != "high" or is_small else "normal")
        return found
    best, least = outputs, as_traced
    starts = STARTS if is_small else 1
    for seed in range(starts):
        progress(
            f"search {seed + 1} of {starts}: {least} operations so far", AT_GAUGES + (1 - AT_GAUGES) * seed / starts
        )
        found = simplify(outputs, effort="high", seed=seed)
        if count(found).total < least:
            best, least = found, count(found).total
    return best


def in_leanest_gauge(trees: Trees, quantity: Quantity, by: str | None, progress: SearchProgress) -> Trees:
    """The trees in the gauge in which a quantity costs least; as they are where there is no choice, or where to count
    what every choice costs would take hours."""
    frames = FORMULATIONS[by].frames if by is not None else quantity.frames
    invariant = quantity.needs_inertia and quantity.of_base_parameters
    if frames != "lean" or not invariant or trees.loops is not None or not can_be_gauged(trees.lean):
        return trees

    def traced(tree: Tree) -> Graphs:
        return Question(replace(trees, given=tree), quantity, by=by).traced().outputs

    def as_traced(tree: Tree) -> int:
        return count(traced(tree)).total

    def simplified(tree: Tree) -> int:
        return count(simplify(traced(tree))).total

    if as_traced(trees.lean) > LARGEST:
        return trees
    # offsets along an axis may stand before its joint or behind: from both, first by what is counted at once
    starts = []
    for share, tree in ((0.0, trees.lean), (0.1, at_feet(trees.lean))):
        starts.append((tree, leanest(tree, as_traced, _told(progress, share))))
    tree, start = min(starts, key=lambda each: simplified(each[1].of(each[0])))
    return replace(trees, given=leanest(tree, simplified, _told(progress, 0.2), start).of(tree))


def _told(progress: SearchProgress, share: float) -> Callable[[int], None]:
    return lambda least: progress(f"gauges: {least} operations", share)
