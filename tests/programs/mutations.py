"""Programs damaged at random, as editors, transfers and tired people damage them."""

from __future__ import annotations

import random

JUNK = (
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    ";",
    "=",
    "{",
    "}",
    '"',
    "'",
    "#",
    "$",
    ".",
    "-",
    "1e999",
    "9" * 40,
    "\t",
    "\n",
    "é",
)
JUNK += (
    "END",
    "ELSE",
    "IF",
    "FOR",
    "GOTO 1",
    "STOP",
    ".END",
    "endif",
    "then",
    "seq",
    "0",
    "-1",
    "\x00",
    "\u2028",
    "NOT",
)


def damaged(text: str, chance: random.Random) -> str:
    """The text after one to four accidents."""
    for _ in range(chance.randint(1, 4)):
        lines = text.split("\n")
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.randint(1, 12))
        kind = chance.randrange(9)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + chance.choice(JUNK) + text[at:]
        elif kind == 2:
            text = text[:at]
        elif kind == 3:
            row = chance.randrange(len(lines))
            lines.insert(chance.randrange(len(lines) + 1), lines[row])
            text = "\n".join(lines)
        elif kind == 4:
            del lines[chance.randrange(len(lines))]
            text = "\n".join(lines) or " "
        elif kind == 5:
            a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[a], lines[b] = lines[b], lines[a]
            text = "\n".join(lines)
        elif kind == 6:
            words = text.split(" ")
            words[chance.randrange(len(words))] = chance.choice([*JUNK, chance.choice(words)])
            text = " ".join(words)
        elif kind == 7:
            text = text[:at] + text[at:to].swapcase() + text[to:]
        else:
            text = text[:at] + chr(chance.randrange(1, 1000)) + text[at + 1 :]
    return text
