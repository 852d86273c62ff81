"""Which pairs of solids can be the nearest: bounds first, exact distances only where they decide.

Samples follow each other in time, so links hardly move from one to the next. Every sixteenth is looked at first; a
joint that moves by x moves what it carries by no more than its lever times x, so that in between most pairs are known
to be too far away. What is looked at is so by the capsules around solids, and by GJK where these leave it open.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from torsor.cell.convex_solids import Solid, SolidPoses, Solids
from torsor.cell.distances import between_segments
from torsor.mechanics.kinematics import body_poses
from torsor.mechanics.tree import Tree
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, size_of

STRIDE = 16  # samples that share one look at all pairs
LOOSE = 1e-4  # m by which the least of many samples may be too small
SolidIndices = NDArray[np.intp]


class Looking:
    """Solids on the bodies of a tree, and planes. Joints are (samples, n), those of the tree."""

    def __init__(
        self, tree: Tree, solids: Sequence[Solid], body: SolidIndices, normals: Floats, offsets: Floats
    ) -> None:
        self.tree, self.solids, self.body = tree, Solids(solids), body
        self.normals, self.offsets = normals, offsets
        around = [solid.around for solid in solids]
        self.ends = np.array([each[:2] for each in around]).reshape(-1, 2, 3)  # of the capsules around them
        self.radius = np.array([each[2] for each in around])
        self.is_round = np.array([solid.is_round for solid in solids], dtype=bool)

    def distances(
        self, q: Floats, pairs: SolidIndices, over: SolidIndices, group: SolidIndices | None = None
    ) -> Floats:
        """(samples, pairs and solids over planes): in a group of samples the least is exact, and others are no less.

        What cannot be the least may be infinite. ``pairs`` (p, 2) are of solids, ``over`` (o, 2) of a solid and a
        plane. Without ``group`` (samples,), numbers from zero, every sample is one; with it the least may be too small
        by `LOOSE` where solids are not round.
        """
        count = len(q)
        own, loose = (np.arange(count), 0.0) if group is None else (group, LOOSE)
        look = _Look(self, q, pairs, over, own, loose)
        found = look.found
        if not found.size:
            return found
        if count < 2 * STRIDE:
            look.at(np.arange(count), np.ones(found.shape, dtype=bool))
            return found
        looked = np.arange(STRIDE // 2, count + STRIDE // 2, STRIDE).clip(max=count - 1)
        ways = look.at(looked, np.ones((len(looked), found.shape[1]), dtype=bool))
        nearest = np.arange(count) // STRIDE
        x = self._expanded(q)
        moved = np.einsum("sb,pb->sp", np.abs(x - x[looked][nearest]), self._levers(x, pairs, over))
        before = found[looked][nearest]
        with np.errstate(invalid="ignore"):  # where loops do not close there is no number, and all is open
            if group is None:  # else the least of a sample may be a bound, that of its group being known
                near, rows = before.argmin(axis=1), np.arange(count)
                # how deep solids are in each other is told as too much rather than too little: their radii are sure
                sure = np.maximum(before[rows, near], look.deepest[near])
                np.fmin.at(look.bound, look.group, sure + moved[rows, near])
            open_ = ~(before - moved > look.bound[look.group][:, None])
        open_[looked] = False
        rest = np.flatnonzero(open_.any(axis=1))
        look.at(rest, open_[rest], ways[nearest[rest]])
        return found

    def _expanded(self, q: Floats) -> Floats:
        """(samples, bodies) how far each joint is moved."""
        return np.broadcast_to(self.tree.expand(q), (len(q), len(self.tree.bodies)))

    def _levers(self, x: Floats, pairs: SolidIndices, over: SolidIndices) -> Floats:
        """(all, bodies) m by which a pair comes nearer at most, by 1 rad (or m) of each body's joint.

        Joints that carry both of a pair do not count.
        """
        slid = np.abs(x).max(axis=0, initial=0.0) if self._slides else None
        lever = self._standing_levers if slid is None else self._levers_of(slid)
        a, b = pairs.T
        both = self._carried[a] & self._carried[b]
        return np.vstack([np.where(both, 0.0, lever[a] + lever[b]), lever[over[:, 0]]])

    @cached_property
    def _slides(self) -> bool:
        return any(part.slide for part in self.tree.bodies)

    @cached_property
    def _standing_levers(self) -> Floats:
        return self._levers_of(np.zeros(len(self.tree.bodies)))

    def _levers_of(self, slid: Floats) -> Floats:
        """(solids, bodies) m that a point of a solid moves at most by 1 rad (or m) of a joint that carries it.

        A way from a joint to a solid is no longer than all ways between joints on it together, with what slides out.
        """
        found = np.zeros((len(self.body), len(self.tree.bodies)))
        for k, body in enumerate(self.body.tolist()):
            reach = max(map(size_of, self.ends[k])) + float(self.radius[k])
            while body != BASE:
                part = self.tree.bodies[body]
                found[k, body] = abs(part.turn) * reach + abs(part.slide)
                reach += size_of(part.position) + abs(part.along) + abs(part.slide) * float(slid[body])
                body = part.parent
        return found

    @cached_property
    def _carried(self) -> NDArray[np.bool_]:
        """(solids, bodies) which joints carry a solid."""
        found = np.zeros((len(self.body), len(self.tree.bodies)), dtype=bool)
        for k, body in enumerate(self.body.tolist()):
            while body != BASE:
                found[k, body], body = True, self.tree.bodies[body].parent
        return found

    def touching(self, q: Floats, pairs: SolidIndices) -> NDArray[np.bool_]:
        """(samples, pairs) whether solids are in each other."""
        at = _Placed(self, q)
        a, b = pairs.T
        found = at.by_capsules(np.arange(len(q))[:, None], a, b) < 0.0
        sample, which = np.nonzero(found & ~(self.is_round[a] & self.is_round[b]))
        if len(sample):
            own = np.arange(len(sample))
            far, _ = at.by_solids(sample, a[which], b[which], group=own, bound=np.zeros(len(sample)))
            found[sample, which] = far < 0.0
        return found

    def heights(self, q: Floats, over: SolidIndices) -> Floats:
        """(samples, over) of solids over planes."""
        at = _Placed(self, q)
        solid, plane = over.T
        sample = np.repeat(np.arange(len(q)), len(over))
        return at.exact_heights(sample, np.tile(solid, len(q)), np.tile(plane, len(q))).reshape(len(q), -1)


class _Look:
    """Distances of pairs and over planes in samples, as they become known."""

    def __init__(
        self, looking: Looking, q: Floats, pairs: SolidIndices, over: SolidIndices, group: SolidIndices, loose: float
    ) -> None:
        self.looking, self.q, self.pairs, self.over, self.group, self.loose = looking, q, pairs, over, group, loose
        self.found = np.full((len(q), len(pairs) + len(over)), np.inf)
        beyond = looking.solids.radius[pairs].sum(axis=1)
        self.deepest = np.concatenate([-beyond, np.full(len(over), -np.inf)])  # above that, what is found is exact
        self.bound = np.full(int(group.max(initial=-1)) + 1, np.inf)  # of each group, what the least is no more than

    def at(self, rows: SolidIndices, open_: NDArray[np.bool_], ways: Floats | None = None) -> Floats:
        """Finds what is open (rows, all) of some samples; what is let go keeps the bound that it was let go by.

        Given and returned are ways (rows, pairs, 3) between nearest points, in the axes of the first of a pair.
        """
        at = _Placed(self.looking, self.q[rows])
        sample, which = np.nonzero(open_)
        flat = which >= len(self.pairs)
        self._over_planes(at, rows, sample[flat], which[flat] - len(self.pairs))
        return self._between(at, rows, sample[~flat], which[~flat], ways)

    def _over_planes(self, at: _Placed, rows: SolidIndices, sample: SolidIndices, which: SolidIndices) -> None:
        solid, plane = self.over[which].T
        group = self.group[rows[sample]]
        height, known = at.heights(sample, solid, plane), self.looking.is_round[solid]
        rough = np.flatnonzero(~known & ~(height > self.bound[group]))
        if len(rough):
            height[rough] = at.exact_heights(sample[rough], solid[rough], plane[rough])
            known[rough] = True
        np.fmin.at(self.bound, group[known], height[known])
        self.found[rows[sample], len(self.pairs) + which] = height

    def _between(
        self, at: _Placed, rows: SolidIndices, sample: SolidIndices, which: SolidIndices, ways: Floats | None
    ) -> Floats:
        a, b = self.pairs[which].T
        group = self.group[rows[sample]]
        least = at.by_capsules(sample, a, b)
        known = self.looking.is_round[a] & self.looking.is_round[b]
        np.fmin.at(self.bound, group[known], least[known])
        rough = np.flatnonzero(~known & ~(least > self.bound[group]))
        gone = np.zeros((len(rows), len(self.pairs), 3))
        if len(rough):
            on = sample[rough], a[rough], b[rough]
            start = None if ways is None else ways[sample[rough], which[rough]]
            closer, way = at.by_solids(*on, group=group[rough], bound=self.bound, start=start, loose=self.loose)
            least[rough] = np.where(closer < 0.0, closer, np.maximum(closer, least[rough]))
            gone[sample[rough], which[rough]] = way
        self.found[rows[sample], which] = least
        return gone


class _Placed:
    """Where all bodies are, and the capsules around their solids, in so many samples."""

    def __init__(self, looking: Looking, q: Floats) -> None:
        self.looking = looking
        tree = looking.tree
        self.R = np.empty((len(q), len(tree.bodies) + 1, 3, 3))  # the last is the base, BASE being -1
        self.p = np.zeros((len(q), len(tree.bodies) + 1, 3))
        self.R[:, BASE] = np.eye(3)
        for k, (R, p) in enumerate(body_poses(tree, q)):
            self.R[:, k], self.p[:, k] = R, p
        self.ends = np.empty((len(q), len(looking.body), 2, 3))
        order = np.argsort(looking.body, kind="stable")
        edges = np.flatnonzero(np.diff(looking.body[order], prepend=-2, append=-2))
        for start, stop in pairwise(edges.tolist()):
            own = order[start:stop]
            k = int(looking.body[own[0]])
            points = looking.ends[own].reshape(-1, 3) @ np.swapaxes(self.R[:, k], -1, -2) + self.p[:, k][:, None]
            self.ends[:, own] = points.reshape(len(q), -1, 2, 3)

    def by_capsules(self, sample: SolidIndices, a: SolidIndices, b: SolidIndices) -> Floats:
        """Between the capsules around solids: no more than between these."""
        first, second, radius = self.ends[sample, a], self.ends[sample, b], self.looking.radius
        apart = between_segments(first[..., 0, :], first[..., 1, :], second[..., 0, :], second[..., 1, :])
        return np.asarray(apart - radius[a] - radius[b])

    def heights(self, sample: SolidIndices, solid: SolidIndices, plane: SolidIndices) -> Floats:
        """Of the capsules around solids over planes."""
        normal = self.looking.normals[plane]
        above = (self.ends[sample, solid] * normal[..., None, :]).sum(-1).min(axis=-1)
        return np.asarray(above - self.looking.offsets[plane] - self.looking.radius[solid])

    def exact_heights(self, sample: SolidIndices, solid: SolidIndices, plane: SolidIndices) -> Floats:
        """(k,) of solids over planes."""
        looking, body = self.looking, self.looking.body[solid]
        normal = looking.normals[plane]
        lowest = looking.solids.furthest(SolidPoses(solid, self.R[sample, body], self.p[sample, body]), -normal)
        return np.asarray((lowest * normal).sum(-1) - looking.offsets[plane] - looking.solids.radius[solid])

    def by_solids(
        self,
        sample: SolidIndices,
        a: SolidIndices,
        b: SolidIndices,
        *,
        group: SolidIndices,
        bound: Floats,
        start: Floats | None = None,
        loose: float = 0.0,
    ) -> tuple[Floats, Floats]:
        """(k,) between solids; of a group only the least matters, and that below the bound. And the ways between them.

        Ways, also those to start from, are in the axes of the first solid.
        """
        on_a, on_b = self.looking.body[a], self.looking.body[b]
        R = self.R[sample, on_a]
        where = SolidPoses(a, R, self.p[sample, on_a]), SolidPoses(b, self.R[sample, on_b], self.p[sample, on_b])
        begin = None if start is None else (R @ start[..., None])[..., 0]
        found, way = self.looking.solids.apart(*where, group, bound, begin, loose)
        return found, (way[:, None] @ R)[:, 0]
