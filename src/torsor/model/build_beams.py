"""From the beam and compliance tables of an arm file to what bends of its links."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from torsor.errors import DescriptionWarning, ModelError, did_you_mean
from torsor.model import sections
from torsor.model.beam_checks import material_problems, section_problems
from torsor.model.beams import MATERIALS, Beam, BeamDamping, Branch, Compliance, Material, Section, without
from torsor.model.build_drives import refuse_wrong_units, unit
from torsor.model.mass import Mass
from torsor.model.parts import Frame, Link, Loop
from torsor.model.schema import (
    ArmFile,
    BeamLineTable,
    BeamTable,
    ComplianceTable,
    LinkTable,
    MaterialTable,
    SectionTable,
)
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.model.transforms import Floats, inverse

SOFTEST = 1e6  # Pa; rubber has more
LIGHTEST = 25.0  # kg/m^3; foam has more
SLENDER = 5.0  # length over radius of gyration, below which shear cannot be left out
# Where sections are round, any direction will do that is along no piece.
UPS = (0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 2, 3), (-2, 3, 1), (3, 1, -2)


def elastic_links(
    arm: ArmFile, links: Sequence[Link], tool: Frame, loops: Sequence[Loop], toml: TomlFile
) -> list[Link]:
    """The links with their beams and compliances. A beam beside its link adds to the link's mass."""
    found = []
    for i, (table, link) in enumerate(zip(arm.link, links, strict=True)):
        place = ("link", i)
        if table.compliance is not None:
            refuse_wrong_units((*place, "compliance"), link.joint, toml)
            link = replace(link, compliance=_compliance(table.compliance, (*place, "compliance"), toml))
        if table.beam is not None:
            reached = {links[j].name: links[j].joint.before[:3, 3] for j in range(len(links)) if links[j].parent == i}
            ends = _Ends(reached, {}, link.name)
            if tool.link == i:
                ends.others["tool"] = tool.placement[:3, 3]
            for loop in loops:
                here = [end.placement[:3, 3] for end in (loop.first, loop.second) if end.link == i]
                if here:
                    ends.others[loop.name] = here[0]
            link = _with_beam(link, table, table.beam, (*place, "beam"), ends, toml)
        found.append(link)
    names = [link.name for link in links]
    for i, link in enumerate(found):
        if link.beam is not None and link.beam.up_in is not None and link.beam.up_in not in ("base", *names):
            key = ("link", i, "beam", "up_in")
            hint = did_you_mean(link.beam.up_in, ["base", *names])
            raise toml.error(key, f"{spelled(key)} is {link.beam.up_in!r}, which is no link", hint)
    return found


def _compliance(table: ComplianceTable, place: KeyPath, toml: TomlFile) -> Compliance:
    if table.stiffness is None and table.tilt is None:
        key = (*place, "stiffness")
        raise toml.error(key, f"missing {spelled(key)}", f"expected {toml.wording.expected['stiffness']}")
    return Compliance(table.stiffness, table.damping, table.tilt, table.tilt_damping)


def warn_of_stout_beams(links: Sequence[Link], toml: TomlFile) -> None:
    """Euler-Bernoulli leaves out shear, which a short and thick beam has most of."""
    for i, link in enumerate(links):
        if link.beam is None or link.beam.theory != "euler-bernoulli":
            continue
        for line in link.beam.lines:
            length, radius = sum(piece.length for piece in line), max(piece.section.gyration for piece in line)
            if length < SLENDER * radius:
                problem = f"the beam of link {link.name!r} is {length:.3g} m long with a radius of gyration of"
                problem += f' {radius:.3g} m, too stout for Euler-Bernoulli; say theory = "timoshenko"'
                where = f"{toml.file}:{toml.line_of(('link', i, 'beam'))}"
                warnings.warn(f"{where}: {problem}", DescriptionWarning, stacklevel=4)


@dataclass
class _Ends:
    """Where a beam of a link may end, by name, in link axes."""

    children: dict[str, Floats]
    others: dict[str, Floats]  # the tool, ends of loops
    link: str

    def chosen(self, table: BeamLineTable, place: KeyPath, toml: TomlFile) -> tuple[str, Floats]:
        known: Mapping[str, Floats] = self.children | self.others
        to = table.to
        if to is None:
            # the only child, else the tool or the only end of a loop
            some = self.children or {name: at for name, at in self.others.items() if name == "tool"} or self.others
            if len(some) == 1:
                to = next(iter(some))
            elif table.end is None:
                problem = f"{spelled(place)} does not say where it ends"
                hint = f"give to, one of {', '.join(known)}" if known else "give end, a point in link axes"
                raise toml.error(place, f"{problem}: link {self.link!r} carries {_counted(some)}", hint)
        elif to not in known:
            problem = f"{spelled((*place, 'to'))} is {to!r}, which is not carried by link {self.link!r}"
            hint = did_you_mean(to, known) if known else "it carries nothing: give end, a point in link axes"
            raise toml.error((*place, "to"), problem, hint)
        end = known[to] if table.end is None and to is not None else np.array(table.end)
        return to or "", end


