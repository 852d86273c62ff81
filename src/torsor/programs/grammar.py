"""From one clause of text to one clause of a tree: a Lark grammar per language, and its errors in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from torsor.programs import syntax
from torsor.programs.builder import Builder, Clause, Unreadable, short
from torsor.programs.diagnostics import At

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

    from torsor.programs.language import Language

DEEPEST = 100  # nesting of expressions: far more than a person writes, far less than Python's stack


@cache
def _parser(language: Language) -> tuple[Lark, Builder]:
    from lark import Lark

    text = language.grammar
    if text.endswith(".lark"):
        text = files("torsor.programs").joinpath(text).read_text(encoding="utf-8")
    if "<WORDS>" in text:  # the longer ones first: OPENI before OPEN
        text = text.replace("<WORDS>", "|".join(sorted(language.forms, key=lambda word: (-len(word), word))))
    for mark, words in language.marked.items():
        text = text.replace(mark, "|".join(sorted(words, key=lambda word: (-len(word), word))))
    builder = language.builder()
    return Lark(text, parser="lalr", lexer="contextual", transformer=builder, maybe_placeholders=True), builder


def parse_clause(language: Language, text: str, begin: At) -> Clause | None:
    """The clause in a text that begins there; None where there is nothing in it. Raises `Unreadable`."""
    from lark.exceptions import UnexpectedInput

    if len(text) > language.longest_statement:
        most = f"at most {language.longest_statement:,} are read"
        raise Unreadable(begin, f"a statement of {len(text):,} characters", most)
    parser, builder = _parser(language)
    builder.begin = begin
    try:
        clause: Clause | None = parser.parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        problem = _explained(language, text, error)
        problem.at = builder.moved(*problem.at)
        raise problem from None
    if clause is not None and len(text) > DEEPEST:
        _check_depth(clause)
    return clause


def _check_depth(clause: Clause) -> None:
    for node in (clause, *clause.parts):
        for item in syntax.expressions(node) if isinstance(node, syntax.SyntaxNode) else ():
            if not syntax.depth_within(item, DEEPEST):
                raise Unreadable(item.at, f"an expression nested deeper than {DEEPEST}", "compute it in several steps")


WORDS = {
    "NAME": "a name", "NUMBER": "a number", "SIGNED": "a number", "STRING": "a text", "OPERATOR": "an operator",
    "LABEL": "a label", "OPTION": "an option", "_IS": "'='", "EQUAL": "'='", "LPAR": "'('", "RPAR": "')'",
    "LSQB": "'['", "RSQB": "']'", "COMMA": "','", "SEMICOLON": "';'", "COLON": "':'", "APPROX": "C_DIS", "ARRAY": "'['",
    "LBRACE": "'{'", "RBRACE": "'}'", "BITS": "a number", "ENUMVALUE": "a #VALUE", "ANGLE": "CA",
    "DIRECTION": "':IN' or ':OUT'", "STORAGE": "a word such as CONST", "$END": "the end of the line",
}  # fmt: skip
SILENT = {"SIGN", "DOT", "RADIX", "FORMAT", "TYPED", "LITERAL", "__ANON_0"}  # of what may come next, not worth naming


def _explained(language: Language, text: str, error: UnexpectedInput) -> Unreadable:
    """An error of the parser in words: what stands there, and what could."""
    from lark.exceptions import UnexpectedToken

    first = re.match(r"\s*(?:[0-9]+\.?\s+)?([#$]?[A-Za-z][\w.]*)", text)
    if first and (hint := language.unknown_word(first[1], text[first.end() :])):
        lines = text[: first.start(1)].split("\n")
        return Unreadable((len(lines), len(lines[-1]) + 1), f"there is no instruction {short(first[1])}", hint)
    at = (max(error.line, 1), max(error.column, 1)) if error.line != -1 else (1, len(text) + 1)
    if (lone := lone_bracket(text)) is not None and "\n" in text:
        sign, where = lone
        hint = "brackets are opened and closed in pairs"
        line = uneven_line(text) if sign in "[]" else None
        if line is not None and line != where[0]:
            return Unreadable((line, 1), "a bracket too many or too few in this line", hint)
        return Unreadable(where, f"{sign!r} has no counterpart", hint)
    at = language.blamed(text, at)
    if isinstance(error, UnexpectedToken):
        hint, found = _expected(set(error.accepts or error.expected), at), str(error.token)
        if error.token.type == "$END":
            lines = text.rstrip().split("\n")
            return Unreadable((len(lines), len(lines[-1]) + 1), "the statement ends too early", hint)
    else:  # UnexpectedCharacters: the two are all that LALR raises
        hint, start = _expected(set(getattr(error, "allowed", None) or ()), at), error.pos_in_stream or 0
        found = next(iter(text[start : start + 20].split()), text[-1:])
    return Unreadable(at, f"{short(found)} does not belong here", hint)


CLOSING = {")": "(", "]": "[", "}": "{"}


def lone_bracket(text: str) -> tuple[str, At] | None:
    """A bracket of a text that is not closed, or not opened, and where it stands; texts in quotes left out.

    >>> lone_bracket("f(a[1)"), lone_bracket("f(a\\n, b)"), lone_bracket("a)")
    (('[', (1, 4)), None, (')', (1, 2)))
    >>> lone_bracket("[a,\\n-sin b),\\nc]")  # nothing is open that it could close
    (')', (2, 7))
    """
    open_ones: list[tuple[str, int]] = []
    for found in re.finditer(r"\"[^\"\n]*\"|[()\[\]{}]", text):
        sign = found[0]
        if sign in CLOSING.values():
            open_ones.append((sign, found.start()))
        elif sign in CLOSING and (not open_ones or open_ones[-1][0] != CLOSING[sign]):
            is_closed_by_it = any(each == CLOSING[sign] for each, _ in open_ones)
            return _placed(text, *(open_ones[-1] if is_closed_by_it else (sign, found.start())))
        elif sign in CLOSING:
            open_ones.pop()
    return _placed(text, *open_ones[-1]) if open_ones else None


def uneven_line(text: str) -> int | None:
    """Of a list with an element a line, the line whose brackets do not come in pairs, where it is one alone.

    >>> uneven_line("x := [[1, 2],\\n3, 4],\\n[5, 6]];"), uneven_line("f(a,\\nb);")
    (2, None)
    """
    bare = [re.sub(r"\"[^\"\n]*\"", "", line) for line in text.rstrip().split("\n")]
    opened = [sum(line.count(sign) - line.count(close) for close, sign in CLOSING.items()) for line in bare]
    opened[0] -= 1  # the bracket around all
    opened[-1] += 1
    uneven = [number for number, count in enumerate(opened, start=1) if count]
    return uneven[0] if len(uneven) == 1 else None


def _placed(text: str, sign: str, start: int) -> tuple[str, At]:
    before = text[:start]
    return sign, (before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1)


def _expected(allowed: set[str], at: At) -> str | None:
    words = sorted({WORDS.get(name, name.lstrip("_").replace("DOT_", ".")) for name in allowed - SILENT})
    if not words or len(words) > 9:
        return "here a statement begins" if at == (1, 1) else None
    return "expected " + (words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1])


def nearest_word(word: str, known: Sequence[str]) -> str | None:
    return next(iter(get_close_matches(word, known, n=1, cutoff=0.6)), None)


def nearest(word: str, known: Sequence[str]) -> str | None:
    """``did you mean``, only where there is something close."""
    close = nearest_word(word, known)
    return None if close is None else f"did you mean {close!r}?"
