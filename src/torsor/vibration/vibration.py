"""``Vibration``: what was found of an elastic arm in a program, as words and as data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np

from torsor.arm import Arm
from torsor.elastic.moving_stress import stress_along
from torsor.elastic.shaping import ShaperKind
from torsor.elastic.stress import ArmStress
from torsor.elastic.swinging import Fidelity, Swing
from torsor.model.files import write_text
from torsor.model.transforms import Floats
from torsor.programs import Program
from torsor.report.frame import framed
from torsor.vibration.remedies import Slower, slower
from torsor.vibration.stops import LONGEST, Stop
from torsor.vibration.stress_told import told_stress
from torsor.vibration.stretches import MoveSpan, Timetable

LOOKS = 200  # moments at which frequencies are looked at
MOST_SLOWED = 5  # stops for which a slower pace is searched


@dataclass(frozen=True, eq=False)
class Vibration:
    """What `vibrate` found. ``before`` is the program as it was written, where this one is shaped."""

    arm: Arm
    program: str
    fidelity: Fidelity
    tolerance: float
    swing: Swing
    stops: list[Stop]
    notes: list[str]
    table: Timetable
    source: Program | None = None
    shape: ShaperKind | None = None
    before: Vibration | None = None

    @property
    def time(self) -> Floats:
        """(steps,): s, a little beyond the end of the program."""
        return self.swing.time

    @property
    def duration(self) -> float:
        """Of the program, s."""
        return self.table.duration

    @property
    def costs(self) -> float:
        """What shaping adds to it, s."""
        return 0.0 if self.before is None else self.duration - self.before.duration

    @property
    def tip(self) -> Floats:
        """(steps, 6): displacement over turn of the tool against the rigid arm, base axes."""
        return self.swing.tip

    @property
    def settling(self) -> Floats:
        """(stops,): s from each stop until the tool stays within the tolerance; infinite where that is not seen."""
        return np.array([np.inf if stop.settling is None else stop.settling for stop in self.stops])

    @property
    def settled(self) -> bool:
        return all(stop.is_settled for stop in self.stops)

    @cached_property
    def moves(self) -> list[tuple[MoveSpan, float]]:
        """When each move runs, and the most that the tool is off meanwhile, m."""
        dt, off = float(self.time[1]), self.swing.deviation
        spans = [
            (move, slice(int(move.start / dt), int(np.ceil(move.end / dt - 1e-9)) + 1)) for move in self.table.moves
        ]
        return [(move, float(off[span].max())) for move, span in spans]

    @cached_property
    def looks(self) -> Floats:
        """(looks,): s, the moments at which `frequencies` are."""
        inside = self.time[self.time <= self.duration + 1e-9]
        return np.asarray(inside[:: max(1, len(inside) // LOOKS)])

    @cached_property
    def frequencies(self) -> Floats:
        """(looks, k): Hz along the path, drives held."""
        at = np.rint(self.looks / float(self.time[1])).astype(int)
        return self.swing.frequencies_at(self.swing.q[at])

    def extremes(self, modes: int = 4) -> list[dict[str, float]]:
        """Of each of the lowest modes: the lowest and highest frequency along the path, Hz, and when, s."""
        found = []
        for column in self.frequencies[:, :modes].T:
            low, high = int(column.argmin()), int(column.argmax())
            found.append(
                {
                    "lowest": float(column[low]), "lowest_at": float(self.looks[low]),
                    "highest": float(column[high]), "highest_at": float(self.looks[high]),
                }
            )  # fmt: skip
        return found

    @cached_property
    def slower(self) -> dict[int, Slower]:
        """By the number of a stop: how much slower its motion had to be to settle in the time there is.

        Only for stops that do not settle, the worst of them where there are many.
        """
        worst = sorted(self.late, key=lambda k: self.settling[k] - self.stops[k].rest, reverse=True)[:MOST_SLOWED]
        stretches = [stretch for stretch, *_ in self.table.stops]
        return {k: slower(self.arm.elastic, stretches[k], self.tolerance, self.stops[k].rest) for k in sorted(worst)}

    @property
    def late(self) -> list[int]:
        """The numbers of the stops after which it does not settle in the time there is."""
        return [k for k, stop in enumerate(self.stops) if not stop.is_settled]

    def shapers(self, k: int) -> dict[ShaperKind, tuple[float, float] | None]:
        """What each shaper would leave after a stop, m, and cost, s, of the program as written; None: it has no use."""
        written = self if self.before is None else self.before
        return {kind: written.stops[k].shapers.get(kind) for kind in get_args(ShaperKind)}

    def line_at(self, t: float) -> int:
        """Of the program, at a time: of the move that runs or was last, before the first one of what comes first."""
        begun = [move for move, _ in self.moves if move.start <= t + 1e-9]
        return (begun[-1] if begun else self.table.stretches[0].pieces[0]).place.line

    @cached_property
    def stress(self) -> ArmStress | None:
        """The most that every section sees over all samples, and when; None where no link bends."""
        return stress_along(self.swing) if self.swing.elastic.tree.meshes else None

    @property
    def headline(self) -> str:
        most = 1e3 * float(self.swing.deviation.max())
        said = f"{self.arm.name} in {self.program}"
        if self.shape is not None:
            said += f", shaped by {self.shape},"
        if not self.stops:
            return f"{said} makes no stop after a move; the tool is off by {most:.3g} mm at most"
        if self.settled:
            within = f"settles within {1e3 * self.tolerance:g} mm after every stop"
            return f"{said} {within}; the tool is off by {most:.3g} mm at most"
        late = [self.stops[k] for k in self.late]
        worst = max(late, key=lambda stop: np.inf if stop.settling is None else stop.settling - stop.rest)
        takes = f"more than {LONGEST:g} s" if worst.settling is None else f"{worst.settling:.3g} s"
        return (
            f"{said} does not settle within {1e3 * self.tolerance:g} mm after {len(late)} of {len(self.stops)} stops: "
            f"after line {worst.place.line} it takes {takes}, and there are {worst.rest:.3g} s"
        )

    def report(self, path: str | os.PathLike[str]) -> None:
        """One HTML file that needs nothing else: verdict, the arm bent along the program, its modes, plots, tables."""
        from torsor.vibration.shown.vibration_page import page

        write_text(os.fspath(path), page(self))

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Deviation of the tool and frequencies over time, the moves beneath, as a matplotlib figure or a file."""
        from torsor.vibration.vibration_figure import plotted

        return plotted(self, path)

    def _repr_html_(self) -> str:
        """The page in a frame, so that an exported notebook shows it too."""
        from torsor.vibration.shown.vibration_page import page

        return framed(page(self), self.headline)

    def __repr__(self) -> str:
        return f"<Vibration {self.headline}>"

    def document(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        lowest = self.frequencies[:, 0]
        found = {
            "robot": self.arm.name,
            "program": self.program,
            "settled": self.settled,
            "headline": self.headline,
            "fidelity": self.fidelity,
            "tolerance": self.tolerance,
            "time": self.duration,
            "shape": self.shape,
            "costs": self.costs,
            "deviation": float(self.swing.deviation.max()),
            "frequency": {"lowest": float(lowest.min()), "highest": float(lowest.max()), "modes": self.extremes()},
            "moves": [
                {"line": move.place.line, "kind": move.kind, "start": move.start, "end": move.end, "deviation": off}
                for move, off in self.moves
            ],
            "stops": [self._stop_document(k) for k in range(len(self.stops))],
            "stress": None if self.stress is None else told_stress(self.stress),
            "notes": self.notes,
        }
        return found if self.before is None else found | {"before": self.before.document()}

    def _stop_document(self, k: int) -> dict[str, Any]:
        stop = self.stops[k]
        slow = self.slower.get(k)
        return {
            "line": stop.place.line, "start": stop.start, "end": stop.end, "deviation": stop.deviation,
            "left": stop.left, "settling": stop.settling,
            "rest": stop.rest if np.isfinite(stop.rest) else None, "mode": stop.mode,
            "shapers": {kind: {"left": each[0], "costs": each[1]} for kind, each in self.shapers(k).items() if each},
            "slower": None if slow is None else slow._asdict(),
        }  # fmt: skip
