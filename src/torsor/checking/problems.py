"""What stands in the way: each problem says which line is responsible, who cannot, by how much and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import degrees, inf
from typing import Literal, get_args

import numpy as np

from torsor.checking.checked_arm import CheckedArm, nearness
from torsor.checking.known_limits import listed
from torsor.checking.moves import ROUNDING, MoveTaken, Peak
from torsor.model.transforms import Floats
from torsor.motion import Note
from torsor.motion.commands import Place

ProblemKind = Literal[  # the gravest first; what a planner could repair comes last
    "not finite", "reach", "collision", "position", "torque", "joint torque", "motor speed", "speed", "temperature",
    "duty", "acceleration", "payload", "tool speed", "tool acceleration",
]  # fmt: skip
AT_THE_TOOL: dict[ProblemKind, str] = {  # in the order of the columns of `CheckedArm`
    "payload": "the payload is {} what the data sheet allows",
    "tool speed": "the tool moves at {} the speed that the data sheet allows, at {:.2f} s",
    "tool acceleration": "the tool accelerates at {} what the data sheet allows, at {:.2f} s",
}
MOST_LACKING = 5  # that a sentence names
GRAVEST: tuple[ProblemKind, ...] = get_args(ProblemKind)


@dataclass(frozen=True)
class Remark:
    """Something worth knowing that stands in the way of nothing."""

    text: str
    place: Place | None = None

    def __str__(self) -> str:
        return self.text if self.place is None else f"{self.place.file}:{self.place.line}: {self.text}"


@dataclass(frozen=True)
class Assumption(Remark):
    """Something that a program leaves open, what was taken for it, and how to give it."""

    cure: str = ""


def takes(assumed: Sequence[Assumption]) -> str:
    """What could be told to a program whose moves lead nowhere with what is assumed, as a headline goes on.

    >>> takes([Assumption("di(1) is taken to be 0", Place("", 3, 1), "--set di(1)=...")])
    '; it would take di(1) (line 3)'
    """
    lacking = [each for each in assumed if each.cure.startswith("--set ") and not each.text.endswith(" TRUE")]
    told = {each.cure.removeprefix("--set ").rpartition("=")[0]: each.place for each in reversed(lacking)}
    names = [f"{name}{f' (line {at.line})' if at else ''}" for name, at in reversed(told.items())]
    return f"; it would take {listed(names[:MOST_LACKING])}" if names else ""


@dataclass(frozen=True)
class Problem:
    """``share`` is of the limit (above 1), outside a position limit how far, in rad or m."""

    kind: ProblemKind
    who: str  # a motor or a joint
    share: float
    time: float  # s, of the program: where it is worst
    seconds: float | None  # how long, where that is known
    move: int  # index of the move responsible
    place: Place
    text: str

    def __str__(self) -> str:
        return f"{self.place.file}:{self.place.line}: {self.text}"


def problems_of(machine: CheckedArm, moves: Sequence[MoveTaken]) -> list[Problem]:
    """Of all moves, in the order of the program, the gravest of a move first.

    A line that is carried out again and again has each of its problems once, as it is at its worst.
    """
    found: dict[tuple[int, str, str], list[Problem]] = {}
    for move in moves:
        if not move.feasible:
            for problem in _of_move(machine, move):
                line = 0 if problem.kind == "payload" else problem.place.line  # whatever the line, it is the same
                found.setdefault((line, problem.kind, problem.who), []).append(problem)
    return [_worst(alike) for alike in found.values()]


def _worst(alike: list[Problem]) -> Problem:
    worst = max(alike, key=lambda problem: problem.share)
    if len(alike) == 1 or worst.kind == "payload":
        return worst
    return replace(worst, text=f"{worst.text}; {len(alike)} times in all")


def _of_move(machine: CheckedArm, move: MoveTaken) -> list[Problem]:
    found: list[Problem] = []
    if not move.finite:
        text = "what this line takes is not a finite number: nothing can be said of it"
        return [Problem("not finite", "", inf, move.start, None, move.index, move.place, text)]
    torque = "is asked for {} its torque" if machine.at_motors else "is asked for {} its torque limit"
    limits: list[tuple[ProblemKind, Sequence[str], Peak, str]] = [
        ("torque", machine.motors, move.torque, torque),
        ("motor speed", machine.motors, move.motor_speed, "turns at {} the motor's speed"),
        ("speed", machine.joints, move.speed, "moves at {} its speed limit"),
        ("acceleration", machine.joints, move.acceleration, "accelerates at {} its limit"),
        ("joint torque", machine.joints, move.joint_torque, "passes on {} its torque limit"),
    ]
    for kind, names, peak, phrase in limits:
        for k in np.flatnonzero(peak.share > 1.0 + ROUNDING).tolist():
            seconds, when = None, f"at {peak.time[k]:.2f} s"
            if kind == "torque":
                seconds = sum(span.end - span.start for span in move.saturated if span.motor == k)
                when = f"for {seconds:.2f} s, worst {when}"
            text = f"{names[k]} {phrase.format(times(peak.share[k]))} {when}"
            found.append(_problem(kind, names[k], peak, k, seconds, move, text))
    for k, (kind, phrase) in enumerate(AT_THE_TOOL.items()):
        if move.at_tool.share[k] > 1.0 + ROUNDING:
            text = phrase.format(times(move.at_tool.share[k]), move.at_tool.time[k])
            found.append(_problem(kind, "tool", move.at_tool, k, None, move, text))
    found += _collision(machine, move)
    found.sort(key=lambda problem: (GRAVEST.index(problem.kind), -problem.share))
    if move.kind in ("dwell", "gripper"):
        return found  # where the arm rests is the business of the move that brought it there
    kinds = {link.joint.name: link.joint.kind for link in machine.model.links}
    for k in np.flatnonzero(move.beyond.share > ROUNDING).tolist():
        who, far = machine.ranged[k], float(move.beyond.share[k])
        size = f"{1e3 * far:.3g} mm" if kinds[who] == "prismatic" else f"{degrees(far):.3g} deg"
        text = f"{who} goes {size} beyond its position limits, at {move.beyond.time[k]:.2f} s"
        found.append(_problem("position", who, move.beyond, k, None, move, text))
    return found


def _collision(machine: CheckedArm, move: MoveTaken) -> list[Problem]:
    """What the arm runs into at its worst, in the posture of that moment."""
    if not (move.contact.worst > 1.0 + ROUNDING) or move.touched is None:
        return []
    found, at = move.touched, float(move.contact.time[0])
    margin = machine.surroundings.cell.margin if machine.surroundings is not None else 0.0
    if (apart := found.distance + margin) > 0.0:
        least = f", where {1e3 * margin:g} mm are to be left free"
        text = f"{found.first} comes within {1e3 * apart:.3g} mm of {found.second}{least}, at {at:.2f} s"
    else:
        text = f"{found.first} runs into {found.second} by about {-1e3 * apart:.3g} mm, at {at:.2f} s"
    # where one move ends the next begins: the same posture, to the last bits, and so the same share
    share = round(float(nearness(np.array(found.distance))), 9)
    return [Problem("collision", found.first, share, at, None, move.index, move.place, text)]


def _problem(
    kind: ProblemKind, who: str, peak: Peak, k: int, seconds: float | None, move: MoveTaken, text: str
) -> Problem:
    return Problem(kind, who, float(peak.share[k]), float(peak.time[k]), seconds, move.index, move.place, text)


def times(share: float) -> str:
    """A share above 1 in words that never round down to 1.

    >>> times(1.5), times(1.0004), times(float("inf"))
    ('1.50 times', '1.0004 times', 'far more than')
    """
    if share == inf:
        return "far more than"
    return f"{share:.2f} times" if share >= 1.005 else f"{share:.4f} times" if share >= 1.00005 else "just above"


def planning_problems(notes: Sequence[Note], moves: Sequence[MoveTaken]) -> Iterator[Problem]:
    """What the planner had to leave out, or could not keep within limits."""
    for note in notes:
        if note.severity == "error" and note.kind != "limits":  # joints beyond their limits are found in the samples
            index = next((move.index for move in moves if move.place.line >= note.place.line), len(moves) - 1)
            start = moves[index].start if moves else 0.0
            yield Problem("reach", "", inf, start, None, index, note.place, note.text)


def thermal_problems(
    machine: CheckedArm, moves: Sequence[MoveTaken], rms: Floats, warming: Peak, time: float
) -> Iterator[Problem]:
    """Motors that overheat: in this run, or if the program is repeated for ever."""
    if not moves or not machine.at_motors:
        return
    limits = machine.driven.drives.temperature_limits
    heated = np.array([move.squared for move in moves])  # (moves, m)
    for k, who in enumerate(machine.motors):
        most = moves[int(heated[:, k].argmax())]
        if warming.share[k] > limits[k] * (1.0 + ROUNDING):
            at = float(warming.time[k])
            text = f"{who} warms by {warming.share[k]:.0f} K at {at:.1f} s, its limit is {limits[k]:.0f} K"
            share = float(warming.share[k] / limits[k])
            yield Problem("temperature", who, share, at, None, most.index, most.place, text)
        duty = rms[k] / machine.continuous[k]
        if duty > 1.0 + ROUNDING:
            text = (
                f"{who} gives {rms[k]:.3g} N m on average (root mean square), {times(duty)} what it can give for ever; "
                "this line takes most of it"
            )
            yield Problem("duty", who, float(duty), time, None, most.index, most.place, text)
