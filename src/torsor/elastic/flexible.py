"""A link with shapes as a body with more coordinates: the constants that its dynamics need, and no more of the beam.

Its points are at r = r0 + S eta + 1/2 eta^T H eta in the axes of its body, where it is clamped at the origin of its
joint; H is the shortening of a bent beam, without which one that spins fast would run away. Integrals of r over the
mass (Wallrapp calls them standard data) are taken once, over the shapes of the elements.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import numpy as np

from torsor.elastic.beam_element import POINTS, WEIGHTS, BeamElement
from torsor.elastic.beam_mesh import BeamMesh, places, turned
from torsor.mechanics.tree import Reals, second_moments
from torsor.model.transforms import Floats

Cleaned = TypeVar("Cleaned", "BeamTip", "Flexible")
NOISE = 1e-11  # constants that are this much smaller than the largest of their kind are rounding, and cost operations


@dataclass(frozen=True, eq=False)
class BeamTip:
    """A node that something rides on: displaced by Phi eta + 1/2 eta^T H eta, turned by small angles Psi eta."""

    position: Floats  # (3,), at rest
    Phi: Floats  # (3, m)
    Psi: Floats  # (3, m), about x, then y, then z
    H: Floats  # (m, m, 3)
    node: int = 0  # of its mesh

    def displaced(self, e: Reals) -> Reals:
        """Where it is, (..., 3)."""
        return self.position + e @ self.Phi.T + 0.5 * twice(e, self.H)

    def columns(self, e: Reals) -> Reals:
        """(..., m, 3): by how much it moves for a unit of each coordinate."""
        return self.Phi.T + weighed(e, self.H)


@dataclass(frozen=True, eq=False)
class Flexible:
    """Integrals over the mass of a beam with m shapes, and its stiffness and damping over them."""

    mass: float
    moment: Floats  # (3,) int r0
    second: Floats  # (3, 3) int r0 r0^T, the turning of slices counted in
    S: Floats  # (3, m) int S
    A: Floats  # (m, 3, 3) int r0 S_j^T
    B: Floats  # (m, m, 3, 3) int S_j S_k^T
    H: Floats  # (m, m, 3) int H_jk
    G: Floats  # (m, m, 3, 3) int r0 H_jk^T
    spin: Floats  # (3, m) angular momentum of slices that turn
    M: Floats  # (m, m)
    K: Floats  # (m, m)
    D: Floats  # (m, m)
    tips: tuple[BeamTip, ...]
    shapes: Floats  # (coordinates of the mesh, m)

    @property
    def m(self) -> int:
        return len(self.M)


def weighed(e: Reals, constants: Floats) -> Reals:
    """sum_k e_k C_k: (..., m), (m, ...) -> (..., ...)."""
    return np.asarray(e @ constants.reshape(len(constants), -1)).reshape(*e.shape[:-1], *constants.shape[1:])


def twice(e: Reals, constants: Floats) -> Reals:
    """sum_jk e_j e_k C_jk: (..., m), (m, m, ...) -> (..., ...)."""
    once = weighed(e, constants)
    return np.asarray((e.reshape(*e.shape, *(1,) * (constants.ndim - 2)) * once).sum(axis=e.ndim - 1))


def flexible(mesh: BeamMesh, V: Floats, ends: list[int], D: Floats) -> Flexible:
    """The constants of shapes V (coordinates of the mesh, m), with tips at the nodes ``ends``."""
    parts, shortened = integrals(mesh, V)
    tips = tuple(tip_at(mesh, V, shortened, k) for k in ends)
    K, M = V.T @ mesh.stiffness @ V, V.T @ mesh.mass @ V
    return cleaned(Flexible(**summed(parts), M=M, K=K, D=D, tips=tips, shapes=V))


def tip_at(mesh: BeamMesh, V: Floats, shortened: Floats, k: int) -> BeamTip:
    return cleaned(BeamTip(mesh.nodes[k], V[6 * k : 6 * k + 3], V[6 * k + 3 : 6 * k + 6], shortened[k], k))


def summed(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Integrals over several elements."""
    return {name: sum(part[name] for part in parts[1:]) + value for name, value in parts[0].items()}


