"""Beams: what bends of a link, its sections and its material, and the rigid body that a beam is while nothing bends.

Along a piece of a beam x points outward; the section's y is up x x (unit), its z is x cross y. Iz resists bending in
the x-y plane, Iy in the x-z plane, J torsion. Sections of shapes are made by ``sections.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite, sqrt
from typing import Literal

import numpy as np

from torsor.model.immutable import Immutable
from torsor.model.mass import Mass
from torsor.model.transforms import Floats, size_of, times

Theory = Literal["euler-bernoulli", "timoshenko"]
MassRule = Literal["beside", "instead", "share"]
STIFF_IN_SHEAR = (inf, inf)  # shear coefficients of a section that was given without: it does not shear


@dataclass(frozen=True)
class Section:
    """A cross section: area (m^2) and second moments of area (m^4), about its own y and z axes through the centroid."""

    area: float
    Iy: float  # integral of z^2: bending in the x-z plane
    Iz: float  # integral of y^2: bending in the x-y plane
    J: float  # torsion constant: torque = G J times twist per metre
    shear: tuple[float, float] = STIFF_IN_SHEAR  # coefficients ky, kz: k times the area carries shear along y, along z
    outer: tuple[float, float] | None = None  # distance of the outermost fibre along y and z, m; None: not known
    torsion: float | None = None  # largest shear stress of a torque: torque times this, 1/m^3; None: not known
    text: str = "section"  # how to print it
    hollow: bool = False
    shape: str = ""  # "tube", "rod", "box" or "bar"; "": it was given by numbers
    wall: float = 0.0  # of a tube or box, m

    @property
    def gyration(self) -> float:
        """The larger radius of gyration, sqrt(I / area), m."""
        return sqrt(max(self.Iy, self.Iz) / self.area)

    @property
    def is_round(self) -> bool:
        """Whether it bends alike in all directions, so that nobody asks where its y axis is."""
        return self.Iy == self.Iz and self.shear[0] == self.shear[1]

    @property
    def can_shear(self) -> bool:
        return isfinite(self.shear[0]) and isfinite(self.shear[1])


@dataclass(frozen=True)
class Material:
    """An isotropic elastic material, SI units."""

    name: str
    E: float  # Pa
    nu: float
    rho: float  # kg/m^3
    yields: float | None = None  # the stress at which it yields, or breaks before it yields, Pa; None: not known

    @property
    def G(self) -> float:
        """Shear modulus, E / (2 (1 + nu)), Pa."""
        return self.E / (2.0 * (1.0 + self.nu))


# Values at room temperature of one common grade each, which docs/arm-files.md names.
MATERIALS = {
    material.name: material
    for material in (
        Material("aluminium", 70e9, 0.33, 2700.0, 250e6),  # EN AW-6082-T6
        Material("steel", 210e9, 0.30, 7850.0, 355e6),  # S355
        Material("cast-iron", 169e9, 0.275, 7100.0, 250e6),  # EN-GJS-400-15, ductile
        Material("titanium", 114e9, 0.34, 4430.0, 830e6),  # Ti-6Al-4V, annealed
        Material("carbon", 54e9, 0.31, 1600.0, 500e6),  # fibre in epoxy, quasi-isotropic laminate; it breaks
    )
}


@dataclass(frozen=True)
class BeamDamping:
    """A damping ratio for every mode, or the matrix C = a M + b K of Rayleigh."""

    ratio: float = 0.01
    rayleigh: tuple[float, float] | None = None  # a in 1/s, b in s


@dataclass(frozen=True, eq=False)
class Branch(Immutable):
    """A line of a beam besides the first; all begin in one point."""

    points: Floats  # (k + 1, 3), the first is that of the beam
    sections: tuple[Section, ...]  # one for each piece
    to: str = ""  # as of a beam


@dataclass(frozen=True, eq=False)
class BeamPiece(Immutable):
    """A straight piece of one section."""

    start: Floats  # (3,), in the axes of the link's frame
    end: Floats
    section: Section

    @property
    def length(self) -> float:
        return size_of(self.end - self.start)


@dataclass(frozen=True, eq=False)
class Beam(Immutable):
    """What bends of a link: a line from its joint, over corners, to what it carries, clamped at the joint.

    ``up_in`` names the link in whose axes ``up`` stands still where that is not the link itself: such sections turn
    with the posture, as SIMASEA has it.
    """

    points: Floats  # (k + 1, 3), in the axes of the link's frame, about its origin: joint, corners, end
    sections: tuple[Section, ...]  # one for each piece
    up: Floats  # (3,)
    material: Material
    theory: Theory = "euler-bernoulli"
    rotary: bool = True  # whether slices have inertia against turning with the bent line
    elements: int = 8  # of each piece
    modes: int | None = 5  # how many modes are kept, or ...
    below: float | None = None  # ... those below this frequency, Hz
    damping: BeamDamping = BeamDamping()
    rule: MassRule = "beside"
    own: Mass | None = None  # what of the link stays rigid at the inboard end, in link axes; None: nothing
    to: str = ""  # the link (or the loop) at its end, or "tool"; "" where nothing is there
    branches: tuple[Branch, ...] = ()
    up_in: str | None = None

    @property
    def pieces(self) -> tuple[BeamPiece, ...]:
        """All straight pieces: those of the line from the joint outward, then those of the branches."""
        return tuple(piece for line in self.lines for piece in line)

    @property
    def lines(self) -> tuple[tuple[BeamPiece, ...], ...]:
        """The pieces of the line, and of each branch."""
        return tuple(tuple(_pieces(path.points, path.sections)) for path in self.paths)

    @property
    def paths(self) -> tuple[Branch, ...]:
        """The line itself and its branches, as points and sections."""
        return Branch(self.points, self.sections, self.to), *self.branches

    @property
    def length(self) -> float:
        """Of the line from the joint to the end, without branches, m."""
        return sum(piece.length for piece in self.lines[0])

    @property
    def freedoms(self) -> int:
        """How many modes its elements have: six for each node that is not clamped."""
        return 6 * self.elements * len(self.pieces)

    @property
    def mass(self) -> Mass:
        """The straight beam as a rigid body in link axes, the rotary inertia of its sections included.

        A piece of mass m and length l has m l^2/12 + rho l (Iy, Iz) about the axes across it and rho l (Iy + Iz) about
        its own. Where sections turn with the posture, the mean of Iy and Iz stands for both.
        """
        return sum((self._mass_of(piece) for piece in self.pieces), Mass.none())

    def _mass_of(self, piece: BeamPiece) -> Mass:
        section, length = piece.section, piece.length
        of_area = self.material.rho * length
        m = of_area * section.area
        Iy, Iz = section.Iy, section.Iz
        up = self.up
        if self.up_in is not None or section.is_round:
            Iy = Iz = 0.5 * (Iy + Iz)
            up = _across(piece.end - piece.start)
        slender = m * length * length / 12.0
        polar = of_area * (Iy + Iz)
        if not self.rotary:
            Iy = Iz = 0.0
        local = np.diag([polar, slender + of_area * Iy, slender + of_area * Iz])
        R = section_axes(piece.end - piece.start, up)
        return Mass(m, 0.5 * (piece.start + piece.end), times(R, local, R.T))


def _pieces(points: Floats, sections: tuple[Section, ...]) -> Iterator[BeamPiece]:
    for (start, end), section in zip(pairwise(points), sections, strict=True):
        yield BeamPiece(start, end, section)


def _across(along: Floats) -> Floats:
    """The axis that is least along a direction."""
    up: Floats = np.eye(3)[int(np.argmin(np.abs(along)))]
    return up


def section_axes(along: Floats, up: Floats) -> Floats:
    """R with the section's axes x, y = unit(up x x) and z = x cross y as columns.

    >>> section_axes(np.array([2.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    x = along / size_of(along)
    y = np.cross(up, x)
    y = y / size_of(y)
    R: Floats = np.column_stack([x, y, np.cross(x, y)]) + 0.0  # no -0.0
    return R


def without(whole: Mass, part: Mass) -> Mass:
    """What is left of a body when a part of it is taken away, both in the same frame."""
    mass = whole.mass - part.mass
    first_moment = whole.mass * whole.com - part.mass * part.com
    com = first_moment / mass if mass > 0.0 else np.zeros(3)
    return Mass.about_origin(mass, com, whole.inertia_about_origin - part.inertia_about_origin)


@dataclass(frozen=True)
class Compliance:
    """A joint that gives way about (along) its own axis, and where it is said, tilts about the two axes across it.

    N m/rad and N m s/rad of a joint that turns, N/m and N s/m of one that slides; of tilt N m/rad and N m s/rad.
    """

    stiffness: float | None  # None: rigid, or given by the drive
    damping: float = 0.0
    tilt: tuple[float, float] | None = None  # about x and y of the frame whose z is the joint's axis
    tilt_damping: tuple[float, float] | None = None
