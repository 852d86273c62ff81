"""Several answers side by side: programs, arms and payloads, each with each, in one table and on one page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.checking.checking import check
from torsor.checking.verdict import Verdict, percent
from torsor.errors import TorsorError
from torsor.loading import load
from torsor.model.files import write_text
from torsor.programs import Program
from torsor.programs.several import read_several

MOST_ANSWERS = 500
TELLING = "program", "robot", "payload kg"  # columns that tell answers apart


@dataclass(frozen=True, eq=False)
class CheckAnswer:
    """One of them: the verdict, or why there is none."""

    program: str
    robot: str
    payload: float | None  # kg; None: what the arm and the program say
    verdict: Verdict | None
    failure: str = ""

    @property
    def feasible(self) -> bool:
        return self.verdict is not None and self.verdict.feasible

    @property
    def word(self) -> str:
        return "cannot be told" if self.verdict is None else self.verdict.answer

    @property
    def reason(self) -> str:
        """What stands in the way; nothing where nothing does."""
        if self.verdict is None:
            return self.failure
        if not self.verdict.problems and not self.feasible:
            return self.verdict.headline
        if self.feasible:
            return "" if self.verdict.known.torque else self.verdict.known.brief
        worst = self.verdict.worst
        return f"{worst.text} (line {worst.place.line})"

    @property
    def most(self) -> tuple[float, str, int] | None:
        """The largest share of a motor's torque, which motor, and where; None where no limit is known."""
        verdict = self.verdict
        if verdict is None or not verdict.known.torque or not verdict.moves:
            return None
        shares = verdict.peak("torque")
        k = int(shares.argmax())
        line = max(verdict.moves, key=lambda move: float(move.torque.share[k])).place.line
        return float(shares[k]), verdict.motors[k], line

    def cells(self) -> dict[str, str]:
        """A row of the table, by the titles of its columns."""
        verdict, most = self.verdict, self.most
        energy = np.nan if verdict is None else verdict.energy
        return {
            "program": self.program,
            "robot": self.robot,
            "payload kg": "-" if self.payload is None else f"{self.payload:g}",
            "feasible": self.word,
            "takes s": "-" if verdict is None else f"{verdict.time:.2f}",
            "torque %": "-" if most is None else percent(most[0]),
            "by": "-" if most is None else most[1],
            "line": "-" if most is None else f"{most[2]}",
            "energy kJ": f"{1e-3 * energy:.3g}" if np.isfinite(energy) else "-",
        }

    def document(self) -> dict[str, Any]:
        verdict, most = self.verdict, self.most
        return {
            "program": self.program,
            "robot": self.robot,
            "payload": self.payload,
            "feasible": None if self.word not in ("yes", "no") else self.feasible,
            "answer": self.word,
            "time": None if verdict is None else verdict.time,
            "torque": None if most is None else most[0],
            "motor": None if most is None else most[1],
            "line": None if most is None else most[2],
            "energy": None if verdict is None else verdict.energy,
            "reason": self.reason,
            "checked_with": None if verdict is None or not verdict.conditions else verdict.conditions.document(),
        }


@dataclass(frozen=True, eq=False)
class AnswersTable:
    """All answers, in the order that was asked: programs, then arms, then payloads."""

    answers: tuple[CheckAnswer, ...]

    @property
    def feasible(self) -> bool:
        """Whether all are."""
        return all(answer.feasible for answer in self.answers)

    @property
    def sentence(self) -> str:
        yes, all_ = sum(answer.feasible for answer in self.answers), len(self.answers)
        return f"all {all_} are feasible" if yes == all_ else f"{yes or 'none'} of {all_} are feasible"

    @property
    def titles(self) -> list[str]:
        """Of the columns that tell answers apart, and of what is said of each."""
        cells = [answer.cells() for answer in self.answers]
        return [title for title in cells[0] if title not in TELLING or len({each[title] for each in cells}) > 1]

    @property
    def rows(self) -> list[list[str]]:
        titles = self.titles
        return [[answer.cells()[title] for title in titles] for answer in self.answers]

    def name(self, answer: CheckAnswer) -> str:
        """What tells an answer apart from the others."""
        cells, told = answer.cells(), [title for title in self.titles if title in TELLING]
        return ", ".join(f"{cells[title]} kg" if title == "payload kg" else cells[title] for title in told)

    def document(self) -> dict[str, Any]:
        listed = [answer.document() for answer in self.answers]
        return {"feasible": self.feasible, "sentence": self.sentence, "answers": listed}

    def report(self, path: str | Path) -> None:
        """One HTML file: the table, the motors beside each other, and each answer with what to change."""
        from torsor.checking.shown.side_by_side_page import page

        write_text(path, page(self))


def side_by_side(
    programs: str | os.PathLike[str] | Program | Sequence[str | os.PathLike[str] | Program],
    robots: str | os.PathLike[str] | Arm | Sequence[str | os.PathLike[str] | Arm],
    payloads: Iterable[float] | None = None,
    *,
    each: Callable[[str], None] | None = None,
    **options: Any,
) -> AnswersTable:
    """Each program on each arm with each payload, judged by `torsor.check` with the same ``options``.

    What cannot be judged, such as joints of a program that an arm does not have, is told in its row. ``each`` hears of
    every answer before it is looked for.

    >>> found = side_by_side("examples/programs/rl15_tour.irl", "rl15", [0.0, 40.0, 60.0])
    >>> [(answer.payload, answer.word) for answer in found.answers], found.sentence
    ([(0.0, 'yes'), (40.0, 'yes'), (60.0, 'no')], '2 of 3 are feasible')
    """
    known = _programs([programs] if isinstance(programs, str | os.PathLike | Program) else programs)
    given = [robots] if isinstance(robots, str | os.PathLike | Arm) else robots
    arms = [robot if isinstance(robot, Arm) else load(robot) for robot in given]
    masses: list[float | None] = [None] if payloads is None else list(payloads)
    count = len(known) * len(arms) * len(masses)
    if not 0 < count <= MOST_ANSWERS:
        hint = f"between 1 and {MOST_ANSWERS}; more are a study ('torsor study')"
        raise TorsorError(f"{count} answers side by side", hint=hint)
    found = []
    for program in known:
        for arm in arms:
            for mass in masses:
                if each is not None:
                    each(f"{program.name} on {arm.name}")
                found.append(_answer(program, arm, mass, options))
    return AnswersTable(tuple(found))


def _programs(given: Sequence[str | os.PathLike[str] | Program]) -> list[Program]:
    files = [one for one in given if not isinstance(one, Program)]
    return [*(one for one in given if isinstance(one, Program)), *(read_several(files) if files else [])]


def _answer(program: Program, arm: Arm, mass: float | None, options: dict[str, Any]) -> CheckAnswer:
    name = Path(program.file).stem
    try:
        verdict = check(program, arm, payload=mass, signals=False, **options)
    except TorsorError as error:
        return CheckAnswer(name, arm.name, mass, None, str(error))
    return CheckAnswer(name, arm.name, mass, verdict)
