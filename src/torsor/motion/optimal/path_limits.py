"""What limits the motion along a path, as functions of the path's own speed and acceleration.

With s(t) on a path q(s), qd = q' sd and qdd = q'' sd^2 + q' sdd. Let x = sd^2 and a = sdd. Then a torque of a motor is

    u = A a + B x + C + V sqrt(x) + D exp(-(r sqrt(x))^2) + w |L a + P x + l|

with the rigid arm and its rotors in A, B, C, viscous friction in V, dry friction in C and D (Coulomb, Stribeck), and
friction of the load in w. The direction of friction is known from q', because sd is never negative. For a given x all
limits of a are intervals, which the passes of `grid_passes.py` intersect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from torsor.drives.drives import Drives
from torsor.drives.friction import Contact, acts
from torsor.drives.motors import bounds
from torsor.errors import ShapeError, Unsupported
from torsor.model.limits import largest
from torsor.model.model import Model
from torsor.model.parts import DriveFriction, Link, Motor
from torsor.model.transforms import Floats
from torsor.motion.curves import Along, without_rounding

CLIFF = 1e-6  # of the speed at which a torque-speed curve ends: beyond there is nothing left, so it stays this far away


class Limited(Protocol):
    """What is asked of an arm here."""

    @property
    def n(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> Model: ...

    @property
    def joint_names(self) -> tuple[str, ...]: ...

    @property
    def drives(self) -> Drives: ...

    @property
    def inverse_dynamics(self) -> Any: ...

    @property
    def jacobian(self) -> Any: ...

    @property
    def jacobian_dot_qd(self) -> Any: ...


@dataclass(frozen=True)
class ToolBound:
    """Bounds of the tool on a piece of the path, from ``start`` to ``end`` in the path's parameter."""

    start: float = 0.0
    end: float = np.inf
    speed: float | None = None  # m/s
    acceleration: float | None = None  # m/s^2
    turn: float | None = None  # rad/s


@dataclass(frozen=True, eq=False)
class TorqueRow:
    """One torque that is bounded: a motor's, or a joint's."""

    name: str
    motor: Motor  # says the bounds; that of a joint has a peak torque alone
    of_joint: bool
    at: int  # which motor, or which joint
    peak: float  # the size of torques that counts as 1
    contacts: tuple[int, ...]  # which frictions it feels


@dataclass(frozen=True, eq=False)
class Rows:
    """Coefficients of the torque rows at points of the path, each (..., rows), and of their frictions.

    Friction that may point either way has its greatest value in ``up``, which the upper bound is held against, and its
    least in ``low``.
    """

    A: Floats
    B: Floats
    V: Floats
    C_up: Floats
    C_low: Floats
    rate: Floats  # shaft rates for sd = 1
    loads: Floats  # (..., terms, 5): w_up, w_low, L, P, l
    falls: Floats  # (..., terms, 3): D_up, D_low, r


@dataclass(frozen=True, eq=False)
class Dynamics:
    """The arm along the path, without friction, at points (k, ...)."""

    A: Floats  # (k, rows)
    B: Floats
    C: Floats
    load: tuple[Floats, Floats, Floats]  # (k, contacts) each: L, P, l
    weight: Floats  # (k, rows, contacts): what a friction is to a row
    rates: Floats  # (k, contacts), for sd = 1
    rate: Floats  # (k, rows)

    def at(self, index: NDArray[np.intp]) -> Dynamics:
        load = (self.load[0][index], self.load[1][index], self.load[2][index])
        parts = {name: getattr(self, name)[index] for name in ("A", "B", "C", "weight", "rates", "rate")}
        return replace(self, load=load, **parts)


