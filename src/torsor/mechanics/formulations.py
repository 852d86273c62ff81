"""All formulations by name. Adding one is a page with its own ``Formulation`` and a word in the list here."""

from __future__ import annotations

from torsor.errors import Unsupported, did_you_mean
from torsor.mechanics import (
    articulated,
    closed_form,
    composite,
    coriolis,
    denoc,
    exponentials,
    kane,
    kinematics,
    lagrange,
    mrnea,
    newton_euler,
    walker_orin,
)
from torsor.mechanics.canonical import Trees
from torsor.mechanics.formulation import Formulation

PAGES = (
    newton_euler,
    exponentials,
    lagrange,
    kane,
    mrnea,
    composite,
    articulated,
    denoc,
    coriolis,
    closed_form,
    walker_orin,
    kinematics,
)
FORMULATIONS = {each.name: each for page in PAGES for each in vars(page).values() if isinstance(each, Formulation)}


def formulations_of(quantity: str) -> dict[str, Formulation]:
    """The formulations that compute a quantity."""
    return {name: each for name, each in FORMULATIONS.items() if each.page(quantity) is not None}


def refusal(formulation: Formulation, trees: Trees, quantity: str) -> str | None:
    """Why a formulation is not for an arm; None where it is."""
    if trees.loops is not None and quantity == "forward_dynamics" and formulation.name != composite.FORMULATION.name:
        return "it does not know loops"  # a solve joint by joint is none of the free joints
    return formulation.refuses(formulation.tree(trees))


def chosen(trees: Trees, quantity: str, by: str) -> Formulation:
    """The formulation of this name, which computes the quantity of this arm."""
    if by not in FORMULATIONS:
        raise Unsupported(f"there is no formulation {by!r}", hint=did_you_mean(by, FORMULATIONS))
    known = formulations_of(quantity)
    fit = ", ".join(name for name, each in known.items() if refusal(each, trees, quantity) is None)
    if by not in known:
        hint = f"it is computed by {fit}" if known else "ask for it without a formulation"
        raise Unsupported(f"{by!r} does not compute {quantity}", hint=hint)
    if reason := refusal(known[by], trees, quantity):
        raise Unsupported(f"{by!r} is not for {trees.plain.name!r}: {reason}", hint=f"it is computed by {fit}")
    return known[by]
