"""How fast Torsor is, beside whichever peers are installed. Ratios are taken in one run, side by side.

`plan` lists the steps of a run; each step measures and gives rows. Nothing is timed before its numbers have been
compared with the peer's: see `findings.py` for what a row says and `measuring/stopwatch.py` for how time is taken.
"""

from torsor.bench.agenda import Agenda, BenchStep, document, plan
from torsor.bench.findings import AnyRow, GrowthRow, PortRow, Row

__all__ = ["Agenda", "AnyRow", "BenchStep", "GrowthRow", "PortRow", "Row", "document", "plan"]
