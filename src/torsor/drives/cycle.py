"""One interpolation cycle of achievable motion, as a page to trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.algebra.functions import absolute, equal, less, maximum, minimum, select, sign
from torsor.drives import pages
from torsor.drives.friction import Contact, dry, stacked
from torsor.drives.gearing import gauss
from torsor.drives.motors import all_bounds
from torsor.drives.pages import Mechanism, load_at, row_of
from torsor.mechanics.tree import Reals
from torsor.model.parts import DriveFriction
from torsor.model.transforms import Floats

EVEN = 1e-12  # a motor may exceed its speed by rounding
CLAMPS = 2  # times that speeds are clamped and the rest is solved for again


@dataclass(frozen=True, eq=False)
class SpeedLimits:
    """Speeds: of the joints, and of the motors; infinite where there is none."""

    joints: Floats
    motors: Floats


@dataclass(frozen=True, eq=False)
class Asking:
    """The motor torques of a cycle as a function of its acceleration. Viscous friction is that of the cycle's end."""

    at: Mechanism
    e: pages.DriveEquations
    dt: float
    q: Reals
    qd: Reals
    aim: Reals  # the speeds asked for, which say which way friction acts

    def parts(self) -> list[tuple[Contact, Reals, Any, Any, list[Any], Any]]:
        """Of each contact: its row, direction, dry friction with the viscous part at qdd = 0, and its load."""
        at, found = self.at, []
        N, rates, aims = at.gearing.slopes(self.q), *(at.gearing.rates(self.q, each) for each in (self.qd, self.aim))
        of = pages.loads(at.gearing, self.q, self.e)
        for contact in at.contacts:
            aim = contact.pick(aims, self.aim)
            s = sign(aim)
            constant = dry(contact.law, aim, s) * s + contact.law.viscous * contact.pick(rates, self.qd)
            load = of(contact) if contact.law.load else ([], 0.0)
            found.append((contact, row_of(contact, N, at.tree.n), s, constant, *load))
        return found

    def torques(self, qdd: Reals) -> Reals:
        """u_a that reaches qdd."""
        forces = []
        for contact, row, s, constant, L, l in self.parts():
            F = constant + contact.law.viscous * self.dt * (row * qdd).sum(axis=-1)
            if contact.law.load:
                F = F + contact.law.load * absolute(load_at(L, l, qdd)) * s
            forces.append(F)
        return pages.with_friction(self.at, self.q, (self.e.M * qdd[..., None, :]).sum(axis=-1) + self.e.h, forces)

    def reached(
        self, u: Reals, asked: Reals, *, friction_of_asked: bool = False, pins: tuple[Reals, Reals] | None = None
    ) -> Reals:
        """qdd that motor torques reach; as published, with the friction of the acceleration asked for.

        ``pins`` are joints (1 or 0) whose accelerations are known; their motors give what that takes.
        """
        n = self.at.tree.n
        right = self.at.gearing.to_joints(self.q, u) - self.e.h
        A = [[self.e.M[..., i, j] for j in range(n)] for i in range(n)]
        loaded: list[pages.LoadedContact] = []
        for contact, row, s, constant, L, l in self.parts():
            if contact.law.load and friction_of_asked:
                constant = constant + contact.law.load * absolute(load_at(L, l, asked)) * s
            elif contact.law.load:
                loaded.append((contact, row, s, L, l))
            right = right - row * constant
            damping = contact.law.viscous * self.dt
            if damping:
                A = [[A[i][j] + damping * (row[..., i] * row[..., j]) for j in range(n)] for i in range(n)]
        b = [right[..., i] for i in range(n)]

        def solve(A: list[list[Any]], b: list[Any]) -> list[Any]:
            return gauss(A, b) if pins is None else gauss(*self._pinned(A, b, *pins))

        return pages.with_load_friction(A, b, asked, loaded, solve) if loaded else stacked(solve(A, b))

    def _pinned(self, A: list[list[Any]], b: list[Any], pinned: Reals, at: Reals) -> tuple[list[list[Any]], list[Any]]:
        """The equations of joints turned into those of motors, where one may be left out for a known acceleration."""
        n, gearing = self.at.tree.n, self.at.gearing
        columns = [gearing.to_motors(self.q, stacked([A[i][j] for i in range(n)])) for j in range(n)]
        right = gearing.to_motors(self.q, stacked(b))
        rows, values = [], []
        for i in range(n):
            motor = gearing.main_joints.index(i)
            rows.append([select(pinned[i], 1.0 if i == j else 0.0, columns[j][..., motor]) for j in range(n)])
            values.append(select(pinned[i], at[i], right[..., motor]))
        return rows, values


