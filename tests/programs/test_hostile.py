"""Input made to break the reader: clean errors, in bounded time and memory."""

from __future__ import annotations

import pytest

from torsor.programs import ProgramError, parse

IRL_FUNCTION = """program a; function f(real: x): real; return f(x + 1) + 1; endfunction;
var real: y; endvar seq y := f(1); endseq endprogram"""
DEEP = "an expression nested deeper than 100; compute it in several steps"

REFUSED = {
    "parentheses": ("VAL II", "x = " + "(" * 10**5, "1:1: a statement of 100,004 characters; at most 20,000 are read"),
    "signs": ("VAL II", "x = " + "-" * 5000 + "1", f"1:5: {DEEP}"),
    "negations": ("VAL II", "x = " + "NOT " * 4000 + "1", f"1:5: {DEEP}"),
    "sums": ("VAL II", "x = " + "1+" * 9000 + "1", f"1:5: {DEEP}"),
    "functions": ("VAL II", "x = " + "ABS(" * 500 + "1" + ")" * 500, f"1:5: {DEEP}"),
    "blocks": ("VAL II", "IF 1 THEN\n" * 5000, "1:1: IF is never closed; add END"),
    "irl blocks": ("L-IRL", "program a; seq " + "if true then " * 3000, "1:16: if is never closed; add endif"),
    "long line": ("VAL II", "MOVE " + "A" * 10**6, "1:1: a statement of 1,000,005 characters; at most 20,000 are read"),
    "another language": ("VAL II", "@@@\n" * 10**4, "1:1: '@@@' does not belong here; here a statement begins"),
    "digits": ("VAL II", "x = " + "9" * 5000, f"1:5: '{'9' * 37}...' is too large a number"),
    "quotes": ("L-IRL", '"' * 100_001, "1:1: a statement of 100,001 characters; at most 20,000 are read"),
    "when": ("L-IRL", "when " * 20_000, "1:1: a statement of 99,999 characters; at most 20,000 are read"),
    "procedure": ("L-IRL", "procedure a(" * 10_000, "1:1: a statement of 120,000 characters; at most 20,000 are read"),
    "NUL": ("VAL II", "x = 1\0", "1:6: '\\x00' does not belong here"),
    # these are found while they run
    "recursion": ("VAL II", ".PROGRAM a\nCALL a\n.END", "2:6: calls nested deeper than 100; does it call itself?"),
    "functions of functions": (
        "L-IRL",
        IRL_FUNCTION,
        "1:46: functions nested deeper than 8 inside of each other; does it call itself?",
    ),
    "growing text": (
        "VAL II",
        '$a = "ab"\nWHILE 1 DO\n$a = $a + $a\nEND',
        "3:6: a text grows beyond 10,000 characters",
    ),
    "growing number": ("VAL II", "a = 2\nWHILE 1 DO\na = a*a\nEND", "3:5: the result is not a finite number"),
    "growing array": ("VAL II", "FOR i = 1 TO 1E9\na[i] = i\nEND", "2:1: an array grows beyond 100,000 elements"),
    "into a loop": (
        "VAL II",
        "GOTO 5\nFOR i = 1 TO 3\n5 x = 1\nEND",
        "2:1: a jump leads into this loop past its beginning",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    language, text, message = REFUSED[name]
    with pytest.raises(ProgramError) as caught:
        list(parse(text, language).commands())
    assert str(caught.value.diagnostics[0]) == f"<text>:{message}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\nWHILE x DO\nx = x + 1\nEND", 2),
        ("10 x = 1\nGOTO 10", 2),
        ("FOR i = 0 TO 5000\nFOR j = 0 TO 5000\nEND\nEND", 2),
    ],
)
def test_endless_loops_are_named(text, line):
    with pytest.raises(ProgramError) as caught:
        list(parse(text, "VAL II").commands(step_limit=1000))
    assert caught.value.problem == f"the loop of line {line} has not ended after 1,000 steps"
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["", "\n\n", "{" * 10**4, "(*" * 10**4, ";" * 2000, "}"])
def test_nothing_to_do(text):
    assert list(parse(text, "L-IRL").commands()) == []


def test_an_expression_may_be_a_hundred_deep():
    (command,) = parse("TYPE " + "-" * 99 + "1", "VAL II").commands()
    assert command.text == "TYPE -1"
    (command,) = parse("TYPE " + "(" * 5000 + "1" + ")" * 5000, "VAL II").commands()
    assert command.text == "TYPE 1"
