"""Which pairs of solids are the nearest: bounds first, exact distances only where they decide.

Machine code goes through samples one by one (`look_code.py`); where solids are in each other by more than their radii,
and where there is no machine code, NumPy does it for all at once: capsules around solids first, then GJK.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.cell.convex_solids import Solid, SolidPoses, Solids
from torsor.cell.distances import between_segments
from torsor.cell.look_code import PLACED, LookFunction, corner_rows, look_code
from torsor.emit.page import Page
from torsor.mechanics.kinematics import body_poses
from torsor.mechanics.tree import Tree
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

STRIDE = 16  # every so manieth sample is looked at first, where only the least of a group matters
AT_ONCE = 1024  # samples that NumPy looks at together
SolidIndices = NDArray[np.intp]


class BodyPoses:
    """Where the bodies of a tree are, by a kernel of their own: (samples, bodies, 3, 4), R and p, the base the last."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def __call__(self, q: Floats) -> Floats:
        return np.asarray(self._page(np.ascontiguousarray(q)))

    @cached_property
    def _page(self) -> Page:
        joints = [
            (b.parent, b.rotation, b.position, b.turn, b.slide, b.along, b.source, b.factor, b.shift)
            for b in self.tree.bodies
        ]
        return Page(f"{self.tree.name}_bodies", {"q": self.tree.n}, partial(_poses_page, self.tree), (joints,))


def _poses_page(tree: Tree, q: Any) -> dict[str, Any]:
    whole = np.eye(4)[:3]
    placed = [np.concatenate([R, p[:, None]], axis=1) for R, p in body_poses(tree, q)]
    return {"poses": np.stack([*placed, whole])}


@dataclass(eq=False)
class Facing:
    """What is held against each other: ``pairs`` (p, 2) of solids, ``over`` (o, 2) of a solid and a plane."""

    pairs: SolidIndices
    over: SolidIndices
    looking: Looking

    def __len__(self) -> int:
        return len(self.pairs) + len(self.over)

    def __getitem__(self, k: int) -> tuple[int, int, bool]:
        """Two solids, or a solid and a plane: the last says which."""
        if k < len(self.over):
            solid, plane = self.over[k].tolist()
            return solid, plane, True
        first, second = self.ordered[k - len(self.over)].tolist()
        return first, second, False

    @cached_property
    def rounds(self) -> int:
        return int(self._is_round.sum())

    @cached_property
    def ordered(self) -> SolidIndices:
        """Pairs of round solids first."""
        return np.ascontiguousarray(self.pairs[np.argsort(~self._is_round, kind="stable")], dtype=np.int64)

    @property
    def _is_round(self) -> NDArray[np.bool_]:
        return np.asarray(self.looking.is_round[self.pairs].all(axis=1))

    @property
    def is_plain(self) -> bool:
        """Whether capsules tell all."""
        return self.rounds == len(self.pairs) and bool(self.looking.is_round[self.over[:, 0]].all())

    @cached_property
    def planes(self) -> tuple[SolidIndices, Floats]:
        """Solids over planes, and these: normal and offset."""
        solid, plane = self.over.T
        rows = np.column_stack([self.looking.normals[plane], self.looking.offsets[plane]])
        return np.ascontiguousarray(solid, dtype=np.int64), np.ascontiguousarray(rows)


@dataclass(frozen=True, eq=False)
class Looked:
    """Of every sample (samples,) the least distance, and who of those that face each other has it (-1: nobody)."""

    least: Floats
    which: SolidIndices


