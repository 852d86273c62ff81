"""The solids of an arm on its bodies, and which of them may meet, whatever stands around.

Links that a joint joins always touch there; others may touch always because their solids are thicker than links: such
pairs are found once, in random postures, and left out, and so they are told.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from weakref import WeakKeyDictionary

import numpy as np

from torsor.arm import Arm
from torsor.cell.convex_solids import Solid
from torsor.cell.link_solids import LinkSolids, link_solids
from torsor.cell.looking import BodyPoses, Looking, SolidIndices
from torsor.mechanics.tree import lower
from torsor.model.limits import position_limits
from torsor.model.model import Model
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

POSTURES = 200  # random ones, in which it is found out what always touches
ALWAYS = 0.99  # of them
LOOPED = 8  # times as many are tried of an arm with loops, of which not all can be


class ArmSolids:
    """Solids of the links, each in the axes of the body that it is on. It keeps nothing of the arm itself."""

    def __init__(self, arm: Arm) -> None:
        model = arm.model
        self.of_links: LinkSolids = link_solids(model)
        self.tree = lower(model)
        self.bodies = BodyPoses(self.tree)
        self.names = tuple(model.link_name(index) for index in self.of_links.link)
        self.postures = whole_joints(arm, random_postures(arm))  # (random, tree joints)
        solids, body = [], []
        for index, solid in zip(self.of_links.link, self.of_links.solid, strict=True):
            mount = self.tree.mount(model.link_name(index))
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = mount.rotation, mount.position
            solids.append(solid.moved(T))
            body.append(mount.body)
        self.solids: tuple[Solid, ...] = tuple(solids)
        self.body: SolidIndices = np.array(body, dtype=np.intp)

    @property
    def moving(self) -> SolidIndices:
        """Solids that are not of the base."""
        return np.flatnonzero(self.body != BASE)

    @cached_property
    def joined(self) -> set[tuple[int, int]]:
        """Bodies that a joint, or the end of a loop, joins; what has no extent between two of them joins them, too."""
        tree, solid = self.tree, {BASE, *self.body.tolist()}

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
    def candidates(self) -> SolidIndices:
        """(pairs, 2) of solids of bodies that no joint joins."""
        body = self.body.tolist()
        found = [
            (i, j)
            for i, j in combinations(range(len(body)), 2)
            if body[i] != body[j] and (min(body[i], body[j]), max(body[i], body[j])) not in self.joined
        ]
        return np.array(found, dtype=np.intp).reshape(-1, 2)

    @cached_property
    def free(self) -> np.ndarray:
        """(candidates,) whether bodies are apart in some posture."""
        if not len(self.candidates):
            return np.zeros(0, dtype=bool)
        looking = Looking(self.bodies, self.solids, self.body, np.zeros((0, 3)), np.zeros(0))
        bodies = np.sort(self.body[self.candidates], axis=1)
        owner = np.unique(bodies, axis=0, return_inverse=True)[1].ravel()
        return ~looking.always(self.postures, self.candidates, owner, ALWAYS)

    @cached_property
    def touching(self) -> tuple[tuple[str, str], ...]:
        """Links that touch in all postures, and are left out."""
        pairs = self.candidates[~self.free].tolist()
        return tuple(dict.fromkeys((self.names[i], self.names[j]) for i, j in pairs))


def solids_of(arm: Arm) -> ArmSolids:
    """Found out once for as long as the arm's model lives: meshes are read, and hulls made, no second time."""
    known = _known.get(arm.model)
    if known is None:
        known = _known[arm.model] = ArmSolids(arm)
    return known


_known: WeakKeyDictionary[Model, ArmSolids] = WeakKeyDictionary()


def random_postures(arm: Arm) -> Floats:
    """Within limits, the same each time; with loops those in which they close, and as they are put together."""
    low, high = position_limits(arm.model.independent)
    random = np.random.default_rng(20261117)
    if not arm.model.loops:
        low, high = np.where(np.isfinite(low), low, -np.pi), np.where(np.isfinite(high), high, np.pi)
        return random.uniform(low, high, (POSTURES, arm.n))
    place = [arm.model.joint_names.index(name) for name in arm.joint_names]
    closure = arm.closure
    home = np.asarray(closure.reference)[place]
    least = np.where(np.isfinite(low[place]), low[place], home - np.pi)
    most = np.where(np.isfinite(high[place]), high[place], home + np.pi)
    q = random.uniform(least, most, (LOOPED * POSTURES, arm.n))
    whole = closure.positions(q)  # NaN where a loop cannot close
    with np.errstate(invalid="ignore"):
        good = np.isfinite(whole).all(axis=1) & (whole >= low).all(axis=1) & (whole <= high).all(axis=1)
    return np.vstack([home, q[good][:POSTURES]])


def whole_joints(arm: Arm, q: Floats) -> Floats:
    """Joints (samples, tree joints) of the tree."""
    return np.asarray(arm.closure.positions(q)) if arm.model.loops else q
