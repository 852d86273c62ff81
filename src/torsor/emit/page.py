"""`Page`: plain NumPy, run on symbols once, as a kernel. The one way from a page to machine code.

A page is traced, simplified, laid out as a tape and compiled when it is first needed; what the cache on disk holds of
it is left out. It is found there by its name, its inputs and its facts, and used only while the sources that it ran
through are what they were: whatever else the function depends on stands in ``facts``. Where nobody can say what that
is, a law of a user's for instance, the page is run every time, and what it gives names the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from torsor.emit.kernel import Kernel, recall_kernel, tape_facts
from torsor.emit.recent import Recent

if TYPE_CHECKING:
    from torsor.algebra import Tape

Symbols = NDArray[Any]  # of graph scalars
Shape = int | tuple[int, ...]
_RECENT: Recent[Kernel] = Recent(256)  # kernels that were named by their graphs


@dataclass(frozen=True, eq=False)
class Page:
    """``function(*inputs)`` gives arrays by name. Call the page as you would its kernel.

    ``inputs`` are shapes by name, or arrays of symbols and parameters that the function knows already. ``facts`` are
    all that the function depends on beside them: numbers, text, bytes, arrays, frozen dataclasses, and lists of these;
    None where the graph itself says it.

    >>> Page("dot", {"x": 2}, lambda x: {"y": x @ x})([3.0, 4.0])
    np.float64(25.0)
    """

    name: str
    inputs: Mapping[str, Shape | Symbols]
    function: Callable[..., Mapping[str, Any]]
    facts: tuple[object, ...] | None = ()
    simplified: bool = True

    @cached_property
    def kernel(self) -> Kernel:
        if self.facts is not None:
            return recall_kernel(described(*self._known, *self.facts), self.trace, made_by=self._module)
        from torsor.algebra import simplify, tape_from

        inputs, outputs = self.expressions()
        raw = tape_from(self.name, inputs, outputs)  # far cheaper than what simplifying and compiling take
        facts = described(*self._known, tape_facts(raw))

        def finished() -> Tape:
            return tape_from(self.name, inputs, simplify(outputs)) if self.simplified else raw

        return _RECENT.get(facts, lambda: recall_kernel(facts, finished, made_by=self._module))

    @property
    def tape(self) -> Tape:
        return self.kernel.tape

    def __call__(self, *arrays: Any, **options: Any) -> Any:
        return self.kernel.general(*arrays, **options)

    def expressions(self) -> tuple[dict[str, Symbols], dict[str, Symbols]]:
        """Inputs and outputs as symbols, as the function gives them."""
        from torsor.algebra import symbols

        given = {
            name: each if isinstance(each, np.ndarray) else symbols(name, each) for name, each in self.inputs.items()
        }
        return given, {name: np.asarray(value, dtype=object) for name, value in self.function(*given.values()).items()}

    def trace(self) -> Tape:
        from torsor.algebra import simplify, tape_from

        inputs, outputs = self.expressions()
        return tape_from(self.name, inputs, simplify(outputs) if self.simplified else outputs)

    @property
    def _known(self) -> tuple[object, ...]:
        shapes = {
            name: [str(node) for node in each.flat] if isinstance(each, np.ndarray) else each
            for name, each in self.inputs.items()
        }
        return self.name, shapes, self.simplified

    @property
    def _module(self) -> str:
        function = self.function
        while isinstance(function, partial):
            function = function.func
        return function.__module__


def described(*facts: object) -> bytes:
    """Facts as bytes: the same for equal facts, and different for others. What has no defined bytes is refused.

    >>> described(1.0, ("a", None)) == described(1.0, ("a", None)), described(1.0) == described(1)
    (True, False)
    """
    return b"".join(_measured(fact) for fact in facts)


def _measured(fact: object) -> bytes:
    kind, content = _bytes_of(fact)
    return b"%s %d:" % (kind.encode(), len(content)) + content


def _bytes_of(fact: object) -> tuple[str, bytes]:
    if fact is None or isinstance(fact, bool | int | float | str):
        return type(fact).__name__, repr(fact).encode()
    if isinstance(fact, bytes):
        return "bytes", fact
    if isinstance(fact, np.ndarray) and fact.dtype != object:
        return f"array {fact.dtype.str} {fact.shape}", fact.tobytes()
    if isinstance(fact, Mapping):
        return "mapping", described(*(each for pair in fact.items() for each in pair))
    if isinstance(fact, tuple | list | np.ndarray):
        return "list", described(*fact)
    if isinstance(fact, set | frozenset):
        return "set", b"".join(sorted(_measured(each) for each in fact))
    if is_dataclass(fact):
        return type(fact).__qualname__, described(*(getattr(fact, each.name) for each in fields(fact)))
    raise TypeError(f"{fact!r:.60} has no defined bytes: give numbers, text, arrays or dataclasses of these as facts")
