"""An arm in its cell: how near its links come to each other and to what stands around.

Links that a joint joins always touch there; others may touch always because their solids are thicker than links: such
pairs are found once, in random postures, and left out, and so they are told. Of all other pairs the least distance
counts, and it is exact; what cannot be the least is found out by bounds and let go (`looking.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from torsor.arm import Arm
from torsor.cell.cell_file import Obstacle, WorkCell
from torsor.cell.convex_solids import Solid, box_solid, cylinder_solid
from torsor.cell.link_solids import LinkSolids, link_solids
from torsor.cell.looking import Looking
from torsor.mechanics.tree import Tree, lower
from torsor.model.limits import position_limits
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

POSTURES = 200  # random ones, in which it is found out what always touches
ALWAYS = 0.99  # of them
LOOPED = 8  # times as many are tried of an arm with loops, of which not all can be
BLOCK = 4096  # postures at a time


@dataclass(frozen=True)
class Nearest:
    """Which two come nearest, and how near, in m: below zero they are in each other."""

    distance: float
    first: str
    second: str


@dataclass(eq=False)
class ArmInCell:
    """An arm in a cell. Joints are (samples, n), those of the arm."""

    arm: Arm
    cell: WorkCell

    @cached_property
    def _of_links(self) -> LinkSolids:
        return link_solids(self.arm.model)

    @cached_property
    def _tree(self) -> Tree:
        return lower(self.arm.model)

    @cached_property
    def _looking(self) -> Looking:
        """All solids that are held against each other: those of links, then those of the cell but for planes."""
        model, tree = self.arm.model, self._tree
        solids, body = [], []
        for index, solid in zip(self._of_links.link, self._of_links.solid, strict=True):
            mount = tree.mount(model.link_name(index))
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = mount.rotation, mount.position
            solids.append(solid.moved(T))
            body.append(mount.body)
        around = [each for each in self.cell.obstacles if each.kind != "plane"]
        planes = [each.placement[:3, 2:].T[0] for each in self.cell.obstacles if each.kind == "plane"]
        offsets = [float(each.placement[:3, 2] @ each.placement[:3, 3]) for each in self._planes]
        return Looking(
            tree,
            (*solids, *map(obstacle_solid, around)),
            np.array([*body, *(BASE for _ in around)], dtype=np.intp),
            np.array(planes).reshape(-1, 3),
            np.array(offsets),
        )

    @property
    def _planes(self) -> list[Obstacle]:
        return [each for each in self.cell.obstacles if each.kind == "plane"]

    @cached_property
    def _joined(self) -> set[tuple[int, int]]:
        """Bodies that a joint, or the end of a loop, joins; what has no extent between two of them joins them, too."""
        tree, solid = self._tree, {BASE, *self._looking.body.tolist()}

        def carrier(index: int) -> int:
            while index not in solid:
                index = tree.bodies[index].parent
            return index

        found = {(carrier(tree.bodies[index].parent), index) for index in solid if index != BASE}
        for first, second in tree.ends:
            a, b = carrier(first.body), carrier(second.body)
            found.add((min(a, b), max(a, b)))
        return found

    @cached_property
    def _candidates(self) -> np.ndarray:
        """(pairs, 2) of solids of bodies that no joint joins."""
        body = self._looking.body[: len(self._of_links.solid)].tolist()
        found = [
            (i, j)
            for i, j in combinations(range(len(body)), 2)
            if body[i] != body[j] and (min(body[i], body[j]), max(body[i], body[j])) not in self._joined
        ]
        return np.array(found, dtype=np.intp).reshape(-1, 2)

    @cached_property
    def _free(self) -> np.ndarray:
        """(candidates,) whether bodies are apart in some posture."""
        if not self.cell.links or not len(self._candidates):
            return np.zeros(len(self._candidates), dtype=bool)
        touch = self._looking.touching(self._whole(self._random_postures()), self._candidates)
        body = [(min(pair), max(pair)) for pair in self._looking.body[self._candidates].tolist()]
        touches: dict[tuple[int, int], np.ndarray] = {}
        for pair, own in zip(body, touch.T, strict=True):
            touches[pair] = touches[pair] | own if pair in touches else own
        always = {pair for pair, often in touches.items() if often.mean() >= ALWAYS}
        return np.array([pair not in always for pair in body])

    @cached_property
    def touching(self) -> tuple[tuple[str, str], ...]:
        """Links that touch in all postures, and are left out."""
        pairs = self._candidates[~self._free].tolist()
        return tuple(dict.fromkeys((self._name(i), self._name(j)) for i, j in pairs))

    def _name(self, solid: int) -> str:
        """Of the link or the obstacle that a solid is of."""
        links = self._of_links.link
        if solid < len(links):
            return self.arm.model.link_name(links[solid])
        others = [each.name for each in self.cell.obstacles if each.kind != "plane"]
        return others[solid - len(links)]

    def _random_postures(self) -> Floats:
        """Within limits, the same each time; with loops those in which they close, and as they are put together."""
        low, high = position_limits(self.arm.model.independent)
        random = np.random.default_rng(20261117)
        if not self.arm.model.loops:
            low, high = np.where(np.isfinite(low), low, -np.pi), np.where(np.isfinite(high), high, np.pi)
            return random.uniform(low, high, (POSTURES, self.arm.n))
        place = [self.arm.model.joint_names.index(name) for name in self.arm.joint_names]
        closure = self.arm.closure
        home = np.asarray(closure.reference)[place]
        least = np.where(np.isfinite(low[place]), low[place], home - np.pi)
        most = np.where(np.isfinite(high[place]), high[place], home + np.pi)
        q = random.uniform(least, most, (LOOPED * POSTURES, self.arm.n))
        whole = closure.positions(q)  # NaN where a loop cannot close
        with np.errstate(invalid="ignore"):
            good = np.isfinite(whole).all(axis=1) & (whole >= low).all(axis=1) & (whole <= high).all(axis=1)
        return np.vstack([home, q[good][:POSTURES]])

    def _whole(self, q: Floats) -> Floats:
        """Joints of the tree."""
        return np.asarray(self.arm.closure.positions(q)) if self.arm.model.loops else q

    @cached_property
    def _pairs(self) -> np.ndarray:
        """(pairs, 2) of solids that are held against each other; those that always touch are left out.

        So are those of the base, and what stands always in a solid, as the foot of an arm does in its pedestal.
        """
        links = len(self._of_links.solid)
        moving = np.flatnonzero(self._looking.body[:links] != BASE)
        others = np.arange(links, len(self._looking.body))
        against = np.array([(i, j) for j in others for i in moving], dtype=np.intp).reshape(-1, 2)
        if len(against):
            touch = self._looking.touching(self._whole(self._random_postures()), against)
            against = against[touch.mean(axis=0) < ALWAYS]
        own = self._candidates[self._free] if self.cell.links else self._candidates[:0]
        return np.vstack([own, against])

    @cached_property
    def _over_planes(self) -> np.ndarray:
        """(pairs, 2) of solids and planes, without the foot of an arm that is always in the floor."""
        moving = np.flatnonzero(self._looking.body[: len(self._of_links.solid)] != BASE)
        found = np.array([(i, k) for k in range(len(self._planes)) for i in moving], dtype=np.intp).reshape(-1, 2)
        if not len(found):
            return found
        heights = self._looking.heights(self._whole(self._random_postures()), found)
        return np.asarray(found[(heights < 0.0).mean(axis=0) < ALWAYS])

    def clearance(self, q: Floats, group: NDArray[np.intp] | None = None) -> Floats:
        """(samples,) m between what comes nearest; infinite where there is nothing to run into.

        Where only the least of each group of samples matters (samples,), that is exact and others are no less: what
        was not looked at is as far as between those before and after it.
        """
        parts = []
        for start in range(0, len(q), BLOCK):
            rows = slice(start, start + BLOCK)
            own = None if group is None else np.unique(group[rows], return_inverse=True)[1]
            parts.append(_filled(self._distances(q[rows], own).min(axis=1, initial=np.inf), own))
        return np.concatenate([np.zeros(0), *parts]) - self.cell.margin

    def _distances(self, q: Floats, group: NDArray[np.intp] | None = None) -> Floats:
        """(samples, pairs, then those over planes): see `Looking.distances`."""
        return self._looking.distances(self._whole(q), self._pairs, self._over_planes, group)

    def nearest(self, q: Floats) -> Nearest:
        """What comes nearest in one posture (n,)."""
        found = self._distances(q[None])[0]
        if not len(found):
            return Nearest(np.inf, "", "")
        k = int(found.argmin())
        distance = float(found[k]) - self.cell.margin
        if k < len(self._pairs):
            first, second = self._pairs[k].tolist()
            return Nearest(distance, self._name(first), self._name(second))
        solid, plane = self._over_planes[k - len(self._pairs)].tolist()
        return Nearest(distance, self._name(solid), self._planes[plane].name)

    @property
    def notes(self) -> list[str]:
        """What is taken for the arm, and what is not looked at."""
        known, said = self._of_links, []
        if known.guessed:
            what = f"no shapes are given for {_listed(known.guessed)}: capsules along frames stand for them, as drawn"
            said.append(f"collision: {what}")
        if known.unknown:
            said.append(f"collision: no shapes are known of {_listed(known.unknown)}: not looked at")
        if known.unread:
            said.append(f"collision: {'; '.join(known.unread)}")
        if known.drawn:
            said.append(f"collision: {_listed(known.drawn)} have no <collision>: what is drawn stands for it")
        if self.cell.links and self.touching:
            names = ", ".join(f"{a} and {b}" for a, b in self.touching)
            said.append(f"collision: {names} touch in every posture and are not held against each other")
        return said


def obstacle_solid(obstacle: Obstacle) -> Solid:
    """Of a box or a cylinder."""
    if obstacle.kind == "box":
        return box_solid(obstacle.placement, obstacle.sizes)
    return cylinder_solid(obstacle.placement, float(obstacle.sizes[0]), float(obstacle.sizes[1]))


def _filled(least: Floats, group: NDArray[np.intp] | None) -> Floats:
    """Samples that were let go, and so have no number, between others; none comes below the least of its group."""
    gone = np.isposinf(least)
    if group is None or not gone.any() or gone.all():
        return least
    lowest = np.full(int(group.max()) + 1, np.inf)
    np.fmin.at(lowest, group, least)
    time = np.arange(len(least))
    between = np.interp(time[gone], time[~gone], least[~gone])
    least[gone] = np.maximum(between, np.where(np.isfinite(lowest), lowest, -np.inf)[group[gone]])
    return least


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:6]) + ", ..." * (len(names) > 6)
