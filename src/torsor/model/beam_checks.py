"""What must hold for beams and springs of joints: sections that can be, materials that can be, lines with a length."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from torsor.model.beams import Beam, Compliance, Material, Section, Theory
from torsor.model.parts import Link
from torsor.model.sections import WIDEST

if TYPE_CHECKING:
    from torsor.model.model import Model

Said = Iterator[tuple[str, str]]  # what is wrong, what would be right
STIFFEST = 1e20  # Pa or N m/rad: limits of stiffness are approached by factors of a million
HEAVIEST = 1e6  # kg/m^3; osmium has 22590
LARGEST_MOMENT = 1e8  # m^2 or m^4: a solid bar of 100 m
MOST_ELEMENTS = 1000  # of a piece
SMALL_ANGLE = 1e-3  # rad between up and the beam, below which no one can tell where the section's y is


def beam_problems(model: Model) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """What is wrong, what would be right, with which key of which link."""
    driven = {model.joint_names[d.joint] for d in model.drives if d.stiffness is not None}
    names = {model.base_name, *(link.name for link in model.links)}
    for link in model.links:
        if link.compliance is not None:
            for key, problem, hint in _compliance_problems(link, link.compliance, link.joint.name in driven):
                yield problem, hint, (f"compliance {key}".rstrip(), link.name)
        if link.beam is None:
            continue
        what = f"the beam of link {link.name!r}"
        if not link.joint.moves:
            yield f"{what} is on a fixed joint", "put it on the link that moves", ("beam", link.name)
        for key, (problem, hint) in _beam_problems(link.beam, names, model.allow_nonphysical):
            yield f"{what}: {problem}", hint, (key, link.name)


def _beam_problems(beam: Beam, names: set[str], allow_nonphysical: bool) -> Iterator[tuple[str, tuple[str, str]]]:
    for problem in material_problems(beam.material):
        yield "beam material", problem
    for problem in _shape_problems(beam):
        yield "beam", problem
    for section in {section: None for line in beam.paths for section in line.sections}:
        for problem in section_problems(section, beam.theory):
            yield "beam section", problem
    for problem in _thickness_problems(beam):
        yield "beam section", problem
    for problem in _up_problems(beam, names):
        yield "beam up", problem
    yield from _number_problems(beam)
    for problem in _share_problems(beam, allow_nonphysical):
        yield "beam mass", problem


def material_problems(material: Material) -> Said:
    if not 0.0 < material.E <= STIFFEST:
        yield f"E is {material.E:g} Pa", "it is above zero and finite; steel has 210e9 Pa"
    if not -1.0 < material.nu < 0.5:
        yield f"nu is {material.nu:g}", "Poisson's ratio is above -1 and below 0.5; metals have about 0.3"
    if not 0.0 < material.rho <= HEAVIEST:
        yield f"rho is {material.rho:g} kg/m^3", f"it is above zero and up to {HEAVIEST:g}; steel has 7850 kg/m^3"
    if material.yields is not None and not 0.0 < material.yields <= STIFFEST:
        yield f"yield is {material.yields:g} Pa", "it is above zero and finite; leave it out where it is not known"


def section_problems(section: Section, theory: Theory) -> Said:
    numbers = {"area": (section.area, "m^2"), "Iy": (section.Iy, "m^4"), "Iz": (section.Iz, "m^4")}
    numbers["J"] = (section.J, "m^4")
    for name, (value, dimension) in numbers.items():
        if not 0.0 < value <= LARGEST_MOMENT:
            yield f"{name} is {value:g} {dimension}", "it is above zero and of a size that a link can have"
    for name, k in zip(("ky", "kz"), section.shear, strict=True):
        if not (0.0 < k <= 1.2 or k == inf):
            hint = "shear = [ky, kz] are shares of the area that carry shear, such as 5/6"
            yield f"the shear coefficient {name} is {k:g}", hint
    yield from _extent_problems(section)
    if theory == "timoshenko" and not section.can_shear:
        yield "Timoshenko's theory needs to know how it shears", "give shear = [ky, kz], such as [0.83, 0.83]"


def _extent_problems(section: Section) -> Said:
    """No fibre is farther out than the outermost: I is at most its distance squared times the area."""
    if section.shape or section.outer is None:
        return
    for axis, name, reach, I in zip("yz", ("Iz", "Iy"), section.outer, (section.Iz, section.Iy), strict=True):
        if not 0.0 < reach <= WIDEST:
            hint = 'extent = [cy, cz] are distances of the outermost fibres along y and z, such as "40 mm"'
            yield f"extent along {axis} is {reach:g} m", hint
        elif section.area > 0.0 and reach * reach * section.area < I:
            radius = sqrt(I / section.area)
            problem = f"extent along {axis} is {reach:g} m, less than the radius of gyration {radius:.3g} m"
            yield problem, f"no section has that: {name} is {I:g} m^4 with an area of {section.area:g} m^2"


def _shape_problems(beam: Beam) -> Said:
    for line in beam.paths:
        if line.points.ndim != 2 or line.points.shape[1:] != (3,) or len(line.points) < 2:
            yield f"its points have shape {line.points.shape}", "give two or more points of 3 numbers"
        if len(line.sections) != len(line.points) - 1:
            yield f"it has {len(line.sections)} sections for {len(line.points) - 1} pieces", "give one for each"
        if not (np.isfinite(line.points).all() and np.abs(line.points).max() <= 1e6):
            yield f"a corner lies at {np.abs(line.points).max():g} m", "up to 1e+06 m makes sense"
    for line in beam.branches:
        if not np.array_equal(line.points[0], beam.points[0]):
            yield "a branch begins elsewhere than the beam", "both begin in one point"
    for piece in beam.pieces:
        if not piece.length > 1e-9:
            at = ", ".join(f"{x:g}" for x in piece.start)
            what = "it has no length: it begins and ends" if len(beam.pieces) == 1 else "a piece of it has no length,"
            yield f"{what} at ({at}) m", "let it end elsewhere (to, end), or put it on the link that is long"


def _thickness_problems(beam: Beam) -> Said:
    for line in beam.lines:
        length = sum(piece.length for piece in line)
        for piece in line:
            section = piece.section
            if section.gyration <= length:
                continue
            problem = f"radius of gyration {section.gyration:.2g} m in a link of {length:.2g} m"
            if section.shape:
                yield f"{problem} ({section.text})", 'sizes are in m: write "80 mm" or 0.08'
            name, value = max((("Iy", section.Iy), ("Iz", section.Iz)), key=lambda each: each[1])
            slip = section.gyration * 1e-3 <= length
            hint = "did you mean 1e-6 m^4? " if slip else "it is sqrt(I / area): "
            yield problem, f"{hint}{name} is {value:g} m^4 with an area of {section.area:g} m^2"


def _up_problems(beam: Beam, names: set[str]) -> Said:
    if beam.up.shape != (3,) or not abs(np.linalg.norm(beam.up) - 1.0) <= 1e-9:
        yield f"up is {beam.up.tolist()}", "it must be a unit vector"
    if beam.up_in is not None:
        if beam.up_in not in names:
            yield f"up is in the axes of {beam.up_in!r}, which is no link", "name a link, or leave it out"
        return
    for piece in beam.pieces:
        along = (piece.end - piece.start) / piece.length
        if np.linalg.norm(np.cross(beam.up, along)) < SMALL_ANGLE:
            said = ", ".join(f"{x:.4g}" for x in beam.up + 0.0)
            yield (
                f"up ({said}) is along the beam",
                "give a direction across all its pieces: y of a section is up x beam",
            )


def _number_problems(beam: Beam) -> Iterator[tuple[str, tuple[str, str]]]:
    if not 1 <= beam.elements <= MOST_ELEMENTS:
        yield "beam elements", (f"it has {beam.elements} elements a piece", f"give 1 to {MOST_ELEMENTS}")
    if (beam.modes is None) == (beam.below is None):
        yield "beam", ("it has both or neither of modes and below", "give one of them")
    if beam.modes is not None and not 1 <= beam.modes <= beam.freedoms:
        many = f"{len(beam.pieces)} pieces of {beam.elements}" if len(beam.pieces) > 1 else f"{beam.elements}"
        has = f"its {many} element{'s' * (beam.elements > 1)} have {beam.freedoms}, six each"
        yield "beam modes", (f"{beam.modes} modes are asked for", f"{has}: give 1 to {beam.freedoms}, or more elements")
    if beam.below is not None and not 0.0 < beam.below <= 1e9:
        yield "beam below", (f"modes below {beam.below:g} Hz are asked for", "give a frequency above zero")
    if not 0.0 <= beam.damping.ratio < 1.0:
        yield "beam damping", (f"the damping ratio is {beam.damping.ratio:g}", "0.01 is one per cent; it is below 1")
    if any(not 0.0 <= x <= 1e9 for x in beam.damping.rayleigh or ()):
        said = list(beam.damping.rayleigh or ())
        yield "beam damping", (f"Rayleigh's a and b are {said}", "both are zero or more: C = a M + b K")


def _share_problems(beam: Beam, allow_nonphysical: bool) -> Said:
    if beam.rule != "share" or beam.own is None:
        return
    weighs = beam.mass.mass
    if beam.own.mass < 0.0:
        problem = (
            f"it weighs {weighs:.4g} kg, more than the {weighs + beam.own.mass:.4g} kg of its link, which it shares"
        )
        yield problem, 'make it lighter, or say mass = "beside" or "instead"'
    left = list(beam.own.impossibilities())
    if left and not allow_nonphysical:
        problem = f"without it the link would be a body that cannot be: {'; '.join(left)}"
        yield problem, 'make it lighter, or say mass = "beside" or "instead"; allow_nonphysical = true accepts it'


def _compliance_problems(link: Link, spring: Compliance, has_drive: bool) -> Iterator[tuple[str, str, str]]:
    what = f"the compliance of joint {link.joint.name!r}"
    if not link.joint.moves:
        yield "", f"{what} has no axis: the joint is fixed", "give it to a joint that moves, or leave it out"
    if spring.stiffness is None and spring.tilt is None:
        yield "", f"{what} has neither a stiffness nor a tilt", "give one of them, or leave it out"
    if has_drive and spring.stiffness is not None:
        yield "stiffness", f"{what} is also the stiffness of its drive", "give one of them: it is one spring"
    if spring.stiffness is not None and not 0.0 < spring.stiffness <= STIFFEST:
        hint = "it is above zero; leave it out where the joint is rigid"
        yield "stiffness", f"{what} has the stiffness {spring.stiffness:g}", hint
    if not 0.0 <= spring.damping <= STIFFEST:
        yield "damping", f"{what} has the damping {spring.damping:g}", "it is zero or more"
    if spring.stiffness is None and spring.damping != 0.0:
        yield "damping", f"{what} has a damping without a stiffness", "give both, here or with the drive"
    if any(not 0.0 < k <= STIFFEST for k in spring.tilt or ()):
        hint = "both are above zero; leave it out where it is rigid"
        yield "tilt", f"{what} has the tilt {list(spring.tilt or ())} N m/rad", hint
    if any(not 0.0 <= d <= STIFFEST for d in spring.tilt_damping or ()):
        yield "tilt_damping", f"{what} has the tilt_damping {list(spring.tilt_damping or ())}", "both are zero or more"
    if spring.tilt_damping is not None and spring.tilt is None:
        yield "tilt_damping", f"{what} has a tilt_damping without a tilt", "give tilt = [kx, ky] with it"
