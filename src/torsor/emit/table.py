"""`torsor_table`: the only way from generated code to anything outside it. Filled after loading, slot by slot."""

from __future__ import annotations

# The C library's functions come first; `fastcall.py` has the slots behind them.
LIBRARY = ("sin", "cos", "exp", "atan2", "floor")
SIN, COS, EXP, ATAN2, FLOOR = range(5)
TABLE_SIZE = 24


def table_slot(slot: int) -> str:
    """The address of a slot, in IR."""
    return f"getelementptr inbounds ([{TABLE_SIZE} x ptr], ptr @torsor_table, i64 0, i64 {slot})"
