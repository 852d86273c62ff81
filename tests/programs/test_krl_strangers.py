"""What KRL files of strangers taught: splines as blocks, points without a value, parameters that nobody gives."""

from __future__ import annotations

import pytest

from torsor.motion.commands import Assumed, Move
from torsor.programs import parse, read

HOME = "PTP {A1 0,A2 -90,A3 90,A4 0,A5 30,A6 0}"


def run(text, **more):
    program = parse(text, "KRL", file="cell.src", **more)
    assert not program.errors, program.errors
    made = list(program.commands())
    return [each for each in made if isinstance(each, Move)], [each for each in made if isinstance(each, Assumed)]


def place(z):
    return f"{{X 1500,Y 0,Z {z},A 0,B 90,C 0}}"


def test_settings_of_a_spline_hold_for_its_segments_and_its_last_one_stops():
    text = f"""DEF cell( )
$VEL.CP=0.3
$APO.CDIS=7
{HOME}
SPLINE WITH $VEL.CP=0.1, $APO.CDIS=12
  SPL {place(1500)}
  SLIN {place(1550)} WITH $VEL.CP=0.2
  TRIGGER WHEN PATH=0 DELAY=0 DO $OUT[1]=TRUE
  SLIN {place(1600)}
ENDSPLINE C_SPL
LIN {place(1500)}
SPLINE
  SLIN {place(1400)}
  SLIN {place(1300)}
ENDSPLINE
END
"""
    moves, _ = run(text)
    assert [each.pace.speed for each in moves[1:]] == [0.1, 0.2, 0.1, 0.3, 0.3, 0.3]
    assert [each.blend.kind for each in moves[1:]] == ["speed", "speed", "zone", "stop", "speed", "stop"]
    assert moves[3].blend.radius == 0.012
    assert [each.place.line for each in moves] == [4, 6, 7, 9, 11, 13, 14]


def test_a_spline_that_is_the_end_of_all():
    moves, _ = run(f"DEF cell( )\n{HOME}\nSPLINE\nSLIN {place(1500)}\nENDSPLINE\nEND\n")
    assert [each.kind for each in moves] == ["joint", "line"]


def test_a_point_that_nobody_gave_a_value_is_not_where_the_arm_is():
    moves, told = run(f"DEF cell( )\nFRAME f\n{HOME}\nLIN f\nf={place(1500)}\nLIN f\nf.Z=1600\nLIN f\nEND\n")
    assert [each.place.line for each in moves] == [3, 6, 8]
    assert [each.text for each in told] == ["where f lies is not known: the move is passed over"]


def test_parameters_of_the_routine_it_begins_with_can_be_given():
    text = """DEF cell(side:IN, list[]:IN, goal:IN)
INT side, list[]
E6POS goal
SWITCH side
CASE 3
  PTP {A1 1,A2 -90,A3 90,A4 0,A5 30,A6 0}
CASE 2
  LIN goal
ENDSWITCH
END
"""
    moves, told = run(text)
    assert [each.place.line for each in moves] == [6]  # side would be 1, as arrays begin with 1: then nothing moves
    assert "side is taken to be 3: else nothing moves" in [each.text for each in told]
    text_with_a_move = text.replace("SWITCH", "PTP {A1 0,A2 -90,A3 90,A4 0,A5 30,A6 0}\nSWITCH", 1)
    assert "the parameter side is taken to be 1" in [each.text for each in run(text_with_a_move)[1]]
    assert [each.place.line for each in run(text, world={"side": 3})[0]] == [6]
    assert "where goal lies is not known: the move is passed over" in [
        each.text for each in run(text, world={"side": 2})[1]
    ]


def test_what_is_needed_begins_with_the_points_as_they_are_written():
    text = (
        "DEF cell( )\nIF $IN[4] THEN\nENDIF\nGetReady( )\n$TOOL=TOOL_DATA[2]\nPTP xStage\nWAIT FOR ready OR late\nEND\n"
    )
    _, told = run(text)
    needed = next(each.text for each in told if "nothing moves" in each.text).partition("it would take ")[2]
    assert needed == "xStage (line 6), GetReady (line 4), $IN[4] (line 2), TOOL_DATA[2] (line 6)"


