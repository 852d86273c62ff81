"""Arguments as they are written in a text: where each begins and ends, and numbers in them times a factor."""

from __future__ import annotations

import re

from torsor.programs.rewriting import rounded_down

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def spans(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Where the parts between commas lie, brackets and texts left whole.

    >>> [("f(a, [1, 2], b)")[slice(*each)] for each in spans("f(a, [1, 2], b)", 2, 14)]
    ['a', ' [1, 2]', ' b']
    """
    found, depth, first, quoted = [], 0, begin, False
    for k in range(begin, end):
        sign = text[k]
        quoted ^= sign == '"'
        if quoted:
            continue
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            found.append((first, k))
            first = k + 1
    return [*found, (first, end)]


def closing(text: str, opening: int) -> int:
    """Where the bracket that opens there is closed; the end of the text where it is not."""
    depth, quoted = 0, False
    for k in range(opening, len(text)):
        quoted ^= text[k] == '"'
        if not quoted:
            depth += (text[k] in "([{") - (text[k] in ")]}")
            if depth == 0:
                return k
    return len(text)


def times(written: str, factor: float) -> str:
    """
    >>> times(" 1.2", 0.5), times("v / 2", 0.5), times("2.0", 2.0)
    (' 0.6', '(v / 2)*0.5', '4')
    """
    bare = written.strip()
    before = written[: len(written) - len(written.lstrip())]
    if _NUMBER.fullmatch(bare):
        return before + rounded_down(float(bare) * factor)
    return f"{before}({bare})*{factor:.6g}"


def over(written: str, factor: float) -> str:
    """A time divided by a factor, never shorter than that.

    >>> over("2", 0.3), over("t", 0.5)
    ('6.66667', '(t)/0.5')
    """
    bare = written.strip()
    if _NUMBER.fullmatch(bare):
        return f"{float(bare) / factor * (1.0 + 1e-6):.6g}"
    return f"({bare})/{factor:.6g}"
