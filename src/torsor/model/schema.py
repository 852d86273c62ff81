"""The arm file as a schema: which keys there are, what they hold, and what each means."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, StrictBool, StrictInt

from torsor.errors import did_you_mean
from torsor.model.beams import MATERIALS, MassRule, Theory
from torsor.model.parts import DriveFriction, JointFriction, Limits, Mimic, Motor, ToolLimits
from torsor.model.units import (
    Angle,
    Area,
    Damping,
    Density,
    Frequency,
    Length,
    Pitch,
    PlainNumber,
    Position,
    Pressure,
    ReadBy,
    SecondMoment,
    Stiffness,
    TurningDamping,
    TurningStiffness,
    number,
)  # fmt: skip

LengthTriple = tuple[Length, Length, Length]
Direction = tuple[PlainNumber, PlainNumber, PlainNumber]


class Table(BaseModel):
    """A TOML table; keys it does not know are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


NineNumbers = tuple[
    PlainNumber, PlainNumber, PlainNumber,
    PlainNumber, PlainNumber, PlainNumber,
    PlainNumber, PlainNumber, PlainNumber,
]  # fmt: skip


class PoseTable(Table):
    """A pose: position in m, then roll, pitch and yaw about the fixed x, y and z axes, or the rotation itself."""

    position: LengthTriple = (0.0, 0.0, 0.0)
    rpy: tuple[Angle, Angle, Angle] | None = None
    rotation: NineNumbers | None = None


def _three_or_six(value: object) -> object:
    if not isinstance(value, list | tuple) or len(value) not in (3, 6, 9):
        raise ValueError("expected 3 numbers (the diagonal) or 6 (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2")
    return value


def _ratio(value: object) -> dict[str, float] | list[float] | None:
    if isinstance(value, dict):
        return {str(joint): number(ratio) for joint, ratio in value.items()}
    if isinstance(value, list | tuple):
        return [number(ratio) for ratio in value]
    raise ValueError


class SolidTable(PoseTable):
    """A solid of even density about ``position``, of a density or of the mass of its link."""

    cylinder: tuple[Length, Length] | None = None
    along: Literal["x", "y", "z"] = "z"
    box: LengthTriple | None = None
    ball: Length | None = None
    mesh: str | None = None
    scale: PlainNumber = 1.0
    density: Density | None = None


class BodyTable(Table):
    """Mass properties: none at all, a mass alone (a point), mass with inertia, or those of a solid."""

    mass: Annotated[PlainNumber | None, Field(description="kg")] = None
    com: LengthTriple = (0.0, 0.0, 0.0)
    inertia: Annotated[
        tuple[PlainNumber, ...] | None,
        ReadBy(_three_or_six),
        Field(description="diagonal, or ixx, iyy, izz, ixy, ixz, iyz, in kg m^2"),
    ] = None
    about: Literal["com", "origin"] = "com"
    shape: SolidTable | None = None


class SectionTable(Table):
    """A cross section by its shape, or by its area and moments."""

    tube: tuple[Length, Length] | None = None
    box: tuple[Length, Length, Length] | None = None
    bar: tuple[Length, Length] | None = None
    rod: tuple[Length] | None = None
    area: Area | None = None
    Iy: SecondMoment | None = None
    Iz: SecondMoment | None = None
    J: SecondMoment | None = None
    shear: tuple[PlainNumber, PlainNumber] | None = None
    extent: tuple[Length, Length] | None = None


def _listed(value: object) -> object:
    return value if isinstance(value, list | tuple) else [value]


def _named(value: object) -> object:
    """A material by name stands for its values."""
    if not isinstance(value, str):
        return value
    if value not in MATERIALS:
        raise ValueError(f"{did_you_mean(value, MATERIALS)}, or {{ E = .., nu = .., rho = .. }}")
    known = MATERIALS[value]
    return {"name": value, "E": known.E, "nu": known.nu, "rho": known.rho, "yield": known.yields}


def _ratio_or_table(value: object) -> object:
    return value if isinstance(value, dict) else {"ratio": value}


class MaterialTable(Table):
    name: str = ""
    E: Pressure
    nu: PlainNumber
    rho: Density
    yields: Annotated[Pressure | None, Field(alias="yield")] = None


class DampingTable(Table):
    ratio: PlainNumber | None = None
    rayleigh: tuple[PlainNumber, PlainNumber] | None = None


class BeamLineTable(Table):
    """Corners and sections on the way to a child, the tool, an end of a loop, or just to a point."""

    to: str | None = None
    through: list[LengthTriple] = []
    end: LengthTriple | None = None
    section: Annotated[list[SectionTable], ReadBy(_listed, '{"type": "object"}')]


class BeamTable(BeamLineTable):
    """What bends of a link."""

    start: Annotated[LengthTriple | None, Field(alias="from")] = None
    up: Direction | None = None
    up_in: str | None = None
    material: Annotated[MaterialTable | None, ReadBy(_named, json.dumps({"enum": sorted(MATERIALS)}))] = None
    theory: Theory = "euler-bernoulli"
    rotary: bool = True
    elements: StrictInt = 8
    modes: StrictInt | None = None
    below: Frequency | None = None
    damping: Annotated[DampingTable, ReadBy(_ratio_or_table, '{"type": "number"}')] = DampingTable()
    mass: MassRule = "beside"
    branch: list[BeamLineTable] = []


