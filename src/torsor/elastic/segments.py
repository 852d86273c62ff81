"""Elastic links as chains of rigid segments with springs between them: the independent witness.

A piece of a beam is cut into segments of length h, the first and the last of half that length, with three turns between
two of them: torsion G J / h, bending E Iy / h and E Iz / h. They are joints like any other, so that large bending is
exact and nothing of the modal page is used; frequencies converge with the square of h, and the fastest grow with 1 / h.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from torsor.elastic.beam_mesh import BeamMesh
from torsor.elastic.elastic_tree import ElasticTree, Spring
from torsor.mechanics.tree import Body, Mount, second_moments
from torsor.model.beams import Beam, BeamPiece, section_axes
from torsor.model.mass import Mass
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, pose, times

# of axes whose z is x, y, z of those before
TO_AXIS = (
    np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    np.eye(3),
)


@dataclass(eq=False)
class _Chain:
    """The bodies as they are found, and where frames of the arm's own bodies went."""

    bodies: list[Body] = field(default_factory=list)
    springs: list[tuple[int, Spring]] = field(default_factory=list)  # body, spring of its joint
    at: dict[tuple[int, int], tuple[int, Floats]] = field(default_factory=dict)  # body, node -> segment, T_segment_node

    def add(self, body: Body) -> int:
        self.bodies.append(body)
        return len(self.bodies) - 1


def segmented(arm: ElasticTree, count: int) -> ElasticTree:
    """The same arm with each piece of its beams in ``count`` segments."""
    chain = _Chain()
    new: dict[int, int] = {BASE: BASE}
    for i, body in enumerate(arm.tree.bodies):
        new[i] = chain.add(_carried(arm, chain, new, body))
        if i in arm.meshes:
            _cut(arm.meshes[i], chain, new[i], i, count)
    mounts = {name: _moved(arm, chain, new, name, mount) for name, mount in arm.tree.frames.items()}
    bending = [spring for _, spring in chain.springs]
    size = arm.n + len(arm.springs) + len(bending)
    turns = np.zeros((len(chain.bodies), size))
    for i, row in enumerate(arm.turns):
        turns[new[i], : arm.n + len(arm.springs)] = row[: arm.n + len(arm.springs)]
    for k, (segment, _) in enumerate(chain.springs):
        turns[segment, arm.n + len(arm.springs) + k] = 1.0
    tree = replace(arm.tree, bodies=tuple(chain.bodies), frames=mounts, ends=())
    names = (*arm.names[: arm.n + len(arm.springs)], *(spring.name for spring in bending))
    nowhere = (None,) * len(chain.bodies)
    return ElasticTree(tree, {}, {}, nowhere, {}, (), (*arm.springs, *bending), turns, names)


def _carried(arm: ElasticTree, chain: _Chain, new: dict[int, int], body: Body) -> Body:
    """A body of the arm on the segment that it rides on."""
    mount = _moved(arm, chain, new, body.name, Mount(body.parent, body.rotation, body.position))
    return replace(body, parent=mount.body, rotation=mount.rotation, position=mount.position)


def _moved(arm: ElasticTree, chain: _Chain, new: dict[int, int], name: str, mount: Mount) -> Mount:
    """A frame on a body of the arm, on the segment that carries it."""
    if mount.body not in arm.meshes:
        return Mount(new[mount.body], mount.rotation, mount.position)
    mesh = arm.meshes[mount.body]
    node = mesh.node_of(name, mount.position)
    if node == 0:  # which is clamped
        return Mount(new[mount.body], mount.rotation, mount.position)
    segment, T_segment_node = chain.at[mount.body, node]
    T = times(T_segment_node, pose(np.eye(3), mount.position - mesh.nodes[node]), pose(mount.rotation))
    return Mount.at(segment, T)


