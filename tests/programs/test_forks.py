"""Programs that wait for a command: where nothing moves, they are led to their moves, and say so."""

import pytest

import torsor
from torsor.checking import check
from torsor.motion.commands import Assumed, Follow, Move
from torsor.programs.program import parse

SERVER = """
def serve():
  spots = [[0, -1.5, 1.5, 0, 1.5, 0], [1, -1.5, 1.5, 0, 1.5, 0]]
  socket_open("10.0.0.2", 4000, "host")
  while True:
    order = socket_read_ascii_float(2, "host")
    if order[0] != 2:
      sleep(0.1)
    elif order[1] == 7:
      textmsg("nothing to do")
    elif order[1] == 3:
      movej(spots[order[2]], v=order[2])
    end
  end
end
serve()
"""


def run(text, language="URScript", **world):
    return list(parse(text, language, world=world).commands())


def moves(commands):
    return [each for each in commands if isinstance(each, Move | Follow)]


def said(commands):
    return {each.place.line: each for each in commands if isinstance(each, Assumed)}


def test_a_server_is_given_the_command_that_moves():
    commands = run(SERVER)
    (move,) = moves(commands)
    assert move.target.q == (0, -1.5, 1.5, 0, 1.5, 0)
    assert move.pace.axis_speed is None  # nobody tells it
    told = said(commands)
    assert told[7].text == "order[0] != 2 is taken not to hold: else nothing moves"
    assert told[11].text == "order[1] == 3 is taken to hold: else nothing moves"
    assert told[11].cure == "--set socket_read_ascii_float(2, host)=..."


def test_what_the_world_tells_is_not_led_another_way():
    text = 'def f():\n  if socket_read_line("pc") == "GO":\n    movej([1, 0, 0, 0, 0, 0])\n  end\nend\nf()\n'
    assert not moves(run(text, **{"socket_read_line(pc)": "STAY"}))
    assert len(moves(run(text))) == len(moves(run(text, **{"socket_read_line(pc)": "GO"}))) == 1


@pytest.mark.parametrize(
    "condition",
    ["get_standard_digital_in(1) == True", "job() == 2", "1 == job()", "not busy", "level > 3"],
)
def test_conditions_that_hang_on_the_world(condition):
    text = (
        "def job():\n  return read_input_integer_register(4)\nend\nbusy = not get_flag(2)\n"
        "level = get_standard_analog_in(0)\nword = socket_read_string()\nwhile True:\n"
        f"  if {condition}:\n    movej([0.5, 0, 0, 0, 0, 0])\n  end\n  sync()\nend\n"
    )
    commands = run(text)
    assert [move.target.q[0] for move in moves(commands)] == [0.5]
    assert any(each.text.endswith("is taken to hold: else nothing moves") for each in said(commands).values())
    assert not any("digital" in each.text and "FALSE" in each.text for each in said(commands).values())


def test_a_condition_of_the_program_itself_is_never_led():
    text = "def f():\n  speed = 1\n  if speed == 2:\n    movej([1, 0, 0, 0, 0, 0])\n  end\nend\nf()\n"
    assert not moves(run(text))


def test_a_command_comes_before_a_force_that_is_too_large():
    text = (
        "def f():\n  while True:\n    f = force()\n    job = read_input_integer_register(0)\n    if f > 50:\n"
        "      movej([9])\n    end\n    if job == 1:\n      movej([1, 0, 0, 0, 0, 0])\n    end\n  end\nend\n"
    )
    assert [move.target.q[0] for move in moves(run(text))] == [1]


def test_a_program_that_would_halt_goes_on():
    text = (
        'def f():\n  got = socket_read_byte_list(1, "g")\n  if got[0] != 1:\n    halt\n  end\n'
        "  movej([1, 0, 0, 0, 0, 0])\nend\nf()\n"
    )
    commands = run(text)
    assert len(moves(commands)) == 1
    assert said(commands)[3].text == "got[0] != 1 is taken not to hold: else nothing moves"


def test_a_thread_that_is_not_waited_for_is_run_where_nothing_else_moves():
    text = (
        "goal = [0, 0, 0, 0, 0, 0]\nthread mover():\n  movej(goal)\nend\nwhile True:\n"
        "  job = read_input_integer_register(0)\n  if job == 1:\n    goal[2] = 0.5\n    th = run mover()\n  end\n"
        "  sync()\nend\n"
    )
    commands = run(text)
    assert [move.target.q[2] for move in moves(commands)] == [0.5]
    assert said(commands)[2].text == "the thread mover is run where it is started: nothing else moves"


def test_other_languages_are_led_too():
    body = "HOME\nIF SIG(1004) THEN\nJMOVE #[1, 0, 0, 0, 0, 0]\nEND"
    commands = run(f".PROGRAM main()\n{body}\n.END\n", "Kawasaki AS")
    assert len(moves(commands)) == 1
    told = [each.text for each in commands if isinstance(each, Assumed)]
    assert "SIG(1004) is taken to hold: else nothing moves" in told
    assert "SIG(1004) is taken to be FALSE" not in told


def test_a_pose_that_only_the_world_tells_is_no_place():
    text = (
        "while True:\n  b = socket_read_ascii_float(6)\n"
        "  movel(p[b[1], b[2], b[3], b[4], b[5], b[6]])\n  servoj(get_inverse_kin(p[b[1], b[2], b[3], 0, 0, 0]))\nend\n"
    )
    commands = list(parse(text, "URScript").commands(arm=torsor.load("ur5e")))
    assert not moves(commands)
    nothing = next(each for each in commands if isinstance(each, Assumed) and "assumed nothing moves" in each.text)
    assert "socket_read_ascii_float(6) (line 2)" in nothing.text


def test_a_function_says_what_its_moves_hang_on():
    text = "def up(dist):\n  movel(pose_trans(p[0.3, 0, 0.3, 0, 3, 0], p[0, 0, dist, 0, 0, 0]))\nend\n"
    told = said(run(text))[2]
    assert told.text == "where this leads hangs on dist, which is not known: the move is passed over"


@pytest.mark.parametrize("call", ["speedl([1, 0, 0, 0, 0, 0], 1, 0.008)", "torque_command([1, 0, 0, 0, 0, 0])"])
def test_what_leads_is_what_it_would_take(call):
    text = f"while True:\n  {call}\nend\n"
    told = [each.text for each in run(text) if isinstance(each, Assumed)]
    word = call.partition("(")[0]
    assert any(each.endswith(f"it would take what leads {word} (line 2)") for each in told)
    stands = [each.text for each in run(text.replace("[1,", "[0,")) if isinstance(each, Assumed)]
    assert not any("is read, not run" in each for each in stands)  # no speed leads nowhere


def test_sending_tells_whether_it_was_done():
    text = 'def f():\n  while socket_send_byte(0, "s"):\n    movej([1, 0, 0, 0, 0, 0])\n  end\nend\nf()\n'
    assert moves(run(text))


def test_moves_that_lead_nowhere_say_what_would_lead_them(tmp_path):
    file = tmp_path / "stay.script"
    file.write_text("b = socket_read_ascii_float(6)\nmovej([b[1], b[2], b[3], b[4], b[5], b[6]])\n")
    verdict = check(file, "ur5e")
    assert "it would take socket_read_ascii_float(6) (line 1)" in verdict.headline
