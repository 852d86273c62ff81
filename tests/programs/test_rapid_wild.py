"""RAPID as strangers' files have it: records made of parts, data by name, displacements that add up, odd words."""

from __future__ import annotations

import numpy as np
import pytest

import torsor
from torsor.model.transforms import pose, rotation_quaternion, rotation_z
from torsor.motion.commands import Assumed, Move, Tool
from torsor.programs import parse, read
from torsor.programs.pace import Factor
from torsor.programs.rapid.rapid_functions import FUNCTIONS
from torsor.programs.rapid.rapid_spelling import SPELLED
from torsor.programs.rapid.rapid_words import FORMS
from torsor.programs.world import World

POINT = "[[{0},{1},{2}],[0,0,1,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"
DATA = f"CONST robtarget p1:={POINT.format(400, 0, 400)};\nCONST robtarget p2:={POINT.format(400, 150, 400)};\n"


def module(body, data="", after=""):
    return f"MODULE m\n{DATA}{data}\nPROC main()\n{body}\nENDPROC\n{after}\nENDMODULE"


def commands(body, data="", after=""):
    program = parse(module(body, data, after), "RAPID")
    assert not program.errors, program.errors
    return list(program.commands())


def moves(*given, **more):
    return [command for command in commands(*given, **more) if isinstance(command, Move)]


def mm(move):
    return tuple(round(1e3 * x, 9) for x in move.target.position)


def test_a_record_is_made_of_parts_of_others():
    body = "q:=[p1.trans,p2.rot,p1.robconf,p1.extax];\nMoveL Offs(q,0,0,q.trans.x),v100,fine,tool0;"
    (move,) = moves(body, "VAR robtarget q;")
    assert mm(move) == (400, 0, 800)


def test_values_of_a_type_that_no_file_defines_have_parts_that_are_not_known():
    body = (
        "grip.tool:=[TRUE,[[0,0,9],[1,0,0,0]],[1,[0,0,1],[1,0,0,0],0,0,0]];\n"
        "grip.tool.tframe.rot:=OrientZYX(90,0,0);\nMoveL p1,v100,fine,grip.tool;"
    )
    made = commands(body, "VAR gripper grip;")
    assert [mm(each) for each in made if isinstance(each, Move)] == [(400, 0, 400)]
    assert any("tool0" in each.text for each in made if isinstance(each, Assumed))


def test_data_by_name():
    body = (
        'FOR i FROM 1 TO 2 DO\nGetDataVal "p"+ValToStr(i),q;\nMoveL q,v100,fine,tool0;\nENDFOR\n'
        'SetDataVal "up",30;\nMoveL Offs(q,0,0,up),v100,fine,tool0;'
    )
    assert [mm(move) for move in moves(body, "VAR robtarget q;\nVAR num up;")] == [
        (400, 0, 400), (400, 150, 400), (400, 150, 430),
    ]  # fmt: skip


def test_the_tool_of_the_moment():
    body = "MoveL p1,v100,fine,t1;\nGetSysData held;\nMoveL p2,v100,fine,held;"
    data = (
        "PERS tooldata t1:=[TRUE,[[0,0,70],[1,0,0,0]],[1,[0,0,1],[1,0,0,0],0,0,0]];\n"
        "PERS tooldata held:=[TRUE,[[0,0,0],[1,0,0,0]],[1,[0,0,1],[1,0,0,0],0,0,0]];"
    )
    tools = [each for each in commands(body, data) if isinstance(each, Tool)]
    assert [each.T[2, 3] for each in tools] == [0.07]  # one, since the second is the same


