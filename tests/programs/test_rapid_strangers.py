"""RAPID as strangers' cells have it: menus, servers that went home first, states, conveyors, seams."""

from __future__ import annotations

from torsor.motion.commands import Assumed, Move
from torsor.programs import parse

POINT = "[[{0},0,400],[0,0,1,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"
DATA = f"CONST robtarget p1:={POINT.format(400)};\nCONST robtarget p2:={POINT.format(450)};\n"


def commands(body, data="", after="", world=None, **more):
    program = parse(f"MODULE m\n{DATA}{data}\nPROC main()\n{body}\nENDPROC\n{after}\nENDMODULE", "RAPID", world=world)
    assert not program.errors, program.errors
    return list(program.commands(**more))


def lines(made):
    return [each.place.line for each in made if isinstance(each, Move)]


def told(made):
    return {each.place.line: (each.text, each.cure) for each in made if isinstance(each, Assumed)}


MENU = """MoveJ p1,v100,fine,tool0;
WHILE n<>-1 DO
MoveL Offs(p2,0,-20*n,0),v100,fine,tool0;
TPReadFK key,"another one?","yes","no",stEmpty,stEmpty,stEmpty;
IF key=1 THEN
n:=n+1;
ELSE
n:=-1;
ENDIF
ENDWHILE
MoveL p1,v100,fine,tool0;"""


def test_a_loop_that_goes_on_for_as_long_as_an_operator_says_so_is_left():
    made = commands(MENU, "VAR num n;\nVAR num key;")
    assert lines(made) == [7, 9, 17]
    assert "no file tells when this loop ends: it is left after 1 round" in told(made)[8][0]
    assert lines(commands(MENU, "VAR num n;\nVAR num key;", cycles=3)) == [7, 9, 9, 9, 17]


def test_an_operator_who_is_told_ends_a_loop():
    assert lines(commands(MENU, "VAR num n;\nVAR num key;", world={"key": [1, 1, 2]})) == [7, 9, 9, 9, 17]


def test_a_loop_that_counts_behind_no_answer_is_run_to_its_end():
    assert len(lines(commands(MENU.replace("n<>-1", "n<5").replace("key=1", "n>=0"), "VAR num n;\nVAR num key;"))) == 7


def test_a_loop_that_a_message_ends_is_left():
    body = """WHILE listen DO
SocketReceive s\\Str:=got;
IF got="bye" THEN
listen:=FALSE;
ENDIF
MoveL Offs(p1,0,n,0),v100,fine,tool0;
n:=n+1;
ENDWHILE"""
    made = commands(body, "VAR string got;VAR num n;VAR bool listen:=TRUE;VAR socketdev s;")
    assert len(lines(made)) == 100
    assert told(made)[6][0] == "no file tells when this loop ends: it is left after 100 rounds"


def test_a_letter_that_says_of_what_sort_data_is_is_no_slip_of_a_speed():
    assert lines(commands("TPWrite NumToStr(zMax,0);\nMoveL p1,v100,fine,tool0;")) == [7]


def test_a_server_that_went_home_says_which_condition_its_moves_stand_behind():
    body = 'MoveJ p1,v100,fine,tool0;\nWHILE TRUE DO\nIF order="cup" THEN\nserve;\nENDIF\nWaitTime 0.1;\nENDWHILE'
    made = commands(body, 'PERS string order:="";', "PROC serve()\nMoveL p2,v100,fine,tool0;\nENDPROC")
    assert lines(made) == [6]
    text, cure = told(made)[8]
    assert text == 'order = "cup" does not hold in this loop: moves that stand behind it are not run'
    assert cure == "--set order=..."


def test_a_loop_that_waits_with_moves_in_it_says_which_condition_they_stand_behind():
    body = """MoveJ p1,v100,fine,tool0;
WHILE flag>-1 DO
IF flag=1 MoveL p2,v100,fine,tool0;
WaitTime 1;
ENDWHILE"""
    assert "flag = 1 does not hold in this loop" in told(commands(body, "VAR num flag;"))[8][0]


