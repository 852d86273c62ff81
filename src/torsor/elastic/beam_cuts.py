"""Cuts through beams: what lies beyond each, as a body with the shapes of its link.

A cut stands at an end of an element, in the axes of its section, which move and turn with the bent beam. What is beyond
it is the rest of its line: the integrals over that mass, and the tips that others ride on. Lines that branch begin in
the node that is clamped, so that nothing beyond a cut is on another line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torsor.elastic.beam_element import BeamElement
from torsor.elastic.beam_mesh import BeamMesh
from torsor.elastic.elastic_tree import ElasticTree
from torsor.elastic.flexible import BeamTip, Flexible, cleaned, integrals, summed, tip_at
from torsor.model.beams import Beam, Section
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class BeamCut:
    axes: Floats  # of the section in those of the body, as columns: outward, y, z
    here: BeamTip  # how the cut moves and turns
    beyond: Flexible | None  # the mass beyond it; None: there is none
    tips: tuple[int, ...]  # of the body, those beyond it
    place: float  # m from the clamped end along its line
    node: int
    to: str  # what its line leads to, as the file names it
    section: Section

    @property
    def facts(self) -> tuple[object, ...]:
        """All that the forces in it depend on."""
        return self.axes, self.here, self.beyond, self.tips


@dataclass(frozen=True, eq=False)
class ArmCuts:
    """All cuts through the beams of an arm, by body."""

    tree: ElasticTree
    of: Mapping[int, tuple[BeamCut, ...]]

    @classmethod
    def through(cls, tree: ElasticTree) -> ArmCuts:
        return cls(tree, {body: tuple(_cuts(tree, body)) for body in tree.meshes})

    @cached_property
    def facts(self) -> tuple[object, ...]:
        return self.tree.facts, self.tree.ends, [(body, [cut.facts for cut in cuts]) for body, cuts in self.of.items()]

    @cached_property
    def slices(self) -> dict[int, slice]:
        """Where the cuts of a body are among all."""
        found, at = {}, 0
        for body, cuts in self.of.items():
            found[body] = slice(at, at + len(cuts))
            at += len(cuts)
        return found

    def beam(self, body: int) -> Beam:
        return self.tree.meshes[body].beam

    def name(self, body: int) -> str:
        return self.tree.tree.bodies[body].name


def _cuts(tree: ElasticTree, body: int) -> Iterator[BeamCut]:
    """Of each line from the clamped end outward; at a node both sides, where they differ."""
    mesh, link = tree.meshes[body], tree.flexible[body]
    V = link.shapes
    parts, shortened = integrals(mesh, V)
    tip_nodes = [tip.node for tip in link.tips]
    for to, line in _lines(mesh):
        place, nodes = 0.0, [mesh.elements[k].last for k in line]
        for j, k in enumerate(line):
            element = mesh.elements[k]
            after = mesh.elements[line[j + 1]] if j + 1 < len(line) else None
            last = element.last in tip_nodes or not _goes_on(element, after)
            ends = [(element.first, place, j)] + [(element.last, place + element.length, j + 1)] * last
            for node, at, first in ends:
                rest = [parts[each] for each in line[first:]]
                riding = nodes[max(j, first - 1) :]  # at the far end of an element the tip there is beyond the cut
                yield BeamCut(
                    element.axes,
                    tip_at(mesh, V, shortened, node),
                    _part(summed(rest), V) if rest else None,
                    tuple(i for i, tip in enumerate(tip_nodes) if tip in riding),
                    at,
                    node,
                    to,
                    element.section,
                )
            place += element.length


def _lines(mesh: BeamMesh) -> Iterator[tuple[str, list[int]]]:
    """Where each line leads, and its elements."""
    at = 0
    for path, line in zip(mesh.beam.paths, mesh.beam.lines, strict=True):
        count = mesh.beam.elements * len(line)
        yield path.to, list(range(at, at + count))
        at += count


def _goes_on(element: BeamElement, after: BeamElement | None) -> bool:
    """Whether what stands at its far end is what stands at the near end of the next."""
    return after is not None and element.section == after.section and np.array_equal(element.axes, after.axes)


def _part(total: dict[str, object], V: Floats) -> Flexible:
    none = np.zeros((V.shape[1], V.shape[1]))
    return cleaned(Flexible(**total, M=none, K=none, D=none, tips=(), shapes=V[:0]))  # type: ignore[arg-type]
