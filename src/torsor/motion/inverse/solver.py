"""What inverse kinematics knows of one arm: its closed form, compiled, its loops, its limits, its search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from torsor.mechanics import kinematics
from torsor.mechanics.spherical_wrist import MET, Geometry, recognised, thirds
from torsor.mechanics.tree import Reals, Tree
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.inverse.joint_ranges import Ranges, ranges
from torsor.motion.inverse.search import Search, polished
from torsor.motion.inverse.tool_loops import ToolLoops


class Solver:
    """The inverse kinematics of one arm. Solutions are in the joints of its tree until they are given away.

    ``geometry`` is None for arms that need the search. ``columns`` are the joints of the tree that the arm's q holds.
    """

    def __init__(self, arm: AnyArm, tree: Tree) -> None:
        self.arm, self.tree = arm, tree
        self.geometry: Geometry | None = recognised(tree)
        self.linkage: ToolLoops | None = None  # how the loops, if there are any, follow the tool's chain
        if arm.model.loops and self.geometry is not None:
            self.linkage = ToolLoops(arm.model, tree, self.geometry.chain)
            if not self.linkage.is_explicit or not self.geometry.is_exact:
                self.geometry = self.linkage = None
        self.columns = [arm.model.joint_names.index(name) for name in arm.joint_names]
        self.ranges: Ranges = ranges(arm.model)

    @cached_property
    def search(self) -> Search:
        """The search within the limits of the joints."""
        return self._search(self.ranges.only(self.columns))

    @cached_property
    def unlimited_search(self) -> Search:
        return self._search(self.ranges.only(self.columns).unlimited())

    def _search(self, within: Ranges) -> Search:
        own = {"pose": self.arm.pose, "jacobian": self.arm.jacobian} if self.arm.model.loops else {}
        return Search(self.tree, within, **own)

    @cached_property
    def _branches(self) -> Any:
        """The closed form, compiled: every branch, by how much it misses, and its margins."""
        from torsor.emit import Page

        assert self.geometry is not None
        inputs: dict[str, Any] = {"T": (4, 4), "near": 6} | ({} if self.geometry.is_direct else {"third": ()})
        facts = self.tree.facts("tool"), None if self.linkage is None else self.linkage.facts
        return Page(f"{self.tree.name}_inverse_kinematics", inputs, self._page, facts)

    def _page(self, T: Reals, near: Reals, third: Reals | None = None) -> dict[str, Any]:
        from torsor.mechanics.spherical_wrist import branches, with_third

        assert self.geometry is not None
        found = branches(self.geometry, T, near) if third is None else with_third(self.geometry, T, third[()], near)
        q, miss, margins = found
        if self.linkage is not None:
            q = np.stack([self.linkage.closed_from_chain(row) for row in q])
        return {"q": q, "miss": miss, "margins": margins}

    @cached_property
    def _chain_methods(self) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]:
        """Pose and Jacobian of the tool's chain: the arm's own, compiled, where the chain is all there is."""
        assert self.geometry is not None
        if self.tree.n == 6 and list(self.geometry.chain.sources) == list(range(6)):
            return self.arm.tree.pose, self.arm.tree.jacobian
        chain = self.geometry.tree
        return lambda q: kinematics.pose(chain, q), lambda q: kinematics.jacobian(chain, q)

    def options(self, T: Floats, near: Floats) -> tuple[Floats, Floats]:
        """All branches (..., 8, joints of the tree), NaN where there is none, and their margins (..., 8, 3).

        Joints that do not move the tool stay where they are in ``near`` (..., joints of the tree), and so do joints
        that a singular solution leaves free.
        """
        assert self.geometry is not None
        sources = list(self.geometry.chain.sources)
        start = near[..., sources]
        if self.geometry.is_direct:
            q, miss, margins = self._branches(T, start)
        else:
            third = np.sort(thirds(self.geometry, T), axis=-1)
            q, miss, margins = self._branches(T[..., None, :, :], start[..., None, :], third)
            q, miss, margins = (a.reshape(*T.shape[:-2], 8, *a.shape[third.ndim + 1 :]) for a in (q, miss, margins))
        if not self.geometry.is_exact:
            q, miss = polished(*self._chain_methods, q, T)
        if not self.geometry.is_direct:  # roots that were none come last, so that arms are numbered without gaps
            there = (miss < MET).reshape(*miss.shape[:-1], 4, 2).any(axis=-1)
            order = np.argsort(~there, axis=-1, kind="stable").repeat(2, axis=-1) * 2 + np.tile([0, 1], 4)
            q, margins = (np.take_along_axis(a, order[..., None], axis=-2) for a in (q, margins))
            miss = np.take_along_axis(miss, order, axis=-1)
        q[~(miss < MET) | np.isnan(q).any(axis=-1)] = np.nan
        if q.shape[-1] == self.tree.n and (self.linkage is not None or sources == list(range(6))):
            return q, margins
        whole = np.broadcast_to(near[..., None, :], (*q.shape[:-1], self.tree.n)).copy()
        whole[..., sources] = q
        return whole, margins

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