STATES = """TEST state
CASE 0:
MoveJ p1,v100,fine,tool0;
state:=1;
CASE 1:
MoveL p2,v100,fine,tool0;
state:=2;
ENDTEST"""


def test_a_program_of_states_is_begun_again():
    made = commands(STATES, "VAR num state;")
    assert lines(made) == [8]
    text, cure = told(made)[6]
    assert text.startswith("main ends with state = 1, and began with 0")
    assert cure == "--cycles 10"
    again = commands(STATES, "VAR num state;", cycles=10)
    assert lines(again) == [8, 11]
    assert not told(again)
    assert lines(commands("MoveJ p1,v100,fine,tool0;", cycles=10)) == [6]


def test_what_is_asked_or_set_before_it_is_tested_is_no_state():
    asked = 'TPReadFK state,"what?","a","b",stEmpty,stEmpty,stEmpty;\n' + STATES
    assert 7 not in told(commands(asked, "VAR num state;"))
    assert 7 not in told(commands("state:=0;\n" + STATES, "VAR num state;"))


def test_a_work_object_on_a_conveyor_is_said_to_stand_still():
    belt = 'PERS wobjdata w:=[FALSE,FALSE,"CNV1",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]];'
    made = commands("MoveL p1,v100,fine,tool0\\WObj:=w;\nMoveL p2,v100,fine,tool0\\WObj:=w;", belt)
    assert told(made) == {6: ("the work object is moved by CNV1, which is taken to stand still", "")}


def test_seams_are_said_to_go_at_the_speed_of_their_moves():
    data = "PERS welddata w1:=[8,0,[0,0],[0,0]];\nPERS seamdata s1:=[0,0];"
    made = commands("ArcLStart p1,v100,s1,w1,fine,tool0;\nArcLEnd p2,v100,s1,w1,fine,tool0;", data)
    assert told(made)[8][0].endswith("not at the 8 mm/s of their welddata")


def test_waits_look_as_often_as_they_are_told():
    program = parse("MODULE m\nPROC main()\nWaitUntil DInput(di1)=1\\PollRate:=0.01;\nENDPROC\nENDMODULE", "RAPID")
    assert not [each for each in program.diagnostics if "PollRate" in each.problem]


def test_functions_that_every_controller_has_are_in_no_file():
    body = """IF StrDigCmp("9",LT,"10") AND NOT GetNextMechUnit(n,s) MoveL p1,v100,fine,tool0;
IF DecToHex("31")="1F" AND HexToDec("1F")="31" AND Rand()=0 MoveL p2,v100,fine,tool0;"""
    made = commands(body, "VAR num n;VAR string s;")
    assert lines(made) == [6, 7]
    assert not any("in no file" in text for text, _ in told(made).values())


def test_numbers_that_no_file_has_are_said_to_be_numbers():
    body = """MoveL Offs(p1,0,0,up),v100,fine,tool0;
MoveL RelTool(pX,0,0,9),v100,fine,tool0;
WaitTime tHold;"""
    made = told(commands(body))
    assert made[6] == (
        "where Offs(p1...) lies hangs on up, which is not known: the move is passed over",
        "--set up=...",
    )
    assert made[7][0] == "where pX lies is not known: the move is passed over"
    assert made[8] == ("tHold is not known: this wait takes no time", "--set tHold=...")


def test_an_axis_of_a_conveyor_is_moved_by_no_point():
    points = "".join(
        f"CONST robtarget c{k}:=[[4{k}0,0,400],[0,0,1,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,{k}]];" for k in (1, 2)
    )
    body = "MoveL c1,v100,fine,tool0;\nMoveL c2,v100,fine,tool0;"
    assert "eax_f moves here" in told(commands(body, points))[7][0]
    made = told(commands("WaitWObj wCnv;\n" + body, points))
    assert made[8][0] == "the external axis eax_f is taken to be the conveyor's, which no point moves"