def test_the_file_that_is_named_first_is_the_program(tmp_path):
    for name, axis in (("aaa", 1), ("job", 2), ("zzz", 3)):
        body = f"DEF {name}( )\nPTP {{A1 {axis},A2 -90,A3 90,A4 0,A5 30,A6 0}}\nEND\n"
        (tmp_path / f"{name}.src").write_text(body)
    files = [tmp_path / f"{name}.src" for name in ("job", "zzz", "aaa")]
    (move,) = [each for each in read(files).commands() if isinstance(each, Move)]
    assert move.place.file.endswith("job.src")
    (move,) = [each for each in read(tmp_path).commands() if isinstance(each, Move)]
    assert move.place.file.endswith("aaa.src")


def test_data_of_inline_forms_as_controllers_are_delivered():
    text = """DEF cell( )
BAS(#INITMOV,0)
$APO.CDIS=2
PDAT_ACT=PDEFAULT
FDAT_ACT=FDEFAULT
BAS(#PTP_PARAMS,40)
PTP XHOME
LIN {X 1500,Y 0,Z 1500,A 0,B 90,C 0} C_DIS
END
"""
    moves, _ = run(text)
    assert (moves[0].pace.share, moves[1].blend.radius) == (0.4, 0.002)


@pytest.mark.parametrize("end", ["{X 1600,Y 0,Z 1500,A 0,B 90,C 0}", "xEnd"])
def test_an_angle_of_a_circle_whose_points_are_not_known_is_no_matter(end):
    _, told = run(f"DEF cell( )\n{HOME}\nCIRC xVia, {end}, CA 90\nEND\n")
    assert not [each for each in told if "CA" in each.text]


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        ("BAS(#VEL_PTP,30,2)", 2, "BAS takes 1 to 2 values, not 3"),
        ("BAS(#INITMOV,)", 2, "BAS is given nothing behind a comma"),
        ("PULSE($OUT[2], TRUE,)", 2, "this is no PULSE"),
        ("BSA(#VEL_PTP,30)", 2, "there is no instruction or subprogram 'BSA'"),
        ("TRIGGER WHEN PATH=0 DELAY=0 DO PUSLE($OUT[1],TRUE,1)", 2, "there is no instruction 'PUSLE'"),
        ("$BASE={FRAEM: X 0,Y 0,Z 0,A 0,B 0,C 0}", 2, "there is no type 'FRAEM'"),
    ],
)
def test_slips_of_what_is_given(body, line, told):
    (error,) = parse(f"DEF cell( )\n{body}\nEND\n", "KRL", file="cell.src").errors
    assert (error.place.line, error.problem) == (line, told)


@pytest.mark.parametrize(("opened", "closed"), [("LOOP", "ENDWHILE"), ("WHILE a", "ENDLOOP"), ("LOOP", "")])
def test_a_loop_is_closed_by_its_own_word(opened, closed):
    errors = parse(f"DEF cell( )\nBOOL a\n{opened}\nHALT\n{closed}\nEND\n", "KRL", file="cell.src").errors
    word = opened.split()[0]
    assert (3, f"{word} is never closed", f"add END{word}") in [
        (each.place.line, each.problem, each.hint) for each in errors
    ]


PARAMETERS = """DEF cell( )
  look(1, 2)
END
DEF look({}:IN, speed:IN)
  INT {}
  REAL speed
  $VEL.CP=speed
  $OUT[{}]=TRUE
END
"""


def test_a_parameter_and_its_declaration_have_one_name():
    assert not parse(PARAMETERS.format("channel", "channel", "channel"), "KRL").errors
    (error,) = parse(PARAMETERS.format("chanel", "channel", "channel"), "KRL").errors
    assert (error.place.line, error.problem) == (4, "the parameter chanel is declared nowhere")
    (error,) = parse(PARAMETERS.format("channel", "chanenl", "channel"), "KRL").errors
    assert (error.place.line, error.problem) == (5, "the parameter channel is declared as chanenl")


def warned(body):
    found = parse(f"DEF cell( )\n{body}\nEND\n", "KRL", file="cell.src").warnings
    return [(each.place.line, each.problem) for each in found]


