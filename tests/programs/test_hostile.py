"""Input made to break the reader: clean errors, in bounded time and memory."""

from __future__ import annotations

import tracemalloc

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
    "blocks": (
        "VAL II",
        "IF 1 THEN\n" * 5000,
        "51:1: blocks nested deeper than 50; put the inner ones into a subroutine",
    ),
    "irl blocks": (
        "L-IRL",
        "program a; seq " + "if true then " * 3000,
        "1:640: blocks nested deeper than 50; put the inner ones into a subroutine",
    ),
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
    "growing array": ("VAL II", "FOR i = 1 TO 1E6\na[i] = i\nEND", "2:1: an array grows beyond 100,000 elements"),
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
        ("FOR i = 0 TO 500\nFOR j = 0 TO 500\nEND\nEND", 2),
    ],
)
def test_endless_loops_are_named(text, line):
    with pytest.raises(ProgramError) as caught:
        list(parse(text, "VAL II").commands(step_limit=1000))
    assert caught.value.problem == f"the loop of line {line} has not ended after 1,000 steps"
    assert caught.value.line == line


def test_a_count_without_end_is_told_at_once():
    """By nothing that is run: what comes before the loop is all that comes."""
    commands = parse("TYPE 1\nFOR i = 1 TO 3E9\nFOR j = 1 TO 9\nTYPE i\nEND\nEND", "VAL II").commands()
    assert next(commands).text == "TYPE 1"
    with pytest.raises(ProgramError) as caught:
        next(commands)
    message = "a loop of 3e+09 rounds is longer than 1,000,000 steps; fewer rounds, or a larger step_limit"
    assert str(caught.value.diagnostics[0]) == f"<text>:2:1: {message}"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("FOR i = 1 TO 3E9\nTYPE i\nIF i == 3 THEN\nGOTO 10\nEND\nEND\n10", 3),
        ("FOR i = 1 TO 3E9\nTYPE i\nIF i == 3 THEN\ni = 4E9\nEND\nEND", 3),
        ("FOR i = 1 TO 3E9\nTYPE i\nIF i == 3 THEN\nHALT\nEND\nEND", 3),
        (".PROGRAM a\nCALL b\n.END\n.PROGRAM b\nFOR i = 1 TO 3E9\nTYPE i\nRETURN\nEND\n.END", 1),
        (".PROGRAM a\nFOR i = 1 TO 3E9\nTYPE i\nCALL b\nEND\n.END\n.PROGRAM b\nIF i == 3 THEN\ni = 4E9\nEND\n.END", 3),
        (".PROGRAM a\nFOR i = 1 TO 3E9\nTYPE i\nCALL b(i)\nEND\n.END\n.PROGRAM b(j)\nj = 4E9\n.END", 1),
    ],
)
def test_a_long_count_that_something_ends_is_run(text, count):
    assert len(list(parse(text, "VAL II").commands())) == count


@pytest.mark.parametrize("text", ["", "\n\n", "{" * 10**4, "(*" * 10**4, ";" * 2000, "}"])
def test_nothing_to_do(text):
    assert list(parse(text, "L-IRL").commands()) == []


def test_an_expression_may_be_a_hundred_deep():
    (command,) = parse("TYPE " + "-" * 99 + "1", "VAL II").commands()
    assert command.text == "TYPE -1"
    (command,) = parse("TYPE " + "(" * 5000 + "1" + ")" * 5000, "VAL II").commands()
    assert command.text == "TYPE 1"


DEEP = 3000
DEEP_EXPRESSION = "an expression nested deeper than 100; compute it in several steps"
TOO_DEEP = "blocks nested deeper than 50; put the inner ones into a subroutine"


@pytest.mark.parametrize(
    ("language", "text", "message"),
    [
        ("VAL II", "IF 1 THEN\n" * DEEP + "END\n" * DEEP, f"51:1: {TOO_DEEP}"),
        ("VAL II", "WHILE 0 DO\n" * DEEP, f"51:1: {TOO_DEEP}"),
        ("L-IRL", "program p;\nseq\n" + "if true then\n" * DEEP + "endif;\n" * DEEP, f"51:1: {TOO_DEEP}"),
        ("VAL II", "x = " + "(1 + " * DEEP + "1" + ")" * DEEP, f"1:6: {DEEP_EXPRESSION}"),
        ("VAL II", "WHILE " + "NOT " * DEEP + "1 DO\nEND", f"1:7: {DEEP_EXPRESSION}"),
        (
            "L-IRL",
            "program p;\ntype\nrecord r0; int: a; endrecord;\n"
            + "".join(f"record r{k}; r{k - 1}: a; endrecord;\n" for k in range(1, 300))
            + "endtype\nendprogram",
            "53:8: records nested deeper than 50; make them flatter",
        ),
    ],
)  # fmt: skip
def test_what_is_nested_without_measure_is_told_once_where_it_begins(language, text, message):
    """Nothing else is said first: not that the outer blocks are never closed, because the rest is not read."""
    assert str(parse(text, language).errors[0]) == f"<text>:{message}"


