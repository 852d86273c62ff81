"""The pages of drives: motor torques of a motion, and the motion of motor torques. Traced like all mechanics.

In joint space M qdd + h = N^T u_a - R^T F, with a row of R for each contact of friction. The load of a contact is what
its gear passes on to the arm: all joint torques but those that turn the rotors themselves, seen at the motor or joint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from torsor.algebra.functions import absolute, less, select, sign
from torsor.drives.friction import Contact, dry, moving, stacked
from torsor.drives.gearing import Gearing, gauss, is_zero
from torsor.mechanics.equations_of_motion import EquationsOfMotion
from torsor.mechanics.tree import Reals

ROUNDS = 3  # of guessing which way the gears are loaded; the guess is right after one or two


@dataclass(frozen=True, eq=False)
class Mechanism:
    """An arm with its gears and its friction."""

    tree: EquationsOfMotion  # with rotors
    gearing: Gearing
    contacts: tuple[Contact, ...]


def split_torques(
    tree: EquationsOfMotion, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None
) -> tuple[Reals, Reals]:
    """Joint torques that move the links, and those that turn the rotors; inverse dynamics are their sum."""
    links = tree.link_torques(q, qd, qdd, gravity, wrench)
    return links, tree.rotor_torques(q, qd, qdd, gravity)


def torques(
    at: Mechanism, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None
) -> tuple[Reals, Reals]:
    """u_a = N^-T (tau + joint friction) + motor friction, and the power that friction takes."""
    links, rotors = split_torques(at.tree, q, qd, qdd, gravity, wrench)
    rates, load = at.gearing.rates(q, qd), at.gearing.to_motors(q, links)
    lost, forces = np.zeros(()), []
    for contact in at.contacts:
        v = contact.pick(rates, qd)
        forces.append(moving(contact.law, v, sign(v), contact.pick(load, links)))
        lost = lost + forces[-1] * v
    return with_friction(at, q, links + rotors, forces), lost


def with_friction(at: Mechanism, q: Reals, tau: Reals, forces: list[Any]) -> Reals:
    """u_a of joint torques without friction and of the friction of each contact."""
    u: list[Any] = [0.0] * len(at.gearing.transmissions)
    of_joints: list[Any] = [tau[..., j] for j in range(at.tree.n)]
    for contact, F in zip(at.contacts, forces, strict=True):
        where, k = (of_joints, contact.joint) if contact.motor is None else (u, contact.motor)
        where[k] = where[k] + F
    return at.gearing.to_motors(q, stacked(of_joints)) + stacked(u)


def torques_as_published(
    at: Mechanism, dt: float, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None
) -> Reals:
    """u_a = N^-T (u + mu |u| sign(qd)) + (I_a + f_v dt) N qdd + f_v N qd: (D.3) corrected.

    The paper divides u_i by k_i and prints friction as mu u sign(qd). Viscous friction is taken at the end of a cycle;
    rotors do not feel their carriers turn; there is no other friction.
    """
    u = at.tree.inverse_dynamics(q, qd, qdd, gravity, wrench)
    drives = at.gearing.model.drives
    load = [0.0] * at.tree.n
    for joint, drive in zip(at.gearing.main_joints, drives, strict=True):
        load[joint] = drive.friction.load
    loaded = u + np.array(load) * absolute(u) * sign(qd)
    f_v = np.array([drive.friction.viscous for drive in drives])
    I_a = np.array([drive.rotor_inertia for drive in drives])
    rates, accelerations = at.gearing.rates(q, qd), at.gearing.rates(q, qdd)
    u_a: Reals = at.gearing.to_motors(q, loaded) + (I_a + f_v * dt) * accelerations + f_v * rates
    return u_a


@dataclass(frozen=True, eq=False)
class DriveEquations:
    """M qdd + h = joint torques, and the parts of it that load the gears: links = L qdd + l."""

    M: Reals
    h: Reals
    L: Reals
    l: Reals


def equations(tree: EquationsOfMotion, q: Reals, qd: Reals, gravity: Reals, wrench: Reals | None) -> DriveEquations:
    still, n = np.zeros(tree.n), tree.n
    M = tree.mass_matrix(q)
    h = tree.inverse_dynamics(q, qd, still, gravity, wrench)
    known = tree.passed_on(q, qd)
    if not tree.rotors and not known:
        return DriveEquations(M, h, M, h)
    if len(known) == tree.joints:  # springs tell all that gears pass on
        return DriveEquations(M, h, np.zeros((n, n)), _with_known(known, np.zeros(n)))
    columns = [tree.rotor_torques(q, still, unit, np.zeros(3)) for unit in np.eye(n)]
    links, _ = split_torques(tree, q, qd, still, gravity, wrench)
    L = M - np.stack(np.broadcast_arrays(*columns), axis=-1)
    if known:
        L = L * np.array([[0.0 if i in known else 1.0] for i in range(n)])
    return DriveEquations(M, h, L, _with_known(known, links))


def _with_known(known: Mapping[int, Any], links: Reals) -> Reals:
    return stacked([known.get(i, links[..., i]) for i in range(links.shape[-1])]) if known else links


def forward(at: Mechanism, q: Reals, qd: Reals, u: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """qdd of motor torques, with the friction of motion. A contact at rest has none: sticking is for the stepping."""
    e = equations(at.tree, q, qd, gravity, wrench)
    n = at.tree.n
    N, rates = at.gearing.slopes(q), at.gearing.rates(q, qd)
    right = at.gearing.to_joints(q, u) - e.h
    signs: list[Any] = []
    for contact in at.contacts:
        v = contact.pick(rates, qd)
        signs.append(sign(v))
        F = dry(contact.law, v, signs[-1]) * signs[-1] + contact.law.viscous * v
        right = right - row_of(contact, N, n) * F
    A = [[e.M[..., i, j] for j in range(n)] for i in range(n)]
    b = [right[..., i] for i in range(n)]
    qdd = stacked(gauss(A, b))
    rows = loads(at.gearing, q, e)
    loaded = [(c, row_of(c, N, n), s, *rows(c)) for c, s in zip(at.contacts, signs, strict=True) if c.law.load]
    return with_load_friction(A, b, qdd, loaded)


LoadedContact = tuple[Contact, Reals, Any, list[Any], Any]  # with its row of R, direction, and load L . qdd + l


def with_load_friction(
    A: list[list[Any]], b: list[Any], qdd: Reals, loaded: list[LoadedContact], solve: Callable[..., list[Any]] = gauss
) -> Reals:
    """A qdd + sum r mu |load| s = b: linear once it is known which way each gear is loaded, guessed from ``qdd``."""
    n = len(b)
    for _ in range(ROUNDS if loaded else 0):
        B, c = [list(row) for row in A], list(b)
        for contact, row, s, L, l in loaded:
            load = load_at(L, l, qdd)
            weight = contact.law.load * s * select(less(load, 0.0), -1.0, 1.0)
            for i in range(n):
                if is_zero(row[..., i]):
                    continue
                share = row[..., i] * weight
                B[i] = [entry + share * L[j] for j, entry in enumerate(B[i])]
                c[i] = c[i] - share * l
        qdd = stacked(solve(B, c))
    return qdd


def loads(gearing: Gearing, q: Reals, e: DriveEquations) -> Any:
    """For a contact: its load as L . qdd + l."""

    @cache
    def at_motors() -> list[Reals]:
        return [gearing.to_motors(q, each) for each in (*(e.L[..., :, j] for j in range(e.h.shape[-1])), e.l)]

    def of(contact: Contact) -> tuple[list[Any], Any]:
        if contact.motor is None:
            return [e.L[..., contact.joint, j] for j in range(e.h.shape[-1])], e.l[..., contact.joint]
        *L, l = (column[..., contact.motor] for column in at_motors())
        return L, l

    return of


def load_at(L: list[Any], l: Any, qdd: Reals) -> Any:
    return sum(L[j] * qdd[..., j] for j in range(len(L))) + l


def row_of(contact: Contact, N: Reals, n: int) -> Reals:
    return np.eye(n)[contact.joint] if contact.motor is None else N[..., contact.motor, :]
