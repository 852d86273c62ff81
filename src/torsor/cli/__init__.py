"""The command ``torsor``. One command a file; ``app`` ties them together and turns every ending into an exit code."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence

# What the shell gets. 1 is an answer, not a failure: the program is infeasible, the check did not pass.
DONE, NO, BAD_INPUT = 0, 1, 2
BUG = 70  # EX_SOFTWARE of sysexits.h: Torsor itself is at fault
INTERRUPTED, CLOSED_PIPE = 130, 141  # 128 + SIGINT, 128 + SIGPIPE, as the shell reports them of any program

# Matrices of arms are small: OpenBLAS's threads would only wait for each other, at the cost of all cores. It looks here
# once, when NumPy is imported, which is later than this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Programs of thousands of moves are trees that stay, with all but no cycles: to look for garbage among them at every
# 700 new objects, as Python does, takes a tenth of a check.
OBJECTS = 100_000, 20, 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; ``arguments`` are those of the process unless given. Returns the exit code."""
    from torsor.cli.ending import exit_code

    gc.set_threshold(*OBJECTS)
    return exit_code(arguments)
