"""`Question`: a quantity asked of an arm, on symbols: what is compiled, and what is printed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from torsor.errors import ModelError, Unsupported, did_you_mean
from torsor.mechanics import composite
from torsor.mechanics.canonical import Trees
from torsor.mechanics.joint_friction import rubbing
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.quantity import Chosen, Options, Quantity
from torsor.mechanics.stance import Stance, stance_of
from torsor.mechanics.tree import Reals, Tree
from torsor.model.facts import described
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.algebra import Tape
    from torsor.mechanics.looped_tree import AnyTree
    from torsor.mechanics.loops import Loops

OWN = {"gravity": 3, "wrench": 6}  # inputs that a call may add, after the states


class Traced(NamedTuple):
    """Graphs by name, and the formulation that they are by."""

    inputs: dict[str, Reals]
    outputs: dict[str, Reals]
    by: str


@dataclass(frozen=True, eq=False)
class Question:
    """One quantity of one arm. ``gravity`` and ``wrench`` say which of them are inputs, ``by`` names a formulation."""

    trees: Trees
    quantity: Quantity
    gravity: bool = False
    wrench: bool = False
    frame: str = "tool"
    by: str | None = None

    @property
    def name(self) -> str:
        return f"{self.trees.plain.name}_{self.quantity.name}" + (f"_by_{self.by}" if self.by else "")

    @cached_property
    def inputs(self) -> dict[str, int]:
        """Names and sizes."""
        added = {name: size for name, size in OWN.items() if getattr(self, name)}
        return dict.fromkeys(self.quantity.states, self.trees.n) | added

    @property
    def facts(self) -> tuple[object, ...]:
        """All that the answer depends on."""
        loops = self.trees.loops
        asked = self.quantity.name, self.gravity, self.wrench, self.frame, self.by
        return asked, self.trees.plain.facts(self.frame), None if loops is None else loops.facts(), self.trees.rubs

    def __call__(self, *arrays: Reals) -> tuple[dict[str, Reals], dict[str, Reals]]:
        """The page on symbols: what it takes beside them, and what it gives, by name."""
        if self.quantity.inverts_mass:
            require_invertible(self.trees.plain, self.trees.loops)
        traced = self._traced(dict(zip(self.inputs, arrays, strict=True)))
        return {name: each for name, each in traced.inputs.items() if name not in self.inputs}, traced.outputs

    def rounded(self, decimals: int) -> bytes | None:
        """What the answer depends on, rounded; None of an arm, or a question, with anything beside it."""
        trees = self.trees
        if self.gravity or self.wrench or self.by or trees.rubs or trees.given is not None or trees.loops is not None:
            return None
        return described(self.quantity.name, trees.plain.facts(self.frame, decimals))

    def traced(self) -> Traced:
        from torsor.algebra import symbols

        return self._traced({name: symbols(name, size) for name, size in self.inputs.items()})

    def tape(self) -> Tape:
        """Simplified."""
        from torsor.algebra import simplify, tape_from

        traced = self.traced()
        return tape_from(self.name, traced.inputs, simplify(traced.outputs))

    def _traced(self, inputs: dict[str, Reals]) -> Traced:
        quantity, frames, page, by = self.quantity, self.quantity.frames, self.quantity.page, self.quantity.by
        if self.by is not None:
            from torsor.mechanics.formulations import chosen

            formulation = chosen(self.trees, quantity.name, self.by)
            frames, by = formulation.frames, self.by
            own = formulation.with_loops.get(quantity.name)
            page = own if own and self.trees.loops else partial(page, run=formulation.page(quantity.name))
        if self.trees.rubs:
            page = rubbing(page, quantity, self.trees.rubs)
        x, *states = (inputs[name] for name in quantity.states)
        at = stance_of(self.trees, frames, x)
        gravity = inputs.get("gravity", at.tree.gravity)  # in its unit of length
        found = page(at, Options(gravity, inputs.get("wrench"), self.frame), *states)
        if isinstance(found, Chosen):
            found, by = found
        assert by is not None
        return Traced(inputs | at.guesses, at.finish(quantity.named(found)), by)


def trace(trees: Trees, quantity: str, **options: Any) -> Tape:
    """The tape of a quantity. Options as for `Question`."""
    return Question(trees, QUANTITIES[quantity], **options).tape()


NEGATIVE = "its mass matrix is not positive"
LIGHTER = "a rotor may not have more inertia than its carrier, which counts it in, nor a body less than none"


def not_positive(M: Floats) -> tuple[int, bool] | None:
    """Of mass matrices (postures, n, n) that nobody can invert at any posture: the coordinate that is to blame, and
    whether it has less than no mass."""
    size = np.sqrt(np.abs(np.diagonal(M, axis1=-2, axis2=-1)))
    size[size == 0.0] = 1.0
    smallest, least = np.linalg.eigh(M / size[..., :, None] / size[..., None, :])
    if not (smallest[:, 0] < 1e-13).all():
        return None
    # of what moves no mass rounding leaves as little as that below zero
    return int(np.argmax(np.abs(least[0, :, 0]))), bool((smallest[:, 0] < -1e-9).all())


def require_invertible(tree: Tree | AnyTree, loops: Loops | None = None) -> None:
    """Refuses forward dynamics of an arm whose mass matrix is singular everywhere: a joint that moves no mass."""
    if not isinstance(tree, Tree):
        loops, tree = tree.loops, tree.tree
    # with loops at the assembled posture, and so everywhere
    q = np.random.default_rng(0).uniform(-3.0, 3.0, size=(4, tree.n)) if loops is None else loops.reference[None]
    at: Stance = stance_of(Trees(tree, loops=loops), "plain", q)
    found = not_positive(at.mass_matrix(composite.mass_matrix(at.tree, at.q)))
    if found is None:
        return
    worst, negative = found
    if negative:
        raise ModelError(f"forward dynamics of {tree.name!r}: {NEGATIVE}", hint=LIGHTER)
    if loops is not None:
        what, cure = f"free joint {loops.names[worst]!r}", "give what it moves mass or inertia"
    else:
        body = next(b for b in tree.bodies if b.source == worst)
        what, cure = f"the joint of link {body.name!r}", "give the link, or what it carries, mass or inertia"
    raise ModelError(f"forward dynamics of {tree.name!r}: {what} moves no mass", hint=cure)


def quantity_of(name: str) -> Quantity:
    if name not in QUANTITIES:
        raise Unsupported(f"there is no quantity {name!r}", hint=did_you_mean(name, QUANTITIES))
    return QUANTITIES[name]
