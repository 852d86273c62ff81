"""Where the arm stands when a program begins: the one answer, for all who plan programs.

A program may say it itself (a `Start`). Else it is asked for: joints, a target of the program by its name, the first
target, or where the program ends, so that it can be repeated. Else joints begin at zero, or at the nearest position
that their limits allow; where the program begins with a line that leads from there to nowhere, at the end of that line,
or, where that is its only move, 100 mm from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.errors import TorsorError, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.model import ranges
from torsor.model.transforms import Floats, pose
from torsor.motion.commands import Blend, Command, Move, Start
from torsor.motion.planning.piece import Piece
from torsor.programs.planner import Planner

FIRST_TARGET = "first-target"
ROUNDS, SAME = 4, 1e-9  # how often a cycle is gone round until it closes; rad or m that are the same place
BESIDE = 0.1  # m from the end of a program's only line, where nothing says from where it comes
FIRST_COMMANDS = 1000  # among which a program says where it starts: before its first move

Commands = Callable[[], Iterable[Command]]


@dataclass(frozen=True, eq=False)
class Beginning:
    """Joints ``q`` at the start, None where the program itself says it; ``text`` says why there."""

    q: Floats | None
    text: str
    asked: bool = True  # by the program or its user; else it is assumed
    untold: bool = False  # where plans begin without a word
    replaces: bool = False  # what the program itself says of it
    notes: tuple[str, ...] = ()

    @property
    def given(self) -> Floats | None:
        """What a plan is to be told."""
        return None if self.untold else self.q

    def commands(self, given: Iterable[Command]) -> Iterator[Command]:
        """Without the program's own start where another was asked for."""
        return (command for command in given if not (self.replaces and isinstance(command, Start)))


def beginning(
    planner: Planner, commands: Commands, start: ArrayLike | str | None = None, *, cycle: bool = False
) -> Beginning:
    """Where commands begin. ``start``: joints (n,), the name of a target, "first-target"; ``cycle``: where they end."""
    if cycle and start is not None:
        raise TorsorError("a cycle starts where it ends", hint="give a start or a cycle, not both")
    own = next((each for each in islice(commands(), FIRST_COMMANDS) if isinstance(each, Start | Move)), None)
    own = own if isinstance(own, Start) else None
    notes = () if own is None else (f"the start that line {own.place.line} gives is left out: another was asked for",)
    if cycle:
        return _closing(planner, _without_start(commands), replaces=own is not None, notes=notes)
    if isinstance(start, str):
        q = _reached(planner, _without_start(commands), start)
        text = "at the first target of the program" if start == FIRST_TARGET else f"at {start}"
        return Beginning(q, f"{text}: {posture_text(planner.arm, q)}", replaces=own is not None, notes=notes)
    if start is not None:
        q = floats("start", start, planner.arm.n, f"{planner.arm.name!r} has {planner.arm.n} joints")
        ranges.PLACE.refuse("a joint of start", q)
        return Beginning(q, f"at {posture_text(planner.arm, q)}", replaces=own is not None, notes=notes)
    if own is not None:
        return Beginning(None, f"where line {own.place.line} of the program says")
    return _behind_first_line(planner, commands, _assumed(planner))


def _assumed(planner: Planner) -> Beginning:
    """Where plans start without a word: zero, or as near to it as limits allow; loops as they are put together."""
    arm, q = planner.arm, planner.home
    said = "nothing says where it starts: assumed are"
    if not q.any():
        return Beginning(q, f"{said} all joints at zero", asked=False, untold=True)
    why = "as its loops are put together" if arm.model.loops else "at zero, or at the limit next to it"
    return Beginning(q, f"{said} the joints {why}: {posture_text(arm, q)}", asked=False, untold=True)


def _behind_first_line(planner: Planner, commands: Commands, assumed: Beginning) -> Beginning:
    """The end of a first line that cannot be followed from where nobody has put the arm: nobody asks for such one."""
    before: list[Command] = []
    for command in islice(commands(), FIRST_COMMANDS):
        before.append(command)
        if isinstance(command, Move):
            break
    if not before or not isinstance(first := before[-1], Move) or first.kind != "line":
        return assumed
    alone = [*before[:-1], replace(first, blend=Blend())]
    if _can(planner, alone, None):
        return assumed
    try:
        q = _reached(planner, commands, FIRST_TARGET)
    except TorsorError:
        return assumed
    why = "nothing says where it starts, and its first line cannot be followed from joints at zero"
    only = len(list(islice((each for each in commands() if isinstance(each, Move)), 2))) == 1
    if only and (above := _near(planner, alone, q)) is not None:
        q, how = above
        text = f"{why}: assumed is {1e3 * BESIDE:g} mm {how} its end, {posture_text(planner.arm, q)}"
    else:
        text = f"{why}: assumed is the end of that line, {posture_text(planner.arm, q)}"
    return Beginning(q, text, asked=False)


