"""From graph to tape: dead code drops out, negations are turned into differences, and an order is chosen.

The order keeps few values alive: the argument that needs more values at once is computed first, as Sethi and Ullman do
for trees; on a graph with shared parts that is a heuristic, so its result is measured against the plain order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from torsor.algebra.counting import nodes_of
from torsor.algebra.node import Node
from torsor.algebra.operations import COMMUTATIVE
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.algebra.walk import collector_paused, postorder, topological
from torsor.errors import CompileError


def tape_from(name: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Tape:
    """Lay out a graph. ``inputs`` are arrays of symbols (or of parameters), ``outputs`` arrays of nodes and numbers.

    >>> from torsor.algebra import symbols
    >>> x = symbols("x", 2)
    >>> print(tape_from("f", {"x": x}, {"y": x[0] * x[1] + 2 * x[0]}).text())
    tape f
    input x[2]
    output y
    t0 = 2 * x[0]
    t1 = x[0] * x[1]
    t2 = t0 + t1
    y = t2
    """
    flat, arrays, stay = _inputs(inputs)
    shaped = {key: np.asarray(value, dtype=object) for key, value in outputs.items()}
    roots = [node for value in shaped.values() for node in nodes_of(value)]
    with collector_paused():
        draft = _Draft(roots, flat)
        draft.turn_negations()
        tapes = [draft.tape(draft.order(by_need=by_need)) for by_need in (True, False)]
        code, results = min(tapes, key=lambda each: _peak(each[0]))
    out = tuple(Array(key, tuple(value.shape)) for key, value in shaped.items())
    return Tape(name, arrays, out, code, results, stay).verify()


def _inputs(inputs: Mapping[str, Any]) -> tuple[dict[Node, int], tuple[Array, ...], tuple[str, ...]]:
    flat: dict[Node, int] = {}
    arrays, stay = [], []
    for name, value in inputs.items():
        block = np.asarray(value, dtype=object)
        nodes = nodes_of(block)
        for node in nodes:
            if node.op not in ("symbol", "parameter") or node in flat:
                raise CompileError(f"input {name!r} holds {node!r}", hint="an input holds each symbol once")
            flat[node] = len(flat)
        kinds = {node.op for node in nodes}
        if kinds == {"parameter"}:
            stay.append(name)
        elif "parameter" in kinds:
            raise CompileError(f"input {name!r} mixes symbols and parameters", hint="make two inputs of them")
        arrays.append(Array(name, tuple(block.shape)))
    return flat, tuple(arrays), tuple(stay)


class _Draft:
    """The graph as lists that can be changed: signs are free to move here, where nothing is interned."""

    def __init__(self, roots: list[Node], flat: dict[Node, int]) -> None:
        nodes = topological(roots)
        number = {node: k for k, node in enumerate(nodes)}
        self.op = [node.op for node in nodes]
        self.args = [[number[arg] for arg in node.args] for node in nodes]
        self.value = [node.value for node in nodes]
        self.fixed = [node.fixed for node in nodes]
        self.roots = [number[root] for root in roots]
        for k, node in enumerate(nodes):
            if node.op in ("symbol", "parameter"):
                if node not in flat:
                    known = ", ".join(symbol.name for symbol in flat)
                    raise CompileError(f"{node.name!r} is used but is no input", hint=f"inputs: {known}")
                self.op[k], self.value[k] = "input", float(flat[node])
        self.uses = [0] * len(nodes)
        for args in self.args:
            for arg in args:
                self.uses[arg] += 1
        for root in self.roots:
            self.uses[root] += 1

    def _add(self, op: str, args: list[int], value: float, fixed: bool) -> int:
        self.op.append(op)
        self.args.append(args)
        self.value.append(value)
        self.fixed.append(fixed)
        self.uses.append(1)
        return len(self.op) - 1

    def turn_negations(self) -> None:
        """-(a - b) becomes b - a; a sign that can reach such a difference, or a number, through products goes there."""
        alias: dict[int, int] = {}
        for k in range(len(self.op)):
            if self.op[k] == "neg":
                child = self.args[k][0]
                if (self.uses[child] == 1 or self.op[child] == "const") and self._turns(child, 20):
                    alias[k] = self._turned(child)
            elif self.op[k] == "atan2" and self.op[self.args[k][0]] == "neg":
                # atan2(-(+0), -1) would be -pi where the floats' b - a = +0 gives pi; 0 - (+0) is +0.
                y = self.args[k][0]
                if y not in alias:
                    self.args[k][0] = self._add("sub", [self._add("const", [], 0.0, True), self.args[y][0]], 0.0, False)
                    self.uses[y] -= 1
        for args in self.args:
            args[:] = [alias.get(arg, arg) for arg in args]
        self.roots = [alias.get(root, root) for root in self.roots]

    def _turns(self, k: int, depth: int) -> bool:
        op = self.op[k]
        if op == "const" or self.fixed[k]:
            return True
        if self.uses[k] != 1 or depth == 0:
            return False
        turnable = {"mul": self.args[k], "add": self.args[k], "div": self.args[k][:1]}.get(op, ())
        return op == "sub" or any(self._turns(arg, depth - 1) for arg in turnable)

    def _turned(self, k: int) -> int:
        """The negative of value k, which ``_turns`` found free to change."""
        op, args = self.op[k], self.args[k]
        if op == "const":
            return self._add("const", [], -self.value[k], True)
        if self.fixed[k]:
            return self._add("neg", [k], 0.0, True)
        if op == "sub":
            args.reverse()
        else:
            turn = 0 if op == "div" or self._turns(args[0], 19) else 1
            args[turn] = self._turned(args[turn])
            if op == "add":
                self.op[k] = "sub"
                if turn == 1:
                    args.reverse()
        return k

    def order(self, *, by_need: bool) -> list[int]:
        """Depth first from the outputs; ``by_need`` computes first the argument that needs more values at once."""
        if not by_need:
            return postorder(self.roots, lambda k: self.args[k][::-1])
        need = self._need()
        return postorder(self.roots, lambda k: sorted(self.args[k], key=need.__getitem__, reverse=True)[::-1])

    def _need(self) -> list[int]:
        """Values alive at once that each value needs, were the graph a tree."""
        need = [0] * len(self.op)
        for k in self.order(by_need=False):
            args = self.args[k]
            if len(args) == 2:
                a, b = need[args[0]], need[args[1]]
                need[k] = max(a, b) if a != b else a + 1
            elif args:
                need[k] = max(1, *(n + i for i, n in enumerate(sorted((need[arg] for arg in args), reverse=True))))
        return need

    def tape(self, order: list[int]) -> tuple[tuple[Instruction, ...], tuple[int, ...]]:
        number: dict[int, int] = {}
        numbers: dict[float, int] = {}
        code: list[Instruction] = []
        for k in order:
            op = self.op[k]
            if op == "const":
                if self.value[k] in numbers:  # the turning of signs may have made a second one
                    number[k] = numbers[self.value[k]]
                    continue
                numbers[self.value[k]] = len(code)
            args = [number[arg] for arg in self.args[k]]
            if op in COMMUTATIVE:
                args.sort(key=lambda arg: _reading_order(code[arg], arg))
            number[k] = len(code)
            code.append(Instruction(op, tuple(args), self.value[k] if not args else 0.0))
        return tuple(code), tuple(number[root] for root in self.roots)


def _reading_order(step: Instruction, k: int) -> tuple[int, float]:
    """Numbers before inputs before computed values."""
    return (0, 0.0) if step.op == "const" else (1, step.value) if step.op == "input" else (2, float(k))


def _peak(code: tuple[Instruction, ...]) -> int:
    return Tape("", (), (), code, ()).liveness().peak
