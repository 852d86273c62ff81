"""From an elastic arm to what sways about a motion that its joints are told: which shapes, and which equations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torsor.elastic.building import elastic_tree
from torsor.elastic.elastic_loops import SwayingArm
from torsor.elastic.motion_shapes import fewer_shapes
from torsor.errors import TorsorError
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.elastic.elastic_arm import Elastic

SHAPES = 24  # of all links together, where the file's are not taken as they are
POSTURES = 12  # at which shapes are chosen and equations ranked
NEAR = 0.15  # of singularities: nearer postures are not looked at
UNLIMITED = 1.0  # rad, or as a share of m: how far joints without limits are moved about


def swaying_arm(elastic: Elastic, modes: int | None) -> SwayingArm:
    model, closure = elastic.model, elastic.closure
    passive = tuple(k for k, name in enumerate(model.joint_names) if name not in elastic.free)
    loops = model.loops
    # what is massless is so wherever joints are, and refused
    some = np.random.default_rng(0).uniform(-3.0, 3.0, len(elastic.free))
    _ = elastic.at(some if closure is None else closure.free_of(closure.reference), drives="held").swung
    if modes is None and not elastic.by_posture:
        return SwayingArm(elastic.tree, (), (), ())
    reference = np.zeros(elastic.tree.n) if closure is None else closure.reference
    whole = elastic_tree(model, posture=reference)
    at = some_postures(elastic, reference)
    arm = SwayingArm.of(model.name, whole, loops, passive, at)
    links, shapes = len(whole.flexible), sum(each.m for each in whole.flexible.values())
    count = min(SHAPES, shapes) if modes is None else modes
    if shapes and not (isinstance(count, int | np.integer) and links <= count <= shapes):
        problem = f"{count!r} modes for {links} links that bend"
        raise TorsorError(problem, hint=f"give {links} to {shapes}, of all links together")
    if count == shapes:
        return arm
    return SwayingArm.of(model.name, fewer_shapes(arm, at, count), loops, passive, at)


def some_postures(elastic: Elastic, reference: Floats) -> Floats:
    """(postures, joints of the tree) about the reference, out to the limits, at which loops close."""
    model, closure = elastic.model, elastic.closure
    rng = np.random.default_rng(0)
    limits = {link.joint.name: link.joint.limits.position for link in model.links}
    middle = reference if closure is None else closure.free_of(reference)
    tried = []
    for k in range(10 * POSTURES):
        reach = (0.25, 0.5, 0.75, 1.0)[k % 4]
        each = []
        for at, name in zip(middle, elastic.free, strict=True):
            given = limits.get(name)
            low, high = (at - UNLIMITED, at + UNLIMITED) if given is None else given
            low, high = max(low, at - np.pi), min(high, at + np.pi)
            each.append(at + reach * (rng.uniform(min(low, at), max(high, at)) - at))
        tried.append(each)
    x = np.array(tried)
    if closure is None:
        return x[:POSTURES]
    far = closure.distance_to_singularity(x)
    good = x[np.nan_to_num(far, nan=0.0) > NEAR][: POSTURES - 1]
    return np.concatenate([reference[None], closure.positions(good)]) if len(good) else reference[None]
