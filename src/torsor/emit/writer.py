"""A list of LLVM IR lines under construction, over scalars (one lane) or SIMD vectors."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager


def double(x: float) -> str:
    """A double as LLVM writes it, exactly.

    >>> double(1.0)
    '0x3FF0000000000000'
    """
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


class Writer:
    """Emits ``%t7 = ...`` lines, of a function; every method returns the name of what it defined."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.lines = ["entry:"]
        self.block = "entry"
        self.counter = 0

    def function(self, head: str) -> str:
        return "\n".join([f"define {head} {{", *self.lines, "}", ""])

    @property
    def type(self) -> str:
        return vector(self.lanes)

    @property
    def bits(self) -> str:
        """The integer type of the same shape."""
        return vector(self.lanes, "i64")

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

    def at(self, base: str, index: int | str, kind: str = "double") -> str:
        return self.let(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def load(self, place: str, kind: str = "double") -> str:
        return self.let(f"load {kind}, ptr {place}, align {4 if kind == 'i32' else 8}")

    def store(self, value: str, place: str, kind: str = "double") -> None:
        self.do(f"store {kind} {value}, ptr {place}, align 8")

    def const(self, x: float) -> str:
        return double(x) if self.lanes == 1 else f"splat (double {double(x)})"

    def iconst(self, i: int) -> str:
        return str(i) if self.lanes == 1 else f"splat (i64 {i})"

    def add(self, a: str, b: str) -> str:
        return self.let(f"fadd {self.type} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        return self.let(f"fsub {self.type} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        return self.let(f"fmul {self.type} {a}, {b}")

    def neg(self, a: str) -> str:
        return self.let(f"fneg {self.type} {a}")

    def intrinsic(self, name: str, *args: str) -> str:
        """A call to an elementwise intrinsic such as ``sqrt`` or ``fma``."""
        listed = ", ".join(f"{self.type} {a}" for a in args)
        return self.let(f"call {self.type} @llvm.{name}.{mangled(self.lanes)}({listed})")

    def fma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, c)


def vector(lanes: int, element: str = "double") -> str:
    return element if lanes == 1 else f"<{lanes} x {element}>"


def mangled(lanes: int) -> str:
    return "f64" if lanes == 1 else f"v{lanes}f64"
