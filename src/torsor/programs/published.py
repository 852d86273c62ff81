"""Slips in programs as they were printed: whoever types such a listing in is told, with the line."""

from __future__ import annotations

from dataclasses import dataclass

from torsor.programs.diagnostics import ProgramText


@dataclass(frozen=True, slots=True)
class Slip:
    """A printed text, and what is wrong with it; ``unless`` is a text that shows that the slip was mended."""

    program: str
    printed: str
    problem: str
    hint: str
    unless: str = ""


SLIPS = (
    # Kvrgic & Vidakovic 2020, figure 8
    Slip("lola15dd", "873.1763", "the z of s6 is a known slip of the print", "873.6763 lies on the path"),
    Slip("lola15dd", "890.2428 - 610", "the z of s9 is a known slip of the print", "890.2428 lies on the path"),
    Slip(
        "lola15dd",
        "move ptp joint(mainjoint(-115.70, 55.70, 68.70))",
        "the printed listing ends with this move, the 12th of 13",
        "the last one was never printed; close the program with endseq and endprogram",
        unless="endprogram",
    ),
)


def warn_of_slips(program: str, source: ProgramText) -> None:
    for slip in SLIPS:
        offset = source.text.find(slip.printed) if slip.program == program.lower() else -1
        if offset >= 0 and not (slip.unless and slip.unless in source.text):
            above = source.text[:offset]
            at = above.count("\n") + 1, offset - (above.rfind("\n") + 1) + 1
            source.warn(at, slip.problem, slip.hint)