@dataclass(frozen=True, eq=False)
class PathLimits:
    """All limits of an arm that hold along a path."""

    arm: Limited
    motors: bool
    wrench: Floats | None
    gravity: Floats | None
    speed: Floats  # (n,) of the joints, infinite where there is none
    acceleration: Floats
    tool: tuple[ToolBound, ...]

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Those on the arm's joints."""
        return self.arm.model.links_on(self.arm.joint_names)

    @cached_property
    def contacts(self) -> tuple[Contact, ...]:
        """Where friction acts. Without motors: at the joints alone."""
        if self.motors:
            return self.arm.drives.contacts
        by_name = {link.joint.name: link.joint.friction for link in self.arm.model.links}
        found = []
        for j, name in enumerate(self.arm.joint_names):
            own = by_name[name]
            if own.viscous or own.coulomb:
                law = DriveFriction(side="joint", viscous=own.viscous, coulomb=(own.coulomb, own.coulomb))
                found.append(Contact(law, None, j))
        return tuple(found)

    @cached_property
    def torque_rows(self) -> tuple[TorqueRow, ...]:
        """Motors with a limit, then joints with one."""
        rows = []
        drives = self.arm.model.drives if self.motors else ()
        own_of_joints = range(sum(acts(drive.friction) for drive in drives), len(self.contacts))
        if self.motors:
            for k, drive in enumerate(drives):
                top = float(bounds(drive.motor, 0.0)[1])
                if np.isfinite(top):
                    own = tuple(c for c, contact in enumerate(self.contacts) if contact.motor in (None, k))
                    rows.append(TorqueRow(drive.name, drive.motor, False, k, top, own))
        for j, torque in enumerate(largest(self.links, "torque").tolist()):
            if np.isfinite(torque):
                own = tuple(c for c in own_of_joints if self.contacts[c].joint == j)
                rows.append(TorqueRow(self.arm.joint_names[j], Motor(torque=torque), True, j, torque, own))
        return tuple(rows)

    @cached_property
    def accelerated(self) -> NDArray[np.intp]:
        """Joints with a limited acceleration."""
        return np.flatnonzero(np.isfinite(self.acceleration))

    @cached_property
    def load_terms(self) -> tuple[tuple[int, int], ...]:
        """(row, contact) of each friction of a load, in the order of the rows."""
        return self._terms(lambda law: bool(law.load))

    @cached_property
    def fall_terms(self) -> tuple[tuple[int, int], ...]:
        return self._terms(lambda law: law.stribeck is not None and law.starting is not None)

    def _terms(self, has: Any) -> tuple[tuple[int, int], ...]:
        return tuple(
            (r, c) for r, row in enumerate(self.torque_rows) for c in row.contacts if has(self.contacts[c].law)
        )

    @property
    def bounds_tool_acceleration(self) -> bool:
        return any(bound.acceleration is not None for bound in self.tool)

    # along the path

    def dynamics(self, along: Along) -> Dynamics:
        """A, B, C and all that friction depends on, from three states of the exact model a point."""
        q, dq, ddq = along.q, along.dq, along.ddq
        still, nothing = np.zeros_like(q), np.zeros(3)
        states = ((still, dq, nothing, False), (dq, ddq, nothing, False), (still, still, self._gravity, True))
        parts = [self._split(q, qd, qdd, g, loaded) for qd, qdd, g, loaded in states]
        links, joints = [each for each, _ in parts], [each + rotors for each, rotors in parts]
        at_motors, of_motors, motor_rates = links, joints, dq
        if self.motors:
            gearing = self.arm.drives.gearing
            at_motors, of_motors = ([gearing.to_motors(q, tau) for tau in each] for each in (links, joints))
            motor_rates = gearing.rates(q, dq)
        k, rows, contacts = len(q), self.torque_rows, self.contacts

        def picked(of_motors: Floats, of_joints: Floats) -> Floats:
            return _columns(k, [contact.pick(of_motors, of_joints) for contact in contacts])

        def of_rows(of_motors: Floats, of_joints: Floats) -> Floats:
            return _columns(k, [(of_joints if row.of_joint else of_motors)[:, row.at] for row in rows])

        weight = np.zeros((k, len(rows), len(contacts)))
        for c, contact in enumerate(contacts):
            shared = np.ones(q.shape)  # a friction is to its own motor, or to its own joint, what it is
            if contact.motor is None and self.motors:
                shared = gearing.to_motors(q, np.broadcast_to(np.eye(self.arm.n)[contact.joint], q.shape))
            for r, row in enumerate(rows):
                if c in row.contacts:
                    weight[:, r, c] = 1.0 if row.of_joint else shared[:, row.at]
        A, B, C = (of_rows(u, tau) for u, tau in zip(of_motors, joints, strict=True))
        L, P, l = (picked(u, tau) for u, tau in zip(at_motors, links, strict=True))
        return Dynamics(A, B, C, (L, P, l), weight, self.contact_rates(along), of_rows(motor_rates, dq))

    @cached_property
    def _gravity(self) -> Floats:
        """In base axes."""
        given = self.arm.model.gravity if self.gravity is None else self.gravity
        return np.asarray(given) @ self.arm.model.base[:3, :3]

    def _split(self, q: Floats, qd: Floats, qdd: Floats, gravity: Floats, loaded: bool) -> tuple[Floats, Floats]:
        """Joint torques that move the links, and those that turn the rotors."""
        wrench = self.wrench if loaded else None
        if self.motors:
            kernel = self.arm.drives.kernel("split", gravity=True, wrench=wrench is not None)
            links, rotors = self.arm.drives.called(kernel, q, qd, qdd, gravity, *([] if wrench is None else [wrench]))
            return links, rotors
        in_world = gravity @ self.arm.model.base[:3, :3].T
        tau = self.arm.inverse_dynamics(q, qd, qdd, gravity=in_world, wrench=wrench)
        return tau, np.zeros_like(tau)

    def rows(self, at: Dynamics, at_rest: NDArray[np.bool_], turning: NDArray[np.bool_]) -> Rows:
        """The rows with friction. ``at_rest`` (k,): also without it; ``turning`` (k, contacts): either way."""
        shape = at.A.shape
        V, up, low = np.zeros(shape), at.C.copy(), at.C.copy()
        loads = np.zeros((*shape[:-1], len(self.load_terms), 5))
        falls = np.zeros((*shape[:-1], len(self.fall_terms), 3))
        forward, backward = (at.rates > 0.0) | turning, (at.rates < 0.0) | turning
        none = ~(forward | backward) | at_rest[..., None] | turning
        for r, row in enumerate(self.torque_rows):
            for c in row.contacts:
                law, W = self.contacts[c].law, at.weight[..., r, c]

                def either(
                    there: float, back: float, W: Floats = W, c: int = c
                ) -> tuple[Floats, Floats]:  # greatest and least of what may be
                    options = np.where(
                        np.stack([forward[..., c], backward[..., c], none[..., c]]),
                        np.stack([W * there, -W * back, 0.0 * W]),
                        np.nan,
                    )
                    return np.fmax.reduce(options), np.fmin.reduce(options)

                V[..., r] += law.viscous * W * at.rates[..., c]
                most, least = either(*law.coulomb)
                up[..., r] += most
                low[..., r] += least
                if (r, c) in self.load_terms:
                    term = loads[..., self.load_terms.index((r, c)), :]
                    term[..., 0], term[..., 1] = either(law.load, law.load)
                    for part in range(3):
                        term[..., 2 + part] = at.load[part][..., c]
                if (r, c) in self.fall_terms:
                    assert law.starting is not None
                    assert law.stribeck is not None
                    term = falls[..., self.fall_terms.index((r, c)), :]
                    above = (law.starting[0] - law.coulomb[0], law.starting[1] - law.coulomb[1])
                    term[..., 0], term[..., 1] = either(*above)
                    term[..., 2] = at.rates[..., c] / law.stribeck
        return Rows(at.A, at.B, V, up, low, at.rate, loads, falls)

    def contact_rates(self, along: Along) -> Floats:
        """(k, contacts) rates of all that rubs, for sd = 1."""
        at_motors = self.arm.drives.gearing.rates(along.q, along.dq) if self.motors else along.dq
        return without_rounding(
            _columns(len(along.q), [contact.pick(at_motors, along.dq) for contact in self.contacts])
        )

    def turning(self, rates: Floats) -> NDArray[np.bool_]:
        """Whether friction may point either way at an end of an interval, from rates (intervals, 2, contacts).

        So it may at an end where it stands still and then moves, and at both ends if it changes its sign in between.
        What stands still at both ends needs no friction to stay so.
        """
        across = rates[:, :1] * rates[:, 1:] < 0.0
        moves = (rates != 0.0).any(axis=1, keepdims=True)
        turns: NDArray[np.bool_] = across | ((rates == 0.0) & moves)
        return turns

    def speeds(self, s: Floats, along: Along) -> tuple[Floats, list[str]]:
        """Greatest x (k, limits) by each limit of speed, infinite where it does not hold, and what they are called."""
        caps, names = [], []
        with np.errstate(divide="ignore"):
            for j in np.flatnonzero(np.isfinite(self.speed)):
                caps.append((self.speed[j] / np.abs(along.dq[:, j])) ** 2)
                names.append(f"speed of {self.arm.joint_names[j]}")
            if self.motors:
                rates = self.arm.drives.rates(along.q, along.dq)
                for k, drive in enumerate(self.arm.model.drives):
                    if np.isfinite(most := fastest(drive.motor)):
                        caps.append((most / np.abs(rates[:, k])) ** 2)
                        names.append(f"speed of {drive.name}")
            if any(bound.speed is not None or bound.turn is not None for bound in self.tool):
                twist = np.einsum("kij,kj->ki", self.arm.jacobian(along.q), along.dq)
                for part, name in (("speed", "speed of the tool"), ("turn", "turning of the tool")):
                    size = np.linalg.norm(twist[:, :3] if part == "speed" else twist[:, 3:], axis=-1)
                    caps.append((self._on_pieces(s, part) / size) ** 2)
                    names.append(name)
        found: Floats = np.stack(caps, axis=-1) if caps else np.zeros((len(s), 0))
        return np.where(np.isnan(found), np.inf, found), names

    def tool_acceleration(self, s: Floats, along: Along) -> tuple[Floats, Floats, Floats]:
        """p and r (k, 3), with the tool's acceleration p a + r x, and its bound (k,)."""
        J = self.arm.jacobian(along.q)
        p = np.einsum("kij,kj->ki", J, along.dq)[:, :3]
        r = np.einsum("kij,kj->ki", J, along.ddq)[:, :3] + self.arm.jacobian_dot_qd(along.q, along.dq)[:, :3]
        return p, r, self._on_pieces(s, "acceleration")

    def _on_pieces(self, s: Floats, part: str) -> Floats:
        """The least bound that holds at s, infinite where none does."""
        found = np.full(len(s), np.inf)
        for bound in self.tool:
            value = getattr(bound, part)
            if value is not None:
                here = (s >= bound.start) & (s <= bound.end)
                found = np.where(here, np.minimum(found, value), found)
        return found


