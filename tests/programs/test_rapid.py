"""RAPID: what its words mean, held against numbers by hand and frames computed another way."""

from __future__ import annotations

from math import cos, pi, radians, sin
from pathlib import Path

import numpy as np
import pytest

from torsor.model.transforms import rotation_quaternion
from torsor.motion.commands import Assumed, Endless, Joints, Move, Payload, Pose, Tool
from torsor.programs import ProgramError, parse, read

CELL = Path(__file__).parent / "cells" / "pallet.mod"
POINT = "[[{0},{1},{2}],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"


def run(body, data="", **more):
    text = f"MODULE m\n{data}\nPROC main()\n{body}\nENDPROC\nENDMODULE"
    program = parse(text, "RAPID", **more)
    assert not program.errors, program.errors
    return list(program.commands())


def moves(commands):
    return [command for command in commands if isinstance(command, Move)]


def point(x=0, y=0, z=0):
    return POINT.format(x, y, z)


def test_a_cell():
    commands = list(read(CELL).commands())
    made = moves(commands)
    assert [move.place.line for move in made] == [18, 33, 34, 37, 43, 33, 34, 37, 43, 26, 27]
    assert [move.kind for move in made[:4]] == ["joint", "joint", "line", "line"]
    assert isinstance(made[0].target, Joints)
    assert made[0].target.q[4] == pytest.approx(radians(30))
    assert [round(1e3 * move.pace.speed) for move in made] == [500, 1000, 150, 300, 100, 1000, 150, 300, 100, 5000, 150]
    assert [move.blend.radius for move in made[:4]] == [None, 0.02, None, 0.01]
    assert {move.pace.acceleration_share for move in made} == {0.8}
    # the tray: T = uframe oframe p, with the quaternion's matrix by hand
    T = np.eye(4)
    T[:3, :3] = np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0]])
    T[:3, 3] = 400, 150, 300
    p = T @ [0, 0, 20, 1] + np.r_[T[:3, :3] @ [30, 0, 0], 0]
    assert made[4].target.position == pytest.approx(p[:3] / 1e3)
    assert [command.text for command in commands if isinstance(command, Assumed)] == [
        "the signal diHeld is taken to become 1"
    ]


def test_what_the_world_tells_is_not_assumed():
    commands = read(CELL, world={"diHeld": 1}).commands()
    assert not [command for command in commands if isinstance(command, Assumed)]


def test_tool_and_load_are_one_payload():
    payloads = [command for command in read(CELL).commands() if isinstance(command, Payload)]
    assert [round(payload.mass, 9) for payload in payloads[:3]] == [1.5, 3.5, 1.5]
    held = payloads[1]  # the tool's centre is in axes of the flange, the part's in those of the tool
    assert held.frame == "flange"
    assert held.com == pytest.approx((0, 0, (1.5 * 0.04 + 2.0 * 0.13) / 3.5))
    apart = 0.13 - 0.04
    assert held.inertia[0, 0] == pytest.approx(0.002 + 1.5 * 2.0 / 3.5 * apart**2)


@pytest.mark.parametrize(
    ("target", "position", "turned"),
    [
        (f"Offs({point(100)},1,2,3)", (0.101, 0.002, 0.003), 0.0),
        (f"RelTool({point(0, 50)},0,0,10\\Rz:=90)", (0.0, 0.05, 0.01), 90.0),
        ("[[0,0,0],OrientZYX(30,0,0),[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]", (0, 0, 0), 30.0),
    ],
)
def test_targets(target, position, turned):
    (move,) = moves(run(f"MoveL {target}, v100, fine, tool0;"))
    assert move.target.position == pytest.approx(position, abs=1e-12)
    angle = radians(turned)
    assert move.target.rotation[:2, :2] == pytest.approx(
        np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]), abs=1e-12
    )


def test_displacement_and_speed_limits():
    body = f"""
    PDispSet [[10,0,0],[0.70710678,0,0,0.70710678]];
    VelSet 50, 80;
    MoveL {point(100)}, v100, z10, tool0;
    PDispOff;
    MoveL {point(100)}, v500, z0, tool0;
    """
    first, second = moves(run(body))
    assert first.target.position == pytest.approx((0.01, 0.1, 0), abs=1e-9)
    assert (first.pace.speed, second.pace.speed) == (0.05, 0.08)
    assert first.pace.turn == pytest.approx(radians(250))
    assert (first.blend.radius, second.blend.radius) == (0.01, 0.0003)


