"""From the [[drive]] tables of an arm file to drives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.expression import ArmFormula
from torsor.model.parts import AngleTable, Drive, DriveFriction, GearStage, Link, Motor, Thermal
from torsor.model.schema import DriveTable, MotorTable, TransmissionTable
from torsor.model.source import Source, unit
from torsor.model.transforms import Floats


def build_drive(
    table: DriveTable,
    i: int,
    links: list[Link],
    joint_names: list[str],
    find: Callable[[str, tuple[str | int, ...]], int],
    source: Source,
) -> Drive:
    transmission = None if table.transmission is None else _transmission(table.transmission, i, joint_names, source)
    ratio = _ratio(table, i, joint_names, transmission, source)
    # Without a word the motor sits on the joint it drives most: on the axis of the joint, carried by its parent.
    own = next(link for link in links if link.joint.name == joint_names[int(np.argmax(np.abs(ratio)))])
    rotor, friction = table.rotor, table.friction
    carrier = own.parent if rotor.carrier is None else find(rotor.carrier, ("drive", i, "rotor", "carrier"))
    if rotor.axis is None and carrier != own.parent:
        problem = f"drive[{i + 1}].rotor sits away from the joint it drives but has no axis"
        raise source.error(("drive", i, "rotor"), problem, "give axis, in the axes of the carrier")
    axis = own.joint.before[:3, :3] @ own.joint.axis if rotor.axis is None else np.array(rotor.axis)
    return Drive(
        name=table.name or f"motor{i + 1}",
        ratio=ratio,
        offset=table.offset,
        rotor_inertia=rotor.inertia,
        carrier=carrier,
        axis=unit(axis, ("drive", i, "rotor", "axis"), source),
        motor=_motor(table.motor),
        friction=DriveFriction(
            side=friction.side,
            viscous=friction.viscous,
            coulomb=friction.coulomb,
            starting=friction.starting,
            stribeck=friction.stribeck,
            load=friction.load,
        ),
        transmission=transmission,
        stages=tuple(GearStage(stage.inertia, stage.ratio) for stage in table.stages),
    )


def _ratio(
    table: DriveTable,
    i: int,
    joint_names: list[str],
    transmission: ArmFormula | AngleTable | None,
    source: Source,
) -> Floats:
    """The row of N; of a linkage, its slope at q = 0."""
    if transmission is not None:
        if table.ratio is not None:
            problem = f"drive[{i + 1}] has both a ratio and a transmission"
            raise source.error(("drive", i, "ratio"), problem, "give one of them")
        return _slope_at_zero(transmission, joint_names)
    if table.ratio is None:
        raise source.error(("drive", i), f"drive[{i + 1}] has no ratio", "give ratio, or transmission for a linkage")
    if isinstance(table.ratio, dict):
        for joint in table.ratio:
            if joint not in joint_names:
                hint = did_you_mean(joint, joint_names)
                problem = f"drive[{i + 1}] drives joint {joint!r}, which does not exist"
                raise source.error(("drive", i, "ratio"), problem, hint)
        return np.array([table.ratio.get(joint, 0.0) for joint in joint_names])
    if len(table.ratio) != len(joint_names):
        many = "s" * (len(joint_names) != 1)
        problem = f"drive[{i + 1}].ratio has {len(table.ratio)} numbers for {len(joint_names)} joint{many}"
        hint = f"give one for each of {', '.join(joint_names)}, or a table joint = number"
        raise source.error(("drive", i, "ratio"), problem, hint)
    return np.array(table.ratio)


def _transmission(table: TransmissionTable, i: int, joint_names: list[str], source: Source) -> ArmFormula | AngleTable:
    place = ("drive", i, "transmission")
    if table.formula is not None:
        try:
            return ArmFormula(table.formula, tuple(joint_names))
        except ModelError as error:
            raise source.error(place, f"drive[{i + 1}].transmission: {error.problem}", error.hint) from None
    if table.joint is None or table.positions is None or table.angles is None:
        problem = f"drive[{i + 1}].transmission is neither a formula nor a table"
        raise source.error(place, problem, "give formula, or joint, positions and angles")
    if table.joint not in joint_names:
        problem = f"drive[{i + 1}].transmission is of joint {table.joint!r}, which does not exist"
        raise source.error(place, problem, did_you_mean(table.joint, joint_names))
    steps = np.diff(table.positions)
    if len(table.positions) != len(table.angles) or len(table.positions) < 4 or not (steps > 0.0).all():
        problem = f"drive[{i + 1}].transmission has {len(table.positions)} positions and {len(table.angles)} angles"
        raise source.error(place, problem, "give at least 4 rising positions and an angle for each")
    return AngleTable(table.joint, tuple(table.positions), tuple(table.angles))


def _slope_at_zero(transmission: ArmFormula | AngleTable, joint_names: list[str]) -> Floats:
    """By differences: for tables that show it and formats that hold nothing else. Mechanics have the exact slope."""
    if isinstance(transmission, AngleTable):
        angles = np.interp([-1e-3, 1e-3], transmission.positions, transmission.angles)
        return np.array([(angles[1] - angles[0]) / 2e-3 if name == transmission.joint else 0.0 for name in joint_names])
    step = 1e-7
    at = dict.fromkeys(joint_names, 0.0)
    slopes = []
    for name in joint_names:
        up, down = (float(transmission(at | {name: h})) for h in (step, -step))
        slopes.append((up - down) / (2 * step))
    return np.array(slopes)


def _motor(table: MotorTable) -> Motor:
    thermal = table.thermal
    return Motor(
        torque=table.torque,
        speed=table.speed,
        torque_constant=table.torque_constant,
        current=table.current,
        continuous=table.continuous,
        curve=tuple(table.curve),
        resistance=table.resistance,
        back_emf=table.back_emf,
        voltage=table.voltage,
        thermal=None if thermal is None else Thermal(thermal.time_constant, thermal.rise, thermal.limit),
    )