def fastest(motor: Motor) -> float:
    """The speed of a motor: its own limit, and where its torque-speed curve ends before its torque is used up."""
    limit = np.inf if motor.speed is None else motor.speed
    ends = motor.curve and motor.curve[-1][1] > 0.0
    return min(limit, (1.0 - CLIFF) * motor.curve[-1][0]) if ends else limit


def limits_of(
    arm: Limited,
    *,
    drives: bool | None,
    wrench: Any,
    gravity: Any,
    speed: Any,
    acceleration: Any,
    tool: Sequence[ToolBound],
) -> PathLimits:
    """The limits that hold for an arm, after checking what was given."""
    motors = bool(arm.model.drives) if drives is None else drives
    if motors:
        arm.drives.gearing.require_square()
    found = PathLimits(
        arm,
        motors,
        None if wrench is None else _vector("wrench", wrench, 6),
        None if gravity is None else _vector("gravity", gravity, 3),
        np.full(arm.n, np.inf),
        np.full(arm.n, np.inf),
        tuple(tool),
    )
    for bound in found.tool:
        for part in ("speed", "acceleration", "turn"):
            value = getattr(bound, part)
            if value is not None and not value > 0.0:
                raise ShapeError(f"the tool's {part} is bounded by {value}", hint="bounds are above zero")
    own = {"speed": largest(found.links, "speed"), "acceleration": largest(found.links, "acceleration")}
    for part, given in (("speed", speed), ("acceleration", acceleration)):
        if given is not None:
            own[part] = np.broadcast_to(np.asarray(given, dtype=np.float64), (arm.n,)).copy()
        if not (own[part] > 0.0).all():
            raise ShapeError(f"a joint's {part} is bounded by {own[part].min()}", hint="bounds are above zero")
    found = replace(found, speed=own["speed"], acceleration=own["acceleration"])
    if not (np.isfinite(found.speed).any() or found.torque_rows or len(found.accelerated) or found.tool):
        raise Unsupported(
            f"nothing limits {arm.name!r}", hint="give limits in its arm file, or speed= and acceleration="
        )
    return found


def _columns(k: int, columns: list[Floats]) -> Floats:
    return np.stack(columns, axis=-1) if columns else np.zeros((k, 0))


def _vector(name: str, value: Any, size: int) -> Floats:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != (size,):
        raise ShapeError(f"{name} has shape {array.shape}", hint=f"give ({size},), the same along the whole path")
    return array
