"""Clauses of a URScript text: logical lines without comments and markers, cut behind the words of blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from torsor.programs.language import ClauseText
from torsor.programs.urscript.urscript_functions import FUNCTIONS

_COMMENT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|(?P<comment>#[^\n]*)")
_MARKER = re.compile(r"^[ \t]*\$[^\n]*", re.MULTILINE)  # $ 3 "MoveJ": a node of PolyScope's tree
_ELITE = re.compile(r"^[ \t]*(\$[ \t]*LINE[ \t]*:)", re.MULTILINE)
# what the controller's interface takes between programs, as they are sent to it
_SENT = re.compile(
    r"^[ \t]*((run|stop) program|power (on|off)|set robotmode \w+|set unlock protective stop"
    r"|confirm user safety parameters)[ \t\r]*$",
    re.MULTILINE,
)
_TOKEN = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|[\[\](){}:;]|[^\W\d]\w*")
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
# `{...}` of templates, and `%s`, `%.4f` where a value begins: nothing is divided there
_PLACEHOLDER = re.compile(
    r"\{\{[^\n]*?\}\}|\{%[^\n]*?%\}|\{[^\n{}]*\}|\{|(?<=[\[(,=])[ \t]*(?P<value>%(?:\(\w+\))?[\d.]*[sdifg])(?!\w)"
)
_STARTED = re.compile(r"\brun\s*$")  # the name of a thread comes behind it
_ENDED = re.compile(r"(?<!\band)(?<!\bor)(?<!\bxor)(?<!\bnot)(?<=[\w)\]\"'])\s*$")  # with a value, not an operator
_OPEN = re.compile(r"(?:[=+*/<>-]|(?<!\w)(?:and|or|xor))\s*$")  # a value is to come
_VALUE = re.compile(r"\s*(?:p\s*)?[\[(]|\s*[\d.\"']")
_STATEMENT = re.compile(r"\s*[^\W\d]\w*(\[[^\]]*\])?\s*=[^=]|\s*[^\W\d]\w*\([^()]*\)\s*$")
# whole statements, where a value ends behind them: a call for what it does, a value that is given, a word
_CALLED = re.compile(r"\s*[^\W\d][\w.]*\s*\(.*\)\s*", re.DOTALL)
_GIVEN = re.compile(r"\s*((global|local)\s+)?[^\W\d][\w.]*\s*(\[[^=]*\]\s*)?=[^=].*", re.DOTALL)
_ALONE = re.compile(r"\s*(enter_critical|exit_critical|halt|pass|(join|kill)\s+\w+)\s*")
_GIVES = re.compile(r"[\w.]*\s*(\[[^\[\]]*\]\s*)*=[^=]")  # behind the first letter of what is given a value
_CALLS = re.compile(r"[\w.]*\s*\(")
BETWEEN = {"and", "or", "xor", "not", "run"}  # words inside of a value
HEADS = {"def", "thread", "sec", "if", "elif", "else", "while", "switch", "case", "default", "for"}
ALONE = {"continue", "join", "kill", "pass"}  # which a name may begin with too, at the beginning of a line
STARTS = HEADS | {"end", "return", "global", "local", "enter_critical", "exit_critical", "halt", "break"}


def blanked(text: str) -> str:
    """The text without comments, markers and what is sent beside programs, every character at its place."""
    for beside in (_MARKER, _SENT):
        text = beside.sub(lambda found: " " * len(found[0]), text)
    return _COMMENT.sub(lambda found: " " * len(found[0]) if found["comment"] else found[0], text)


def placeholder(text: str) -> tuple[int, int, str] | None:
    """Line, column and text of the first ``{...}`` or ``%s``: to be filled in before a controller gets the program."""
    bare = _STRING.sub(lambda found: "_" * len(found[0]), blanked(text))
    found = _PLACEHOLDER.search(bare)
    if found is None:
        return None
    at = found.start("value" if found["value"] else 0)
    return bare.count("\n", 0, at) + 1, at - bare.rfind("\n", 0, at), text[at : found.end()]


def of_others(text: str) -> tuple[int, int] | None:
    """Where a marker of Elite Robots' controllers stands: their poses are lists, which would be taken for joints."""
    found = _ELITE.search(text)
    return None if found is None else (text.count("\n", 0, found.start(1)) + 1, found.start(1) - found.start() + 1)


