"""The styles of sheets: the letters of the papers, and how much stands in one equation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SheetStyle:
    """Letters of the names, and how much is written into one equation."""

    constants: str
    products: str  # "": products of sines and cosines are intermediates like others
    intermediates: str
    longest: int = 40  # names and numbers in an equation
    inside: int = 8  # names and numbers within parentheses
    deepest: int = 2  # parentheses within each other
    spelled: int = 4  # names and numbers of what constants have in common and each spells out
    inside_results: bool = False  # constants stand where they are used
    by_result: bool = False  # constants of the closed form are numbered by the coefficient they are of


STYLES = {
    "plain": SheetStyle("K", "T", "V"),
    "emdeg": SheetStyle("K", "T", "V", by_result=True),
    "kane": SheetStyle("Z", "", "Z", inside=0, deepest=0, spelled=0),
}
# of a product whose factors are the point: its constants are not taken out, so it costs more as printed
FACTORS = SheetStyle("K", "T", "V", spelled=40, inside_results=True)
