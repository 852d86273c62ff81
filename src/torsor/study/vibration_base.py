"""Vibration of programs as a base of studies: `torsor.vibrate`, run by run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from torsor.arm import Arm
from torsor.elastic.shaping import ShaperKind
from torsor.loading import load
from torsor.programs import Program, read
from torsor.study.base import ChunkOutcome, Portions, RunColumns, StudyOutput, arm_digest, digest, why_failed
from torsor.study.changes import MASS, PAYLOAD, changed, changes_of
from torsor.vibration import Vibration, vibrate

MEASURES = {
    "settled": StudyOutput("", "1 where the tool settles after every stop in the time there is, 0 where not"),
    "settling": StudyOutput("s", "the longest time from a stop until the tool stays within the tolerance"),
    "deviation": StudyOutput("m", "the most that the tool swings off"),
    "frequency": StudyOutput("Hz", "the lowest along the path, drives held"),
    "duration": StudyOutput("s", "of the program"),
}


@dataclass(frozen=True, eq=False)
class VibrationBase:
    """A program on an elastic arm; ``tolerance`` and ``shape`` are as for `torsor.vibrate`."""

    program: Program
    arm: Arm
    tolerance: float = 1e-4
    shape: ShaperKind | None = None

    kind: ClassVar[str] = "vibration"

    @classmethod
    def of(
        cls, program: str | os.PathLike[str] | Program, robot: str | os.PathLike[str] | Arm, **settings: Any
    ) -> VibrationBase:
        known = program if isinstance(program, Program) else read(program)
        return cls(known, robot if isinstance(robot, Arm) else load(robot), **settings)

    def __post_init__(self) -> None:
        _ = self.arm.elastic  # or it is said that there is none, before the work

    @cached_property
    def variable(self) -> dict[str, str]:
        kinds = PAYLOAD, MASS
        return {name: what for name, what in changes_of(self.arm).items() if name.split(".")[0] in kinds}

    @property
    def outputs(self) -> dict[str, StudyOutput]:
        return MEASURES

    @property
    def usual(self) -> tuple[str, ...]:
        return tuple(MEASURES)

    @property
    def contents(self) -> dict[str, str]:
        program = digest(*self.program.facts)
        return {"arm": arm_digest(self.arm), "program": program, "settings": digest(self.tolerance, self.shape)}

    def portions(self, varied: tuple[str, ...], outputs: tuple[str, ...]) -> Portions:
        return Portions(2, processes=True)

    def settled(self, inputs: RunColumns) -> VibrationBase:
        return self

    def evaluate(self, inputs: RunColumns, outputs: tuple[str, ...]) -> ChunkOutcome:
        count = len(next(iter(inputs.values())))
        found = ChunkOutcome({name: np.full(count, np.nan) for name in outputs})
        for row in range(count):
            try:
                answer = self._told({name: float(values[row]) for name, values in inputs.items()})
            except Exception as error:  # one run: whatever it was, the others are not lost with it
                found.failures[row] = why_failed(error)
                continue
            for name in outputs:
                found.values[name][row] = answer[name]
        return found

    def _told(self, values: dict[str, float]) -> dict[str, float]:
        arm = changed(self.arm, values)
        swing: Vibration = vibrate(self.program, arm, tolerance=self.tolerance, shape=self.shape)
        return {
            "settled": float(swing.settled),
            "settling": float(swing.settling.max(initial=0.0)),
            "deviation": float(swing.swing.deviation.max()),
            "frequency": float(swing.frequencies[:, 0].min()),
            "duration": swing.duration,
        }
