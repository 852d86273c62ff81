"""What must hold for drives: ratios that drive, friction that can hold, limits that do not contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import ModelError
from torsor.model.parts import Drive

if TYPE_CHECKING:
    from torsor.model.model import Model


def numbers_of(drive: Drive) -> Iterator[Any]:
    """All numbers of a drive, to be finite."""
    motor, friction = drive.motor, drive.friction
    yield from (drive.ratio, drive.axis, drive.offset, drive.rotor_inertia)
    yield from (friction.viscous, friction.coulomb, friction.load)
    for value in (*vars(motor).values(), friction.starting, friction.stribeck):
        if isinstance(value, float | tuple) and value != ():
            yield value
    if motor.thermal is not None:
        yield tuple(vars(motor.thermal).values())
    for stage in drive.stages:
        yield stage.inertia, stage.ratio


def check_drives(model: Model) -> None:
    for drive in model.drives:
        for problem, hint in _problems(drive, model):
            raise ModelError(problem, hint=hint, part=("drive", drive.name))
    if len(model.drives) == model.n:
        N = np.array([drive.ratio for drive in model.drives])
        scaled = N / np.abs(N).max(axis=1, keepdims=True)
        if np.linalg.svd(scaled, compute_uv=False)[-1] < 1e-9:
            raise ModelError(
                "the ratios of the drives are not independent: some motion of the joints turns no motor",
                hint="the matrix N of all ratios must be invertible",
                part=("drive", model.drives[-1].name),
            )


def _problems(drive: Drive, model: Model) -> Iterator[tuple[str, str]]:
    name, friction = f"drive {drive.name!r}", drive.friction
    if drive.ratio.shape != (model.n,):
        hint = f"give one for each of {', '.join(model.joint_names)}"
        yield f"{name} has {drive.ratio.size} ratios for {model.n} joints", hint
        return
    if not drive.ratio.any():
        yield f"{name} drives nothing: all its ratios are zero", "give motor turns per joint turn"
    if drive.rotor_inertia < 0.0:
        yield f"the rotor inertia of {name} is {drive.rotor_inertia:g} kg m^2", "it is zero or more"
    if abs(np.linalg.norm(drive.axis) - 1.0) > 1e-9:
        yield f"the axis of {name} is {drive.axis.tolist()}", "it must be a unit vector"
    for stage in drive.stages:
        if stage.inertia < 0.0 or stage.ratio == 0.0:
            yield (
                f"a stage of {name} has inertia {stage.inertia:g} and ratio {stage.ratio:g}",
                "inertia >= 0, ratio not 0",
            )
    sizes = {"viscous": friction.viscous, "load": friction.load, "coulomb": min(friction.coulomb)}
    for word, size in sizes.items():
        if size < 0.0:
            yield f"the {word} friction of {name} is {size:g}", "it is zero or more"
    if friction.starting is not None and any(s < m for s, m in zip(friction.starting, friction.coulomb, strict=True)):
        starting, moving = list(friction.starting), list(friction.coulomb)
        yield (
            f"{name} starts at {starting} N m but moves at {moving} N m",
            "starting friction is at least the moving one",
        )
    if friction.stribeck is not None and not friction.stribeck > 0.0:
        yield f"the Stribeck speed of {name} is {friction.stribeck:g} rad/s", "it is above zero"
    yield from _motor_problems(name, drive)


def _motor_problems(name: str, drive: Drive) -> Iterator[tuple[str, str]]:
    motor = drive.motor
    for word, value in vars(motor).items():
        if isinstance(value, float) and value < 0.0:
            yield f"the {word.replace('_', ' ')} of {name} is {value:g}", "it is zero or more"
    if motor.torque is not None and motor.continuous is not None and motor.continuous > motor.torque:
        problem = f"{name} can give {motor.continuous:g} N m for ever but {motor.torque:g} N m at most"
        yield problem, "the continuous torque is below the peak"
    if None not in (motor.torque, motor.current, motor.torque_constant):
        reached = float(motor.current or 0.0) * float(motor.torque_constant or 0.0)
        if reached < float(motor.torque or 0.0) * (1.0 - 1e-6):
            yield (
                f"{name} reaches {reached:g} N m with its current, not {motor.torque:g} N m",
                "lower torque, or check kt",
            )
    if motor.curve:
        speeds, torques = zip(*motor.curve, strict=True)
        if any(b <= a for a, b in pairwise(speeds)) or min(torques) < 0.0 or speeds[0] < 0.0:
            yield f"the torque-speed curve of {name} is {list(motor.curve)}", "speeds rise from 0, torques are >= 0"
    thermal = motor.thermal
    if thermal is not None:
        if motor.continuous is None:
            yield f"{name} has a thermal model but no continuous torque", "give motor.continuous"
        if min(thermal.time_constant, thermal.rise, thermal.limit) <= 0.0:
            yield f"the thermal model of {name} has {vars(thermal)}", "time_constant, rise and limit are above zero"
