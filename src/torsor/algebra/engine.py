"""The small engine behind the table of rules: it knows which rules can apply to a node about to be built.

A rule names the shape it applies to: the operation and the operations of its arguments (None for any; the shape
``(op, "same")`` is for two identical arguments). Shapes met while tracing are few, so the rules for each are looked up
once and kept; a node whose shape has no rules costs one dictionary lookup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING

from torsor.errors import CompileError, did_you_mean

if TYPE_CHECKING:
    from torsor.algebra.node import Node

RuleShape = tuple[str, ...]
Apply = Callable[..., "Node | None"]


@dataclass(frozen=True)
class Rule:
    """A local rule: ``apply`` gets the arguments of the node to be built, and gives what to build instead, or None."""

    name: str
    shapes: tuple[tuple[str | None, ...], ...]
    law: str
    apply: Apply

    def fits(self, shape: RuleShape) -> bool:
        alike = (p for p in self.shapes if p[0] == shape[0] and len(p) == len(shape))  # most are ruled out here
        return any(all(p is None or p == s for p, s in zip(pattern, shape, strict=True)) for pattern in alike)


class RuleSet:
    """The rules in force, with a note of which of them fired if ``record`` is set."""

    def __init__(self, without: Collection[str] = (), *, record: bool = False) -> None:
        self.without = frozenset(without)
        self.fired: Counter[str] = Counter()
        self.record = record
        self.table: dict[RuleShape, tuple[Apply, ...]] = {}

    def learn(self, shape: RuleShape) -> tuple[Apply, ...]:
        """The rules for a shape met for the first time."""
        from torsor.algebra import rules  # noqa: F401 - fills the table, which must be there before a node is built

        found = tuple(
            self._recorded(rule) if self.record else rule.apply
            for rule in RULES
            if rule.name not in self.without and rule.fits(shape)
        )
        self.table[shape] = found
        return found

    def _recorded(self, rule: Rule) -> Apply:
        def apply(*args: Node) -> Node | None:
            built = rule.apply(*args)
            if built is not None:
                self.fired[rule.name] += 1
            return built

        return apply


RULES: list[Rule] = []  # in the order they are tried; several may share a name
PASSES: dict[str, str] = {}  # whole-graph passes by name, which can be switched off like rules; with their law
active = RuleSet()
_swap = RLock()


def rule(name: str, law: str, shapes: str, apply: Apply) -> None:
    """Enter a rule. A shape reads "add const _": the operation, then those of its arguments; commas between several."""
    patterns = tuple(tuple(None if word == "_" else word for word in shape.split()) for shape in shapes.split(","))
    RULES.append(Rule(name, patterns, law, apply))
    active.table.clear()


def known(names: Collection[str]) -> frozenset[str]:
    """The names, if each is a rule or a pass; the word "all" stands for all of them."""
    from torsor.algebra import passes, rules  # noqa: F401 - they fill the tables

    every = {rule.name: None for rule in RULES} | dict.fromkeys(PASSES)
    if "all" in names:
        return frozenset(every)
    for name in names:
        if name not in every:
            raise CompileError(f"no rule {name!r}", hint=did_you_mean(name, every))
    return frozenset(names)


@contextmanager
def rules_in_force(without: Collection[str] = (), *, record: bool = False) -> Iterator[RuleSet]:
    """Trace or rebuild under other rules than the usual ones; other threads meanwhile use them too, which is harmless.

    >>> from torsor.algebra import symbol
    >>> x = symbol("x")
    >>> with rules_in_force(without={"zero"}):
    ...     print(x + 0)
    0 + x
    """
    global active
    with _swap:
        before, active = active, RuleSet(known(without), record=record)
        try:
            yield active
        finally:
            active = before
