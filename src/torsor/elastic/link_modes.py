"""The shapes in which an elastic link may bend: those of the link clamped at its joint, with what it carries.

Modes of the bare link are a trap: cut off by frequency, they leave out the very shapes that a heavy load at the end
asks for. Loaded ones need a handful. Coordinates that have nothing to do with each other (bending in one plane and in
the other, torsion, stretching) are solved for apart, so that a round tube, which bends alike in all planes, has the
same modes on every machine.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import connected_components

from torsor.elastic.beam_mesh import BeamMesh
from torsor.errors import ModelError
from torsor.model.mass import Mass
from torsor.model.transforms import Floats

NOISE = 1e-11  # entries of a matrix that are this much smaller than its diagonal are rounding


def link_modes(mesh: BeamMesh, carried: list[tuple[int, Mass]], *, modes: int | None, below: float | None) -> Floats:
    """(coordinates of the mesh, modes), of unit modal mass with what is carried: the lowest, or all below a frequency.

    ``carried`` are masses at nodes, in the axes of the link about the node: of each the mass counts, and how large it
    is (its mean radius of gyration about the node), alike in all directions.
    """
    axes = mesh.elements[0].axes
    turn = np.kron(np.eye(mesh.size // 3), axes)  # the planes of the first piece: where all are straight, those of all
    K, M = (turn.T @ part @ turn for part in (mesh.stiffness, mesh.mass + lumped(mesh, carried)))
    K, M = K[6:, 6:], M[6:, 6:]
    found = [_block(K, M, block) for block in _blocks(K, M)]
    squares = np.concatenate([squares for squares, _ in found])
    shapes = np.concatenate([shapes for _, shapes in found], axis=1)
    # equal ones stay in the order of their blocks, whatever their last digits say
    order = np.lexsort([np.arange(len(squares)), np.round(np.log(squares), 6)])
    if modes is None:
        assert below is not None
        modes = int((squares < (2.0 * np.pi * below) ** 2).sum())
        if modes == 0:
            lowest = np.sqrt(squares.min()) / (2.0 * np.pi)
            problem = f"no mode lies below {below:g} Hz: the lowest has {lowest:.4g} Hz"
            raise ModelError(problem, hint="give a higher frequency, or modes instead of below")
    full = np.zeros((mesh.size, modes))
    full[6:] = shapes[:, order[:modes]]
    return np.asarray(turn @ full)


def lumped(mesh: BeamMesh, carried: list[tuple[int, Mass]]) -> Floats:
    """What the link carries, as masses at its nodes."""
    M = np.zeros((mesh.size, mesh.size))
    for node, mass in carried:
        inertia = np.trace(mass.inertia_about_origin) / 3.0
        for k in range(6):
            M[6 * node + k, 6 * node + k] += mass.mass if k < 3 else inertia
    return M


def _blocks(K: Floats, M: Floats) -> list[list[int]]:
    """Coordinates that have to do with each other."""
    linked = np.zeros(K.shape, dtype=bool)
    for part in (K, M):
        size = np.sqrt(np.abs(np.diag(part)))
        linked |= np.abs(part) > NOISE * np.outer(size, size)
    count, label = connected_components(linked, directed=False)
    return [np.flatnonzero(label == k).tolist() for k in range(count)]


def _block(K: Floats, M: Floats, at: list[int]) -> tuple[Floats, Floats]:
    try:
        squares, found = scipy.linalg.eigh(K[np.ix_(at, at)], M[np.ix_(at, at)])
    except np.linalg.LinAlgError:
        hint = "are sections and densities right, and masses and inertias of what it carries?"
        raise ModelError("a beam with what it carries has no mass in some direction, or far less", hint=hint) from None
    largest = np.argmax(np.round(np.abs(found) / np.abs(found).max(axis=0), 6), axis=0)
    found = found * np.sign(found[largest, np.arange(found.shape[1])])
    shapes = np.zeros((len(K), len(at)))
    shapes[at] = found
    return squares, shapes
