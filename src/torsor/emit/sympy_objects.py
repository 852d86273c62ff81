"""Tape to SymPy: shared values as symbols with their expressions, as ``sympy.cse`` gives them, nothing expanded."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from torsor.algebra.exact import exact
from torsor.algebra.tape import Array, Tape
from torsor.emit.code_names import NO_NAMES, CodeNames
from torsor.emit.expressions import shared_out, uses_of
from torsor.emit.sheet_names import SheetNames
from torsor.errors import Unsupported


@dataclass(frozen=True)
class SympyEquations:
    """Inputs and outputs are matrices: (n, 1) for vectors, (1, 1) for scalars; arrays of more dimensions are Arrays."""

    inputs: dict[str, Any]
    intermediates: list[tuple[Any, Any]]  # (symbol, expression), in an order in which they can be computed
    outputs: dict[str, Any]

    def expanded(self) -> dict[str, Any]:
        """The outputs in the inputs alone: every intermediate put in. Long for all but small arms."""
        whole: dict[Any, Any] = {}
        for named, expression in self.intermediates:
            whole[named] = expression.xreplace(whole)
        return {name: block.applyfunc(lambda x: x.xreplace(whole)) for name, block in self.outputs.items()}


def to_sympy(tape: Tape, called: CodeNames | None = None) -> SympyEquations:
    """A tape as SymPy expressions in real symbols, named as in print: q1 for q[0].

    ``called`` are the names of a sheet of the same equations; what has none is x1, x2 and so on.

    >>> from torsor.algebra import symbols, tape_from
    >>> x = symbols("x", 2)
    >>> made = to_sympy(tape_from("dot", {"x": x}, {"y": x @ x}))
    >>> made.outputs["y"]
    Matrix([[x1**2 + x2**2]])
    """
    try:
        sympy = import_module("sympy")
    except ImportError:
        hint = "install it with: pip install sympy"
        raise Unsupported("to_sympy needs SymPy, which is not installed", hint=hint) from None
    tape.verify()
    writer = _Writer(tape, sympy, called or NO_NAMES)
    inputs = _blocks(tape.inputs, writer.inputs, sympy)
    outputs = _blocks(tape.outputs, [writer.values[k] for k in tape.results], sympy)
    return SympyEquations(inputs, writer.intermediates, outputs)


class _Writer:
    """Values used once stand inside their users, but for sums: SymPy would multiply a number into them."""

    def __init__(self, tape: Tape, sympy: Any, called: CodeNames) -> None:
        self.sympy = sympy
        names = SheetNames(tape)
        names.taken.update(called.values.values())
        self.inputs = [sympy.Symbol(each.text, real=True) for each in names.inputs]
        self.truths: dict[int, Any] = {}  # comparisons, for selections
        self.intermediates: list[tuple[Any, Any]] = []
        self.values: list[Any] = []
        uses = uses_of(tape)
        scaled = _scaled(tape)
        for k, step in enumerate(tape.code):
            if not uses[k]:
                self.values.append(None)
            elif step.op == "input":
                self.values.append(self.inputs[int(step.value)])
            elif step.op == "const":
                self.values.append(self._number(step.value))
            else:
                made = self._made(k, step.op, step.args)
                if not made.args or not (uses[k] > 1 or k in scaled or k in called.values):
                    self.values.append(made)
                else:
                    word = called.values.get(k) or names.numbered("x", "value").text
                    named = sympy.Symbol(word, real=True)
                    self.intermediates.append((named, made))
                    self.values.append(named)

    def _number(self, value: float) -> Any:
        """A rational, where a decimal fraction or a ratio is meant; other numbers with all their digits."""
        found = exact(value)
        if found is None:
            return self.sympy.Float(value, 17)
        return self.sympy.Rational(found.numerator, found.denominator)

    def _made(self, k: int, op: str, args: tuple[int, ...]) -> Any:
        s = self.sympy
        x = [self.values[arg] for arg in args]
        if op in ("lt", "le", "eq"):
            self.truths[k] = {"lt": s.Lt, "le": s.Le, "eq": s.Eq}[op](x[0], x[1])
            return s.Piecewise((s.Integer(1), self.truths[k]), (s.Integer(0), True))
        if op == "select":
            if args[0] in self.truths:
                return s.Piecewise((x[1], self.truths[args[0]]), (x[2], True))
            return s.Piecewise((x[2], s.Eq(x[0], 0)), (x[1], True))
        arithmetic = {"div": "truediv", "add": "add", "sub": "sub", "mul": "mul", "neg": "neg"}
        if op in arithmetic:
            return getattr(operator, arithmetic[op])(*x)
        return getattr(s, {"abs": "Abs", "min": "Min", "max": "Max"}.get(op, op))(*x)


def _scaled(tape: Tape) -> set[int]:
    """Sums that are multiplied or divided by a number or changed in sign."""
    found: set[int] = set()
    for step in tape.code:
        numbers = any(tape.code[arg].op == "const" for arg in step.args)
        if step.op == "neg" or (step.op in ("mul", "div") and numbers):
            found.update(arg for arg in step.args if tape.code[arg].op in ("add", "sub"))
    return found


def _blocks(arrays: tuple[Array, ...], scalars: list[Any], sympy: Any) -> dict[str, Any]:
    found = {}
    for array, own in zip(arrays, shared_out(scalars, arrays), strict=True):
        if len(array.shape) > 2:
            found[array.name] = sympy.Array(np.array(own, dtype=object).reshape(array.shape).tolist())
        else:
            rows, columns = {0: (1, 1), 1: (array.size, 1)}.get(len(array.shape), array.shape)
            found[array.name] = sympy.ImmutableMatrix(rows, columns, own)
    return found
