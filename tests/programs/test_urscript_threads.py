"""Threads of URScript: those that a program waits for move in its place."""

from __future__ import annotations

import pytest

from torsor.motion.commands import Assumed, Move
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
    assert told == ([moves] if "movej" in body else [])


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