def test_gaps_between_the_vias_of_a_move_are_told():
    points = "POINT a 0.1 0 0 0 0 0\nPOINT b 0.2 0 0 0 0 0\n"
    (error,) = parse(points + "MOVE a VIA b,,a", "VAL II").errors
    assert str(error) == "<text>:3:1: a value of VIA is missing between the commas; write MOVE p VIA a b"


ABSURD = {
    "a wait of 1e+300 s; 0 to 1e+09 s makes sense": ["DELAY 1E300", "OPENI 1E300", "wait 1e300;"],
    "a payload of 1e+308 kg; 0 to 1e+06 kg makes sense": ["PAYLOAD 1E308, 1E308", "payload(1e308, 1e308, 0, 0);"],
    "a coordinate of 1e+300 m; -1e+06 to 1e+06 m makes sense": [
        "MOVE TRANS(1E300)", "APPRO NULL, -1E300", "TOOL TRANS(1E300)", "START TRANS(1E300)", "PAYLOAD 1, 1E300",
        "move lin position(1e303, 0, 0);",
    ],
    "a coordinate of inf m; -1e+06 to 1e+06 m makes sense": ["MOVE TRANS(1E308):TRANS(1E308)"],
    "a joint of 1e+300 rad or m; -1e+06 to 1e+06 rad or m makes sense": ["MOVE #PPOINT(1E300 * 180 / PI)"],
    "a share of the limits of 1e+298; 1e-06 to 1e+06 makes sense": ["SPEED 1E300", "ACCEL 1E300"],
    "a share of the limits of 1e-302; 1e-06 to 1e+06 makes sense": ["SPEED 1E-300"],
    "a speed of 1e+297 m/s; 1e-06 to 1e+06 m/s makes sense": [
        "SPEED 1E300 MMPS", "move lin position(1, 0, 0) speed=1e300;",
    ],
    "a duration of 1e+300 s; 1e-06 to 1e+09 s makes sense": ["DURATION 1E300"],
    "an acceleration of 1e+297 m/s^2; 1e-06 to 1e+09 m/s^2 makes sense": ["move lin position(1, 0, 0) acc=1e300;"],
    "a zone of 1e+297 m; -1e+06 to 1e+06 m makes sense": ["move lin position(1, 0, 0) c_cp=1e300;"],
}  # fmt: skip


@pytest.mark.parametrize(("line", "message"), [(line, text) for text, lines in ABSURD.items() for line in lines])
@pytest.mark.filterwarnings("error")
def test_numbers_beyond_all_sense_are_refused_at_their_line(line, message):
    irl = line.endswith(";")
    text = f"program p; seq\n{line}\nendseq endprogram" if irl else f"TYPE 1\n{line}"
    with pytest.raises(ProgramError) as caught:
        list(parse(text, "L-IRL" if irl else "VAL II").commands())
    assert str(caught.value) == f"<text>:2:1: {message}"


def test_a_long_wait_is_one_command():
    (rest,) = parse("DELAY 1E6", "VAL II").commands()
    assert rest.seconds == 1e6


def peak_memory(text):
    program = parse(text, "VAL II")
    tracemalloc.start()
    try:
        count = sum(1 for _ in program.commands(cycles=10**9, step_limit=20_000))
    except ProgramError:
        count = 0
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, count


def test_a_long_run_takes_no_more_memory_than_a_short_one():
    points = "POINT #A 0 10 20\nPOINT #B 10 20 30\n"
    loops = ["FOR i = 1 TO {n}\nMOVE #A\nMOVE #B\nEND", "i = 0\nWHILE i < {n} DO\nMOVE #A\ni = i + 1\nEND"]
    for loop in loops:
        peak_memory(points + loop.format(n=10))  # what is kept for good is there by now
        short, long = (peak_memory(points + loop.format(n=n)) for n in (50, 4000))
        assert long[1] > 50 * short[1]
        assert max(long[0], short[0]) < 400_000  # bytes: garbage that is not collected yet, and nothing that grows
