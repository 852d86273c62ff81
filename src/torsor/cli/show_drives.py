"""The tables of ``torsor show`` on drives and loops."""

from __future__ import annotations

from math import pi

from torsor.cli.printing import direction, number, numbers, print_table
from torsor.model import Drive, Model


def print_tables(model: Model) -> None:
    print_table(
        "Drives: motor angle = ratio . q",
        ["motor", "ratio", *numbers("rotor kg m^2"), "sits on", "spins about"],
        [
            (d.name, _ratio(d, model), number(d.rotor_inertia), model.link_name(d.carrier), direction(d.axis))
            for d in model.drives
        ],
    )
    shaft = numbers("torque N m", "speed rpm")
    print_table(
        "Motors and friction",
        ["motor", *shaft, "friction at", *numbers("viscous N m s", "Coulomb N m", "load share")],
        [_motor(drive) for drive in model.drives],
    )
    closed = [[model.link_name(end.link) for end in (loop.first, loop.second)] for loop in model.loops]
    print_table(
        "Loops",
        ["loop", "joint", "closes", "with", "driven by", "branch"],
        [
            (loop.name, loop.kind, *ends, ", ".join(loop.driven), loop.branch or "-")
            for loop, ends in zip(model.loops, closed, strict=True)
        ],
    )


def _ratio(drive: Drive, model: Model) -> str:
    """The row of N with the joints it speaks of: ``1 joint2 + 119 joint3``."""
    terms = [f"{number(k)} {joint}" for k, joint in zip(drive.ratio, model.joint_names, strict=True) if k]
    offset = [number(drive.offset)] if drive.offset else []
    return " + ".join(terms + offset).replace("+ -", "- ")


def _motor(drive: Drive) -> tuple[str, ...]:
    motor, friction = drive.motor, drive.friction
    forward, backward = friction.coulomb
    coulomb = number(forward) if forward == backward else f"{number(forward)} / {number(backward)}"
    rpm = None if motor.speed is None else motor.speed * 60 / (2 * pi)
    return (
        drive.name,
        number(motor.torque),
        number(rpm),
        friction.side,
        number(friction.viscous),
        coulomb,
        number(friction.load),
    )
