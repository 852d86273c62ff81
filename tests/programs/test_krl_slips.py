"""Slips of the pen in KRL where two places may be the wrong one, or where something may be left out."""

from __future__ import annotations

import pytest

from torsor.programs import parse, read
from torsor.programs.krl.krl_system import VARIABLES


def told(text):
    program = parse(text, "KRL", file="cell.src")
    return {(each.severity, int(each.place.line)): each.problem for each in program.diagnostics}


def test_a_misspelt_definition_is_told_beside_its_use():
    text = "DEF cell( )\nTRIGGER WHEN PATH=-35 DELAY=0 DO closeGrip() PRIO=81\nPTP XHOME\nEND\nDEF clseGrip( )\nEND\n"
    found = told(text)
    assert found["error", 2] == "there is no instruction or subprogram 'closeGrip', and clseGrip (line 5) is never used"
    assert not [line for severity, line in found if severity == "warning"]


def test_two_names_that_are_written_once_and_differ_by_a_letter():
    found = told("DEF cell( )\nIF weldRetry THEN\nweldReetry=FALSE\nENDIF\nPTP XHOME\nEND\n")
    assert found["warning", 3] == "weldReetry and weldRetry are defined in no file, and written once each"
    assert not [line for severity, line in found if severity == "error"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("BAS(,100)", "BAS is given no command"),
        ("TRIGGER WHEN DISTANCE=0 DELAY=0 DO shut() PRI=-1", "a TRIGGER has no 'PRI'"),
        ("TRIGGER WHEN DISTANCE=0 DELAY=0 DO shut() PRIO=-", "this is no TRIGGER"),
        ("TRIGGER WHEN PATH=0 ONSATRT DELAY=0 DO shut() PRIO=-1", "a TRIGGER has no word 'ONSATRT'"),
        ("$TOOL=TOOL_DTA[1]", "there is no name 'TOOL_DTA'"),
        ("x=1-coos(30)", "there is no function 'coos'"),
        ("USER_GRP(0,DUMMY,DUMMY,GDEFALUT)", "there is no name 'GDEFALUT'"),
        ("H50(GRP,,1,GCONT)", "a value of H50 is missing between the commas"),
        ("INTERRUPT DECL 16 WHEN $ZERO_MOVE DO H70 (7,)", "a value is missing beside a comma, in INTERRUPT"),
        ("TRIGGER WHEN DISTANCE=0 DELAY=0 DO clamp TRUE", "this is no TRIGGER"),
        ("TRIGGER WHEN DISTANCE=0 DELAY=0 DO shut() PRIO-1", "this is no TRIGGER"),
        ("$VLE.CP=0.3", "the controller has no '$VLE'"),
        ("PTP $AXIS_ATC", "the controller has no '$AXIS_ATC'"),
        ("SPTP XHOME WITH $TOLO=STOOL2(FHOME)", "the controller has no '$TOLO'"),
        ("INTERRUPT DECL 4 WHEN $STOPMES==TRUE DO shut()", "the controller has no '$STOPMES'"),
        ("INTERRUPT DECL 4 WHEN $IN[3]=TRUE DO shut()", "this is no INTERRUPT"),
        ("TRIGGER WHEN DISTANCE=0 DELAY 0 DO shut()", "this is no TRIGGER"),
        ("TRIGGER WHEN DISTANCE=0 DELAY0 DO shut()", "this is no TRIGGER: 'DELAY0' does not belong there"),
        ("TRIGGER WHEN PATH=0 DELAY=0 DO shut() PRIO1", "this is no TRIGGER"),
        ("TRIGGER WHEN DISTANCE=0 DELAY=0 DO shut(1)", "shut takes no values, not 1"),
        ("INTERRUPT DECL 4 WHEN $IN[3] DO A10 ()", "A10 takes 1 or more values, not 0"),
        ("$ORI_TYPE=#CONTSANT", "$ORI_TYPE is never #CONTSANT"),
        ("DECL FDAT f={TOOL_NO 2,IPO_FRAME #BSAE}", "IPO_FRAME is never #BSAE"),
        ("IF $MODE_OP==#EXT THEN\nENDIF", "$MODE_OP is never #EXT"),
        ("DECL FDAT f={TOOL_NO 2,BASE_ON 1}", "a FDAT has no part 'BASE_ON'"),
        ("BAS(#PP_PARAMS,100)", "BAS has no command #PP_PARAMS"),
        ("SLIN XHOME WITH $VEL=SVEL_CP(0.5 , LDEFAULT)", "SVEL_CP takes 3 values, not 2"),
        ("SLIN XHOME WITH $VEL=SVEL_CP(0.5, ,)", "a value of SVEL_CP is missing between the commas"),
        ("SWRITE($CMD,XHOME,1,,2)", "a value is missing beside a comma, in SWRITE"),
        ('CWRITE($CMD,text[] "%d",1,2)', "two values without a comma between them, in CWRITE"),
        ('CWRITE($CDM,1,1,"RUN")', "the controller has no '$CDM'"),
        ("EXT BAS (BAS_COMMAND :IN,REAAL :IN )", "there is no type 'REAAL'"),
        ("SET_CD_PARAMS ()", "SET_CD_PARAMS takes 1 or more values, not 0"),
        ("shown=EXISTS_KRLDLG(dialog,)", "a value of EXISTS_KRLDLG is missing between the commas"),
        ("DECL E66POS p", "there is no type 'e66pos'"),
        ("FDAT_ACT={TOOL_NO 2,BASENO 1}", "a FDAT has no part 'BASENO'"),
        ("P00 (#CHK_HOME,#PGNO_GET,DMY[],)", "a value of P00 is missing between the commas"),
        ('back=EKI_Send("cell",)', "a value of EKI_Send is missing between the commas"),
        ('back=EKI_Opne("cell")', "there is no function 'EKI_Opne'"),
    ],
)
def test_what_is_misspelt_or_left_out_is_told(line, problem):
    assert told(f"DEF cell( )\n{line}\nPTP XHOME\nEND\nDEF shut( )\nEND\n")["error", 2] == problem


