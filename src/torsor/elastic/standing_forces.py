"""Forces in the sections of an arm that stands still, from equilibrium of the arm with nothing bent.

Of an arm without loops they follow from its loads alone. Loops share them out by stiffness: with C x = 0
what bends balances K x + load = C^T f, and f are the forces in the loops, of which a planar loop that is rigid could
not tell those across its plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torsor.elastic.beam_cuts import ArmCuts
from torsor.elastic.elastic_loops import SwayingArm, closed_motions, closing_rows
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree, straight
from torsor.elastic.section_forces import FramePush, closing_pushes, section_forces
from torsor.errors import Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.parts import Loop
from torsor.model.transforms import Floats

DETERMINED = 1e-9  # of the largest singular value of C: smaller ones leave forces that nothing determines


def standing_forces(cuts: ArmCuts, x: Reals, gravity: Reals, wrench: Reals, loops: Sequence[FramePush] = ()) -> Reals:
    """(..., cuts, 6) at x, with a wrench (..., 6) on the tool in base axes."""
    still = np.zeros(cuts.tree.size)
    return section_forces(cuts, x, still, still, gravity, [(*cuts.tree.mount("tool"), wrench), *loops])


def loop_pushes(
    name: str, tree: ElasticTree, loops: Sequence[Loop], q: Floats, moving: Any, gravity: Floats, wrench: Floats
) -> list[FramePush]:
    """What the loops of an arm push with, on both links of each, at one posture; ``moving`` coordinates give way."""
    x, still = straight(tree, q), np.zeros(tree.size)
    C = closing_rows(tree, loops, x)[:, moving]
    load = residual(tree, x, still, still, gravity, wrench)[moving]
    K, Z = tree.K[np.ix_(moving, moving)], closed_motions(C)
    bent = Z @ np.linalg.solve(Z.T @ K @ Z, -Z.T @ load)
    size = np.linalg.norm(C, axis=1)
    size = np.where(size > 0.0, size, 1.0)
    f, _, rank, _ = np.linalg.lstsq((C / size[:, None]).T, K @ bent + load, rcond=DETERMINED)
    if rank < len(C):
        what = f"the forces in the loops of {name!r} are not determined: {len(C) - rank} of {len(C)} could be any"
        raise Unsupported(what, hint="let more of its links bend, so that their stiffness shares them out")
    forces = SwayingArm(tree, tuple(loops), (), tuple(range(len(C)))).forces(x, f / size)
    return closing_pushes(tree, x, list(forces.values()))
