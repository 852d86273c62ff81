"""What a formulation is: a page that says what it computes, for which trees, and where it is from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from torsor.mechanics.tree import Reals, Tree

if TYPE_CHECKING:
    from torsor.mechanics.canonical import Trees

FormulationPage = Callable[..., Reals]
"""inverse_dynamics(tree, q, qd, qdd, gravity, wrench), forward_dynamics(tree, q, qd, tau, gravity, wrench),
mass_matrix(tree, q), coriolis_matrix(tree, q, qd), gravity(tree, q, gravity), pose(tree, q, frame),
jacobian(tree, q, frame)."""


def named(*pages: FormulationPage) -> dict[str, FormulationPage]:
    """Pages by the quantities that they are named after."""
    return {page.__name__: page for page in pages}


def no_followers(tree: Tree) -> str | None:
    """For recursions that solve joint by joint."""
    if tree.rotors:
        return "its drives couple joints"
    return None if tree.is_direct else "a joint follows another"


def links_only(tree: Tree) -> str | None:
    """For pages that know no rotors."""
    return "it computes links, not drives" if tree.rotors else None


@dataclass(frozen=True)
class Formulation:
    """A formulation by name. ``refuses`` says why a tree is not for it, None where it is.

    ``frames``: "lean" runs it in the frames and with the inertia that cost least, "plain" as the arm was described.
    """

    name: str
    source: str
    pages: Mapping[str, FormulationPage]
    frames: Literal["plain", "lean"] = "plain"
    refuses: Callable[[Tree], str | None] = lambda tree: None
    with_loops: Mapping[str, Callable[..., Reals]] = field(default_factory=dict)  # pages of its own in free joints

    def tree(self, trees: Trees) -> Tree:
        return trees.lean if self.frames == "lean" else trees.plain

    def page(self, quantity: str) -> FormulationPage | None:
        """The page for a quantity, None where there is none. Inverse dynamics at rest is gravity."""
        if quantity == "gravity" and "gravity" not in self.pages and "inverse_dynamics" in self.pages:
            return at_rest(self.pages["inverse_dynamics"])
        return self.pages.get(quantity)


def at_rest(inverse_dynamics: FormulationPage) -> FormulationPage:
    """Gravity by inverse dynamics."""

    def gravity(tree: Tree, q: Reals, gravity: Reals) -> Reals:
        still = np.zeros(tree.n)
        # of an arm that only slides it is the same everywhere
        return np.broadcast_to(inverse_dynamics(tree, q, still, still, gravity, None), q.shape)

    return gravity