def _can(planner: Planner, commands: Iterable[Command], start: Floats | None) -> bool:
    """Whether commands move the arm without an error."""
    plan = planner.plan(commands, start=start)
    return bool(list(plan)) and not any(note.severity == "error" for note in plan.notes)


def _near(planner: Planner, line: Sequence[Command], end: Floats) -> tuple[Floats, str] | None:
    """Joints near the end of the only line of a program, from which it leads there: else nothing would move."""
    T = np.asarray(planner.arm.pose(end))
    for how, way in (("above", np.array([0.0, 0.0, 1.0])), ("behind", -T[:3, 2]), ("beside", T[:3, 0])):
        try:
            q = planner.arm.inverse_kinematics(pose(T[:3, :3], T[:3, 3] + BESIDE * way), nearest=end)
        except TorsorError:
            continue
        if _can(planner, line, q):
            return np.asarray(q), how
    return None


def _without_start(commands: Commands) -> Commands:
    return lambda: (command for command in commands() if not isinstance(command, Start))


def _reached(planner: Planner, commands: Commands, name: str) -> Floats:
    """Joints at a target of the program, as it comes there; the move stops there."""
    before: list[Command] = []
    known: dict[str, None] = {}
    for command in commands():
        if isinstance(command, Move):
            known[command.target.name] = None
            if name in (FIRST_TARGET, command.target.name):
                # at the end of a first line the arm is, whatever line led there
                joint = name == FIRST_TARGET and command.kind == "line"
                stops = replace(command, blend=Blend(), kind="joint" if joint else command.kind)
                return _end_of(planner, [*before, stops], None, of=stops)
        before.append(command)
    names = [each for each in known if each]
    raise TorsorError(f"the program goes to no target {name!r}", hint=did_you_mean(name, [*names, FIRST_TARGET]))


def _end_of(planner: Planner, commands: Iterable[Command], start: Floats | None, *, of: Move | None = None) -> Floats:
    last: Piece | None = None
    plan = planner.plan(commands, start=start)
    for piece in plan:
        last = piece
    left_out = next((note for note in plan.notes if note.kind == "skipped" and of is not None), None)
    if last is None or (of is not None and last.command is not of):
        why = "nothing moves" if left_out is None else left_out.text
        raise TorsorError(f"the program cannot start there: {why}", hint="give joints, or another target")
    return np.asarray(last.trajectory.at(np.array([last.trajectory.duration])).q[0])


def _closing(planner: Planner, commands: Commands, *, replaces: bool, notes: tuple[str, ...]) -> Beginning:
    """Where the program ends, if it starts there: a target in poses may be met on another branch the second time."""
    q = _end_of(planner, commands(), None)
    for _ in range(ROUNDS):
        end = _end_of(planner, commands(), q)
        if np.abs(end - q).max(initial=0.0) <= SAME:
            return Beginning(q, f"where it ends: {posture_text(planner.arm, q)}", replaces=replaces, notes=notes)
        q = end
    far = "it ends at another place each time round: a joint goes on turning, or a branch changes"
    return Beginning(
        q, f"where it ended the time before: {posture_text(planner.arm, q)}", replaces=replaces, notes=(*notes, far)
    )


def posture_text(arm: Arm, q: Floats) -> str:
    """Joints in degrees, in mm where they slide.

    >>> import torsor
    >>> posture_text(torsor.load("scara"), np.array([0.0, 1.0, 0.1, 0.5]))
    '0, 57.3, 28.65 deg; stroke 100 mm'
    """
    links = arm.model.links_on(arm.joint_names)
    turned = [x for x, link in zip(q.tolist(), links, strict=True) if link.joint.kind != "prismatic"]
    slid = [(link.joint.name, x) for x, link in zip(q.tolist(), links, strict=True) if link.joint.kind == "prismatic"]
    parts = [f"{', '.join(f'{np.degrees(x) + 0.0:.4g}' for x in turned)} deg"] if turned else []
    return "; ".join([*parts, *(f"{name} {1e3 * x:.4g} mm" for name, x in slid)])


def posture_of(arm: Arm, text: str) -> Floats | str:
    """What is meant by a start in words: joints as numbers in rad (m), with "deg" at the end in degrees, or a name.

    >>> import torsor
    >>> posture_of(torsor.load("planar2"), "90, -45 deg").round(3).tolist(), posture_of(torsor.load("planar2"), "home")
    ([1.571, -0.785], 'home')
    """
    words = text.replace(",", " ").split()
    unit = words.pop() if words and words[-1] in ("deg", "rad") else "rad"
    try:
        given = [float(word) for word in words]
    except ValueError:
        return text
    if len(given) != arm.n:
        hint = f"give one for each of {', '.join(arm.joint_names)}, or the name of a target"
        raise TorsorError(f"start has {len(given)} numbers for {arm.n} joints", hint=hint)
    turning = [link.joint.kind != "prismatic" for link in arm.model.links_on(arm.joint_names)]
    return np.where(np.array(turning) & (unit == "deg"), np.radians(given), given)
