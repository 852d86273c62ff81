"""Rows of a row-major batch to SIMD registers (one register a column) and back.

Two columns go together: pairs of numbers are loaded from each row, even rows into one register, odd rows into
another, and one shuffle each gives the two columns. That is one shuffle a column, half of a full 4 by 4 transposition.
"""

from __future__ import annotations

from torsor.emit.writer import Writer, vector

# Columns stored between two fences. A fence within one thread is no instruction, but LLVM's schedulers, which compare
# all stores between them, would take four times as long as everything else over the hundreds of columns of a regressor.
AT_ONCE = 64


def row_pointers(w: Writer, base: str, stride: str) -> list[str]:
    rows = [base]
    for _ in range(1, w.lanes):
        rows.append(w.at(rows[-1], stride, "i8"))
    return rows


def column_pairs(wanted: list[int]) -> list[list[int]]:
    """Neighbours two by two, and who has no neighbour alone.

    >>> column_pairs([0, 1, 2, 4, 5])
    [[0, 1], [2], [4, 5]]
    """
    pairs: list[list[int]] = []
    for c in wanted:
        if pairs and len(pairs[-1]) == 1 and pairs[-1][0] == c - 1:
            pairs[-1].append(c)
        else:
            pairs.append([c])
    return pairs


def load_columns(w: Writer, rows: list[str], pair: list[int]) -> dict[int, str]:
    """Load one column, or two neighbours."""
    found = _load_pair(w, rows, pair[0]) if len(pair) == 2 else (_load_single(w, rows, pair[0]),)
    return dict(zip(pair, found, strict=True))


def store_columns(w: Writer, rows: list[str], values: list[str]) -> None:
    for c in range(0, len(values) - 1, 2):
        if c and c % AT_ONCE == 0:
            w.do('fence syncscope("singlethread") release')
        _store_pair(w, rows, c, values[c], values[c + 1])
    if len(values) % 2:
        c = len(values) - 1
        for lane, row in enumerate(rows):
            w.store(w.let(f"extractelement {w.type} {values[c]}, i32 {lane}"), w.at(row, c))


def _load_single(w: Writer, rows: list[str], column: int) -> str:
    value = "poison"
    for lane, row in enumerate(rows):
        one = w.load(w.at(row, column))
        value = w.let(f"insertelement {w.type} {value}, {w.real.name} {one}, i32 {lane}")
    return value


def _load_pair(w: Writer, rows: list[str], column: int) -> tuple[str, str]:
    pairs = [w.load(w.at(row, column), vector(2, w.real.name)) for row in rows]
    return _woven(w, _joined(w, pairs[0::2]), _joined(w, pairs[1::2]))


def _store_pair(w: Writer, rows: list[str], column: int, left: str, right: str) -> None:
    halves = _woven(w, left, right)
    for lane, row in enumerate(rows):
        source, at = halves[lane % 2], lane // 2 * 2
        pair = source if w.lanes == 2 else _shuffle(w, source, "poison", w.lanes, [at, at + 1])
        w.store(pair, w.at(row, column), vector(2, w.real.name))


def _joined(w: Writer, parts: list[str]) -> str:
    """Vectors of two lanes side by side."""
    lanes = 2
    while len(parts) > 1:
        order = list(range(2 * lanes))
        parts = [_shuffle(w, a, b, lanes, order) for a, b in zip(parts[0::2], parts[1::2], strict=True)]
        lanes *= 2
    return parts[0]


def _woven(w: Writer, a: str, b: str) -> tuple[str, str]:
    """Even lanes of both in turn, and odd ones."""
    even = [k for pair in range(0, w.lanes, 2) for k in (pair, w.lanes + pair)]
    return _shuffle(w, a, b, w.lanes, even), _shuffle(w, a, b, w.lanes, [k + 1 for k in even])


def _shuffle(w: Writer, a: str, b: str, lanes: int, order: list[int]) -> str:
    mask, kind = ", ".join(f"i32 {k}" for k in order), vector(lanes, w.real.name)
    return w.let(f"shufflevector {kind} {a}, {kind} {b}, <{len(order)} x i32> <{mask}>")
