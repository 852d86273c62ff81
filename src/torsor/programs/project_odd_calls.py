"""Calls of routines that no file has: what they take nobody knows, but a call that is unlike all others may be a slip.

A value that is left out between commas may be meant so; before the first comma, or behind the last one, hardly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torsor.programs import syntax
from torsor.programs.diagnostics import At

FEW = 2  # other calls that tell how many values there are
UnknownCall = tuple[str, At, Sequence[syntax.Expression | None]]


def odd_calls(calls: Sequence[UnknownCall], *, varies: bool) -> Iterator[tuple[At, str]]:
    """Place and problem of calls of one routine that look as if a value were missing.

    ``varies``: it is known to take now more, now fewer.

    >>> x = syntax.Number(1.0)
    >>> list(odd_calls([("f", (1, 1), (x, x)), ("f", (2, 1), (x, None)), ("f", (3, 1), ())], varies=False))
    [((2, 1), 'f is given nothing behind its last comma'), ((3, 1), 'f is given no value, and elsewhere some')]
    """
    for k, (name, at, given) in enumerate(calls):
        others = [other for i, (_, _, other) in enumerate(calls) if i != k]
        lengths = {len(other) for other in others}
        if None in given:
            gaps = [place for place, value in enumerate(given) if value is None and not _lack(others, place)]
            if 0 in gaps or len(given) - 1 in gaps:
                where = "before its first comma" if 0 in gaps else "behind its last comma"
                yield at, f"{name} is given nothing {where}"
            elif varies:
                continue
            elif gaps and len(others) >= FEW:
                yield at, f"{name} is given nothing between two commas, and elsewhere something"
        elif varies:
            continue
        elif not given and others and 0 not in lengths:
            yield at, f"{name} is given no value, and elsewhere some"
        elif len(others) >= FEW and len(lengths) == 1 and len(given) < min(lengths):
            yield at, f"{name} is given {len(given)} values, and {min(lengths)} elsewhere"


def _lack(others: Sequence[Sequence[syntax.Expression | None]], place: int) -> bool:
    """Whether another call leaves that out, too."""
    return any(place < len(other) and other[place] is None for other in others)
