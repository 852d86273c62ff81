"""Rows of a batch in IR: where their operands begin, and the scalar kernel called on one."""

from __future__ import annotations

from torsor.emit.writer import Writer


def row_of(w: Writer, operands: list[str], number: int | str) -> list[str]:
    """Where the operands of a row begin."""
    return [w.at(f"%{p}", w.let(f"mul i64 %stride.{p}, {number}"), "i8") for p in operands]


def scalar_call(w: Writer, operands: list[str], row: int | str) -> None:
    w.do(f"call void @torsor_scalar({', '.join(f'ptr {p}' for p in row_of(w, operands, row))})")