def test_circles_and_process_moves():
    body = f"""
    MoveC {point(1)}, {point(2)}, v100, z1, tool0;
    ArcLStart {point(3)}, v200, seam1, weld1, z5, tool0;
    TriggL {point(4)}, v200, trigg1, fine, tool0;
    SpotL {point(5)}, v200, spot1, tool0;
    SearchL\\Stop, di1, pFound, {point(6)}, v50, tool0;
    MoveL pFound, v50, fine, tool0;
    """
    made = moves(run(body, "VAR robtarget pFound;"))
    assert [move.kind for move in made] == ["circle", *["line"] * 5]
    assert [round(1e3 * move.target.position[0]) for move in made] == [2, 3, 4, 5, 6, 6]
    assert made[0].via[0].position[0] == 0.001


def test_flow():
    body = f"""
    VAR num x := 0;
    FOR i FROM 3 TO 1 STEP -1 DO
      TEST i
      CASE 1, 2:
        x := x + i;
      DEFAULT:
        GOTO skip;
      ENDTEST
      IF x = 2 AND NOT (i = 1) THEN
        MoveL Offs({point()},x,0,0), v10, fine, tool0;
      ELSEIF x > 100 THEN
        Stop;
      ELSE
        MoveL Offs({point()},0,x,0), v10, fine, tool0;
      ENDIF
      skip:
    ENDFOR
    %"Late"% 7;
    """
    late = f"PROC Late(num y)\nMoveL Offs({point()},0,0,y), v10, fine, tool0;\nENDPROC"
    made = moves(run(body, late))
    assert [move.target.position for move in made] == [(0.002, 0, 0), (0, 0.003, 0), (0, 0, 0.007)]


def test_arguments():
    data = """
    VAR num total := 1;
    VAR robtarget spots{2};
    PROC Change(INOUT num n, VAR robtarget p \\num add | switch twice)
      IF Present(add) n := n + add;
      IF Present(twice) n := 2 * n;
      p.trans.x := n;
    ENDPROC
    PROC Pass(\\num add)
      Change total, spots{2} \\add?add;
    ENDPROC
    FUNC num Half(num x)
      RETURN x / 2;
    ENDFUNC
    """
    body = f"""
    spots{{2}} := {point()};
    Change total, spots{{2}} \\add:=5;
    Pass \\add:=10;
    Pass;
    Change total, spots{{2}} \\twice;
    MoveL Offs(spots{{2}}, 0, Half(total), 0), v10, fine, tool0;
    """
    (move,) = moves(run(body, data))
    assert move.target.position == (0.032, 0.016, 0)


def test_records_and_scopes(tmp_path):
    (tmp_path / "a.mod").write_text(
        "MODULE A\nRECORD job\nnum depth;\nrobtarget at;\nENDRECORD\n"
        f"VAR job now := [5, {point(1)}];\nLOCAL CONST num far := 3;\n"
        "PROC main()\nuse;\nMoveL Offs(now.at,far,now.depth,0), v10, fine, tool0;\nENDPROC\nENDMODULE"
    )
    (tmp_path / "b.mod").write_text(
        "MODULE B\nLOCAL CONST num far := 9;\nPROC use()\nnow.depth := far;\nENDPROC\nENDMODULE"
    )
    program = read(tmp_path)
    assert not program.diagnostics
    (move,) = moves(program.commands())
    assert move.target.position == (0.004, 0.009, 0)
    alone = read(tmp_path / "b.mod")
    assert [str(each).split(": ", 1)[1] for each in alone.diagnostics] == [
        "warning: now is defined in no file; add the file that does, or give it with --define or --set"
    ] or alone.diagnostics[0].problem == "now is defined in no file"


def test_what_is_missing_is_assumed_and_can_be_given():
    body = f"MoveL {point()}, vSlow, zNear, tCut\\WObj:=wBed;\nMoveL pLost, v10, fine, tCut;\nmeasure;"
    commands = run(body)
    assert len(moves(commands)) == 1
    assumed = [command for command in commands if isinstance(command, Assumed)]
    assert [each.text.split(":")[0] for each in assumed] == [
        "wBed is defined in no file", "tCut is defined in no file", "vSlow is defined in no file",
        "zNear is defined in no file", "where pLost lies is not known", "the procedure measure is in no file",
    ]  # fmt: skip
    define = [each.cure.removeprefix("--define '").rstrip("'") for each in assumed if each.cure.startswith("--define")]
    given = run(body, define=[*define[:4], f"CONST robtarget pLost := {point(8)};", "PROC measure()\nENDPROC"])
    assert not [command for command in given if isinstance(command, Assumed)]
    assert [move.target.position[0] for move in moves(given)] == [0, 0.008]


