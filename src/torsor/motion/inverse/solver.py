"""What inverse kinematics knows of one arm: its closed form, compiled, its loops, its limits, its search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, reduce
from typing import Any

import numpy as np

from torsor.emit.recent import Recent
from torsor.mechanics import kinematics
from torsor.mechanics.spherical_wrist import MET, Geometry, recognised, thirds
from torsor.mechanics.tree import Reals, Tree
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.inverse.branches import SINGULAR
from torsor.motion.inverse.joint_ranges import ROUNDING, Ranges, ranges
from torsor.motion.inverse.search import Search, polished
from torsor.motion.inverse.tool_loops import ToolLoops
from torsor.motion.inverse.unreachable import nearest_pose

LOST = 1e-4  # what misses by more, in m and of cosines, is not reached
MOVED = 1e-12  # m and of cosines: what rounding makes of a pose at worst, an elbow all but straight among it
UNSURE = 1e-2  # rad: by more than that it moves no joint that is not free
KNOWN = 1e300  # less than this is what is not NaN


class Solver:
    """The inverse kinematics of one arm. Solutions are in the joints of its tree until they are given away.

    ``geometry`` is None for arms that need the search. ``columns`` are the joints of the tree that the arm's q holds.
    """

    def __init__(self, arm: AnyArm, tree: Tree) -> None:
        self.arm = arm
        self.tree = tree
        self.geometry: Geometry | None = recognised(tree)
        self.linkage: ToolLoops | None = None  # how the loops, if there are any, follow the tool's chain
        if arm.model.loops and self.geometry is not None:
            self.linkage = ToolLoops(arm.model, tree, self.geometry.chain)
            if not self.linkage.is_explicit or not self.geometry.is_exact:
                self.geometry = self.linkage = None
        names = arm.model.joint_names
        self.columns = [names.index(name) for name in arm.joint_names]
        self.ranges: Ranges = ranges(arm.model)
        self.sources = [] if self.geometry is None else list(self.geometry.chain.sources)
        self._nearest: Recent[tuple[Floats, Floats]] = Recent(1024)  # a pallet out of reach has many

    @cached_property
    def search(self) -> Search:
        """The search within the limits of the joints."""
        return self._search(self.ranges.only(self.columns))

    @cached_property
    def unlimited_search(self) -> Search:
        return self._search(self.ranges.only(self.columns).unlimited())

    def _search(self, within: Ranges) -> Search:
        if self.arm.model.loops:
            return Search(self.tree, within, pose=self.arm.pose, jacobian=self.arm.jacobian)
        return Search(self.tree, within)

    @cached_property
    def _branches(self) -> Any:
        """The closed form, compiled: every branch, by how much it misses, and its margins."""
        from torsor.emit import Page

        assert self.geometry is not None
        inputs: dict[str, Any] = {"T": (4, 4), "near": 6} | ({} if self.geometry.is_direct else {"third": ()})
        if self.linkage is not None:
            inputs["modes"] = self.linkage.modes.shape[1]
        facts = self.tree.facts("tool"), None if self.linkage is None else self.linkage.facts
        return Page(f"{self.tree.name}_inverse_kinematics", inputs, self._page, facts)

    def _page(self, T: Reals, near: Reals, *more: Reals) -> dict[str, Any]:
        from torsor.algebra import absolute, minimum
        from torsor.mechanics.spherical_wrist import branches, with_third

        assert self.geometry is not None
        if self.geometry.is_direct:
            q, miss, margins = branches(self.geometry, T, near)
        else:
            q, miss, margins = with_third(self.geometry, T, more[0][()], near)
        if self.linkage is not None:
            q = np.stack([self.linkage.closed_from_chain(row, more[-1]) for row in q])
        if self.geometry.is_exact:  # else what misses may yet be led there
            q = np.stack([row + _nan_where_lost(row, off) for row, off in zip(q, miss, strict=True)])
        return {"q": q, "miss": miss, "margins": margins, "least": reduce(minimum, map(absolute, margins.ravel()))}

    @cached_property
    def _chain_methods(self) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]:
        """Pose and Jacobian of the tool's chain: the arm's own, compiled, where the chain is all there is."""
        assert self.geometry is not None
        if self.sources == list(range(self.tree.n)):
            return self.arm.tree.pose, self.arm.tree.jacobian
        chain = self.geometry.tree
        return lambda q: kinematics.pose(chain, q), lambda q: kinematics.jacobian(chain, q)

    def options(self, T: Floats, near: Floats, way: int = 0) -> tuple[Floats, Floats]:
        """All branches (..., 8, joints of the tree), NaN where there is none, and their margins (..., 8, 3).

        Joints that do not move the tool stay where they are in ``near`` (..., joints of the tree), and so do joints
        that a singular solution leaves free. Loops close in one of the ``linkage.modes``.
        """
        assert self.geometry is not None
        start = near[..., self.sources]
        modes = () if self.linkage is None else (self.linkage.modes[way],)
        if self.geometry.is_direct:
            q, miss, margins, least = self._branches(T, start, *modes)
        else:
            third = np.sort(thirds(self.geometry, T), axis=-1)
            q, miss, margins, least = self._branches(T[..., None, :, :], start[..., None, :], third, *modes)
            q, miss, margins = (a.reshape(*T.shape[:-2], 8, *a.shape[third.ndim + 1 :]) for a in (q, miss, margins))
        if self.geometry.is_exact:
            if (doubtful := least < SINGULAR).any():
                self._mend(doubtful, T, start, q, miss, margins, *modes)
        else:
            q, miss = polished(*self._chain_methods, q, T)
            q[~(miss < MET)] = np.nan
        if not self.geometry.is_direct:  # roots that were none come last, so that arms are numbered without gaps
            there = (miss < MET).reshape(*miss.shape[:-1], 4, 2).any(axis=-1)
            order = np.argsort(~there, axis=-1, kind="stable").repeat(2, axis=-1) * 2 + np.tile([0, 1], 4)
            q, margins = (np.take_along_axis(a, order[..., None], axis=-2) for a in (q, margins))
            miss = np.take_along_axis(miss, order, axis=-1)
        return (q if self.linkage is not None else self._with_others(q, near[..., None, :])), margins

    def _with_others(self, chain: Floats, near: Floats) -> Floats:
        """Joints of the tool's chain among all joints of the tree, the others where they are in ``near``."""
        if self.sources == list(range(self.tree.n)):
            return chain
        whole = np.broadcast_to(near, (*chain.shape[:-1], self.tree.n)).copy()
        whole[..., self.sources] = chain
        return whole

    def _mend(
        self, some: Any, T: Floats, near: Floats, q: Floats, miss: Floats, margins: Floats, *modes: Floats
    ) -> None:
        """Near singular postures the closed form loses digits, or misses what it could reach: made good, in place.

        What is as good as out of reach is left so: a miss of more than `LOST` is no rounding.
        """
        from torsor.mechanics.spherical_wrist import branches

        assert self.geometry is not None
        goal, own = T[some], np.broadcast_to(near, (*T.shape[:-2], 6))[some]
        with np.errstate(all="ignore"):
            found, off, its_margins = branches(self.geometry, goal, own, closing=True)
            found[~(off < LOST)] = np.nan
            found, left = polished(*self._chain_methods, found, goal)
            if self.linkage is not None:
                found = self.linkage.closed_from_chain(found, *modes)
        off = np.where(off < LOST, left, off)
        found[~(off < MET) | np.isnan(found).any(axis=-1)] = np.nan
        q[some], miss[some], margins[some] = found, off, its_margins

    def on_limits(self, T: Floats, q: Floats, margins: Floats, near: Floats, ranges: Ranges, way: int = 0) -> Floats:
        """Solutions (m, n) of one pose, where those that pass a limit by their rounding are put on it.

        A wrist that is all but straight turns the tool by two joints about all but the same axis, and rounding shares
        the turn between them: one can stay on its limit, and the others make up for it.
        """
        closest = ranges.unlimited().turned(q, near)
        beyond = ranges.passed(closest)[:, self.sources]
        most = beyond.max(axis=-1)
        straight = np.sqrt(np.abs(margins).min(axis=-1))  # of the wrist, or what is nearest to singular
        unsure = np.minimum(UNSURE, MOVED / np.maximum(straight, MOVED))
        pose, jacobian = self._chain_methods
        for k in np.flatnonzero((most > ROUNDING) & (most < unsure)):
            free = beyond[k] == 0.0
            start = np.clip(closest[k], ranges.low, ranges.high)[None, self.sources]
            chain, left = polished(pose, lambda at, free=free: jacobian(at) * free, start, T)  # type: ignore[misc]
            whole = self._whole_of(chain[0], closest[k], way)
            if left[0] < MET and ranges.inside(whole):
                q[k] = whole
        return q

    def close_by(self, T: Floats, near: Floats, way: int = 0) -> Floats | None:
        """The solution that Newton's method leads to from joints of the tree (n,), None where it leads to none.

        By the smallest steps: where parts of an arm are singular together, what is next to ``near``.
        """
        chain, left = polished(
            *self._chain_methods, near[None, self.sources].copy(), T, rounds=30, far=np.inf, least=1e-6
        )
        if not left[0] < MET:
            return None
        whole = self._whole_of(chain[0], near, way)
        return whole if self.linkage is None or self.linkage.is_assembled(whole) else None

    def _whole_of(self, chain: Floats, near: Floats, way: int) -> Floats:
        """All joints of the tree (n,) for those of the tool's chain: by the loops, or where they are in ``near``."""
        if self.linkage is None:
            return self._with_others(chain, near)
        return np.asarray(self.linkage.closed_from_chain(chain, self.linkage.modes[way]))

    def closed_form(self, T: Floats) -> Floats:
        """(..., 8, n): all branches, NaN where there is none."""
        q, _ = self.options(T, np.zeros(self.tree.n))
        return q if len(self.columns) == q.shape[-1] else q.take(self.columns, axis=-1)

    def whole(self, q: Floats) -> Floats:
        """The joints of the tree (..., n) for the joints of the arm."""
        if self.linkage is None:
            return q
        found = self.linkage.assembled(q)
        return np.where(np.isfinite(found), found, self.linkage.reference)

    def has_solution(self, T: Floats, near: Floats) -> bool:
        """Whether the closed form has joints within the limits for one pose; True where it takes a search to tell."""
        if self.geometry is None:
            return True
        start = self.whole(near)
        q, _ = self.options(T, start)
        return bool(self.ranges.inside(self.ranges.turned(q, start)).any())

    def nearest(self, T: Floats, *, limits: bool = True) -> tuple[Floats, Floats]:
        """The joints of the arm that bring the tool closest to T, within the limits or not, and their pose."""
        search = self.search if limits else self.unlimited_search
        # programs ask for the same place again and again, and a search takes a tenth of a second
        return self._nearest.get((limits, T.tobytes()), lambda: nearest_pose(search, self.arm, T))


def _nan_where_lost(q: Reals, miss: Any) -> Any:
    """Zero for joints that bring the tool there and close the loops, NaN else: the square root of 0 or of -1."""
    from torsor.algebra import absolute, less, sqrt

    return sqrt(less(miss, MET) * less(absolute(q.sum()), KNOWN) - 1.0)
