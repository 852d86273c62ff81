"""A function of Python behind the signature of a kernel, so that a native loop can call it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import local
from typing import Any

import numpy as np

from torsor.algebra.tape import Array, Tape
from torsor.model.transforms import Floats


class Foreign:
    """``function`` of arrays of these sizes. What it raises waits for the loop to end, in the thread of that loop."""

    rows_address: int | None = None

    def __init__(
        self, name: str, function: Callable[..., Any], inputs: dict[str, int], outputs: dict[str, int]
    ) -> None:
        taken, given = (tuple(Array(word, (size,)) for word, size in side.items()) for side in (inputs, outputs))
        self.tape, self.general, self._now = Tape(name, taken, given, (), ()), function, local()
        self._native = ctypes.CFUNCTYPE(None, *([ctypes.c_void_p] * len(taken + given)))(self._answer)
        self.scalar_address: int | None = ctypes.cast(self._native, ctypes.c_void_p).value

    def _answer(self, *pointers: int) -> None:
        arrays = (*self.tape.inputs, *self.tape.outputs)
        places = [self._at(p, array.size) for p, array in zip(pointers, arrays, strict=True)]
        count = len(self.tape.inputs)
        try:
            results = self.general(*[place.copy() for place in places[:count]])
            results = results if isinstance(results, tuple) else (results,)
            for place, result in zip(places[count:], results, strict=True):
                place[:] = result
        except BaseException as error:  # an error cannot pass through machine code: it is raised when that is done
            self._now.error = getattr(self._now, "error", None) or error
            for place in places[count:]:
                place[:] = np.nan

    def _at(self, pointer: int, size: int) -> Floats:
        """The workspace stays where it is while a loop runs: its places are looked up once."""
        seen: dict[tuple[int, int], Floats] = self._now.__dict__.setdefault("seen", {})
        if (pointer, size) not in seen:
            seen[pointer, size] = np.ctypeslib.as_array((ctypes.c_double * size).from_address(pointer))
        return seen[pointer, size]

    def raise_error(self) -> None:
        """What the function raised since this was last asked, in this thread."""
        error = getattr(self._now, "error", None)
        self._now.__dict__.clear()
        if error is not None:
            raise error
