"""What a quantity is: one declaration, a method with its page.

The method's own signature says which states and options there are, its docstring the maths; the decorator names the
results and the page that computes them. Everything else that knows quantities reads it here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from torsor.mechanics.stance import Frames
from torsor.mechanics.tree import Reals

ALWAYS = ("out", "threads", "dtype")  # options of every quantity, which its page does not see
DEFAULTS = {"frame": "tool", "drives": False}  # of options; of all others, None
Method = TypeVar("Method", bound=Callable[..., Any])
# (Stance, Options, *states after q, run=) -> an array, or several, or which was Chosen
QuantityPage = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Options:
    """What a call may add to the states: a gravity and a tool wrench of its own, and the frame it asks about."""

    gravity: Reals
    wrench: Reals | None = None
    frame: str = "tool"


class Chosen(NamedTuple):
    """What a page that chooses among formulations gives: its arrays, and by which they are."""

    value: Any
    by: str


@dataclass(frozen=True, eq=False)
class Quantity:
    name: str
    states: tuple[str, ...]  # inputs of size n, in order
    optional: tuple[str, ...]  # those that are zero where they are left out
    knows: frozenset[str]  # the options that change it: gravity, wrench, frame, drives, by
    results: tuple[str, ...]
    page: QuantityPage
    reference: QuantityPage  # on floats: what compiled kernels are held against
    by: str | None = None  # what stands behind it when nothing is said; None of a page that chooses and says it itself
    frames: Frames = "lean"
    needs_inertia: bool = True
    of_base_parameters: bool = True  # whether moving mass to a parent, as these do, leaves it as it is
    inverts_mass: bool = False

    def filled(self, states: tuple[Any, ...], n: int) -> tuple[Any, ...]:
        """States with zeros for what was left out."""
        named = zip(self.states, states, strict=True)
        return tuple(np.zeros(n) if each is None and name in self.optional else each for name, each in named)

    def named(self, values: Any) -> dict[str, Any]:
        """The arrays of a page by name."""
        return dict(zip(self.results, values if len(self.results) > 1 else (values,), strict=True))


def quantity(
    *results: str, page: QuantityPage, reference: QuantityPage | None = None, **more: Any
) -> Callable[[Method], Method]:
    """A quantity by the signature of its method: states, then ``**options: Unpack[...]``, which help() lists.

    ``more`` are fields of `Quantity` that have a default there.
    """

    def declared(method: Method) -> Method:
        known = signature(method)
        kinds = _options(method)
        states = tuple(each for each in known.parameters.values() if each.kind is Parameter.POSITIONAL_OR_KEYWORD)
        declaration = Quantity(
            method.__name__,
            tuple(each.name for each in states[1:]),
            tuple(each.name for each in states if each.default is None),
            frozenset(kinds).difference(ALWAYS),
            results,
            page,
            reference or page,
            **more,
        )

        @wraps(method)
        def ask(self: Any, *given: Any, **options: Any) -> Any:
            if len(given) != len(declaration.states):  # by name, or left out
                arguments = known.bind(self, *given, **options)
                arguments.apply_defaults()
                given, options = arguments.args[1:], arguments.kwargs
            return self._answer(declaration, given, options)

        listed = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name), annotation=kind)
            for name, kind in kinds.items()
        ]
        ask.__dict__["__signature__"] = known.replace(parameters=[*states, *listed])
        ask.__dict__["quantity"] = declaration
        return cast(Method, ask)

    return declared


def _options(method: Callable[..., Any]) -> dict[str, str]:
    """Names and types, as text, of ``**options: Unpack[Kind]``."""
    kind = method.__annotations__["options"].removeprefix("Unpack[").removesuffix("]")
    return {name: each.__forward_arg__ for name, each in method.__globals__[kind].__annotations__.items()}
