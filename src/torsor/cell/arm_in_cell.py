"""An arm in its cell: how near its links come to each other and to what stands around.

Links are capsules. Those that a joint joins always touch there; others may touch always because capsules are thicker
than links: such pairs are found once, in random postures, and left out, and so they are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from torsor.arm import Arm
from torsor.cell.capsules import Capsules, capsules_of
from torsor.cell.cell_file import Obstacle, WorkCell
from torsor.cell.distances import between_segments, from_box, from_cylinder, to_body, to_plane
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
    def capsules(self) -> Capsules:
        return capsules_of(self.arm.model)

    @cached_property
    def _bodies(self) -> np.ndarray:
        """(k,) of each capsule the moving body: links that are fixed to each other are one."""
        model = self.arm.model

        def body(index: int) -> int:
            while index != BASE and not model.links[index].joint.moves:
                index = model.links[index].parent
            return index

        return np.array([body(index) for index in self.capsules.link.tolist()], dtype=np.intp)

    @cached_property
    def _joined(self) -> set[tuple[int, int]]:
        """Bodies that a joint, or the end of a loop, joins; what has no extent between two of them joins them, too."""
        model = self.arm.model
        solid = {BASE, *self._bodies.tolist()}

        def carrier(index: int) -> int:
            while index not in solid or (index != BASE and not model.links[index].joint.moves):
                index = model.links[index].parent
            return index

        found = set()
        for index, link in enumerate(model.links):
            if link.joint.moves and index in solid:
                found.add(tuple(sorted((index, carrier(link.parent)))))
        for loop in model.loops:
            found.add(tuple(sorted((carrier(loop.first.link), carrier(loop.second.link)))))
        return {(first, second) for first, second in found}

    @cached_property
    def _candidates(self) -> np.ndarray:
        """(pairs, 2) of capsules of bodies that no joint joins."""
        body = self._bodies.tolist()
        found = [
            (i, j)
            for i, j in combinations(range(len(body)), 2)
            if body[i] != body[j] and (min(body[i], body[j]), max(body[i], body[j])) not in self._joined
        ]
        return np.array(found, dtype=np.intp).reshape(-1, 2)

    @cached_property
    def touching(self) -> tuple[tuple[str, str], ...]:
        """Links that touch in all postures, and are left out."""
        pairs = self._candidates[~self._free]
        model, link = self.arm.model, self.capsules.link
        names = ((model.link_name(int(link[i])), model.link_name(int(link[j]))) for i, j in pairs)
        return tuple(dict.fromkeys(names))

    @cached_property
    def _free(self) -> np.ndarray:
        """(candidates,) whether bodies are apart in some posture."""
        if not self.cell.links or not len(self._candidates):
            return np.zeros(len(self._candidates), dtype=bool)
        q = self._random_postures()
        apart = self._between(*self._placed(q), self._candidates)
        body = self._bodies[self._candidates]
        touches: dict[tuple[int, int], np.ndarray] = {}
        for pair, own in zip(map(tuple, body.tolist()), (apart < 0.0).T, strict=True):
            touches[pair] = touches.get(pair, np.zeros(len(q), dtype=bool)) | own
        always = {pair for pair, often in touches.items() if often.mean() >= ALWAYS}
        return np.array([tuple(pair) not in always for pair in body.tolist()])

    def _random_postures(self) -> Floats:
        """Within limits, the same each time; with loops those in which they close, and as they are put together."""
        low, high = position_limits(self.arm.model.independent)
        random = np.random.default_rng(20261117)
        if not self.arm.model.loops:
            low, high = np.where(np.isfinite(low), low, -np.pi), np.where(np.isfinite(high), high, np.pi)
            return random.uniform(low, high, (POSTURES, self.arm.n))
        place = [self._free_index(name) for name in self.arm.joint_names]
        closure = self.arm.closure
        home = np.asarray(closure.reference)[place]
        least = np.where(np.isfinite(low[place]), low[place], home - np.pi)
        most = np.where(np.isfinite(high[place]), high[place], home + np.pi)
        q = random.uniform(least, most, (LOOPED * POSTURES, self.arm.n))
        whole = closure.positions(q)  # NaN where a loop cannot close
        with np.errstate(invalid="ignore"):
            good = np.isfinite(whole).all(axis=1) & (whole >= low).all(axis=1) & (whole <= high).all(axis=1)
        return np.vstack([home, q[good][:POSTURES]])

    def _free_index(self, name: str) -> int:
        return self.arm.model.joint_names.index(name)

    def _placed(self, q: Floats) -> tuple[Floats, Floats]:
        whole = self.arm.closure.positions(q) if self.arm.model.loops else q
        return self.capsules.placed(whole)

    def _between(self, first: Floats, last: Floats, pairs: np.ndarray) -> Floats:
        """(samples, pairs) between capsules."""
        i, j, r = pairs[:, 0], pairs[:, 1], self.capsules.radius
        return np.asarray(between_segments(first[:, i], last[:, i], first[:, j], last[:, j]) - r[i] - r[j])

    def _around(self, first: Floats, last: Floats, obstacle: Obstacle, moving: np.ndarray, bound: Floats) -> Floats:
        """(samples, moving capsules) to a solid; what is further than ``bound`` (samples,) need not be exact."""
        R, p, radius = obstacle.placement[:3, :3], obstacle.placement[:3, 3], self.capsules.radius[moving]
        a, b = (first[:, moving] - p) @ R, (last[:, moving] - p) @ R
        if obstacle.kind == "plane":
            return np.asarray(to_plane(a, b, np.array([0.0, 0.0, 1.0]), 0.0) - radius)
        if obstacle.kind == "box":
            return to_body(from_box(obstacle.sizes), a, b, radius, bound)
        return to_body(from_cylinder(float(obstacle.sizes[0]), float(obstacle.sizes[1])), a, b, radius, bound)

    @cached_property
    def _moving(self) -> np.ndarray:
        """Capsules that are held against obstacles: not those of the base, nor of what turns on it and stands there."""
        return np.flatnonzero(self._bodies != BASE)

    @cached_property
    def _clear(self) -> list[np.ndarray]:
        """Of each obstacle the capsules that are not always in it, as the foot of an arm is in the floor."""
        q = self._random_postures()
        placed = self._placed(q)
        found = []
        for obstacle in self.cell.obstacles:
            inside = (self._around(*placed, obstacle, self._moving, np.zeros(len(q))) < 0.0).mean(axis=0) >= ALWAYS
            found.append(self._moving[~inside])
        return found

    def _all(self, q: Floats) -> tuple[Floats, list[tuple[str, str]]]:
        """(samples, things) all distances, and between what they are."""
        first, last = self._placed(q)
        model, link = self.arm.model, self.capsules.link
        names: list[tuple[str, str]] = []
        columns = [np.zeros((len(q), 0))]
        if self.cell.links:
            pairs = self._candidates[self._free]
            columns.append(self._between(first, last, pairs))
            names += [(model.link_name(int(link[i])), model.link_name(int(link[j]))) for i, j in pairs]
        bound = columns[-1].min(axis=1, initial=np.inf)
        for obstacle, moving in zip(self.cell.obstacles, self._clear, strict=True):
            columns.append(self._around(first, last, obstacle, moving, bound))
            bound = np.minimum(bound, columns[-1].min(axis=1, initial=np.inf))
            names += [(model.link_name(int(link[i])), obstacle.name) for i in moving]
        return np.hstack(columns), names

    def clearance(self, q: Floats) -> Floats:
        """(samples,) m between what comes nearest; infinite where there is nothing to run into."""
        parts = [self._all(q[k : k + BLOCK])[0].min(axis=1, initial=np.inf) for k in range(0, len(q), BLOCK)]
        return np.concatenate([np.zeros(0), *parts]) - self.cell.margin

    @property
    def notes(self) -> list[str]:
        """What is taken for the arm, and what is not looked at."""
        said = []
        if self.capsules.guessed:
            names = ", ".join(self.capsules.guessed[:6]) + ", ..." * (len(self.capsules.guessed) > 6)
            said.append(f"collision: no shapes are given for {names}: capsules along frames stand for them, as drawn")
        if self.cell.links and self.touching:
            names = ", ".join(f"{a} and {b}" for a, b in self.touching)
            said.append(f"collision: {names} touch in every posture and are not held against each other")
        return said

    def nearest(self, q: Floats) -> Nearest:
        """What comes nearest in one posture (n,)."""
        found, names = self._all(q[None])
        if not names:
            return Nearest(np.inf, "", "")
        k = int(found[0].argmin())
        return Nearest(float(found[0, k]) - self.cell.margin, *names[k])