def test_displacements_add_up():
    """Several PDispOn one after the other: p2, where the arm stands, is meant by p1 then, whatever was displaced."""
    first = pose(rotation_z(np.radians(30)), [10.0, 20.0, 0.0])
    q = float(np.cos(np.radians(15))), float(np.sin(np.radians(15)))
    body = (
        f"PDispSet [[10,20,0],[{q[0]!r},0,0,{q[1]!r}]];\nMoveL p2,v100,fine,tool0;\n"
        "PDispOn\\Rot,p1,tool0;\nMoveL p1,v100,fine,tool0;\nPDispAdd [[0,0,5],[1,0,0,0]];\nMoveL p1,v100,fine,tool0;"
    )
    there, same, higher = (np.array(mm(move)) for move in moves(body))
    assert there == pytest.approx((first @ [400, 150, 400, 1])[:3])
    assert same == pytest.approx(there)
    assert higher == pytest.approx(there + np.array([0, 0, 5]))


def test_three_points_and_where_they_came_to():
    T = pose(rotation_quaternion(0.8, 0.0, 0.6, 0.0), [3.0, -4.0, 50.0])
    old = [(100, 0, 0), (200, 0, 10), (120, 90, 0)]
    new = [(T @ [*each, 1])[:3] for each in old]
    points = ",".join(POINT.format(*each) for each in [*old, *new])
    (move,) = moves(f"PDispSet DefDFrame({points});\nMoveL p1,v100,fine,tool0;")
    assert mm(move) == pytest.approx(tuple((T @ [400, 0, 400, 1])[:3]))


def test_a_time_stands_for_the_speed_and_a_stop_has_no_zone():
    timed, stop, zone = moves(
        "MoveL p1,v10,\\T:=2,z10,tool0;\nMoveL p2,v10,fine\\Z:=5,tool0;\nMoveL p1,v10,z50\\Z:=5,tool0;"
    )
    assert (timed.pace.duration, timed.pace.speed, timed.pace.turn) == (2.0, None, None)
    assert stop.blend.kind == "stop"
    assert zone.blend.radius == 0.005


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("FCPressL p2,v100,50\\ForceChange:=20,z10,tool0;", "line"),
        ("FCPressEnd p2,v50\\DeactOnly,tool0;", "line"),
        ("DispC p1,p2,v250,bead1,z30,tool0;", "circle"),
        ("ArcC1End p1,p2,v10,sm,wd\\Weave:=wv,fine,tool0;", "circle"),
        ("ArcL2Start p2,v10,sm,wd,fine,tool0;", "line"),
        ("SMoveJ p2,v10,fine,tool0;", "joint"),
    ],
)
def test_moves_of_options(line, kind):
    (move,) = moves(line)
    assert (move.kind, mm(move)) == (kind, (400, 150, 400))


@pytest.mark.parametrize(
    "line",
    ["CirPathMode\\CirPointOri;", "PathRecStart r1;", "WriteVarArr s,v;", "MotionProcessModeSet ACCURACY_MODE;",
     "n:=UIDnumTune(3,1);", "n:=Max(1,2)+Min(3,4);", "OpenG;", "CloseG;", "MatrixSVD a,b,c,d;",
     "MoveRL p2,v100,fine,tool0;", "rSetDO do1,1;"],
)  # fmt: skip
def test_words_of_the_controller_and_of_other_files_are_no_slips(line):
    assert moves(f"{line}\nMoveL p1,v100,fine,tool0;", "VAR num n;")


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("MoveL\\Conc,p1,v100,fine,tool0;", "MoveL\\Conc,p1,[50,250,5000,1000],fine,tool0;"),
        ("MoveL p1,v100,\\V:=80,fine,tool0;", "MoveL p1,[50,250,5000,1000],\\V:=40,fine,tool0;"),
        ("MoveL p1,v100,\\T:=2,fine,tool0;", "MoveL p1,v100,\\T:=4,fine,tool0;"),
        ("SearchL\\Stop,di1,q,p1,v100,tool0;", "SearchL\\Stop,di1,q,p1,[50,250,5000,1000],tool0;"),
        ("MoveCDO p1,p2,v100,fine,tool0,do1,1;", "MoveCDO p1,p2,[50,250,5000,1000],fine,tool0,do1,1;"),
        ("MoveL p1,quick(300),fine,tool0;", "MoveL p1,quick(300)\\V:=150,fine,tool0;"),
    ],
)
def test_another_speed_goes_to_its_place(written, becomes):
    text = (
        f"MODULE m\n{DATA}VAR robtarget q;\nFUNC speeddata quick(num k)\nRETURN [k,500,5000,1000];\nENDFUNC\n"
        f"PROC main()\nAccSet 80,60;\n{written}\nENDPROC\nENDMODULE"
    )
    program = parse(text, "RAPID")
    (line,) = {move.place.line for move in program.commands() if isinstance(move, Move)}
    assert becomes in program.repaced({line: Factor(0.5, 1.0)}).text.replace("4.00000", "4")
    slower = program.repaced({line: Factor(1.0, 0.5)}).text
    assert f"AccSet 40,60;\n{written}\nAccSet 80,60;" in slower  # the ramp stays


