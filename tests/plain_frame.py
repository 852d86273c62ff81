"""An arm at a pose as one frame of beam elements in base axes: plain 12 x 12 assembly, of nothing but the model's data.

Coordinates are turns of the joints that may give way and displacements (u, turn) of the nodes of the beams. A rigid
link moves with what carries it; a beam is clamped to its link's inboard end, and what it carries rides on its end.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy.linalg

from torsor.model.beams import section_axes
from torsor.model.model import Model
from torsor.model.parts import BASE
from torsor.model.transforms import pose, rotation_to_z, rotation_z

# Over (v, turn L) of both ends: stiffness in E I / L^3, mass in rho A L / 420, rotary inertia in rho I / (30 L)
BENDING = np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]])
MOVING = np.array([[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]])
TURNING = np.array([[36, 3, -36, 3], [3, 4, -3, -1], [-36, -3, 36, -3], [3, -1, -3, 4]])


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def shifted(d):
    """Motion (v, w) of a point to that of a point of the same body d away."""
    X = np.eye(6)
    X[:3, 3:] = -skew(d)
    return X


def element(length, section, material, *, rotary):
    """Stiffness and consistent mass of Euler-Bernoulli, (12, 12) over u v w rx ry rz of both ends."""
    K, M = np.zeros((12, 12)), np.zeros((12, 12))
    L, E, rho = length, material.E, material.rho
    two, also = np.array([[1, -1], [-1, 1]]), np.array([[2, 1], [1, 2]])
    for at, k, m in (
        ([0, 6], E * section.area, rho * section.area),
        ([3, 9], material.G * section.J, rho * (section.Iy + section.Iz)),
    ):
        K[np.ix_(at, at)] += k / L * two
        M[np.ix_(at, at)] += m * L / 6 * also
    for at, sign, I in (([1, 5, 7, 11], 1, section.Iz), ([2, 4, 8, 10], -1, section.Iy)):
        S = np.diag([1, sign * L, 1, sign * L])
        K[np.ix_(at, at)] += S @ (E * I / L**3 * BENDING) @ S
        M[np.ix_(at, at)] += S @ (rho * section.area * L / 420 * MOVING) @ S
        if rotary:
            M[np.ix_(at, at)] += S @ (rho * I / (30 * L) * TURNING) @ S
    return K, M


class PlainFrame:
    """``springs``: stiffness by joint; joints that are not named are locked, 0 is free."""

    def __init__(self, model: Model, positions: dict[str, float], springs: dict[str, float], *, rotary: bool = True):
        self.size = len(springs) + sum(link.beam.freedoms for link in model.links if link.beam)
        self.K, self.M = np.zeros((self.size, self.size)), np.zeros((self.size, self.size))
        self.next = 0
        self.model, self.rotary = model, rotary
        self.T = {BASE: np.eye(4)}  # T_base_link
        self.inboard = {}  # point in base axes, motion (6, size) there
        self.ends = {}  # (link, name of what is there) -> point, motion
        waiting = list(range(len(model.links)))
        order = []
        while waiting:
            order.append(next(i for i in waiting if model.links[i].parent in (BASE, *order)))
            waiting.remove(order[-1])
        for i in order:
            joint = model.links[i].joint
            A = pose(rotation_to_z(joint.axis))
            q = positions.get(joint.name, 0.0) if joint.moves else 0.0
            before = self.T[model.links[i].parent] @ joint.before
            self.T[i] = before @ A @ pose(rotation_z(q)) @ A.T @ joint.after
        for i in order:
            self._add(i, springs)
        if model.payload is not None:
            T = self.T[model.tool.link] @ model.tool.placement
            self._add_mass(model.payload, T, *self.carried(model.tool.link, "tool", T[:3, 3]))

    def carried(self, link: int, name: str, point):
        """Point and motion of what a link carries there: on the end of its beam, or rigid."""
        if link == BASE:
            return point, np.zeros((6, self.size))
        at, motion = self.ends.get((link, name), self.inboard[link])
        if (link, name) not in self.ends:
            near = [end for (k, _), end in self.ends.items() if k == link and np.allclose(end[0], point, atol=1e-12)]
            at, motion = near[0] if near else (at, motion)
        return point, shifted(point - at) @ motion

    def _add(self, i, springs):
        link = self.model.links[i]
        joint = link.joint
        at = (self.T[i] @ np.linalg.inv(joint.after))[:3, 3]
        _, motion = self.carried(link.parent, link.name, at)
        if joint.name in springs:
            motion = motion.copy()
            motion[3:, self.next] += (self.T[i] @ np.linalg.inv(joint.after))[:3, :3] @ joint.axis
            self.K[self.next, self.next] += springs[joint.name]
            self.next += 1
        self.inboard[i] = at, motion
        mass = link.mass if link.beam is None else link.beam.own
        if mass is not None:
            self._add_mass(mass, self.T[i], at, motion)
        if link.beam is not None:
            self._add_beam(i, at, motion)

    def _add_beam(self, i, at, motion):
        beam, R, p = self.model.links[i].beam, self.T[i][:3, :3], self.T[i][:3, 3]
        index = {link.name: k for k, link in enumerate(self.model.links)}
        up = (R if beam.up_in is None else self.T[index[beam.up_in]][:3, :3]) @ beam.up
        for path in beam.paths:
            points = path.points @ R.T + p
            before = shifted(points[0] - at) @ motion
            for (start, end), section in zip(pairwise(points), path.sections, strict=True):
                axes = np.kron(np.eye(4), section_axes(end - start, up).T)
                length = np.linalg.norm(end - start) / beam.elements
                k, m = (axes.T @ X @ axes for X in element(length, section, beam.material, rotary=self.rotary))
                for _ in range(beam.elements):
                    after = np.zeros((6, self.size))
                    after[:, self.next : self.next + 6] = np.eye(6)
                    self.next += 6
                    both = np.vstack([before, after])
                    self.K += both.T @ k @ both
                    self.M += both.T @ m @ both
                    before = after
            self.ends[i, path.to] = points[-1], before

    def _add_mass(self, mass, T, at, motion):
        R = T[:3, :3]
        J = shifted(T[:3, :3] @ mass.com + T[:3, 3] - at) @ motion
        self.M += mass.mass * J[:3].T @ J[:3] + J[3:].T @ R @ mass.inertia @ R.T @ J[3:]

    def frequencies(self, constraints=None):
        """Hz, rising; rows of ``constraints`` times the coordinates are zero."""
        assert self.next == self.size
        Z = np.eye(self.size) if constraints is None else scipy.linalg.null_space(constraints)
        # of the inverse: the lowest frequencies keep their digits beside the highest
        squares = scipy.linalg.eigh(Z.T @ self.M @ Z, Z.T @ self.K @ Z, eigvals_only=True)[::-1]
        return 1.0 / np.sqrt(squares) / (2.0 * np.pi)
