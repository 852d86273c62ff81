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
CASE 1,3
  PTP {A1 1,A2 -90,A3 90,A4 0,A5 30,A6 0}
CASE 2
  LIN goal
ENDSWITCH
END
"""
    moves, told = run(text)
    assert not moves
    assert "the parameter side is taken to be 0" in [each.text for each in told]
    assert "with what is assumed nothing moves; it would take side (line 1)" in [each.text for each in told]
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
    assert needed == "xStage (line 6), $IN[4] (line 2), GetReady (line 4), TOOL_DATA[2] (line 6)"


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
    moves, _ = run("DEF cell( )\nBAS(#INITMOV,0)\nPDAT_ACT=PDEFAULT\nFDAT_ACT=FDEFAULT\nBAS(#PTP_PARAMS,40)\n"
                   "PTP XHOME C_DIS\nEND\n")  # fmt: skip
    assert (moves[0].pace.share, moves[0].blend.kind, moves[0].blend.radius) == (0.4, "zone", 0.1)


@pytest.mark.parametrize("end", ["{X 1600,Y 0,Z 1500,A 0,B 90,C 0}", "xEnd"])
def test_an_angle_of_a_circle_whose_points_are_not_known_is_no_matter(end):
    _, told = run(f"DEF cell( )\n{HOME}\nCIRC xVia, {end}, CA 90\nEND\n")
    assert not [each for each in told if "CA" in each.text]


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        ("BAS(#INITMOV,)", 2, "BAS is given nothing behind a comma"),
        ("PULSE($OUT[2], TRUE,)", 2, "this is no PULSE"),
        ("$BASE={FRAEM: X 0,Y 0,Z 0,A 0,B 0,C 0}", 2, "there is no type 'FRAEM'"),
    ],
)
def test_slips_of_what_is_given(body, line, told):
    (error,) = parse(f"DEF cell( )\n{body}\nEND\n", "KRL", file="cell.src").errors
    assert (error.place.line, error.problem) == (line, told)


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
    unused = "cuonter is defined here and never used, and counter is used and defined in no file"
    assert (2, unused) in warned("INT cuonter\ncounter=1\ncounter=counter+1")
    assert len(warned("left=1\nlift=2\nleft=3\nXP10=1\nXP10=2\nXP11=3")) == 1  # families