def cycle(
    at: Mechanism, limits: SpeedLimits, dt: float, q: Reals, qd: Reals, planned: Reals, gravity: Reals,
    wrench: Reals | None = None, *, as_published: bool = False,
) -> dict[str, Reals]:  # fmt: skip
    """The numbers are those of Algorithm 1."""
    aim = clamped(at, limits, q, planned)  # 1
    qdd = (aim - qd) * (1.0 / dt)  # 2
    ask = Asking(at, pages.equations(at.tree, q, qd, gravity, wrench), dt, q, qd, aim)
    asked = ask.torques(qdd)  # 3 and 4
    lower, upper = all_bounds(at.gearing.model, at.gearing.rates(q, qd))
    given = minimum(maximum(asked, lower), upper)  # 5
    limited = 1.0 - equal(given, asked)
    anywhere = sum(limited[..., k] for k in range(limited.shape[-1]))
    solved = ask.reached(given, qdd, friction_of_asked=as_published)  # 6
    if as_published:
        own = [limited[..., at.gearing.main_joints.index(j)] for j in range(at.tree.n)]
        qdd = select(stacked(own), solved, qdd)
        speed = qd + qdd * dt
    else:
        qdd = select(anywhere, solved, qdd)
        pinned: Any = np.zeros(at.tree.n)
        for _ in range(CLAMPS):
            # a joint held to its speed needs another torque, and so do those that feel it: they are solved for again
            free, speed = qd + qdd * dt, clamped(at, limits, q, qd + qdd * dt)
            pinned = maximum(pinned, 1.0 - equal(speed, free))
            again = ask.reached(given, qdd, pins=(pinned, (speed - qd) * (1.0 / dt)))
            qdd = select(sum(pinned[j] for j in range(at.tree.n)), again, qdd)
        speed = clamped(at, limits, q, qd + qdd * dt)
        qdd = (speed - qd) * (1.0 / dt)
    found = {"q1": q + speed * dt, "qd1": speed, "qdd": qdd, "asked": asked, "reached": ask.torques(qdd)}  # 7
    return found | {"limited": limited, "slowed": 1.0 - equal(aim, planned)}


def clamped(at: Mechanism, limits: SpeedLimits, q: Reals, speed: Reals) -> Reals:
    """Speeds within the limits of the joints, and within those of the motors.

    A motor that several joints turn too fast slows the joint it is there for. Should couplings go in circles, so that
    this makes another too fast, all are slowed alike.
    """
    within = _within(limits.joints, [speed[..., j] for j in range(at.tree.n)])
    if not np.isfinite(limits.motors).any():
        return stacked(within)
    N = at.gearing.slopes(q)
    for k, (limit, joint) in enumerate(zip(limits.motors.tolist(), at.gearing.main_joints, strict=True)):
        if not np.isinf(limit):
            rate = sum(N[..., k, j] * within[j] for j in range(at.tree.n))
            beyond = rate - minimum(maximum(rate, -limit), limit)
            within[joint] = within[joint] - beyond / N[..., k, joint]
    slowed = stacked(_within(limits.joints, within))
    rates = at.gearing.rates(q, slowed)
    excess: Any = 1.0 + EVEN
    for k, limit in enumerate(limits.motors.tolist()):
        if not np.isinf(limit):
            excess = maximum(excess, absolute(rates[..., k]) * (1.0 / limit))
    return np.asarray(select(less(1.0 + EVEN, excess), slowed / excess, slowed))


def _within(limits: Floats, speeds: list[Any]) -> list[Any]:
    return [
        speed if np.isinf(limit) else minimum(maximum(speed, -limit), limit)
        for speed, limit in zip(speeds, limits.tolist(), strict=True)
    ]


def published_contacts(at: Mechanism) -> tuple[Contact, ...]:
    """(D.3): load friction of joint torques, viscous friction of motor speeds, nothing else."""
    found = []
    for k, (drive, joint) in enumerate(zip(at.gearing.model.drives, at.gearing.main_joints, strict=True)):
        found.append(Contact(DriveFriction(side="joint", load=drive.friction.load), None, joint))
        found.append(Contact(DriveFriction(viscous=drive.friction.viscous), k, joint))
    return tuple(found)