def test_a_rewritten_file_keeps_its_ends_of_lines_and_its_encoding(tmp_path):
    file = tmp_path / "cell.mod"
    text = f"MODULE m\n! Kühlung\n{DATA}PROC main()\nMoveL p1,v100,fine,tool0;\nENDPROC\nENDMODULE\n"
    file.write_bytes(text.replace("\n", "\r\n").encode("cp1252"))
    program = read(file)
    ((_, as_it_is),) = program.on_disk()
    assert as_it_is == file.read_bytes()
    ((_, slower),) = program.on_disk(program.repaced({6: Factor(0.5, 1.0)}))
    assert slower == file.read_bytes().replace(b"v100", b"[50,250,5000,1000]")


@pytest.mark.parametrize(("written", "told"), [
    ("VAR num a{4}:=[1,2,3 -4];", "a is declared with 4 elements, and 3 are written"),
    ("VAR num a{2,3}:=[[1,2,3],[4,5 -6]];", "a is declared with 3 elements, and 2 are written"),
    ("VAR num a{2,2}:=[[1,2],[3,4]];", None),
])  # fmt: skip
def test_arrays_have_as_many_elements_as_they_are_declared_with(written, told):
    program = parse(f"MODULE m\n{written}\nPROC main()\nENDPROC\nENDMODULE", "RAPID")
    assert [each.problem for each in program.diagnostics if each.severity == "warning"] == [told] * (told is not None)


def test_the_line_of_a_list_that_lacks_a_bracket():
    first, second, third = (POINT.format(x, 2, 3) for x in (100, 200, 300))
    text = f"MODULE m\nCONST robtarget ps{{3}}:=[{first},\n{second[1:]},\n{third}];"
    errors = parse(f"{text}\nPROC main()\nENDPROC\nENDMODULE", "RAPID").errors
    assert [each.place.line for each in errors] == [3]


def test_values_in_brackets_are_read_and_told():
    text = f"MODULE m\n{DATA}PROC go(num a,num b)\nMoveL Offs(p1,a,b,0),v10,fine,tool0;\nENDPROC\nPROC main()\n"
    program = parse(f"{text}go(1,2);\ngo (1+2)*3,4;\nENDPROC\nENDMODULE", "RAPID")
    assert [mm(each) for each in program.commands() if isinstance(each, Move)] == [(401, 2, 400), (409, 4, 400)]
    assert [(each.severity, each.place.line) for each in program.diagnostics] == [("warning", 8)]


def test_a_choice_that_is_misspelt_is_no_label():
    text = "MODULE m\nPROC main()\nTEST 1\nCASE 2:\nagain:\nGOTO again;\nDEFAUT:\nStop;\nENDTEST\nENDPROC\nENDMODULE"
    assert [each.place.line for each in parse(text, "RAPID").errors] == [7]


def test_arrays_of_records_of_several_dimensions_go_to_routines():
    body = "pts:=[[p1,p2],[p2,p1]];\nthrough pts,2;"
    after = (
        "PROC through(robtarget given{*,*},num row)\nFOR i FROM 1 TO Dim(given,2) DO\n"
        "both [given{row,i},Offs(given{row,i},0,0,50)],v100;\nENDFOR\nENDPROC\n"
        "PROC both(robtarget pair{*},speeddata v)\nMoveJ pair{1},v,fine,tool0;\nMoveL pair{2},v,fine,tool0;\nENDPROC"
    )
    assert [mm(move) for move in moves(body, "VAR robtarget pts{2,2};", after)] == [
        (400, 150, 400), (400, 150, 450), (400, 0, 400), (400, 0, 450),
    ]  # fmt: skip


