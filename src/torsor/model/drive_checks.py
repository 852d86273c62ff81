"""What must hold for drives: ratios that drive, friction that can hold, limits that do not contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from torsor.model.parts import Drive, Motor

if TYPE_CHECKING:
    from torsor.model.model import Model


def drive_problems(model: Model) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """What is wrong, what would be right, with which drive."""
    for drive in model.drives:
        name = f"drive {drive.name!r}"
        for problem, hint in chain(_problems(name, drive, model), _motor_problems(name, drive.motor)):
            yield problem, hint, ("drive", drive.name)  # and the first one ends it
    if len(model.drives) == model.n:
        N = np.array([drive.ratio for drive in model.drives])
        if np.linalg.svd(N / np.abs(N).max(axis=1, keepdims=True), compute_uv=False)[-1] < 1e-9:
            problem = "the ratios of the drives are not independent: some motion of the joints turns no motor"
            yield problem, "the matrix N of all ratios must be invertible", ("drive", model.drives[-1].name)


def _problems(name: str, drive: Drive, model: Model) -> Iterator[tuple[str, str]]:
    friction = drive.friction
    if drive.ratio.shape != (model.n,):
        hint = f"give one for each of {', '.join(model.joint_names)}"
        yield f"{name} has {drive.ratio.size} ratios for {model.n} joints", hint
    if not drive.ratio.any():
        yield f"{name} drives nothing: all its ratios are zero", "give motor turns per joint turn"
    if drive.rotor_inertia < 0.0:
        yield f"the rotor inertia of {name} is {drive.rotor_inertia:g} kg m^2", "it is zero or more"
    if abs(np.linalg.norm(drive.axis) - 1.0) > 1e-9:
        yield f"the axis of {name} is {drive.axis.tolist()}", "it must be a unit vector"
    for stage in drive.stages:
        if stage.inertia < 0.0 or stage.ratio == 0.0:
            problem = f"a stage of {name} has inertia {stage.inertia:g} and ratio {stage.ratio:g}"
            yield problem, "inertia >= 0, ratio not 0"
    sizes = {"viscous": friction.viscous, "load": friction.load, "coulomb": min(friction.coulomb)}
    for word, size in sizes.items():
        if size < 0.0:
            yield f"the {word} friction of {name} is {size:g}", "it is zero or more"
    starting, moving = list(friction.starting or friction.coulomb), list(friction.coulomb)
    if any(s < m for s, m in zip(starting, moving, strict=True)):
        problem = f"{name} starts at {starting} N m but moves at {moving} N m"
        yield problem, "starting friction is at least the moving one"
    if drive.stiffness is not None and not drive.stiffness > 0.0:
        yield (
            f"the stiffness of {name} is {drive.stiffness:g}",
            "it is above zero; leave it out where the gear is rigid",
        )
    if drive.damping is not None and not drive.damping >= 0.0:
        yield f"the damping of {name} is {drive.damping:g}", "it is zero or more"
    if drive.damping is not None and drive.stiffness is None:
        hint = "give stiffness, at the joint; friction of the motor is in friction"
        yield f"{name} has damping but no stiffness", hint
    if not 0.0 <= drive.backlash < np.inf:
        yield f"the backlash of {name} is {drive.backlash:g}", "it is zero or more, from flank to flank"
    elif drive.backlash and drive.stiffness is None:
        hint = "give stiffness, at the joint: what the flanks meet with"
        yield f"{name} has backlash but no stiffness", hint
    if friction.stribeck is not None and not friction.stribeck > 0.0:
        yield f"the Stribeck speed of {name} is {friction.stribeck:g} rad/s", "it is above zero"


def _motor_problems(name: str, motor: Motor) -> Iterator[tuple[str, str]]:
    for word, value in vars(motor).items():
        if isinstance(value, float) and value < 0.0:
            yield f"the {word.replace('_', ' ')} of {name} is {value:g}", "it is zero or more"
    if motor.torque is not None and motor.continuous is not None and motor.continuous > motor.torque:
        problem = f"{name} can give {motor.continuous:g} N m for ever but {motor.torque:g} N m at most"
        yield problem, "the continuous torque is below the peak"
    if motor.torque is not None and motor.current is not None and motor.torque_constant is not None:
        reached = motor.current * motor.torque_constant
        if reached < motor.torque * (1.0 - 1e-6):
            problem = f"{name} reaches {reached:g} N m with its current, not {motor.torque:g} N m"
            yield problem, "lower torque, or check kt"
    if motor.curve:
        speeds, torques = zip(*motor.curve, strict=True)
        if any(b <= a for a, b in pairwise(speeds)) or min(torques) < 0.0 or speeds[0] < 0.0:
            yield f"the torque-speed curve of {name} is {list(motor.curve)}", "speeds rise from 0, torques are >= 0"
    if motor.thermal is not None:
        if motor.continuous is None:
            yield f"{name} has a thermal model but no continuous torque", "give motor.continuous"
        if min(vars(motor.thermal).values()) <= 0.0:
            problem = f"the thermal model of {name} has {vars(motor.thermal)}"
            yield problem, "time_constant, rise and limit are above zero"
