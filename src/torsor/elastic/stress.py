"""Stress in elastic links: forces in every cut, the largest von Mises stress there, and where and when it is worst.

A section that was given by numbers alone has no edge: its forces are told, its stress is not known and is NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torsor.elastic.beam_cuts import ArmCuts, BeamCut
from torsor.elastic.section_stress import MY, MZ, outline_of
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.model.beams import Section

ROWS = 2048  # sections at once: their edges have up to 132 points


@dataclass(frozen=True, eq=False)
class LinkStress:
    """Along the beam of a link, cut by cut, from its clamped end outward, then along its branches."""

    link: str
    cuts: tuple[BeamCut, ...]
    forces: Floats  # (..., cuts, 6): N, Qy, Qz, T, My, Mz
    von_mises: Floats  # (..., cuts), Pa, the largest on the edge of the section; NaN: not known
    yields: float | None  # Pa; None: not known
    rigid: float  # kg of the link that count as rigid at its joint: no section of it carries them
    time: Floats | None = None  # (cuts,) along motions: when each cut has most, s

    @property
    def places(self) -> Floats:
        """(cuts,): m from the joint along the beam, or along the branch."""
        return np.array([cut.place for cut in self.cuts])

    @property
    def nodes(self) -> list[int]:
        """Of each cut: the node of the beam at which it is, as in `Deflection.nodes`."""
        return [cut.node for cut in self.cuts]

    @property
    def share(self) -> Floats:
        """(..., cuts): of the stress at which the material yields; NaN where one of them is not known."""
        return self.von_mises / (np.nan if self.yields is None else self.yields)

    @property
    def is_known(self) -> bool:
        return all(outline_of(section) is not None for section in {cut.section for cut in self.cuts})


@dataclass(frozen=True)
class WorstStress:
    """The section with the most stress."""

    link: str
    to: str  # where its line leads
    place: float  # m from the joint along it
    stress: float  # Pa, von Mises
    share: float | None  # of yield; None: not known
    time: float | None  # s, along motions
    index: tuple[int, ...]  # of many postures, in which

    def __str__(self) -> str:
        when = "" if self.time is None else f" at {self.time:.3f} s"
        share = "" if self.share is None else f", {100.0 * self.share:.3g} % of yield"
        return f"{1e-6 * self.stress:.3g} MPa in {self.link} {self.place:.3g} m from its joint{when}{share}"


@dataclass(frozen=True, eq=False)
class ArmStress:
    """Of every link that bends. ``worst`` is None where the stress of none is known."""

    links: dict[str, LinkStress]

    @classmethod
    def of(cls, cuts: ArmCuts, forces: Floats) -> ArmStress:
        """From the forces (..., cuts, 6) in all sections."""
        found = {}
        for body, own in cuts.slices.items():
            mine = forces[..., own, :]
            stress = [largest(cut.section, mine[..., k, :]) for k, cut in enumerate(cuts.of[body])]
            found[cuts.name(body)] = _of_link(cuts, body, mine, np.stack(stress, axis=-1))
        return cls(found)

    @property
    def worst(self) -> WorstStress | None:
        """The largest share of yield; where one of the links has none, the largest stress."""
        candidates = [link for link in self.links.values() if np.isfinite(link.von_mises).any()]
        if not candidates:
            return None
        by_share = all(link.yields is not None for link in candidates)
        sizes = [link.share if by_share else link.von_mises for link in candidates]
        tops = [float(np.nanmax(size)) for size in sizes]
        k = int(np.argmax(tops))
        return worst_of(candidates[k], sizes[k])

    @property
    def notes(self) -> list[str]:
        """What is not in it."""
        said, numbers = [], []
        for link in self.links.values():
            if not link.is_known:
                problem = f"the stress of {link.link} is not known: its section was given by numbers"
                said.append(f"{problem}, and extent, how far it reaches, is missing")
            elif not all(cut.section.shape for cut in link.cuts):
                numbers.append(link.link)
            if link.is_known and link.yields is None:
                said.append(f"the material of {link.link} has no yield: shares of it are not known")
            if link.rigid:
                problem = f"{link.rigid:.3g} kg of {link.link} count as rigid at its joint"
                said.append(f"{problem}: no section of it carries them")
        if numbers:
            said.append(f"shear across {', '.join(numbers)} is left out: of sections given by numbers it is not known")
        return said


def worst_of(link: LinkStress, size: Floats | None = None) -> WorstStress:
    """Of one link, by stress, or by what is given of each cut."""
    ranked = link.von_mises if size is None else size
    at = np.unravel_index(int(np.nanargmax(ranked)), ranked.shape)
    *index, k = (int(each) for each in at)
    stress, cut = float(link.von_mises[at]), link.cuts[k]
    share = None if link.yields is None else stress / link.yields
    time = None if link.time is None else float(link.time[k])
    return WorstStress(link.link, cut.to, cut.place, stress, share, time, tuple(index))


def largest(section: Section, forces: Floats) -> Floats:
    """(..., 6) -> (...): the largest von Mises stress, Pa; NaN where it is not known."""
    outline = outline_of(section)
    if outline is None:
        return np.full(forces.shape[:-1], np.nan)
    rows = forces.reshape(-1, 6)
    parts = [outline.von_mises(rows[k : k + ROWS]) for k in range(0, len(rows), ROWS)]
    return np.concatenate(parts).reshape(forces.shape[:-1]) if parts else np.zeros(forces.shape[:-1])


class StressPeaks:
    """The most that each cut has seen, and when. Blocks of samples are added one after the other and forgotten.

    Nothing is passed over: what has at most as much as a sample that was seen is found by a bound that is quick, and
    whatever that does not settle is computed.
    """

    def __init__(self, cuts: ArmCuts) -> None:
        self.cuts = cuts
        count = sum(map(len, cuts.of.values()))
        self.stress = np.full(count, np.nan)
        self.time = np.full(count, np.nan)
        self.forces = np.full((count, 6), np.nan)
        self._size = np.full(count, -1.0)  # stress, or where it is not known the bending moment

    def add(self, time: Floats, forces: Floats) -> None:
        """Samples (steps,), (steps, cuts, 6)."""
        for body, own in self.cuts.slices.items():
            for k, cut in enumerate(self.cuts.of[body], start=own.start):
                self._add_to(k, cut.section, time, forces[:, k])

    def _add_to(self, k: int, section: Section, time: Floats, forces: Floats) -> None:
        outline = outline_of(section)
        if outline is None:
            sizes = np.hypot(forces[:, MY], forces[:, MZ])
            self._keep(k, time, forces, sizes, known=False)
            return
        most = outline.most(forces)
        first = int(np.argmax(most))
        self._keep(k, time[[first]], forces[[first]], largest(section, forces[[first]]))
        open_still = np.flatnonzero(most > self._size[k])
        if len(open_still):
            self._keep(k, time[open_still], forces[open_still], largest(section, forces[open_still]))

    def _keep(self, k: int, time: Floats, forces: Floats, sizes: Floats, known: bool = True) -> None:
        at = int(np.argmax(sizes))
        if sizes[at] > self._size[k]:
            self._size[k], self.time[k], self.forces[k] = sizes[at], time[at], forces[at]
            self.stress[k] = sizes[at] if known else np.nan

    @property
    def found(self) -> ArmStress:
        links = {}
        for body, own in self.cuts.slices.items():
            name, parts = self.cuts.name(body), (self.forces[own], self.stress[own], self.time[own])
            links[name] = _of_link(self.cuts, body, *parts)
        return ArmStress(links)


def _of_link(cuts: ArmCuts, body: int, forces: Floats, stress: Floats, time: Floats | None = None) -> LinkStress:
    beam, rigid = cuts.beam(body), cuts.tree.tree.bodies[body].mass
    return LinkStress(cuts.name(body), cuts.of[body], forces, stress, beam.material.yields, rigid, time)
