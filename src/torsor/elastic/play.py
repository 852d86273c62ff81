"""Play of gears: between its flanks nothing pulls, and a flank pushes but never holds back.

With the play b a spring that is turned by p pulls

    k (p - b/2) + d pd   beyond p = b/2, not below zero,
    k (p + b/2) + d pd   beyond p = -b/2, not above zero,    and nothing in between.

It acts in coupled motion (`simulate(elastic=True)`). What is linear, frequencies and programs that are followed, takes
every gear as engaged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from torsor.algebra import less, maximum, minimum, select
from torsor.elastic.elastic_tree import ElasticTree, Spring
from torsor.mechanics.kinematics import dot
from torsor.mechanics.tree import Reals
from torsor.model.model import Model
from torsor.model.transforms import Floats

UNLOADED = 1e-9  # of the way to a flank: what turns a spring by less is rounding


def with_play(arm: ElasticTree, model: Model) -> ElasticTree:
    """The arm with the play of its drives, in the springs behind which it is."""
    play = {f"{model.joint_names[drive.joint]}.spring": drive.backlash for drive in model.drives if drive.backlash}
    return replace(arm, springs=tuple(replace(each, play=play.get(each.name, 0.0)) for each in arm.springs))


def pulled(arm: ElasticTree, x: Reals, xd: Reals) -> Reals:
    """What springs and bent links pull by themselves, damped, (..., x)."""
    total = np.asarray(x @ arm.K + xd @ arm.D)
    free = loose(arm)
    if not free:
        return total
    parts = [_pull(free[k], x[..., k], xd[..., k]) if k in free else total[..., k] for k in range(arm.size)]
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def strain_energy(arm: ElasticTree, x: Reals) -> Any:
    """1/2 x K x (...), in springs and bent links; of springs with play what is beyond it."""
    if free := loose(arm):
        parts = [_beyond(free[k].play, x[..., k]) if k in free else x[..., k] for k in range(arm.size)]
        x = np.stack(np.broadcast_arrays(*parts), axis=-1)
    return 0.5 * dot(x, x @ arm.K)


def at_a_flank(arm: ElasticTree, x: Floats, asked: Floats) -> Floats:
    """x (..., x) with springs that have play turned to where they pull as much as is asked of them (..., x).

    Where nothing is asked, but for rounding, they stand in the middle.
    """
    found = x.copy()
    for k, spring in loose(arm).items():
        half, turned = 0.5 * spring.play, asked[..., k] / spring.stiffness
        found[..., k] = np.where(np.abs(turned) > UNLOADED * half, np.sign(turned) * half + turned, 0.0)
    return found


def loose(arm: ElasticTree) -> dict[int, Spring]:
    """Springs with play, by coordinate."""
    return {arm.n + k: spring for k, spring in enumerate(arm.springs) if spring.play}


def _beyond(play: float, turned: Any) -> Any:
    return maximum(turned - 0.5 * play, 0.0) + minimum(turned + 0.5 * play, 0.0)


def _pull(spring: Spring, turned: Any, rate: Any) -> Any:
    half, damped = 0.5 * spring.play, spring.damping * rate
    ahead = maximum(spring.stiffness * (turned - half) + damped, 0.0)
    behind = minimum(spring.stiffness * (turned + half) + damped, 0.0)
    return select(less(half, turned), ahead, select(less(turned, -half), behind, 0.0))
