"""From the [[drive]] tables of an arm file to drives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torsor.errors import ModelError, did_you_mean
from torsor.model.expression import ArmFormula
from torsor.model.mass import Mass
from torsor.model.parts import BASE, AngleTable, Drive, GearStage, Joint, Link
from torsor.model.schema import DriveTable, StageTable, TransmissionTable
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.model.transforms import Floats, size_of
from torsor.model.units import UNITS, parted

UNIT = 4e-16  # off by so little is a unit vector as far as floats go: it stays as it is written


def build_drive(
    table: DriveTable, i: int, links: list[Link], joint_names: list[str], find: Callable[..., int], toml: TomlFile
) -> Drive:
    place = ("drive", i)
    transmission = None if table.transmission is None else _transmission(table.transmission, place, joint_names, toml)
    ratio = _ratio(table, place, joint_names, transmission, toml)
    # Without a word the motor sits on the joint it drives most: on the axis of the joint, carried by its parent.
    own = next(link for link in links if link.joint.name == joint_names[int(np.argmax(np.abs(ratio)))])
    rotor = table.rotor
    carrier = own.parent if rotor.carrier is None else find(rotor.carrier, *place, "rotor", "carrier")
    if rotor.axis is None and carrier != own.parent:
        problem = f"{spelled(place)}.rotor sits away from the joint it drives but has no axis"
        raise toml.error((*place, "rotor"), problem, "give axis, in the axes of the carrier")
    axis = own.joint.before[:3, :3] @ own.joint.axis if rotor.axis is None else np.array(rotor.axis)
    drive = Drive(
        name=table.name or f"motor{i + 1}",
        ratio=ratio,
        offset=table.offset,
        rotor_inertia=rotor.inertia,
        carrier=carrier,
        axis=unit(axis, (*place, "rotor", "axis"), toml),
        motor=table.motor,
        friction=table.friction,
        transmission=transmission,
        stages=tuple(_stage(stage, k, carrier, place, find, toml) for k, stage in enumerate(table.stages)),
        stiffness=table.stiffness,
        damping=table.damping,
        backlash=table.backlash,
    )
    if np.isfinite(ratio).all():  # what is not, the checks of the model refuse
        refuse_wrong_units(place, next(a.joint for a in links if a.joint.name == joint_names[drive.joint]), toml)
    return drive


def _stage(
    stage: StageTable, k: int, rotor_carrier: int, drive: KeyPath, find: Callable[..., int], toml: TomlFile
) -> GearStage:
    place = (*drive, "stages", k)
    carrier = None if stage.carrier is None else find(stage.carrier, *place, "carrier")
    if stage.axis is None and carrier not in (None, rotor_carrier):
        problem = f"{spelled(place)} sits away from the rotor but has no axis"
        raise toml.error(place, problem, "give axis, in the axes of its carrier")
    if stage.position is not None and not stage.mass:
        raise toml.error((*place, "position"), f"{spelled(place)}.position is of a mass", "give mass, in kg")
    if stage.mass < 0.0:
        raise toml.error((*place, "mass"), f"{spelled((*place, 'mass'))} is {stage.mass:g} kg", "zero or more")
    if stage.axis is None:
        return GearStage(stage.inertia, stage.ratio, carrier)
    x, y, z = unit(np.array(stage.axis), (*place, "axis"), toml).tolist()
    return GearStage(stage.inertia, stage.ratio, carrier, (x, y, z))


def with_stages(links: list[Link], drives: Sequence[Drive], tables: Sequence[DriveTable]) -> list[Link]:
    """Links with the stages that they carry: a thin disc across its axis, of the mass that its table gives."""
    found = list(links)
    for drive, table in zip(drives, tables, strict=True):
        for stage, given in zip(drive.stages, table.stages, strict=True):
            on = drive.carrier if stage.carrier is None else stage.carrier
            own = None if on == BASE else found[on].mass
            if given.mass and own is not None:
                axis = drive.axis if stage.axis is None else np.array(stage.axis)
                disc = 0.5 * stage.inertia * (np.eye(3) + np.outer(axis, axis))
                held = Mass(given.mass, np.array(given.position or (0.0, 0.0, 0.0)), disc)
                found[on] = replace(found[on], mass=own + held)
    return found


def refuse_wrong_units(place: KeyPath, joint: Joint, toml: TomlFile) -> None:
    """Stiffness, damping and play may name their unit: N m/rad where a joint turns, N/m where it slides."""
    table: Any = toml.document
    for part in place:
        table = table[part]
    moves, other = ("sliding", "turning") if joint.kind == "prismatic" else ("turning", "sliding")
    for word in ("stiffness", "damping", "backlash"):
        text = table.get(word)
        if isinstance(text, str) and parted(text)[1] in UNITS[f"{other} {word}"]:
            verb = "slides" if moves == "sliding" else "turns"
            problem = f"{spelled((*place, word))} is {text!r}, but joint {joint.name!r} {verb}"
            raise toml.error((*place, word), problem, f"give it in {next(iter(UNITS[f'{moves} {word}']))}")


def unit(direction: Floats, place: KeyPath, toml: TomlFile) -> Floats:
    size = size_of(direction)
    if not size > 0.0:
        raise toml.error(place, f"{spelled(place)} is zero", "give a direction such as [0, 0, 1]")
    return direction if abs(size - 1.0) <= UNIT else direction / size


def _ratio(
    table: DriveTable,
    place: KeyPath,
    joint_names: list[str],
    transmission: ArmFormula | AngleTable | None,
    toml: TomlFile,
) -> Floats:
    """The row of N; of a linkage, its slope at q = 0."""
    name, key = spelled(place), (*place, "ratio")
    if transmission is not None:
        if table.ratio is not None:
            raise toml.error(key, f"{name} has both a ratio and a transmission", "give one of them")
        return _slope_at_zero(transmission, joint_names)
    if table.ratio is None:
        raise toml.error(place, f"{name} has no ratio", "give ratio, or transmission for a linkage")
    if isinstance(table.ratio, dict):
        for joint in table.ratio:
            if joint not in joint_names:
                hint = did_you_mean(joint, joint_names)
                raise toml.error(key, f"{name} drives joint {joint!r}, which does not exist", hint)
        return np.array([table.ratio.get(joint, 0.0) for joint in joint_names])
    if len(table.ratio) != len(joint_names):
        many = "s" * (len(joint_names) != 1)
        problem = f"{name}.ratio has {len(table.ratio)} numbers for {len(joint_names)} joint{many}"
        raise toml.error(key, problem, f"give one for each of {', '.join(joint_names)}, or a table joint = number")
    return np.array(table.ratio)


def _transmission(
    table: TransmissionTable, drive: KeyPath, joint_names: list[str], toml: TomlFile
) -> ArmFormula | AngleTable:
    place = (*drive, "transmission")
    name = spelled(place)
    if table.formula is not None:
        try:
            return ArmFormula(table.formula, tuple(joint_names))
        except ModelError as error:
            raise toml.error(place, f"{name}: {error.problem}", error.hint) from None
    if table.joint is None or table.positions is None or table.angles is None:
        hint = "give formula, or joint, positions and angles"
        raise toml.error(place, f"{name} is neither a formula nor a table", hint)
    if table.joint not in joint_names:
        hint = did_you_mean(table.joint, joint_names)
        raise toml.error(place, f"{name} is of joint {table.joint!r}, which does not exist", hint)
    steps = np.diff(table.positions)
    if len(table.positions) != len(table.angles) or len(table.positions) < 4 or not (steps > 0.0).all():
        problem = f"{name} has {len(table.positions)} positions and {len(table.angles)} angles"
        raise toml.error(place, problem, "give at least 4 rising positions and an angle for each")
    return AngleTable(table.joint, tuple(table.positions), tuple(table.angles))


def _slope_at_zero(transmission: ArmFormula | AngleTable, joint_names: list[str]) -> Floats:
    """By differences: for tables that show it and formats that hold nothing else. Mechanics have the exact slope."""
    if isinstance(transmission, AngleTable):
        angles = np.interp([-1e-3, 1e-3], transmission.positions, transmission.angles)
        return np.array([(angles[1] - angles[0]) / 2e-3 if name == transmission.joint else 0.0 for name in joint_names])
    step, at = 1e-7, dict.fromkeys(joint_names, 0.0)
    try:
        values = [[float(transmission(at | {name: h})) for h in (step, -step)] for name in joint_names]
    except ArithmeticError:  # such as 1 / 0: the checks of the model refuse what is not finite
        return np.full(len(joint_names), np.nan)
    return np.array([(up - down) / (2 * step) for up, down in values])
