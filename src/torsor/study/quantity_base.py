"""Quantities of an arm in many postures as a base of studies: what maps of the workspace are drawn from.

All but frequencies come from batch kernels; a state's numbers do not depend on the others in its batch.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.checking.checked_arm import CheckedArm
from torsor.errors import StudyError
from torsor.loading import load
from torsor.mechanics.arguments import floats
from torsor.model.limits import position_limits
from torsor.model.transforms import Floats
from torsor.reach import LONGEST, joint_span
from torsor.study.base import ChunkOutcome, Portions, RunColumns, StudyOutput, arm_digest, digest
from torsor.study.varying import Uniform

JOINT = "q."
PLACES = {
    "x": StudyOutput("m", "of the tool, base axes"),
    "y": StudyOutput("m", "of the tool, base axes"),
    "z": StudyOutput("m", "of the tool, base axes"),
    "r": StudyOutput("m", "of the tool, from the z axis of the base"),
    "reach": StudyOutput("m", "of the tool, from the origin of the base"),
}
VOLUME = "sqrt(det(J J^T)) of the linear rows of J, in the dimensions in which the tool moves"
QUANTITIES = {
    "manipulability": StudyOutput("", f"volume of tool velocities for unit joint rates: {VOLUME}"),
    "torque_margin": StudyOutput("", "share of its torque that the motor which carries most keeps while the arm rests"),
    "payload": StudyOutput("kg", "the most that motors hold at rest at the tool point, instead of the arm's payload"),
    "frequency": StudyOutput("Hz", "the first natural one, drives held"),
}
INERTIA = "effective_inertia."
AT_ONCE = 25_000  # states: what is computed on the way stays in the caches
SOME = 64  # postures that tell in how many dimensions the tool moves


@dataclass(frozen=True, eq=False)
class QuantityBase:
    """An arm at q (n,), of which joints vary as ``q.JOINT``; ``within`` keeps only postures within position limits."""

    arm: Arm
    at: tuple[float, ...]
    quantities: tuple[str, ...] = ("manipulability",)

    kind: ClassVar[str] = "quantity"

    @classmethod
    def of(
        cls, robot: str | os.PathLike[str] | Arm, at: ArrayLike | None = None, quantities: tuple[str, ...] = ()
    ) -> QuantityBase:
        """Without a word the joints that do not vary are at zero, or at the limit next to it."""
        arm = robot if isinstance(robot, Arm) else load(robot)
        low, high = position_limits(arm.model.links_on(arm.joint_names))
        q = np.clip(np.zeros(arm.n), low, high) if at is None else floats("at", at, arm.n, f"{arm.n} joints")
        return cls(arm, tuple(q.tolist()), tuple(quantities) or ("manipulability",))

    def __post_init__(self) -> None:
        for name in self.quantities:
            if name not in self.outputs:
                known = ", ".join(self.outputs)
                raise StudyError(f"there is no quantity {name!r} of {self.arm.name!r}", hint=f"known: {known}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.arm, self.at, self.quantities)

    def whole(self, *joints: str) -> dict[str, Uniform]:
        """Joints, all without a word, varying over their ranges, a turn at most."""
        known = {link.joint.name: link.joint for link in self.arm.model.links}
        spans = {}
        for name in joints or self.arm.joint_names:
            if name not in self.arm.joint_names:
                hint = f"joints: {', '.join(self.arm.joint_names)}"
                raise StudyError(f"{self.arm.name!r} has no joint {name!r}", hint=hint)
            low, high = joint_span(known[name])
            if high - low > LONGEST:
                raise StudyError(f"{name} has no limits", hint="say from where to where it varies")
            spans[f"{JOINT}{name}"] = Uniform(low, high)
        return spans

    @cached_property
    def variable(self) -> dict[str, str]:
        kinds = {link.joint.name: link.joint.kind for link in self.arm.model.links}
        return {f"{JOINT}{name}": "m" if kinds[name] == "prismatic" else "rad" for name in self.arm.joint_names}

    @cached_property
    def outputs(self) -> dict[str, StudyOutput]:
        motors = CheckedArm(self.arm).motors if self.arm.model.drives else ()
        own = {f"{INERTIA}{name}": StudyOutput("kg m^2", f"that {name} accelerates, others locked") for name in motors}
        return {**PLACES, **QUANTITIES, **own}

    @property
    def usual(self) -> tuple[str, ...]:
        return (*(name for name in self.quantities if name not in PLACES), *PLACES)

    @property
    def contents(self) -> dict[str, str]:
        return {"arm": arm_digest(self.arm), "settings": digest(self.at, self.quantities)}

    def portions(self, varied: tuple[str, ...], outputs: tuple[str, ...]) -> Portions:
        return Portions(500) if "frequency" in outputs else Portions(50_000, most=500_000)

    def settled(self, inputs: RunColumns) -> QuantityBase:
        return self

    def evaluate(self, inputs: RunColumns, outputs: tuple[str, ...]) -> ChunkOutcome:
        count = len(next(iter(inputs.values())))
        found: RunColumns = {name: np.empty(count) for name in outputs}
        for start in range(0, count, AT_ONCE):
            some = slice(start, start + AT_ONCE)
            for name, values in self._some({own: each[some] for own, each in inputs.items()}, outputs).items():
                found[name][some] = values
        return ChunkOutcome(found)

    def _some(self, inputs: RunColumns, outputs: tuple[str, ...]) -> RunColumns:
        count = len(next(iter(inputs.values())))
        q = np.tile(np.array(self.at), (count, 1))
        for k, joint in enumerate(self.arm.joint_names):
            if f"{JOINT}{joint}" in inputs:
                q[:, k] = inputs[f"{JOINT}{joint}"]
        found: RunColumns = {}
        with np.errstate(all="ignore"):  # loops that do not close there, or no limit: NaN
            if set(outputs) & set(PLACES):
                found |= self._places(q)
            if "manipulability" in outputs:
                found["manipulability"] = self._manipulability(q)
            if {"torque_margin", "payload"} & set(outputs):
                found |= self._held(q)
            if "frequency" in outputs:
                found["frequency"] = self.arm.elastic.frequencies(q, drives="held")[:, 0]
            if any(name.startswith(INERTIA) for name in outputs):
                inertia = self.arm.drives.effective_inertia(q)
                found |= {f"{INERTIA}{name}": inertia[:, k] for k, name in enumerate(self.arm.drives.names)}
        return {name: found[name] for name in outputs}

    def _places(self, q: Floats) -> RunColumns:
        x, y, z = np.moveaxis(self.arm.pose(q)[:, :3, 3], -1, 0)
        flat = x * x + y * y
        return {"x": x, "y": y, "z": z, "r": np.sqrt(flat), "reach": np.sqrt(flat + z * z)}

    def _manipulability(self, q: Floats) -> Floats:
        """Of the Gram matrix G = J J^T the sum of its principal minors of the size in which the tool moves."""
        J = np.ascontiguousarray(
            np.moveaxis(self.arm.jacobian(q)[:, :3], 0, -1)
        )  # (3, n, states): sums run along memory
        G = {(i, j): _dot(J[i], J[j]) for i in range(3) for j in range(i, 3)}
        if self._dimensions == 3:
            minors = (
                G[0, 0] * (G[1, 1] * G[2, 2] - G[1, 2] * G[1, 2])
                - G[0, 1] * (G[0, 1] * G[2, 2] - G[1, 2] * G[0, 2])
                + G[0, 2] * (G[0, 1] * G[1, 2] - G[1, 1] * G[0, 2])
            )
        elif self._dimensions == 2:
            pairs = ((0, 1), (0, 2), (1, 2))
            minors = np.asarray(sum(G[i, i] * G[j, j] - G[i, j] * G[i, j] for i, j in pairs))
        else:
            minors = G[0, 0] + G[1, 1] + G[2, 2]
        return np.sqrt(np.maximum(minors, 0.0))

    @cached_property
    def _dimensions(self) -> int:
        """In which the tool moves: 3, or 2 of an arm in a plane."""
        some = np.array(self.at) + np.random.default_rng(0).uniform(-0.5, 0.5, (SOME, self.arm.n))
        J = self.arm.jacobian(some)[:, :3]
        ranks = np.linalg.matrix_rank(J[np.isfinite(J).all(axis=(1, 2))], rtol=1e-6)
        return int(ranks.max(initial=1))

    @cached_property
    def _machines(self) -> tuple[CheckedArm, CheckedArm]:
        """Without anything in the hand, and with one kilogram."""
        return CheckedArm(self.arm.with_payload(0.0)), CheckedArm(self.arm.with_payload(1.0))

    @cached_property
    def _machine(self) -> CheckedArm:
        return CheckedArm(self.arm)

    def _held(self, q: Floats) -> RunColumns:
        """At rest, without friction: it helps some motors, and none for ever."""
        peaks = self._machine.peaks
        bounded = np.isfinite(peaks)
        if not bounded.any():
            return {word: np.full(len(q), np.nan) for word in ("torque_margin", "payload")}

        def holding(machine: CheckedArm) -> Floats:
            still = np.zeros_like(q)
            found: Floats = machine.driven.drives.torques(q, still, still, friction=False)
            return found[:, bounded]

        limit = peaks[bounded]
        own = holding(self._machine)
        empty, one = map(holding, self._machines)
        more = one - empty
        room = np.where(more > 0.0, limit - empty, -limit - empty) / more
        most = np.where(more == 0.0, np.where(np.abs(empty) <= limit, np.inf, 0.0), room).min(axis=1)
        return {"torque_margin": 1.0 - (np.abs(own) / limit).max(axis=1), "payload": np.maximum(most, 0.0)}


def large_is_bad(quantity: str) -> bool:
    """
    >>> large_is_bad("effective_inertia.motor1"), large_is_bad("payload")
    (True, False)
    """
    return quantity.startswith(INERTIA)


def _dot(a: Floats, b: Floats) -> Floats:
    """State by state, term after term: the same to the last bit in a batch of any size."""
    total = a[0] * b[0]
    for k in range(1, len(a)):
        total = total + a[k] * b[k]
    return np.asarray(total)
