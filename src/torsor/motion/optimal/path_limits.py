"""What limits the motion along a path, as functions of the path's own speed and acceleration.

With s(t) on a path q(s), qd = q' sd and qdd = q'' sd^2 + q' sdd. Let x = sd^2 and a = sdd. Then a torque of a motor is

    u = A a + B x + C + V sqrt(x) + D exp(-(r sqrt(x))^2) + w |L a + P x + l|

with the rigid arm and its rotors in A, B, C, viscous friction in V, dry friction in C and D (Coulomb, Stribeck), and
friction of the load in w. The direction of friction is known from q', because sd is never negative. For a given x all
limits of a are intervals, which the passes of `grid_passes.py` intersect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.drives.friction import Contact, acts
from torsor.drives.motors import bounds
from torsor.errors import ShapeError, Unsupported
from torsor.model.limits import largest
from torsor.model.parts import DriveFriction, Motor
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.curves import Along, without_rounding

CLIFF = 1e-6  # of the speed at which a torque-speed curve ends: beyond there is nothing left, so it stays this far away


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

    @property
    def is_fixed(self) -> bool:
        """Whether its bounds do not change with speed."""
        return not self.motor.curve and self.motor.voltage is None


@dataclass(frozen=True, eq=False)
class PathLimits:
    """All limits of an arm that hold along a path."""

    arm: AnyArm
    motors: bool
    wrench: Floats | None
    gravity: Floats | None
    speed: Floats  # (n,) of the joints, infinite where there is none
    acceleration: Floats
    tool: tuple[ToolBound, ...]

    @cached_property
    def contacts(self) -> tuple[Contact, ...]:
        """Where friction acts. Without motors: at the joints alone."""
        if self.motors:
            return self.arm.drives.contacts
        own = [link.joint.friction for link in self.arm.model.links_on(self.arm.joint_names)]
        laws = [DriveFriction(side="joint", viscous=f.viscous, coulomb=(f.coulomb, f.coulomb)) for f in own]
        return tuple(Contact(law, None, j) for j, law in enumerate(laws) if acts(law))

    @cached_property
    def torque_rows(self) -> tuple[TorqueRow, ...]:
        """Motors with a limit, then joints with one."""
        rows = []
        drives = self.arm.model.drives if self.motors else ()
        own_of_joints = range(sum(acts(drive.friction) for drive in drives), len(self.contacts))
        for k, drive in enumerate(drives):
            top = float(bounds(drive.motor, 0.0)[1])
            if np.isfinite(top):
                own = tuple(c for c, contact in enumerate(self.contacts) if contact.motor in (None, k))
                rows.append(TorqueRow(drive.name, drive.motor, False, k, top, own))
        links = self.arm.model.links_on(self.arm.joint_names)
        for j, torque in enumerate(largest(links, "torque").tolist()):
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
        rows = enumerate(self.torque_rows)
        return tuple((r, c) for r, row in rows for c in row.contacts if has(self.contacts[c].law))

    @cached_property
    def motor_speeds(self) -> Floats:
        return np.array([fastest(drive.motor) for drive in self.arm.model.drives])

    @cached_property
    def hurried(self) -> tuple[list[int], list[int]]:
        """Joints and motors with a limited speed."""
        motors = self.motor_speeds if self.motors else np.zeros(0)
        return np.flatnonzero(np.isfinite(self.speed)).tolist(), np.flatnonzero(np.isfinite(motors)).tolist()

    @property
    def bounds_tool_acceleration(self) -> bool:
        return any(bound.acceleration is not None for bound in self.tool)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """What there is to exceed: speeds, torques, accelerations of joints, that of the tool."""
        joints, motors = self.hurried
        speeds = [f"speed of {self.arm.joint_names[j]}" for j in joints]
        speeds += [f"speed of {self.arm.model.drives[k].name}" for k in motors]
        speeds += ["speed of the tool", "turning of the tool"] if self._bounds_tool_speed else []
        torques = [f"torque of {row.name}" for row in self.torque_rows]
        pushed = [f"acceleration of {self.arm.joint_names[j]}" for j in self.accelerated]
        tool = ["acceleration of the tool"] if self.bounds_tool_acceleration else []
        return tuple(speeds), tuple(torques), tuple(pushed), tuple(tool)

    # along the path

    def coefficients(self, along: Along, at_rest: NDArray[np.bool_]) -> tuple[dict[str, Floats], Floats, Floats]:
        """The torque rows at both ends of intervals, points (2 intervals,), from three states of the exact model each.

        By name (points, rows): A, B, V, what C leaves of the bounds ``up`` and ``low``, the shaft rates for sd = 1, and
        of frictions (points, terms): loads w_up, w_low, L, P, l, and falls D_up, D_low, r. Friction that may point
        either way has its greatest value in ``up`` and its least in ``low``; ``at_rest`` (points,): also none. Then
        the greatest and the least torque that it takes to hold the arm, or to let it creep along.
        """
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
        k, contacts, rates = len(q), self.contacts, self.contact_rates(along)

        def of_rows(of_motors: Floats, of_joints: Floats) -> Floats:
            return _columns(k, [(of_joints if row.of_joint else of_motors)[:, row.at] for row in self.torque_rows])

        A, B, C = (of_rows(u, tau) for u, tau in zip(of_motors, joints, strict=True))
        V, up, low = np.zeros_like(C), C.copy(), C.copy()
        load = [[each.pick(u, tau) for each in contacts] for u, tau in zip(at_motors, links, strict=True)]  # L, P, l
        loads, falls = np.zeros((k, len(self.load_terms), 5)), np.zeros((k, len(self.fall_terms), 3))
        held_up, held_low = np.zeros_like(C), np.zeros_like(C)
        weights = [np.ones(q.shape)] * len(contacts)  # a friction is to its own motor, or to its own joint, what it is
        for c in (c for c, contact in enumerate(contacts) if contact.motor is None and self.motors):
            weights[c] = gearing.to_motors(q, np.broadcast_to(np.eye(self.arm.n)[contacts[c].joint], q.shape))
        turning = self._turning(rates)
        forward, backward = (rates > 0.0) | turning, (rates < 0.0) | turning
        none = ~(forward | backward) | at_rest[:, None] | turning
        for r, row in enumerate(self.torque_rows):
            for c in row.contacts:
                law, W = contacts[c].law, np.ones(k) if row.of_joint else weights[c][:, row.at]

                def either(there: float, back: float, W: Floats = W, c: int = c) -> tuple[Floats, Floats]:
                    """Greatest and least of what may be."""
                    may = np.stack([forward[:, c], backward[:, c], none[:, c]])
                    options = np.where(may, np.stack([W * there, -W * back, 0.0 * W]), np.nan)
                    return np.fmax.reduce(options), np.fmin.reduce(options)

                V[:, r] += law.viscous * W * rates[:, c]
                most, least = either(*law.coulomb)
                up[:, r] += most
                low[:, r] += least
                if (r, c) in self.load_terms:
                    most, least = either(law.load, law.load)
                    own = np.stack([most, least, *(part[c] for part in load)], axis=-1)
                    loads[:, self.load_terms.index((r, c))] = own
                    held_up[:, r] += most * np.abs(own[:, 4])
                    held_low[:, r] += least * np.abs(own[:, 4])
                if (r, c) in self.fall_terms:
                    assert law.starting is not None
                    assert law.stribeck is not None
                    most, least = either(law.starting[0] - law.coulomb[0], law.starting[1] - law.coulomb[1])
                    own = np.stack([most, least, rates[:, c] / law.stribeck], axis=-1)
                    falls[:, self.fall_terms.index((r, c))] = own
                    held_up[:, r] += most
                    held_low[:, r] += least
        given = np.array([row.peak if row.is_fixed else 0.0 for row in self.torque_rows])  # others change with speed
        found = {"A": A, "B": B, "V": V, "up": given - up, "low": -given - low}
        found |= {"rate": of_rows(motor_rates, dq), "loads": loads.reshape(k, -1), "falls": falls.reshape(k, -1)}
        return found, up + held_up, low + held_low

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

    def contact_rates(self, along: Along) -> Floats:
        """(k, contacts) rates of all that rubs, for sd = 1."""
        at_motors = self.arm.drives.gearing.rates(along.q, along.dq) if self.motors else along.dq
        return without_rounding(_columns(len(along.q), [each.pick(at_motors, along.dq) for each in self.contacts]))

    def _turning(self, rates: Floats) -> NDArray[np.bool_]:
        """Whether friction may point either way at both ends of intervals, from rates (2 intervals, contacts).

        So it may at an end where it stands still and then moves, and at both ends if it changes its sign in between.
        What stands still at both ends needs no friction to stay so.
        """
        pairs = rates.reshape(len(rates) // 2, 2, rates.shape[-1])
        turns = (pairs[:, :1] * pairs[:, 1:] < 0.0) | ((pairs == 0.0) & (pairs != 0.0).any(axis=1, keepdims=True))
        return np.asarray(turns.reshape(rates.shape))

    @property
    def _bounds_tool_speed(self) -> bool:
        return any(bound.speed is not None or bound.turn is not None for bound in self.tool)

    @np.errstate(divide="ignore")
    def speeds(self, s: Floats, along: Along) -> Floats:
        """Greatest x (k, limits) by each limit of speed, infinite where it does not hold."""
        joints, motors = self.hurried
        caps = [self.speed[joints] / np.abs(along.dq[:, joints])]
        if motors:
            caps.append(self.motor_speeds[motors] / np.abs(self.arm.drives.rates(along.q, along.dq)[:, motors]))
        if self._bounds_tool_speed:
            twist = np.einsum("kij,kj->ki", self.arm.jacobian(along.q), along.dq)
            for part, way in (("speed", twist[:, :3]), ("turn", twist[:, 3:])):
                caps.append((self._on_pieces(s, part) / np.linalg.norm(way, axis=-1))[:, None])
        found = np.concatenate(caps, axis=1) ** 2
        return np.where(np.isnan(found), np.inf, found)

    def tool_acceleration(self, s: Floats, along: Along) -> tuple[Floats, Floats, Floats]:
        """p and r (k, 3), with the tool's acceleration p a + r x, and its bound (k,)."""
        J = self.arm.jacobian(along.q)
        p = np.einsum("kij,kj->ki", J, along.dq)[:, :3]
        r = np.einsum("kij,kj->ki", J, along.ddq)[:, :3] + self.arm.jacobian_dot_qd(along.q, along.dq)[:, :3]
        return p, r, self._on_pieces(s, "acceleration")

    def _on_pieces(self, s: Floats, part: str) -> Floats:
        """The least bound that holds at s, infinite where none does."""
        found = np.full(len(s), np.inf)
        for bound in (each for each in self.tool if getattr(each, part) is not None):
            here = (s >= bound.start) & (s <= bound.end)
            found = np.where(here, np.minimum(found, getattr(bound, part)), found)
        return found

    # what a motion uses, by the exact model: what timing is verified with

    def uses(self, s: Floats, along: Along, x: Floats, a: Floats) -> Floats:
        """Shares of limits (k, limits), named by ``names``, at points of a path (k,) passed with sd^2 = x, sdd = a.

        1 is all of one. Of a torque it is 1 + (its distance beyond the bound at that speed) / (the bound at rest).
        """
        sd = np.sqrt(x)[:, None]
        q, qd, qdd = along.q, along.dq * sd, along.ddq * x[:, None] + along.dq * a[:, None]
        parts = [sd / np.sqrt(np.maximum(self.speeds(s, along), 1e-300)), self._torque_shares(q, qd, qdd)]
        parts.append(np.abs(qdd[:, self.accelerated]) / self.acceleration[self.accelerated])
        if self.bounds_tool_acceleration:
            p, r, most = self.tool_acceleration(s, along)
            parts.append((np.linalg.norm(p * a[:, None] + r * x[:, None], axis=-1) / most)[:, None])
        return np.concatenate(parts, axis=1)

    def _torque_shares(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """Of the torque rows, (k, rows)."""
        arm, found = self.arm, np.zeros((len(q), len(self.torque_rows)))
        options: dict[str, Any] = {"wrench": self.wrench, "gravity": self.gravity}
        if any(not row.of_joint for row in self.torque_rows):
            u = arm.drives.torques(q, qd, qdd, **options)
            # beyond the end of a torque-speed curve it is the speed that is exceeded
            rates = np.clip(arm.drives.rates(q, qd), -self.motor_speeds, self.motor_speeds)
            lower, upper = arm.drives.available(rates)
        if any(row.of_joint for row in self.torque_rows):
            tau = arm.inverse_dynamics(q, qd, qdd, drives=self.motors, **options)
            friction = [link.joint.friction for link in arm.model.links_on(arm.joint_names)]
        for r, row in enumerate(self.torque_rows):
            k = row.at
            if row.of_joint:
                value = tau[:, k] + friction[k].viscous * qd[:, k] + friction[k].coulomb * np.sign(qd[:, k])
                found[:, r] = np.abs(value) / row.peak
            else:
                found[:, r] = 1.0 + np.maximum(u[:, k] - upper[:, k], lower[:, k] - u[:, k]) / row.peak
        return found


def fastest(motor: Motor) -> float:
    """The speed of a motor: its own limit, and where its torque-speed curve ends before its torque is used up."""
    limit = np.inf if motor.speed is None else motor.speed
    ends = motor.curve and motor.curve[-1][1] > 0.0
    return min(limit, (1.0 - CLIFF) * motor.curve[-1][0]) if ends else limit


def limits_of(
    arm: AnyArm,
    *,
    drives: bool | None = None,
    wrench: Any = None,
    gravity: Any = None,
    speed: Any = None,
    acceleration: Any = None,
    tool: Sequence[ToolBound] = (),
) -> PathLimits:
    """The limits that hold for an arm, after checking what was given."""
    motors = bool(arm.model.drives) if drives is None else drives
    if motors:
        arm.drives.gearing.require_square()
    for part in ("speed", "acceleration", "turn"):
        for value in (getattr(bound, part) for bound in tool):
            if value is not None and not value > 0.0:
                raise ShapeError(f"the tool's {part} is bounded by {value}", hint="bounds are above zero")
    links = arm.model.links_on(arm.joint_names)
    speed = largest(links, "speed") if speed is None else np.asarray(speed, dtype=np.float64)
    acceleration = (
        largest(links, "acceleration") if acceleration is None else np.asarray(acceleration, dtype=np.float64)
    )
    for part, bound in (("speed", speed), ("acceleration", acceleration)):
        if not (bound > 0.0).all():
            raise ShapeError(f"a joint's {part} is bounded by {bound.min()}", hint="bounds are above zero")
    rates = [np.broadcast_to(bound, (arm.n,)) for bound in (speed, acceleration)]
    loads = _vector("wrench", wrench, 6), _vector("gravity", gravity, 3)
    found = PathLimits(arm, motors, *loads, rates[0], rates[1], tuple(tool))
    if not (np.isfinite(found.speed).any() or found.torque_rows or len(found.accelerated) or found.tool):
        hint = "give limits in its arm file, or speed= and acceleration="
        raise Unsupported(f"nothing limits {arm.model.name!r}", hint=hint)
    return found


def _columns(k: int, columns: list[Floats]) -> Floats:
    return np.stack(columns, axis=-1) if columns else np.zeros((k, 0))


def _vector(name: str, value: Any, size: int) -> Floats | None:
    if value is None:
        return None
    array = np.asarray(value, dtype=np.float64)
    if array.shape != (size,):
        raise ShapeError(f"{name} has shape {array.shape}", hint=f"give ({size},), the same along the whole path")
    return array
