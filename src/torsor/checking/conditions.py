"""What was judged, and under which conditions: without them a verdict that is mailed on can say the opposite."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from torsor.cell.cell_file import WorkCell
from torsor.model.file_mark import FileMark
from torsor.model.mass import Mass
from torsor.model.transforms import Floats
from torsor.motion import Paul, Timing
from torsor.programs.pace import Factor
from torsor.programs.starting import Beginning

MOST_HELD = 4  # payloads of a program that a line names


@dataclass(frozen=True)
class HeldFrom:
    """What a program says that it holds from a line on."""

    mass: float  # kg
    line: int
    time: float  # s, of the program
    before_all: bool = False  # whether nothing has moved before


@dataclass(frozen=True, eq=False)
class Conditions:
    """Everything that a verdict depends on besides the text of the program, which it carries itself."""

    robot: str
    robot_file: FileMark | None  # None: an arm made in Python
    program: str
    program_file: FileMark | None  # None: commands, or a text
    language: str
    payload: Mass | None
    wrench: Floats | None  # (6,) on the tool, in base axes
    factors: Factor
    timing: str  # a law
    overlap: bool
    cycles: int  # of a loop that never ends
    cycle: bool  # whether it starts where it ends
    start: Beginning
    cell: WorkCell | None  # what it may run into; None: that was not looked at
    command: str | None  # the command line; None in Python
    date: str
    version: str
    rewritten_to: str | None = None  # of a program that was rewritten: to which pace
    held: tuple[HeldFrom, ...] = ()  # what the program itself says of its payload

    @property
    def what_if(self) -> str:
        """What was multiplied, as a headline says it; nothing where all is as programmed.

        >>> from types import SimpleNamespace
        >>> Conditions.what_if.fget(SimpleNamespace(factors=Factor(1.0, 3.0)))
        ' at 3 times the acceleration'
        """
        said = [
            f"{factor:g} times the {word}"
            for word, factor in (("speed", self.factors.speed), ("acceleration", self.factors.acceleration))
            if factor != 1.0
        ]
        return f" at {' and '.join(said)}" if said else ""

    def items(self) -> list[tuple[str, str]]:
        """Name and text of each, as a page and a terminal show them."""
        of_robot = "made in Python" if self.robot_file is None else str(self.robot_file)
        of_program = self.language if self.program_file is None else f"{self.program_file}, {self.language}"
        timing = f"{self.timing}, each motion starts before the one before it ends" if self.overlap else self.timing
        rows = [
            ("command", self.command or "torsor.check in Python"),
            ("robot", f"{self.robot}, {of_robot}"),
            ("program", f"{self.program}, {of_program}"),
            ("starts", self.start.text),
            ("holds", _held(self.payload, self.held)),
            ("force", _pushed(self.wrench)),
            ("pace", self.rewritten_to or self.what_if.removeprefix(" at ") or "as programmed"),
            ("timing", timing),
        ]
        if self.cycles != 1:
            rows.append(("cycles", f"{self.cycles}, of a loop that never ends"))
        rows.append(("collision", self._collision))
        return [*rows, ("made", f"{self.date}, by Torsor {self.version}")]

    @property
    def _collision(self) -> str:
        if self.cell is None:
            return "not looked at; --cell FILE, or --cell empty, does"
        against = [*(["its own links"] if self.cell.links else []), *(each.name for each in self.cell.obstacles)]
        margin = f", {1e3 * self.cell.margin:g} mm left free" if self.cell.margin else ""
        return f"{self.cell.name}: against {', '.join(against) or 'nothing'}{margin}"

    def document(self) -> dict[str, Any]:
        """As `to_json` writes it: SI units and radians."""
        files = {"robot_file": self.robot_file, "program_file": self.program_file}
        payload = self.payload
        return {
            "command": self.command,
            "robot": self.robot,
            "program": self.program,
            **{name: mark and {"path": mark.path, "sha256": mark.digest} for name, mark in files.items()},
            "language": self.language,
            "payload": None if payload is None else {"mass": payload.mass, "com": payload.com.tolist()},
            "payload_in_program": [{"mass": each.mass, "line": each.line, "time": each.time} for each in self.held],
            "wrench": None if self.wrench is None else self.wrench.tolist(),
            "times_speed": self.factors.speed,
            "times_acceleration": self.factors.acceleration,
            "rewritten_to": self.rewritten_to,
            "timing": self.timing,
            "overlap": self.overlap,
            "cycles": self.cycles,
            "cycle": self.cycle,
            "cell": None if self.cell is None else self.cell.name,
            "not_looked_at": ["collision"] if self.cell is None else [],
            "start": {
                "joints": None if self.start.q is None else self.start.q.tolist(),
                "assumed": not self.start.asked,
                "text": self.start.text,
            },
            "date": self.date,
            "version": self.version,
        }


def _held(payload: Mass | None, held: tuple[HeldFrom, ...] = ()) -> str:
    """What it holds when: the arm's payload counts until the program says what it holds.

    >>> _held(None, (HeldFrom(5.0, 2, 0.0, before_all=True), HeldFrom(0.0, 4, 1.7)))
    'what the program says: 5 kg (line 2), 0 kg (line 4)'
    """
    if payload is None or payload.is_none:
        own = "" if held else "no payload, unless the program says so"
    else:
        where = "" if not payload.com.any() else f", its centre at ({', '.join(f'{x:g}' for x in payload.com)}) m"
        own = f"a payload of {payload.mass:g} kg at the tool{where}"
    if not held:
        return own
    listed = ", ".join(f"{each.mass:g} kg (line {each.line})" for each in held[:MOST_HELD])
    more = f", and {len(held) - MOST_HELD} more" if len(held) > MOST_HELD else ""
    said = f"what the program says: {listed}{more}"
    if held[0].before_all:
        return f"{said}; {own} counts in no motion" if own else said
    return f"{own or 'no payload'} until line {held[0].line}, then {said}"


def _pushed(wrench: Floats | None) -> str:
    if wrench is None or not wrench.any():
        return "none at the tool"
    force, moment = (f"({', '.join(f'{x:g}' for x in part)})" for part in np.split(wrench, 2))
    also = f" and a moment of {moment} N m" if wrench[3:].any() else ""
    return f"{force} N at the tool, in base axes{also}"


def timing_name(timing: Timing | Paul) -> str:
    """The time law; with what differs from the numbers of its work."""
    if not isinstance(timing, Paul):
        return timing.shape
    own, usual = vars(timing), vars(Paul(overlap=timing.overlap))  # that it overlaps is told apart
    return ", ".join(["paul", *(f"{name} {own[name]:.6g}" for name in own if own[name] != usual[name])])


def now() -> str:
    """The date and minute, UTC. ``SOURCE_DATE_EPOCH``, where set, is taken instead, so that pages can be made again."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    at = datetime.fromtimestamp(int(given), UTC) if given.isdecimal() else datetime.now(UTC)
    return f"{at:%Y-%m-%d %H:%M} UTC"
