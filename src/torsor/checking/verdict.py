"""The verdict: whether an arm can do a program, how long it takes, and what each move asks of the motors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from torsor.checking.checked_arm import NEAR, CheckedArm
from torsor.checking.known_limits import Known, few, listed
from torsor.checking.moves import MoveTaken, Peak
from torsor.checking.problems import GRAVEST, Assumption, Problem, Remark, takes
from torsor.checking.signals import Signals, table
from torsor.checking.traces import Pictures
from torsor.errors import Unsupported
from torsor.model.files import write_text
from torsor.model.transforms import Floats
from torsor.motion.commands import NOTHING_IN_IT, NOTHING_MOVES, Place
from torsor.report.frame import framed

if TYPE_CHECKING:
    from torsor.checking.advising import Advice
    from torsor.checking.conditions import Conditions
    from torsor.checking.what_else import Remedy
    from torsor.programs.rewriting import Rewritten

IDLE = (NOTHING_MOVES, NOTHING_IN_IT)
ROUNDING = 1e-13  # of the largest torque of an arm: what is less is rounding


@dataclass(eq=False, repr=False)
class Verdict:
    """What became of a program on an arm. Shares are of limits: above 1 is too much.

    ``moves`` has a row for each command that takes time; ``problems`` say which lines are responsible; ``advice`` is
    the smallest change found that makes the program feasible (searched when first asked for).
    """

    program: str  # its name
    file: str
    language: str
    source: str  # its text
    robot: str
    dt: float
    time: float  # s
    moves: list[MoveTaken]
    problems: list[Problem]
    known: Known
    machine: CheckedArm
    lag: Floats  # (n,) planned minus reached, at the end of the program
    warming: Peak  # of each motor: K above the surroundings, and when; 0 where that is not known
    notes: list[Remark] = field(default_factory=list)
    kept: Signals | None = None
    assumed: list[Assumption] = field(default_factory=list)  # what the program does not tell, and was taken for it
    conditions: Conditions | None = None  # None: judged by hand, without a program and its arm
    cycle_time: float | None = None  # s, where it starts where it ends; of a loop that never ends, of one more round
    endless: Remark | None = None  # of a loop that never ends: how often it was gone round
    rewritten: Rewritten | None = None  # the program as `check(..., fastest=True)` changed it
    advise: Callable[[], Advice | None] | None = None
    cure: Callable[[], list[Remedy]] | None = None
    draw: Callable[[], Pictures] | None = None  # goes through the program once more, where signals were not kept

    @property
    def feasible(self) -> bool:
        """Whether nothing stands in the way of what it moves; what moves nothing is not shown to be."""
        return self.answer == "yes"

    @property
    def answer(self) -> Literal["yes", "no", "nothing to judge"]:
        """The verdict in a word."""
        return "no" if self.problems else "yes" if self.motions else "nothing to judge"

    @property
    def motors(self) -> tuple[str, ...]:
        return self.machine.motors

    @property
    def joints(self) -> tuple[str, ...]:
        return self.machine.joints

    @property
    def lines(self) -> list[int]:
        """Lines of the program that are responsible for problems, in order."""
        return sorted({problem.place.line for problem in self.problems})

    @property
    def worst(self) -> Problem:
        """The gravest problem, of one that has any."""
        return min(self.problems, key=lambda problem: (GRAVEST.index(problem.kind), -problem.share))

    @property
    def motions(self) -> int:
        """How many moves there are: rests and grippers are rows of tables, and none."""
        return sum(1 for move in self.moves if move.kind in ("joint", "line", "circle", "follow"))

    @property
    def what_if(self) -> str:
        """What was multiplied, in words that follow the program's name."""
        return "" if self.conditions is None else self.conditions.what_if

    @property
    def texts(self) -> dict[int, list[str]]:
        """What stands in the way, by line."""
        found: dict[int, list[str]] = {}
        for problem in self.problems:
            found.setdefault(problem.place.line, []).append(problem.text)
        return found

    @cached_property
    def advice(self) -> Advice | None:
        """What to change. None where nothing need be, or no change of pace helps."""
        return self.advise() if self.problems and self.advise is not None else None

    @cached_property
    def remedies(self) -> list[Remedy]:
        """What else would do: less payload, more torque, another start or branch. Looked for when first asked for."""
        return self.cure() if self.problems and self.cure is not None else []

    @property
    def signals(self) -> Signals:
        """Every signal at every cycle; `torsor.check(..., signals=False)` does not keep them."""
        if self.kept is None:
            raise Unsupported("the signals were not kept", hint="check with signals=True")
        return self.kept

    @cached_property
    def pictures(self) -> Pictures:
        """What a report draws."""
        kept = [] if self.kept is None else [self.kept]
        return Pictures(self.machine, kept) if kept or self.draw is None else self.draw()

    # sums over the program

    def peak(self, what: str) -> Floats:
        """Largest share of each motor or joint: of "torque", "motor_speed", "speed", "acceleration", ..."""
        if not self.moves:
            return np.zeros(len(self.motors if what in ("torque", "motor_speed") else self.joints))
        return _above_rounding(np.max([getattr(move, what).share for move in self.moves], axis=0))

    @property
    def rms(self) -> Floats:
        """Root mean square torque (m,) of the whole program."""
        total = np.sum([move.squared for move in self.moves], axis=0) if self.moves else np.zeros(len(self.motors))
        return _above_rounding(np.sqrt(total / self.time) if self.time > 0.0 else total)

    @property
    def largest(self) -> Floats:
        """Largest torque (m,) that each motor is asked for."""
        found = np.max([move.largest for move in self.moves], axis=0) if self.moves else np.zeros(len(self.motors))
        return _above_rounding(found)

    @property
    def clearance(self) -> float | None:
        """m that is left free at the least; below zero something is run into. None where that is not looked at."""
        if self.machine.surroundings is None or not self.moves:
            return None
        most = max(move.contact.worst for move in self.moves)
        return NEAR * (1.0 - most) if most > 1.0 else NEAR * (1.0 / most - 1.0) if most > 0.0 else None

    @property
    def energy(self) -> float:
        return sum(move.energy for move in self.moves)

    @property
    def peak_power(self) -> float:
        return max((move.peak_power for move in self.moves), default=0.0)

    # in words

    @property
    def headline(self) -> str:
        """The verdict in a sentence.

        What is feasible says how much is in use; what is not says what is worst and which lines are responsible.
        """
        moves = "1 move" if self.motions == 1 else f"{self.motions} moves"
        what = f"{self.program}{self.what_if}"
        if self.answer == "nothing to judge":
            idle = next((each.text for each in self.assumed if each.text.startswith(IDLE)), None)
            if idle is None:
                idle = takes(self.assumed)
            elif idle.startswith(NOTHING_IN_IT):
                return f"{what} moves nothing on {self.robot}{idle[idle.index(';') :]}"
            return f"{what} moves nothing on {self.robot}{idle.removeprefix(NOTHING_MOVES)}{self._if_so()}"
        if self.feasible:
            can = "can do" if self.known.torque else "moves along"
            took = f"{moves} in {self.time:.2f} s"
            if self.cycle_time is not None:
                took = f"a cycle of {moves} takes {self.cycle_time:.2f} s"
            return f"{self.robot} {can} {what}: {took}{self._in_use()}{self._of_endless()}{self._if_so()}"
        worst = self.worst
        lines = self.lines
        where = f"line {lines[0]}" if len(lines) == 1 else f"lines {listed([str(x) for x in lines[:6]])}"
        more = "" if len(lines) <= 6 else f" and {len(lines) - 6} more"
        return (
            f"{self.robot} cannot do {what}: {worst.text} (line {worst.place.line}); problems in {where}{more}"
            f"{self._of_endless()}{self._if_so()}"
        )

    def _if_so(self) -> str:
        count = sum(not each.text.startswith(IDLE) for each in self.assumed)
        return f"; if {count} assumption{'s' * (count != 1)} hold{'s' * (count == 1)}" if count else ""

    def _in_use(self) -> str:
        if not self.moves:
            return ""
        if not self.known.torque:
            return f"; {self.known.brief}"
        who = "motor" if self.machine.at_motors else "joint"
        used = [("torque", who, self.motors), ("joint_torque", "joint", self.joints)]
        most, what, who, names = max(
            ((float(self.peak(what).max(initial=0.0)), what, who, names) for what, who, names in used),
            key=lambda each: each[0],
        )
        if most == 0.0 and not self.known.left_out:
            return f", and asks for no torque of a {who}"
        k = int(self.peak(what).argmax())
        line = max(self.moves, key=lambda move: float(getattr(move, what).share[k])).place.line
        without = f"; without {few(self.known.left_out)}, whose mass is not known" if self.known.left_out else ""
        return f", with at most {percent(most)} % of the torque of a {who} ({names[k]}, line {line}){without}"

    def _of_endless(self) -> str:
        if self.endless is None or self.endless.place is None:
            return ""
        return f"; {self.endless.text} at line {self.endless.place.line}"

    def __repr__(self) -> str:
        return f"<Verdict {self.answer}: {self.headline}>"

    # written down

    def to_csv(self, path: str | Path) -> None:
        """All signals as a table: SI units and radians, one row a cycle."""
        from torsor.checking.kinematic_columns import KinematicColumns

        in_cell, more = self.machine.surroundings is not None, KinematicColumns(self.machine.arm)
        with table(path, self.joints, self.motors, self.machine.bearing_names, in_cell=in_cell, more=more) as write:
            write(self.signals, [move.place.line for move in self.moves])

    def to_json(self, path: str | Path | None = None) -> str:
        """The verdict as one JSON document, written to a file if a path is given."""
        text = json.dumps(_finite(self.document()), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        if path is not None:
            write_text(path, text)
        return text

    def report(self, path: str | Path, *, compare: Verdict | None = None) -> None:
        """One HTML file that needs nothing else: verdict, tables, plots against limits, tool path, program.

        With another verdict to ``compare`` (before a change, with another payload, on another arm) both arms move, both
        curves are in every plot, and a table says what differs.
        """
        from torsor.checking.shown.verdict_page import page

        write_text(path, page(self, compare))

    def _repr_html_(self) -> str:
        """The page in a frame, so that an exported notebook shows it too."""
        from torsor.checking.shown.verdict_page import page

        return framed(page(self), self.headline)

    def document(self) -> dict[str, Any]:
        """The verdict as plain dicts and lists, as `to_json` writes it. SI units and radians; shares are of limits."""
        return _document(self)


def percent(share: float) -> str:
    """Never 100 for what is above it, never 0 for what is not.

    >>> percent(0.5), percent(1.0), percent(1.001), percent(0.0031), percent(0.0), percent(float("inf"))
    ('50', '100', '100.10', '0.31', '0', '>9999')
    """
    if not isfinite(share):
        return ">9999" if share > 0.0 else "-"  # a motor that gives nothing at that speed
    if 1.0 + 1e-9 < share < 1.005:
        return f"{100 * share:.2f}"
    return f"{100 * share:.0f}" if share >= 0.005 or share == 0.0 else f"{100 * share:.2g}"


def _document(verdict: Verdict) -> dict[str, Any]:
    advice = verdict.advice
    return {
        "feasible": None if verdict.answer == "nothing to judge" else verdict.feasible,
        "answer": verdict.answer,
        "verdict": verdict.headline,
        "program": {"name": verdict.program, "file": verdict.file, "language": verdict.language},
        "robot": verdict.robot,
        "checked_with": None if verdict.conditions is None else verdict.conditions.document(),
        "dt": verdict.dt,
        "time": verdict.time,
        "cycle_time": verdict.cycle_time,
        "motions": verdict.motions,
        "joints": list(verdict.joints),
        "motors": [_motor(verdict, k) for k in range(len(verdict.motors))],
        "limits_known": verdict.known.document,
        "limits_unknown": {"torque": list(verdict.machine.unbounded), "masses": list(verdict.machine.unweighed)},
        "energy": verdict.energy,
        "peak_power": verdict.peak_power,
        "final_lag": verdict.lag.tolist(),
        "moves": [_move(move, verdict) for move in verdict.moves],
        "problems": [_problem(problem) for problem in verdict.problems],
        "advice": None if advice is None else advice.document(),
        "remedies": [remedy.document() for remedy in verdict.remedies],
        "notes": [_remark(note) for note in verdict.notes],
        "clearance": verdict.clearance,
        "assumed": [_assumption(each) for each in verdict.assumed],
        "endless": _remark(verdict.endless),
        "rewritten": None if verdict.rewritten is None else verdict.rewritten.diff,
    }


def _remark(remark: Remark | None) -> dict[str, Any] | None:
    return None if remark is None else {**_where(remark.place), "text": remark.text}


def _above_rounding(torques: Floats) -> Floats:
    """Torques with what is rounding beside the largest of them as zero: a wrist that holds nothing holds nothing."""
    most = np.max(torques, initial=0.0, where=np.isfinite(torques))
    return np.where(torques < ROUNDING * most, 0.0, torques)


def _assumption(assumption: Assumption) -> dict[str, Any]:
    return {**_where(assumption.place), "text": assumption.text, "cure": assumption.cure}


def _where(place: Place | None) -> dict[str, Any]:
    return {"file": place and place.file, "line": place and place.line}


def _motor(verdict: Verdict, k: int) -> dict[str, Any]:
    rms, peak = float(verdict.rms[k]), float(verdict.machine.peaks[k])
    return {
        "name": verdict.motors[k],
        "unit": verdict.machine.units[k],
        "peak_torque": peak,
        "largest_torque": float(verdict.largest[k]),
        "torque": float(verdict.peak("torque")[k]),
        "rms": rms,
        "rms_share": rms / float(verdict.machine.rms_limits[k]),
        "rms_share_of": verdict.machine.rms_of[k],
        "speed": float(verdict.peak("motor_speed")[k]),
    }


def _move(move: MoveTaken, verdict: Verdict) -> dict[str, Any]:
    bearings = zip(verdict.machine.bearing_names, move.force.tolist(), move.moment.tolist(), strict=True)
    return {
        **_at(move.place),
        **_picked(move, "kind", "target", "start", "duration", "feasible"),
        "torque": _peak(move.torque),
        "largest_torque": move.largest.tolist(),
        "rms_share": move.rms_share.tolist(),
        "motor_speed": _peak(move.motor_speed),
        "joint_torque": _peak(move.joint_torque),
        "speed": _peak(move.speed),
        "acceleration": _peak(move.acceleration),
        "beyond_position": _peak(move.beyond),
        "saturated": [{"motor": verdict.motors[s.motor], "start": s.start, "end": s.end} for s in move.saturated],
        **_picked(move, "saturated_time", "deviation", "turned"),
        "bearings": {name: {"force": force, "moment": moment} for name, force, moment in bearings},
        **_picked(move, "energy", "drawn", "friction", "peak_power", "tool_speed"),
    }


def _problem(problem: Problem) -> dict[str, Any]:
    said = _picked(problem, "kind", "who", "share", "time", "seconds", "move")
    return {**said, **_at(problem.place), "text": problem.text}


def _picked(of: object, *names: str) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names}


def _at(place: Place) -> dict[str, Any]:
    return {**_where(place), "column": place.column}


def _peak(peak: Peak) -> dict[str, Any]:
    return {"share": peak.share.tolist(), "time": peak.time.tolist()}


def _finite(value: Any) -> Any:
    """The same with None for what is no number, which JSON cannot say."""
    match value:
        case float() if not isfinite(value):
            return None
        case np.floating():
            return _finite(float(value))
        case dict():
            return {key: _finite(each) for key, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
    return value
