"""A link's beam cut into elements: nodes in the axes of the link's body, stiffness and mass over what they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torsor.elastic.beam_element import BeamElement
from torsor.model.beams import Beam, section_axes
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class BeamMesh:
    """Node 0 is where the beam is clamped: the origin of the link's joint. Each node has six coordinates."""

    beam: Beam
    nodes: Floats  # (nodes, 3)
    elements: tuple[BeamElement, ...]  # each begins at a node that an element before it ends at, or at node 0
    ends: Mapping[str, int]  # by what the file says is there: the nodes where its lines end

    @classmethod
    def of(cls, beam: Beam, T_body_link: Floats, up: Floats) -> BeamMesh:
        R, p = T_body_link[:3, :3], T_body_link[:3, 3]
        nodes = [R @ beam.points[0] + p]
        elements, ends = [], {}
        for path, line in zip(beam.paths, beam.lines, strict=True):
            node = 0
            for piece in line:
                start, along = R @ piece.start + p, R @ (piece.end - piece.start)
                axes, section = section_axes(along, R @ up), piece.section
                for k in range(beam.elements):
                    nodes.append(start + along * ((k + 1) / beam.elements))
                    last = len(nodes) - 1
                    length = float(np.linalg.norm(along)) / beam.elements
                    elements.append(BeamElement(node, last, axes, length, section, beam))
                    node = last
            ends[path.to] = node
        return cls(beam, np.array(nodes), tuple(elements), ends)

    @property
    def size(self) -> int:
        """Coordinates of all nodes, those of the clamped one among them."""
        return 6 * len(self.nodes)

    @cached_property
    def stiffness(self) -> Floats:
        return self._assembled([element.stiffness() for element in self.elements])

    @cached_property
    def mass(self) -> Floats:
        return self._assembled([element.mass() for element in self.elements])

    def _assembled(self, parts: list[Floats]) -> Floats:
        total = np.zeros((self.size, self.size))
        for element, part in zip(self.elements, parts, strict=True):
            T, at = turned(element), places(element)
            total[np.ix_(at, at)] += T.T @ part @ T
        return total

    def node_of(self, name: str, point: Floats) -> int:
        """The node that something mounted on the link rides on: the end of the line to it, or the one nearest to it."""
        if name in self.ends:
            return self.ends[name]
        return int(np.argmin(np.round(np.linalg.norm(self.nodes - point, axis=1), 9)))


def turned(element: BeamElement) -> Floats:
    """(12, 12): displacements and turns of its nodes in link axes to those in its own."""
    return np.asarray(np.kron(np.eye(4), element.axes.T), dtype=np.float64)


def places(element: BeamElement) -> list[int]:
    """Where the coordinates of its nodes are among those of the mesh."""
    return [6 * node + k for node in (element.first, element.last) for k in range(6)]
