"""URScript: what is told of a missing value, a list of joints that lacks one, and a block that is left open."""

from __future__ import annotations

import math

import pytest

import torsor
from torsor.motion.commands import Assumed, Move
from torsor.programs import ProgramError, parse

REST = "movej([0, -1.57, 1.57, -1.57, -1.57, 0])\n"


def errors(text):
    return [(each.place.line, each.problem) for each in parse(text, "URScript", file="a.script").errors]


def moves(program):
    return sum(isinstance(each, Move) for each in program.commands())


@pytest.mark.parametrize(("call", "problem"), [
    ("force_mode(p[0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 9, 0, 0, 0], [1, 1, 1, 1, 1, 1])",
     "force_mode takes 5 or more values, not 4"),
    ("write_output_integer_register(3)", "write_output_integer_register takes 2 or more values, not 1"),
    ("set_tool_communication(enabled=True, baud_rate=115200)", "set_tool_communication takes 6 or more values, not 0"),
    ("set_gravity([0, 9.82])", "a list of 3 numbers belongs here, not of 2"),
    ("set_payload(1.5, [0, 0.05])", "a list of 3 numbers belongs here, not of 2"),
    ("speedl([0, 0, -0.05, 0, 0], 0.25, 1)", "a list of 6 numbers belongs here, not of 5"),
    ("speedj([0, 0, -0.05, 0, 0], 0.25, 1)", "an arm of Universal Robots has 6 joints, not 5"),
])  # fmt: skip
def test_what_is_only_read_is_given_what_the_manual_has(call, problem):
    assert errors(f"{REST}{call}\n") == [(2, problem)]


@pytest.mark.parametrize("call", [
    'popup(s="done", title="cell", blocking=True)',
    "set_tool_communication(enabled=True, baud_rate=1, parity=0, stop_bits=1, rx_idle_chars=1.5, tx_idle_chars=3.5)",
    "set_payload(1.5)",
    "set_target_payload(1.5, [0, 0, 0.05], [0, 0, 0, 0, 0, 0], 0.1)",
    'modbus_set_output_register("arm", 7, False)',
])  # fmt: skip
def test_values_by_name_and_values_that_may_lack_are_no_errors(call):
    assert errors(f"{REST}{call}\n") == []


@pytest.mark.parametrize(("text", "found"), [
    ("home = [0, -1.57, 1.57, -1.57, 0]\nmovej(home)\n",
     [(1, "home has 5 numbers, and is asked for as the joints of an arm (line 2)")]),
    ("near = [0, -1.57, 1.57, -1.57, 0]\nmovej(get_inverse_kin(p[0.3, 0, 0.2, 0, 3, 0], qnear=near))\n",
     [(1, "near has 5 numbers, and is asked for as the joints of an arm (line 2)")]),
    ("slow = 0.2\nmovel(slow, 0.1)\n", [(2, "slow is a number (line 1), no place")]),
    ("home = [0, -1.57, 1.57, -1.57, 0]\nhome = [0, -1.57, 1.57, -1.57, 0, 0]\nmovej(home)\n", []),
    ("home = [0, -1.57, 1.57, -1.57, 0]\nhome.append(0)\nmovej(home)\n", []),
    ('home = 1\ntextmsg("movej(home)")\n', []),
    ("def to(home):\nmovej(home)\nend\nhome = [0, 1, 2, 3, 4]\nto([0, -1.57, 1.57, -1.57, 0, home[0]])\n", []),
])  # fmt: skip
def test_names_that_cannot_lead_a_move(text, found):
    assert errors(text) == found


def test_as_many_joints_as_the_arm_has():
    program = parse("q = [0, -1.57, 1.57, -1.57]\nmovej(q)\n", "URScript", file="a.script")
    with pytest.raises(ProgramError, match="4 joints where the arm has 6"):
        torsor.check(program, "ur5e")


IF = "  if get_flag(1):\n    sleep(1)\n  end\n"


@pytest.mark.parametrize(("body", "line"), [
    # tabs beside spaces: columns are those that an editor shows
    ("    if get_flag(1):\n\t\tsleep(1)\n\tend\n    if get_flag(2):\n\t\tif get_flag(3):\n\t\t\tsleep(1)\n\tend\n", 6),
    # no block around begins where the end of the one around it stands
    (f"{IF}{IF}  while get_flag(2):\n      if get_flag(3):\n        sleep(1)\n    end\n", 9),
])  # fmt: skip
def test_of_a_missing_end_the_block_is_named(body, line):
    assert errors(f"def cell():\n{body}end\n") == [(line, "if is never closed")]


