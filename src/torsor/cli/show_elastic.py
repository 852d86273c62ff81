"""The tables of ``torsor show`` on what bends: beams, their sections, springs, and the first natural frequencies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import Any, get_args

from torsor.arm import Arm
from torsor.cli.printing import in_degrees, number, numbers, print_facts, print_table, print_title
from torsor.elastic.resting import Hold
from torsor.errors import TorsorError, Unsupported
from torsor.model import Model
from torsor.model.beams import Beam, Section
from torsor.model.transforms import Floats
from torsor.scene.composing import home_posture

FIRST = 3  # frequencies that are shown


class Bending:
    """What an arm says of itself where something of it bends; ``of`` gives None where nothing does."""

    def __init__(self, arm: Arm) -> None:
        self.arm = arm

    @classmethod
    def of(cls, arm: Arm) -> Bending | None:
        try:
            arm.elastic  # noqa: B018 - refuses an arm that is rigid
        except Unsupported:
            return None
        return cls(arm)

    @cached_property
    def posture(self) -> Floats:
        """The joints, of an arm with loops the free ones, as the arm is drawn: at zero where that can be."""
        model = self.arm.model
        if not model.loops:
            return home_posture(model, None)
        return self.arm.closure.free_of(home_posture(model, self.arm.closure))

    @cached_property
    def frequencies(self) -> dict[str, Any]:
        """By what holds the joints, Hz; a text where they are not to be had."""
        found: dict[str, Any] = {}
        for drives in get_args(Hold)[:2]:
            try:
                found[drives] = self.arm.elastic.at(self.posture, drives=drives).frequencies[:FIRST]
            except TorsorError as error:
                found[drives] = str(error)
        return found

    def print_tables(self) -> None:
        model = self.arm.model
        beams = [(link.name, link.beam) for link in model.links if link.beam is not None]
        titles = ["beam of", "material", *numbers("E GPa", "length m", "mass kg"), "modes", "damping"]
        print_table("Beams", titles, [_beam(*each) for each in beams])
        titles = ["beam of", "section", *numbers("length m", "area cm^2", "Iy cm^4", "Iz cm^4", "J cm^4")]
        print_table("Sections of the beams", titles, [row for each in beams for row in _sections(*each)])
        springs, tilts = list(_springs(model)), list(_tilts(model))
        print_table("Springs in the joints", ["joint", *numbers("stiffness", "damping"), "units"], springs)
        titles = ["bearing of", *numbers("kx N m/rad", "ky", "dx N m s/rad", "dy")]
        print_table("Bearings that tilt", titles, tilts)
        self._print_frequencies()

    def _print_frequencies(self) -> None:
        known = [(name, *map(number, each)) for name, each in self.frequencies.items() if not isinstance(each, str)]
        most = max((len(row) for row in known), default=1) - 1
        rows = [(*row, *("-",) * (most + 1 - len(row))) for row in known]
        titles = ["drives", *numbers(*("first Hz", "second", "third")[:most])]
        said = [(name, each) for name, each in self.frequencies.items() if isinstance(each, str)]
        if rows:
            print_table(f"First natural frequencies, {self._where}", titles, rows)
        else:
            print_title("First natural frequencies")
        print_facts(said)

    @property
    def _where(self) -> str:
        if not self.posture.any():
            return "all joints at zero"
        kinds = {link.joint.name: link.joint.kind for link in self.arm.model.links}
        told = (
            f"{name} {number(value)} m" if kinds[name] == "prismatic" else f"{name} {in_degrees(value)} deg"
            for name, value in zip(self.arm.joint_names, self.posture, strict=True)
            if value
        )
        return f"at {', '.join(told)}{', others zero' if not self.posture.all() else ''}"

    def document(self) -> dict[str, Any]:
        """The same for JSON."""
        links = self.arm.model.links
        return {
            "beams": {link.name: _data(link.beam) for link in links if link.beam is not None},
            "compliance": {link.joint.name: link.compliance for link in links if link.compliance is not None},
            "stiffness_of_drives": {
                drive.name: {"stiffness": drive.stiffness, "damping": drive.damping, "backlash": drive.backlash}
                for drive in self.arm.model.drives
                if drive.stiffness is not None
            },
            "posture": dict(zip(self.arm.joint_names, self.posture.tolist(), strict=True)),
            "frequencies": {name: None if isinstance(each, str) else each for name, each in self.frequencies.items()},
        }


def _beam(name: str, beam: Beam) -> tuple[str, ...]:
    modes = str(beam.modes) if beam.modes is not None else f"below {number(beam.below)} Hz"
    rayleigh = beam.damping.rayleigh
    damping = (
        f"{number(100.0 * beam.damping.ratio)} %"
        if rayleigh is None
        else f"{number(rayleigh[0])} M + {number(rayleigh[1])} K"
    )
    sizes = 1e-9 * beam.material.E, sum(piece.length for piece in beam.pieces), beam.mass.mass
    return name, beam.material.name or "-", *map(number, sizes), modes, damping


def _alike(beam: Beam) -> Iterator[tuple[Section, float]]:
    """Sections along a beam, each with the length of the pieces one after the other that have it."""
    for section, pieces in groupby(beam.pieces, key=lambda piece: piece.section):
        yield section, sum(piece.length for piece in pieces)


def _sections(name: str, beam: Beam) -> Iterator[tuple[str, ...]]:
    for section, length in _alike(beam):
        moments = (1e8 * each for each in (section.Iy, section.Iz, section.J))
        yield name, section.text, *map(number, (length, 1e4 * section.area, *moments))


def _springs(model: Model) -> Iterator[tuple[str, ...]]:
    driven = {model.joint_names[drive.joint]: drive for drive in model.drives if drive.stiffness is not None}
    for link in model.links:
        spring = driven.get(link.joint.name) or link.compliance
        if spring is not None and spring.stiffness is not None:
            units = "N/m, N s/m" if link.joint.kind == "prismatic" else "N m/rad, N m s/rad"
            yield link.joint.name, number(spring.stiffness), number(spring.damping), units


def _tilts(model: Model) -> Iterator[tuple[str, ...]]:
    for link in model.links:
        if link.compliance is not None and link.compliance.tilt is not None:
            damping = link.compliance.tilt_damping or (0.0, 0.0)
            yield link.joint.name, *map(number, (*link.compliance.tilt, *damping))


def _data(beam: Beam) -> dict[str, Any]:
    return {
        "material": beam.material,
        "theory": beam.theory,
        "length": sum(piece.length for piece in beam.pieces),
        "mass": beam.mass.mass,
        "elements": beam.elements,
        "modes": beam.modes,
        "below": beam.below,
        "damping": beam.damping,
        "sections": [{"length": length, **vars(section)} for section, length in _alike(beam)],
    }
