"""The scalar of a trace: one immutable node type, interned, so that equal expressions are one object.

Nodes live inside NumPy object arrays, where ``@``, ``np.cross``, broadcasting and ``np.sin`` work on them; a page of
mechanics written for floats records its expression graph when it is run on them. Building a node applies the local
rules of ``rules.py`` at once. Interning is weak: a graph nobody holds is gone.

Signs are moved outwards, so the arguments of a product, a sum or a difference are never negations, the constants in
them never negative, and of a - b and b - a only one exists; ``tape.py`` turns the differences back where that saves a
negation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn
from weakref import ref
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from torsor.algebra import engine
from torsor.algebra.operations import CODES, COMMUTATIVE
from torsor.algebra.render import render
from torsor.errors import CompileError

Objects = NDArray[np.object_]


class _Cell:
    """The fields of a node while they are being written; the interning table turns it into a Node."""

    __slots__ = ("__weakref__", "args", "fixed", "name", "op", "order", "value")

    op: str
    args: tuple[Node, ...]
    value: float  # of a constant
    name: str  # of a symbol
    order: int
    fixed: bool  # depends on constants and parameters only


def _operator(op: str, *, swapped: bool = False) -> Callable[[Any, Any], Any]:
    """A method of two arguments; what cannot stand in an expression is left to the other's own operator."""

    def method(self: Node, other: Any) -> Any:
        if other.__class__ is not Node and (other := coerce(other)) is None:
            return NotImplemented
        return binary(op, other, self) if swapped else binary(op, self, other)

    return method


def _function(op: str) -> Callable[[Any], Node]:
    return lambda self: unary(op, self)


class Node(_Cell):
    """A scalar of the graph: an operation with its arguments, a constant, or a symbol.

    ``order`` sorts the arguments of commutative operations: it depends on the structure alone, so that a graph looks
    the same in every process. Constants come first, then what depends on parameters only (``fixed``), then the rest.

    >>> x = symbol("x")
    >>> (x + x) * 3 - x * 6
    0
    >>> x * 2 is 2 * x
    True
    """

    __slots__ = ()
    __array_priority__ = -1.0  # above NumPy's scalars, which then leave the work to us, and below its arrays

    __add__ = __radd__ = _operator("add")
    __sub__, __rsub__ = _operator("sub"), _operator("sub", swapped=True)
    __mul__ = __rmul__ = _operator("mul")
    __truediv__, __rtruediv__ = _operator("div"), _operator("div", swapped=True)
    __lt__, __gt__ = _operator("lt"), _operator("lt", swapped=True)
    __le__, __ge__ = _operator("le"), _operator("le", swapped=True)
    __neg__, __abs__, __floor__ = _function("neg"), _function("abs"), _function("floor")

    # What np.sin and its kin call on each element of an object array:
    sin, cos, sqrt, exp = _function("sin"), _function("cos"), _function("sqrt"), _function("exp")
    floor, fabs, sign = _function("floor"), _function("abs"), _function("sign")
    arctan2 = _operator("atan2")

    def tan(self) -> Any:
        return self.sin() / self.cos()

    def arccos(self) -> Node:
        return binary("atan2", unary("sqrt", (1 - self) * (1 + self)), self)

    def arcsin(self) -> Node:
        return binary("atan2", self, unary("sqrt", (1 - self) * (1 + self)))

    def __pos__(self) -> Node:
        return self

    conjugate = __copy__ = __pos__

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    def __pow__(self, power: Any) -> Node:
        exponent = coerce(power)
        if exponent is None or exponent.op != "const":
            raise CompileError("a traced value can be raised to a number only", hint="use exp for other powers")
        doubled = 2.0 * exponent.value
        if not doubled.is_integer() or abs(doubled) > 128:
            raise CompileError(f"no power {exponent.value:g}", hint="whole and half powers up to 64 are known")
        return _power(self, int(doubled))

    def __bool__(self) -> bool:
        if self.op == "const":
            return self.value != 0.0
        raise CompileError("a traced value has no truth", hint="use select, and less(a, b) to compare arrays")

    def __float__(self) -> float:
        if self.op == "const":
            return self.value
        raise CompileError("a traced value has no number", hint="evaluate a tape of it")

    def __reduce__(self) -> Any:
        return _restored, (self.op, self.args, self.value, self.name, self.fixed)

    def __setattr__(self, key: str, value: Any) -> NoReturn:
        raise AttributeError(f"a node cannot be changed: {key}")

    def __repr__(self) -> str:
        return render(self)


_mask = (1 << 62) - 1
_const_order, _fixed_order = 1 << 63, 1 << 62


class _Entry(ref):  # type: ignore[type-arg]
    """A weak reference that knows its key."""

    __slots__ = ("key",)
    key: tuple[Any, ...]


def _forget(entry: Any) -> None:
    """Called when a node is gone; its place may have been taken since."""
    key = entry.key
    if _table.get(key) is entry:
        del _table[key]


_table: dict[tuple[Any, ...], Any] = {}  # key -> _Entry


