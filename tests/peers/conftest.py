"""Torsor held against programs of others. Run by ``make peers`` in an environment of its own; prints what was compared.

``make test`` leaves this folder out by name (``norecursedirs`` in pyproject.toml), so that nobody has to install the
peers to work on Torsor; here a peer that is missing is an error, not a skip.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import version

import numpy as np
import pytest

PEERS = ("drake", "roboticstoolbox-python", "ruckig", "toppra", "casadi", "exudyn")


@dataclass
class ComparedWith:
    """One row of the table: what was compared with whom, at how many states, and how far it was apart at most."""

    peer: str
    what: str
    states: int = 0
    largest: float = 0.0


@dataclass
class PeerTable:
    rows: dict[tuple[str, str], ComparedWith] = field(default_factory=dict)

    def hold(self, peer: str, what: str, ours: np.ndarray, theirs: np.ndarray, *, within: float) -> None:
        """Each state's largest difference, of its largest element, is noted and must be below ``within``."""
        ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
        assert ours.shape == theirs.shape
        assert np.isfinite(ours).all()
        many = len(ours)
        size = np.abs(theirs.reshape(many, -1)).max(axis=1)
        off = np.abs(ours - theirs).reshape(many, -1).max(axis=1) / np.maximum(size, 1e-300)
        off[size == 0.0] = np.abs(ours.reshape(many, -1))[size == 0.0].max(axis=1, initial=0.0)
        self.note(peer, what, many, float(off.max(initial=0.0)), within=within)

    def note(self, peer: str, what: str, states: int, largest: float, *, within: float) -> None:
        row = self.rows.setdefault((peer, what), ComparedWith(peer, what))
        row.states += states
        row.largest = max(row.largest, largest)
        assert largest <= within, f"{what}: {largest:.1e} from {peer}"


TABLE = PeerTable()


@pytest.fixture(scope="session")
def table() -> PeerTable:
    return TABLE


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore")  # those of the peers are not ours


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table, as it stands in docs/reliability.md."""
    write = terminalreporter.write_line
    write("")
    write("| peer | what was compared | states | largest difference |")
    write("| --- | --- | --- | --- |")
    for row in sorted(TABLE.rows.values(), key=lambda row: PEERS.index(row.peer)):
        write(f"| {row.peer} {version(row.peer)} | {row.what} | {row.states:,} | {row.largest:.0e} |")
