"""Drives inside the dynamics: rotors that spin on moving links, behind gears, couplings and linkages (Szkodny 1995).

A rotor is lumped as a body at rest on its carrier c, and adds T = 1/2 I q_a'^2 + I q_a' (a . w_c): its own spin, and
that spin seen from a turning carrier. With n = dq_a/dq and b = J_wc^T a, M gains I (n n^T + n b^T + b n^T). In
Newton-Euler form the carrier's moment gains I (q_a'' a + q_a' w_c x a), and tau gains n I (q_a'' + a . wd_c), with
q_a'' = n . qdd + qd^T (d2q_a/dq2) qd.

Corrections to the paper: (8) drops the terms n b^T, of relative order 1/n; the rotor terms of (9) and (12) vanish for a
rotor fixed on a link; (9) loses I q_a' q_a'' of nonlinear transmissions; (15) sums over all stages.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from torsor.model.expression import ArmFormula
from torsor.model.model import Model
from torsor.model.parts import BASE, AngleTable, Drive
from torsor.model.transforms import Floats, times

if TYPE_CHECKING:
    from torsor.mechanics.body_motion import BodyMotion
    from torsor.mechanics.tree import Reals, Tree


class Transmission(Protocol):
    """q_a(q) with its slope n = dq_a/dq (..., n) and its curvature d2q_a/dq2 (..., n, n), None where it vanishes."""

    def position(self, q: Reals) -> Reals: ...

    def slope(self, q: Reals) -> Reals: ...

    def curvature(self, q: Reals) -> Reals | None: ...


@dataclass(frozen=True, eq=False)
class Linear:
    """q_a = n . q + offset."""

    ratio: Floats
    offset: float = 0.0

    def position(self, q: Reals) -> Reals:
        return np.asarray((self.ratio * q).sum(axis=-1) + self.offset)

    def slope(self, q: Reals) -> Reals:
        return self.ratio

    def curvature(self, q: Reals) -> None:
        return None


@dataclass(frozen=True, eq=False)
class Linkage:
    """q_a(q) as a graph, from a formula or a table, with exact derivatives; ``factor`` for a stage behind it."""

    names: tuple[str, ...]
    law: ArmFormula | AngleTable
    offset: float = 0.0
    factor: float = 1.0

    @cached_property
    def _graphs(self) -> tuple[Any, Any, Any, Any]:
        from torsor.algebra import jacobian, symbols

        q = symbols("q", len(self.names))
        by_name = dict(zip(self.names, q, strict=True))
        law = self.law
        angle = law(by_name) if isinstance(law, ArmFormula) else _spline(law, by_name[law.joint])
        angle = np.array(self.factor * (angle + self.offset), dtype=object)
        slope = jacobian(angle, q)
        return q, angle, slope, jacobian(slope, q)

    def position(self, q: Reals) -> Reals:
        return self._at(q, 1)

    def slope(self, q: Reals) -> Reals:
        return self._at(q, 2)

    def curvature(self, q: Reals) -> Reals:
        return self._at(q, 3)

    def _at(self, q: Reals, which: int) -> Reals:
        """The graph with q put in: substituted where q is traced, evaluated where q is numbers."""
        from torsor.algebra import substitute, tape_from

        symbols, graph = self._graphs[0], self._graphs[which]
        if q.dtype == object:
            return substitute(graph, dict(zip(symbols, q, strict=True)))
        (values,) = tape_from("linkage", {"q": symbols}, {"y": graph}).evaluate(q)
        return np.asarray(values)


def _spline(table: AngleTable, x: Any) -> Any:
    """A cubic spline through the table, twice smooth, running on beyond its ends."""
    from scipy.interpolate import CubicSpline

    from torsor.algebra import less, select

    pieces = CubicSpline(table.positions, table.angles)
    value: Any = None
    for start, (a, b, c, d) in zip(pieces.x[:-1].tolist(), pieces.c.T.tolist(), strict=True):
        u = x - start
        piece = ((a * u + b) * u + c) * u + d
        value = piece if value is None else select(less(x, start), value, piece)
    return value


@dataclass(frozen=True, eq=False)
class Rotor:
    """A spinning mass: its inertia, the body that carries it, its axis there, and what turns it."""

    inertia: float
    body: int
    axis: Floats
    transmission: Transmission


def transmission_of(model: Model, drive: Drive, factor: float = 1.0) -> Transmission:
    if drive.transmission is None:
        return Linear(factor * drive.ratio, factor * drive.offset)
    return Linkage(model.joint_names, drive.transmission, drive.offset, factor)


def rotors_of(model: Model, place: Any, *, reduced: bool = False) -> tuple[Rotor, ...]:
    """All spinning masses of an arm; ``place`` maps a link to its body and T_body_link.

    ``reduced`` is the papers' model: rotors that do not feel their carrier turn, M + N^T I_a N.
    """
    rotors = []
    for drive in model.drives:
        body, T = (BASE, np.eye(4)) if reduced else place(drive.carrier)
        axis = times(T[:3, :3], drive.axis)
        spinning = [(drive.rotor_inertia, 1.0, body, axis)]
        for stage in drive.stages:
            on, turned = place(stage.carrier) if stage.carrier is not None and not reduced else (body, T)
            own = axis if stage.axis is None else times(turned[:3, :3], np.array(stage.axis))
            spinning.append((stage.inertia, stage.ratio, on, own))
        rotors += [
            Rotor(inertia, on, own, transmission_of(model, drive, factor))
            for inertia, factor, on, own in spinning
            if inertia
        ]
    return tuple(rotors)


def rotor_wrenches(
    tree: Tree, bodies: list[BodyMotion], q: Reals, qd: Reals, qdd: Reals
) -> tuple[list[tuple[int, Reals]], Reals]:
    """Moments that rotors ask of the bodies that carry them, and torques of q that turn the rotors themselves."""
    moments: list[tuple[int, Reals]] = []
    torques: Any = np.zeros(tree.n)
    for rotor in tree.rotors:
        n, curvature = rotor.transmission.slope(q), rotor.transmission.curvature(q)
        rate, acceleration = (n * qd).sum(axis=-1), (n * qdd).sum(axis=-1)
        if curvature is not None:
            acceleration = acceleration + (qd * (curvature @ qd[..., None])[..., 0]).sum(axis=-1)
        felt = acceleration
        if rotor.body != BASE:
            m, a = bodies[rotor.body], rotor.axis
            felt = acceleration + (a * m.wd).sum(axis=-1)
            spin = np.asarray(acceleration)[..., None] * a + np.asarray(rate)[..., None] * np.cross(m.w, a)
            moments.append((rotor.body, rotor.inertia * spin))
        torques = torques + n * (rotor.inertia * np.asarray(felt)[..., None])
    return moments, torques


def _carried_axes(tree: Tree, rotor: Rotor, poses: list[tuple[Reals, Reals]]) -> tuple[Reals, dict[int, Reals]]:
    """The spin axis and the axes of the turning joints before its carrier, in base axes."""
    axis = (poses[rotor.body][0] @ rotor.axis[:, None])[..., 0]
    return axis, {i: poses[i][0][..., :, 2] for i in tree.path(rotor.body) if tree.bodies[i].turn}


def rotor_mass(tree: Tree, q: Reals, poses: list[tuple[Reals, Reals]]) -> Reals:
    """What rotors add to M: sum I (n n^T + n b^T + b n^T), (..., n, n)."""
    total: Reals = np.zeros((tree.n, tree.n))
    for rotor in tree.rotors:
        n = rotor.transmission.slope(q)
        m = n[..., :, None] * n[..., None, :]
        if rotor.body != BASE:
            b = _swing(tree, rotor, poses)
            nb = n[..., :, None] * b[..., None, :]
            m = m + nb + np.swapaxes(nb, -1, -2)
        total = total + rotor.inertia * m
    return total


def _swing(tree: Tree, rotor: Rotor, poses: list[tuple[Reals, Reals]]) -> Reals:
    """b = J_wc^T a (..., n): the carrier's angular velocity along the spin axis, per joint rate."""
    axis, axes = _carried_axes(tree, rotor, poses)
    return tree.gather([(axis * axes[i]).sum(axis=-1) if i in axes else 0.0 for i in range(len(tree.bodies))])


