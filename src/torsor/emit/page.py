"""`Page`: plain NumPy, run on symbols once, as a kernel. The one way from a page to machine code.

A page is traced, simplified, laid out as a tape and compiled when it is first needed; what the cache on disk holds of
it is left out. It is found there by its name, its inputs and its facts, and used only while the sources that it ran
through are what they were: whatever else the function depends on stands in ``facts``. Where nobody can say what that
is, a law of a user's for instance, the page is run every time, and what it gives names the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from torsor.emit.kernel import Kernel, recall_kernel, tape_facts
from torsor.emit.precision import DOUBLE, Precision
from torsor.model.facts import described as described

if TYPE_CHECKING:
    from torsor.algebra import Tape

Symbols = NDArray[Any]  # of graph scalars
Shape = int | tuple[int, ...]


@dataclass(eq=False, repr=False)  # each method that it writes costs the first call of a process
class Page:
    """``function(*inputs)`` gives arrays by name. Call the page as you would its kernel.

    ``inputs`` are shapes by name, or arrays of symbols and parameters that the function knows already. ``facts`` are
    all that the function depends on beside them: numbers, text, bytes, arrays, frozen dataclasses, and lists of these;
    None where the graph itself says it. A function that finds out what more it takes gives that, symbols by name,
    before its arrays.

    >>> Page("dot", {"x": 2}, lambda x: {"y": x @ x})([3.0, 4.0])
    np.float64(25.0)
    """

    name: str
    inputs: Mapping[str, Shape | Symbols]
    function: Callable[..., Mapping[str, Any] | tuple[Mapping[str, Symbols], Mapping[str, Any]]]
    facts: tuple[object, ...] | None = ()
    simplified: bool = True
    real: Precision = DOUBLE
    rounded: Callable[[int], bytes | None] | None = None  # facts, by which a tape may have come with Torsor

    @cached_property
    def kernel(self) -> Kernel:
        if self.facts is not None:
            facts = described(*self._known, *self.facts, self._might_have_come)
            return recall_kernel(facts, self.trace, made_by=self._origin.__module__, real=self.real)
        from torsor.algebra import tape_from

        traced = self.expressions()
        raw = tape_from(self.name, *traced)  # far cheaper than what simplifying and compiling take
        facts = described(*self._known, tape_facts(raw))
        return recall_kernel(facts, lambda: self._finished(*traced), real=self.real)

    @property
    def tape(self) -> Tape:
        return self.kernel.tape

    def __call__(self, *arrays: Any, **options: Any) -> Any:
        return self.kernel.call(*arrays, **options)

    def expressions(self) -> tuple[dict[str, Symbols], dict[str, Symbols]]:
        """Inputs and outputs as symbols, as the function gives them."""
        from torsor.algebra import symbols

        given = {
            name: each if isinstance(each, np.ndarray) else symbols(name, each) for name, each in self.inputs.items()
        }
        found = self.function(*given.values())
        more, outputs = found if isinstance(found, tuple) else ({}, found)
        return {**given, **more}, {name: np.asarray(value, dtype=object) for name, value in outputs.items()}

    def trace(self) -> Tape:
        from torsor.algebra.walk import collector_paused

        with collector_paused():
            return self._finished(*self.expressions())

    def _finished(self, inputs: dict[str, Symbols], outputs: dict[str, Symbols]) -> Tape:
        from torsor.algebra import simplify, tape_from

        if self.rounded is not None:
            from torsor.emit.tapes_that_came import leaner

            outputs = leaner(self.rounded, inputs, outputs)
        return tape_from(self.name, inputs, simplify(outputs) if self.simplified else outputs)

    @property
    def _might_have_come(self) -> tuple[object, ...]:
        """Tapes that came with Torsor, of which the kernel may be one: it depends on them, too."""
        if self.rounded is None:
            return ()
        from torsor.emit import kernel_files

        return kernel_files.listing(kernel_files.KERNELS)

    @property
    def _known(self) -> tuple[object, ...]:
        shapes = {
            name: [str(node) for node in each.flat] if isinstance(each, np.ndarray) else each
            for name, each in self.inputs.items()
        }
        return self.name, self._origin.__module__, shapes, self.simplified

    @property
    def _origin(self) -> Callable[..., Any]:
        function = self.function
        while isinstance(function, partial):
            function = function.func
        return function
