"""Forces in the sections of an arm that stands still, from equilibrium of the arm with nothing bent.

Of an arm without loops they follow from its loads alone. Loops share them out by stiffness, as far as links bend.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torsor.elastic.beam_cuts import ArmCuts
from torsor.elastic.held_arm import HeldArm
from torsor.elastic.section_forces import FramePush, closing_pushes, section_forces
from torsor.errors import Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats


def standing_forces(cuts: ArmCuts, x: Reals, gravity: Reals, wrench: Reals, loops: Sequence[FramePush] = ()) -> Reals:
    """(..., cuts, 6) at x, with a wrench (..., 6) on the tool in base axes."""
    still = np.zeros(cuts.tree.size)
    return section_forces(cuts, x, still, still, gravity, [(*cuts.tree.mount("tool"), wrench), *loops])


def loop_pushes(held: HeldArm, gravity: Floats, wrench: Floats) -> list[FramePush]:
    """What the loops of an arm push with, on both links of each, at one posture."""
    forces = held.standing(gravity, wrench)[1]
    if open_ones := [name for name, force in forces.items() if not np.isfinite(force).all()]:
        what = f"the forces in {', '.join(map(repr, open_ones))} of {held.tree.tree.name!r} are not determined"
        raise Unsupported(what, hint="let more of its links bend, so that their stiffness shares them out")
    return closing_pushes(held.tree, held.x, list(forces.values()))
