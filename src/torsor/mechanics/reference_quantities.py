"""The reference: every quantity computed plainly on floats, the oracle that compiled kernels are held against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torsor.errors import did_you_mean
from torsor.mechanics.canonical import Trees
from torsor.mechanics.quantities import Quantities
from torsor.mechanics.quantity import Options, Quantity
from torsor.mechanics.stance import stance_of
from torsor.mechanics.tree import Tree

if TYPE_CHECKING:
    from torsor.mechanics.loops import Loops


@dataclass(frozen=True, eq=False)
class ReferenceQuantities(Quantities):
    """Every quantity computed plainly on floats, by its page or, where it names one, by a page of its own for this.

    Arguments are arrays with leading dimensions, taken as they are, unchecked. Options: ``gravity``, in base axes,
    ``wrench`` and ``frame``.
    """

    tree: Tree
    loops: Loops | None = None

    def _answer(self, quantity: Quantity, states: tuple[Any, ...], options: dict[str, Any]) -> Any:
        known = quantity.knows & {"gravity", "wrench", "frame"}
        for option in options:
            if option not in known:
                raise TypeError(
                    f"the reference of {quantity.name} has no option {option!r}; {did_you_mean(option, known)}"
                )
        q, *others = quantity.filled(states, self.n)
        at = stance_of(Trees(self.tree, loops=self.loops), "plain", q)
        gravity = self.tree.gravity if options.get("gravity") is None else options["gravity"]
        return quantity.reference(at, Options(gravity, options.get("wrench"), options.get("frame", "tool")), *others)

    @property
    def n(self) -> int:
        return self.tree.n if self.loops is None else self.loops.n
