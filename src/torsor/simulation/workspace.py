"""The row of doubles that the kernels of a native loop share, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.emit.native_loop import Call
from torsor.model.transforms import Floats


class Workspace:
    """Names and sizes, in order; a size of zero still has a cell, because kernels have no empty arrays."""

    def __init__(self, sizes: dict[str, int]) -> None:
        self.sizes = {name: max(size, 1) for name, size in sizes.items()}
        starts = np.cumsum([0, *self.sizes.values()]).tolist()
        self.place: dict[str, int] = dict(zip(self.sizes, starts, strict=False))
        self.width: int = starts[-1]

    def call(self, kernel: Any, **renamed: str) -> Call:
        """A call of a kernel whose arrays bear names of the workspace; ``new_z`` goes to the place of z."""
        arrays = (*kernel.tape.inputs, *kernel.tape.outputs)
        words = [renamed.get(a.name, a.name.removeprefix("new_")) for a in arrays]
        for word, array in zip(words, arrays, strict=True):
            if self.sizes[word] != array.size:
                raise AssertionError(f"{word} has {self.sizes[word]} cells, {kernel.tape.name} takes {array.size}")
        return Call(kernel, tuple(self.place[word] for word in words))

    def span(self, first: str, last: str) -> tuple[int, int]:
        """(place, count) from one name to another, both included."""
        start = self.place[first]
        return start, self.place[last] + self.sizes[last] - start

    def put(self, row: Floats, **numbers: Any) -> None:
        """Numbers into the cells of their names; arrays that have none are left out."""
        for name, value in numbers.items():
            if np.size(value):
                self.at(row, name)[...] = value

    def at(self, row: Floats, name: str) -> Floats:
        """The cells of a name in a row (..., width) or in what was kept from the first cell on."""
        start = self.place[name]
        return row[..., start : start + self.sizes[name]]
