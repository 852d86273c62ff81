"""Motor torques along a plan as sums of parts, so that many arms which differ in loads are judged on one plan.

Joint torques are linear in masses, payload and forces at the tool, whatever the motion: tau(p) = tau_0 + sum p_j tau_j.
Friction on top is c (F + mu |load(p)|) for each contact, c a factor. So a plan is sampled once, each part is computed
once, from arms that differ by one unit of what varies, and a run is a few products and sums for each sample.

The motion between two samples is looked at too: an interval that may hold a peak is divided further, where the motion
is exact again. What comes out agrees with `torsor.check`, which refines each peak by itself, to `AGREES` of a share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.arm import Arm
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.sampling import Planned, SampleBlock, blocks
from torsor.drives.friction import acts, moving
from torsor.errors import StudyError
from torsor.model.transforms import Floats

AGREES = 1e-6  # of a share: how far peaks may be from those of torsor.check
FINER = 8  # parts of an interval between two samples in which a peak may be
BENDS = 0.25  # of the differences around an interval: what a peak inside may rise above its ends, twice over
MOST_ROWS = 2_000_000  # samples of a plan that are held at once
WORKING = 16_384  # numbers in the arrays of a round: they stay in the caches


@dataclass(frozen=True, eq=False)
class TorquePart:
    """What a motion takes, by what it is proportional to."""

    torque: Floats  # (m, rows) at motors
    load: Floats  # (contacts, rows)
    joint_torque: Floats  # (n, rows)


@dataclass(frozen=True, eq=False)
class Rows:
    """Samples in a row and what is known of them. Rows come last: a motor's are neighbours in memory."""

    fixed: TorquePart
    parts: tuple[TorquePart, ...]  # for one unit of each thing that varies
    dry: Floats  # (contacts, rows) friction without load
    rubs: Floats  # (contacts, rows) of the load: mu sign(v)
    way: Floats  # (contacts, m, rows) from a contact's force to motor torques
    lower: Floats  # (m, rows) what motors give at their rates
    upper: Floats

    @cached_property
    def felt(self) -> tuple[tuple[int, ...], ...]:
        """Of each motor, the contacts whose friction it feels."""
        return tuple(tuple(np.flatnonzero(own).tolist()) for own in (self.way != 0.0).any(axis=2).T)

    @cached_property
    def loaded(self) -> tuple[bool, ...]:
        """Of each contact, whether its friction follows the load."""
        return tuple(bool(own.any()) for own in self.rubs)


