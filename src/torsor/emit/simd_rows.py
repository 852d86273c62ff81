"""Rows of a row-major batch to SIMD registers (one register a column) and back.

Two columns go together: pairs of numbers are loaded from each row, even rows into one register, odd rows into
another, and one shuffle each gives the two columns. That is one shuffle a column, half of a full 4 by 4 transposition.
Of floats, twice as many rows in a register, four columns go together: as many bytes of each row, and two shuffles a
column instead of the loads of half as many.
"""

from __future__ import annotations

from torsor.emit.precision import SINGLE
from torsor.emit.writer import Writer, vector

# Columns stored between two fences. A fence within one thread is no instruction, but LLVM's schedulers, which compare
# all stores between them, would take four times as long as everything else over the hundreds of columns of a regressor.
AT_ONCE = 64


def row_pointers(w: Writer, base: str, stride: str) -> list[str]:
    rows = [base]
    for _ in range(1, w.lanes):
        rows.append(w.at(rows[-1], stride, "i8"))
    return rows


def columns_together(w: Writer) -> int:
    return 4 if w.real is SINGLE and w.lanes >= 4 else 2


def column_runs(wanted: list[int], most: int) -> list[list[int]]:
    """Neighbours, as many as go together or two, and who has no neighbour alone.

    >>> column_runs([0, 1, 2, 4, 5], 2)
    [[0, 1], [2], [4, 5]]
    >>> column_runs([0, 1, 2, 3, 4, 5, 6], 4)
    [[0, 1, 2, 3], [4, 5], [6]]
    """
    runs: list[list[int]] = []
    at = 0
    while at < len(wanted):
        size = next(n for n in (most, 2, 1) if wanted[at : at + n] == list(range(wanted[at], wanted[at] + n)))
        runs.append(wanted[at : at + size])
        at += size
    return runs


def load_columns(w: Writer, rows: list[str], run: list[int]) -> dict[int, str]:
    """Load one column, or a run of neighbours."""
    parts = [w.load(w.at(row, run[0]), vector(len(run), w.real.name)) for row in rows]
    if len(run) == 1:
        found = [_gathered(w, parts)]
    else:
        found = _transposed(w, [_joined(w, parts[k :: len(run)], len(run)) for k in range(len(run))])
    return dict(zip(run, found, strict=True))


def store_columns(w: Writer, rows: list[str], values: list[str]) -> None:
    stored = 0
    for run in column_runs(list(range(len(values))), columns_together(w)):
        if run[0] // AT_ONCE > stored // AT_ONCE:
            w.do('fence syncscope("singlethread") release')
        stored = run[0]
        _store_run(w, rows, run[0], [values[c] for c in run])


def _gathered(w: Writer, numbers: list[str]) -> str:
    value = "poison"
    for lane, one in enumerate(numbers):
        value = w.let(f"insertelement {w.type} {value}, {w.real.name} {one}, i32 {lane}")
    return value


def _store_run(w: Writer, rows: list[str], column: int, values: list[str]) -> None:
    count = len(values)
    if count == 1:
        for lane, row in enumerate(rows):
            w.store(w.let(f"extractelement {w.type} {values[0]}, i32 {lane}"), w.at(row, column))
        return
    parts = _transposed(w, values)
    for lane, row in enumerate(rows):
        source, at = parts[lane % count], lane // count * count
        own = source if w.lanes == count else _shuffle(w, source, "poison", w.lanes, list(range(at, at + count)))
        w.store(own, w.at(row, column), vector(count, w.real.name))


def _joined(w: Writer, parts: list[str], lanes: int) -> str:
    """Vectors of so many lanes side by side."""
    while len(parts) > 1:
        order = list(range(2 * lanes))
        parts = [_shuffle(w, a, b, lanes, order) for a, b in zip(parts[0::2], parts[1::2], strict=True)]
        lanes *= 2
    return parts[0]


def _transposed(w: Writer, parts: list[str]) -> list[str]:
    """Squares of two or four lanes side by side, each transposed: so rows become columns, and columns rows."""
    if len(parts) == 2:
        a, b = parts
        return [_picked(w, a, b, [k, w.lanes + k]) for k in (0, 1)]
    a, b, c, d = parts
    low, high = ([k, w.lanes + k, k + 1, w.lanes + k + 1] for k in (0, 2))
    halves = [(_picked(w, a, b, lanes), _picked(w, c, d, lanes)) for lanes in (low, high)]
    return [_picked(w, *half, [k, k + 1, w.lanes + k, w.lanes + k + 1]) for half in halves for k in (0, 2)]


def _picked(w: Writer, a: str, b: str, lanes: list[int]) -> str:
    """The same lanes of every square of two vectors."""
    size = len(lanes)
    return _shuffle(w, a, b, w.lanes, [k + first for first in range(0, w.lanes, size) for k in lanes])


def _shuffle(w: Writer, a: str, b: str, lanes: int, order: list[int]) -> str:
    mask, kind = ", ".join(f"i32 {k}" for k in order), vector(lanes, w.real.name)
    return w.let(f"shufflevector {kind} {a}, {kind} {b}, <{len(order)} x i32> <{mask}>")
