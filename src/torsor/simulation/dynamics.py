"""Motion with dry friction in the coordinates of ``coordinates.py``, as a page to trace.

Each element is stuck (mode 0) or slides forward or backward (mode 1, -1). A stuck one has no rate and no acceleration;
what holds it, F = what pushes it, solved jointly over all stuck elements, may not exceed its starting friction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torsor.algebra.functions import absolute, equal, select, sign
from torsor.drives.friction import dry, holding, stacked
from torsor.drives.gearing import gauss, is_zero
from torsor.drives.pages import ROUNDS, Mechanism, equations, loads, row_of
from torsor.mechanics.tree import Reals
from torsor.simulation.coordinates import Coordinates

ROUNDING = 1e-10  # of the acceleration that starting friction could give


@dataclass(frozen=True, eq=False)
class Moment:
    """What holds at one moment."""

    zdd: Reals  # (n,)
    push: Reals  # (elements,) direction a stuck element is pushed in
    excess: Reals  # (elements,) how far the push is beyond what friction holds, as an acceleration; -1 where it slides
    back: Reals  # (elements,) how fast one that slides is turned back, beyond rounding; -1 where it is stuck


def moment(
    at: Mechanism, c: Coordinates, z: Reals, zd: Reals, mode: Reals, u: Reals, gravity: Reals, wrench: Reals | None,
    *, extra: Reals | None = None, factor: Any = 1.0,
) -> Moment:  # fmt: skip
    """``extra`` are joint torques of other origin; ``factor`` multiplies all friction."""
    n, many = at.tree.n, len(c.elements)
    q, qd = (c.B * z).sum(axis=-1), (c.B * zd).sum(axis=-1)
    e = equations(at.tree, q, qd, gravity, wrench)
    M = c.B.T @ e.M @ c.B
    N, rates = at.gearing.slopes(q), at.gearing.rates(q, qd)
    joint_torques = at.gearing.to_joints(q, u) - e.h
    if extra is not None:
        joint_torques = joint_torques + extra
    for contact in at.contacts:
        if contact.law.viscous:
            F = factor * contact.law.viscous * contact.pick(rates, qd)
            joint_torques = joint_torques - row_of(contact, N, n) * F
    right: list[Any] = [(c.B.T[i] * joint_torques).sum(axis=-1) for i in range(n)]
    free: list[Any] = [1.0 - equal(mode[k], 0.0) for k in range(many)] + [1.0] * (n - many)
    A = [[M[i, j] * free[i] * free[j] for j in range(n)] for i in range(n)]
    b = list(right)
    for k, element in enumerate(c.elements):
        A[k][k] = select(free[k], M[k, k], 1.0)
        for contact in element.contacts:
            scale = c.scale(element, contact, q)
            size = dry(contact.law, scale * zd[k], mode[k] * sign(scale))
            b[k] = b[k] - factor * absolute(scale) * size * mode[k]
    known, loaded = _loaded(at, c, q, e, factor)
    for k, weight, l in known:
        b[k] = b[k] - weight * absolute(l) * mode[k]
    b = [value * open_ for value, open_ in zip(b, free, strict=True)]
    zdd = [x * open_ for x, open_ in zip(gauss(A, b), free, strict=True)]
    for _ in range(ROUNDS if loaded else 0):
        D, d = [list(row) for row in A], list(b)
        for k, weight, L, l in loaded:
            share = weight * mode[k] * sign(_at(L, l, zdd))
            D[k] = [D[k][j] + share * L[j] * free[j] for j in range(n)]
            d[k] = d[k] - share * l
        zdd = [x * open_ for x, open_ in zip(gauss(D, d), free, strict=True)]
    push, excess, back = [], [], []
    for k, element in enumerate(c.elements):
        F = right[k] - sum(M[k, j] * zdd[j] for j in range(n))
        most = sum(weight * absolute(_at(L, l, zdd)) for j, weight, L, l in loaded if j == k)
        most = most + sum(weight * absolute(l) for j, weight, l in known if j == k)
        most = factor * _most(c, k, element, q, F) + most
        push.append(sign(F))
        excess.append(select(free[k], -1.0, (absolute(F) - most) / M[k, k]))
        # where friction falls steadily from its starting value, breaking away begins without acceleration
        back.append(select(free[k], -mode[k] * zdd[k] - ROUNDING * (most / M[k, k]), -1.0))
    return Moment(stacked(zdd), stacked(push), stacked(excess), stacked(back))


def _most(c: Coordinates, k: int, element: Any, q: Reals, F: Any) -> Any:
    """What friction without load holds against a push."""
    total: Any = 0.0
    for contact in element.contacts:
        scale = c.scale(element, contact, q)
        forward, backward = holding(contact.law)
        level: Any = forward if forward == backward else select(F * sign(scale) < 0.0, backward, forward)
        total = total + absolute(scale) * level
    return total


KnownLoad = tuple[int, Any, Any]  # element, mu per unit of its force, and the load
LoadedElement = tuple[int, Any, list[Any], Any]  # the same with a load L . zdd + l


def _loaded(
    at: Mechanism, c: Coordinates, q: Reals, e: Any, factor: Any
) -> tuple[list[KnownLoad], list[LoadedElement]]:
    """Loads that do not depend on accelerations, because a spring passes them on, and those that do."""
    known: list[KnownLoad] = []
    found: list[LoadedElement] = []
    of = loads(at.gearing, q, e) if any(contact.law.load for contact in at.contacts) else None
    for k, element in enumerate(c.elements):
        for contact in element.contacts:
            if contact.law.load and of is not None:
                L, l = of(contact)
                in_z = [sum(L[i] * c.B[i, j] for i in range(len(L)) if c.B[i, j]) for j in range(len(L))]
                weight = factor * contact.law.load * absolute(c.scale(element, contact, q))
                if all(is_zero(each) for each in in_z):
                    known.append((k, weight, l))
                else:
                    found.append((k, weight, in_z, l))
    return known, found


def _at(L: list[Any], l: Any, zdd: list[Any]) -> Any:
    return sum((L[j] * zdd[j] for j in range(len(L))), start=l)
