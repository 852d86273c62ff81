"""Inverse kinematics by search, for arms without a closed form: damped least squares from many starts at once.

One compiled kernel makes a step for any number of starts and poses; rows that have arrived are left out of the next
steps. Joints stay within their limits all the time. All that is found meets the pose to rounding, but nothing proves
that all has been found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from torsor.mechanics.tree import Reals, Tree
from torsor.model.transforms import Floats
from torsor.motion.inverse.joint_ranges import Ranges
from torsor.motion.inverse.targets import twist_between

STARTS, STEPS = 64, 120
ARRIVED = 1e-22  # of |e|^2: 1e-11 m and rad
SearchStep = Callable[[Floats, Floats], tuple[Floats, Floats]]  # q (..., n), T (..., 4, 4) -> the next q, |e|^2 at q


class Search:
    """The search of one arm. ``pose`` and ``jacobian`` are for arms with loops, whose tree is not all there is."""

    def __init__(self, tree: Tree, ranges: Ranges, *, pose: Any = None, jacobian: Any = None) -> None:
        self.tree, self.ranges = tree, ranges
        self.low, self.high = ranges.bounds()
        self._pose, self._jacobian = pose, jacobian

    @cached_property
    def step(self) -> SearchStep:
        if self._pose is not None:
            return self._by_methods
        from torsor.emit import Page

        facts = self.tree.facts("tool"), self.low, self.high
        return Page(f"{self.tree.name}_pose_step", {"q": self.tree.n, "T": (4, 4)}, self._page, facts).kernel

    def _page(self, q: Reals, T: Reals) -> dict[str, Reals]:
        from torsor.mechanics.pose_step import pose_step

        return dict(zip(("moved", "size"), pose_step(self.tree, q, T, self.low, self.high), strict=True))

    def _by_methods(self, q: Floats, T: Floats) -> tuple[Floats, Floats]:
        e = twist_between(T, self._pose(q))
        J = self._jacobian(q)
        size = (e * e).sum(axis=-1)
        H = np.swapaxes(J, -1, -2) @ J + (0.5 * size + 1e-13)[..., None, None] * np.eye(J.shape[-1])
        step = np.linalg.solve(H, np.swapaxes(J, -1, -2) @ e[..., None])[..., 0]
        return np.clip(q + step, self.low, self.high), size

    def starts(self, count: int, seed: int = 0) -> Floats:
        """Random joints (count, n) within the bounds."""
        return np.random.default_rng(seed).uniform(self.low, self.high, (count, len(self.low)))

    def improved(self, q: Floats, T: Floats, steps: int = STEPS) -> tuple[Floats, Floats]:
        """Joints (m, n) led to poses (m, 4, 4), and |e|^2 of each (m,)."""
        best, least = q.copy(), np.full(len(q), np.inf)
        active = np.arange(len(q))
        now = q
        for _ in range(steps):
            following, size = self.step(now, T[active])
            better = size < least[active]
            best[active[better]], least[active[better]] = now[better], size[better]
            # what does not move any more, at a limit or in a dead end, will not arrive
            on = (size > ARRIVED) & (np.abs(following - now).max(axis=-1) > 1e-12)
            if not on.any():
                break
            active, now = active[on], following[on]
        return best, least

    def solutions(self, T: Floats, *, count: int = STARTS, near: Floats | None = None) -> Floats:
        """(..., count, n) for poses (..., 4, 4): what each start leads to, NaN where it leads to nothing."""
        flat = T.reshape(-1, 4, 4)
        starts = self.starts(count)
        if near is not None:
            starts[0] = np.clip(near, self.low, self.high)
        q = np.broadcast_to(starts, (len(flat), *starts.shape)).reshape(-1, starts.shape[-1])
        found, size = self.improved(q, np.repeat(flat, count, axis=0))
        found = np.where((size < 1e-20)[:, None], found, np.nan)
        return found.reshape(*T.shape[:-2], count, starts.shape[-1])

    def one(self, T: Floats, start: Floats) -> Floats | None:
        """The solution that this start leads to, for following a path; None where it leads to nothing."""
        found, size = self.improved(np.clip(start, self.low, self.high)[None], T[None], steps=30)
        return found[0] if size[0] < 1e-20 else None


def polished(
    pose: Callable[[Floats], Floats],
    jacobian: Callable[[Floats], Floats],
    q: Floats,
    T: Floats,
    *,
    rounds: int = 12,
    far: float = 0.1,
    least: float = 1e-9,
) -> tuple[Floats, Floats]:
    """Newton's method on the pose where closed forms lost digits: q (..., m, 6), and by how much each still misses.

    What is off by more than ``far`` is left as it is; directions in which the tool moves by less than ``least`` of the
    most it can are not gone in. A step that leads further off is taken by half: a wrist that is all but straight turns
    by more than its slope is good for.
    """
    goal = np.broadcast_to(T[..., None, :, :], (*q.shape[:-1], 4, 4))
    error = np.abs(pose(q) - goal).max(axis=(-1, -2))
    length = np.ones_like(error)
    for _ in range(rounds):
        rough = (error > 1e-12) & (error < far)
        if not rough.any():
            break
        inverse = np.linalg.pinv(jacobian(q[rough]), rcond=least)
        step = (inverse @ twist_between(goal[rough], pose(q[rough]))[..., None])[..., 0]
        better = q[rough] + length[rough, None] * step
        left = np.abs(pose(better) - goal[rough]).max(axis=(-1, -2))
        improved = left < error[rough]
        where = tuple(axis[improved] for axis in np.nonzero(rough))
        q[where], error[where] = better[improved], left[improved]
        length[rough] = np.where(improved, 1.0, 0.5 * length[rough])
    return q, error
