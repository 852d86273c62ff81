"""Programs whose targets lie elsewhere than they say, as parts do that are not quite where they should be.

``target.x``, ``target.y`` and ``target.z`` move all poses of a program, ``target.NAME.x`` and so on those of one name,
in m along the axes of the base; both add up. Targets in joints stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.model.ranges import SensibleRange
from torsor.motion.commands import Command, Move, Pose, Start, Target
from torsor.programs import Program

TARGET = "target"
AXES = "x", "y", "z"
FARTHEST = SensibleRange(-100.0, 100.0, "m")


def moves_targets(name: str) -> bool:
    return name.startswith(f"{TARGET}.")


def target_changes(program: Program, arm: Arm) -> dict[str, str]:
    """What can be moved of a program, by name, and what it is; nothing where it has no poses, or does not run."""
    try:
        found = {each.name: None for each in _poses(program, arm)}
    except TorsorError:  # which is told by the first run, with its line
        return {}
    named = {
        f"{TARGET}.{name}.{axis}": f"m, moves {name} along {axis} of the base"
        for name in sorted(found)
        for axis in AXES
        if name
    }
    everywhere = {f"{TARGET}.{axis}": f"m, moves all poses along {axis} of the base" for axis in AXES}
    return everywhere | named if found else {}


def moved(program: Program, values: Mapping[str, float]) -> Program:
    """The program with its targets moved."""
    shifts: dict[str, list[float]] = {}
    for name, value in values.items():
        FARTHEST.refuse(name, value)
        *own, axis = name.split(".")[1:]
        shifts.setdefault(".".join(own), [0.0, 0.0, 0.0])[AXES.index(axis)] = float(value)
    return _MovedProgram(program, shifts) if shifts else program


class _MovedProgram(Program):
    def __init__(self, own: Program, shifts: Mapping[str, list[float]]) -> None:
        vars(self).update(vars(own))
        self._own, self._shifts = own, shifts

    def commands(self, *, step_limit: int | None = None, cycles: int = 1, **options: Any) -> Iterator[Command]:
        for command in self._own.commands(step_limit=step_limit, cycles=cycles, **options):
            if isinstance(command, Move):
                via = tuple(map(self._moved, command.via))
                yield replace(command, target=self._moved(command.target), via=via)
            elif isinstance(command, Start):
                yield replace(command, target=self._moved(command.target))
            else:
                yield command

    def _moved(self, target: Target) -> Target:
        if not isinstance(target, Pose):
            return target
        nowhere = [0.0, 0.0, 0.0]
        both = zip(self._shifts.get("", nowhere), self._shifts.get(target.name, nowhere), strict=True)
        x, y, z = (at + all_ + own for at, (all_, own) in zip(target.position, both, strict=True))
        return replace(target, position=(x, y, z))


def _poses(program: Program, arm: Arm) -> Iterator[Pose]:
    for command in program.commands(arm=arm):
        targets = (command.target, *command.via) if isinstance(command, Move) else ()
        yield from (each for each in targets if isinstance(each, Pose))
