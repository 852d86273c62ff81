"""Which block was left open, as far as the text is indented so that it tells.

A word that closes a block takes the innermost one. Where it stands further left than that begins, it was meant for one
around it, and the inner one was left open: if a block around it begins there, or if that one is closed too far left as
well, and so on up to the one for which nothing is left. An end that stands too far left all by itself is carelessness.
This is evidence only of who indents in one manner: ends mostly stand below their beginnings, and a column more or less
than that is nothing, but where blocks are indented by one. Where blocks within blocks are not indented at all, the
outer one may be open, or the last inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from torsor.programs.diagnostics import At

STRAIGHT = 0.6  # of all ends, below their beginnings: with fewer, whoever goes by indentation is wrong more often
TAB = 4  # columns between the stops of tabs, where they stand beside spaces
Indented = TypeVar("Indented")


def column_of(line: str, column: int) -> int:
    """The column in which an editor shows a letter that stands behind tabs; both are counted from 1.

    >>> column_of("  \\tend", 4)
    5
    """
    return len(line[: column - 1].expandtabs(TAB)) + 1


@dataclass
class Indentation(Generic[Indented]):
    """What was seen of it so far.

    >>> seen = Indentation()
    >>> for at in [(1, 1), (2, 3)]: seen.opens(at); seen.stands((at[0] + 1, at[1] + 2))
    >>> seen.closes("inner", 3, 1, [1], ["outer"])
    >>> list(seen.left_open("outer"))
    ['inner']
    """

    steps: Counter[int] = field(default_factory=Counter)  # by how much insides of blocks are further right
    ends: list[tuple[Indented, int, int, list[int], list[Indented]]] = field(default_factory=list)
    # by the id of a block: itself, and the last one inside that begins and ends in its column
    flat: dict[int, tuple[Indented, Indented]] = field(default_factory=dict)
    opened: At | None = None  # where a block begins with nothing in it yet

    def opens(self, at: At) -> None:
        self.opened = at

    def stands(self, at: At) -> None:
        """Something begins there."""
        if self.opened is not None and at[0] > self.opened[0]:
            self.steps[at[1] - self.opened[1]] += at[1] > self.opened[1]
            self.opened = None

    def closes(self, block: Indented, begin: int, end: int, columns: list[int], around: list[Indented]) -> None:
        """A block that begins in one column is closed in another.

        ``columns``: those of the blocks around it that its word may close; ``around``: all of them.
        """
        self.ends.append((block, begin, end, columns, around))

    def flatly(self, block: Indented, inner: Indented) -> None:
        """The end of ``inner`` might as well be that of the block around it."""
        self.flat[id(block)] = block, inner

    def perhaps(self, block: Indented) -> Iterator[Indented]:
        """What may have been left open instead of a block: the last one inside of it, and so on."""
        while id(block) in self.flat:
            _, block = self.flat[id(block)]
            yield block

    def left_open(self, unclosed: Indented) -> Iterator[Indented]:
        """Blocks inside of one that nothing closes, whose own end was meant for one around them; none where
        indentation tells nothing."""
        usual = max(self.steps, key=lambda step: self.steps[step], default=0)
        slack = 0 if usual <= 1 else 1
        left = [each for each in self.ends if each[1] - each[2] > slack]
        straight = sum(abs(begin - end) <= slack for _, begin, end, *_ in self.ends)
        if straight < STRAIGHT * (len(self.ends) - len(left)):
            return
        shifted = {id(unclosed), *(id(block) for block, *_ in left)}
        for block, _, end, columns, around in left:
            ids = [*map(id, around)]
            if id(unclosed) not in ids:
                continue
            passed_on = shifted.issuperset(ids[ids.index(id(unclosed)) :])
            if passed_on or any(abs(column - end) <= slack for column in columns):
                yield block