def test_names_with_a_dollar_that_a_file_defines_are_its_own():
    data = "DEFDAT cell\nDECL FRAME $TOOLS\nENDDAT\n"
    found = told("DEF cell( )\nIF $MODE_OP==#EX THEN\nENDIF\npart=#JOIN\nPTP XHOME\nEND\n")
    assert not [each for each in found if each[0] == "error"]
    found = told("DEF cell( )\n$RECIPE=3\n$TOOLS.X=5\n$TOL=1\n$TOL=2\n$VEL_AXIS_NEW=3\nPTP XHOME\nEND\n" + data)
    assert ("error", 3) not in found
    assert ("error", 2) not in found
    assert ("error", 6) not in found


def test_names_with_a_dollar_that_a_file_gives_a_value_are_its_own(tmp_path):
    (tmp_path / "cell.src").write_text("DEF cell( )\nIF $AXSI_TYPE[1]==3 THEN\nENDIF\nPTP XHOME\nEND\n")
    misspelt = [each for each in read(tmp_path).errors if "$AXSI_TYPE" in each.problem]
    assert len(misspelt) == 1
    (tmp_path / "$machine.dat").write_text("DEFDAT $MACHINE PUBLIC\n$AXSI_TYPE[1]=3\nENDDAT\n")
    assert not read(tmp_path).errors


@pytest.mark.parametrize("name", ["$RED_VEL_AXC", "$COLLISION", "$DEF_LA3_M", "$IN_POS_CAR", "$JERK_MA", "$MODE_TEST"])
def test_names_of_machine_data_are_the_controllers(name):
    """As public $machine.dat, $robcor.dat, $custom.dat and $option.dat declare them."""
    assert name in VARIABLES


def test_data_whose_declaration_is_misspelt():
    data = "DEFDAT cell\nDECL E6POS X1P={X 1,Y 0,Z 0,A 0,B 0,C 0}\nDECL FDAT FP1={TOOL_NO 1,BASE_NO 0}\nENDDAT\n"
    found = told(FORMS + data)
    assert found["warning", 17] == "X1P is defined here and never used, and XP1 is used and defined in no file"
    assert not [each for each in found if each[0] == "error"]
    assert not [each for each in found.values() if each.startswith("defined") and "XP1 " in each]


def test_a_declaration_inside_that_is_misspelt():
    found = told("DEF cell( )\nINT contianer\nhold(container)\nPTP XHOME\nEND\nDEF hold(n:IN)\nINT n\nHALT\nEND\n")
    assert found["error", 3] == "there is no name 'container', and contianer (line 2) is never used"
    assert not [line for severity, line in found if severity == "warning"]


