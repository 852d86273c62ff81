"""Joint moves that follow each other, looked at together before each is planned: where they lead, and their tool.

How fast the tool goes along a joint move takes a few dozen looks at it. What is found ahead is what a leg would find
alone, but for rounding; where something goes wrong, the leg finds out by itself, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Move, Signal
from torsor.motion.paths.many_paths import ManyPaths
from torsor.motion.paths.trajectories import JointLine
from torsor.motion.planning.tip import Peaks

if TYPE_CHECKING:
    from torsor.motion.planning.legs import Legs


@dataclass(frozen=True, eq=False)
class JointAhead:
    """A joint move from where the arm stands."""

    goal: Floats
    wrong: str  # with the configuration of its target; where that is near enough, what it misses
    near: bool  # enough
    path: JointLine | None  # none where it has no length
    peaks: Peaks | None = None  # of the tool along it; None: not looked at


class JointsAhead:
    """What was seen of joint moves that come next, by their numbers, until each is asked for."""

    def __init__(self) -> None:
        self._found: dict[int, JointAhead] = {}

    def take(self, number: int) -> JointAhead | None:
        return self._found.pop(number, None)

    def forget(self) -> None:
        """The arm is not where what was seen begins."""
        self._found.clear()

    def look(self, legs: Legs, commands: Sequence[tuple[int, Command]]) -> None:
        """At what comes next, with the numbers of commands, from where the arm stands, unless it was seen."""
        number, first = commands[0]
        if number in self._found or not _is_joint_move(first):
            return
        made = dict(_made(legs, commands))
        self._found = {}
        lines = {number: each.path for number, each in made.items() if each.path is not None}
        if len(lines) > 1:
            many = ManyPaths(list(lines.values()))
            peaks = legs.tip.peaks(many.at, np.zeros(len(lines)), many.lengths)
            told = dict(zip(lines, peaks, strict=True))
            self._found = {k: replace(each, peaks=told.get(k)) for k, each in made.items()}


def _made(legs: Legs, commands: Sequence[tuple[int, Command]]) -> Iterator[tuple[int, JointAhead]]:
    """The joint moves that commands begin with, as far as they can be asked for; only signals are between them."""
    q = legs.q
    for number, command in commands:
        if isinstance(command, Signal):
            continue
        if not _is_joint_move(command):
            return
        try:
            legs.taken(command)
            found = legs.joint_ahead(command.target, q)
        except TorsorError:
            return
        yield number, found
        q = q if found.path is None else found.path.end


def _is_joint_move(command: Command) -> TypeGuard[Move]:
    """Whether it is one at which the tool has a say."""
    pace = command.pace if isinstance(command, Move) and command.kind == "joint" and not command.via else None
    return pace is not None and (pace.speed, pace.turn, pace.acceleration) != (None, None, None)
