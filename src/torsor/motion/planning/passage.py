"""One way through a program: where the arm stands, what it is asked, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.commands import (
    Assumed,
    Command,
    Dwell,
    Endless,
    Follow,
    Gripper,
    Lacking,
    Move,
    Place,
    Signal,
    Start,
    Target,
    Tool,
)
from torsor.motion.inverse.targets import checked_poses
from torsor.motion.paths.chain import Chain, tool_joints
from torsor.motion.paths.trajectories import Joined, Rest, TimedPath
from torsor.motion.planning.corners import Corners, PlanEvent
from torsor.motion.planning.given_motion import motion_of
from torsor.motion.planning.joint_rates import joint_rates
from torsor.motion.planning.legs import Leg, Legs
from torsor.motion.planning.lines_ahead import TOGETHER, windows
from torsor.motion.planning.lookahead import TimedStretch, timed
from torsor.motion.planning.piece import BeyondRange, Note, Piece, note_on, placed
from torsor.motion.planning.reaching import Reaching
from torsor.motion.planning.simasea_timing import pieces
from torsor.motion.time_laws.polynomials import chained
from torsor.motion.time_laws.timing import Paul, Timing
from torsor.motion.tolerances import ROUNDING

Made = TypeVar("Made")


def chain_of(arm: AnyArm, timing: Timing | Paul) -> Chain:
    """The joints that a plan moves; its ``home`` is where an arm starts without a word."""
    return Chain(arm.model, tool_joints(arm.model) if isinstance(timing, Paul) else None)


class Passage:
    """The state of one way through. Strict: errors are raised; else they become notes and the move is left out."""

    def __init__(
        self, arm: AnyArm, timing: Timing | Paul, start: Target | None, *, branch: str, strict: bool, notes: list[Note]
    ) -> None:
        self.timing, self.strict, self.notes = timing, strict, notes
        self.chain = chain_of(arm, timing)
        published = timing.branch if isinstance(timing, Paul) else ""
        reaching = Reaching(arm, self.chain, branch=branch or published, strict=strict)
        loose = timing if isinstance(timing, Timing) else Timing()
        self.legs = Legs(arm, self.chain, joint_rates(self.chain, loose), reaching, loose)
        if start is not None:
            self.legs.q = self.legs.joints_of(start, self.legs.q)
        self.time = 0.0
        self.arm_at: Floats | None = None  # the arm's joints at the end of the last piece, where others are planned
        self._remarked: set[tuple[Place, str]] = set()

    def pieces(self, commands: Iterable[Command]) -> Iterator[Piece]:
        if isinstance(self.timing, Paul):
            yield from pieces(self, self.timing, commands)
            return
        corners = Corners(self.legs, corner=self.timing.corner)
        items = corners.joined(self._legs(commands))
        yield from self._gathered(timed(items, self.timing.time_law, window=self.timing.look_ahead))

    def attempt(self, command: Command, act: Callable[[], Made]) -> Made | None:
        """What a command makes; what goes wrong carries its place, and is raised, or noted and None."""
        q, found = self.legs.q, None
        try:
            found = act()
        except TorsorError as error:
            placed(error, command.place)
            if self.strict:
                raise
            self.legs.q = q
            self.legs.ahead.forget()
            self.legs.joints_ahead.forget()
            text = error.problem if error.hint is None else f"{error.problem}; {error.hint}"
            self.legs.notes.append(Note(command.place, "skipped", text, "error"))
        self.publish()
        return found

    def publish(self) -> None:
        """Notes of the legs become those of the plan; a strict plan does not pass over errors."""
        for note in self.legs.notes:
            if self.strict and note.severity == "error":
                error = BeyondRange(note.text, hint="choose another target or branch, or plan with strict=False")
                raise placed(error, note.place)
            self.remark(note)
        self.legs.notes.clear()

    def remark(self, note: Note) -> None:
        """Once for a line of the program, however often it is run."""
        if (note.place, note.kind) not in self._remarked:
            self._remarked.add((note.place, note.kind))
            self.notes.append(note)

    def event(self, command: Command, number: int) -> PlanEvent:
        """Carries out a command without motion."""
        seconds, self.legs.resting = 0.0, self.legs.resting or not isinstance(command, Signal)
        try:
            if isinstance(command, Start):
                self.legs.q = self.legs.joints_of(command.target, self.legs.q)
            elif isinstance(command, Tool):
                self.legs.use(checked_poses(command.T))
            elif isinstance(command, Endless):
                self.remark(Note(command.place, "endless", command.text))
            elif isinstance(command, Lacking):
                self.notes.append(Note(command.place, "lacking", f"{command.text}; {command.cure}", "error"))
            elif isinstance(command, Assumed):
                self.notes.append(Note(command.place, "assumed", command.text, cure=command.cure))
            elif isinstance(command, Dwell | Gripper):
                seconds = command.seconds
                if not 0.0 <= seconds < np.inf:
                    raise TorsorError(f"a wait of {seconds} s", hint="a wait takes zero seconds or more")
        except TorsorError as error:
            raise placed(error, command.place) from None
        return PlanEvent(command, number, self.legs.q, seconds)

    def _legs(self, commands: Iterable[Command]) -> Iterator[Leg | PlanEvent]:
        for window in windows(enumerate(commands), TOGETHER):
            for k, (number, command) in enumerate(window):
                self.legs.ahead.look(self.legs, window[k:])
                self.legs.joints_ahead.look(self.legs, window[k:])
                yield from self._planned(command, number)

    def _planned(self, command: Command, number: int) -> Iterator[Leg | PlanEvent]:
        if isinstance(command, Move):
            legs = self.attempt(command, partial(self.legs.of, command, number))
            yield from legs or ()
            if legs == []:
                yield PlanEvent(command, number, self.legs.q)  # there already
        elif isinstance(command, Follow):
            followed = self.attempt(command, partial(self._followed, command, number))
            if followed is not None:
                yield followed
        else:
            yield self.event(command, number)

    def _followed(self, command: Follow, number: int) -> PlanEvent:
        """A motion that is given in time: as it is, from where the arm stands."""
        motion = motion_of(command, self.chain.to_arm(self.legs.q))
        self.legs.q = self.chain.from_arm(motion.q[-1], self.legs.q)
        self.legs.resting = True
        return PlanEvent(command, number, self.legs.q, motion.duration, motion)

    def _gathered(self, runs: Iterable[TimedStretch | PlanEvent | None]) -> Iterator[Piece]:
        """Runs put together by command. A zone is shared, half and half, by the moves it joins."""
        parts: list[TimedPath] = []
        owner: Leg | None = None
        entering = False  # so far there is only the second half of the zone before
        for item in runs:
            self.publish()
            if item is None or isinstance(item, PlanEvent):
                if owner is not None and (item is None or not entering):
                    yield self._piece(owner, parts)
                    parts, owner = [], None
                if item is not None:
                    motion = item.motion or Rest(self.chain.to_arm(item.q), item.seconds)
                    yield Piece(item.command, item.number, self.time, motion)
                    self.time += item.seconds
            else:
                stretch, time_law = item
                if owner is not None and stretch.leg.number != owner.number:
                    yield self._piece(owner, parts)
                    parts = []
                owner, entering = stretch.leg, False
                path, after = stretch.path, stretch.after
                if after is None or after.number == owner.number:
                    parts.append(TimedPath(path, time_law, stretch.first))
                    continue
                half = chained(0.0, [(0.5 * time_law.duration, (float(time_law.at(0.0)[1]),))])
                parts.append(TimedPath(path, half, 0.0))
                yield self._piece(owner, parts)
                parts = [TimedPath(path, half, 0.5 * stretch.length)]
                owner, entering = after, True
        self.publish()

    def _piece(self, leg: Leg, parts: list[TimedPath]) -> Piece:
        asked = leg.move.pace.duration
        takes = sum(part.duration for part in parts)
        if asked is not None and takes > asked * (1.0 + ROUNDING):
            text = f"takes {takes:.4g} s, not {asked:.4g} s: its limits allow no less"
            self.remark(note_on(leg.move, "duration", text))
        elif asked is not None:
            parts = [replace(part, time_law=part.time_law.stretched(asked / takes)) for part in parts]
            takes = asked
        start = self.time
        self.time += takes
        return Piece(leg.move, leg.number, start, parts[0] if len(parts) == 1 else Joined(tuple(parts)))