def test_names_of_the_controller_are_defined_in_no_file_of_anybody():
    made = told(commands("IF EGMGetState(id)<=EGM_STOP_HOLD MoveL p1,v100,fine,tool0;", "VAR egmident id;"))
    assert any("EGM_STOP_HOLD is the controller's own" in text for text, _ in made.values())


def test_what_is_compared_with_the_mode_of_the_controller_has_its_numbers():
    body = "IF RunMode()=RUN_CONT_CYCLE MoveL p1,v100,fine,tool0;\nIF OpMode()<>OP_AUTO MoveL p2,v100,fine,tool0;"
    made = commands(body)
    assert lines(made) == [6]
    assert not any("RUN_CONT_CYCLE" in text for text, _ in told(made).values())


def test_conditions_on_arrays_are_told_as_they_are_written():
    body = "MoveJ p1,v100,fine,tool0;\nWHILE TRUE DO\nIF order{2}=1 MoveL p2,v100,fine,tool0;\nWaitTime 1;\nENDWHILE"
    text, _ = told(commands(body, "PERS num order{2}:=[0,0];"))[8]
    assert text.startswith("order{2} = 1 does not hold in this loop")


def test_a_point_without_its_displacement():
    """ORobT: where it lies in the work object; the move itself is displaced again."""
    body = """PDispSet [[0,50,0],[1,0,0,0]];
MoveL p1,v100,fine,tool0;
PDispOff;
MoveL back,v100,fine,tool0;
PDispSet [[0,50,0],[1,0,0,0]];
back:=ORobT(p1);
PDispOff;
MoveL back,v100,fine,tool0;
PDispSet [[0,50,0],[1,0,0,0]];
back:=ORobT(p1\\InPDisp);
PDispOff;
MoveL back,v100,fine,tool0;"""
    made = [
        each
        for each in commands(body, "VAR robtarget back:=[[400,0,400],[0,0,1,0],[0,0,0,0],[0,0,0,0,0,0]];")
        if isinstance(each, Move)
    ]
    assert [each.target.position[1] for each in made] == [0.05, 0.0, 0.05, 0.0]


def test_bytes_are_said_as_the_manual_has_it():
    body = """a:=ByteToStr(122)+ByteToStr(122\\Hex)+ByteToStr(122\\Okt)+ByteToStr(122\\Bin)+ByteToStr(122\\Char);
IF a="1227A17201111010z" MoveL p1,v100,fine,tool0;
IF StrToByte("10")=10 AND StrToByte("7A"\\Hex)=122 AND StrToByte("z"\\Char)=122 MoveL p2,v100,fine,tool0;"""
    assert lines(commands(body, "VAR string a;")) == [7, 8]


def test_points_of_another_file_are_no_slips_of_speeds():
    """p100 where a point is needed, b200 where a speed is."""
    text = f"MODULE m\n{DATA}VAR robtarget p;\nPROC main()\nMoveL {{0}},{{1}},z50,tool0;\np:=p200;\nENDPROC\nENDMODULE"
    problems = [each.problem for each in parse(text.format("p100", "v100"), "RAPID").errors]
    assert not problems
    (error,) = parse(text.format("p100", "b100"), "RAPID").errors
    assert (error.problem, error.hint) == ("there is no name 'b100'", "did you mean 'v100'?")


def problems(body, data="", after=""):
    text = f"MODULE m\n{DATA}{data}\nPROC main()\n{body}\nENDPROC\n{after}\nENDMODULE"
    return [(each.severity, each.place.line, each.problem) for each in parse(text, "RAPID").diagnostics]


