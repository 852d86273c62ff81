"""What a program that moves nothing would take, from what was assumed on its way."""

from __future__ import annotations

import re
from collections.abc import Mapping

from torsor.motion.commands import Assumed

# sorts of assumptions that somebody could make needless, first those without which a move is passed over
LACKING = ("point", "axes", "routine", "name", "input", "data")
MOST_NEEDED = 5


def needed_of(assumed: Mapping[str, Assumed]) -> str:
    """Names with their lines, each once in whatever case it is written; keys are a sort and a name.

    >>> from torsor.motion.commands import Place
    >>> one, two = Assumed("di1 is 0", Place("", 3, 1)), Assumed("where pHome lies", Place("", 7, 1))
    >>> needed_of({"input di1": one, "point phome": two})
    'pHome (line 7), di1 (line 3)'
    """
    told = ((key.partition(" "), each) for key, each in assumed.items())
    found = [(LACKING.index(sort), name, each) for (sort, _, name), each in told if name and sort in LACKING]
    lines: dict[str, str] = {}
    for _, name, each in sorted(found, key=lambda one: one[0]):
        written = re.search(re.escape(name), each.text, re.IGNORECASE)
        lines.setdefault(name.lower(), f"{written[0] if written else name} (line {each.place.line})")
    return ", ".join(list(lines.values())[:MOST_NEEDED])