def test_an_argument_that_is_left_out_behind_its_comma():
    level = "DEF level(a:IN,b:IN)\nREAL a,b\nHALT\nEND\n"
    found = told("DEF cell( )\nlevel(2,)\nPTP XHOME\nEND\n" + level)
    assert found["warning", 2] == "level is not given b, and does not ask whether it is"


def test_names_of_a_family_are_no_slips():
    data = "DEFDAT cell\nDECL E6POS XP21={X 1,Y 0,Z 0,A 0,B 0,C 0}\nENDDAT\n"
    found = told("DEF cell( )\nPTP XP12\nPTP XP21\nx=cosh(3)\nEND\n" + data)
    assert not [line for severity, line in found if severity == "error"]


def test_names_like_words_of_interrupts_are_names():
    found = told("DEF cell( )\nINTERRUPT DECL 4 WHEN enabled>=1 DO path1()\nINTERRUPT ON 4\nPTP XHOME\nEND\n")
    assert not [line for severity, line in found if severity == "error"]


@pytest.mark.parametrize(
    "do",
    [
        "shut() PRIO=-1",
        "shut( ) PRIO = 40",
        "a.b[2]=b==(3)",
        "$OUT[n(1)]=TRUE",
        "shut()",
        "$OUT[2]=TRUE",
        "n=5",
        "f={X 1,Y 2}",
        "$OUT[2]=NOT $IN[3] AND (n > 2)",
        "far(n,2)",
        'far("a, (b", 2) PRIO=-1',
        "PULSE($OUT[1],TRUE,0.5)",
    ],
)
def test_triggers_as_they_are_written(do):
    found = told(f"DEF cell( )\nINT n\nTRIGGER WHEN DISTANCE=0 DELAY=0 DO {do}\nPTP XHOME\nEND\nDEF shut( )\nEND\n")
    assert not [line for severity, line in found if severity == "error"]


def test_routines_that_triggers_and_interrupts_call_and_no_file_has_are_named():
    lines = "TRIGGER WHEN DISTANCE=0 DELAY=0 DO motorOn()\nINTERRUPT DECL 5 WHEN $IN[1] DO A220(slow)\n"
    found = told(f"DEF cell( )\n{lines}INTERRUPT DECL 3 WHEN $STOPMESS==TRUE DO IR_STOPM( )\nPTP XHOME\nEND\n")
    assert found["warning", 2] == "defined in no file: motorOn (line 2), A220 (line 3)"
    assert not [line for severity, line in found if severity == "error"]


def test_a_routine_that_is_not_given_what_it_takes():
    level = "DEF level(n:IN)\nINT n\nENDING\nEND\n"
    found = told("DEF cell( )\nlevel()\nlevel(2)\nPTP XHOME\nEND\n" + level.replace("ENDING", "HALT"))
    assert found["warning", 2] == "level is not given n, and does not ask whether it is"
    assert ("warning", 3) not in found
    asks = level.replace("ENDING", 'IF VARSTATE("n")<>#INITIALIZED THEN\nRETURN\nENDIF')
    assert ("warning", 2) not in told("DEF cell( )\nlevel()\nPTP XHOME\nEND\n" + asks)