def integrals(mesh: BeamMesh, V: Floats) -> tuple[list[dict[str, Any]], Floats]:
    """Those of `Flexible` over the mass of each element, and H at the nodes (nodes, m, m, 3)."""
    m, found = V.shape[1], []
    shortened = np.zeros((len(mesh.nodes), m, m, 3))
    for element in mesh.elements:
        total: dict[str, Any] = {
            "mass": 0.0, "moment": np.zeros(3), "second": np.zeros((3, 3)), "S": np.zeros((3, m)),
            "A": np.zeros((m, 3, 3)), "B": np.zeros((m, m, 3, 3)), "H": np.zeros((m, m, 3)),
            "G": np.zeros((m, m, 3, 3)), "spin": np.zeros((3, m)),
        }  # fmt: skip
        own = turned(element) @ V[places(element)]
        before, x_axis = shortened[element.first], element.axes[:, 0]
        per_length, turning = mesh.beam.material.rho * element.section.area, element.inertia_per_length
        for s, weight in zip(POINTS, WEIGHTS, strict=True):
            x = s * element.length
            moved, twisted, _ = element.shapes(x)
            r = mesh.nodes[element.first] + x_axis * x
            S = element.axes @ moved @ own
            H = before - _shortening(element, own, x)[:, :, None] * x_axis
            dm = per_length * element.length * weight
            total["mass"] += dm
            total["moment"] += dm * r
            total["S"] += dm * S
            total["A"] += dm * np.einsum("a,bj->jab", r, S)
            total["B"] += dm * np.einsum("aj,bk->jkab", S, S)
            total["H"] += dm * H
            total["G"] += dm * np.einsum("a,jkb->jkab", r, H)
            slices = element.axes * (turning * element.length * weight)
            total["spin"] += slices @ twisted @ own
            total["second"] += dm * np.outer(r, r) + second_moments(slices @ element.axes.T)
        shortened[element.last] = before - _shortening(element, own, element.length)[:, :, None] * x_axis
        found.append(total)
    return found, shortened


def _shortening(element: BeamElement, own: Floats, x: float) -> Floats:
    """(m, m): int_0^x of the products of slopes along an element."""
    total = np.zeros((own.shape[1], own.shape[1]))
    for s, weight in zip(POINTS, WEIGHTS, strict=True):
        _, _, slope = element.shapes(s * x)
        total += weight * x * (slope @ own).T @ (slope @ own)
    return total


def cleaned(part: Cleaned) -> Cleaned:
    """With rounding taken for the zero it stands for."""
    exact: dict[str, Any] = {}
    for each in fields(part):
        value = getattr(part, each.name)
        if isinstance(value, np.ndarray) and value.size:
            exact[each.name] = np.where(np.abs(value) < NOISE * np.abs(value).max(), 0.0, value)
    return replace(part, **exact)


def combined(link: Flexible, W: Floats) -> Flexible:
    """The same link with fewer shapes: combinations W (m, fewer) of those it has."""

    def once(constants: Floats) -> Any:
        return np.tensordot(W.T, constants, axes=1)

    def both(constants: Floats) -> Any:
        return np.tensordot(W.T, np.swapaxes(once(constants), 0, 1), axes=1).swapaxes(0, 1)

    tips = tuple(cleaned(replace(tip, Phi=tip.Phi @ W, Psi=tip.Psi @ W, H=both(tip.H))) for tip in link.tips)
    fewer = replace(
        link, S=link.S @ W, A=once(link.A), B=both(link.B), H=both(link.H), G=both(link.G), spin=link.spin @ W,
        M=both(link.M), K=both(link.K), D=both(link.D), tips=tips, shapes=link.shapes @ W,
    )  # fmt: skip
    return cleaned(fewer)
