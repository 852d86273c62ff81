"""Loops of an arm whose links bend: what keeps them closed, and the motions that are left at a posture.

Elastic coordinates take part in the closure, c(q, eta) = 0. At a posture its Jacobian C has the motions that keep loops
closed as its null space, found by rank: a planar loop, which has more equations than it needs while it is rigid, needs
all of them once it bends.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from torsor.elastic.elastic_kinematics import BentArm, closure_jacobian
from torsor.elastic.elastic_tree import ElasticTree
from torsor.model.parts import Loop
from torsor.model.transforms import Floats

# Of the twist of one frame against the other, in the axes of the other, what each kind of joint keeps zero.
KEPT = {"hinge": [0, 1, 2, 3, 4], "ball": [0, 1, 2], "slider": [0, 1, 3, 4, 5], "rigid": [0, 1, 2, 3, 4, 5]}


def closing_rows(tree: ElasticTree, loops: Sequence[Loop], x: Floats, *, welded: bool = False) -> Floats:
    """C (rows, x) with C xd = 0, at one x; ``welded``: as if no joint of a loop turned."""
    rows = []
    for k, (loop, apart) in enumerate(zip(loops, closure_jacobian(tree, x), strict=True)):
        if loop.kind == "distance":
            stance = BentArm.at(tree, x)
            (first, second), (on_first, on_second) = tree.tree.ends[k], tree.ends[k]
            (R, p), (_, other) = stance.frame(second, on_second)[0], stance.frame(first, on_first)[0]
            rows.append((R.T @ (other - p))[None] @ apart[:3] / np.linalg.norm(other - p))
        else:
            rows.append(apart[KEPT["rigid" if welded else loop.kind]])
    return np.concatenate(rows)


def closed_motions(C: Floats) -> Floats:
    """(x, motions): an orthonormal basis of what C leaves."""
    size = np.linalg.norm(C, axis=1, keepdims=True)
    return np.asarray(scipy.linalg.null_space(C / np.where(size > 0.0, size, 1.0)))
