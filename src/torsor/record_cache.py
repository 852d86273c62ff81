"""Records on disk: what took minutes to find is there the next time, for as long as the code that finds it stays.

Some come with Torsor, found by the same search on another machine. They are looked up by what the arm is, to
12 decimals, and taken only if they agree with the equations as they are traced here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from torsor.algebra import Tape, parse
from torsor.algebra.counting import nodes_of
from torsor.algebra.guard import Guard
from torsor.algebra.node import Node, build, const, stacked
from torsor.algebra.tape import Instruction
from torsor.emit import disk
from torsor.mechanics.gauges import Choices, Gauge
from torsor.record_search import Graphs, StartedGauge

VALUE = re.compile(r"t\d+")
SEARCHERS = ("torsor.record_search", "torsor.deriving")
CAME_WITH = Path(__file__).parent / "records"
KEY = 8  # bytes
DECIMALS = 12  # of what the key of a record that came with Torsor is made of: last bits differ between processors


@dataclass(frozen=True, eq=False)
class KeptRecord:
    """The formulation, the gauge that an arm was written in, and what the search came to."""

    by: str | None
    gauge: StartedGauge
    tape: Tape

    def graphs(self, inputs: Mapping[str, Any]) -> Graphs:
        """The outputs on symbols and parameters of these names."""
        given = [node for array in self.tape.inputs for node in nodes_of(inputs[array.name])]

        def made(step: Instruction, args: list[Node]) -> Node:
            if step.op == "input":
                return given[int(step.value)]
            return const(step.value) if step.op == "const" else build(step.op, *args)

        nodes, at = self.tape.run(made), 0
        found: Graphs = {}
        for array in self.tape.outputs:
            found[array.name] = stacked(nodes[at : at + array.size], array.shape)
            at += array.size
        return found

    def computes(self, inputs: Mapping[str, Any], outputs: Graphs) -> bool:
        """Whether this is a record of these outputs, at the points of a guard."""
        if not {array.name for array in self.tape.inputs} <= set(inputs):
            return False
        mine = self.graphs(inputs)
        shapes = [(name, np.shape(each)) for name, each in outputs.items()]
        if [(name, np.shape(each)) for name, each in mine.items()] != shapes:
            return False
        return Guard().differs(nodes_of(outputs), nodes_of(mine)) is None

    def text(self) -> str:
        return json.dumps((self.by, self.gauge.feet, astuple(self.gauge.gauge), self.tape.text()))


def recalled_record(facts: bytes) -> KeptRecord | None:
    """That of what ``facts`` describe in full, if there is one."""
    stored = disk.read(disk.key_of(b"record", facts))
    return None if stored is None else _read(stored)


def record_that_came(facts: bytes) -> KeptRecord | None:
    """That which came with Torsor of what ``facts`` describe, rounded to `DECIMALS`."""
    for path in CAME_WITH.glob(f"*-{_key(facts)}.json"):
        return _read(path.read_bytes())
    return None


def write_record(name: str, facts: bytes, record: KeptRecord) -> Path:
    """Into the folder of those that come with Torsor, in place of an older one of that name."""
    CAME_WITH.mkdir(exist_ok=True)
    for older in CAME_WITH.glob(f"{name}-{'?' * 2 * KEY}.json"):
        older.unlink()
    path = CAME_WITH / f"{name}-{_key(facts)}.json"
    path.write_text(record.text() + "\n", encoding="utf-8")
    return path


def _key(facts: bytes) -> str:
    return blake2b(facts, digest_size=KEY).hexdigest()


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
