"""How long to search for fewer operations, up to a record: other gauges of the arm, several starts of the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from torsor.algebra import count, simplify
from torsor.emit.tapes_that_came import Graphs
from torsor.mechanics.canonical import Trees, at_feet
from torsor.mechanics.formulations import FORMULATIONS
from torsor.mechanics.gauges import NEUTRAL, Gauge, can_be_gauged, leanest
from torsor.mechanics.quantity import Quantity
from torsor.mechanics.tree import Tree

DeriveEffort = Literal["none", "quick", "normal", "high", "record"]
SearchLevel = Literal["none", "normal", "high", "record"]  # "quick" is another name of "normal"
SearchProgress = Callable[[str, float], None]  # hears what is done at the moment, and the share that is behind

# Beyond these operations the search for the fewest takes minutes; the normal level stays within seconds.
LARGEST = 1100
LARGEST_RECORD = 1600  # for those who wait for a record
LINES = 4  # of searches, each from what the one before it came to
LENGTH = 6
# What sums weigh in one search of a line after the other. Each ends where nothing is left that its weights like better;
# with others there is. What counts in the end is M + A.
SUMS_WEIGH = (2.0, 17 / 16)
A_SEARCH_PER = 25  # operations, at most: lines of small graphs are shorter
AT_GAUGES = 0.4  # of the time for a record


def fewest(
    outputs: Graphs, effort: SearchLevel, progress: SearchProgress, others: Callable[[], Graphs] | None = None
) -> Graphs:
    """Graphs simplified as hard as was asked for; for a record by lines of searches, of which the best counts. Half of
    the lines start from ``others``, the same traced in other ways."""
    as_traced = count(outputs).total
    if effort != "record":
        found: Graphs = simplify(outputs, effort=effort if effort != "high" or as_traced <= LARGEST else "normal")
        return found
    if as_traced > LARGEST_RECORD:
        progress(f"one search: {as_traced} operations so far", AT_GAUGES)
        return min((outputs, simplify(outputs, effort="high")), key=_operations)
    half = LINES // 2
    # what each line of searches has come to
    lines: list[Graphs] = [outputs] * half + [outputs if others is None else others()] * (LINES - half)
    best = min(lines, key=_operations)
    searches = LINES * min(LENGTH, 1 + as_traced // A_SEARCH_PER)
    for seed in range(searches):
        done = AT_GAUGES + (1 - AT_GAUGES) * seed / searches
        progress(f"search {seed + 1} of {searches}: {count(best).total} operations so far", done)
        turn, k = divmod(seed, LINES)
        weight = SUMS_WEIGH[(turn + k) % len(SUMS_WEIGH)]
        found = simplify(lines[k], effort="high", seed=seed, sums=weight)
        best = min(best, found, key=_operations)
        lines[k] = min(found, lines[k], key=partial(_operations, sums=weight))  # of equal ones the new
    return best


def _operations(graphs: Graphs, sums: float = 1.0) -> tuple[float, int]:
    """M + A, with sums in this weight; of equal ones the fewer A."""
    found = count(graphs)
    return found.M + sums * found.A, found.A


def is_same_in_all_gauges(quantity: Quantity, by: str | None) -> bool:
    """Whether a quantity by a formulation is computed in lean frames, from what torques depend on alone."""
    frames = FORMULATIONS[by].frames if by is not None else quantity.frames
    return frames == "lean" and quantity.needs_inertia and quantity.of_base_parameters


@dataclass(frozen=True)
class StartedGauge:
    """A gauge, and whether it was chosen with origins at the feet of bodies: offsets along an axis may stand before its
    joint or behind."""

    feet: bool = False
    gauge: Gauge = NEUTRAL

    def start(self, trees: Trees) -> Tree:
        return at_feet(trees.lean) if self.feet else trees.lean

    def of(self, trees: Trees) -> Trees:
        return trees if self == AS_GIVEN else replace(trees, given=self.gauge.of(self.start(trees)))


AS_GIVEN = StartedGauge()


def leanest_gauge(trees: Trees, trace: Callable[[Trees], Graphs], progress: SearchProgress) -> StartedGauge:
    """The gauge in which what is traced costs least; none where there is no choice, or where to count what every choice
    costs would take hours."""
    if trees.loops is not None or not can_be_gauged(trees.lean):
        return AS_GIVEN

    def as_traced(tree: Tree) -> int:
        return count(trace(replace(trees, given=tree))).total

    def simplified(tree: Tree) -> int:
        return count(simplify(trace(replace(trees, given=tree)))).total

    if as_traced(trees.lean) > LARGEST_RECORD:
        return AS_GIVEN
    starts = []  # from both, first by what is counted at once
    for share, feet in ((0.0, False), (0.1, True)):
        tree = StartedGauge(feet).start(trees)
        starts.append(StartedGauge(feet, leanest(tree, as_traced, _told(progress, share))))
    best = min(starts, key=lambda each: simplified(each.gauge.of(each.start(trees))))
    return replace(best, gauge=leanest(best.start(trees), simplified, _told(progress, 0.2), best.gauge))


def _told(progress: SearchProgress, share: float) -> Callable[[int], None]:
    return lambda least: progress(f"gauges: {least} operations", share)
