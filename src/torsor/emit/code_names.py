"""What values are called in code: as on the sheet of the same equations, so that both can be read beside each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from torsor.algebra.tape import Array

# Functions of <math.h> that look like entries of vectors: a local variable of that name would hide them.
OF_MATH = frozenset(("j0", "j1", "jn", "y0", "y1", "yn", "gamma"))


@dataclass(frozen=True)
class CodeNames:
    """Names from a sheet; what has none there is t<k> in code. A tape without a sheet has ``NO_NAMES``."""

    entries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of inputs and outputs: q1, q2 of q
    values: Mapping[int, str] = field(default_factory=dict)  # of values of the tape, by their numbers

    def numbered(self, places: Mapping[int, int]) -> CodeNames:
        """Of a tape that holds some of the values at other ``places``."""
        return replace(self, values={places[k]: word for k, word in self.values.items() if k in places})

    def of_array(self, array: Array, name: str, first: int) -> list[str]:
        """Names of an array's entries; without a sheet the array's own with a number, counted from ``first``."""
        found = self.entries.get(array.name, ()) if array.shape else ()
        return list(found) or [f"{name}{k + first}" for k in range(array.size)]


NO_NAMES = CodeNames()


class FreeNames:
    """Gives names that nothing else has, and that no value t<k> could have."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken) | OF_MATH

    def __call__(self, word: str) -> str:
        while word in self.taken or re.fullmatch(r"t[0-9]*", word):
            word += "_"
        self.taken.add(word)
        return word

    def all(self, words: Iterable[str]) -> list[str]:
        return [self(word) for word in words]

    def of_values(self, names: CodeNames) -> dict[int, str]:
        return {k: self(word) for k, word in names.values.items()}