def test_what_only_passes_by_is_held_to_what_the_files_have():
    """In texts that are shown and in sockets: functions of the program, what they are given, and data."""
    after = "FUNC string shown(num a)\nRETURN NumToStr(a,1);\nENDFUNC"
    assert problems("TPWrite shown(1);", after=after) == []
    assert problems("TPWrite shown(1,2);", after=after)[0][1:] == (6, "shown takes 1 value, not 2")
    assert problems("TPWrite shwon(1);", after=after)[0][1:] == (
        6, "there is no function 'shwon', and shown (line 8) is never used")  # fmt: skip
    (found,) = problems("SocketCreate temp_sockem;\nSocketClose temp_socket;", "VAR socketdev temp_socket;")
    assert found == ("warning", 6, "temp_sockem is defined in no file and stands here alone, other than temp_socket")


def test_names_of_the_controller_that_are_misspelt():
    assert problems("IF ERRNO=ERR_SOCK_TIMOUT RETURN;")[0][2] == "the controller has no 'ERR_SOCK_TIMOUT'"
    assert problems("EGMStop id,EGMSTOP_HOLD;")[0][2] == "there is no name 'EGMSTOP_HOLD'"
    assert problems("IF ERRNO=ERR_MY_OWN RETURN;", "VAR errnum ERR_MY_OWN:=-1;") == []
    assert problems("x:=CRobT(\\Tol:=tool0);", "VAR robtarget x;")[0][2] == "CRobT has no option Tol here"


def test_a_name_that_begins_as_one_of_the_controller_is_looked_for():
    assert problems("run_stats:=1;\nrun_stats:=2;")[0][2] == "run_stats is defined in no file"
    assert problems("run_statu:=TRUE;", "VAR bool run_status;")[0][0] == "error"


def test_an_array_is_given_as_many_values_as_it_has():
    assert problems("a:=[0,0,0];", "VAR num a{4}:=[0,0,0,0];")[0][2] == (
        "a is declared with 4 elements, and 3 are written")  # fmt: skip
    (found,) = problems("", "PERS seamdata s:=[0.2,00,[0,0]];")
    assert found == ("warning", 4, "a number begins with 0: 00")
    assert problems("", "PERS num s{2}:=[01,02];") == []


def test_a_type_that_may_have_been_one_of_two():
    text = "MODULE m\nVAR nnum a;\nENDMODULE"
    (error,) = parse(text, "RAPID").errors
    assert (error.problem, error.hint) == ("there is no type 'nnum'", "did you mean 'dnum' or 'num'?")


def test_routines_are_indented_from_their_first_word():
    """Else every one of them counts as indented askew, and nothing is told by indentation."""
    body = """    IF reg1=1 THEN
      MoveL p1,v100,fine,tool0;
      IF reg2=1 THEN
        MoveL p2,v100,fine,tool0;
    ENDIF"""
    routines = "\n".join(f"  LOCAL PROC r{k}()\n    reg1:=1;\n  ENDPROC" for k in range(4))
    text = f"MODULE m\n  PROC main()\n{body}\n  ENDPROC\n{routines}\nENDMODULE"
    assert [(each.place.line, each.problem) for each in parse(text, "RAPID").errors] == [(5, "IF is never closed")]


def test_labels_behind_what_could_not_be_read_are_not_missed():
    errors = parse("MODULE m\nPROC main()\nGOTO on;\non WaitTime 1;\nENDPROC\nENDMODULE", "RAPID").errors
    assert [each.place.line for each in errors] == [4]


def test_numbers_to_the_base_of_eight():
    assert lines(commands("IF n=15 MoveL p1,v100,fine,tool0;", "VAR num n:=0o17;")) == [6]


def test_the_arm_of_another_task_is_said_to_be_this_one():
    body = 'MoveL p1,v100,fine,tool0;\nx:=CRobT(\\TaskName:="T_ROB2");\nx:=CRobT(\\TaskRef:=T_ROB3Id);'
    made = told(commands(body, "VAR robtarget x;"))
    assert made[7][0] == "T_ROB2 is taken to be the task of this arm"
    assert made[8][0] == "T_ROB3Id is taken to be the task of this arm"