def test_names_that_no_file_defines_are_compared_with_each_other():
    """Of a file alone most names are defined elsewhere: one that is written once, another that is written often."""
    alone = "{} is defined in no file and stands here alone, other than {}".format
    assert (4, alone("gripCloesd", "gripClosed")) in warned(
        "gripClosed=TRUE\nmark=1\nmark=gripCloesd\ngripClosed=FALSE"
    )
    assert (3, alone("gripCloesd", "gripClosed")) in warned("x=gripClosed\nWAIT FOR gripCloesd\nx=gripClosed")
    assert (4, alone("vector3dtyep", "vector3dtype")) in warned(
        "DECL VECTOR3DTYPE a\nDECL VECTOR3DTYPE b\nDECL VECTOR3DTYEP c"
    )
    body = "TRIGGER WHEN PATH=ArcPath(1) DELAY=0 DO on()\nTRIGGER WHEN PATH=ArcPath(1) DELAY=ArcPtah(2) DO on()"
    assert (3, alone("ArcPtah", "ArcPath")) in warned(body)
    unused = "cuonter is defined here and never used, and counter is used and defined in no file"
    assert (2, unused) in warned("INT cuonter\ncounter=1\ncounter=counter+1")
    assert len(warned("left=1\nlift=2\nleft=3\nXP10=1\nXP10=2\nXP11=3")) == 1  # families


def axis(n):
    return f"PTP {{A1 {n},A2 -90,A3 90,A4 0,A5 30,A6 0}}"


def first_axes(moves):
    return [round(each.target.q[0] * 180 / 3.141592653589793, 9) for each in moves]


def test_characters_are_numbers_and_halves_are_rounded_up():
    text = f"""DEF cell( )
INT n
CHAR t[5], c
t[]="A7"
n=t[2]
n=n-48
{axis("n")}
c="B"
IF c==66 THEN
  {axis(1)}
ENDIF
SWITCH t[1]
CASE 66
  {axis(2)}
CASE 65
  {axis(3)}
ENDSWITCH
n=2.5
{axis("n")}
n=-2.5
{axis("n")}
END
"""
    assert first_axes(run(text)[0]) == [7.0, 1.0, 3.0, 3.0, -3.0]


SIGNALS = f"""DEF cell( )
SIGNAL job $IN[1] TO $IN[8]
SIGNAL shown $OUT[1] TO $OUT[8]
SWITCH job
CASE 0
  {axis(1)}
CASE 3
  {axis(2)}
ENDSWITCH
IF shown<>0 THEN
  HALT
ENDIF
shown=job+1
IF shown==4 THEN
  {axis(3)}
ENDIF
END
"""


def test_several_inputs_together_are_a_number():
    moves, told = run(SIGNALS)
    assert first_axes(moves) == [1.0]
    assert [each.text for each in told] == ["$IN[1..8] is taken to be 0"]
    assert first_axes(run(SIGNALS, world={"job": 3})[0]) == [2.0, 3.0]
    assert first_axes(run(SIGNALS, world={"$IN[1..8]": 3})[0]) == [2.0, 3.0]


def test_inverse_and_forward_are_of_the_arm():
    import torsor

    text = """DEF cell( )
INT err
E6AXIS a
E6POS p
$TOOL={X 0,Y 0,Z 100,A 0,B 0,C 0}
$BASE={X 100,Y 0,Z 0,A 90,B 0,C 0}
PTP {A1 10,A2 -80,A3 90,A4 20,A5 45,A6 5}
p=FORWARD($AXIS_ACT,err)
p.X=p.X+50
a=INVERSE(p,$AXIS_ACT,err)
PTP a
LIN p
END
"""
    program = parse(text, "KRL", file="cell.src")
    arm = torsor.load("kr210-r2700-2")
    first, second, third = [each for each in program.commands(arm=arm) if isinstance(each, Move)]
    tool = 0.1
    begin, end = (arm.pose(each.target.q) for each in (first, second))
    tips = [T[:3, 3] + tool * T[:3, 2] for T in (begin, end)]
    assert tips[1] - tips[0] == pytest.approx([0.0, 0.05, 0.0], abs=1e-9)  # x of the base is y of the world
    assert third.target.position == pytest.approx(tips[1], abs=1e-9)
    told = [each.text for each in program.commands() if isinstance(each, Assumed)]
    assert any("takes an arm to tell" in each for each in told)


def test_the_override_is_all_where_nobody_sets_it():
    assert first_axes(run(f"DEF cell( )\nINT n\nn=10*$OV_PRO/100\n{axis('n')}\nEND\n")[0]) == [10.0]


def test_arrays_of_two_dimensions_are_handed_over_whole():
    text = f"""DEF cell( )
REAL t[2,3], sum
t[1,2]=3
t[2,3]=4
sum=0
total(t[,], sum)
{axis("sum+t[1,1]")}
END
DEF total(m[,]:OUT, s:OUT)
REAL m[,], s
INT i,k
FOR i=1 TO 2
  FOR k=2 TO 3
    IF m[i,k]>0 THEN
      s=s+m[i,k]
    ENDIF
  ENDFOR
ENDFOR
m[1,1]=10
END
"""
    assert first_axes(run(text)[0]) == [17.0]


