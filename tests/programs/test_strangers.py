"""What programs of strangers have that no manual shows first: written here anew, one of each kind."""

from __future__ import annotations

import pytest

from torsor.motion.commands import Assumed, Move
from torsor.programs import parse

RAPID = "MODULE m\nVAR num grid{2,3};\nVAR speeddata vSlow;\nVAR intnum iStop;\nPROC main()\n{}\nENDPROC\nENDMODULE\n"
KRL = "DEF m()\n{}\nEND\n"
URSCRIPT = "def m():\n{}\nend\n"
SOUND = {
    "RAPID": [
        "grid{1,2}:=3;", "vSlow:=[100,50,0,0];", "IDelete iStop;", "CONNECT iStop WITH tStop;",
        "SearchC di1,p1,p2,p3,v50,tool0;", "IF SocketGetStatus(s)=SOCKET_CONNECTED TPWrite \"x\";",
    ],
    "KRL": [
        "ON_ERROR_PROCEED", "NAMES[1,]=\"grip\"", "CONST_VEL START = 50", "ASYSTOP 1", "LIN_REL {X 150}#TOOL",
        "PULSE($OUT[pick(a,b)],TRUE,0.5)", "INTERRUPT OFF",
        "TRIGGER WHEN PATH = 0 ONSTART DELAY = 0 DO on() PRIO = 101",
    ],
    "URScript": [
        "x = circle(1).p", "x = p[1,2,3,0,0,0][2]", "x = f(1).g(2)[0]", "Kp = [1, 2] * 0.7", "kill thrd",
        "movej([0, 0], a=1)", "x = inv([[1, 2], [3, 4]]) * [1, 2]",
    ],
}  # fmt: skip
WRONG = {
    "RAPID": [
        ("grid{12}:=3;", "grid takes 2"), ("vSlow:=[100,0,0];", "a speeddata has 4 parts"),
        ("IDelete iStp;", "no name 'iStp'"), ("CONNECT iSotp WITH tStop;", "no name 'iSotp'"),
        ("ISignalDI di1, iStop;", "ISignalDI takes"), ("MoveL Ofs(p1,0,0,1),v10,fine,tool0;", "'Ofs'"),
    ],
    "KRL": [
        ("INTERRUPT DELC 10 WHEN $IN[1] DO x()", "no INTERRUPT"),
        ("TRIGGER WHEN PATH=0 DELAY=0 DO x() PRIO=", "no TRIG"),
        ("PULSE($OUT[1] TRUE,0.5)", "no PULSE"), ("PULSE($OUT4],TRUE,0.5)", "brackets"), ("DECL CHR t[3]", "'chr'"),
        ("BAS(#INITMOV0)", "BAS has no command #INITMOV0"), ("STRUC box RELA a,b", "'rela'"),
        ("INTERRUPT DECL 3 WHEN $STOPMESS DO IR_STPM ( )", "'IR_STPM'"),
        ("SLIN XP1 WITH $VEL=SVE_CP(0.2)", "'SVE_CP'"),
    ],
    "URScript": [
        ("x = p[1, 2, 3, 0, 0]", "6 numbers, not 5"), ("retun [1, 2]", "'retun'"), ("hat", "'hat'"),
        ("textmsg()", "textmsg"),
        ("movej([0, 0, 0, 0, 0])", "6 joints, not 5"), ("x = [\n  cos(1,\n  2\n]", "'(' has no counterpart"),
    ],
}  # fmt: skip
BODIES = {"RAPID": RAPID, "KRL": KRL, "URScript": URSCRIPT}


def read(language, line):
    return parse(BODIES[language].replace("{}", line), language)


@pytest.mark.parametrize("language", SOUND)
def test_odd_but_sound(language):
    assert [(line, read(language, line).errors) for line in SOUND[language] if read(language, line).errors] == []


@pytest.mark.parametrize("language", WRONG)
def test_slips_are_told(language):
    for line, told in WRONG[language]:
        (error, *_) = read(language, line).errors
        assert told in error.problem, line


def test_a_bracket_is_missed_in_its_own_line():
    (error, *_) = read("URScript", "x = [\n  cos(1,\n  2\n]").errors
    assert error.place.line == 3


def given(program, sort=Assumed, **options):
    return [command for command in program.commands(**options) if isinstance(command, sort)]