def test_a_record_equals_what_is_written_in_brackets():
    body = (
        "IF p1.trans=[400,0,400] MoveL p1,v100,fine,tool0;\nIF [400,0,400]<>p1.trans MoveL p2,v100,fine,tool0;\n"
        "IF p2.trans<>[0,0,0] MoveL p2,v100,fine,tool0;\nIF p1.rot=[1,0,0,0] MoveL p2,v100,fine,tool0;"
    )
    assert [mm(move) for move in moves(body)] == [(400, 0, 400), (400, 150, 400)]


@pytest.mark.parametrize("called", ["x:=ask(1);", "Casa;", "Rest;", "clock1:=clock1;"])
def test_names_of_missing_modules_are_no_misspelt_keywords(called):
    program = parse(f"MODULE m\nVAR num x;\nPROC main()\n{called}\nENDPROC\nENDMODULE", "RAPID")
    assert not program.errors


def test_a_loop_that_moves_until_a_missing_function_answers_is_left_and_the_program_goes_on():
    body = (
        "WHILE seen(1) DO\nMoveL p1,v100,fine,tool0;\nMoveL Offs(p2,0,0,n),v100,fine,tool0;\nn:=n+1;\nENDWHILE\n"
        "MoveL p2,v200,fine,tool0;"
    )
    after = "FUNC bool seen(num k)\nIF look(k)=0 RETURN FALSE;\nRETURN TRUE;\nENDFUNC"
    made = commands(body, "VAR num n;", after)
    speeds = [each.pace.speed for each in made if isinstance(each, Move)]
    assert speeds == [0.1] * 20 + [0.2]
    assert any("no file tells when this loop ends" in each.text for each in made if isinstance(each, Assumed))


def test_what_moves_beside_the_arm_only_is_said():
    body = "MoveExtJ j1,vrot10,fine;"
    data = "CONST jointtarget j1:=[[9E9,9E9,9E9,9E9,9E9,9E9],[500,9E9,9E9,9E9,9E9,9E9]];"
    texts = [each.text for each in commands(body, data) if isinstance(each, Assumed)]
    assert "with what is assumed nothing moves; it would take the axes of MoveExtJ (line 6)" in texts


def test_what_it_would_take_is_named_once_and_first_what_moves_lack():
    body = "WaitDI diOn,1;\nx:=Level;\nFetchIt;\nMoveJ pAway,v100,fine,tHand;\nMoveL Pface,v100,fine,thand;"
    texts = [each.text for each in commands(body, "VAR num x;") if isinstance(each, Assumed)]
    needed = next(text for text in texts if "it would take" in text).partition("it would take ")[2]
    assert needed == "pAway (line 9), Pface (line 10), FetchIt (line 8), Level (line 7), tHand (line 9)"


WAITING = """MODULE m
CONST jointtarget j1:=[[0,0,0,0,30,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
PERS num order:=0;
PROC serveMain()
WHILE TRUE DO
IF order=1 THEN
order:=2;
MoveAbsJ j1,v100,fine,tool0;
ENDIF
WaitTime 0.1;
ENDWHILE
ENDPROC
ENDMODULE"""


def test_a_condition_that_all_moves_stand_behind_is_taken_to_hold():
    said, *rest = parse(WAITING, "RAPID").commands()
    assert (said.text, said.cure) == ("order is taken to be 1: else nothing moves", "--set order=1")
    assert [each.place.line for each in rest if isinstance(each, Move)] == [8]
    given = parse(WAITING, "RAPID", world=World({"order": 1.0}))
    assert [each.place.line for each in given.commands() if isinstance(each, Move | Assumed)] == [8]