def test_numbers_that_controllers_are_delivered_with():
    moves, told = run(f"DEF cell( )\n$VEL.CP=DEF_VEL_CP/4\n{HOME}\nLIN {place(1500)}\nEND\n")
    assert moves[1].pace.speed == 0.5
    assert "DEF_VEL_CP is in no file: it is taken to be as KUKA delivers it, 2" in [each.text for each in told]


DATA = """DEFDAT cell( )
DECL E6POS XP1={X 1400.0,Y 200.0,Z 900.0,A 10.0,B 80.0,C 10.0,S 18,T 2,E1 0.0}
DECL FDAT FP1={TOOL_NO 0,BASE_NO 1,IPO_FRAME #BASE,POINT2[] " "}
DECL LDAT LC={VEL 2.0,ACC 100.0,APO_DIST 30.0,AXIS_VEL 100.0,AXIS_ACC 50.0,ORI_TYP #VAR}
DECL MACHINE_FRAME_T MACHINE_FRAME_DAT[2]
MACHINE_FRAME_DAT[1]={MACH_DEF_INDEX 2,PARENT[] "TABLE"}
DECL MACHINE_DEF_T MACHINE_DEF[2]
MACHINE_DEF[2]={NAME[] "TABLE",ROOT {X 10,Y 20,Z 30,A 0,B 0,C 0},MECH_TYPE #EASYS}
DECL FRAME BASE_DATA[2]
BASE_DATA[1]={X 1,Y 1,Z 1,A 0,B 0,C 0}
ENDDAT
"""


def test_a_base_that_a_machine_beside_the_arm_carries():
    text = f"""DEF cell( )
BAS(#INITMOV,0)
{HOME}
SLIN XP1 WITH $VEL=SVEL_CP(0.4,,LC), $TOOL=STOOL2(FP1), $BASE=EK(K_ROOT(FP1.BASE_NO),K_TYPE(FP1.BASE_NO),\
K_OFFS(FP1.BASE_NO)), $ACC=SACC_CP(LC), $EX_AX_IGNORE=S_EXAX_IGN(LC), $APO=SAPO(LC) C_SPL
END
{DATA}""".replace("\\\n", "")
    moves, told = run(text)
    assert moves[1].target.position == pytest.approx((1.411, 0.221, 0.931))
    assert (moves[1].pace.acceleration, moves[1].blend.radius) == (pytest.approx(1.15), 0.03)
    assert any(each.text.startswith("EK: the base is taken to lie") for each in told)
    assert any("DEF_ACC_CP are in no file" in each.text for each in told)


def test_data_of_a_program_is_its_own(tmp_path):
    at = "{{X 1500,Y {},Z 1500,A 0,B 90,C 0}}".format
    texts = {
        "a.src": "DEF a( )\nPTP XP1\nPTP XP2\nPTP XP3\nPTP XP4\nb( )\nEND\n",
        "b.src": "DEF b( )\nPTP XP1\nEND\n",
        "b.dat": f"DEFDAT b PUBLIC\nDECL E6POS XP1={at(1)},XP4={at(9)}\nDECL GLOBAL E6POS XP2={at(2)}\nENDDAT\n",
        "c.dat": f"DEFDAT c PUBLIC\nDECL E6POS XP4={at(4)}\nENDDAT\n",
        "$config.dat": f"DEFDAT $CONFIG\nE6POS XP3={at(3)}\nENDDAT\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    program = read([tmp_path / name for name in texts])
    assert not program.errors
    assert [each.problem for each in program.warnings] == ["XP1 is known in another module alone"]
    made = list(program.commands())
    moves = [each for each in made if isinstance(each, Move)]
    assert [round(1000 * each.target.position[1]) for each in moves] == [2, 3, 4, 1]
    assert "where XP1 lies is not known: the move is passed over" in [
        each.text for each in made if isinstance(each, Assumed)
    ]


def test_a_channel_of_the_configuration_is_read():
    source = "DEFDAT $CONFIG PUBLIC\nCHANNEL :SER_1 :SER_1 $SER_1\nENDDAT"
    assert not parse(source, "KRL", file="$config.dat").errors