@pytest.mark.parametrize(("text", "found"), [
    ("for i in range(3):\nsleep(1)\nend\n", [(1, "there is no instruction 'for'")]),
    ("x = p[\n  0.4,\n  -sin 0.2),\n  0, 0, 3.14, 0\n]\nmovel(x)\n", [(3, "')' has no counterpart")]),
])  # fmt: skip
def test_one_slip_is_one_message(text, found):
    assert errors(text) == found


@pytest.mark.parametrize("value", [
    "atan2(x=13, y=5)", "log(b=10, f=100)", "d2r(d=90)", "r2d(r=1)", "length(v=[1])", "size(v=[1])",
    "rpy2rotvec(rpy_vector=[0, 0, 1])", "get_inverse_kin_has_solution(pose=p[0.3, 0.1, 0.2, 0, 3, 0])",
    "get_euromap_input(port_number=3)", "encoder_get_tick_count(0, opt='raw')", "get_joint_temp(j=2)",
    "encoder_unwind_delta_tick_count(encoder_index=0, delta_tick_count=7)", "get_jacobian(q=[0, 0, 0, 0, 0, 0])",
    "modbus_get_signal_status(signal_name='arm', is_secondary_program=False)",
    "convert_pose(pose=p[0, 0, 0, 0, 0, 0], from_frame='base', to_frame='part')",
    "rpc_factory(type='xmlrpc', url='http://127.0.0.1:8000')",
])  # fmt: skip
def test_functions_take_their_values_by_the_names_of_the_manual(value):
    program = parse(f"{REST}x = {value}\n", "URScript", file="a.script")
    assert not program.errors
    assert moves(program) == 1


def test_atan2_by_name_is_that_of_the_manual():
    program = parse("movej([atan2(y=5, x=13), 0, 0, 0, 0, 0])\n", "URScript", file="a.script")
    (move,) = program.commands()
    assert move.target.q[0] == pytest.approx(math.atan2(13, 5))


def test_a_semicolon_may_stand_behind_each_statement():
    text = f"i = 0; while i < 2: i = i + 1; end; x = i;\nif x == 2: {REST.strip()}; sleep(0.1); end;\n"
    program = parse(text, "URScript", file="a.script")
    assert not program.errors
    assert moves(program) == 1


@pytest.mark.parametrize("text", ["movej([0, -1.57, 1.57, -1.57; -1.57, 0])", "while (True);\nsync()\nend"])
def test_a_semicolon_elsewhere_is_told(text):
    assert errors(f"{REST}{text}\n")[0][0] == 2


def test_a_number_that_begins_with_0_is_asked_about_once():
    found = parse(f"a = [0,00,0,1,0] # [1,00]\n{REST}", "URScript", file="a.script").diagnostics
    assert [(each.severity, each.place.line, each.problem) for each in found] == [
        ("warning", 1, "a number begins with 0: 00")
    ]
    assert not parse(f"a = [00, 01, 02]\n{REST}", "URScript", file="a.script").diagnostics


def test_goals_of_optimove_may_be_places_of_the_world_model():
    text = """
optimovej([0, -1.57, 1.57, -1.57, -1.57, 0])
optimovel(struct(pose=p[0.3, 0.1, 0.2, 0, 3, 0], frame="base"), a=0.4)
optimovej(struct(pose=p[0.3, 0.1, 0.2, 0, 3, 0], frame="fixture"))
optimovej("box")
"""
    program = parse(text, "URScript", file="a.script")
    told = [each.text for each in program.commands() if isinstance(each, Assumed)]
    assert not program.errors
    assert moves(program) == 2
    assert [text for text in told if "passed over" in text] == [
        f"where {name!r} of the world model lies is not known: the move is passed over" for name in ("fixture", "box")
    ]


@pytest.mark.parametrize("call", [
    "set_standard_analog_out(n=0, f=0.5)", "set_analog_out(0, f=0.5)", "set_flag(n=1, b=True)",
    "speedj([0.1, 0, 0, 0, 0, 0], a=0.5, t_min=0.5)", "speedl(xd=[0, 0, 0.01, 0, 0, 0], a=0.5, t_min=0.5)",
])  # fmt: skip
def test_names_of_values_that_are_sent_and_those_of_former_manuals(call):
    program = parse(f"{REST}{call}\n", "URScript", file="a.script")
    assert not program.errors
    assert len(list(program.commands())) > 1


def test_programs_of_another_make_are_one_message():
    text = 'def generate():\n  while (True):\n    $ LINE: (2, "task")\n    movel([0.3, 0, 0.2, 0, 3, 0])\n  end\nend\n'
    assert errors(text) == [(3, "$ LINE: is of Elite Robots, whose poses are lists")]
    assert errors(f'$ 2 "LINE: home"\n{REST}') == []