@pytest.mark.parametrize("condition", ["go", "go=TRUE", "DInput(diGo)=1", "go AND n=3", 'text="on"', "(diGo=1)"])
def test_what_a_condition_asks_for(condition):
    data = "VAR bool go;\nVAR num n;\nVAR string text;"
    made = commands(f"WHILE TRUE DO\nIF {condition} THEN\nMoveL p1,v100,fine,tool0;\nENDIF\nENDWHILE", data)
    assert [mm(each) for each in made if isinstance(each, Move)] == [(400, 0, 400)]
    assert "is taken to be" in made[0].text


AT_ZERO = "[[0,0,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"


@pytest.mark.parametrize("first", ["", "MoveJ CRobT(),v100,fine,tool0;", f"MoveAbsJ {AT_ZERO},v100,fine,tool0;"])
@pytest.mark.parametrize("got", [
    "SocketReceive s1\\Str:=msg;\nok:=StrToVal(msg,n);",
    "SocketReceive s1\\RawData:=raw;\nUnpackRawBytes raw\\Network,1,n\\IntX:=DINT;",
])  # fmt: skip
def test_a_case_of_what_is_received_is_taken_where_nothing_else_moves(first, got):
    data = "VAR socketdev s1;\nVAR string msg;\nVAR rawbytes raw;\nVAR bool ok;\nVAR num n;"
    choices = "TEST n\nCASE 1:\nStop;\nCASE 3,4:\nMoveJ p1,v100,fine,tool0;\nENDTEST"
    body = f"{first}\nWHILE TRUE DO\n{got}\n{choices}\nENDWHILE"
    made = list(parse(module(body, data), "RAPID").commands(arm=torsor.load("irb120")))
    assert mm([each for each in made if isinstance(each, Move)][-1]) == (400, 0, 400)
    said = [each.text for each in made if isinstance(each, Assumed)]
    assert any(each.endswith("taken to be 3: else nothing moves") or "n = 3 is taken to hold" in each for each in said)


def test_names_that_every_controller_has():
    names = (
        "btnNone btnOK btnAbrtRtryIgn btnOKCancel btnRetryCancel btnYesNo btnYesNoCancel LT GTEQ DINT USINT TYPE_WARN"
    )
    body = "".join(f"n:={name};\n" for name in [*names.split(), "TUNE_KP", "FC_LIN_X", "IOUNIT_RUNNING"])
    assert not parse(module(body, "VAR num n;"), "RAPID").diagnostics


@pytest.mark.parametrize("word", ["SMoveJDO {},doX,1", 'SMoveLSync {},"p"', "SSearchL diX,q,p1,v20,tool0"])
def test_moves_of_homepos_running(word):
    (move,) = moves(word.format("p1,v20,fine,tool0") + ";", "VAR robtarget q;")
    assert (move.kind, move.target.name) == ("joint" if "MoveJ" in word else "line", "p1")


def test_a_search_goes_to_its_point_until_its_signal():
    data = "VAR robtarget found;"
    made = commands(
        "SearchL\\Stop,diTouch\\PosFlank,found,Offs(p1,0,0,-10),v20,tool0;\nMoveL pNone,v20,fine,tool0;", data
    )
    assert [each.target.name for each in made if isinstance(each, Move)] == ["Offs(p1...)"]
    assert any(each.text.startswith("the search of diTouch") for each in made if isinstance(each, Assumed))
    lost = commands("SearchL diTouch,found,pNone,v20,tool0;", data)
    assert any(each.text.startswith("where pNone lies") for each in lost if isinstance(each, Assumed))


@pytest.mark.parametrize(
    ("option", "told"), [("NOTEQ", "other than 0"), ("LT", "less than 0"), ("GT", "greater than 0")]
)
def test_a_wait_for_another_value_says_so(option, told):
    program = parse(module(f"WaitGI giJob,\\{option},0,\\MaxTime:=5;\nMoveJ p1,v100,fine,tool0;"), "RAPID")
    assert not program.diagnostics
    said = [each.text for each in program.commands() if isinstance(each, Assumed)]
    assert said == [f"the signal giJob is taken to become {told}"]


