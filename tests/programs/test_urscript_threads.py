"""Threads of URScript: those that a program waits for move in its place."""

from __future__ import annotations

import pytest

from torsor.loading import load
from torsor.motion.commands import Assumed, Follow, Move
from torsor.programs import parse


def run(text):
    program = parse(text, "URScript")
    assert not program.errors, program.errors
    return list(program.commands())


def turns(commands):
    return [move.target.q[0] for move in commands if isinstance(move, Move)]


# as PolyScope writes a move that goes on until an input comes
UNTIL = """
def prog():
  movej([1, 0, 0, 0, 0, 0])
  flag = 0
  thread move_thread():
    enter_critical
    flag = 1
    movej([2, 0, 0, 0, 0, 0])
    flag = 2
    exit_critical
  end
  handle = run move_thread()
  while (True):
    if (flag > 1):
      join handle
      break
    end
    if (get_standard_digital_in(0)):
      kill handle
      break
    end
    sync()
  end
  movej([3, 0, 0, 0, 0, 0])
end
"""


def test_a_move_until_something_happens():
    commands = run(UNTIL)
    assert turns(commands) == [1.0, 2.0, 3.0]
    assert [each.text for each in commands if isinstance(each, Assumed)] == []


def test_a_thread_that_is_joined():
    text = "thread go():\n  movej([2, 0, 0, 0, 0, 0])\nend\nt = run go()\njoin t\nmovej([3, 0, 0, 0, 0, 0])\n"
    assert turns(run(text)) == [2.0, 3.0]


def test_a_thread_that_goes_on_for_ever_is_left_and_the_program_goes_on():
    text = (
        "thread go():\n  while (True):\n    movej([1, 0, 0, 0, 0, 0])\n    movej([2, 0, 0, 0, 0, 0])\n  end\nend\n"
        "t = run go()\nwhile (get_standard_digital_in(1)):\n  sync()\nend\nkill t\nmovej([3, 0, 0, 0, 0, 0])\n"
    )
    assert turns(run(text)) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("body", ["movej([9, 0, 0, 0, 0, 0])", "while (True):\n    speedj([9, 0, 0, 0, 0, 0])\n  end"])
def test_a_thread_beside_the_program_is_not_run(body):
    text = f"thread watch():\n  {body}\nend\nrun watch()\nmovej([1, 0, 0, 0, 0, 0])\n"
    commands = run(text)
    assert turns(commands) == [1.0]
    told = [each.text for each in commands if isinstance(each, Assumed)]
    moves = "the thread watch moves, and is not run: the program does not wait for it"
    assert told == [moves]


def test_a_thread_that_tells_the_program_something_is_said_not_to_be_run():
    text = """
def prog():
  ready = False
  steps = 0
  thread watch():
    while (True):
      ready = get_standard_digital_in(1)
      steps = steps + 1
      sync()
    end
  end
  run watch()
  movej([1, 0, 0, 0, 0, 0])
  if (ready):
    movej([2, 0, 0, 0, 0, 0])
  end
end
"""
    said = [each for each in run(text) if isinstance(each, Assumed)]
    assert [(each.place.line, "ready, is as" in each.text) for each in said] == [(5, True)]
    unasked = text.replace("if (ready):", "if (True):")
    assert not [each for each in run(unasked) if isinstance(each, Assumed)]


WATCH = "thread watch():\n while (True):\n hit = force() > 20\n sync()\n end\n end\n run watch()"
HIT = "if (tool_contact() > 0):\n OUT\n end\n if (hit):\n OUT\n end\n sync()\n"


@pytest.mark.parametrize(
    ("loop", "moves"),
    [
        # whatever leaves a loop that waits is done: a function gives its value, moves on the way out are made
        (f"def found():\n while (True):\n {HIT} end\n end\n if found():\n GO\n end".replace("OUT", "return True"), 1),
        (f"while (True):\n {HIT} end".replace("OUT", "GO\n break"), 1),
        ("while (True):\n if (tool_contact() <= 0):\n sync()\n else:\n GO\n break\n end\n end", 1),
        ("while (True):\n switch tool_contact():\n case 1:\n GO\n break\n end\n end", 1),
        # what a thread would tell that is not run: nobody knows when it comes
        ("while (not hit):\n GO\n end", 2),
        ("while (True):\n GO\n if (hit):\n break\n end\n end", 2),
    ],
)
def test_loops_that_somebody_else_ends(loop, moves):
    text = f"def prog():\n  hit = False\n  {WATCH}\n  {loop}\n  movej([3, 0, 0, 0, 0, 0])\nend\n"
    commands = run(text.replace("GO", "movej([2, 0, 0, 0, 0, 0])"))
    assert turns(commands) == [2.0] * moves + [3.0]
    assert not any("steps" in each.text for each in commands if isinstance(each, Assumed))


