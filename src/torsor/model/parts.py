"""The parts an arm is made of. All are plain immutable data in SI units."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from torsor.model.beams import Beam, Compliance
from torsor.model.expression import ArmFormula
from torsor.model.immutable import Immutable
from torsor.model.mass import Mass
from torsor.model.transforms import Floats
from torsor.model.units import Acceleration, PlainNumber, Position, Rate, TwoSided

JointKind = Literal["revolute", "continuous", "prismatic", "screw", "fixed"]
BASE = -1  # index of the base among the links


class Written:
    """A part that arm files hold as a table of the same keys; pydantic reads it, and keys it does not know are errors.

    Numbers with units are annotated by what reads them (``units.py``); in Python they are floats in SI.
    """

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  pydantic wants the dict


@dataclass(frozen=True)
class Limits(Written):
    """Bounds of one joint; None where there is none."""

    position: tuple[Position, Position] | None = None  # rad or m
    speed: Rate | None = None
    acceleration: Acceleration | None = None
    torque: PlainNumber | None = None  # N m or N


@dataclass(frozen=True)
class ToolLimits(Written):
    """What a data sheet allows at the tool; None where it says nothing."""

    payload: PlainNumber | None = None  # kg
    speed: Rate | None = None  # m/s
    acceleration: Acceleration | None = None  # m/s^2


@dataclass(frozen=True)
class Mimic(Written):
    """This joint follows another: q = factor * q_other + offset."""

    joint: str
    factor: PlainNumber = 1.0
    offset: Position = 0.0


@dataclass(frozen=True)
class JointFriction(Written):
    """Friction as URDF knows it, at the joint: damping in N m s/rad, dry friction in N m."""

    viscous: PlainNumber = 0.0
    coulomb: PlainNumber = 0.0


@dataclass(frozen=True, eq=False)
class Joint(Immutable):
    """How a link moves on its parent: T_parent_link(q) = before . motion(q) . after.

    motion(q) turns about ``axis`` by q, slides along it by q, or both (a screw moves ``pitch`` metres a radian).
    URDF and modified DH have nothing after the motion, standard DH has d, a and alpha there.
    """

    name: str
    kind: JointKind
    axis: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))  # unit vector in the joint frame
    before: Floats = field(default_factory=lambda: np.eye(4))
    after: Floats = field(default_factory=lambda: np.eye(4))
    pitch: float = 0.0
    mimic: Mimic | None = None
    friction: JointFriction = JointFriction()
    limits: Limits = Limits()

    @property
    def moves(self) -> bool:
        return self.kind != "fixed"


@dataclass(frozen=True)
class DhRow:
    """The Denavit-Hartenberg row a link was written with, kept to print it and to name its symbols."""

    convention: Literal["standard-dh", "modified-dh"]
    a: float
    alpha: float
    d: float
    offset: float


@dataclass(frozen=True)
class BoxShape:
    """A box about its middle."""

    size: tuple[float, float, float]  # m


@dataclass(frozen=True)
class CylinderShape:
    """A cylinder along z about its middle."""

    radius: float
    length: float


@dataclass(frozen=True)
class BallShape:
    radius: float


@dataclass(frozen=True)
class MeshShape:
    """A file of triangles. ``path`` is None where it was not found or not allowed; ``missing`` says why."""

    uri: str
    path: Path | None = field(compare=False)
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    missing: str | None = field(default=None, compare=False)


@dataclass(frozen=True, eq=False)
class Visual(Immutable):
    """A shape at its place on a link: to draw, or what the link may touch with; no part of the mechanics."""

    shape: BoxShape | CylinderShape | BallShape | MeshShape
    placement: Floats  # T_link_shape
    color: tuple[float, float, float, float] | None = None  # red, green, blue, opacity, each from 0 to 1
    is_mass: bool = False  # the solid of an arm file that the mass of the link was found from


@dataclass(frozen=True, eq=False)
class Link:
    """A link and the joint that carries it. ``mass`` is None where the description gives no inertia.

    ``mass`` is that of rigid dynamics. What bends of the link is its ``beam``, what gives way at its joint its
    ``compliance``.
    """

    name: str
    parent: int  # index of the parent link, BASE for the base
    joint: Joint
    mass: Mass | None
    dh: DhRow | None = None
    visuals: tuple[Visual, ...] = ()
    beam: Beam | None = None
    compliance: Compliance | None = None
    collisions: tuple[Visual, ...] = ()  # what it may touch with; none: what is drawn stands for it


@dataclass(frozen=True, eq=False)
class Frame(Immutable):
    """A frame that rides on a link (BASE: on the base)."""

    link: int
    placement: Floats  # T_link_frame


@dataclass(frozen=True)
class Thermal(Written):
    """A winding that warms as one body: in steady state by ``rise`` kelvin at the continuous torque."""

    time_constant: PlainNumber  # s
    rise: PlainNumber  # K
    limit: PlainNumber  # K, above the surroundings


@dataclass(frozen=True)
class Motor(Written):
    """Limits at the motor shaft; None where unknown."""

    torque: PlainNumber | None = None  # peak, N m
    speed: Rate | None = None  # rad/s
    torque_constant: PlainNumber | None = None  # N m/A
    current: PlainNumber | None = None  # peak, A
    continuous: PlainNumber | None = None  # root mean square torque that can be given for ever, N m
    curve: tuple[tuple[Rate, PlainNumber], ...] = ()  # (speed, torque that is left there), speeds rising
    resistance: PlainNumber | None = None  # ohm
    back_emf: PlainNumber | None = None  # V s/rad
    voltage: PlainNumber | None = None  # V
    thermal: Thermal | None = None


@dataclass(frozen=True)
class DriveFriction(Written):
    """Friction of a drive on its motor or joint side.

    Pairs are (forward, backward), both positive. ``coulomb`` acts in motion, ``starting`` holds at rest (None: as
    coulomb); between them friction falls as exp(-(v / stribeck)^2). ``load`` multiplies the transmitted torque's size.
    """

    side: Literal["motor", "joint"] = "motor"
    viscous: PlainNumber = 0.0
    coulomb: TwoSided = (0.0, 0.0)
    starting: TwoSided | None = None
    stribeck: Rate | None = None
    load: PlainNumber = 0.0


@dataclass(frozen=True)
class GearStage:
    """A gear, shaft or screw with inertia of its own, which turns by ratio * q_a.

    It sits where the rotor does unless it has a carrier and an axis of its own. Its mass, where given, is part of
    its carrier already.
    """

    inertia: float
    ratio: float
    carrier: int | None = None  # link it sits on
    axis: tuple[float, float, float] | None = None  # unit vector in the axes of the carrier


@dataclass(frozen=True)
class AngleTable:
    """A transmission measured: the motor's angle at joint positions, joined by a smooth (cubic) curve."""

    joint: str
    positions: tuple[float, ...]
    angles: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Drive(Immutable):
    """A motor with its rotor and gear: q_a = ratio . q + offset, one row of the matrix N.

    Where the gear is a linkage, ``transmission`` is q_a(q) as a formula or a table, and ``ratio`` its slope at q = 0.
    """

    name: str
    ratio: Floats  # (n,)
    offset: float
    rotor_inertia: float
    carrier: int  # link the motor sits on
    axis: Floats  # spin axis in the axes of the carrier
    motor: Motor = Motor()
    friction: DriveFriction = DriveFriction()
    transmission: ArmFormula | AngleTable | None = None
    stages: tuple[GearStage, ...] = ()
    stiffness: float | None = None  # of gear and shaft, at ``joint``: N m/rad, or N/m; None: rigid
    damping: float | None = None  # likewise, N m s/rad or N s/m
    backlash: float = 0.0  # play of the gear there, from flank to flank: rad or m

    @property
    def joint(self) -> int:
        """Of q, at which stiffness, damping and backlash are given: the one it drives most, the last of equals."""
        sizes = np.abs(self.ratio)
        return int(np.flatnonzero(sizes >= (1.0 - 1e-9) * sizes.max())[-1])


@dataclass(frozen=True, eq=False)
class Loop:
    """A joint that closes a loop of the tree: frame ``first`` on one link meets frame ``second`` on another.

    A hinge turns about z of both frames: their origins and their z axes coincide. A slider moves along that z without
    turning. ``distance`` keeps the origins ``length`` apart. ``near`` are joint positions close to the assembly that is
    meant; joints it leaves out are at zero there. ``branch`` says the same in words.
    """

    name: str
    kind: Literal["hinge", "ball", "slider", "rigid", "distance"]
    first: Frame
    second: Frame
    driven: tuple[str, ...]
    branch: str | None = None
    near: tuple[tuple[str, float], ...] = ()  # joint, rad or m
    length: float | None = None  # m, of a distance
    place: tuple[str, int | None] | None = field(
        default=None, compare=False
    )  # file and line that describe it, for what is found out later
