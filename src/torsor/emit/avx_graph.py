"""The batch kernel as a graph of AVX2 instructions: what `avx_order.py` puts in order and `avx_code.py` writes.

Sines come from the page that LLVM's IR comes from too, `sincos.py`: this graph is a writer that keeps what it is told
instead of printing it. A value's name is the number of its node.
"""

from __future__ import annotations

from typing import NamedTuple

from torsor.algebra.circle import LIMIT
from torsor.algebra.tape import Array, Tape
from torsor.emit.machine_tape import Angles, MachineTape
from torsor.emit.sincos import sincos
from torsor.emit.writer import Writer, double

SIGN = 1 << 63
# Operations of a tape that are one instruction; tapes with others are left to LLVM.
STEPS = frozenset(("add", "sub", "mul", "div", "fma", "fms", "fnma", "sqrt"))
STORES = frozenset(("store even", "store odd"))
LOADS = frozenset(("even", "odd"))
MADE = STEPS | LOADS | {"min", "max", "and", "or", "xor", "left", "right", "greater", "blend", "low", "high"}  # vectors


class AvxNode(NamedTuple):
    """``given``: the bits of a constant, the places of a shift, or the array and the column of a load or store.

    "even" and "odd" are two neighbouring columns of rows 0 and 2, or 1 and 3; "low" and "high" of both the first and
    the second column of all four rows. "leave" goes to the scalar kernel if any sign of its argument is set.
    """

    op: str
    args: tuple[int, ...] = ()
    given: tuple[int, ...] = ()


class AvxGraph(Writer):
    def __init__(self) -> None:
        super().__init__(4)
        self.nodes: list[AvxNode] = []
        self._known: dict[AvxNode, str] = {}

    def node(self, op: str, *args: str, given: tuple[int, ...] = ()) -> str:
        """The same instruction on the same values is there once."""
        node = AvxNode(op, tuple(map(int, args)), given)
        if node not in self._known:
            self._known[node] = str(len(self.nodes))
            self.nodes.append(node)
        return self._known[node]

    def const(self, x: float) -> str:
        return self.pattern(int(double(x), 16))

    def pattern(self, bits: int) -> str:
        return self.node("const", given=(bits,))

    def add(self, a: str, b: str) -> str:
        return self.node("add", a, b)

    def sub(self, a: str, b: str) -> str:
        return self.node("sub", a, b)

    def mul(self, a: str, b: str) -> str:
        return self.node("mul", a, b)

    def neg(self, a: str) -> str:
        return self.node("xor", a, self.pattern(SIGN))

    def fma(self, a: str, b: str, c: str) -> str:
        """Of a negative factor or addend the instruction that subtracts."""
        for op, value, others in (("fnma", a, (b, c)), ("fms", c, (a, b))):
            node = self.nodes[int(value)]
            if node.op == "xor" and node.args[1] == int(self.pattern(SIGN)):
                plain = str(node.args[0])
                return self.node(op, plain, *others) if op == "fnma" else self.node(op, *others, plain)
        return self.node("fma", a, b, c)

    def intrinsic(self, name: str, *args: str) -> str:
        return self.node("and", *args, self.pattern(SIGN - 1)) if name == "fabs" else self.node(name, *args)

    def as_bits(self, a: str) -> str:
        return a

    def as_real(self, a: str) -> str:
        return a

    def left(self, a: str, places: int) -> str:
        node = self.nodes[int(a)]
        if node.op == "right" and node.given == (1,) and places == 63:  # one bit: a mask instead of a second shift
            return self.node("and", self.left(str(node.args[0]), 62), self.pattern(SIGN))
        return self.node("left", a, given=(places,))

    def right(self, a: str, places: int) -> str:
        return self.node("right", a, given=(places,))

    def xor(self, a: str, b: str) -> str:
        return self.node("xor", a, b)

    def negative(self, a: str) -> str:
        return a

    def greater(self, a: str, b: str) -> str:
        return self.node("greater", a, b)

    def choose(self, flag: str, yes: str, no: str) -> str:
        return self.node("blend", no, yes, flag)

    def inputs(self, tape: Tape, program: MachineTape) -> dict[int, str]:
        """Of a row with an odd number of columns the last two are loaded together, one of them for the second time."""
        places = [(k, column, array.size) for k, array in enumerate(tape.inputs) for column in range(array.size)]
        found: dict[int, str] = {}
        for value, flat in program.inputs.items():
            array, column, size = places[flat]
            first = min(column - column % 2, size - 2)
            pairs = (self.node(op, given=(array, first)) for op in ("even", "odd"))
            found[value] = self.node("low" if column == first else "high", *pairs)
        return found

    def angles(self, step: Angles, values: dict[int, str]) -> None:
        """Sines and cosines; leaves if any angle is too large for polynomials.

        The least and the greatest of all angles tell. An angle that is NaN changes neither: of two values of which one
        is NaN the processor takes the second.
        """
        low, high = (self.const(limit) for limit in (-LIMIT, LIMIT))
        least, most = low, high
        for x, s, c in zip(step.args, step.sines, step.cosines, strict=True):
            least, most = self.node("min", values[x], least), self.node("max", values[x], most)
            values[s], values[c] = sincos(self, values[x], fma=True)
        self.node("leave", self.node("or", self.node("greater", most, high), self.node("greater", low, least)))

    def outputs(self, tape: Tape, results: list[str]) -> None:
        for array, output in enumerate(tape.outputs, len(tape.inputs)):
            for column in _firsts(output):
                pair = results[column], results[column + 1]
                self.node("store even", self.node("low", *pair), given=(array, column))
                self.node("store odd", self.node("high", *pair), given=(array, column))
            results = results[output.size :]


def graph_of(tape: Tape, program: MachineTape) -> AvxGraph | None:
    """None of what has operations, or arrays of one number, that are left to LLVM."""
    known = STEPS | {"neg", "abs"}
    if any(not isinstance(step, Angles) and step.op not in known for step in program.steps):
        return None
    if any(array.size < 2 for array in (*tape.inputs, *tape.outputs)):
        return None
    graph = AvxGraph()
    values = graph.inputs(tape, program)
    values |= {k: graph.const(c) for k, c in program.consts.items()}
    for step in program.steps:
        if isinstance(step, Angles):
            graph.angles(step, values)
        elif step.op == "neg":
            values[step.out] = graph.neg(values[step.args[0]])
        elif step.op == "abs":
            values[step.out] = graph.intrinsic("fabs", values[step.args[0]])
        else:
            values[step.out] = graph.node(step.op, *(values[a] for a in step.args))
    graph.outputs(tape, [values[r] for r in program.results])
    return graph


def _firsts(array: Array) -> list[int]:
    """The first columns of pairs; of an odd number of columns one is stored twice."""
    return [*range(0, array.size - 1, 2), *([array.size - 2] if array.size % 2 else [])]
