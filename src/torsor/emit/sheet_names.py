"""The names on a sheet of equations: those of the inputs and results, then free ones for what lies between."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from itertools import chain

import numpy as np

from torsor.algebra.operations import OPERATIONS
from torsor.algebra.tape import Array, Tape
from torsor.algebra.telling import Told
from torsor.emit.angles import SheetAngle, Trig
from torsor.emit.expressions import identifier
from torsor.emit.formula import Symbol

RESERVED = frozenset((*keyword.kwlist, *OPERATIONS, "nan", "inf"))
SINE_COSINE = (("s", "c"), ("S", "C"), ("sin", "cos"))


class SheetNames:
    """Every name is given once. Results of Burdick's closed form are indexed as he does: c_ijj, b_ijk."""

    def __init__(self, tape: Tape, numbers: tuple[int, ...] = ()) -> None:
        """``numbers`` are those of the joints, where they do not count from one: of free ones among others."""
        self.numbers = numbers
        shapes = {array.name: array.shape for array in tape.outputs}
        self.closed_form = len(shapes.get("c", ())) == 2 and len(shapes.get("b", ())) == 3
        self.taken: set[str] = set(RESERVED)
        self.next: dict[str, int] = {}
        self.inputs: list[Symbol] = []
        for array in tape.inputs:
            kind = "parameter" if array.name in tape.parameters else "input"
            self.inputs += self._entries(array, kind, repeat=False)
        self.outputs = [
            self._entries(array, "result", repeat=self.closed_form and array.name == "c") for array in tape.outputs
        ]
        self.results = list(chain.from_iterable(self.outputs))

    def _entries(self, array: Array, kind: str, *, repeat: bool) -> list[Symbol]:
        word = identifier(array.name, RESERVED)
        if not array.shape:
            text = self._free(word)
            return [Symbol(text, array.name, (), kind, "" if kind == "result" else text)]
        base = "" if kind == "result" else self._free(word)
        found = []
        for place in np.ndindex(*array.shape):
            index = tuple(k + 1 for k in ((*place, place[-1]) if repeat else place))
            if set(array.shape) == {len(self.numbers)}:
                index = self._numbered(index)
            entry = f"{base}[{', '.join(map(str, place))}]" if base else ""
            found.append(Symbol(self._free(word + joined(index)), array.name, index, kind, entry))
        return found

    def _free(self, text: str) -> str:
        while text in self.taken:
            text += "_"
        self.taken.add(text)
        return text

    def numbered(self, letter: str, kind: str) -> Symbol:
        """The next free of K1, K2, ..., behind those that a paper numbers."""
        k = self.next.get(letter, 0) + 1
        while f"{letter}{k}" in self.taken:
            k += 1
        self.next[letter] = k
        self.taken.add(f"{letter}{k}")
        return Symbol(f"{letter}{k}", letter, (k,), kind)

    def of_result(self, letter: str, index: tuple[int, ...]) -> Symbol:
        """K112, the second constant of M_11; of many joints K1_10_2."""
        joints = index[:2]
        text = joined(joints) + ("_" if max(joints) > 9 and index[2:] else "") + "".join(map(str, index[2:]))
        return Symbol(self._free(letter + text), letter, index, "constant")

    def told(self, each: Told) -> Symbol:
        """A name of a paper: wx3, npx3 for the prime, bx31 of b_31, A21_14 of an entry of a matrix."""
        letter, primes = each.letter.rstrip("'"), each.letter.count("'")
        vector = each.component in ("x", "y", "z")
        index = joined(each.whose)
        text = letter + "p" * primes + (each.component if vector else "") + index
        text += f"_{each.component}" if each.component and not vector else ""
        if text == f"{letter}{each.whose[0]}":  # what the paper has no number for begins at the next hundred
            self.next[letter] = max(self.next.get(letter, 0), 100 * (1 + (each.whose[0] - 1) // 100))
        return Symbol(self._free(text), letter, each.whose, "value", "", primes, each.component)

    def trigonometry(
        self, trig: Iterable[tuple[int, Trig]], angles: Iterable[tuple[int, SheetAngle]]
    ) -> dict[int, Symbol]:
        """s1, c23 and the like by value, and q23 for the angles that several of them share."""
        trig, angles = list(trig), list(angles)
        primes = _primes([each.angle for _, each in trig] + [angle for _, angle in angles])
        letters = SINE_COSINE[-1]
        for option in SINE_COSINE:
            texts = {self._marked(_letter(option, t), t.angle, primes) for _, t in trig}
            if not texts & self.taken:
                letters = option
                break
        found: dict[int, Symbol] = {}
        for k, each in trig:
            found[k] = self._angle_symbol(_letter(letters, each), each.angle, primes, "trig")
        for k, angle in angles:
            found[k] = self._angle_symbol("q", angle, primes, "angle")
        return found

    def _angle_symbol(self, letter: str, angle: SheetAngle, primes: dict[SheetAngle, int], kind: str) -> Symbol:
        text = self._free(self._marked(letter, angle, primes))
        return Symbol(text, letter, self._numbered(angle.joints()), kind, "", primes[angle])

    def _marked(self, letter: str, angle: SheetAngle, primes: dict[SheetAngle, int]) -> str:
        return letter + joined(self._numbered(angle.joints())) + "p" * primes[angle]

    def _numbered(self, index: tuple[int, ...]) -> tuple[int, ...]:
        """Entries of q, from 1 and negative where they are subtracted, as the numbers of their joints."""
        if not self.numbers:
            return index
        return tuple(self.numbers[k - 1] if k > 0 else -self.numbers[-k - 1] for k in index)


def joined(index: tuple[int, ...]) -> str:
    """Indices as they follow a name: 12, or 1_12 where one has two digits; m2 for a subtracted joint 2."""
    if any(k < 0 for k in index):
        return "".join(f"m{-k}" if k < 0 else f"{'p' if at else ''}{k}" for at, k in enumerate(index))
    return ("_" if max(index, default=0) > 9 else "").join(map(str, index))


def _letter(letters: tuple[str, str], trig: Trig) -> str:
    return letters[0] if trig.function == "sin" else letters[1]


def _primes(angles: Iterable[SheetAngle]) -> dict[SheetAngle, int]:
    """How many primes tell angles of the same joints apart; a plain sum of joints has none."""
    found: dict[SheetAngle, int] = {}
    seen: dict[tuple[int, ...], int] = {}
    for angle in angles:
        if angle not in found:
            if angle.simple:
                found[angle] = 0
            else:
                seen[angle.joints()] = seen.get(angle.joints(), 0) + 1
                found[angle] = seen[angle.joints()]
    return found