def _cut(mesh: BeamMesh, chain: _Chain, body: int, old: int, count: int) -> None:
    beam, owner = mesh.beam, chain.bodies[body]
    T_body_link, node = owner.link, 0
    for path, line in zip(beam.paths, beam.lines, strict=True):
        carrier, T_carrier = body, np.eye(4)  # where the piece begins, in axes of the body that carries it
        T_carrier[:3, 3] = T_body_link[:3, :3] @ line[0].start + T_body_link[:3, 3]
        for piece in line:
            R = T_body_link[:3, :3] @ section_axes(piece.end - piece.start, beam.up)
            start = times(T_carrier, pose(R))  # x along the piece
            segments = _piece(chain, beam, piece, carrier, start, count, f"{owner.name}.{path.to}")
            for k in range(beam.elements):
                node += 1
                x = piece.length * ((k + 1) / beam.elements)
                carrier, T, since = segments[hinges_before(k + 1, beam.elements, count)]
                T_carrier = times(T, _along(x - since), pose(R.T))
                chain.at[old, node] = carrier, T_carrier


def hinges_before(node: int, elements: int, count: int) -> int:
    """How many of the ``count`` hinges of a piece lie before one of its nodes.

    Hinge j is at (2 j + 1) / (2 count) of the piece, the node at node / elements: compared by whole numbers, as in
    metres they differ by rounding where they are one. A node on a hinge is carried by what comes before the hinge.

    >>> [hinges_before(node, 4, 2) for node in range(5)], [hinges_before(node, 6, 3) for node in range(7)]
    ([0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2, 3])
    """
    return sum((2 * j + 1) * elements < 2 * count * node for j in range(count))


def _piece(
    chain: _Chain, beam: Beam, piece: BeamPiece, carrier: int, start: Floats, count: int, name: str
) -> list[tuple[int, Floats, float]]:
    """Adds the segments of a piece; each with where it begins on its body, and how far that is along the piece."""
    h, s, material = piece.length / count, piece.section, beam.material
    _weigh(chain, carrier, rod(beam, piece, 0.5 * h).moved(start))
    T, found = times(start, _along(0.5 * h)), [(carrier, start, 0.0)]
    stiffness = (material.G * s.J / h, material.E * s.Iy / h, material.E * s.Iz / h)
    for k in range(count):
        length = h if k < count - 1 else 0.5 * h
        for axis, spring in enumerate(stiffness):
            R = TO_AXIS[axis]
            carrier, T = chain.add(hinged(f"{name}{k}", carrier, T[:3, :3] @ R, T[:3, 3])), pose(R.T)
            chain.springs.append((carrier, Spring(f"{name}.{'xyz'[axis]}{len(chain.springs)}", spring, 0.0)))
        _weigh(chain, carrier, rod(beam, piece, length).moved(T))
        found.append((carrier, T, (k + 0.5) * h))
        T = times(T, _along(length))
    return found


def hinged(name: str, carrier: int, R: Floats, p: Floats) -> Body:
    """A massless body that turns about its z; no joint of the arm turns it."""
    return Body(
        name, carrier, 1.0, 0.0, R, p, 0.0,
        0.0, np.zeros(3), np.zeros((3, 3)), 0, 0.0, 0.0, np.eye(4), -1,
    )  # fmt: skip


def _along(length: float) -> Floats:
    return pose(np.eye(3), np.array([length, 0.0, 0.0]))


def rod(beam: Beam, piece: BeamPiece, length: float) -> Mass:
    """A part of a piece, from the origin along x."""
    s, per_length = piece.section, beam.material.rho
    m = per_length * s.area * length
    across = np.array([s.Iy, s.Iz]) * beam.rotary
    slender = m * length**2 / 12.0
    inertia = np.diag([per_length * length * (s.Iy + s.Iz), *(slender + per_length * length * across)])
    return Mass(m, np.array([0.5 * length, 0.0, 0.0]), inertia)


def _weigh(chain: _Chain, body: int, mass: Mass) -> None:
    """Adds a mass, in the body's axes."""
    old = chain.bodies[body]
    K = second_moments(mass.inertia_about_origin)
    chain.bodies[body] = replace(
        old, mass=old.mass + mass.mass, moment=old.moment + mass.mass * mass.com, second=old.second + K
    )