FORMS = """DEF cell( )
;FOLD PTP P1 CONT Vel=100 % PDAT1 Tool[1]:grip Base[0];%{PE}%MKUKATPBASIS,%CMOVE,%VPTP,%P 1:PTP, 2:P1, 7:PDAT1
$BWDSTART=FALSE
PDAT_ACT=PPDAT1
FDAT_ACT=FP1
BAS(#PTP_PARAMS,100)
PTP XP1 C_DIS
;ENDFOLD
;FOLD SCIRC P3 P4 Vel=0.5 m/s CPDAT2 Tool[1]:grip Base[0] ;%{PE}
  ;FOLD Parameters ;%{h}
    ;Params IlfProvider=movement.spline; Kuka.PointName=P4; Kuka.HelpPointName=P3
  ;ENDFOLD
  SCIRC XP3, XP4 WITH $VEL=SVEL_CP(0.5, , LCPDAT2), $TOOL=STOOL2(FP4), $APO=SAPO(LCPDAT2)
;ENDFOLD
END
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("=PPDAT1", "=PPDTA1", 4),
        ("=FP1", "=F1P", 5),
        ("PTP XP1", "PTP PX1", 7),
        ("SCIRC XP3", "SCIRC X3", 13),
        (", LCPDAT2)", ", LCDPAT2)", 13),
        ("(FP4)", "(FPP4)", 13),
    ],
)
def test_the_fold_above_says_what_an_inline_form_is_made_of(right, wrong, line):
    sound = told(FORMS)
    assert not [each for each in sound if each[0] == "error"]
    name = wrong.strip("=(), ").split()[-1]
    assert told(FORMS.replace(right, wrong))["error", line] == f"there is no name {name!r}"


def test_a_number_other_than_in_the_fold_above_may_be_of_an_old_comment():
    found = told(FORMS.replace("PTP XP1", "PTP XP11"))
    assert found["warning", 7] == "XP11 is defined in no file, and is not what stands above it"
    assert not [each for each in found if each[0] == "error"]


def test_what_is_missing_and_named_twice_is_not_meant_another_way():
    text = "DEF cell( )\nIF stat1==1 THEN\nIF statt1==2 THEN\nIF stat1==3 THEN\nENDIF\nENDIF\nENDIF\nPTP XHOME\nEND\n"
    assert told(text)["warning", 3] == "statt1 is defined in no file and stands here alone, other than stat1"


def test_a_label_that_is_misspelt():
    text = "DEF cell( )\nretry1:\nPTP XHOME\nIF $IN[1] THEN\nGOTO retry\nENDIF\nGOTO retry\nretrry:\nEND\n"
    found = told(text)
    assert found["error", 8] == "nothing jumps to the label retrry, and retry is jumped to and not there"
    assert ("error", 5) not in found
    one = told(text.replace("IF $IN[1] THEN\nGOTO retry\nENDIF\n", ""))  # then either may be the misspelt one
    assert one["error", 4] == "there is no label retry, and nothing jumps to retrry (line 5)"


@pytest.mark.parametrize(("line", "declared", "wrong"), [
    ("IF A10_OPTION==#ACITVE THEN\nENDIF", "", "#ACITVE is written once, and #ACTIVE several times"),
    ("check(#ACTVE)", "", "#ACTVE is written once, and #ACTIVE several times"),
    ("state=#RUNING", "GLOBAL ENUM STATE_T IDLE,RUNNING\n", "#RUNING is written once, and #RUNNING declared"),
    ("check(#ACTIVE1)", "", None), ("check(#INACTIVE)", "", None), ("check(#OPEN) ;#ACITVE", "", None),
    ("state=#RUNING", "ENUM STATE_T RUNING,RUNNING\n", None),
])  # fmt: skip
def test_a_value_with_a_hash_that_is_written_once_beside_its_like(line, declared, wrong):
    data = f"DEFDAT cell\n{declared}ENDDAT\n"
    found = told(f"DEF cell( )\n{line}\ncheck(#ACTIVE)\nother=#active\nPTP XHOME\nEND\n{data}")
    assert found.get(("warning", 2)) == wrong or wrong is None
    assert not [each for each in found.values() if each.startswith("#") and each != wrong]


@pytest.mark.parametrize(("name", "severity"), [
    ("PICCK", "error"), ("PCIK", "error"), ("place", "warning"), ("PICK", None), ("Pick PUBLIC", None),
])  # fmt: skip
def test_data_have_the_name_of_their_file(tmp_path, name, severity):
    (tmp_path / "pick.src").write_text("DEF pick( )\nPTP XHOME\nEND\n")
    (tmp_path / "pick.dat").write_text(f"&ACCESS RVP\nDEFDAT {name}\nENDDAT\n")
    found = [each for each in read(tmp_path / "pick.src").diagnostics if "DEFDAT" in each.problem]
    assert [(each.severity, each.place.file.endswith("pick.dat"), each.place.line) for each in found] == (
        [(severity, True, 2)] if severity else []
    )


@pytest.mark.parametrize(("columns", "line"), [
    ((0, 2, 2, 4, 0), 4),  # ENDIF stands below the outer IF: the inner one is open
    ((0, 2, 2, 4, 2), 2),
    ((0, 1, 1, 2, 0), 4),  # indented by one
    ((0, 2, 1, 2, 0), 2),  # a column more or less is nothing
    ((0, 3, 3, 6, 1), 4),
    ((0, 0, 0, 0, 0), 2),
    ((2, 0, 2, 0, 2), 2),
])  # fmt: skip
def test_which_of_two_blocks_is_left_open(columns, line):
    words = ("IF $IN[1] THEN", "n=1", "IF $IN[2] THEN", "n=2", "ENDIF")
    body = "\n".join(" " * column + word for column, word in zip(columns, words, strict=True))
    found = told(f"DEF cell( )\n{body}\nPTP XHOME\nEND\n")
    assert [each for each in found if each[0] == "error"] == [("error", line)]


def test_indentation_tells_nothing_where_most_ends_stand_elsewhere():
    askew = "IF $IN[3] THEN\nn=3\n     ENDIF\n" * 3
    words = "IF $IN[1] THEN\n  n=1\n   IF $IN[2] THEN\n    n=2\nENDIF\n"
    assert ("error", 11) in told(f"DEF cell( )\n{askew}{words}PTP XHOME\nEND\n")


def test_of_blocks_that_are_not_indented_the_inner_one_may_be_open():
    found = told("DEF cell( )\nFOR i=1 TO 2\nFOR k=1 TO 3\nIF $IN[1] THEN\nn=1\nENDIF\nENDFOR\nPTP XHOME\nEND\n")
    assert found["error", 2] == "FOR is never closed, or one inside of it (line 3)"


def test_an_end_closes_nothing_beyond_a_block_of_another_kind():
    """ENDIF stands below the first IF, but LOOP lies between them, and is closed."""
    loop = "  LOOP\n  IF $IN[2] THEN\n    EXIT\nENDIF\n  ENDLOOP\n"
    found = told(f"DEF cell( )\nIF $IN[1] THEN\n  n=1\n{loop}PTP XHOME\nEND\n")
    assert [each for each in found if each[0] == "error"] == [("error", 2)]


@pytest.mark.parametrize(("lines", "wrong"), [
    (("glue(1,2)", "glue(,2)"), (4, "glue is given nothing before its first comma")),
    (("x=glue(1,)",), (3, "glue is given nothing behind its last comma")),
    (("glue(1,,2)", "glue(1,,3)"), None),
    (("glue(1,,2)", "glue(1,0,3)", "glue(2,0,3)"), (3, "glue is given nothing between two commas, and elsewhere some")),
    (("glue()", "glue(2)"), (3, "glue is given no value, and elsewhere some")),
    (("glue(1,2)", "glue(2)", "glue(2,3)"), (4, "glue is given 1 values, and 2 elsewhere")),
    (("glue(1,2)", "glue(2)"), None),
    (('MsgNotify("a")', 'MsgNotify("a","b",,1)', 'MsgNotify("a","b",,2)'), None),
    (('MsgNotify("a",)',), (3, "MsgNotify is given nothing behind its last comma")),
])  # fmt: skip
def test_calls_of_routines_of_no_file_that_are_unlike_the_others(lines, wrong):
    found = told("DEF cell( )\nn=1\n" + "\n".join(lines) + "\nPTP XHOME\nEND\n")
    said = [(line, each) for (_, line), each in found.items() if " is given " in each]
    assert len(said) == (wrong is not None)
    assert wrong is None or (said[0][0], said[0][1].startswith(wrong[1])) == (wrong[0], True)


def test_names_in_what_is_not_run_that_are_written_once_each():
    lines = "INTERRUPT DECL nFoundPart WHEN $IN[1] DO shut()\nINTERRUPT ON nFounPart"
    found = told(f"DEF cell( )\n{lines}\nPTP XHOME\nEND\nDEF shut( )\nEND\n")
    assert found["warning", 2] == "nFoundPart and nFounPart are defined in no file, and written once each"


def test_a_routine_that_ext_misspells():
    found = told("DEF cell( )\nEXT closeGrpiper( )\ncloseGripper()\ncloseGripper()\nPTP XHOME\nEND\n")
    assert found["warning", 2].startswith("closeGrpiper is defined in no file and stands here alone")


def test_names_with_a_dollar_that_differ_by_a_letter():
    found = told("DEF cell( )\nx=$RECIPE.no\ny=$RECIPE.size\nz=$REICPE.no\nPTP XHOME\nEND\n")
    assert found["warning", 4] == "the controller has no '$REICPE', and it stands here alone, other than $RECIPE"
