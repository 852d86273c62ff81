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

import numpy as np
from numpy.typing import NDArray

from torsor.arm import Arm
from torsor.checking.between_samples import refined
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.sampling import Planned, SampleBlock, blocks
from torsor.drives.friction import acts
from torsor.errors import StudyError
from torsor.model.transforms import Floats
from torsor.study.peak_search import FINER, PeakTable, ShareForm, shares
from torsor.study.torque_rows import Rows, divided, joined, lines_of, rows_of, smooth_steps

AGREES = 1e-6  # of a share: how far peaks may be from those of torsor.check
CLOSE = 1e-8  # of a share: how far those may be that were looked at closely
MOST_ROWS = 2_000_000  # samples of a plan that are held at once


@dataclass(frozen=True, eq=False)
class TorqueParts:
    """A plan of an arm, ready for runs. ``varying`` are the names of its parts, in order."""

    varying: tuple[str, ...]
    contacts: tuple[str, ...]  # who rubs
    motors: tuple[str, ...]
    joint_limits: Floats  # (n,), infinite where joints have none or the arm is checked at them anyway
    sampled: Mapping[str, list[SampleBlock]]  # by part, "" what none of them changes: the same samples
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
        inner = {name: [divided(block) for block in found] for name, found in sampled.items()}
        first = machines[""]
        limited = first.at_motors and np.isfinite(first.joint_torques).any()
        smooth = joined([smooth_steps(block) for block in own])[:-1] if own else np.zeros(0, dtype=bool)
        return cls(
            varying=tuple(name for name in machines if name),
            contacts=_contact_names(first.driven),
            motors=first.motors,
            joint_limits=first.joint_torques if limited else np.full(len(first.joints), np.inf),
            sampled=sampled,
            line=joined([lines_of(block) for block in own]).astype(np.intp),
            samples=rows_of(sampled),
            between=rows_of(inner),
            open=smooth.astype(bool),
        )

    def peaks(self, amounts: Floats, rubbing: Floats, stronger: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """Largest shares of motor torques (runs, m) and joint torques (runs, n), and the lines (runs,) of the worst.

        ``amounts`` (varying, runs) of each part, ``rubbing`` (contacts, runs) and ``stronger`` (m, runs) are factors.
        """
        runs, m = amounts.shape[1], len(self.motors)
        most = np.zeros((m + len(self.joint_limits), runs))
        where = np.zeros((m + len(self.joint_limits), runs), dtype=np.intp)
        for column, (own, table) in self._judged.items():
            most[column], where[column] = table.peaks(amounts, rubbing[list(own.felt)])
        with np.errstate(all="ignore"):  # a motor without any torque
            most[:m] /= stronger
        worst = where[most[:m].argmax(axis=0), np.arange(runs)] if m else np.zeros(runs, dtype=np.intp)
        return most[:m].T, most[m:].T, self.line[worst] if len(self.line) else worst

    def closely(self, amounts: Floats, rubbing: Floats, stronger: Floats) -> tuple[Floats, Floats]:
        """Shares (m,) and (n,) of one run, its peaks refined as `torsor.check` refines them: to `CLOSE` of it.

        ``amounts`` (varying, 1), ``rubbing`` (contacts, 1), ``stronger`` (m, 1).
        """
        m, count = len(self.motors), len(self.motors) + len(self.joint_limits)
        most = np.zeros(count)
        for k, block in enumerate(self.sampled[""]):
            own = {name: found[k] for name, found in self.sampled.items()}

            def measured(q: Floats, qd: Floats, qdd: Floats, own: Mapping[str, SampleBlock] = own) -> Floats:
                rows = rows_of({name: [replace(each, q=q, qd=qd, qdd=qdd)] for name, each in own.items()})
                found = np.zeros((len(q), count))
                for column, (share, _) in self._judged.items():
                    found[:, column] = shares(share.form, share.table(rows), amounts, rubbing[list(share.felt)])
                found[:, :m] /= stronger.T
                return found

            with np.errstate(all="ignore"):  # as in `peaks`
                values = measured(block.q, block.qd, block.qdd)
                _, column, _, value = refined(block, values, [(slice(0, count), measured)])
            most = np.maximum(most, values.max(axis=0))
            np.maximum.at(most, column, value)
        return most[:m], most[m:]

    @cached_property
    def _judged(self) -> dict[int, tuple[JudgedShare, PeakTable]]:
        """By column, motors first, then joints: of those that have limits."""
        found: dict[int, JudgedShare] = {}
        if len(self.line):
            for k in range(len(self.motors)):
                if np.isfinite(self.samples.upper[k]).any():
                    found[k] = MotorShare.of(k, self.samples, self.between)
            for j in np.flatnonzero(np.isfinite(self.joint_limits)).tolist():
                found[len(self.motors) + j] = JointShare(j, len(self.varying), float(self.joint_limits[j]))
        return {
            column: (own, PeakTable(own.form, own.table(self.samples), own.table(self.between), self.open))
            for column, own in found.items()
        }

    @property
    def known(self) -> bool:
        """Whether all loads along the plan are numbers."""
        whole = [own for _, table in self._judged.values() for own in (table.samples, table.between)]
        return all(np.isfinite(own[:, :-2]).all() and not np.isnan(own[:, -2:]).any() for own in whole)


@dataclass(frozen=True)
class MotorShare:
    """Of a motor, which feels the friction of some contacts; ``loaded`` says of which it follows the load."""

    motor: int
    felt: list[int]
    form: ShareForm

    @classmethod
    def of(cls, motor: int, *all_: Rows) -> MotorShare:
        felt = [c for c in range(len(all_[0].dry)) if any(rows.way[c, motor].any() for rows in all_)]
        loaded = (any(bool(rows.rubs[c].any()) for rows in all_) for c in felt)
        return cls(motor, felt, ShareForm(len(all_[0].parts), tuple(loaded)))

    def table(self, rows: Rows) -> Floats:
        """(rows, width) as `ShareForm` has them."""
        k = self.motor
        columns = [rows.fixed.torque[k], *(part.torque[k] for part in rows.parts)]
        for c, loaded in zip(self.felt, self.form.contacts, strict=True):
            columns.append(rows.way[c, k] * rows.dry[c])
            if loaded:
                columns += [rows.way[c, k] * rows.rubs[c], rows.fixed.load[c], *(part.load[c] for part in rows.parts)]
        with np.errstate(divide="ignore"):  # a motor that gives nothing at its rate
            return np.column_stack([*columns, 1.0 / rows.upper[k], 1.0 / rows.lower[k]])


@dataclass(frozen=True)
class JointShare:
    """Of a joint, of what its gear may pass on."""

    joint: int
    parts: int
    limit: float
    felt: tuple[int, ...] = ()

    @property
    def form(self) -> ShareForm:
        return ShareForm(self.parts)

    def table(self, rows: Rows) -> Floats:
        columns = [rows.fixed.joint_torque[self.joint], *(part.joint_torque[self.joint] for part in rows.parts)]
        share = np.full(len(columns[0]), 1.0 / self.limit)
        return np.column_stack([*columns, share, -share])


JudgedShare = MotorShare | JointShare


def _contact_names(arm: Arm) -> tuple[str, ...]:
    """Whose friction each contact has, as `contacts_of` has them: the drives' first, then the joints'."""
    model = arm.drives.model
    found = [drive.name for drive in model.drives if acts(drive.friction)]
    own = [link.joint for link in model.independent]
    return (*found, *(joint.name for joint in own if joint.friction.viscous or joint.friction.coulomb))