def test_what_has_no_move_asks_for_nothing_that_would_make_it_move(tmp_path):
    texts = [
        each.text for each in commands("n:=UIMessageBox(\\Buttons:=btnOK);", "VAR num n;") if isinstance(each, Assumed)
    ]
    assert texts == ["nothing moves; there is no move in it", "UIMessageBox is taken to be 1"]
    (tmp_path / "ask.mod").write_text(module("n:=UIMessageBox(\\Buttons:=btnOK);", "VAR num n;"))
    verdict = torsor.check(tmp_path / "ask.mod", "irb120")
    assert verdict.headline == "ask moves nothing on irb120; there is no move in it"  # whatever is answered


@pytest.mark.parametrize(("condition", "cures"), [
    ("done", ["--set done=TRUE"]), ("DInput(diA)=1 AND n=2", ["--set diA=1", "--set n=2"]), ("n>3", ["--set n=..."]),
])  # fmt: skip
def test_a_wait_for_what_the_program_sets_itself_goes_away_when_it_is_told(condition, cures):
    body = f"done:=FALSE;\nn:=0;\nWaitUntil {condition};\nMoveJ p1,v100,fine,tool0;"
    data = "VAR bool done;\nPERS num n:=0;"
    assert [each.cure for each in commands(body, data) if isinstance(each, Assumed)] == cures
    told = {"done": True, "dia": 1.0, "n": 5.0 if ">" in condition else 2.0}
    made = parse(module(body, data), "RAPID", world=World(told)).commands()
    assert not [each for each in made if isinstance(each, Assumed)]


def test_what_is_waited_for_has_come():
    body = "done:=FALSE;\nWaitUntil done;\nIF done MoveJ p1,v100,fine,tool0;"
    assert len(moves(body, "VAR bool done;")) == 1


def test_bytes_that_are_received_are_told_as_a_list():
    body, data = (
        "SocketReceive s1\\Data:=got;\nIF got{1}=7 MoveJ p1,v100,fine,tool0;",
        "VAR socketdev s1;\nVAR byte got{4};",
    )
    assert "--set 'got=[...]'" in [each.cure for each in commands(body, data) if isinstance(each, Assumed)]
    made = parse(module(body, data), "RAPID", world=World({"got": (7.0, 0.0, 0.0, 0.0)})).commands()
    assert [type(each) for each in made if isinstance(each, Move | Assumed)] == [Move]


def test_a_number_that_is_told_for_a_text_is_that_text():
    body = 'SocketReceive s1\\Str:=msg;\nIF msg="2" MoveJ p1,v100,fine,tool0;'
    text = module(body, "VAR socketdev s1;\nVAR string msg;")
    made = parse(text, "RAPID", world=World({"msg": 2.0})).commands()
    (move,) = (each for each in made if isinstance(each, Move | Assumed))
    assert mm(move) == (400, 0, 400)


def test_moves_behind_a_condition_that_cannot_be_met_say_so():
    body = "IF n>3 OR n<-3 THEN\nMoveL p1,v100,fine,tool0;\nENDIF"
    said = next(each for each in commands(body, "VAR num n;") if isinstance(each, Assumed))
    assert said.text.endswith("nothing moves; its moves stand behind the condition of line 6: n")
    assert said.cure == "--set n=..."


def test_without_main_a_routine_that_is_called_so_begins():
    routine = "PROC {0}()\nMoveL {1},v100,fine,tool0;\nENDPROC\n"
    text = f"MODULE m\n{DATA}{routine.format('park', 'p1')}{routine.format('mainWeld', 'p2')}ENDMODULE"
    assert parse(text, "RAPID").project.begins == "mainWeld"


@pytest.mark.parametrize("first", ["TPErase", "Stop", "Elsewhere"])
@pytest.mark.parametrize("between", ["\n", " "])
def test_a_statement_that_is_not_ended_before_an_assignment_is_told(first, between):
    text = f"MODULE m\nVAR num n;\nPROC main()\n{first}{between}n:=0;\nENDPROC\nENDMODULE"
    (error,) = parse(text, "RAPID").errors
    assert (error.place.line, error.hint) == (4, "a semicolon is missing behind it")