def test_a_program_that_moves_nothing_gives_way_to_a_routine_that_does():
    text = """MODULE m
  PROC main()
    VAR string s;
    WHILE TRUE DO
      SocketReceive k \\Str:=s;
      IF s = "go" Path_10;
    ENDWHILE
  ENDPROC
  PROC Path_10()
    MoveAbsJ [[0,0,0,0,30,0],[9E9,9E9,9E9,9E9,9E9,9E9]],v100,fine,tool0;
  ENDPROC
ENDMODULE
"""
    program = parse(text, "RAPID")
    assert len(given(program, Move)) == 1
    told = given(program)[0]
    assert told.text == "main moves nothing with what is assumed: Path_10 is run in its place"
    assert (told.place.line, told.cure) == (9, "--set s=...")
    assert given(parse(text, "RAPID", entry="main"), Move) == []  # asked for, it is run as it is
    assert len(given(parse(text, "RAPID", world={"s": "go"}), Move)) == 1
    assert not any("in its place" in each.text for each in given(parse(text, "RAPID", world={"s": "go"})))


def test_what_would_be_needed_is_said_with_its_line():
    program = parse("MODULE m\nPROC main()\nMoveL pFar,v100,fine,tool0;\nENDPROC\nENDMODULE\n", "RAPID")
    assert "with what is assumed nothing moves; it would take pFar (line 3)" in [each.text for each in given(program)]


def test_local_names_of_routines_that_have_ended_are_forgotten():
    """A loop that calls a routine with names of its own is seen to go round without anything new."""
    text = """MODULE m
  VAR robtarget kept{200};
  PROC main()
    WHILE TRUE DO
      look;
    ENDWHILE
  ENDPROC
  PROC look()
    VAR num n:=1;
    n := n + 1;
  ENDPROC
ENDMODULE
"""
    assert "nothing moves in this loop, which never ends: the program is left here" in [
        each.text for each in given(parse(text, "RAPID"))
    ]


def test_bas_is_the_controllers_own_even_where_a_backup_has_it():
    text = """DEF m()
BAS(#INITMOV,0)
LIN {X 1000,Y 0,Z 1000,A 0,B 90,C 0}
BAS(#VEL_CP,0.5)
BAS(#ACC_CP,50)
PDAT_ACT={VEL 40.0,ACC 60.0,APO_DIST 7.0,APO_MODE #CDIS}
BAS(#PTP_DAT)
PTP {A1 0,A2 -90,A3 90,A4 0,A5 10,A6 0} C_DIS
LIN {X 1000,Y 0,Z 900,A 0,B 90,C 0}
END
DEF BAS(what:IN,value:IN)
  HALT
END
"""
    program = parse(text, "KRL")
    first, joint, second = given(program, Move)
    assert (first.pace.speed, first.pace.acceleration) == (2.0, 2.3)
    assert (joint.pace.share, joint.pace.acceleration_share, joint.blend.radius) == (0.4, 0.6, 0.007)
    assert (second.pace.speed, second.pace.acceleration) == (0.5, pytest.approx(1.15))
    assert any("DEF_VEL_CP" in each.text for each in given(program))
    told = parse(text, "KRL", define=["GLOBAL REAL DEF_VEL_CP=1.5", "GLOBAL REAL DEF_ACC_CP=3.0"])
    assert given(told, Move)[0].pace.speed == 1.5
    assert not any("DEF_VEL_CP" in each.text for each in given(told))


def test_keys_that_are_empty_are_not_pressed():
    program = read("RAPID", 'TPReadFK grid{1,1},"?",stEmpty,stEmpty,"Y",stEmpty,"N";')
    assert "the answer to TPReadFK, grid, is taken to be 3" in [each.text for each in given(program)]


def test_what_nobody_answers_is_neither_true_nor_false():
    body = """h = rpc_factory("xmlrpc", "http://127.0.0.1")
if not h.ready():
  halt
end
if h.count() == 0:
  halt
end
movej([0, -1, 1, 0, 1, 0])"""
    program = read("URScript", body)
    assert len(given(program, Move)) == 1
    assert "the function h.ready is in no file: its value is not known" in [each.text for each in given(program)]


@pytest.mark.parametrize(
    ("expression", "value"),
    [("[1, 2, 3] * 2", (2, 4, 6)), ("[4, 6] / [2, 3]", (2, 2)), ("[[1, 2], [3, 4]] * [1, 1]", (3, 7)),
     ("-[1, 2] + [1, 1]", (0, -1)), ("inv([[2, 0], [0, 4]]) * [2, 4]", (1, 1)), ("[5, 7] % 4", (1, 3))],
)  # fmt: skip
def test_lists_are_computed_with(expression, value):
    (move,) = given(read("URScript", f"movej({expression})"), Move)
    assert move.target.q == pytest.approx(value)


def test_a_verdict_without_a_move_says_so(tmp_path):
    import torsor

    path = tmp_path / "a.script"
    path.write_text("def main():\n  movej(nowhere)\nend\ndef other():\n  start()\nend\nother()\n")
    headline = torsor.check(path, "ur5e").headline
    assert headline.startswith("a moves nothing on ur5e; these routines move: main; it would take ")
    assert "start (line 5)" in headline