def _counted(some: Mapping[str, Floats]) -> str:
    return f"{len(some)} others" if some else "nothing"


def _with_beam(link: Link, table: LinkTable, beam: BeamTable, place: KeyPath, ends: _Ends, toml: TomlFile) -> Link:
    if not link.joint.moves:
        problem = f"link {link.name!r} is fixed to its parent and cannot have a beam of its own"
        raise toml.error(place, problem, "put the beam on the link that moves, and let it end there")
    material = _material(beam.material, (*place, "material"), toml)
    start = inverse(link.joint.after)[:3, 3] if beam.start is None else np.array(beam.start)
    to, points = _points(beam, start, place, ends, toml)
    lines = [_sections(beam, material, beam, place, toml)]
    branches = []
    for k, branch in enumerate(beam.branch):
        at = (*place, "branch", k)
        named, corners = _branch_points(branch, start, at, ends, to, toml)
        lines.append(_sections(branch, material, beam, at, toml))
        branches.append(Branch(corners, lines[-1], named))
    if beam.modes is not None and beam.below is not None:
        raise toml.error((*place, "below"), f"{spelled(place)} has both modes and below", "give one of them")
    if beam.damping.ratio is not None and beam.damping.rayleigh is not None:
        problem = f"{spelled((*place, 'damping'))} has both a ratio and rayleigh"
        raise toml.error((*place, "damping"), problem, "give one of them")
    known = BeamDamping(rayleigh=beam.damping.rayleigh)
    if beam.damping.ratio is not None:
        known = BeamDamping(beam.damping.ratio)
    made = Beam(
        points=points,
        sections=lines[0],
        up=_up(beam, [points, *(branch.points for branch in branches)], lines, place, toml),
        material=material,
        theory=beam.theory,
        rotary=beam.rotary,
        elements=beam.elements,
        modes=5 if beam.modes is None and beam.below is None else beam.modes,
        below=beam.below,
        damping=known,
        rule=beam.mass,
        to=to,
        branches=tuple(branches),
        up_in=beam.up_in,
    )
    return _weighed(replace(link, beam=made), made, place, toml)


def _weighed(link: Link, beam: Beam, place: KeyPath, toml: TomlFile) -> Link:
    """The link with its mass, and the beam with what of the link stays rigid."""
    if beam.rule == "share" and link.mass is None:
        problem = f"{spelled(place)} shares the mass of link {link.name!r}, which is not known"
        raise toml.error((*place, "mass"), problem, 'give the mass of the link, or say mass = "beside"')
    if not _has_length(beam):
        return link  # which the checks of the model refuse
    with np.errstate(all="ignore"):  # what is not finite, they refuse too
        mass = beam.mass
        if link.mass is None:  # the beam is all that is known of the link
            return replace(link, mass=mass)
        if beam.rule == "beside":
            return replace(link, mass=link.mass + mass, beam=replace(beam, own=link.mass))
        if beam.rule == "share":
            return replace(link, beam=replace(beam, own=_rest(link.mass, mass)))
    return link


def _has_length(beam: Beam) -> bool:
    return all(piece.length > 0.0 and np.cross(beam.up, piece.end - piece.start).any() for piece in beam.pieces)


def _rest(whole: Mass, part: Mass) -> Mass:
    rest = without(whole, part)
    negligible = abs(rest.mass) <= 1e-12 * whole.mass
    return Mass.none() if negligible and np.abs(rest.inertia).max() <= 1e-9 * np.abs(whole.inertia).max() else rest


def _points(table: BeamLineTable, start: Floats, place: KeyPath, ends: _Ends, toml: TomlFile) -> tuple[str, Floats]:
    to, end = ends.chosen(table, place, toml)
    return to, np.array([start, *table.through, end], dtype=np.float64) + 0.0  # no -0.0


