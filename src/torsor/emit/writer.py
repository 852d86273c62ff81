"""A list of LLVM IR lines under construction, over scalars (one lane) or SIMD vectors."""

from __future__ import annotations

import struct


def double(x: float) -> str:
    """A double as LLVM writes it, exactly.

    >>> double(1.0)
    '0x3FF0000000000000'
    """
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


class Writer:
    """Emits ``%t7 = ...`` lines; every method returns the name of what it defined."""

    def __init__(self, lanes: int, prefix: str = "t") -> None:
        self.lanes = lanes
        self.lines: list[str] = []
        self.prefix = prefix
        self.counter = 0

    @property
    def type(self) -> str:
        return vector(self.lanes)

    @property
    def bits(self) -> str:
        """The integer type of the same shape."""
        return vector(self.lanes, "i64")

    def name(self) -> str:
        self.counter += 1
        return f"%{self.prefix}{self.counter}"

    def let(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

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
