"""Targets to joints of the chain, on the branch that is asked for, and whether they are within their ranges."""

from __future__ import annotations

import numpy as np

from torsor.errors import ShapeError, TorsorError
from torsor.model.limits import position_limits
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.commands import Joints
from torsor.motion.inverse.branches import excludes
from torsor.motion.inverse.unreachable import OutOfLimits
from torsor.motion.paths.chain import Chain
from torsor.motion.tolerances import SHORT

_SAME = 1e-5  # rad: joints found for a pose that the arm has already


class Reaching:
    """``branch`` names the branch of poses that name none: "" the nearest, "keep" the one the arm is on.

    "keep, back" is that one but for what is named.

    ``strict``: solutions out of their limits are none.
    """

    def __init__(self, arm: AnyArm, chain: Chain, *, branch: str = "", strict: bool = True) -> None:
        self.arm, self.chain, self.branch, self.strict = arm, chain, branch, strict
        self.low, self.high = position_limits(chain.all_links)

    def beyond(self, q: Floats) -> str | None:
        """The joint that is furthest out of its range over q (k, n), where it is, and its range; loops move some."""
        over = self.over(q)
        q = self.chain.whole(q)
        if float(over.max()) <= SHORT:
            return None
        row, k = np.unravel_index(int(np.argmax(over)), over.shape)
        joint, values = self.chain.all_links[k].joint, np.array([q[row, k], self.low[k], self.high[k]])
        unit, (at, low, high) = ("m", values) if joint.kind == "prismatic" else ("deg", np.degrees(values))
        return f"{joint.name} to {at:.4g} {unit}; its range is {low:.4g} to {high:.4g} {unit}"

    def over(self, q: Floats) -> Floats:
        """How far each joint of the tree is out of its range at q (k, n)."""
        q = self.chain.whole(q)
        return np.maximum(q - self.high, self.low - q)

    def completed(self, target: Joints, q: Floats) -> Floats:
        """Chain joints of a joint target; what it leaves out stays where it is."""
        given, name = np.asarray(target.q, dtype=np.float64), target.name or "a target"
        if given.ndim != 1 or len(given) > self.arm.n:
            raise ShapeError(f"{name} has {given.size} joints", hint=f"{self.arm.model.name!r} has {self.arm.n}")
        if not np.isfinite(given).all():
            raise TorsorError(f"{name} has joints that are not numbers")
        now = self.chain.to_arm(q)
        if target.relative:
            given = now[: len(given)] + given
        return self.chain.from_arm(np.concatenate([given, now[len(given) :]]), q)

    def nearest(self, T: Floats, q: Floats, *, branch: str = "") -> Floats:
        """Chain joints for a pose: on a branch by name, or nearest to q."""
        wanted = branch or self.branch
        if wanted.split(",")[0] == "keep":
            wanted = self.changed(self.name_of(q), wanted)
        now = self.chain.to_arm(q)
        try:
            found = self.arm.inverse_kinematics(T, nearest=now, branch=wanted or None)
        except OutOfLimits:
            if self.strict:
                raise
            found = self.arm.inverse_kinematics(T, nearest=now, branch=wanted or None, limits=False)
        return self.chain.from_arm(found, q)

    def changed(self, name: str, wanted: str) -> str:
        """The name of the branch that the arm is on, with what is wanted behind "keep": "keep, back, wrist -"."""
        words = [word.strip() for word in wanted.split(",")[1:]]
        kept = [part for part in name.split(", ") if part and not any(excludes(part, word) for word in words)]
        return ", ".join([*kept, *(word for word in words if word not in kept)])

    def name_of(self, q: Floats) -> str:
        """The name of the branch that the arm is on, empty where it has none, or where branches meet."""
        T, J = self.chain.where(q[None])
        if np.linalg.svd(J[0], compute_uv=False)[-1] < _SAME:
            return ""
        options = self.arm.inverse_kinematics(T[0])
        off = np.angle(np.exp(1j * (options.q - self.chain.to_arm(q))))
        k = int(np.argmin(np.abs(off).max(axis=-1)))
        name = str(options.names[k])
        return "" if float(np.abs(off[k]).max()) > _SAME or name.startswith("solution") else name