def test_loops_without_an_end():
    body = f"""
    WHILE TRUE DO
      WHILE diGo = 0 DO
        WaitTime 0.1;
      ENDWHILE
      IF diStop = 1 RETURN;
      MoveL {point(1)}, v10, fine, tool0;
    ENDWHILE
    """
    commands = run(body)
    assert len(moves(commands)) == 1
    assert isinstance(commands[-1], Endless)
    # the world says when it stops: after two rounds
    program = run(body, world={"diGo": 1, "diStop": [0, 0, 1]})
    assert len(moves(program)) == 2
    assert not any(isinstance(command, Endless | Assumed) for command in program)


def test_where_the_arm_is():
    body = f"MoveL {point(100, 50, 20)}, v10, fine, tool0;\nMoveL Offs(CRobT(), 0, 0, 5), v10, fine, tool0;"
    assert moves(run(body))[-1].target.position == pytest.approx((0.1, 0.05, 0.025))
    commands = run("MoveL Offs(CRobT(), 0, 0, 5), v10, fine, tool0;")
    assert not moves(commands)
    assert any("takes an arm to tell" in command.text for command in commands if isinstance(command, Assumed))


def test_configuration_is_conditions_on_joints():
    data = "[[0,0,0],[1,0,0,0],[1,-1,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"
    (move,) = moves(run(f"MoveJ {data}, v10, fine, tool0;"))
    assert isinstance(move.target, Pose)
    assert [(joint, low / pi, high / pi) for joint, low, high in move.target.within] == [
        (0, 0.5, 1.0), (3, -0.5, 0.0), (5, 0.0, 0.5),
    ]  # fmt: skip
    (free,) = moves(run(f"ConfJ\\Off;\nMoveJ {data}, v10, fine, tool0;"))
    assert free.target.within == ()


def test_tools_are_mounted_once():
    tool = "[TRUE,[[0,0,100],[1,0,0,0]],[0.001,[0,0,0.001],[1,0,0,0],0,0,0]]"
    body = f"MoveL {point()}, v10, fine, t;\nMoveL {point(1)}, v10, fine, t;\nMoveL {point(2)}, v10, fine, tool0;"
    mounted = [command for command in run(body, f"PERS tooldata t := {tool};") if isinstance(command, Tool)]
    assert [command.T[2, 3] for command in mounted] == [0.1, 0.0]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("PROC main()\nMovL pA, v10, fine, tool0;\nENDPROC", 2, "there is no instruction or procedure 'MovL'"),
        ("PROC main()\nMoveL pA, v10, fine;\nENDPROC", 2, "MoveL takes 4 values, not 3"),
        ("PROC main()\nMoveL pA, v10, fine, tool0\nWaitTime 1;\nENDPROC", 2, "'WaitTime' does not belong here"),
        ("PROC main()\nIF TRUE THEN\nWaitTime 1;\nENDPROC", 2, "IF is never closed"),
        ("PROC main()\nWaitTime 1;\nPROC b()\nENDPROC", 1, "PROC is never closed"),
        ("PROC main()\nMoveL Offs(pA,0,0), v10, fine, tool0;\nENDPROC", 2, "Offs takes 4 values, not 3"),
        ("CONST num pHome := 1;\nPROC main()\nWaitTime pHmoe;\nENDPROC", 3, "there is no name 'pHmoe'"),
        ("CONST robtarget p := [[1,2],[1,0,0,0]];\nPROC main()\nENDPROC", 1, "a robtarget has 4 parts, not 2"),
        ("PROC main()\nWaitTime (1;\nENDPROC", 2, "';' does not belong here"),
        ("PROC main()\n<SMT>\nENDPROC", 2, "<SMT> is a place that was left open"),
        ("PROC main()\nGOTO nowhere;\nENDPROC", 2, "there is no label nowhere"),
        (
            "VAR intnum i;\nTRAP tStop\nENDTRAP\nPROC main()\nCONNECT i WITH tSop;\nENDPROC",
            5,
            "there is no trap 'tSop'",
        ),
        ("PROC main()\nIF TRUE THNE\nWaitTime 1;\nENDIF\nENDPROC", 2, ""),
    ],
)
def test_slips(text, line, problem):
    errors = parse(f"{text}\n", "RAPID").errors
    assert errors
    assert (errors[0].place.line, errors[0].problem[: len(problem)]) == (line, problem), errors


