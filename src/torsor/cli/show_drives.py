"""The tables of ``torsor show`` on drives and loops."""

from __future__ import annotations

from math import pi

from torsor.cli.printing import TextColumn, direction, number, numbers, print_table
from torsor.cli.show_links import columns, link_name
from torsor.model import Drive, Model


def print_tables(model: Model) -> None:
    print_table(
        "Drives: motor angle = ratio . q",
        [*columns("motor", "ratio"), *numbers("rotor kg m^2"), *columns("sits on", "spins about")],
        [
            (d.name, _ratio(d, model), number(d.rotor_inertia), link_name(model, d.carrier), direction(d.axis))
            for d in model.drives
        ],
    )
    print_table(
        "Motors and friction",
        [
            TextColumn("motor"),
            *numbers("torque N m", "speed rpm"),
            TextColumn("friction at"),
            *numbers("viscous N m s", "Coulomb N m", "load share"),
        ],
        [_motor(drive) for drive in model.drives],
    )
    print_table(
        "Loops",
        columns("loop", "joint", "closes", "with", "driven by", "branch"),
        [
            (
                loop.name,
                loop.kind,
                link_name(model, loop.first.link),
                link_name(model, loop.second.link),
                ", ".join(loop.driven),
                loop.branch or "-",
            )
            for loop in model.loops
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
    shaft = number(motor.torque), number(rpm)
    return drive.name, *shaft, friction.side, number(friction.viscous), coulomb, number(friction.load)
