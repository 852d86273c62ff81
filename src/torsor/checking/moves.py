"""What a move takes: its row in every table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.cell.arm_in_cell import Nearest
from torsor.checking.between_samples import ALIKE, JudgedBlock
from torsor.checking.between_samples import ROUNDING as ROUNDING
from torsor.checking.checked_arm import LIMITS, CheckedArm
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Dwell, Gripper, Joints, Move, Place, Target

SUMS = ("energy", "drawn", "friction", "deviation", "turned")


@dataclass(frozen=True, eq=False)
class Peak:
    """The largest share of a limit for each motor or joint, and when."""

    share: Floats  # (k,)
    time: Floats  # (k,) s, of the program

    @property
    def worst(self) -> float:
        return float(self.share.max(initial=0.0))


@dataclass(frozen=True)
class Span:
    """Where a motor is asked for more than it gives."""

    motor: int
    start: float  # s, of the program
    end: float


class MoveTaken:
    """One command of the program, and what it takes. Shares are of limits: above 1 is too much.

    All numbers stand in one row: a program may have very many moves.
    """

    index: int
    kind: str  # joint, line, circle, dwell, gripper, ...
    target: str
    place: Place
    start: float  # s
    duration: float
    torque: Peak  # of each motor
    motor_speed: Peak
    joint_torque: Peak  # of each joint
    speed: Peak
    acceleration: Peak
    at_tool: Peak  # of the payload, the speed and the acceleration that a data sheet allows there
    contact: Peak  # 1 where it touches something, less where it is apart; empty where that is not looked at
    beyond: Peak  # of each joint, those that loops move included: rad or m outside its position limits
    largest: Floats  # (m,) torque, N m (N where a joint slides)
    force: Floats  # (bearings,) N, the most
    moment: Floats  # (bearings,) N m
    peak_power: float  # W
    tool_speed: float  # m/s, the most
    energy: float  # J that the motors give, what they take back subtracted
    drawn: float  # J that they give, nothing taken back
    friction: float  # J turned into heat by friction
    deviation: float  # m from the planned path, caused by saturation
    turned: float  # rad from the planned orientation
    saturated: tuple[Span, ...]
    posture: Floats | None  # (n,) in which it touches something at its worst
    __slots__ = (
        "_numbers", "duration", "index", "kind", "machine", "place", "posture", "saturated", "start",
        "target",
    )  # fmt: skip

    def __init__(self, index: int, command: Command, start: float, machine: CheckedArm) -> None:
        self.index, self.place, self.start, self.machine = index, command.place, start, machine
        self.kind, self.target = described(command)
        self.duration = 0.0
        self.saturated = ()
        self.posture = None
        self._numbers = np.zeros(2 * self._width + len(machine.motors) + len(SUMS))  # peaks, their times, squared, sums

    @property
    def _width(self) -> int:
        return int(self.machine.columns["tool_speed"].stop)

    def __getattr__(self, name: str) -> Any:
        if name in SUMS:
            return float(self._numbers[SUMS.index(name) - len(SUMS)])
        where = None if name in self.__slots__ else self.machine.columns.get(name)
        if where is None:
            raise AttributeError(f"a move has no {name!r}")
        peaks, times = self._numbers[where], self._numbers[self._width :][where]
        if name in (*LIMITS, "beyond"):
            return Peak(peaks, times)
        return float(peaks[0]) if name in ("peak_power", "tool_speed") else peaks

    @property
    def squared(self) -> Floats:
        """(m,) integral of torque squared."""
        return self._numbers[2 * self._width : -len(SUMS)]

    @property
    def rms_share(self) -> Floats:
        """(m,) root mean square torque as a share of the continuous torque, of the peak where that is not known."""
        rms = np.sqrt(self.squared / self.duration) if self.duration > 0.0 else 0.0 * self.squared
        return rms / self.machine.rms_limits

    @property
    def saturated_time(self) -> float:
        """Seconds in which some motor is asked for too much."""
        total, until = 0.0, -np.inf
        for start, end in sorted((span.start, span.end) for span in self.saturated):
            total += max(0.0, end - max(start, until))
            until = max(until, end)
        return total

    @property
    def finite(self) -> bool:
        """Whether all that is judged is a number; a share alone is infinite where a motor gives nothing at all.

        What depends on masses is none where these are not known, and is not judged.
        """
        columns, width = self.machine.columns, self._width
        endless = np.isinf(self._numbers[columns["torque"]]).sum()
        known = np.isfinite(self._numbers[:-2])
        if not self.machine.weighed:
            for name in self.machine.unjudged:
                known[columns[name]] = True
            known[2 * width :] = True  # integrals of torque and power
        return bool(known.sum() + endless == known.size)

    @property
    def feasible(self) -> bool:
        held = self.kind in ("dwell", "gripper")  # where the arm rests is the business of the move before
        kept = bool((self._numbers[self.machine.held] <= 1.0 + ROUNDING).all())
        return kept and (held or self.beyond.worst <= ROUNDING) and self.finite

    def add(self, judged: JudgedBlock, k: int) -> None:
        """What section k of a block takes."""
        section, width = judged.block.sections[k], self._width
        self.duration = section.span[1] - self.start
        peaks, times = self._numbers[:width], self._numbers[width : 2 * width]
        self._touch(judged, k)
        times[:] = np.where(ALIKE * judged.peaks[k] > peaks, judged.times[k], times)
        peaks[:] = np.maximum(judged.peaks[k], peaks)  # what is no number stays none
        self._numbers[2 * width : 2 * width + len(judged.sums[k])] += judged.sums[k]
        for motor, spans in judged.saturated(k):
            self._saturate(motor, spans)

    def _touch(self, judged: JudgedBlock, k: int) -> None:
        """Remembers the posture in which a section touches something, if it does so more than before."""
        where = self.machine.columns["contact"]
        if self.machine.surroundings is None or not judged.peaks[k, where][0] > max(self._numbers[where][0], 1.0):
            return
        self.posture = judged.block.planned(judged.times[k, where])[0][0]

    @property
    def touched(self) -> Nearest | None:
        """What is run into at the worst."""
        surroundings = self.machine.surroundings
        return None if surroundings is None or self.posture is None else surroundings.nearest(self.posture)

    def deviate(self, off: float, turned: float) -> None:
        """The tool is off its path by so much, at least."""
        self._numbers[-2:] = np.fmax(self._numbers[-2:], [off, turned])

    def _saturate(self, motor: int, spans: list[tuple[float, float]]) -> None:
        """What reaches the end of one part of a move goes on in the next."""
        for start, end in spans:
            joined = [span for span in self.saturated if span.motor == motor and span.end >= start]
            others = tuple(span for span in self.saturated if span not in joined[-1:])
            self.saturated = (*others, Span(motor, joined[-1].start if joined else start, end))


def described(command: Command) -> tuple[str, str]:
    """Kind and target, as tables show them."""
    match command:
        case Move():
            return command.kind, ", ".join(_name(point) for point in (*command.via, command.target))
        case Dwell():
            return "dwell", f"{command.seconds:g} s"
        case Gripper():
            return "gripper", "close" if command.closed else "open"
    return type(command).__name__.lower(), ""


def _name(target: Target) -> str:
    if target.name:
        return target.name
    if isinstance(target, Joints):
        return "(" + ", ".join(f"{np.degrees(x):.4g}" for x in target.q) + ") deg"
    return "(" + ", ".join(f"{1e3 * x:.5g}" for x in target.position) + ") mm"
