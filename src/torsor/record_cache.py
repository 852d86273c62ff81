"""Records on disk: what took minutes to find is there the next time, for as long as the code that finds it stays."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from torsor.algebra import Tape, parse, tape_from
from torsor.algebra.counting import nodes_of
from torsor.algebra.node import Node, build, const, stacked
from torsor.algebra.tape import Instruction
from torsor.emit import disk
from torsor.mechanics.gauges import Choices, Gauge
from torsor.record_search import Graphs, StartedGauge

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


def recalled_record(facts: bytes) -> KeptRecord | None:
    """That of what ``facts`` describe in full, if there is one."""
    stored = disk.read(disk.key_of(b"record", facts))
    if stored is None:
        return None
    try:
        by, feet, (slides, seconds, masses, unit), tape = json.loads(stored)
        gauge = Gauge(_choices(slides), _choices(seconds), _choices(masses), unit)
        return KeptRecord(by, StartedGauge(feet, gauge), parse(tape))
    except Exception:  # whole, and ours, but no record: whatever it is, searching again puts it right
        return None


def _choices(pairs: list[list[Any]]) -> Choices:
    return tuple((int(i), choice) for i, choice in pairs)


def keep_record(facts: bytes, by: str | None, gauge: StartedGauge, inputs: Mapping[str, Any], outputs: Graphs) -> None:
    """Keep it, unless a symbol of the arm's has a name that values have in the text of a tape."""
    tape = tape_from("record", inputs, outputs)
    if any(VALUE.fullmatch(array.name) for array in tape.inputs):
        return
    found = json.dumps((by, gauge.feet, astuple(gauge.gauge), tape.text()))
    disk.write(disk.key_of(b"record", facts), found.encode(), SEARCHERS)