def clauses(text: str) -> Iterator[ClauseText]:
    number, lines = 0, blanked(text).split("\n")
    while number < len(lines):
        first = number
        line, open_ones = lines[number], Counter(_brackets(lines[number]))
        while number + 1 < len(lines) and (
            not _begins(lines[number + 1], line)
            if any(count > 0 for count in open_ones.values())
            else _goes_on(line, lines[number + 1])
        ):
            number += 1
            line += "\n" + lines[number]
            open_ones.update(_brackets(lines[number]))
        number += 1
        yield from _cut(line, first + 1)


def depth_of(line: str) -> int:
    """How many brackets are open at its end."""
    return sum(_brackets(line).values())


def _brackets(line: str) -> dict[str, int]:
    """How many of each kind are open: one that closes nothing does not close those of the other kind."""
    bare = _STRING.sub("", line)
    return {sign: bare.count(sign) - bare.count(close) for sign, close in ("()", "[]")}


def _goes_on(line: str, following: str) -> bool:
    """Whether a value stands in the next line: behind ``=`` or an operator, and begun by what begins nothing else."""
    return _OPEN.search(line) is not None and _VALUE.match(following) is not None


def _begins(line: str, before: str) -> bool:
    """Whether a line begins a statement beyond doubt: a bracket before it was then forgotten."""
    word = re.match(r"\s*([^\W\d]\w*)(\s*\(|\s*=[^=]|\s*$|\s)", line)
    if word is None:
        return False
    if word[1] in STARTS or re.match(r"\s*(move[jlpc]|set_\w+|sleep)\s*\(", line):
        return True
    # a value gets no value behind another: `b = 1` or `f(x)` below `a[i = 2` is a statement of its own
    return bool(_ENDED.search(before)) and bool(_STATEMENT.match(line))


def _cut(line: str, number: int) -> Iterator[ClauseText]:
    """A line, cut where the head of a block ends, before an ``end`` behind something, and between statements.

    White space is all that parts these, as the manual has it of the controller's interpreter: ``movej(q) sleep(1)``;
    a ``;`` may stand behind each.
    """
    begin, depth, head = 0, 0, False
    fresh = True  # at the beginning of a clause
    for token in _TOKEN.finditer(line):
        found = token[0]
        if fresh and not line[begin : token.start()].strip():
            head, fresh = found in HEADS, False
            if found == "end" and depth == 0:
                yield from _piece(line, begin, token.end(), number)
                begin, fresh = token.end(), True
                continue
        depth += (found in "([{") - (found in ")]}") if len(found) == 1 else 0
        if found == ":" and head and depth <= 0:
            yield from _piece(line, begin, token.end(), number)
            begin, fresh = token.end(), True
        elif found == ";" and depth <= 0 and not head:
            yield from _piece(line, begin, token.start(), number)
            begin, fresh = token.end(), True
        elif found in ("else", "elif") and depth == 0 and line[begin : token.start()].strip():
            yield from _piece(line, begin, token.start(), number)
            begin, head = token.start(), True
        elif found == "end" and depth == 0 and line[begin : token.start()].strip():
            yield from _piece(line, begin, token.start(), number)
            yield from _piece(line, token.start(), token.end(), number)
            begin, fresh = token.end(), True
        elif depth == 0 and not head and _follows(line, begin, token.start(), found):
            yield from _piece(line, begin, token.start(), number)
            begin, head = token.start(), found in HEADS
    yield from _piece(line, begin, len(line), number)


def _follows(line: str, begin: int, start: int, word: str) -> bool:
    """Whether a word begins a statement behind another one, which begins where ``begin`` is.

    A function that only gives a value does not, behind a value: ``a = 2 sin(b)`` lacks an operator.
    """
    if not word[0].isidentifier() or word in BETWEEN or not line[start - 1 : start].isspace():
        return False
    calls = _CALLS.match(line, start + 1) is not None
    if word not in STARTS | ALONE and not calls and _GIVES.match(line, start + 1) is None:
        return False
    before = line[begin:start]
    if not _ENDED.search(before) or _STARTED.search(before):
        return _ALONE.fullmatch(before) is not None
    if _GIVEN.fullmatch(before):
        return not calls or word not in FUNCTIONS
    return _CALLED.fullmatch(before) is not None or _ALONE.fullmatch(before) is not None


def _piece(line: str, begin: int, end: int, number: int) -> Iterator[ClauseText]:
    part = line[begin:end]
    text = part.strip().rstrip(";").rstrip()
    if text:
        first = begin + len(part) - len(part.lstrip())
        before = line[:first]
        column = first - (before.rfind("\n") + 1) + 1
        yield ClauseText(text, (number + before.count("\n"), column))
