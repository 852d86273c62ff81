"""Friction declared at the joints of an arm without motors: F = k qd + F_c sign(qd), put around the page of a quantity.

It is Fedorov's M qdd + C qd + F_v qd + g = u. Joints that a loop moves rub too: F_x = G^T F(G xd) by virtual work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from torsor.mechanics.quantity import Chosen, Options, Quantity, QuantityPage
from torsor.mechanics.stance import Stance
from torsor.mechanics.tree import Reals
from torsor.model.model import Model

JointRub = tuple[float, float]  # viscous and dry friction of one joint


def joint_rubs(model: Model) -> tuple[JointRub, ...]:
    """Of every joint of q, those that loops move among them; none at all where nothing rubs."""
    found = tuple((link.joint.friction.viscous, link.joint.friction.coulomb) for link in model.independent)
    return found if any(map(any, found)) else ()


def resistance(rubs: Sequence[JointRub], at: Stance, xd: Reals) -> Reals:
    """(..., n): the torques that friction takes of the free joints; at rest none."""
    from torsor.algebra.functions import sign  # a warm start does without

    qd = at.rates(xd)
    taken = [k * qd[..., i] + (F_c * sign(qd[..., i]) if F_c else 0.0) for i, (k, F_c) in enumerate(rubs)]
    return at.torques(np.stack(np.broadcast_arrays(*taken), axis=-1))


def rubbing(page: QuantityPage, quantity: Quantity, rubs: Sequence[JointRub]) -> QuantityPage:
    """The page of torques, of accelerations, or of slopes of either, with friction; any other stays as it is."""
    names = {*quantity.states, *quantity.results}
    return partial(_rubbed, page, quantity, rubs) if names & {"tau", "dqd"} else page


def _rubbed(
    page: QuantityPage, quantity: Quantity, rubs: Sequence[JointRub], at: Stance, o: Options, *states: Reals
) -> Any:
    given = dict(zip(quantity.states[1:], states, strict=True))
    qd = given["qd"]
    F = resistance(rubs, at, qd)
    if "tau" in given:  # what is left of it moves the arm
        given["tau"] = given["tau"] - F
    found = page(at, o, *given.values())
    value, by = found if isinstance(found, Chosen) else (found, None)
    if quantity.results == ("tau",):
        value = value + F
    elif "dqd" in quantity.results:
        dq, dqd, last = value  # slopes of torques and M, or of accelerations and M^-1
        slopes = at.slopes(F, qd)
        of_q, of_qd = slopes[..., : at.n], slopes[..., at.n :]
        if "tau" in given:
            of_q, of_qd = -(last @ of_q), -(last @ of_qd)
        value = dq + of_q, dqd + of_qd, last
    return value if by is None else Chosen(value, by)