def test_numbers_that_every_controller_has_count_loops():
    body = "reg1:=1;\nWHILE reg1<4 DO\nMoveL Offs(p1,0,0,reg1),v100,fine,tool0;\nIncr reg1;\nENDWHILE"
    assert [mm(move)[2] for move in moves(body)] == [401, 402, 403]


def test_the_condition_that_does_not_hold_is_named():
    body = "WHILE done=FALSE DO\nIF go>2 THEN\nMoveL p1,v100,fine,tool0;\ndone:=TRUE;\nENDIF\nENDWHILE"
    texts = [each.text for each in commands(body, "VAR bool done;\nVAR num go;") if isinstance(each, Assumed)]
    assert any(text.endswith("its moves stand behind the condition of line 8: go") for text in texts)


@pytest.mark.parametrize("given", [
    "tHand.tframe.trans.x:=5;", "tHand.tframe.trans.x:=5;\ntHand.tframe.rot:=p1.rot;",
    "wPart.uframe.trans.z:=5;", "wPart.oframe.rot.q1:=1;\nwPart.oframe.trans:=p1.trans;", "zHere.pzone_tcp:=1;",
    "vHere.v_tcp:=100;", "pThere.trans.x:=1;", "pThere.trans:=p1.trans;\npThere.rot.q1:=1;", "jThere.robax.rax_1:=3;",
    "lPart.cog.x:=1;\nGripLoad lPart;",
])  # fmt: skip
def test_parts_of_data_that_no_file_defines_are_no_whole(given):
    body = (
        f"{given}\nMoveL p1,vHere,zHere,tHand\\WObj:=wPart;\nMoveJ pThere,v100,fine,tHand;\n"
        "MoveAbsJ jThere,v100,fine,tool0;\nMoveL Offs(p1,0,0,9),v100,fine,tHand;\nMoveL p2,v100,fine,tool0;"
    )
    assert mm(moves(body)[-1]) == (400, 150, 400)


def test_routines_that_need_values_tell_what_they_would_take():
    text = (
        "MODULE m\nFUNC bool done(num k)\nRETURN k>2;\nENDFUNC\nPROC draw(num k)\n"
        "MoveL Offs(pAway,k,0,0),v100,fine,tool0;\nENDPROC\nENDMODULE"
    )
    texts = [each.text for each in parse(text, "RAPID").commands() if isinstance(each, Assumed)]
    assert any("it would take pAway (line 6)" in text for text in texts)


def test_a_capital_that_stands_alone_tells_points_apart():
    data = f"CONST robtarget pickL1:={POINT.format(400, 0, 400)};"
    program = parse(f"MODULE m\n{data}\nPROC main()\nMoveL pickR1,v100,fine,tool0;\nENDPROC\nENDMODULE", "RAPID")
    assert [each.severity for each in program.diagnostics] == ["warning"]


def test_motion_that_is_led_from_outside_is_said():
    body = "EGMGetId e;\nEGMRunPose e,EGM_STOP_HOLD\\x\\y\\CondTime:=2;"
    texts = [each.text for each in commands(body, "VAR egmident e;") if isinstance(each, Assumed)]
    assert "with what is assumed nothing moves; it would take what leads EGMRunPose (line 7)" in texts


def test_a_loop_that_moves_and_tests_a_name_that_no_file_defines_is_left():
    body = (
        "WHILE more DO\nMoveL Offs(p1,0,0,n),v100,fine,tool0;\nn:=n+0.1;\nIF n<0 AND n>Highest THEN\nmore:=FALSE;\n"
        "ENDIF\nENDWHILE\nMoveL p2,v200,fine,tool0;"
    )
    speeds = [each.pace.speed for each in moves(body, "VAR num n;\nVAR bool more:=TRUE;")]
    assert speeds == [0.1] * 100 + [0.2]


def test_every_instruction_and_function_has_the_spelling_of_the_manual():
    assert {*FORMS, *FUNCTIONS} <= set(SPELLED)


