"""What a program that moves nothing would take: of all that was assumed, what somebody could give."""

from __future__ import annotations

import re
from collections.abc import Mapping

from torsor.motion.commands import Assumed

LACKING = ("point", "input", "name", "routine", "data", "wait")  # of assumptions: those that somebody could give
MOST_NEEDED = 5


def lacking(assumed: Mapping[str, Assumed]) -> str:
    """What was not known on the way, by name and line: first points for whose want a move was passed over."""
    told = [(*key.partition(" ")[::2], each) for key, each in assumed.items()]
    wanted = [one for one in told if one[0] in LACKING and one[1]]
    wanted.sort(key=lambda one: (one[0] != "point", one[0] == "data"))
    names = [f"{_as_written(name, each.text)} (line {each.place.line})" for _, name, each in wanted[:MOST_NEEDED]]
    return ", ".join(dict.fromkeys(names))


def _as_written(name: str, text: str) -> str:
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    return found[0] if found else name
