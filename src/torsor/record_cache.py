"""Records on disk: what took minutes to find is there the next time, for as long as the code that finds it stays.

Some come with Torsor (`emit/tapes_that_came.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from torsor.algebra import Tape, parse
from torsor.emit import disk
from torsor.emit.kernel_files import RECORDS, path_for, path_that_came
from torsor.emit.tapes_that_came import Graphs, graphs_of, is_tape_of
from torsor.mechanics.gauges import Choices, Gauge
from torsor.record_search import StartedGauge

VALUE = re.compile(r"t\d+")
SEARCHERS = ("torsor.record_search", "torsor.deriving")


@dataclass(frozen=True, eq=False)
class KeptRecord:
    """The formulation, the gauge that an arm was written in, and what the search came to."""

    by: str | None
    gauge: StartedGauge
    tape: Tape

    def graphs(self, inputs: Mapping[str, Any]) -> Graphs:
        """The outputs on symbols and parameters of these names."""
        return graphs_of(self.tape, inputs)

    def computes(self, inputs: Mapping[str, Any], outputs: Graphs) -> bool:
        """Whether this is a record of these outputs, at the points of a guard."""
        return is_tape_of(self.tape, inputs, outputs)

    def text(self) -> str:
        return json.dumps((self.by, self.gauge.feet, astuple(self.gauge.gauge), self.tape.text()))


def recalled_record(facts: bytes) -> KeptRecord | None:
    """That of what ``facts`` describe in full, if there is one."""
    stored = disk.read(disk.key_of(b"record", facts))
    return None if stored is None else _read(stored)


def record_that_came(facts: bytes) -> KeptRecord | None:
    """That which came with Torsor of what ``facts`` describe, rounded to `DECIMALS`."""
    path = path_that_came(RECORDS, facts)
    return None if path is None else _read(path.read_bytes())


def write_record(name: str, facts: bytes, record: KeptRecord) -> Path:
    """Into the folder of those that come with Torsor, in place of an older one of that name."""
    path = path_for(RECORDS, name, facts, ".json")
    path.write_text(record.text() + "\n", encoding="utf-8")
    return path


def _read(stored: bytes) -> KeptRecord | None:
    try:
        by, feet, (slides, seconds, masses, unit), tape = json.loads(stored)
        gauge = Gauge(_choices(slides), _choices(seconds), _choices(masses), unit)
        return KeptRecord(by, StartedGauge(feet, gauge), parse(tape))
    except Exception:  # whole, and ours, but no record: whatever it is, searching again puts it right
        return None


def _choices(pairs: list[list[Any]]) -> Choices:
    return tuple((int(i), choice) for i, choice in pairs)


def keep_record(facts: bytes, record: KeptRecord) -> None:
    """Keep it, unless a symbol of the arm's has a name that values have in the text of a tape."""
    if not any(VALUE.fullmatch(array.name) for array in record.tape.inputs):
        disk.write(disk.key_of(b"record", facts), record.text().encode(), SEARCHERS)
