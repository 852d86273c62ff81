"""Each mistake has its message, with line, column and what would be right; one mistake hides no other."""

from __future__ import annotations

import pytest

from torsor.programs import parse

VAL2 = [
    # the text, what is said about it
    ("POINT P1 0 0 1 0 0 0\nMOVE P11\nMOVE P1", ["2:6: there is no point 'P11'; did you mean 'P1'?"]),
    ("MOVE away", ["1:6: there is no point 'away'; nothing in this program gives it a value"]),
    ("x = yy + 1", ["1:5: there is no name 'yy'; nothing in this program gives it a value"]),
    ("MOOVE P1", ["1:1: there is no instruction 'MOOVE'; did you mean 'MOVE'?"]),
    ("1. SPED 100.", ["1:4: there is no instruction 'SPED'; did you mean 'SPEED'?"]),
    ("P1 1 2 3 4 5 6", ["1:1: there is no instruction 'P1'; instructions are such as MOVE, MOVES, SPEED, SET, IF; see the docs"]),  # noqa: E501
    ("MOVE NULL NULL", ["1:1: MOVE takes 1 value, not 2; write MOVE p VIA a b"]),
    ("MOVE 5", ["1:6: a number where a location or a joint point is needed"]),
    ("MOVE NULL VIA", ["1:1: VIA takes a value; MOVE p VIA a b"]),
    ("MOVE NULL ALWAYS", ["1:1: MOVE has no option ALWAYS; options are VIA"]),
    ("SPEED 5 ALWAYS ALWAYS", ["1:1: SPEED has the option ALWAYS twice"]),
    ("SPEED NULL", ["1:7: a location where a number is needed"]),
    ("SPEED", ["1:1: SPEED takes 1 value, not 0; write SPEED 50 ALWAYS"]),
    ("APPRO , 5", ["1:1: a value of APPRO is missing between the commas; write APPRO p, distance"]),
    ("UNITS CM", ["1:7: UNITS does not know this word; known: M, MM"]),
    ("POINT P1 1 2 3\nMOVE P1", ["1:1: the location P1 has 3 values; six are needed: x y z and three angles"]),
    ("POINT P1 300 0 1 0 0 0\nMOVE P1", ["1:1: warning: P1 lies 300 m away; write UNITS MM first, if this is in millimetres"]),  # noqa: E501
    (
        "POINT P1 0 0 1 0 0 0\nPOINT P1 0 0 2 0 0 0\nMOVE P1",
        ["2:7: warning: P1 is defined in line 1 already; the later one holds"],
    ),
    ("POINT P1 0 0 1 0 0 0", ["1:7: note: P1 is never used"]),
    ("START NULL\nSTART NULL", ["2:1: a second START; START stands once, before the first motion"]),
    ("MOVE NULL\nSTART NULL", ["2:1: START after a motion; START stands once, before the first motion"]),
    ("RIGHTY", []),
    ("FINE", ["1:1: note: FINE has no effect here; moves end where they are planned to end"]),
    ("IF 1 THEN\nx = 1", ["1:1: IF is never closed; add END"]),
    ("DO\nx = 1", ["1:1: DO is never closed; add UNTIL"]),
    ("IF 1 THEN\nWHILE 0 DO\nUNTIL 1\nEND\nEND", ["3:1: UNTIL closes nothing; the open block is WHILE of line 2"]),
    ("END", ["1:1: END closes nothing"]),
    ("ELSE", ["1:1: ELSE stands outside of IF"]),
    ("IF 1 THEN\nELSE\nELSE\nEND", ["3:1: a second ELSE in one IF; one is allowed"]),
    ("CASE 1 OF\nANY\nVALUE 1:\nEND", ["3:1: a choice after the one for all other values; it is the last one"]),
    ("CASE 1 OF\nRESET\nVALUE 1:\nEND", ["2:1: a statement before the first choice; choices come first"]),
    ("FOR i = 1 TO 2 STEP 0\nEND", ["1:21: a loop with step 0 never ends; count by another step"]),
    ("IF NULL THEN\nEND", ["1:4: a location where a condition is needed"]),
    ("GOTO 7", ["1:6: there is no label 7; labels are numbers before a statement of this program"]),
    ("5 RESET\n5 RESET", ["2:1: there are two labels 5; each label stands once in a program"]),
    ("STOP\nRESET", ["2:1: warning: this is never reached; what stands before it ends the program or jumps away"]),
    ("CALL there", ["1:6: there is no program 'there'; it is not in this file"]),
    (".PROGRAM a\nCALL bb(1)\n.END\n.PROGRAM b(x)\n.END", ["2:6: there is no program 'bb'; did you mean 'b'?"]),
    (".PROGRAM a\nCALL b(1, 2)\n.END\n.PROGRAM b(x)\n.END", ["2:6: b takes 1 value, not 2"]),
    (".PROGRAM a\n.END\n.PROGRAM A\n.END", ["3:10: there are two units called A; line 1 too"]),
    (".PROGRAM a(x, x)\n.END", ["1:15: two parameters are called x"]),
    (".PROGRAM a", ["1:10: warning: .PROGRAM is never closed by .END; add .END, or is the file cut off?"]),
    ("x = 1 / 0", ["1:9: division by zero"]),
    ("x = 1E999", ["1:5: '1E999' is too large a number"]),
    ("x = SINN(1)", ["1:5: there is no function 'SINN'; did you mean 'SIN'?"]),
    ("x = SIN(1, 2)", ["1:5: SIN takes 1 value, not 2"]),
    ("x = SIN(NULL)", ["1:9: a location where a number is needed"]),
    ("x = NULL * 2", ["1:5: a location where a number is needed"]),
    ("x = (1 +", ["1:9: the statement ends too early; expected '(', a name, a number or a text"]),
    ("x = 1 )", ["1:7: ')' does not belong here; expected the end of the line"]),
    ("x = 1 ? 2", ["1:7: '?' does not belong here"]),
    ("@@@", ["1:1: '@@@' does not belong here; here a statement begins"]),
    ('TYPE "open', ["1:6: '\"open' does not belong here; expected '(', ',', a name, a number, a text or an option"]),
    ("x = SIN 3", ["1:9: '3' does not belong here; expected the end of the line"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "messages"), VAL2)
def test_val2(text, messages):
    assert [str(found).removeprefix("<text>:") for found in parse(text, "VAL II").diagnostics] == messages


def irl(declared, body):
    return f"program t;\nvar\n{declared}\nendvar\nseq\n{body}\nendseq\nendprogram"


IRL = [
    ("", "griper close;", ["6:1: there is no instruction 'griper'; did you mean 'gripper'?"]),
    ("", "mov lin q;", ["6:1: there is no instruction 'mov'; did you mean 'move'?"]),
    ("", "move lin q;", ["6:10: there is no point 'q'; declare it first"]),
    ("real: x;", "xx := 1;", ["6:1: there is no name 'xx'; did you mean 'x'?"]),
    ("real: x;", "x := true;", ["6:6: x is a number, not a condition"]),
    ("real: x = true;", "", ["3:11: a condition where a number is needed"]),
    ("rel: x;", "", ["3:6: there is no type 'rel'; did you mean 'real'?"]),
    ("real: x; real: X;", "", ["3:16: X is declared twice; each name is declared once"]),
    ("robtarg: p;", "", ["3:10: note: p is never used"]),
    ("", "move lin position(1, 2) speed=3;", ["6:10: position takes 3 values, not 2"]),
    (
        "",
        "move lin robtarg(((1, 2), (3, 4, 5)), 4);",
        ["6:20: a pose with groups of (2, 3) values; a pose is ((x, y, z), (A, B, C)), in mm and degrees"],
    ),
    ("", "move lin position(1, 2, 3) sped=3;", ["6:1: move lin has no option sped; did you mean 'speed'?"]),
    ("", "move lin position(1, 2, 3) speed;", ["6:1: speed takes a value; move lin p speed=250;"]),
    (
        "",
        "move lin position(1, 2, 3) c_ori=o_vr;",
        ["6:34: c_ori does not know this word; known: o_con, o_var, o_pco, o_pvo"],
    ),
    ("", "move circle position(1, 2, 3);", ["6:1: move circle takes 2 values, not 1; write move circle via, p speed=250;"]),  # noqa: E501
    ("", "move ptp true;", ["6:10: a condition where a location or a joint point is needed"]),
    ("", "wait 1\nwait 2;", ["7:1: 'wait' does not belong here; expected ',' or ';'"]),
    (
        "",
        "move lin position(1, 2, 3)\nmove lin position(1, 2, 3);",
        ["6:27: the statement ends too early; expected ',', ';', a name or an operator"],
    ),
    ("", "gripper shut;", ["6:9: gripper does not know this word; known: open, close"]),
    ("", "if true then wait 1;", ["6:1: if is never closed; add endif"]),
    ("", "endfor;", ["6:1: endfor closes nothing; the open block is SEQ of line 5"]),
    ("", "endfi;", ["6:1: there is no procedure 'endfi'; did you mean 'endif'?"]),
    ("", "go(1);", ["6:1: there is no procedure 'go'; it is not in this file"]),
    ("real: x;", "if x then endif;", ["6:4: a number where a condition is needed"]),
    ("", "halt;\nwait 1;", ["7:1: warning: this is never reached; what stands before it ends the program or jumps away"]),  # noqa: E501
    ("array[3..1] of real: a;", "", ["3:7: these are no bounds of an array; write whole numbers, the smaller one first"]),  # noqa: E501
    ("", "} wait 1;", ["6:1: warning: a '}' that closes nothing; it is read as if it were not there"]),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "body", "messages"), IRL)
def test_irl(declared, body, messages):
    found = parse(irl(declared, body), "L-IRL").diagnostics
    assert [str(one).removeprefix("<text>:") for one in found] == messages


def test_records_are_checked():
    text = "program t; type\nrecord a; b: x; rel: y; real: y; endrecord;\nrecord b; a: x; endrecord;\nendtype\n"
    text += "var a: v; endvar seq v.z := 1; message(v.zz); endseq endprogram"
    assert [str(one).removeprefix("<text>:") for one in parse(text, "L-IRL").errors] == [
        "2:8: the record a contains itself",
        "2:22: there is no type 'rel'; did you mean 'real'?",
        "2:31: y is declared twice; each name is declared once",
        "3:8: the record b contains itself",
        "5:40: there is no part 'zz'; parts are x, y",
    ]


def test_all_mistakes_of_a_file_are_found():
    text = "MOOVE P1\nMOVE P1\nx = (\nSPEED\nIF 1 THEN\nGOTO 3"
    assert [found.place.line for found in parse(text, "VAL II").errors] == [1, 2, 3, 4, 5, 6]
    text = irl("rel: x;", "move ln p;\nwait ;\nif true then")
    assert [found.place.line for found in parse(text, "L-IRL").errors] == [3, 6, 7, 8]
