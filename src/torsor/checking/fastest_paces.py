"""The fastest paces of a whole program: every line as fast as limits allow, and no number written that changes nothing.

How far a line may be raised is what its language can say: shares of limits up to all of them; speeds of the tool and of
a leading joint as far as joints, motors and the data sheet go, which the plan itself finds out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import ceil

import numpy as np

from torsor.checking.advising import standing_share
from torsor.checking.between_samples import ROUNDING
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.pace_search import PaceRange, Paces, PaceSearch, Replan, grouped
from torsor.checking.sampling import Planned, between_rests
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Move, Pace
from torsor.programs.pace import Factor

FASTER = 100.0  # times: as far as a number that no limit is a share of is raised
LOOKS = 129  # points of a piece at which it is looked how fast it really is
ABOVE = 1.002  # what such looks may miss
BELOW = 0.999  # a time that is asked for is no less than the limits allow, also where factors are rounded up
NOTHING = 5e-4  # s: a change that saves less is not made


def ceilings(commands: Iterable[Command], every: Factor, *, optimal: bool, keep_tool_speeds: bool) -> Paces:
    """Of each line that moves the most that may be tried; with factors on all of it, no more than these."""
    found: Paces = {}
    for command in commands:
        if isinstance(command, Move):
            own = _ceiling(command.pace, optimal=optimal, keep_tool_speeds=keep_tool_speeds)
            if every != Factor():
                own = Factor(min(own.speed, every.speed), min(own.acceleration, every.acceleration))
            line = command.place.line
            old = found.get(line, own)
            found[line] = Factor(min(old.speed, own.speed), min(old.acceleration, own.acceleration)).rounded()
    return found


def _ceiling(pace: Pace, *, optimal: bool, keep_tool_speeds: bool) -> Factor:
    of_tool = pace.speed is not None or pace.turn is not None
    open_ended = of_tool or pace.axis_speed is not None or pace.duration is not None
    share = None if optimal else pace.share  # which the motors decide then
    speed = 1.0 / share if share is not None else FASTER if open_ended else 1.0
    if keep_tool_speeds and of_tool:
        speed = 1.0
    if optimal:
        return Factor(speed, 1.0)
    push, given = pace.acceleration_share, (pace.acceleration, pace.axis_acceleration) != (None, None)
    return Factor(speed, 1.0 / push if push is not None else FASTER if given else 1.0)


def fastest_paces(
    machine: CheckedArm, pieces: Iterable[Planned], replan: Replan, within: PaceRange
) -> tuple[Paces, float] | None:
    """Factors on lines, and the time that they save (below zero: lose) in all; None where no paces hold."""
    found, saved = Paces(), 0.0
    stretches = list(between_rests(machine, pieces))
    if any(standing_share(stretch) > 1.0 + ROUNDING for stretch in stretches):
        return None
    for members in grouped(stretches):
        search = PaceSearch(members, replan, within)
        # numbers that joints and motors cannot follow are no ceilings to come down from
        search = PaceSearch(members, replan, replace(within, top=_as_reached(search, search.top)))
        as_it_is = {line: Factor() for line in search.lines}
        below = {line: Factor(*(min(1.0, x) for x in vars(top).values())) for line, top in search.top.items()}
        paces = search.fastest(known=[below])
        if paces is None:
            return None
        paces = _needed(search, _trimmed(search, paces))
        saved += search.time(as_it_is) - search.time(paces)
        found |= {line: factor for line, factor in paces.items() if factor != Factor()}
    return found, saved


def _as_reached(search: PaceSearch, paces: Paces) -> Paces:
    """Numbers that were raised and are not reached lowered to what is reached."""
    reached: dict[int, list[Factor]] = {}
    for one in search.members:
        for piece in one.planned(paces, search.replan):
            if isinstance(piece.command, Move) and piece.trajectory.duration > 0.0:
                reached.setdefault(piece.command.place.line, []).append(_reached(one.stretch.machine, piece))
    lower = dict(paces)
    for line in paces.keys() & reached.keys():
        now, shares = paces[line], reached[line]
        lower[line] = Factor(
            _down_to(now.speed, now.speed * max(each.speed for each in shares)),
            _down_to(now.acceleration, now.acceleration * max(each.acceleration for each in shares)),
        )
    return lower


def _trimmed(search: PaceSearch, paces: Paces) -> Paces:
    """The same of what was found, where that loses nothing."""
    for line, lower in _as_reached(search, paces).items():
        now = paces[line]
        for kept in (lower, replace(lower, acceleration=now.acceleration), replace(lower, speed=now.speed)):
            trial = paces | {line: kept}
            if kept != now and search.holds(trial) and search.time(trial) <= search.time(paces) + NOTHING:
                paces = trial
                break
    return paces


def _down_to(factor: float, reached: float) -> float:
    """What was raised, no more than is reached, rounded up; never less than the program has itself."""
    return min(factor, max(1.0, ceil(1e3 * reached - 1e-9) / 1e3))


def _reached(machine: CheckedArm, piece: Planned) -> Factor:
    """Which shares of the numbers that it is given a move takes; 1 of what is no number of its own."""
    assert isinstance(piece.command, Move)
    pace = piece.command.pace
    q, qd, qdd, _ = piece.trajectory.at(np.linspace(0.0, piece.trajectory.duration, LOOKS))
    speeds: list[tuple[float | None, Floats]] = [(pace.speed, machine.tool_speed(q, qd))]
    speeds.append((pace.turn, np.linalg.norm((machine.arm.jacobian(q) @ qd[..., None])[..., 3:, 0], axis=-1)))
    speeds.append((pace.axis_speed, np.abs(qd)))
    forces: list[tuple[float | None, Floats]] = [(pace.acceleration, machine.tool_acceleration(q, qd, qdd))]
    forces.append((pace.axis_acceleration, np.abs(qdd)))
    if pace.duration is not None:
        least = BELOW * pace.duration / piece.trajectory.duration
        return Factor(min(1.0, least), 1.0)
    return Factor(
        1.0 if pace.share is not None else _most(speeds),
        1.0 if pace.acceleration_share is not None else _most(forces),
    )


def _most(taken: Iterable[tuple[float | None, Floats]]) -> float:
    shares = [ABOVE * float(values.max(initial=0.0)) / asked for asked, values in taken if asked is not None]
    return min(1.0, max(shares, default=1.0))


def _needed(search: PaceSearch, paces: Paces) -> Paces:
    """Without what was raised and saves nothing: such lines stay as they are written."""
    for line in list(paces):
        for word in ("speed", "acceleration"):
            if getattr(paces[line], word) <= 1.0:
                continue
            trial = paces | {line: Factor(**(vars(paces[line]) | {word: 1.0}))}
            if search.holds(trial) and search.time(trial) <= search.time(paces) + NOTHING:
                paces = trial
    return paces
