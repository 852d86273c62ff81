"""All formulations by name. Adding one is a page with its own ``Formulation`` and a word in the list here."""

from __future__ import annotations

from torsor.errors import Unsupported, did_you_mean
from torsor.mechanics import (
    articulated,
    closed_form,
    composite,
    coriolis,
    exponentials,
    kane,
    lagrange,
    mrnea,
    newton_euler,
    walker_orin,
)
from torsor.mechanics.canonical import Trees
from torsor.mechanics.formulation import Formulation, Page
from torsor.mechanics.tree import Tree

FORMULATIONS: dict[str, Formulation] = {
    formulation.name: formulation
    for formulation in (
        newton_euler.FORMULATION,
        exponentials.FORMULATION,
        lagrange.FORMULATION,
        kane.FORMULATION,
        mrnea.PUBLISHED,
        mrnea.IN_LINK_AXES,
        composite.FORMULATION,
        articulated.FORMULATION,
        coriolis.FORMULATION,
        closed_form.FORMULATION,
        *walker_orin.FORMULATIONS,
    )
}


def formulations_of(quantity: str) -> dict[str, Formulation]:
    """The formulations that compute a quantity."""
    return {name: each for name, each in FORMULATIONS.items() if each.page(quantity) is not None}


def chosen(trees: Trees, quantity: str, by: str) -> tuple[Page, Tree]:
    """The page of a formulation for a quantity, and the tree to run it on."""
    if by not in FORMULATIONS:
        raise Unsupported(f"there is no formulation {by!r}", hint=did_you_mean(by, FORMULATIONS))
    formulation = FORMULATIONS[by]
    page = formulation.page(quantity)
    if page is None:
        known = formulations_of(quantity)
        hint = f"it is computed by {', '.join(known)}" if known else "ask for it without a formulation"
        raise Unsupported(f"{by!r} does not compute {quantity}", hint=hint)
    tree = trees.lean if formulation.frames == "lean" else trees.plain
    if reason := formulation.refuses(tree):
        raise Unsupported(f"{by!r} is not for {tree.name!r}: {reason}")
    return page, tree
