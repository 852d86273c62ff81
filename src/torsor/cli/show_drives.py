"""The tables of ``torsor show`` on drives and loops."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

from torsor.cli.printing import direction, number, numbers, print_table
from torsor.model import Drive, Model
from torsor.model.parts import AngleTable


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
    more = [(drive.name, what, text) for drive in model.drives for what, text in _more(drive)]
    print_table("What else is known of drives", ["motor", "what", "value"], more)
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
    """The row of N with the joints it speaks of: ``1 joint2 + 119 joint3``; a linkage as what it is."""
    law = drive.transmission
    if isinstance(law, AngleTable):
        return f"{len(law.positions)} angles measured over {law.joint}"
    if law is not None:
        return law.text
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


def _more(drive: Drive) -> Iterator[tuple[str, str]]:
    """What few files give: limits by current, voltage and heat, friction at rest, gear stages, what gives way."""
    motor, friction = drive.motor, drive.friction
    sizes = [
        ("continuous torque", motor.continuous, "N m"),
        ("torque constant", motor.torque_constant, "N m/A"),
        ("peak current", motor.current, "A"),
        ("voltage", motor.voltage, "V"),
        ("resistance", motor.resistance, "ohm"),
        ("back-emf", motor.back_emf, "V s/rad"),
        ("Stribeck speed", friction.stribeck, "rad/s"),
        ("stiffness at the joint", drive.stiffness, "N m/rad or N/m"),
        ("damping at the joint", drive.damping, "N m s/rad or N s/m"),
        ("backlash at the joint", drive.backlash or None, "rad or m"),
    ]
    for what, size, unit in sizes:
        if size is not None:
            yield what, f"{number(size)} {unit}"
    if friction.starting is not None:
        forward, backward = friction.starting
        yield "starting friction", f"{number(forward)} N m forward, {number(backward)} N m backward"
    if motor.curve:
        points = (f"{number(torque)} N m at {number(speed * 60 / (2 * pi))} rpm" for speed, torque in motor.curve)
        yield "torque-speed curve", ", ".join(points)
    if (thermal := motor.thermal) is not None:
        warms = f"{number(thermal.rise)} K at the continuous torque, time constant {number(thermal.time_constant)} s"
        yield "winding", f"{warms}, limit {number(thermal.limit)} K"
    for stage in drive.stages:
        yield "gear stage", f"{number(stage.inertia)} kg m^2, {number(stage.ratio)} turns per motor turn"