class Looking:
    """Solids on the bodies of a tree, and planes. Joints are (samples, n), those of the tree."""

    def __init__(
        self, bodies: BodyPoses, solids: Sequence[Solid], body: SolidIndices, normals: Floats, offsets: Floats
    ) -> None:
        self.bodies, self.solids, self.body = bodies, Solids(solids), body
        self.normals, self.offsets = normals, offsets
        around = [solid.around for solid in solids]
        self.ends = np.array([each[:2] for each in around]).reshape(-1, 2, 3)  # of the capsules around them
        self.radius = np.array([each[2] for each in around])
        self.is_round = np.array([solid.is_round for solid in solids], dtype=bool)

    def facing(self, pairs: SolidIndices, over: SolidIndices | None = None) -> Facing:
        return Facing(pairs, np.zeros((0, 2), dtype=np.intp) if over is None else over, self)

    def look(self, q: Floats, facing: Facing, group: SolidIndices | None = None) -> Looked:
        """What is nearest in every sample; where it is no number, nobody.

        With a ``group`` (samples,), numbers from zero, the least of each is exact, and so are the samples beside it;
        others are no less.
        """
        if not len(facing) or not len(q):
            return Looked(np.full(len(q), np.inf), np.full(len(q), -1, dtype=np.int64))
        code, poses = look_code(), self.bodies(q)
        if code is None:
            found = self.by_numpy(poses, facing)
        elif group is None or facing.is_plain:
            found = self._exact(code, poses, facing)
        else:
            found = self._grouped(code, poses, facing, np.ascontiguousarray(group, dtype=np.int64))
        lost = np.isnan(q).any(axis=1)  # a loop does not close
        found.least[lost], found.which[lost] = np.nan, -1
        return found

    def _exact(self, code: LookFunction, poses: Floats, facing: Facing) -> Looked:
        count = len(poses)
        return self._looked(code, poses, facing, np.arange(count, dtype=np.int64), np.full(count, np.inf))

    def _grouped(self, code: LookFunction, poses: Floats, facing: Facing, group: NDArray[np.int64]) -> Looked:
        count, bound = len(poses), np.full(int(group.max()) + 1, np.inf)
        first = np.arange(STRIDE // 2, count + STRIDE // 2, STRIDE).clip(max=count - 1)
        self._run(code, poses[first], facing, group[first], bound)  # so that far samples are let go at once
        found = self._looked(code, poses, facing, group, bound)
        order = np.lexsort([found.least, group])
        best = order[np.diff(group[order], prepend=-1) > 0]
        beside = np.unique(np.clip(best[:, None] + [-1, 0, 1], 0, count - 1))
        exact = self._exact(code, poses[beside], facing)
        found.least[beside], found.which[beside] = exact.least, exact.which
        return found

    def _looked(
        self, code: LookFunction, poses: Floats, facing: Facing, group: NDArray[np.int64], bound: Floats
    ) -> Looked:
        least, which, inside = self._run(code, poses, facing, group, bound)
        (deep,) = np.nonzero(inside)
        if len(deep):
            found = self.by_numpy(poses[deep], facing)
            least[deep], which[deep] = found.least, found.which
        return Looked(least, which)

    def _run(
        self, code: LookFunction, poses: Floats, facing: Facing, group: NDArray[np.int64], bound: Floats
    ) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """The least of every sample, who has it, and whether cores are in each other; the bounds are brought down."""
        count, (solid, planes) = len(poses), facing.planes
        least, which, inside = np.empty(count), np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        ways, placed = np.zeros((len(facing.pairs), 3)), np.empty(PLACED * len(self.body) + 3)
        code(
            np.ascontiguousarray(poses), count, poses.shape[1], *self._tables,
            len(solid), solid, planes, len(facing.pairs), facing.rounds, facing.ordered,
            group, bound, ways, placed, least, which, inside,
        )  # fmt: skip
        return least, which, inside

    @cached_property
    def _tables(self) -> tuple[Any, ...]:
        """Solids as machine code takes them."""
        solids = self.solids.all
        body = np.where(self.body == BASE, len(self.bodies.tree.bodies), self.body).astype(np.int64)
        half = 0.5 * np.linalg.norm(self.ends[:, 1] - self.ends[:, 0], axis=1)
        around = np.column_stack([self.ends.reshape(-1, 6), self.radius, half + self.radius])
        rows = [corner_rows(each.points) for each in solids]
        first = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        corners = np.ascontiguousarray(np.concatenate(rows))
        cores = [[each.radius, each.disc, *(np.zeros(3) if each.axis is None else each.axis), *each.points.mean(axis=0)]
                 for each in solids]  # fmt: skip
        return len(solids), body, around, first, corners, self.is_round.astype(np.int64), np.array(cores)

    def by_numpy(self, poses: Floats, facing: Facing) -> Looked:
        """The same by NumPy, exact in every sample."""
        parts = [self._numpy_part(_Placed(self, poses[k : k + AT_ONCE]), facing) for k in range(0, len(poses), AT_ONCE)]
        return Looked(np.concatenate([p.least for p in parts]), np.concatenate([p.which for p in parts]))

    def _numpy_part(self, at: _Placed, facing: Facing) -> Looked:
        rows, (solid, plane), (a, b) = np.arange(len(at.R))[:, None], facing.over.T, facing.ordered.T
        heights, apart = at.heights(rows, solid, plane), at.by_capsules(rows, a, b)
        sample, which = np.nonzero(np.broadcast_to(~self.is_round[solid], heights.shape))
        heights[sample, which] = at.exact_heights(sample, solid[which], plane[which])
        rough = np.arange(len(a)) >= facing.rounds
        bound = np.minimum(heights.min(axis=1, initial=np.inf), apart[:, ~rough].min(axis=1, initial=np.inf))
        sample, which = np.nonzero(rough & ~(apart > bound[:, None]))
        if len(sample):
            closer = at.by_solids(sample, a[which], b[which], group=sample, bound=bound)
            capsules = apart[sample, which]
            apart[sample, which] = np.where(closer < 0.0, closer, np.maximum(closer, capsules))
        both = np.hstack([heights, apart])
        nearest = both.argmin(axis=1)
        return Looked(both[rows[:, 0], nearest], nearest.astype(np.int64))

    def touching(self, q: Floats, pairs: SolidIndices) -> NDArray[np.bool_]:
        """(samples, pairs) whether solids are in each other."""
        poses = self.bodies(q)
        return self._touching(poses, pairs, self._capsules_touch(poses, pairs))

    def always(self, q: Floats, pairs: SolidIndices, owner: SolidIndices, share: float) -> NDArray[np.bool_]:
        """(pairs,) whether the solids of an owner (pairs,), numbers from zero, touch in that share of all samples."""
        if not len(pairs):
            return np.zeros(0, dtype=bool)
        poses = self.bodies(q)
        maybe = self._capsules_touch(poses, pairs)

        def often(touch: NDArray[np.bool_], owner: SolidIndices) -> NDArray[np.bool_]:
            of_owners = np.zeros((int(owner.max()) + 1, len(q)), dtype=bool)
            np.logical_or.at(of_owners, owner, touch.T)
            return np.asarray((of_owners.mean(axis=1) >= share)[owner])

        found = often(maybe, owner)
        (rest,) = np.nonzero(found)  # as a rule few
        if len(rest):
            found[rest] = often(self._touching(poses, pairs[rest], maybe[:, rest]), owner[rest])
        return found

    def _capsules_touch(self, poses: Floats, pairs: SolidIndices) -> NDArray[np.bool_]:
        rows = np.arange(len(poses))[:, None]
        return np.asarray(_Placed(self, poses).by_capsules(rows, *pairs.T) < 0.0)

    def _touching(self, poses: Floats, pairs: SolidIndices, maybe: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The same of solids, where their capsules do."""
        code, found = look_code(), maybe.copy()
        for k in np.flatnonzero(found.any(axis=0) & ~self.is_round[pairs].all(axis=1)).tolist():
            rows, one = np.flatnonzero(found[:, k]), self.facing(pairs[k : k + 1])
            if code is None:
                found[rows, k] = self.by_numpy(poses[rows], one).least < 0.0
            else:
                own, bound = np.arange(len(rows), dtype=np.int64), np.zeros(len(rows))
                least, _, inside = self._run(code, poses[rows], one, own, bound)
                found[rows, k] = (least < 0.0) | (inside != 0)
        return found

    def always_below(self, q: Floats, over: SolidIndices, share: float) -> NDArray[np.bool_]:
        """(over,) whether solids are in planes in that share of all samples."""
        at, (solid, plane) = _Placed(self, self.bodies(q)), over.T
        found = (at.heights(np.arange(len(q))[:, None], solid, plane) < 0.0).mean(axis=0) >= share
        for k in np.flatnonzero(found & ~self.is_round[solid]).tolist():
            on = np.full(len(q), solid[k]), np.full(len(q), plane[k])
            found[k] = (at.exact_heights(np.arange(len(q)), *on) < 0.0).mean() >= share
        return np.asarray(found)


class _Placed:
    """Where all bodies are, and the capsules around their solids, in so many samples."""

    def __init__(self, looking: Looking, poses: Floats) -> None:
        self.looking = looking
        self.R, self.p = poses[..., :3], poses[..., 3]  # the last is the base, BASE being -1
        self.ends = np.empty((len(poses), len(looking.body), 2, 3))
        order = np.argsort(looking.body, kind="stable")
        edges = np.flatnonzero(np.diff(looking.body[order], prepend=-2, append=-2))
        for start, stop in pairwise(edges.tolist()):
            own = order[start:stop]
            k = int(looking.body[own[0]])
            points = looking.ends[own].reshape(-1, 3) @ np.swapaxes(self.R[:, k], -1, -2) + self.p[:, k][:, None]
            self.ends[:, own] = points.reshape(len(poses), -1, 2, 3)

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
        self, sample: SolidIndices, a: SolidIndices, b: SolidIndices, *, group: SolidIndices, bound: Floats
    ) -> Floats:
        """(k,) between solids; of a group only the least matters, and that below the bound."""
        on_a, on_b = self.looking.body[a], self.looking.body[b]
        first, second = (
            SolidPoses(solid, self.R[sample, on], self.p[sample, on]) for solid, on in ((a, on_a), (b, on_b))
        )
        return self.looking.solids.apart(first, second, group, bound)
