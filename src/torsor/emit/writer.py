"""A list of LLVM IR lines under construction, over scalars (one lane) or SIMD vectors."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from torsor.emit.precision import DOUBLE, Precision

# Of functions that run once for many rows: LLVM translates them as they are, in a fifth of the time.
UNHURRIED = "noinline optnone #0"


def double(x: float) -> str:
    """A double as LLVM writes it, exactly.

    >>> double(1.0)
    '0x3FF0000000000000'
    """
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


class Writer:
    """Emits ``%t7 = ...`` lines, of a function; every method returns the name of what it defined."""

    def __init__(self, lanes: int, real: Precision = DOUBLE) -> None:
        self.lanes, self.real = lanes, real
        self.lines = ["entry:"]
        self.block = "entry"
        self.counter = 0

    def function(self, head: str) -> str:
        return "\n".join([f"define {head} {{", *self.lines, "}", ""])

    @property
    def type(self) -> str:
        return vector(self.lanes, self.real.name)

    @property
    def bits(self) -> str:
        """The integer type of the same shape."""
        return vector(self.lanes, f"i{self.real.bits}")

    def name(self) -> str:
        self.counter += 1
        return f"%t{self.counter}"

    def let(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def require(self, condition: str, otherwise: str) -> None:
        """Go on here only where a condition holds."""
        going_on = self.name()[1:] + ".ok"
        self.do(f"br i1 {condition}, label %{going_on}, label %{otherwise}")
        self.label(going_on)

    @contextmanager
    def loop(self, tag: str, end: str, start: str = "0") -> Iterator[str]:
        """The lines within are done for each number from ``start`` to ``end``, which is handed out."""
        before = self.block
        self.do(f"br label %{tag}")
        self.label(tag)
        head = len(self.lines)
        self.do(f"%{tag}.more = icmp slt i64 %{tag}.i, {end}")
        self.do(f"br i1 %{tag}.more, label %{tag}.body, label %{tag}.end")
        self.label(f"{tag}.body")
        yield f"%{tag}.i"
        self.do(f"%{tag}.next = add i64 %{tag}.i, 1")
        self.lines.insert(head, f"  %{tag}.i = phi i64 [ {start}, %{before} ], [ %{tag}.next, %{self.block} ]")
        self.do(f"br label %{tag}")
        self.label(f"{tag}.end")

    @contextmanager
    def fold(self, tag: str, end: str, starts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
        """A loop from zero on that hands values on, each of a type and with a start: the list holds those of the round,
        to be replaced by those of the next, and after the loop those of its end."""
        before, values = self.block, [f"%{tag}.v{k}" for k in range(len(starts))]
        names = list(values)
        with self.loop(tag, end) as index:
            yield index, values
            block = self.block
        head = self.lines.index(f"{tag}:") + 1
        self.lines[head:head] = [
            f"  {name} = phi {kind} [ {start}, %{before} ], [ {value}, %{block} ]"
            for name, (kind, start), value in zip(names, starts, values, strict=True)
        ]
        values[:] = names

    def at(self, base: str, index: int | str, kind: str = "") -> str:
        """A place; without a word among numbers."""
        return self.let(f"getelementptr {kind or self.real.name}, ptr {base}, i64 {index}")

    def load(self, place: str, kind: str = "") -> str:
        kind = kind or self.real.name
        return self.let(f"load {kind}, ptr {place}, align {_alignment(kind)}")

    def store(self, value: str, place: str, kind: str = "") -> None:
        kind = kind or self.real.name
        self.do(f"store {kind} {value}, ptr {place}, align {_alignment(kind)}")

    def const(self, x: float) -> str:
        number = double(self.real.rounded(x))  # LLVM writes floats as the doubles that they are
        return number if self.lanes == 1 else f"splat ({self.real.name} {number})"

    def iconst(self, i: int) -> str:
        return str(i) if self.lanes == 1 else f"splat (i{self.real.bits} {i})"

    def add(self, a: str, b: str) -> str:
        return self.let(f"fadd {self.type} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        return self.let(f"fsub {self.type} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        return self.let(f"fmul {self.type} {a}, {b}")

    def neg(self, a: str) -> str:
        return self.let(f"fneg {self.type} {a}")

    def as_bits(self, a: str) -> str:
        return self.let(f"bitcast {self.type} {a} to {self.bits}")

    def as_real(self, a: str) -> str:
        return self.let(f"bitcast {self.bits} {a} to {self.type}")

    def left(self, a: str, places: int) -> str:
        return self.let(f"shl {self.bits} {a}, {self.iconst(places)}")

    def right(self, a: str, places: int) -> str:
        return self.let(f"lshr {self.bits} {a}, {self.iconst(places)}")

    def xor(self, a: str, b: str) -> str:
        return self.let(f"xor {self.bits} {a}, {b}")

    def negative(self, a: str) -> str:
        """Where the highest bit is set, as `choose` wants it."""
        return self.let(f"icmp slt {self.bits} {a}, {self.iconst(0)}")

    def greater(self, a: str, b: str) -> str:
        return self.let(f"fcmp ogt {self.type} {a}, {b}")

    def choose(self, flag: str, yes: str, no: str) -> str:
        return self.let(f"select {vector(self.lanes, 'i1')} {flag}, {self.type} {yes}, {self.type} {no}")

    def intrinsic(self, name: str, *args: str) -> str:
        """A call to an elementwise intrinsic such as ``sqrt`` or ``fma``."""
        listed = ", ".join(f"{self.type} {a}" for a in args)
        return self.let(f"call {self.type} @llvm.{name}.{mangled(self.lanes, self.real)}({listed})")

    def fma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, c)


class Lanes(Writer):
    """A writer of another width, or of other numbers, over the lines of an existing one."""

    def __init__(self, base: Writer, lanes: int, real: Precision | None = None) -> None:
        self.base = base
        self.lanes, self.real = lanes, real or base.real
        self.lines = base.lines

    def name(self) -> str:
        return self.base.name()


def vector(lanes: int, element: str) -> str:
    return element if lanes == 1 else f"<{lanes} x {element}>"


def mangled(lanes: int, real: Precision) -> str:
    return real.suffix if lanes == 1 else f"v{lanes}{real.suffix}"


def _alignment(kind: str) -> int:
    """Of numbers that lie in arrays, of vectors of them too."""
    return 4 if kind == "i32" or "float" in kind else 8
