"""What arrives, line by line: joint states and torques at a time, checked. What is malformed is counted and told.

A line is a JSON object: ``t`` in s and ``q``; ``qd`` if there; and one of ``tau_motor``, ``tau_joint``, ``current``, or
``tau``, which is of motors where the arm has drives and else of joints, as `torsor.simulate` has it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

import numpy as np

from torsor.arm import Arm
from torsor.errors import TorsorError, printable
from torsor.model.ranges import LARGEST
from torsor.model.transforms import Floats

LONGEST_LINE = 1 << 16  # bytes: a thousand joints with every digit
MOST_TOLD = 5  # malformed lines that are told; all are counted
SHOWN = 80  # characters of such a line
TorqueSide = Literal["motor", "joint"]
TORQUES: Mapping[str, TorqueSide | None] = {"tau_motor": "motor", "tau_joint": "joint", "current": "motor", "tau": None}


class StreamError(TorsorError):
    """A source of samples is wrong: an address of another machine, a log that is none, another arm's joints."""


@dataclass(frozen=True, eq=False)
class Arrived:
    """Something that a source gave: a line as it came, or what a log holds by the same names."""

    content: bytes | Mapping[str, Any]
    at: float | None = None  # s, of time.monotonic; None where nothing is waited for

    @property
    def line(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()


@dataclass(frozen=True, eq=False)
class StreamSample:
    """One sample of one arm."""

    t: float  # s, of the robot's clock
    q: Floats  # (n,)
    qd: Floats | None = None  # (n,)
    torque: Floats | None = None  # (m,) of motors, or (n,) of joints
    side: TorqueSide | None = None  # ... which of them
    arrived: float | None = None  # s, of time.monotonic


@dataclass
class SampleReader:
    """Reads samples of one arm. The first good one says what a stream has; the others must have the same."""

    arm: Arm
    malformed: int = 0
    told: list[str] = field(default_factory=list)  # the first few: what is wrong with which
    _words: tuple[str, ...] | None = None  # beside t and q

    def read(self, arrived: Arrived) -> StreamSample | None:
        """The sample, or None for what is none."""
        try:
            return self._sample(arrived)
        except _Malformed as error:
            self.malformed += 1
            if len(self.told) < MOST_TOLD:
                text = printable(arrived.line[: 4 * SHOWN].decode("utf-8", "backslashreplace"))
                self.told.append(f"{error}: {text[:SHOWN]}{'...' * (len(text) > SHOWN)}")
            return None

    def _sample(self, arrived: Arrived) -> StreamSample:
        given = arrived.content if isinstance(arrived.content, Mapping) else _object(arrived.content)
        for word in ("t", "q"):
            if word not in given:
                raise _Malformed(f"no {word}")
        torques = [word for word in TORQUES if word in given]
        if len(torques) > 1:
            raise _Malformed(f"both {torques[0]} and {torques[1]}")
        words = (*(["qd"] if "qd" in given else []), *torques)
        if self._words is not None and words != self._words:
            raise _Malformed(f"has {_listed(words)}, those before had {_listed(self._words)}")
        t = given["t"]
        if not _is_number(t):
            raise _Malformed("t is no number")
        n = self.arm.n
        q = self._array("q", given["q"], n)
        qd = self._array("qd", given["qd"], n) if "qd" in given else None
        torque, side = self._torque(torques[0], given[torques[0]]) if torques else (None, None)
        self._words = words
        return StreamSample(float(t), q, qd, torque, side, arrived.at)

    def _torque(self, word: str, values: Any) -> tuple[Floats, TorqueSide]:
        has = bool(self.arm.model.drives)
        side = TORQUES[word] or ("motor" if has else "joint")
        if side == "motor" and not has:
            self._refuse(f"the stream has {word}, and {self.arm.name!r} has no motors", "send tau_joint")
        found = self._array(word, values, self.arm.drives.m if side == "motor" else self.arm.n)
        return (self.arm.drives.torques_of(found) if word == "current" else found), side

    def _array(self, word: str, values: Any, size: int) -> Floats:
        if not isinstance(values, list | tuple | np.ndarray) or not all(map(_is_number, values)):
            raise _Malformed(f"{word} is no list of finite numbers")
        if len(values) != size:
            of = "motors" if word in ("tau_motor", "current") else "joints"
            self._refuse(f"{word} has {len(values)} numbers", f"{self.arm.name!r} has {size} {of}")
        return np.array(values, dtype=np.float64)

    def _refuse(self, problem: str, hint: str) -> NoReturn:
        """Before the first good sample this is another arm's stream; later it is a malformed line."""
        if self._words is None:
            raise StreamError(problem, hint=hint)
        raise _Malformed(problem)


class _Malformed(Exception):
    """Why something is no sample."""


def _object(line: bytes) -> Mapping[str, Any]:
    if len(line) > LONGEST_LINE:
        raise _Malformed(f"longer than {LONGEST_LINE} bytes")
    try:
        found = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise _Malformed("no JSON") from None
    if not isinstance(found, dict):
        raise _Malformed("no JSON object")
    return found


def _no_number(word: str) -> None:
    return None  # NaN and Infinity are no numbers of JSON


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join(words) or "positions alone"