def _enter(
    key: tuple[Any, ...], op: str, args: tuple[Node, ...], value: float, name: str, order: int, fixed: bool
) -> Node:
    node: Any = _Cell()
    node.op, node.args, node.value, node.name, node.order, node.fixed = op, args, value, name, order, fixed
    node.__class__ = Node  # from here on it cannot be changed
    entry = _Entry(node, _forget)
    entry.key = key
    while (first := _table.setdefault(key, entry)) is not entry:  # another thread was faster, or a dead entry lingers
        if (other := first()) is not None:
            return other  # type: ignore[no-any-return]
        if _table.get(key) is first:
            del _table[key]
    return node  # type: ignore[no-any-return]


def intern(op: str, *args: Node) -> Node:
    """The one node with this operation and these arguments, without applying any rule."""
    key = (op, *args)
    if (entry := _table.get(key)) is not None and (found := entry()) is not None:
        return found  # type: ignore[no-any-return]
    fixed = args[0].fixed and args[-1].fixed and (len(args) < 3 or args[1].fixed)  # there are one to three
    order = hash((CODES[op], *[arg.order for arg in args])) & _mask
    return _enter(key, op, args, 0.0, "", order - _fixed_order if fixed else order, fixed)


def const(value: float) -> Node:
    """The node of a number.

    >>> const(2) * const(3) + 1
    7
    """
    value = float(value) + 0.0  # one zero: the sign of a zero constant is dropped
    key = ("const", value) if value == value else ("const", "nan")
    if (entry := _table.get(key)) is not None and (found := entry()) is not None:
        return found  # type: ignore[no-any-return]
    order = (hash(value) if value == value else 1) & _mask
    return _enter(key, "const", (), value, "", order - _const_order, True)


def _named(op: str, name: str) -> Node:
    order = hash((CODES["input"], crc32(name.encode()), crc32(name[::-1].encode()))) & _mask
    fixed = op == "parameter"
    return _enter((op, name), op, (), 0.0, name, order - _fixed_order if fixed else order, fixed)


def symbol(name: str) -> Node:
    """An input that varies from call to call.

    >>> symbol("x") is symbol("x")
    True
    """
    return _named("symbol", name)


def parameter(name: str) -> Node:
    """An input that stays while states change: what depends on parameters only is computed once, and counted apart.

    >>> m, x = parameter("m"), symbol("x")
    >>> (m * m).fixed, (m * x).fixed
    (True, False)
    """
    return _named("parameter", name)


def stacked(nodes: list[Node], shape: Any) -> Objects:
    """Nodes, one after the other, as an array of this shape."""
    flat = np.empty(len(nodes), dtype=object)
    flat[:] = nodes
    return flat.reshape(shape)


def _block(make: Callable[[str], Node], name: str, shape: int | tuple[int, ...]) -> Objects:
    places = np.ndindex(shape)
    return stacked([make(f"{name}[{','.join(map(str, place))}]" if place else name) for place in places], shape)


def symbols(name: str, shape: int | tuple[int, ...]) -> Objects:
    """An array of symbols, named by their indices.

    >>> symbols("q", 3)
    array([q[0], q[1], q[2]], dtype=object)
    """
    return _block(symbol, name, shape)


def parameters(name: str, shape: int | tuple[int, ...]) -> Objects:
    """An array of parameters, named by their indices."""
    return _block(parameter, name, shape)


def coerce(value: Any) -> Node | None:
    """A node of what can stand in an expression, or None."""
    if value.__class__ is Node:
        return value
    if isinstance(value, int | float | np.floating | np.integer | np.bool_):
        return const(float(value))
    return None


def build(op: str, *args: Node) -> Node:
    """Build any operation by the rules in force."""
    if len(args) == 2:
        return binary(op, *args)
    shape = (op, *[arg.op for arg in args])
    found = engine.active.table.get(shape)
    for rule in found if found is not None else engine.active.learn(shape):
        built = rule(*args)
        if built is not None:
            return built
    return intern(op, *args)


unary: Callable[[str, Node], Node] = build


def choose(condition: Node, then: Node, otherwise: Node) -> Node:
    """Build a select by the rules in force."""
    return build("select", condition, then, otherwise)


def binary(op: str, a: Node, b: Node) -> Node:
    """Build a node of two arguments by the rules in force."""
    if op in COMMUTATIVE and a.order > b.order:
        a, b = b, a
    table = engine.active.table
    if a is b:
        shape: tuple[str, ...] = (op, "same")
        found = table.get(shape)
        for rule in found if found is not None else engine.active.learn(shape):
            built = rule(a, b)
            if built is not None:
                return built
    shape = (op, a.op, b.op)
    found = table.get(shape)
    for rule in found if found is not None else engine.active.learn(shape):
        built = rule(a, b)
        if built is not None:
            return built
    return intern(op, a, b)


def _power(base: Node, halves: int) -> Node:
    if halves < 0:
        return binary("div", const(1.0), _power(base, -halves))
    result = const(1.0) if halves % 2 == 0 else unary("sqrt", base)
    square, whole = base, halves // 2
    while whole:
        if whole % 2:
            result = binary("mul", result, square)
        whole //= 2
        if whole:
            square = binary("mul", square, square)
    return result


def _restored(op: str, args: tuple[Node, ...], value: float, name: str, fixed: bool) -> Node:
    if op == "const":
        return const(value)
    if op in ("symbol", "parameter"):
        return _named(op, name)
    return intern(op, *args)
