"""An arm in its cell: how near its links come to each other and to what stands around.

Of all pairs that may meet (`arm_solids.py`) the least distance counts, and it is exact; what cannot be the least is
found out by bounds and let go (`looking.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from torsor.arm import Arm
from torsor.cell.arm_solids import ALWAYS, ArmSolids, solids_of, whole_joints
from torsor.cell.cell_file import Obstacle, WorkCell
from torsor.cell.convex_solids import Solid, box_solid, cylinder_solid
from torsor.cell.looking import Facing, Looking
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

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
    def own(self) -> ArmSolids:
        return solids_of(self.arm)

    @cached_property
    def _looking(self) -> Looking:
        """All solids that are held against each other: those of links, then those of the cell but for planes."""
        around = [each for each in self.cell.obstacles if each.kind != "plane"]
        planes = [each.placement[:3, 2:].T[0] for each in self._planes]
        offsets = [float(each.placement[:3, 2] @ each.placement[:3, 3]) for each in self._planes]
        return Looking(
            self.own.bodies,
            (*self.own.solids, *map(obstacle_solid, around)),
            np.concatenate([self.own.body, np.full(len(around), BASE)]),
            np.array(planes).reshape(-1, 3),
            np.array(offsets),
        )

    @property
    def _planes(self) -> list[Obstacle]:
        return [each for each in self.cell.obstacles if each.kind == "plane"]

    @property
    def touching(self) -> tuple[tuple[str, str], ...]:
        """Links that touch in all postures, and are left out."""
        return self.own.touching if self.cell.links else ()

    def _name(self, solid: int) -> str:
        """Of the link or the obstacle that a solid is of."""
        if solid < len(self.own.names):
            return self.own.names[solid]
        others = [each.name for each in self.cell.obstacles if each.kind != "plane"]
        return others[solid - len(self.own.names)]

    @cached_property
    def _pairs(self) -> np.ndarray:
        """(pairs, 2) of solids that are held against each other; those that always touch are left out.

        So are those of the base, and what stands always in a solid, as the foot of an arm does in its pedestal.
        """
        others = np.arange(len(self.own.solids), len(self._looking.body))
        against = np.array([(i, j) for j in others for i in self.own.moving], dtype=np.intp).reshape(-1, 2)
        against = against[~self._looking.always(self.own.postures, against, np.arange(len(against)), ALWAYS)]
        links = self.own.candidates[self.own.free] if self.cell.links else self.own.candidates[:0]
        return np.vstack([links, against])

    @cached_property
    def _over_planes(self) -> np.ndarray:
        """(pairs, 2) of solids and planes, without the foot of an arm that is always in the floor."""
        planes = range(len(self._planes))
        found = np.array([(i, k) for k in planes for i in self.own.moving], dtype=np.intp).reshape(-1, 2)
        if not len(found):
            return found
        return np.asarray(found[~self._looking.always_below(self.own.postures, found, ALWAYS)])

    @cached_property
    def _facing(self) -> Facing:
        return self._looking.facing(self._pairs, self._over_planes)

    def clearance(self, q: Floats, group: NDArray[np.intp] | None = None) -> Floats:
        """(samples,) m between what comes nearest; infinite where there is nothing to run into.

        Where only the least of each group of samples matters (samples,), that is exact, and the samples beside it;
        others are no less.
        """
        parts = []
        for start in range(0, len(q), BLOCK):
            rows = slice(start, start + BLOCK)
            own = None if group is None else np.unique(group[rows], return_inverse=True)[1]
            parts.append(self._looking.look(whole_joints(self.arm, q[rows]), self._facing, own).least)
        return np.concatenate([np.zeros(0), *parts]) - self.cell.margin

    def nearest(self, q: Floats) -> Nearest:
        """What comes nearest in one posture (n,)."""
        found = self._looking.look(whole_joints(self.arm, q[None]), self._facing)
        if found.which[0] < 0:
            return Nearest(float(found.least[0]), "", "")
        first, second, flat = self._facing[int(found.which[0])]
        other = self._planes[second].name if flat else self._name(second)
        return Nearest(float(found.least[0]) - self.cell.margin, self._name(first), other)

    @property
    def notes(self) -> list[str]:
        """What is taken for the arm, and what is not looked at."""
        known, said = self.own.of_links, []
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


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:6]) + ", ..." * (len(names) > 6)
