"""What else would make a program feasible besides another pace: less payload, stronger motors, other starts, branches.

Each is tried out on the whole program, as it is otherwise, before it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from torsor.checking.judging import judge
from torsor.checking.problems import planning_problems, times
from torsor.errors import TorsorError
from torsor.model.transforms import Floats, inverse
from torsor.motion.commands import Command, Joints, Move, Payload, Pose, Tool, pose_matrix
from torsor.programs.rewriting import rounded_down
from torsor.programs.starting import FIRST_TARGET, beginning, posture_text

if TYPE_CHECKING:
    from torsor.checking.checking import CheckJob
    from torsor.checking.verdict import Verdict

RemedyKind = Literal["payload", "torque", "start", "branch"]
OF_LOAD = ("torque", "joint torque", "duty", "temperature", "payload")  # problems that less payload may cure
ONLY_STRONGER = ("torque", "joint torque")
MOST_MOVES = 600  # that are gone through in search of remedies, however long the program is
MOST_PLACES = 3  # at which another branch is tried
FINE, LOOKS = 2e-3, 12  # of the payload: how near its limit is found; how often it is looked for
BRANCH_APART = 1e-3  # rad or m between joints of two branches


@dataclass(frozen=True)
class Remedy:
    """``text`` says what would do; ``found`` are its numbers."""

    kind: RemedyKind
    text: str
    found: dict[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        return {"kind": self.kind, **self.found, "text": self.text}


def remedies(job: CheckJob, verdict: Verdict) -> list[Remedy]:
    """All that were found; the quickest to look for first."""
    trials = Trials(MOST_MOVES // max(len(verdict.moves), 1))
    found = list(_stronger(verdict))
    for look in (_started, _branched, _lighter):
        found += look(job, verdict, trials)
    return sorted(found, key=lambda remedy: ("torque", "payload", "start", "branch").index(remedy.kind))


@dataclass
class Trials:
    """How often the program may still be gone through."""

    left: int

    def allow(self) -> bool:
        self.left -= 1
        return self.left >= 0


def _stronger(verdict: Verdict) -> Iterator[Remedy]:
    """The torque that each motor lacks. It is not tried out: which motor that is, and its rotor, nobody knows."""
    machine = verdict.machine
    if not machine.weighed:
        return
    who = "motor" if machine.at_motors else "joint"
    only = all(problem.kind in ONLY_STRONGER for problem in verdict.problems)
    shares, largest = verdict.peak("torque"), verdict.largest
    for k, name in enumerate(verdict.motors):
        share, limit, asked, unit = (float(shares[k]), float(machine.peaks[k]), float(largest[k]), machine.units[k])
        if not 1.0 + 1e-6 < share < np.inf:
            continue
        numbers = {who: name, "times": share, "missing": asked - limit if asked > limit else None, "unit": unit}
        much = f"{times(share)} the torque that it gives"
        if abs(asked - share * limit) <= 1e-6 * asked:
            text = f"{name} with {asked - limit:.3g} {unit} more: {asked:.3g} instead of {limit:.4g} {unit}"
        else:
            text = f"{name} with {much} at the speed it has then (at most {asked:.3g} {unit} are asked for)"
        yield Remedy("torque", text if only else f"{text}, for its torque alone", numbers)
    limits, shares = machine.joint_torques, verdict.peak("joint_torque")
    for k, name in enumerate(verdict.joints):
        share = float(shares[k])
        if 1.0 + 1e-6 < share < np.inf and machine.at_motors:
            text = f"a gear of {name} that passes on {share * limits[k]:.3g} instead of {limits[k]:.4g} N m"
            yield Remedy("torque", text, {"joint": name, "times": share, "missing": float((share - 1.0) * limits[k])})


def _lighter(job: CheckJob, verdict: Verdict, trials: Trials) -> Iterator[Remedy]:
    """The largest payload with which the program is feasible, if it is less that does it."""
    arm = job.planner.arm
    held = arm.model.payload
    if held is None or job.optimal or not verdict.problems:
        return
    if any(problem.kind not in OF_LOAD for problem in verdict.problems) or not trials.allow():
        return
    pieces = list(job.planned())
    if any(isinstance(piece.command, Payload) for piece in pieces):
        return  # the program says itself what it holds

    def worst(mass: float) -> float:
        """The largest share of a limit that depends on it."""
        scaled = mass / held.mass
        lighter = arm.with_payload(mass, held.com, scaled * held.inertia)
        seen = judge(replace(job.machine, arm=lighter), pieces, job.about, keep=False)
        return max((problem.share for problem in seen.problems), default=0.0) or _most_used(seen)

    if not trials.allow():
        return
    low, high = (0.0, worst(0.0)), (held.mass, max(problem.share for problem in verdict.problems))
    if low[1] > 1.0:
        yield Remedy("payload", "no smaller payload alone: without any it cannot do it either", {"limit": None})
        return
    for _ in range(LOOKS):
        if high[0] - low[0] <= FINE * held.mass:
            break
        if not trials.allow():
            return  # it would not be the largest
        # shares are nearly straight lines over the mass, bent upwards: the chord is on the safe side
        chord = low[0] + (0.999 - low[1]) / (high[1] - low[1]) * (high[0] - low[0]) if high[1] > low[1] else 0.0
        margin = 0.02 * (high[0] - low[0])
        mass = float(np.clip(chord, low[0] + margin, high[0] - margin))
        share = worst(mass)
        low, high = ((mass, share), high) if share <= 1.0 else (low, (mass, share))
    limit = rounded_down(low[0])  # what is told was tried with more
    text = f"a payload of {limit} kg instead of {held.mass:g} kg"
    yield Remedy("payload", text, {"limit": float(limit), "now": held.mass})


def _most_used(verdict: Verdict) -> float:
    """Of what feasible programs use of limits that depend on the load, the most."""
    machine, used = verdict.machine, [float(verdict.peak(what).max(initial=0.0)) for what in ("torque", "joint_torque")]
    duty = verdict.rms / np.where(np.isnan(machine.continuous), np.inf, machine.continuous)
    at_tool = max((float(move.at_tool.share[0]) for move in verdict.moves), default=0.0)
    return max(*used, float(np.nan_to_num(duty).max(initial=0.0)), at_tool)


def _judged(job: CheckJob) -> tuple[bool, float]:
    """Whether it is feasible, and how long it takes. What cannot be planned is not gone through to its end.

    A move that cannot be done is left out of the pieces: it raises, as those that come next may be left out, too.
    """
    pieces = job.planned(strict=True)
    planned = takewhile(lambda _: not any(note.severity == "error" for note in pieces.notes), pieces)
    seen = judge(job.machine, planned, job.about, keep=False)
    reached = not any(planning_problems(pieces.notes, seen.moves))
    return seen.feasible and reached, seen.time


def _started(job: CheckJob, verdict: Verdict, trials: Trials) -> Iterator[Remedy]:
    """Another place to start from, where the first move is at fault and nobody said where it starts."""
    begins = job.begins
    first = next((move for move in verdict.moves if move.kind != "dwell"), None)
    if begins is None or begins.asked or first is None or first.place.line not in verdict.lines:
        return
    plain = replace(job, begins=None)
    ways: list[tuple[str, str, Callable[[], Any]]] = [
        ("--start first-target", "starting at its first target", lambda: FIRST_TARGET),
        ("--cycle", "starting where it ends", lambda: None),
    ]
    for option, words, start in ways:
        if not trials.allow():
            return
        try:
            other = beginning(job.planner, plain.commands, start(), cycle=start() is None)
            feasible, time = _judged(replace(job, begins=other, cycle=start() is None))
        except TorsorError:
            continue
        if feasible:
            text = f"{words} ({option}): it takes {time:.2f} s then"
            yield Remedy("start", text, {"option": option, "time": time})
            return


def _branched(job: CheckJob, verdict: Verdict, trials: Trials) -> Iterator[Remedy]:
    """The arm on another branch, from the joint move on that brings it to the lines at fault."""
    commands, lines = list(job.commands()), set(verdict.lines)
    tried: list[int] = []
    for k, command in enumerate(commands):
        if command.place.line in lines and isinstance(command, Move):
            at = next((j for j in range(k, -1, -1) if _chooses(commands[j])), None)
            if at is not None and at not in tried:
                tried.append(at)
    best: tuple[float, str, dict[str, Any]] | None = None
    for k in tried[:MOST_PLACES]:
        move = commands[k]
        assert isinstance(move, Move)
        for name, q in _other_branches(job, commands, k):
            there = replace(move, target=Joints(tuple(q.tolist()), name))
            if not trials.allow():
                break
            try:
                feasible, time = _judged(replace(job, program=[*commands[:k], there, *commands[k + 1 :]]))
            except TorsorError:
                continue
            if feasible and (best is None or time < best[0] - 1e-6):
                where = f"line {move.place.line} on another branch"
                text = f"{where}, {name}: joints at {posture_text(job.planner.arm, q)}; it takes {time:.2f} s then"
                best = time, text, {"line": move.place.line, "branch": name, "joints": q.tolist(), "time": time}
    if best is not None:
        yield Remedy("branch", best[1], best[2])


def _chooses(command: Command) -> bool:
    """Whether a move may come to its target on one branch or another."""
    return isinstance(command, Move) and command.kind == "joint" and isinstance(command.target, Pose)


def _other_branches(job: CheckJob, commands: Sequence[Command], k: int) -> Iterable[tuple[str, Floats]]:
    """Names and joints (n,) of all but the branch that is taken."""
    move = commands[k]
    assert isinstance(move, Move)
    target = move.target
    assert isinstance(target, Pose)
    if target.rotation is None:
        return
    tools = [each for each in commands[:k] if isinstance(each, Tool)]
    offset = np.asarray(tools[-1].T) if tools else np.eye(4)
    arm = job.planner.arm
    taken = _end_of(job, move)
    try:
        found = arm.inverse_kinematics(pose_matrix(target, np.eye(3)) @ inverse(offset))
    except TorsorError:
        return
    usable = zip(found.names, found.q, found.within_limits, found.assembled, strict=True)
    for name, q, inside, assembled in usable:
        if inside and assembled and (taken is None or np.abs(q - taken).max() > BRANCH_APART):
            yield name, q


def _end_of(job: CheckJob, move: Move) -> Floats | None:
    for piece in job.planned():
        if piece.command.place == move.place and piece.trajectory.duration > 0.0:
            return np.asarray(piece.trajectory.at(np.array([piece.trajectory.duration])).q[0])
    return None
