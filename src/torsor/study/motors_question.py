"""Which motor of a catalogue each axis needs for a program."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.errors import StudyError, Unsupported
from torsor.loading import load
from torsor.model.parts import Drive, Motor
from torsor.programs import Program
from torsor.sizing.catalogue import CatalogueMotor, read_catalogue
from torsor.study.answer import StudyAnswer
from torsor.study.check_base import CheckBase
from torsor.study.definition import Study
from torsor.study.varying import Listed


def motor_choice(
    program: str | os.PathLike[str] | Program,
    robot: str | os.PathLike[str] | Arm,
    motors: str | os.PathLike[str] | tuple[CatalogueMotor, ...],
    *,
    on: str | None = None,
    workers: int | None = None,
    progress: Any = None,
    **settings: Any,
) -> StudyAnswer:
    """For each axis the first motor of a catalogue with which the program is feasible, gears as they are.

    Each motor is tried on each axis, with its own rotor, while the other axes keep theirs and are not held against
    their limits; then all that were chosen are checked together. ``settings`` are those of `CheckBase.of`.
    """
    arm = robot if isinstance(robot, Arm) else load(robot)
    nominal = CheckBase.of(program, arm, **settings)
    (name,) = nominal.programs
    listed = motors if isinstance(motors, tuple) else read_catalogue(motors).motors
    if not arm.model.drives:
        raise Unsupported(f"{arm.name!r} has no drives", hint="describe them with [[drive]] in its arm file")
    axes = [drive.name for drive in arm.model.drives]
    tried = {f"{axis} {own.name}": _with(arm, {axis: own}) for axis in axes for own in listed}
    base = replace(nominal, arms=tried)
    outputs = (*(f"torque.{axis}" for axis in axes), "motor_speed", "feasible")
    study = Study(base, {"robot": Listed(tuple(tried))}, outputs=outputs, name="motors", chunk=1)
    result = study.run(on=on, workers=workers, progress=progress)
    if result.failures:
        raise StudyError(next(iter(result.failures.values())))
    rows, chosen = [], {}
    for i, axis in enumerate(axes):
        for k, own in enumerate(listed):
            run = i * len(listed) + k
            share = float(result[f"torque.{axis}"][run])
            fits = bool(result["feasible"][run])
            rows.append((axis, own.name, share, "yes" if fits else "no"))
            if fits and axis not in chosen:
                chosen[axis] = own
    missing = [axis for axis in axes if axis not in chosen]
    notes, yes = [], False
    picked = ", ".join(f"{axis}: {own.name}" for axis, own in chosen.items())
    if missing:
        sentence = f"no motor of the catalogue does for {', '.join(missing)} of {arm.name} in {name}"
        sentence += f"; {picked}" if picked else ""
    else:
        verdict = replace(nominal, arms={arm.name: _with(arm, chosen, alone=False)}).verdict({})
        yes = verdict.feasible
        together = "together they can do it" if yes else f"together they cannot: {verdict.problems[0].text}"
        sentence = f"{arm.name} needs for {name}: {picked}; {together}"
        notes.append(verdict.headline)
    found = {"motors": {axis: own.name for axis, own in chosen.items()}}

    def draw(axes_: Any) -> None:
        shares = np.array([row[2] for row in rows]).reshape(len(axes), len(listed))
        drawn = axes_.imshow(shares, cmap="viridis_r", vmin=0.0, vmax=2.0)
        axes_.set_title(f"{arm.name}: each motor on each axis", loc="left", fontweight="bold")
        for i, k in np.ndindex(*shares.shape):
            colour = "white" if shares[i, k] > 0.8 else "black"
            text = f"{shares[i, k]:.2f}\n{rows[i * len(listed) + k][3]}"
            axes_.text(k, i, text, ha="center", va="center", fontsize=7, color=colour)
        axes_.set_aspect("auto")
        axes_.set_xticks(np.arange(len(listed)), [own.name for own in listed], rotation=30)
        axes_.set_yticks(np.arange(len(axes)), axes)
        axes_.figure.colorbar(drawn, ax=axes_, label="share of the motor's torque")

    titles = ["axis", "motor", "share of torque", "feasible"]
    return StudyAnswer("motors", sentence, titles, rows, found, draw, yes=yes, notes=tuple(notes), result=result)


def _with(arm: Arm, motors: dict[str, CatalogueMotor], *, alone: bool = True) -> Arm:
    """The arm with other motors on some axes; ``alone``: the others give whatever is asked of them."""

    def changed(drive: Drive) -> Drive:
        own = motors.get(drive.name)
        if own is None:
            return replace(drive, motor=Motor()) if alone else drive
        motor = Motor(torque=own.torque, speed=own.speed, continuous=own.continuous)
        return replace(drive, motor=motor, rotor_inertia=own.rotor_inertia)

    return Arm(replace(arm.model, drives=tuple(map(changed, arm.model.drives))))
