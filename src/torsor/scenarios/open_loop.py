"""No feedback: torques or motor currents that are held, or go as a table over time says, in the file or beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import PlainValidator

from torsor.arm import Arm
from torsor.errors import Unsupported
from torsor.model.schema import Table
from torsor.model.transforms import Floats
from torsor.model.units import number
from torsor.scenarios.references import read_table
from torsor.scenarios.scenario_schema import NotNegative
from torsor.scenarios.streamed import ROUNDING, whole_steps


def _held(value: object) -> Any:
    return value if value == "hold" else [number(v) for v in value] if isinstance(value, list) else number(value)


def _rows(value: object) -> list[list[float]]:
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) > 1 for row in value):
        raise ValueError("expected rows")
    return [[number(v) for v in row] for row in value]


HeldNumbers = Annotated[Any, PlainValidator(_held)]
TimedRows = Annotated[list[list[float]], PlainValidator(_rows)]


@dataclass(frozen=True, eq=False)
class TimedTorques:
    """Torques (k, m) from times (k,) on, held until the next or joined by lines; after the last they stay."""

    time: Floats
    torques: Floats
    between: Literal["hold", "line"]

    def steps(self, dt: float, duration: float) -> Floats:
        """(steps, m), each row to be held for a step: of lines what they are in its middle.

        >>> TimedTorques(np.array([0.0, 1.0]), np.array([[0.0], [2.0]]), "line").steps(0.25, 1.5)[:, 0].tolist()
        [0.25, 0.75, 1.25, 1.75, 2.0, 2.0]
        """
        begins = dt * np.arange(whole_steps(duration, dt), dtype=np.float64)
        if self.between == "hold":  # a time that is a step to rounding is that step
            which = np.searchsorted(self.time, begins + ROUNDING * dt, side="right") - 1
            return np.asarray(self.torques[which])
        return np.stack([np.interp(begins + 0.5 * dt, self.time, each) for each in self.torques.T], axis=-1)


class OpenLoop(Table):
    """What is held, by a word of its own; or ``rows`` over time, or a ``file`` of them."""

    follows: ClassVar[Literal["joints", "tool", "nothing"]] = "nothing"
    word: ClassVar[str]  # what is held

    kind: str
    rows: TimedRows | None = None
    file: str | None = None
    between: Literal["hold", "line"] = "hold"
    known_payload: NotNegative | None = None

    @property
    def motors(self) -> bool:
        """Whether it is of motors, not of joints."""
        return True

    def names(self, arm: Arm) -> tuple[str, ...]:
        """Of the columns."""
        return arm.drives.names if self.motors else tuple(arm.joint_names)

    def made(self, arm: Arm, q0: Floats, folder: Path) -> Floats | TimedTorques:
        """The torques; errors begin with the key that they are of."""
        given = [key for key in (self.word, "rows", "file") if getattr(self, key) is not None]
        if len(given) != 1:
            problem = f"{given[1]} is given, and {given[0]} too" if given else f"{self.word} is missing"
            raise Unsupported(problem, hint=f"give {self.word}, which is held, or rows over time, or a file of them")
        if self.motors and not arm.model.drives:
            hint = 'of = "joints"' if self.word == "torque" else 'kind = "torque", of joints'
            raise Unsupported(f"{arm.name!r} has no motors", hint=hint)
        if self.rows is not None:
            return self._table(*self._read_rows(self.rows, len(self.names(arm))), arm)
        if self.file is not None:
            return self._table(*read_table(folder / self.file, self.names(arm)), arm)
        held = getattr(self, self.word)
        if isinstance(held, str):
            return self._holding(arm, q0)
        return self.torques(arm)(np.asarray(held, dtype=np.float64))

    def _holding(self, arm: Arm, q0: Floats) -> Floats:
        """What holds the arm where it starts."""
        tau = arm.gravity(q0)
        return arm.drives.gearing.to_motors(q0, tau) if self.motors else tau

    def torques(self, arm: Arm) -> Callable[[Floats], Floats]:
        """From what the file gives to torques."""
        return lambda values: values

    def _read_rows(self, rows: list[list[float]], m: int) -> tuple[Floats, Floats]:
        for k, row in enumerate(rows):
            if len(row) != m + 1:
                hint = f"a time, and one for each of {m}"
                raise Unsupported(f"rows has {len(row)} numbers in row {k + 1}", hint=hint)
            if k and not row[0] > rows[k - 1][0]:
                raise Unsupported(f"rows has row {k + 1} at {row[0]:g} s", hint=f"later than {rows[k - 1][0]:g} s")
        if not rows:
            raise Unsupported("rows is empty", hint="a row for each time, [time, torque, torque, ...]")
        return np.array([row[0] for row in rows]), np.array([row[1:] for row in rows])

    def _table(self, time: Floats, values: Floats, arm: Arm) -> TimedTorques:
        if time[0] > 0.0:
            word = "rows" if self.file is None else "file"
            raise Unsupported(f"{word} begins at {time[0]:g} s", hint="at 0 s, where the run begins")
        return TimedTorques(time, self.torques(arm)(values), self.between)


class TorqueLoop(OpenLoop):
    """Torques of joints, or of motors with ``of = "motors"``."""

    word: ClassVar[str] = "torque"

    torque: HeldNumbers | None = None
    of: Literal["joints", "motors"] = "joints"

    @property
    def motors(self) -> bool:
        return self.of == "motors"


class CurrentLoop(OpenLoop):
    """Currents of motors, u = k_t i (Szkodny's figure 3)."""

    word: ClassVar[str] = "current"

    current: HeldNumbers | None = None

    def torques(self, arm: Arm) -> Callable[[Floats], Floats]:
        def of_currents(values: Floats) -> Floats:
            if values.shape[-1:] != (arm.drives.m,):  # who holds torques is told how many there are
                return values
            return arm.drives.torques_of(values)

        return of_currents