def rotor_coriolis(tree: Tree, q: Reals, qd: Reals, poses: list[tuple[Reals, Reals]]) -> Reals:
    """What rotors add to C: the Christoffel symbols of their part of M, with

    db_i/dq_k = (z_k x a) . z_i for i before k, since then only the spin axis turns with k, and zero otherwise.
    """
    none = np.zeros((tree.n, tree.n))
    total: Reals = none
    for rotor in tree.rotors:
        n, dn = rotor.transmission.slope(q), rotor.transmission.curvature(q)
        if dn is None and rotor.body == BASE:
            continue
        b, db, dn = none[0], none, none if dn is None else dn
        if rotor.body != BASE:
            b, db = _swing(tree, rotor, poses), _swing_slopes(tree, rotor, poses)
        # dM_ij/dq_k of n n^T + n b^T + b n^T = sum over the product rule; f = n + b makes it n f^T + f n^T - n n^T
        f, df = n + b, dn + db
        dM = _slope(n, dn, f, df) + _slope(f, df, n, dn) - _slope(n, dn, n, dn)  # (..., i, j, k)
        symbols = dM + np.swapaxes(dM, -1, -2) - np.moveaxis(dM, -1, -3)
        total = total + 0.5 * rotor.inertia * (symbols * qd[..., None, None, :]).sum(axis=-1)
    return total


def _slope(a: Reals, da: Reals, b: Reals, db: Reals) -> Reals:
    """d(a_i b_j)/dq_k (..., n, n, n)."""
    slope: Reals = da[..., :, None, :] * b[..., None, :, None] + a[..., :, None, None] * db[..., None, :, :]
    return slope


def _swing_slopes(tree: Tree, rotor: Rotor, poses: list[tuple[Reals, Reals]]) -> Reals:
    """db_i/dq_k (..., n, n)."""
    axis, axes = _carried_axes(tree, rotor, poses)
    entries: list[list[Any]] = [[0.0] * tree.n for _ in range(tree.n)]
    for i, k in combinations(axes, 2):
        a, c = tree.bodies[i], tree.bodies[k]
        value = (np.cross(axes[k], axis) * axes[i]).sum(axis=-1)
        entries[a.source][c.source] = entries[a.source][c.source] + a.factor * c.factor * value
    flat = np.broadcast_arrays(*(entry for row in entries for entry in row))
    slopes: Reals = np.stack(flat, axis=-1).reshape(*np.shape(flat[0]), tree.n, tree.n)
    return slopes


def rotor_energy(tree: Tree, bodies: list[tuple[Reals, Reals]], q: Reals, qd: Reals) -> Any:
    """Kinetic energy of the spins, 1/2 I q_a'^2 + I q_a' (a . w_c), beyond that of rotors as parts of their links."""
    total: Any = 0.0
    for rotor in tree.rotors:
        rate = (rotor.transmission.slope(q) * qd).sum(axis=-1)
        along = 0.0 if rotor.body == BASE else (rotor.axis * bodies[rotor.body][1]).sum(axis=-1)
        total = total + rotor.inertia * rate * (0.5 * rate + along)
    return total
