"""From the forces in a section to its stress: the largest von Mises stress over its outline.

Along the beam stress is N / A + My z / Iy - Mz y / Iz. Shear of a torque: exact in tubes and rods, Bredt's in the walls
of a box, Saint-Venant's series on the sides of a bar. Shear of Qy and Qz after Jourawski: his parabola in a bar, the
flow in the walls of a box that is zero where they are cut by the plane of symmetry, and likewise round a circle. Of a
section that was given by numbers and its extent, the corner of the extent has all of it at once, and no Qy and Qz.
What notches, holes, welds and clamps add is not in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import pi

import numpy as np

from torsor.model.beams import Section
from torsor.model.transforms import Floats

N, QY, QZ, T, MY, MZ = range(6)  # of forces in a section
SIDE = 33  # points on each side of a box or bar; the best of them is refined
ROUND = 36  # points on a circle, likewise


@dataclass(frozen=True, eq=False)
class Outline:
    """Points along the edge of a section, and what a unit of each force does there; it runs from y to z."""

    axial: Floats  # (6, points) stress along the beam
    shear: Floats  # (6, points) shear along the edge
    period: int  # how many points a piece of the edge has, between corners; 0: it has none, and is a circle
    most: Callable[[Floats], Floats]  # (..., 6) -> (...): no point has more, found faster

    def von_mises(self, forces: Floats) -> Floats:
        """The largest on the edge, (..., 6) -> (...)."""
        return np.asarray(np.sqrt(self.peaks(forces).max(axis=-1)))

    def squares(self, forces: Floats) -> Floats:
        """(..., points): of von Mises stress."""
        return np.asarray(_summed(forces, self.axial) ** 2 + 3.0 * _summed(forces, self.shear) ** 2)

    def peaks(self, forces: Floats) -> Floats:
        """The same; where a point has more than those beside it, the top of the parabola through the three."""
        here = self.squares(forces)
        k = np.arange(here.shape[-1])
        if self.period:
            at = k % self.period
            left, right = np.where(at > 0, k - 1, k), np.where(at < self.period - 1, k + 1, k)
        else:
            left, right = k - 1, (k + 1) % len(k)
        before, after = here[..., left], here[..., right]
        inside = (left != k) & (right != k) & (here >= before) & (here >= after) & (here > np.minimum(before, after))
        bend = np.where(inside, before - 2.0 * here + after, -1.0)
        return np.asarray(here + np.where(inside, -((after - before) ** 2) / (8.0 * bend), 0.0))


@cache  # sections are values, and few
def outline_of(section: Section) -> Outline | None:
    """None where nothing is known of its edge."""
    if section.outer is None or section.torsion is None:
        return None
    if section.shape in ("tube", "rod"):
        return _round(section)
    if section.shape:
        return _four_sides(section, _box_shear if section.shape == "box" else _bar_shear)
    return _corner(section)


def _summed(forces: Floats, each: Floats) -> Floats:
    """What forces (..., 6) do together at points (6, ...), one after the other: the same in a batch as alone."""
    alone = (1,) * (each.ndim - 1)
    return np.asarray(sum(forces[..., k].reshape(*forces.shape[:-1], *alone) * each[k] for k in range(6)))


def _axial(section: Section, y: Floats, z: Floats) -> Floats:
    found = np.zeros((6, len(y)))
    found[N], found[MY], found[MZ] = 1.0 / section.area, z / section.Iy, -y / section.Iz
    return found


def _round(section: Section) -> Outline:
    assert section.outer is not None
    assert section.torsion is not None
    R = section.outer[0]
    r = R - section.wall
    angle = 2.0 * pi * np.arange(ROUND) / ROUND
    y, z = np.cos(angle), np.sin(angle)
    # at the neutral axis 4/3 of the mean in a rod, twice the mean in a thin tube
    peak = 4.0 / 3.0 * (R * R + R * r + r * r) / (R * R + r * r) / section.area
    shear = np.zeros((6, ROUND))
    shear[T], shear[QY], shear[QZ] = section.torsion, -peak * z, peak * y
    bend, twist, area = R / section.Iy, section.torsion, section.area

    def most(f: Floats) -> Floats:
        axial = np.abs(f[..., N]) / area + bend * np.hypot(f[..., MY], f[..., MZ])
        along = twist * np.abs(f[..., T]) + peak * np.hypot(f[..., QY], f[..., QZ])
        return np.asarray(np.sqrt(axial * axial + 3.0 * along * along))

    return _Circle(_axial(section, R * y, R * z), shear, 0, most)


class _Circle(Outline):
    def von_mises(self, forces: Floats) -> Floats:
        """Newton's method from the best point: stress and shear are each one wave round the circle."""
        square = self.squares(forces)
        angle = 2.0 * pi * np.argmax(self.peaks(forces), axis=-1) / ROUND
        waves = []
        for each in (self.axial, self.shear):
            here, there, beyond = (_summed(forces, each[:, k]) for k in (0, ROUND // 4, ROUND // 2))
            mean = 0.5 * (here + beyond)
            waves.append((mean, here - mean, there - mean))
        (n, a, b), (t, c, d) = waves

        def at(angle: Floats) -> tuple[Floats, Floats, Floats]:
            cos, sin = np.cos(angle), np.sin(angle)
            s, s1 = n + a * cos + b * sin, b * cos - a * sin
            v, v1 = t + c * cos + d * sin, d * cos - c * sin
            slope = s * s1 + 3.0 * v * v1
            return s * s + 3.0 * v * v, slope, s1 * s1 + s * (n - s) + 3.0 * (v1 * v1 + v * (t - v))

        best = square.max(axis=-1)
        for _ in range(4):
            value, slope, bend = at(angle)
            best = np.maximum(best, value)
            angle = angle - np.where(bend < 0.0, slope / np.where(bend < 0.0, bend, 1.0), 0.0)
        return np.asarray(np.sqrt(np.maximum(best, at(angle)[0])))


def _four_sides(section: Section, shear_of: Callable[[Section, Floats, Floats, Floats], Floats]) -> Outline:
    """Right, top, left and bottom, from y to z; s runs from -1 to 1 along each."""
    assert section.outer is not None
    cy, cz = section.outer
    s, one = np.linspace(-1.0, 1.0, SIDE), np.ones(SIDE)
    y = np.concatenate([one, -s, -one, s])
    z = np.concatenate([s, one, -s, -one])
    axial = _axial(section, cy * y, cz * z)
    shear = shear_of(section, y, z, np.repeat([0, 1, 2, 3], SIDE))
    largest = np.abs(axial).max(axis=1), np.abs(shear).max(axis=1)

    def most(f: Floats) -> Floats:
        size = np.abs(f)
        return np.asarray(np.sqrt((size @ largest[0]) ** 2 + 3.0 * (size @ largest[1]) ** 2))

    return Outline(axial, shear, SIDE, most)


def _box_shear(section: Section, y: Floats, z: Floats, side: Floats) -> Floats:
    """Along the middle of the walls, b wide and c high; y and z from -1 to 1."""
    assert section.outer is not None
    t = section.wall
    b, c = 2.0 * section.outer[0] - t, 2.0 * section.outer[1] - t
    shear = np.zeros((6, len(y)))
    shear[T] = 1.0 / (2.0 * b * c * t)
    # thin walls' own moments, so that the flow adds up to the force
    Iy, Iz = t * c * c * (b / 2.0 + c / 6.0), t * b * b * (c / 2.0 + b / 6.0)
    upright = side % 2 == 0
    webs_z, flanges_z = np.sign(y) * (b * c / 4.0 + c * c * (1.0 - z * z) / 8.0), b * c * y / 4.0
    webs_y, flanges_y = -np.sign(z) * (b * c / 4.0 + b * b * (1.0 - y * y) / 8.0), -b * c * z / 4.0
    shear[QZ] = np.where(upright, webs_z, flanges_z) / Iy
    shear[QY] = np.where(upright, flanges_y, webs_y) / Iz
    return shear


def _bar_shear(section: Section, y: Floats, z: Floats, side: Floats) -> Floats:
    assert section.outer is not None
    a, b = section.outer
    upright = side % 2 == 0
    shear = np.zeros((6, len(y)))
    shear[T] = np.where(upright, _saint_venant(a, b, z), _saint_venant(b, a, y)) / section.J
    peak = 1.5 / section.area
    shear[QZ] = np.where(upright, peak * np.sign(y) * (1.0 - z * z), 0.0)
    shear[QY] = np.where(upright, 0.0, -peak * np.sign(z) * (1.0 - y * y))
    return shear


def _saint_venant(a: float, b: float, s: Floats) -> Floats:
    """On the side that is a from the middle and 2 b long, at s b: shear over G times twist per metre.

    Timoshenko & Goodier, Theory of Elasticity, art. 109: 16 a / pi^2 sum over odd n of (1 - cosh / cosh) / n^2.
    """
    n = np.arange(1, 400, 2)[:, None]
    k, x = 0.5 * pi * n * b / a, np.abs(s)
    ratio = np.exp(k * (x - 1.0)) * (1.0 + np.exp(-2.0 * k * x)) / (1.0 + np.exp(-2.0 * k))
    # the sum of 1 / n^2 is pi^2 / 8; in the corner, where all terms count, both cancel
    found = 2.0 * a - 16.0 * a / (pi * pi) * (ratio / (n * n)).sum(axis=0)
    return np.asarray(np.where(x < 1.0, found, 0.0))


def _corner(section: Section) -> Outline:
    """The corners of the extent."""
    assert section.outer is not None
    assert section.torsion is not None
    cy, cz = section.outer
    axial = _axial(section, cy * np.array([1.0, -1.0, -1.0, 1.0]), cz * np.array([1.0, 1.0, -1.0, -1.0]))
    shear = np.zeros((6, 4))
    shear[T] = twist = section.torsion
    largest = np.abs(axial).max(axis=1)

    def most(f: Floats) -> Floats:
        return np.asarray(np.sqrt((np.abs(f) @ largest) ** 2 + 3.0 * (twist * f[..., T]) ** 2))

    return Outline(axial, shear, 1, most)