@pytest.mark.parametrize(("line", "meant"), [
    ("MoveABS j1,v10,fine,tool0;", "MoveAbsJ"), ("MovveL p1,v10,fine,tool0;", "MoveL"),
    ("n:=NumToSrt(1,2);", "NumToStr"),
    ("WaitTme 1;", "WaitTime"), ("b:=TREU;", "TRUE"), ("TPWrit \"x\";", "TPWrite"), ("MovePTP p1;", None),
])  # fmt: skip
def test_hints_are_in_the_spelling_of_the_controller(line, meant):
    program = parse(module(line, "VAR num n;VAR bool b;"), "RAPID")
    assert [each.hint for each in program.errors] == ([f"did you mean '{meant}'?"] if meant else [])


@pytest.mark.parametrize(("written", "problem"), [
    ("ERR_WAIT_MAXTIME,ERR_SIG_NOT_VALID", None), ("ERR_WAIT_MAXTIME", None), ("errGrip,ERR_ROBLIMIT", None),
    ("ERR_WAIT_MAXTIMEERR_SIG_NOT_VALID", "there is no 'ERR_WAIT_MAXTIMEERR_SIG_NOT_VALID'"),
    ("errGirp", "there is no name 'errGirp', and errGrip (line 4) is never used"),
])  # fmt: skip
def test_errors_that_a_handler_is_for(written, problem):
    body = f"MoveL p1,v10,fine,tool0;\nERROR ({written})\nTRYNEXT;"
    program = parse(module(body, "VAR errnum errGrip;"), "RAPID")
    assert [(each.place.line, each.problem) for each in program.errors] == ([(7, problem)] if problem else [])
    assert problem or len([each for each in program.commands() if isinstance(each, Move)]) == 1


def test_offsets_of_axes_beside_the_arm_have_six_values():
    assert not parse(module("EOffsSet [100,0,0,0,0,0];\nEOffsSet offs;", "VAR extjoint offs;"), "RAPID").errors
    (error,) = parse(module("EOffsSet [100,0,0,0,0];"), "RAPID").errors
    assert (error.place.line, error.problem) == (6, "an extjoint has 6 parts, not 5")


def test_an_array_that_is_declared_in_another_manner_than_it_is_used():
    uses = "grid{1,2,3}:=4;\nn:=grid{2,1,1};"
    errors = parse(module(uses, "VAR num n;VAR num grid{2,32};"), "RAPID").errors
    told = "grid is declared with 2 dimensions, and has 3 wherever it is used"
    assert [(each.place.line, each.problem) for each in errors] == [
        (4, told), *((line, "grid takes 2 numbers in braces, not 3") for line in (6, 7)),
    ]  # fmt: skip
    assert {each.hint for each in errors[1:]} == {"it is declared with 2, in line 4"}
    mixed = parse(module(f"{uses}\nn:=grid{{1,1}};", "VAR num n;VAR num grid{2,3};"), "RAPID").errors
    assert [each.place.line for each in mixed] == [6, 7]


@pytest.mark.parametrize(("given", "cure"), [
    ("order:=got;", "--set got=..."), ("order:=2*DInput(diA);", "--set diA=..."), ("order:=3;", ""),
    ("ok:=StrToVal(text,order);", "--set text=..."), ("fetch order;", "--set got=..."), ("", "--set order=..."),
])  # fmt: skip
def test_what_would_tell_a_condition_that_the_program_sets_itself(given, cure):
    body = f"{given}\nIF order>5 OR order<-5 MoveJ p1,v100,fine,tool0;"
    after = "PROC fetch(INOUT num into)\norder:=got;\nENDPROC" if "fetch" in given else ""
    text = module(body, "VAR num order;\nVAR num got;\nVAR bool ok;\nVAR string text;", after)
    made = parse(text, "RAPID", world=World({"got": 1.0, "dia": 0.0, "text": "1"})).commands()
    said = next(each for each in made if isinstance(each, Assumed) and "nothing moves" in each.text)
    assert (said.text.rpartition(": ")[2], said.cure) == ("order", cure)
