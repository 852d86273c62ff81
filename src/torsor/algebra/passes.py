"""Simplification of a whole graph: a list of passes, each accepted only if it saves and the guard agrees.

Two levels. "normal" is for every compilation: tens of milliseconds for the dynamics of an arm; it leaves graphs of more
than ``VAST`` operations alone. "high" is a search with restarts for those who want the fewest operations, and takes
seconds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

import numpy as np

from torsor.algebra.counting import Count, count, nodes_of
from torsor.algebra.distribute import distribute
from torsor.algebra.engine import PASSES, RULES, known, rules_in_force
from torsor.algebra.factor import factor
from torsor.algebra.guard import BRANCHED, Guard
from torsor.algebra.netlist import WEIGHTS, Weights, weights_with
from torsor.algebra.node import Node, build, stacked
from torsor.algebra.pythagoras import pythagoras
from torsor.algebra.resubstitute import resubstitute, twins
from torsor.algebra.substitution import substitute
from torsor.algebra.walk import collector_paused, topological
from torsor.errors import CompileError

Effort = Literal["none", "normal", "high"]
Pass = Callable[[list[Node]], list[Node]]

SMALL = 1600  # values: up to here the normal level looks for resubstitutions too, which takes their square
LARGE = 2500  # values: up to here the high level looks for resubstitutions by two operations
# Operations: beyond, the normal level leaves a graph as its local rules made it. There the passes save 2 % (dynamics of
# 64 joints) to 7 % (derivatives of 20) and take more time than the machine code of what they save.
VAST = 20_000

CHANCES = (0.05, 0.1, 0.2, 0.4)  # of a product to be written out at a turn of the walk
SLACK = 3  # operations the walk of the high level may be worse than the best so far

PASSES["idle"] = "a symbol that no output depends on, as the turn of a round tool, is 0"
PASSES["walk"] = "products written out and values computed otherwise at random, then factored again"
PASSES["rebuild"] = "the local rules, once more from the leaves up"


@dataclass(frozen=True)
class PassOutcome:
    """What became of one pass."""

    name: str
    before: Count
    after: Count
    refused: str = ""  # why its result was not taken, if the guard objected

    @property
    def saved(self) -> int:
        """M and A saved; 0 if the result was not taken."""
        return 0 if self.refused else self.before.total - self.after.total


@dataclass
class Explanation:
    """What a simplification did: its outputs, its passes in order, how often each local rule fired, and what it saved.

    ``saved`` of a local rule is what the result would cost more without it; only ``explain`` finds that out.
    """

    outputs: Any
    before: Count
    after: Count
    steps: list[PassOutcome] = field(default_factory=list)
    fired: dict[str, int] = field(default_factory=dict)
    saved: dict[str, int] = field(default_factory=dict)

    @property
    def refused(self) -> list[PassOutcome]:
        return [step for step in self.steps if step.refused]

    def __str__(self) -> str:
        laws = {rule.name: rule.law for rule in reversed(RULES)} | PASSES
        lines = [f"before: {self.before}", f"after:  {self.after}"]
        lines += [
            f"  rule {name}: fired {times}, saved {self.saved.get(name, '?')}; {laws.get(name, '')}"
            for name, times in self.fired.items()
        ]
        totals: Counter[str] = Counter()
        for step in self.steps:
            totals[step.name] += step.saved
        lines += [f"  pass {name}: saved {saved}; {laws.get(name, '')}" for name, saved in totals.items()]
        lines += [f"  refused {step.name}: {step.refused}" for step in self.refused]
        return "\n".join(lines)


def simplify(
    outputs: Any,
    *,
    effort: Effort = "normal",
    without: Collection[str] = (),
    seed: int = 0,
    turns: int | None = None,
    sums: float = 1.0,
) -> Any:
    """The same outputs (an array, a number, or a mapping or list of them) with fewer operations.

    ``turns`` is the length of the random walk of the high level, by default such that it takes seconds; the result
    depends on ``seed``, ``turns`` and ``sums`` alone. ``sums`` is what a sum weighs beside a product; with a little
    more than 1 the search takes, of as many operations, those with fewer sums.

    ``without`` names rules and passes to leave out; the local rules among them are left out of the rebuilding, what
    they did while tracing stays (trace under ``rules_in_force(without=...)`` to leave them out there).

    >>> from torsor.algebra import symbols
    >>> a, b, c = symbols("x", 3)
    >>> simplify([a * b + c * a, b + c])
    [(x[1] + x[2]) * x[0], x[1] + x[2]]
    """
    return _simplified(outputs, effort, without, seed, turns, record=False, sums=sums).outputs


def explain(
    outputs: Any, *, effort: Effort = "normal", without: Collection[str] = (), seed: int = 0, turns: int | None = None
) -> Explanation:
    """Simplify, and tell which rules fired and what each saved, found by leaving each out in turn.

    >>> from torsor.algebra import rules_in_force, symbols
    >>> x = symbols("x", 2)
    >>> with rules_in_force(without={"all"}):
    ...     raw = np.sin(x[0]) ** 2 + np.cos(x[0]) ** 2 + x[1]
    >>> told = explain(raw, effort="none")
    >>> told.outputs, told.fired["pythagoras"], told.saved["pythagoras"]
    (1 + x[1], 1, 3)
    """
    told = _simplified(outputs, effort, without, seed, turns, record=True)
    for name in told.fired:
        other = _simplified(outputs, effort, {*without, name}, seed, turns, record=False)
        told.saved[name] = other.after.total - told.after.total
    return told


def _simplified(
    outputs: Any,
    effort: Effort,
    without: Collection[str],
    seed: int,
    turns: int | None,
    *,
    record: bool,
    sums: float = 1.0,
) -> Explanation:
    if effort not in ("none", "normal", "high"):
        raise CompileError(f"no effort {effort!r}", hint="known: none, normal, high")
    with rules_in_force(without, record=record) as active, collector_paused():
        run = PassRun(nodes_of(outputs), known(without), seed, weights_with(sums))
        if without or record:  # else the graph was built by the very same rules
            run.take("rebuild", rebuild, always=True)
        if effort == "high" or (effort == "normal" and run.size <= VAST):
            _normal(run)
        if effort == "high":
            _high(run, random.Random(seed), turns)
        told = Explanation(_like(outputs, iter(run.roots)), run.start, run.count, run.steps)
        told.fired = dict(sorted(active.fired.items()))
    return told


class PassRun:
    """The graph as it stands between passes, with its guard."""

    def __init__(
        self, roots: list[Node], without: frozenset[str] = frozenset(), seed: int = 0, weights: Weights = WEIGHTS
    ) -> None:
        self.weights = weights
        self.original = self.roots = roots
        self.guard = self.prints = Guard(seed)
        if any(node.op in BRANCHED for node in topological(roots)):
            self.prints = Guard(seed, opaque=True)
        self.without = without
        self.start = self.count = count(roots)
        self.steps: list[PassOutcome] = []

    def take(self, name: str, run: Pass, *, always: bool = False) -> bool:
        """Run a pass; take its result if it saves (or ``always``) and the guard agrees. Gives whether it saved."""
        if name in self.without:
            return False
        result = run(self.roots)
        after = count(result)
        if not always and self.work(after) >= self.work(self.count):
            self.steps.append(PassOutcome(name, self.count, self.count))
            return False
        refused = self.guard.differs(self.original, result) or ""
        self.steps.append(PassOutcome(name, self.count, after, refused))
        if refused:
            return False
        saved = self.work(after) < self.work(self.count)
        self.roots, self.count = result, after
        return saved

    def work(self, found: Count) -> float:
        """With its sums in the weight that they have here."""
        return found.work + (self.weights["add"] / self.weights["mul"] - 1.0) * found.add

    @property
    def size(self) -> int:
        return self.count.total


def _normal(run: PassRun) -> None:
    run.take("pythagoras-sum", pythagoras)
    run.take("factor", factor)
    run.take("twins", lambda roots: twins(roots, run.prints))
    if run.size <= SMALL and run.take("resubstitute", lambda roots: resubstitute(roots, run.prints)):
        run.take("factor", factor)


def _high(run: PassRun, rng: random.Random, turns: int | None) -> None:
    """A walk: products are written out and values computed otherwise at random, then all is factored again.

    The walk goes on from where it is while that costs little more than the best so far, and returns there otherwise.
    """
    _leave_out_idle_symbols(run)
    depth = 2 if run.size <= LARGE else 1
    run.take("resubstitute", lambda roots: resubstitute(roots, run.prints, depth, weights=run.weights))
    run.take("factor", factor)
    here = run.roots
    if turns is None:
        # a small graph takes little time a turn, and is often stuck for long
        turns = max(24, min(240, 8000 // max(run.size, 1))) if run.size <= SMALL else 8 if run.size <= LARGE else 2

    def walk(roots: list[Node]) -> list[Node]:
        nonlocal here
        here = here if run.work(count(here)) <= run.work(run.count) + SLACK else roots
        if "resubstitute" in run.without:
            here = factor(distribute(here, rng), rng)
            return here
        if turn % 3 == 0:
            here = resubstitute(here, run.prints, depth, rng, run.weights)
        else:
            here = resubstitute(
                factor(distribute(here, rng, rng.choice(CHANCES)), rng), run.prints, 1, rng, run.weights
            )
        here = resubstitute(factor(here, rng), run.prints, weights=run.weights)
        return here

    for turn in range(turns):  # noqa: B007 - the walk reads it
        run.take("walk", walk)
    run.take("factor", factor)
    run.take("twins", lambda roots: twins(roots, run.prints))


def _leave_out_idle_symbols(run: PassRun) -> None:
    """Only where nothing has branches: a symbol may matter in one that no point of the guard came to."""
    nodes = topological(run.roots)
    if any(node.op in BRANCHED for node in nodes):
        return
    for symbol in (node for node in nodes if node.op == "symbol"):
        run.take("idle", lambda roots, symbol=symbol: substitute(roots, {symbol: 0.0}).tolist())  # type: ignore[misc]


def rebuild(roots: list[Node]) -> list[Node]:
    """The graph built anew from its leaves by the rules in force."""
    built: dict[Node, Node] = {}
    for node in topological(roots):
        built[node] = build(node.op, *[built[arg] for arg in node.args]) if node.args else node
    return [built[root] for root in roots]


def _like(outputs: Any, nodes: Iterator[Node]) -> Any:
    """The nodes in the shape of the outputs."""
    if isinstance(outputs, dict):
        return {name: _like(part, nodes) for name, part in outputs.items()}
    if isinstance(outputs, list | tuple):
        return type(outputs)(_like(part, nodes) for part in outputs)
    if isinstance(outputs, np.ndarray):
        return stacked(list(islice(nodes, outputs.size)), outputs.shape)
    return next(nodes)