def test_texts_that_are_waited_for_are_told_as_they_are_written():
    made = told(commands('WaitUntil got=["a","b"];\nMoveL p1,v100,fine,tool0;', "PERS string got{2};"))
    assert made[6][0].startswith('got = ["a", "b"] is waited for')


def test_parts_that_a_record_has_not():
    """Also where nothing is run; of records of other files nothing is known."""
    data = "RECORD box\nnum id;\nrobtarget plcae;\nENDRECORD\nVAR box b;\nVAR other o;"
    after = "PROC never(robtarget r)\nb.place:=r;\nr.trasn.x:=o.any;\nENDPROC"
    assert [each[1:] for each in problems("", data, after) if each[0] == "error"] == [
        (14, "a box has no part 'place', and plcae (line 6) is never used"),
        (15, "a robtarget has no part 'trasn'"),
    ]


def test_a_label_and_its_only_jump_are_told_together():
    assert problems("again:\nMoveL p1,v100,fine,tool0;\nGOTO agian;")[0][1:] == (
        8, "there is no label agian, and nothing jumps to again (line 6)")  # fmt: skip


def test_a_trap_that_nothing_connects():
    (found,) = problems("CONNECT i1 WITH urp;", "VAR intnum i1;", "TRAP trp\nENDTRAP")[:1]
    assert found == ("error", 6, "there is no trap 'urp'")


def test_conditions_over_several_lines_are_blamed_where_they_go_wrong():
    body = "IF reg1=1 AND\n  reg2=2 ANt reg3=3 THEN\nStop;\nENDIF"
    assert problems(body)[0][1] == 7
    assert problems(body.replace("ANt", "AND").replace("THEN", "TEHN"))[0][1] == 7
    assert problems("IF reg1=1\n  OR reg2=2 TEHN\nStop;\nENDIF")[0][1] == 7


def test_signals_and_parts_that_stand_once_beside_their_like():
    """No file declares them, so that it is a remark; diPart and doPart are two."""
    body = "SetDO doGripper,1;\nSetDO doGripper,0;\nSetDO doGirpper,1;\nWaitDI diGripper,1;"
    assert problems(body) == [("warning", 8, "doGirpper stands here alone, and doGripper elsewhere")]
    body = 'IF Baz.Cycle="A" Stop;\nIF Baz.Cycle="B" Stop;\nIF Baz.Cyce="C" Stop;'
    assert ("warning", 8, "Cyce stands here alone, and Cycle elsewhere") in problems(body)
    (warning, *_) = problems("other.offrame.trans.x:=1;")
    assert warning[2] == "offrame stands here alone, and is a part of no record that is known"


def test_data_that_begins_as_names_of_the_controller_is_looked_for():
    data = "CONST egm_minmax egm_minmax_lin1:=[-1,1];"
    body = "EGMRunPose id,EGM_STOP_HOLD\\x:=egm_minmax_lin1\\y:=egm_mnimax_lin1;"
    assert problems(body, data)[0] == ("error", 6, "there is no name 'egm_mnimax_lin1'")
    assert problems("IF ERRNO=ERR_AO_LIM OR ERRNO=ERR_GO_LIM RETURN;") == []
    assert problems("IF tool0.tfrmae.trans.x=0 RETURN;")[0][2] == "a tooldata has no part 'tfrmae'"


def test_of_several_orders_the_first_is_named():
    body = """MoveJ p1,v100,fine,tool0;
WHILE TRUE DO
IF order=1 THEN
MoveL p2,v100,fine,tool0;
ELSEIF order=2 THEN
MoveL p1,v100,fine,tool0;
ENDIF
WaitTime 0.1;
ENDWHILE"""
    assert told(commands(body, "PERS num order:=0;"))[8][0].startswith("order = 1 does not hold in this loop")