TOOL_STANDS = "[FALSE,[[300,-260,280],[0,0,0,1]],[1,[0,0,0.001],[1,0,0,0],0,0,0]]"
WORK_IN_HAND = '[TRUE,TRUE,"",[[0,0,150],[0.7071067811865476,0,0.7071067811865476,0]],[[10,0,0],[1,0,0,0]]]'


def test_work_in_hand_comes_to_a_tool_that_stands():
    """T_flange of the work brought to the point: flange u o p = tool."""
    data = f"PERS tooldata drill := {TOOL_STANDS};\nPERS wobjdata block := {WORK_IN_HAND};"
    p = "[[20,30,40],[0.8,0.6,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"
    commands = run(f"MoveL {p}, v100, fine, drill\\WObj:=block;", data)
    (move,) = moves(commands)
    (tool,) = (command for command in commands if isinstance(command, Tool))
    goal, point = np.eye(4), np.eye(4)
    goal[:3, :3], goal[:3, 3] = move.target.rotation, move.target.position
    point[:3, :3], point[:3, 3] = rotation_quaternion(0.8, 0.6, 0.0, 0.0), np.array([0.02, 0.03, 0.04])
    flange = goal @ np.linalg.inv(tool.T)
    reached = flange @ tool.T @ point
    np.testing.assert_allclose(reached[:3, 3], [0.3, -0.26, 0.28], atol=1e-12)
    np.testing.assert_allclose(reached[:3, :3], rotation_quaternion(0.0, 0.0, 0.0, 1.0), atol=1e-12)
    assert any("holds the work" in command.text for command in commands if isinstance(command, Assumed))
    commands = run(f"MoveL {p}, v100, fine, drill\\WObj:=block;\nMoveL CRobT(), v10, fine, drill\\WObj:=block;", data)
    first, second = moves(commands)
    np.testing.assert_allclose(second.target.position, first.target.position, atol=1e-12)


def test_one_of_tool_and_work_is_held():
    program = parse(f"PERS tooldata t := {TOOL_STANDS};\nPROC main()\nMoveL {point()}, v10, fine, t;\nENDPROC", "RAPID")
    with pytest.raises(ProgramError, match="neither the tool nor the work object"):
        list(program.commands())


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("p.trans + [1,2,3]", (101, 52, 23)),
        ("p.trans - p.trans", (0, 0, 0)),
        ("2 * p.trans", (200, 100, 40)),
        ("p.trans * 0.5", (50, 25, 10)),
        ("[1,0,0] * [0,1,0]", (0, 0, 1)),
    ],
)
def test_vectors_are_computed_with(expression, place):
    data = f"VAR robtarget p := {point(100, 50, 20)};"
    (move,) = moves(run(f"p.trans := {expression};\nMoveL p, v10, fine, tool0;", data))
    assert move.target.position == pytest.approx([x / 1e3 for x in place])


def test_records_are_compared():
    data = f"VAR robtarget a := {point(1)};\nVAR robtarget b := {point(1)};"
    body = "IF a = b MoveL a, v10, fine, tool0;\nIF a.trans <> b.trans MoveL a, v20, fine, tool0;"
    assert [move.pace.speed for move in moves(run(body, data))] == [0.01]


def test_a_routine_by_a_name_and_a_number():
    text = f'PROC main()\nCallByVar "path", 2;\nENDPROC\nPROC path2()\nMoveL {point(7)}, v10, fine, tool0;\nENDPROC'
    (move,) = moves(list(parse(text, "RAPID").commands()))
    assert move.target.position == pytest.approx((0.007, 0, 0))


def test_a_pers_without_a_value_is_the_one_of_another_module():
    tool = "[TRUE,[[0,0,100],[1,0,0,0]],[0.001,[0,0,0.001],[1,0,0,0],0,0,0]]"
    text = (
        "MODULE a\nPERS tooldata t;\nPERS wobjdata w;\nPROC main()\nw.oframe.trans := [1,2,3];\n"
        f"MoveL {point(7)}, v10, fine, t\\WObj:=w;\nENDPROC\nENDMODULE\nMODULE b\nPERS tooldata t := {tool};\nENDMODULE"
    )
    commands = list(parse(text, "RAPID").commands())
    (move,) = moves(commands)
    assert move.target.position == pytest.approx((0.008, 0.002, 0.003))
    assert [command.T[2, 3] for command in commands if isinstance(command, Tool)] == [0.1]
    assert [c.text for c in commands if isinstance(c, Assumed)] == [
        "what is not known of a wobjdata is taken to be as in wobj0"
    ]