class ComplianceTable(Table):
    stiffness: Stiffness | None = None
    damping: Damping = 0.0
    tilt: tuple[TurningStiffness, TurningStiffness] | None = None
    tilt_damping: tuple[TurningDamping, TurningDamping] | None = None


class ShapeTable(PoseTable):
    """A shape in link axes: one of box, cylinder, ball and mesh."""

    box: LengthTriple | None = None
    cylinder: tuple[Length, Length] | None = None
    ball: Length | None = None
    mesh: str | None = None
    scale: Direction = (1.0, 1.0, 1.0)


class VisualTable(ShapeTable):
    """A shape to draw."""

    color: tuple[PlainNumber, PlainNumber, PlainNumber, PlainNumber] | None = None
    is_mass: StrictBool = False


class BaseTable(PoseTable, BodyTable):
    """Where the arm stands; its name, and what is bolted down of it."""

    name: str = "base"
    visual: list[VisualTable] = []
    collision: list[ShapeTable] = []


class LinkTable(BodyTable):
    """A link with the joint that carries it. Which geometry keys it may have depends on ``frames``."""

    name: str | None = None
    parent: str | None = None
    joint: Literal["revolute", "continuous", "prismatic", "screw", "fixed"]
    joint_name: str | None = None
    pitch: Pitch | None = None
    limits: Limits = Limits()
    mimic: Mimic | None = None
    friction: JointFriction = JointFriction()
    beam: BeamTable | None = None
    compliance: ComplianceTable | None = None
    # Denavit-Hartenberg
    a: Length | None = None
    alpha: Angle | None = None
    d: Length | None = None
    theta: Angle | None = None  # of a prismatic or fixed joint, where it is constant
    offset: Position | None = None
    # screws: everything in base axes at the zero pose
    point: LengthTriple | None = None
    twist: tuple[PlainNumber, PlainNumber, PlainNumber, PlainNumber, PlainNumber, PlainNumber] | None = None
    home: PoseTable | None = None
    # placements
    position: LengthTriple | None = None
    rpy: tuple[Angle, Angle, Angle] | None = None
    rotation: NineNumbers | None = None
    after: PoseTable | None = None  # from the joint, once it has moved, to the link
    # screws and placements
    axis: Direction | None = None
    visual: list[VisualTable] = []
    collision: list[ShapeTable] = []


class FrameTable(PoseTable):
    name: str
    link: str


class ToolTable(PoseTable):
    link: str | None = None
    payload: BodyTable | None = None
    limits: ToolLimits = ToolLimits()


class RotorTable(Table):
    inertia: PlainNumber
    carrier: str | None = None
    axis: Direction | None = None


class StageTable(Table):
    """A part of a gear that turns by ratio * q_a, on the carrier and axis of the rotor or on its own."""

    inertia: PlainNumber
    ratio: PlainNumber
    carrier: str | None = None
    axis: Direction | None = None
    mass: PlainNumber = 0.0
    position: LengthTriple | None = None


class TransmissionTable(Table):
    """q_a(q): a formula of joint names, or a table of one joint's positions and the motor's angles there."""

    formula: str | None = None
    joint: str | None = None
    positions: list[Position] | None = None
    angles: list[Angle] | None = None


class DriveTable(Table):
    name: str | None = None
    ratio: Annotated[dict[str, float] | list[float] | None, PlainValidator(_ratio)] = None
    transmission: TransmissionTable | None = None
    stages: tuple[StageTable, ...] = ()
    offset: Angle = 0.0
    rotor: RotorTable
    motor: Motor = Motor()
    friction: DriveFriction = DriveFriction()
    stiffness: Stiffness | None = None
    damping: Damping | None = None
    backlash: Position = 0.0


class LoopEndTable(PoseTable):
    link: str


class LoopTable(Table):
    name: str | None = None
    joint: Literal["hinge", "ball", "slider", "rigid", "distance"]
    first: LoopEndTable
    second: LoopEndTable
    driven: list[str]
    branch: str | None = None
    near: dict[str, Position] = {}
    length: PlainNumber | None = None


class ArmFile(Table):
    name: str
    source: str = ""
    corrections: list[str] = []
    frames: Literal["standard-dh", "modified-dh", "screws", "placements"]
    gravity: Direction = (0.0, 0.0, -9.81)
    allow_nonphysical: StrictBool = False
    base: BaseTable = BaseTable()
    link: Annotated[list[LinkTable], Field(min_length=1)]
    frame: list[FrameTable] = []
    tool: ToolTable = ToolTable()
    drive: list[DriveTable] = []
    loop: list[LoopTable] = []


class ChangedLinkTable(BodyTable):
    """What a link of another description gets instead; what is not said stays. Its name says which, or its joint's."""

    name: str | None = None
    joint_name: str | None = None
    limits: Limits = Limits()
    friction: JointFriction | None = None


class StandingFile(Table):
    """An arm file that stands on another description, an arm file or a URDF, and says what is different."""

    base: str
    name: str | None = None
    source: str | None = None
    corrections: list[str] = []
    gravity: Direction | None = None
    allow_nonphysical: StrictBool = False
    link: list[ChangedLinkTable] = []
    frame: list[FrameTable] = []
    tool: ToolTable | None = None
    drive: list[DriveTable] | None = None