def test_a_loop_that_servos_moves():
    text = "k = 0\nwhile (True):\n  servoj([k, 0, 0, 0, 0, 0], t=0.01)\n  k = k + 0.001\nend\n"
    commands = run(text)
    assert [len(each.times) for each in commands if isinstance(each, Follow)] == [300]
    assert not any("nothing moves" in each.text for each in commands if isinstance(each, Assumed))
    until = text.replace("  k =", "  if (force() > 5):\n    break\n  end\n  k =") + "movej([9, 0, 0, 0, 0, 0])\n"
    assert turns(run(until)) == [9.0]  # what comes behind it is checked, too


def test_a_direction_until_contact_is_said_where_its_end_is_out_of_reach():
    text = """
movej([0, -1.57, 1.57, -1.57, -1.57, 0])
thread down():
  movel(pose_trans(p[0, 0, -10, 0, 0, 0], get_target_tcp_pose()), v=0.02)
end
handle = run down()
while (True):
  if (tool_contact() > 0):
    kill handle
    movel(p[0.4, -0.13, 0.3, 2.2, 2.2, 0])
    break
  end
  sync()
end
"""
    commands = list(parse(text, "URScript").commands(arm=load("ur5e")))
    assert [move.place.line for move in commands if isinstance(move, Move)] == [2, 10]
    told = [each for each in commands if isinstance(each, Assumed) and "until the program stops it" in each.text]
    assert [each.place.line for each in told] == [4]
    joined = text.replace("while (True):", "join handle\nwhile (True):")
    commands = list(parse(joined, "URScript").commands(arm=load("ur5e")))
    assert [move.place.line for move in commands if isinstance(move, Move)] == [2, 4, 11]


@pytest.mark.parametrize("word", ["servoj", "movej"])
def test_joints_that_only_registers_tell_are_no_place(word):
    asked = ", ".join(f"read_input_float_register({k})" for k in range(6))
    text = f"q = [{asked}]\n{word}(q)\n"
    commands = run(text)
    assert not [each for each in commands if isinstance(each, Move | Follow)]
    told = [each.text for each in commands if isinstance(each, Assumed)]
    assert "where q lies is told from outside, and nobody tells it: the move is passed over" in told
    zeros = {f"read_input_float_register({k})": 0.0 for k in range(6)}  # which is a place where somebody says so
    assert len([each for each in parse(text, "URScript", world=zeros).commands() if isinstance(each, Move)]) == 1


@pytest.mark.parametrize("started", ["t = run go()", "t=run go()", "global t=run go()"])
def test_white_space_around_what_a_thread_is_given_to_means_nothing(started):
    text = f"thread go():\n  movej([2, 0, 0, 0, 0, 0])\nend\n{started}\njoin t\nmovej([3, 0, 0, 0, 0, 0])\n"
    commands = run(text)
    assert turns(commands) == [2.0, 3.0]
    assert not [each.text for each in commands if isinstance(each, Assumed)]


def test_a_thread_that_only_looks_is_run_where_it_is_joined_at_once():
    text = """
thread look():
  while (True):
    if (get_standard_digital_in(1) == False):
      global seen = 2
      break
    end
    sync()
  end
end
eye = run look()
join eye
movej([seen, 0, 0, 0, 0, 0])
"""
    commands = run(text)
    assert turns(commands) == [2.0]
    assert [each.text for each in commands if isinstance(each, Assumed)] == [
        "get_standard_digital_in(1) is taken to be FALSE"
    ]


def test_a_thread_that_is_killed_and_started_again_is_said_to_be_run_once():
    text = """
thread there():
  while (True):
    movej([2, 0, 0, 0, 0, 0])
    movej([1, 0, 0, 0, 0, 0])
  end
end
global going = run there()
while (True):
  sleep(1)
  kill going
  stopj(2)
  global going = run there()
end
"""
    commands = run(text)
    assert turns(commands)[:2] == [2.0, 1.0]
    told = [each.text for each in commands if isinstance(each, Assumed)]
    assert "the thread there, which moves, is started more than once: it is run the first time alone" in told