def _branch_points(
    table: BeamLineTable, start: Floats, place: KeyPath, ends: _Ends, taken: str, toml: TomlFile
) -> tuple[str, Floats]:
    """A branch names where it leads, or gives its end: nothing else says it."""
    if table.to is None:
        if table.end is None:
            raise toml.error(place, f"{spelled(place)} does not say where it ends", "give to, or end in link axes")
        return "", np.array([start, *table.through, table.end], dtype=np.float64) + 0.0
    if table.to == taken:
        problem = f"{spelled((*place, 'to'))} is {table.to!r}, where the beam itself ends"
        raise toml.error((*place, "to"), problem, "a branch leads elsewhere")
    return _points(table, start, place, ends, toml)


def _material(table: MaterialTable | None, place: KeyPath, toml: TomlFile) -> Material:
    if table is None:
        hint = f"give one of {', '.join(MATERIALS)}, or {{ E = .., nu = .., rho = .. }}"
        raise toml.error(place, f"missing {spelled(place)}", hint)
    material = Material(table.name, table.E, table.nu, table.rho, table.yields)
    for problem, hint in (*material_problems(material), *_slips(material)):
        raise toml.error(place, f"{spelled(place)}: {problem}", hint)
    return material


def _slips(material: Material) -> Iterator[tuple[str, str]]:
    """What a number looks like that was written in another unit."""
    if material.E < SOFTEST:
        yield f"E is {material.E:g} Pa", f'did you mean "{material.E:g} GPa"? steel has 210e9 Pa'
    if material.rho < LIGHTEST:
        yield f"rho is {material.rho:g} kg/m^3", f'did you mean "{material.rho:g} g/cm^3"? steel has 7850 kg/m^3'
    if material.yields is not None and material.yields < SOFTEST:
        yield f"yield is {material.yields:g} Pa", f'did you mean "{material.yields:g} MPa"? steel has 355e6 Pa'


def _sections(
    table: BeamLineTable, material: Material, beam: BeamTable, place: KeyPath, toml: TomlFile
) -> tuple[Section, ...]:
    pieces, key = len(table.through) + 1, (*place, "section")
    made = []
    for k, each in enumerate(table.section):
        name = spelled(key if len(table.section) == 1 else (*key, k))
        try:
            section = _section(each, material.nu)
        except ModelError as error:
            raise toml.error(key, f"{name}: {error.problem}", error.hint) from None
        for problem, hint in section_problems(section, beam.theory):
            raise toml.error(key, f"{name}: {problem}", hint)
        made.append(section)
    if len(made) == 1:
        made *= pieces
    if len(made) != pieces:
        problem = f"{spelled(key)} has {len(made)} sections for {pieces} piece{'s' * (pieces > 1)}"
        raise toml.error(key, problem, "give one, or one for each piece: there is one more than corners in through")
    return tuple(made)


def _section(table: SectionTable, nu: float) -> Section:
    given = [shape for shape in ("tube", "box", "bar", "rod") if getattr(table, shape) is not None]
    numbers = {name: getattr(table, name) for name in ("area", "Iy", "Iz", "J")}
    some = [name for name, value in numbers.items() if value is not None]
    hint = "give one of tube, box, bar, rod, or area, Iy, Iz and J"
    if len(given) + bool(some or table.shear or table.extent) != 1:
        raise ModelError("this is no section" if not given else f"it is a {given[0]} and more", hint=hint)
    if table.tube is not None:
        return sections.tube(*table.tube, nu=nu)
    if table.box is not None:
        return sections.box(*table.box, nu=nu)
    if table.bar is not None:
        return sections.bar(*table.bar)
    if table.rod is not None:
        return sections.rod(*table.rod, nu=nu)
    if missing := [name for name in numbers if name not in some]:
        raise ModelError(f"{', '.join(missing)} missing", hint=hint)
    return sections.by_numbers(**numbers, shear=table.shear, extent=table.extent)


def _up(
    beam: BeamTable, lines: list[Floats], made: list[tuple[Section, ...]], place: KeyPath, toml: TomlFile
) -> Floats:
    if beam.up is not None:
        return unit(np.array(beam.up), (*place, "up"), toml)
    if beam.up_in is not None or not all(section.is_round for line in made for section in line):
        hint = "give a direction in link axes: the section's y is across it and the beam, its height is along it"
        raise toml.error(place, f"{spelled(place)} has no up, and a section that is not round", hint)
    steps = [step for points in lines for step in np.diff(points, axis=0)]

    def clear(up: Floats) -> bool:
        return all(np.abs(np.cross(up, step)).max() > 0.1 * np.abs(step).max() for step in steps)

    ups = [np.array(up) / np.sqrt(np.dot(up, up)) for up in UPS]
    return next((up for up in ups if clear(up)), ups[0])