@dataclass(frozen=True, eq=False)
class TorqueParts:
    """A plan of an arm, ready for runs. ``varying`` are the names of its parts, in order."""

    varying: tuple[str, ...]
    contacts: tuple[str, ...]  # who rubs
    motors: tuple[str, ...]
    joint_limits: Floats  # (n,), infinite where joints have none or the arm is checked at them anyway
    line: NDArray[np.intp]  # (rows,)
    samples: Rows
    between: Rows  # (rows - 1) (FINER - 1) more, in order; meaningless where ``open`` is not
    open: NDArray[np.bool_]  # (rows - 1,) whether the motion is smooth from a row to the next

    @classmethod
    def of(cls, machines: Mapping[str, CheckedArm], pieces: Sequence[Planned]) -> TorqueParts:
        """``machines``: under "" the arm as it is, under each other name the arm with one unit more of that."""
        sampled = {name: list(blocks(machine, pieces)) for name, machine in machines.items()}
        own = sampled[""]
        if sum(len(block.q) for block in own) * FINER > MOST_ROWS:
            raise StudyError("the program is too long for its samples to be held at once")
        whole = np.concatenate([block.q for block in own]) if own else np.zeros((0, 1))
        for found in sampled.values():
            if not np.array_equal(np.concatenate([block.q for block in found]) if found else whole, whole):
                raise StudyError("the plan is sampled in another way where loads differ")  # judged one by one then
        inner = {name: [_divided(block) for block in found] for name, found in sampled.items()}
        first = machines[""]
        limited = first.at_motors and np.isfinite(first.joint_torques).any()
        smooth = _joined([_smooth(block) for block in own])[:-1] if own else np.zeros(0, dtype=bool)
        return cls(
            varying=tuple(name for name in machines if name),
            contacts=_contact_names(first.driven),
            motors=first.motors,
            joint_limits=first.joint_torques if limited else np.full(len(first.joints), np.inf),
            line=_joined([_lines(block) for block in own]).astype(np.intp),
            samples=_rows(sampled),
            between=_rows(inner),
            open=smooth.astype(bool),
        )

    def peaks(self, amounts: Floats, rubbing: Floats, stronger: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """Largest shares of motor torques (runs, m) and joint torques (runs, n), and the lines (runs,) of the worst.

        ``amounts`` (runs, varying) of each part, ``rubbing`` (runs, contacts) and ``stronger`` (runs, m) are factors.
        """
        runs, m, rows = len(amounts), len(self.motors), len(self.line)
        torque, joints = np.zeros((runs, m)), np.zeros((runs, len(self.joint_limits)))
        where = np.zeros((runs, m), dtype=np.intp)
        step = max(1, WORKING // max(rows, 1))
        bounded = [k for k in range(m) if np.isfinite(self.samples.upper[k]).any()] if rows else []
        passed = np.flatnonzero(np.isfinite(self.joint_limits)).tolist() if rows else []
        with np.errstate(all="ignore"):  # what is no number is found in the peaks
            for start in range(0, runs, step):
                some = slice(start, start + step)
                given = amounts[some], rubbing[some], stronger[some]
                for k in bounded:
                    torque[some, k], where[some, k] = self._peak(_MotorShare(k), *given)
                for j in passed:
                    joints[some, j] = self._peak(_JointShare(j, float(self.joint_limits[j])), *given)[0]
        worst = where[np.arange(runs), torque.argmax(axis=1)] if m else np.zeros(runs, dtype=np.intp)
        return torque, joints, self.line[worst] if rows else worst

    def _peak(
        self, share: _MotorShare | _JointShare, amounts: Floats, rubbing: Floats, stronger: Floats
    ) -> tuple[Floats, NDArray[np.intp]]:
        """Of each run (runs,) the peak, and the sample next to it."""
        at = share.of(self.samples, slice(None), amounts[:, None], rubbing[:, None], stronger[:, None])
        peak, row = at.max(axis=1), at.argmax(axis=1)
        apart = np.abs(np.diff(at, axis=1)) * self.open
        bent = apart.copy()  # at the first sample of each interval and the one before it, or at its second
        bent[:, 1:] += apart[:, :-1]
        bent[:, :-1] = np.maximum(bent[:, :-1], apart[:, :-1] + apart[:, 1:])
        bound = np.maximum(at[:, :-1], at[:, 1:]) + BENDS * bent
        run, interval = np.nonzero((bound > peak[:, None]) & self.open)
        if len(run):
            inside = (interval[:, None] * (FINER - 1) + np.arange(FINER - 1)).ravel()
            who = np.repeat(run, FINER - 1)
            found = share.of(self.between, inside, amounts[who], rubbing[who], stronger[who]).reshape(-1, FINER - 1)
            curve = np.column_stack([at[run, interval], found, at[run, interval + 1]])  # (found, FINER + 1)
            tops = _vertex(curve)
            higher = tops > peak[run]
            for one in np.flatnonzero(higher):  # few: one or two for each run
                if tops[one] > peak[run[one]]:
                    peak[run[one]], row[run[one]] = tops[one], interval[one]
        return peak, row


@dataclass(frozen=True)
class _MotorShare:
    motor: int

    def of(self, rows: Rows, which: Any, amounts: Floats, rubbing: Floats, stronger: Floats) -> Floats:
        """|u_a| as a share of what the motor gives in its direction."""
        k = self.motor
        u = _sum(rows.fixed.torque[k], [part.torque[k] for part in rows.parts], which, amounts)
        for c in rows.felt[k]:
            force = rows.dry[c][which]
            if rows.loaded[c]:
                load = _sum(rows.fixed.load[c], [part.load[c] for part in rows.parts], which, amounts)
                force = force + rows.rubs[c][which] * np.abs(load)
            u = u + rubbing[..., c] * (rows.way[c, k][which] * force)
        shares = np.fmax(u / rows.upper[k][which], u / rows.lower[k][which])
        return np.asarray(np.where(u == 0.0, 0.0, shares) / stronger[..., k])


def _sum(fixed: Floats, parts: list[Floats], which: Any, amounts: Floats) -> Floats:
    """fixed + sum of amounts times parts, in this order whatever the shapes: to the last bit the same for a run."""
    total = fixed[which]
    for j, part in enumerate(parts):
        total = total + amounts[..., j] * part[which]
    return np.asarray(total)


@dataclass(frozen=True)
class _JointShare:
    joint: int
    limit: float

    def of(self, rows: Rows, which: Any, amounts: Floats, rubbing: Floats, stronger: Floats) -> Floats:
        j = self.joint
        tau = _sum(rows.fixed.joint_torque[j], [part.joint_torque[j] for part in rows.parts], which, amounts)
        return np.asarray(np.broadcast_to(np.abs(tau) / self.limit, np.broadcast_shapes(tau.shape, amounts.shape[:-1])))


def _vertex(curve: Floats) -> Floats:
    """(k,) tops of curves (k, points) in equal steps: of the parabola through the highest point and its neighbours."""
    top = np.clip(curve.argmax(axis=1), 1, curve.shape[1] - 2)
    at = np.arange(len(curve))
    left, middle, right = curve[at, top - 1], curve[at, top], curve[at, top + 1]
    bend, slope = left - 2.0 * middle + right, 0.5 * (right - left)
    inside = (bend < 0.0) & (np.abs(slope) <= -bend)
    rise = np.where(inside, -0.5 * slope * slope / np.where(bend < 0.0, bend, -1.0), 0.0)
    return np.asarray(np.maximum(middle + rise, curve.max(axis=1)))


def _joined(parts: list[Any]) -> Any:
    return np.concatenate(parts) if parts else np.zeros(0)


def _smooth(block: SampleBlock) -> NDArray[np.bool_]:
    """(samples,) whether the motion is smooth from each sample to the next of its block."""
    same = (block.smooth[:-1] == block.smooth[1:]) & (block.owner[:-1] == block.owner[1:])
    return np.append(same & (np.diff(block.local) > 0.0), False)


def _lines(block: SampleBlock) -> NDArray[np.intp]:
    return np.array([section.piece.command.place.line for section in block.sections])[block.owner]


def _divided(block: SampleBlock) -> SampleBlock:
    """The block at times between its samples; where these are not of one smooth stretch, at the sample again."""
    smooth = _smooth(block)
    step = np.where(smooth, np.diff(block.local, append=block.local[-1]), 0.0)
    share = np.arange(1, FINER) / FINER
    local = (block.local[:, None] + step[:, None] * share).ravel()
    owner = np.repeat(block.owner, FINER - 1)
    q, qd, qdd = block.motion(owner, local)
    return replace(block, owner=owner, local=local, q=q, qd=qd, qdd=qdd)


def _rows(sampled: Mapping[str, list[SampleBlock]]) -> Rows:
    """Of blocks, by the name of what is one unit more."""
    words = tuple(TorquePart.__dataclass_fields__)

    def whole(found: list[SampleBlock]) -> TorquePart:
        """All of it: what is one unit's is the difference of two."""
        parts = [_part(block) for block in found]
        return TorquePart(*(_last(_joined([getattr(part, word) for part in parts])) for word in words))

    together = {name: whole(found) for name, found in sampled.items()}
    fixed = together.pop("")
    parts = [TorquePart(*(getattr(each, word) - getattr(fixed, word) for word in words)) for each in together.values()]
    friction = [_friction(block) for block in sampled[""]]
    return Rows(fixed, tuple(parts), *(_last(_joined([each[k] for each in friction])) for k in range(5)))


def _last(rows: Floats) -> Floats:
    """(rows, ...) with rows as the last dimension."""
    return np.ascontiguousarray(np.moveaxis(rows, 0, -1))


def _part(block: SampleBlock) -> TorquePart:
    """Rows first, as blocks have them."""
    machine, motion = block.machine, (block.q, block.qd, block.qdd)
    drives = machine.driven.drives
    wrench = machine.wrench
    kernel = drives.kernel("split", wrench=wrench is not None)
    given = motion if wrench is None else (*motion, wrench)
    links, rotors = drives.called(kernel, *given)
    torque = drives.gearing.to_motors(block.q, links + rotors)
    at_motors = drives.gearing.to_motors(block.q, links)
    load = [contact.pick(at_motors, links) for contact in drives.contacts]
    joint_torque = machine.arm.inverse_dynamics(*motion, wrench=wrench)
    return TorquePart(torque, np.stack(load, axis=-1) if load else np.zeros((len(block.q), 0)), joint_torque)


def _friction(block: SampleBlock) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Friction without load, what it takes of the load, the way to motors, what motors give; rows first."""
    drives = block.machine.driven.drives
    rates = drives.rates(block.q, block.qd)
    count, n, m = len(block.q), len(block.machine.joints), drives.m
    dry, rubs = np.zeros((2, count, len(drives.contacts)))
    way = np.zeros((count, len(drives.contacts), m))
    for c, contact in enumerate(drives.contacts):
        v = np.asarray(contact.pick(rates, block.qd))
        dry[:, c] = moving(contact.law, v, np.sign(v), 0.0)
        rubs[:, c] = contact.law.load * np.sign(v)
        if contact.motor is None:
            way[:, c] = drives.gearing.to_motors(block.q, np.broadcast_to(np.eye(n)[contact.joint], (count, n)))
        else:
            way[:, c, contact.motor] = 1.0
    return dry, rubs, way, *drives.available(rates)


def _contact_names(arm: Arm) -> tuple[str, ...]:
    """Whose friction each contact has, as `contacts_of` has them: the drives' first, then the joints'."""
    model = arm.drives.model
    found = [drive.name for drive in model.drives if acts(drive.friction)]
    own = [link.joint for link in model.independent]
    return (*found, *(joint.name for joint in own if joint.friction.viscous or joint.friction.coulomb))
