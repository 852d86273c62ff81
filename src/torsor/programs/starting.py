"""Where the arm stands when a program begins: the one answer, for all who plan programs.

A program may say it itself (a `Start`). Else it is asked for: joints, a target of the program by its name, the first
target, or where the program ends, so that it can be repeated. Else joints begin at zero, or at the nearest position
that their limits allow; where the program begins with a line that leads from there to nowhere, at the end of that line,
or, where that is its only move, 100 mm from there. Where that line leads on from wherever the arm is, they begin with
the tool downwards: at zero many arms are stretched out, and no line can be followed. A stream begins at its first
target, or, where it moves the tool on from wherever it is, with the tool downwards too.
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
from torsor.motion.commands import Blend, Command, Follow, Move, Pose, Start
from torsor.motion.planning.piece import Piece
from torsor.programs.planner import Planner

FIRST_TARGET = "first-target"
ROUNDS, SAME = 4, 1e-9  # how often a cycle is gone round until it closes; rad or m that are the same place
BESIDE = 0.1  # m from the end of a program's only line, where nothing says from where it comes
OUT, UP = 0.5, 0.3  # where a tool that points down is, in shares of how far it is from the base at zero
FIRST_LINES = 20  # that are looked at
FIRST_COMMANDS = 1000  # among which a program says where it starts: before its first move

Commands = Callable[[], Iterable[Command]]
Elsewhere = Callable[[Floats], Iterable[Command]]  # of the same program, begun at these joints


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
    planner: Planner, commands: Commands, start: ArrayLike | str | None = None, *, cycle: bool = False,
    elsewhere: Elsewhere | None = None,
) -> Beginning:  # fmt: skip
    """Where commands begin. ``start``: joints (n,), the name of a target, "first-target"; ``cycle``: where they end.

    ``elsewhere``: the commands where the program begins at other joints, if they may be others then.
    """
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
    return _behind_first_line(planner, commands, _assumed(planner), elsewhere)


def _assumed(planner: Planner) -> Beginning:
    """Where plans start without a word: zero, or as near to it as limits allow; loops as they are put together."""
    arm, q = planner.arm, planner.home
    said = "nothing says where it starts: assumed are"
    if not q.any():
        return Beginning(q, f"{said} all joints at zero", asked=False, untold=True)
    why = "as its loops are put together" if arm.model.loops else "at zero, or at the limit next to it"
    return Beginning(q, f"{said} the joints {why}: {posture_text(arm, q)}", asked=False, untold=True)


def _behind_first_line(
    planner: Planner, commands: Commands, assumed: Beginning, elsewhere: Elsewhere | None
) -> Beginning:
    """The end of a first line that cannot be followed from where nobody has put the arm: nobody asks for such one."""
    lines = _first_lines(planner, commands(), None)
    first = next((each for each in lines if isinstance(each, Move) and each.kind == "line"), None)
    if first is None:
        return _before_stream(planner, commands, assumed, elsewhere)
    alone = [*lines[: lines.index(first)], replace(first, blend=Blend())]
    can = _can(planner, alone, None)
    if can and not _fails(planner, lines, planner.home):
        return assumed
    why = "nothing says where it starts, and its first line cannot be followed from joints at zero"
    if elsewhere is not None and (down := _led_on(planner, lines, elsewhere)) is not None:
        text = "nothing says where it starts, and it leads on from there by lines, which cannot be followed from joints"
        text = f"{text} at zero: assumed is the tool downwards, {posture_text(planner.arm, down)}"
        return Beginning(down, text, asked=False)
    if can:
        return assumed
    try:
        q = _reached(planner, commands, FIRST_TARGET)
    except TorsorError:
        return assumed
    only = len(list(islice((each for each in commands() if isinstance(each, Move)), 2))) == 1
    if only and (above := _near(planner, alone, q)) is not None:
        q, how = above
        text = f"{why}: assumed is {1e3 * BESIDE:g} mm {how} its end, {posture_text(planner.arm, q)}"
    else:
        text = f"{why}: assumed is the end of that line, {posture_text(planner.arm, q)}"
    return Beginning(q, text, asked=False)


def _first_lines(planner: Planner, commands: Iterable[Command], start: Floats | None) -> list[Command]:
    """What a program begins with, up to the first move that is no line; nothing where that is the first one that moves.

    `PTP $POS_ACT`, at the head of a program, goes to where the arm is.
    """
    found: list[Command] = []
    lines = 0
    for command in islice(commands, FIRST_COMMANDS):
        if isinstance(command, Move):
            if command.kind == "line":
                lines += 1
            elif lines or not _stays(planner, [*found, command], start):
                break
        found.append(command)
        if lines == FIRST_LINES:
            break
    return found if lines else []


def _stays(planner: Planner, commands: Sequence[Command], start: Floats | None) -> bool:
    """Whether the last of commands leads to where the arm is."""
    plan = planner.plan(commands, start=start)
    moves = any(piece.command is commands[-1] and piece.duration > 0.0 for piece in plan)
    return not moves and not any(note.severity == "error" for note in plan.notes)


def _fails(planner: Planner, commands: Iterable[Command], start: Floats) -> bool:
    """Whether a move of commands cannot be followed."""
    plan = planner.plan(commands, start=start)
    list(plan)
    return any(note.severity == "error" for note in plan.notes)


def _led_on(planner: Planner, lines: Sequence[Command], elsewhere: Elsewhere) -> Floats | None:
    """Joints with the tool downwards, where first lines lead on from wherever the arm is and can be followed there."""
    q = _tool_down(planner)
    if q is None:
        return None
    there = _first_lines(planner, elsewhere(q), q)
    return None if _places(there) == _places(lines) or _fails(planner, there, q) else q


def _before_stream(planner: Planner, commands: Commands, assumed: Beginning, elsewhere: Elsewhere | None) -> Beginning:
    """Where a stream begins: at its first target, and of one that moves the tool on from anywhere with it downwards."""
    stream, q = _first_stream(commands()), _tool_down(planner)
    if stream is None or elsewhere is None or q is None or (there := _first_stream(elsewhere(q))) is None:
        return assumed
    nothing, first = "nothing says where it starts", stream.q[1]
    if np.array_equal(first, there.q[1]):
        text = f"{nothing}: assumed is the first target of its stream, {posture_text(planner.arm, first)}"
        return Beginning(first, text, asked=False)
    here, way = (each.q - each.q[0] for each in (stream, there))
    if here.shape == way.shape and np.allclose(here, way, rtol=0.0, atol=SAME):
        return assumed  # joints move by as much from anywhere
    text = f"{nothing}, and it moves the tool on from there, which it cannot from joints at zero: assumed is the tool"
    return Beginning(q, f"{text} downwards, {posture_text(planner.arm, q)}", asked=False)


def _first_stream(commands: Iterable[Command]) -> Follow | None:
    """None where a program begins with a move."""
    first = next((each for each in islice(commands, FIRST_COMMANDS) if isinstance(each, Move | Follow)), None)
    return first if isinstance(first, Follow) else None


def _tool_down(planner: Planner) -> Floats | None:
    """Joints with the tool downwards, before the base, on the side where the tool is at zero."""
    at = np.asarray(planner.arm.pose(planner.home))[:3, 3]
    far, level = float(np.linalg.norm(at)), float(np.hypot(*at[:2]))
    out = np.array([*(at[:2] / level), 0.0]) if level > 1e-3 * far else np.array([1.0, 0.0, 0.0])
    down = np.array([0.0, 0.0, -1.0])
    T = pose(np.column_stack([out, np.cross(down, out), down]), far * (OUT * out - UP * down))
    try:
        return np.asarray(planner.arm.inverse_kinematics(T, nearest=planner.home))
    except TorsorError:
        return None


def _places(commands: Iterable[Command]) -> list[tuple[float, ...]]:
    targets = (each.target for each in commands if isinstance(each, Move))
    return [each.position if isinstance(each, Pose) else each.q for each in targets]


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
