"""The arm with its elastic links and springs in the joints, ready for the page.

Coordinates x of the arm are its joints q as drives hold them, then what the springs give way, those of bearings that
tilt last, then those of the elastic links. A spring in a joint adds to the joint's own angle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from torsor.elastic.beam_mesh import BeamMesh
from torsor.elastic.flexible import Flexible
from torsor.mechanics.tree import Mount, Reals, Tree
from torsor.model.parts import BASE
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class Spring:
    """In a joint: one coordinate, in N m/rad and N m s/rad, or N/m and N s/m."""

    name: str
    stiffness: float
    damping: float
    tilts: bool = False  # of a bearing, across the joint's axis: no drive holds it
    play: float = 0.0  # of a gear, from flank to flank, in which nothing pulls: rad or m


@dataclass(frozen=True, eq=False)
class ElasticTree:
    tree: Tree  # the rigid parts; what an elastic link keeps rigid is at its inboard end
    flexible: Mapping[int, Flexible]  # by body
    meshes: Mapping[int, BeamMesh]  # of the same bodies
    rides: tuple[int | None, ...]  # of each body: on which tip of its parent; None where that is rigid there
    mounts: Mapping[str, int | None]  # of each frame likewise
    ends: tuple[tuple[int | None, int | None], ...]  # of each loop, of the frames that meet
    springs: tuple[Spring, ...]
    turns: Floats  # (bodies, x): by how much the joint of each body moves for each coordinate
    names: tuple[str, ...]  # of the coordinates

    @cached_property
    def facts(self) -> tuple[object, ...]:
        """All that its dynamics, and the pose of its tool, depend on."""
        flexible = [(body, each) for body, each in self.flexible.items()]
        return self.tree.facts("tool"), flexible, self.rides, self.mounts.get("tool"), self.springs, self.turns

    @cached_property
    def slices(self) -> dict[int, slice]:
        """Which coordinates are those of an elastic body."""
        found, at = {}, self.tree.n + len(self.springs)
        for body, flexible in self.flexible.items():
            found[body] = slice(at, at + flexible.m)
            at += flexible.m
        return found

    @property
    def n(self) -> int:
        """Joints, which drives hold or turn."""
        return self.tree.n

    @cached_property
    def size(self) -> int:
        return int(self.turns.shape[1])

    @cached_property
    def K(self) -> Floats:
        """Stiffness over x; nothing holds the joints themselves."""
        return self._over_x("K", [spring.stiffness for spring in self.springs])

    @cached_property
    def D(self) -> Floats:
        """Damping over x."""
        return self._over_x("D", [spring.damping for spring in self.springs])

    def _over_x(self, kind: str, springs: list[float]) -> Floats:
        total = np.zeros((self.size, self.size))
        at = slice(self.n, self.n + len(springs))
        total[at, at] = np.diag(springs)
        for body, own in self.slices.items():
            total[own, own] = getattr(self.flexible[body], kind)
        return total

    def angles(self, x: Reals, *, rate: bool = False) -> list[Any]:
        """What each body's joint is at."""
        bodies = zip(self.tree.bodies, self.turns, strict=True)
        return [(x @ row) + (0.0 if rate else body.shift) for body, row in bodies]

    def own(self, body: int, x: Reals) -> Reals:
        """The coordinates of an elastic body."""
        return x[..., self.slices[body]]

    def mount(self, frame: str) -> tuple[Mount, int | None]:
        """Where a frame is, and the tip of its body that it rides on."""
        found = self.tree.mount(frame)
        return found, None if found.body == BASE else self.mounts.get(frame)


def straight(tree: ElasticTree, q: Reals) -> Reals:
    """x of the arm at q with nothing bent."""
    return np.concatenate([q, np.repeat(0.0 * q[..., :1], tree.size - tree.n, axis=-1)], axis=-1)


def without_springs(tree: ElasticTree) -> ElasticTree:
    """The same with its joints where drives have them; bearings tilt all the same."""
    gone = [tree.n + k for k, spring in enumerate(tree.springs) if not spring.tilts]
    names = [name for k, name in enumerate(tree.names) if k not in gone]
    springs = tuple(spring for spring in tree.springs if spring.tilts)
    return replace(tree, springs=springs, turns=np.delete(tree.turns, gone, axis=1), names=tuple(names))
