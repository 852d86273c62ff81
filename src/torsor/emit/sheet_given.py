"""What a paper tabulates before its equations: vectors of numbers and parameters, as the twists of the joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from torsor.algebra.exact import tidied
from torsor.algebra.node import Node, coerce
from torsor.algebra.telling import GivenVector
from torsor.algebra.tidy import tidy
from torsor.emit import formula
from torsor.emit.formula import Formula, Symbol
from torsor.errors import CompileError


class GivenRow(NamedTuple):
    """A vector by name."""

    symbol: Symbol
    entries: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"{self.symbol.text} = ({', '.join(map(str, self.entries))})"


def given_rows(vectors: Sequence[GivenVector], parameters: dict[str, Any]) -> tuple[GivenRow, ...]:
    """The rows of a table, each name once.

    >>> given_rows([GivenVector("xi", (1,), np.array([0.0, 0.5, 1.0]))], {})[0].__str__()
    'xi1 = (0, 0.5, 1)'
    """
    found: dict[str, GivenRow] = {}
    for letter, whose, vector in vectors:
        stem, primes = letter.rstrip("'"), letter.count("'")
        text = stem + "p" * primes + "_".join(map(str, whose))
        nodes = tidy({"v": np.asarray(vector, dtype=object)}, parameters)["v"]
        entries = tuple(formula.as_constant(formula.ordered(_formula(node))) for node in nodes)
        found.setdefault(text, GivenRow(Symbol(text, stem, whose, "constant", "", primes), entries))
    return tuple(found.values())


def _formula(value: Any) -> Formula:
    node = coerce(value)
    if node is None:
        raise CompileError(f"{value!r} is no number and no parameter")
    return _of(node)


def _of(node: Node) -> Formula:
    args = [_of(arg) for arg in node.args]
    match node.op:
        case "const":
            return formula.number(tidied(node.value))
        case "parameter" | "symbol":
            return formula.symbol(Symbol(node.name, node.name, (), "parameter"))
        case "add":
            return formula.total(args)
        case "sub":
            return formula.total([args[0], formula.negative(args[1])])
        case "neg":
            return formula.negative(args[0])
        case "mul":
            return formula.square(args[0]) if node.args[0] is node.args[1] else formula.product(args)
        case "div":
            return formula.quotient(*args)
    return Formula(node.op, tuple(args))