def test_a_name_that_is_written_twice_is_no_slip():
    """It belongs to another file."""
    data = f"CONST robtarget ptVS := {point()};"
    once = f"{data}\nPROC main()\nMoveL pVS, v10, fine, tool0;\nENDPROC"
    assert parse(once, "RAPID").errors
    assert not parse(once.replace("MoveL", "MoveJ pVS, v10, fine, tool0;\nMoveL"), "RAPID").errors


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("PROC main()\nFOR i FROM 1 TO 3 DO\nIF (i>2 THEN\nWaitTime 1;\nENDIF\nENDFOR\nENDPROC", 3),
        ("PROC main()\ngo 1,2;\nENDPROC\nPROC go(num a,num b\nWaitTime a;\nENDPROC", 4),
        ("PROC main()\nWHILE TRUE OR DO\nWaitTime 1;\nENDWHILE\nENDPROC", 2),
        ("FUNC boool f()\nRETURN TRUE;\nENDFUNC", 1),
        ("VAR nun x:=1;\nPROC main()\nWaitTime x;\nENDPROC", 1),
        ('PROC main()\nTPWrite "a"\\Nmu:=3;\nENDPROC', 2),
        ("PROC main()\nStopMove\nStartMove;\nENDPROC", 2),
    ],
)
def test_one_slip_is_one_message(text, line):
    errors = parse(f"MODULE m\n{text}\nENDMODULE", "RAPID").errors
    assert [each.place.line for each in errors] == [line + 1], errors


def test_a_loop_counts_with_a_name_of_its_own():
    """Down where nothing is said and it ends below its start; what else has that name is as it was."""
    body = (
        f"FOR k FROM 3 TO 1 DO\nFOR j FROM 1 TO k STEP 2 DO\nMoveL Offs({point()},k,j,0), v10, fine, tool0;\nENDFOR\n"
        f"ENDFOR\nMoveL Offs({point()},k,0,0), v10, fine, tool0;\nFOR k FROM 1 TO 5 DO\nIF k=2 GOTO out;\nENDFOR\nout:"
    )
    places = [[round(1e3 * x) for x in move.target.position] for move in moves(run(body, "VAR num k := 7;"))]
    assert places == [[3, 1, 0], [3, 3, 0], [2, 1, 0], [1, 1, 0], [7, 0, 0]]


def test_an_option_is_handed_on_by_a_part_of_it():
    data = f"PROC go(\\pos turn)\nMoveL RelTool({point()},0,0,0\\Rz?turn.z), v10, fine, tool0;\nENDPROC"
    turned, straight = moves(run("go \\turn:=[0,0,90];\ngo;", data))
    np.testing.assert_allclose(turned.target.rotation[:, 0], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(straight.target.rotation, np.eye(3), atol=1e-12)


def test_data_that_is_local_and_of_the_task():
    assert not parse("MODULE m\nLOCAL TASK PERS num x := 1;\nTASK VAR intnum y;\nENDMODULE", "RAPID").errors


def test_long_arrays_of_points():
    data = f"PERS robtarget p{{400}} := [{','.join(point(k) for k in range(400))}];"
    (move,) = moves(run("MoveL p{400}, v10, fine, tool0;", data))
    assert move.target.position[0] == pytest.approx(0.399)


def test_arrays_are_compared():
    body = f'IF s = ["a","b"] MoveL {point()}, v10, fine, tool0;\nIF s <> ["a","b"] MoveL {point()}, v20, fine, tool0;'
    assert [move.pace.speed for move in moves(run(body, 'VAR string s{2} := ["a","c"];'))] == [0.02]


def test_a_routine_that_wants_to_be_given_something_is_run_where_nothing_else_moves():
    text = f"MODULE m\nPROC go(robtarget p, num x)\nMoveL Offs({point()},x,0,0), v10, fine, tool0;\nENDPROC\nENDMODULE"
    commands = list(parse(text, "RAPID").commands())
    assert [move.target.position for move in moves(commands)] == [(0, 0, 0)]
    told = [command.text for command in commands if isinstance(command, Assumed)]
    assert told == [
        "the program moves nothing with what is assumed: go is run in its place",
        "the parameter x is taken to be 0",
    ]
    (move,) = moves(parse(text, "RAPID", world={"x": 7}).commands())
    assert move.target.position == pytest.approx((0.007, 0, 0))
