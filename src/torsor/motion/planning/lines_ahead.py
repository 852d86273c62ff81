"""Lines that follow each other, looked at together before each is planned: what costs most is done for all at once.

A program that paints or mills has thousands of them. What is found ahead is what a leg would find alone, but for
rounding; where something is not found, or out of the ordinary, the leg finds out by itself, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING, TypeGuard, TypeVar

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats, inverse
from torsor.motion.commands import Command, Move, Pose, Signal
from torsor.motion.curves import Along
from torsor.motion.paths.following import Followed
from torsor.motion.paths.following_many import followed_between, joints_along
from torsor.motion.paths.tool_paths import Circle, Line
from torsor.motion.planning.best_trapezoids import best_trapezoids
from torsor.motion.planning.joint_rates import Decides
from torsor.motion.planning.slowing import PacesAsked, Seen, slowed_together
from torsor.motion.tolerances import SHORT

if TYPE_CHECKING:
    from torsor.motion.planning.legs import Legs

TOGETHER = 128  # commands that are looked at together, at most
_ALONE = 8  # lines that are planned alone where the next ones were not found together
LOOKS = 17  # points at which a line, and a zone, is held to the limits of the joints


Item = TypeVar("Item")


def windows(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Items in groups of up to ``size``; what was there before an error comes before it."""
    window: list[Item] = []
    try:
        for item in items:
            window.append(item)
            if len(window) == size:
                yield window
                window = []
    except TorsorError:
        if window:
            yield window
        raise
    if window:
        yield window


@dataclass(frozen=True, eq=False)
class LineAhead:
    """A line of the tool, or a circle that was looked at alone, in joints, and what was seen of it."""

    tool: Line | Circle
    path: Followed
    s: Floats  # where it was looked at
    along: Along
    remarkable: bool  # it leaves the ranges of joints, or comes near a singularity
    pace: tuple[float, float, Decides] | None  # speed, acceleration, and what decides; None: not looked at


class LinesAhead:
    """What was seen of lines that come next, by the numbers of their moves, until each is asked for."""

    def __init__(self) -> None:
        self._found: dict[int, LineAhead] = {}
        self._reach = TOGETHER  # how many are looked at: twice as many as were found the last time
        self._alone = 0  # how many are not looked at, for nothing came of it

    def take(self, number: int) -> LineAhead | None:
        return self._found.pop(number, None)

    def forget(self) -> None:
        """The arm is not where what was seen begins."""
        self._found.clear()

    def look(self, legs: Legs, commands: Sequence[tuple[int, Command]]) -> None:
        """At what comes next, with the numbers of commands, from where the arm stands, unless it was seen."""
        number, first = commands[0]
        if number in self._found or not _is_line(first):
            return
        self._alone -= 1
        run = list(islice(_lines(commands), self._reach)) if self._alone < 0 else []
        if len(run) < 2:
            return
        try:
            self._found = looked_at(legs, run)
        except TorsorError:  # of one of them, which says so when it is planned
            self._found = {}
        self._reach = min(max(2 * len(self._found), _ALONE), TOGETHER)
        self._alone = 0 if self._found else _ALONE


def _lines(commands: Sequence[tuple[int, Command]]) -> Iterator[tuple[int, Move]]:
    """The moves that commands begin with as long as they are lines; nothing but signals is between them."""
    for number, command in commands:
        if _is_line(command):
            yield number, command
        elif not isinstance(command, Signal):
            return


def _is_line(command: Command) -> TypeGuard[Move]:
    return isinstance(command, Move) and command.kind == "line" and not command.via and isinstance(command.target, Pose)


def looked_at(legs: Legs, run: Sequence[tuple[int, Move]]) -> dict[int, LineAhead]:
    """Of lines from where the arm stands, by the numbers of their moves: as many as are found together."""
    tools = list(_tools(legs, run))
    if len(tools) < 2 or legs.chain.n > 6:
        return {}
    poses = np.stack([*(tool.start for tool in tools), tools[-1].end]) @ inverse(legs.offset)
    joints = joints_along(legs.chain, poses, legs.q)
    own = [legs.tip.own(tool) for tool in tools[: len(joints) - 1]]
    found = followed_between(legs.chain, own, joints[:-1], joints[1:], arm=legs.arm)
    paths = [path for path in takewhile(lambda path: path is not None, found) if path is not None]
    if len(paths) < 2:
        return {}
    moves = [move for _, move in run[: len(paths)]]
    seen = Seen.together(paths, LOOKS)
    remarkable = _remarkable(legs, seen)
    paces = _paces(legs, moves, tools, seen)
    ahead = zip(run, tools, paths, remarkable, paces, strict=False)
    return {
        number: LineAhead(tool, path, *seen.of(k), odd, pace)
        for k, ((number, _), tool, path, odd, pace) in enumerate(ahead)
    }


def _tools(legs: Legs, run: Sequence[tuple[int, Move]]) -> Iterator[Line]:
    """The lines, each from the end of the one before; they end before what is no line, or cannot be asked for."""
    start = legs.T
    for _, move in run:
        try:
            legs.taken(move)
            tool = legs.tool_path(move, move.target, start)
        except TorsorError:
            return
        if not isinstance(tool, Line) or tool.length < SHORT:
            return
        yield tool
        start = tool.end


def _remarkable(legs: Legs, seen: Seen) -> list[bool]:
    q = seen.along.q
    plain = (legs.reaching.over(q).max(axis=-1) <= SHORT) & legs.far_from_singular(q)  # NaN is not plain
    return [not each for each in plain.reshape(len(seen.lengths), -1).all(axis=1).tolist()]


def _paces(
    legs: Legs, moves: Sequence[Move], tools: Sequence[Line], seen: Seen
) -> list[tuple[float, float, Decides] | None]:
    """Of lines that joints have a say in: from stop to stop of best trapezoids."""
    paces: list[tuple[float, float, Decides] | None] = [None] * len(moves)
    each = zip(moves, tools, strict=False)
    asked = PacesAsked(*np.array([(*legs.asked(move, tool), *legs.taken(move)) for move, tool in each]).T)
    held = np.array([legs.held_by_joints(*pace) for pace in zip(asked.speed, asked.acceleration, strict=True)])
    stops = np.array([legs.resting, *(move.blend.kind == "stop" for move in moves)])
    best = stops[:-1] & stops[1:] & legs.exact
    for find, members in ((best_trapezoids, held & best), (slowed_together, held & ~best)):
        which = np.flatnonzero(members)
        if len(which):
            found = find(legs.rates, seen.chosen(which), PacesAsked(*(each[which] for each in asked)))
            for k, v, a, decides in zip(which.tolist(), *found, strict=True):
                paces[k] = float(v), float(a), decides
    return paces
