"""How fast Torsor is, beside whichever peers are installed. Ratios are taken in one run, side by side.

`plan` lists the steps of a run; each step measures and gives rows. Nothing is timed before its numbers have been
compared with the peer's: see `rows.py` for what a row says and `measure.py` for how time is taken.
"""

from torsor.bench.plan import Plan, Step, document, plan
from torsor.bench.rows import GrowthRow, Row

__all__ = ["GrowthRow", "Plan", "Row", "Step", "document", "plan"]
