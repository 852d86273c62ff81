"""Whose names URScript means: of functions inside of functions, and of values that are given by name."""

from __future__ import annotations

import pytest

from torsor.motion.commands import Assumed, Move
from torsor.programs import parse


def run(text):
    program = parse(text, "URScript")
    assert not program.errors, program.errors
    return list(program.commands())


def targets(commands):
    return [move.target for move in commands if isinstance(move, Move)]


def test_what_a_function_takes_is_seen_by_those_inside_of_it():
    body = """
  def lower(top, n):
    thread going():
      movej([top, 0, 0, 0, 0, 0], v=top/n)
    end
    def turn(x):
      n = 9
      movej([top, x, n, 0, 0, 0])
    end
    h = run going()
    join h
    turn(2)
    movej([n, 0, 0, 0, 0, 0])
  end
  lower(0.5, 4)
"""
    outcome = run(body)
    assert [target.q[:3] for target in targets(outcome)] == [(0.5, 0, 0), (0.5, 2, 9), (4, 0, 0)]
    assert not [each for each in outcome if isinstance(each, Assumed)]


def test_values_by_name_below_a_function_of_no_file():
    body = """
  width = 3
  grip(width=4)
  grip(
    width=4,
    force=3
  )
  local q = [0, 1, 2, 3, 4, 5]
  local q[2] = 7
  movej(q)
"""
    (target,) = targets(run(body))
    assert target.q == (0, 1, 7, 3, 4, 5)


def test_a_thread_that_is_started_under_another_name():
    text = "thread watch():\n  sync()\nend\nmovej([1, 0, 0, 0, 0, 0])\nh = run wacth()\n"
    program = parse(text, "URScript")
    told = [(each.place.line, each.problem, each.hint) for each in program.diagnostics]
    assert told == [(5, "there is no function 'wacth', and watch (line 1) is never used", "did you mean 'watch'?")]
    assert not parse(text.replace("wacth", "watch"), "URScript").errors


@pytest.mark.parametrize(
    ("line", "problem", "hint"),
    [
        ("v = sesnor.read()", "there is no name 'sesnor'", "did you mean 'sensor'?"),
        ("snsor.close()", "there is no name 'snsor'", "did you mean 'sensor'?"),
        (
            "q = [0.1, -1.5 -1.5, -1.5, 1.5, 0]",
            "two numbers of this list are taken for their difference, and five are left of six joints",
            "a comma between them",
        ),
        ("camera.snap()", "", ""),  # of the controller, perhaps
        ("q = [1 - 0.5, 2, 3]", "", ""),
        ("q = [2, 3, 4, 5, i - 1]", "", ""),
    ],
)
def test_slips_without_a_definition(line, problem, hint):
    text = f'i = 3\nsensor = rpc_factory("xmlrpc", "http://10.0.0.2")\nsensor.open()\n{line}\n'
    told = [(each.place.line, each.problem, each.hint) for each in parse(text, "URScript").errors]
    assert told == ([(4, problem, hint)] if problem else [])


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("global a = get_target_payload()\nset_payload(2)\nmovej([a, 0, 0, 0, 0, 0])\n", [0.0]),
        ("global v = 1\nglobal v = 2\nmovej([v, 0, 0, 0, 0, 0])\n", [2.0]),
        (
            "global n = 1\nglobal n = n + 1\nmovej([n, 0, 0, 0, 0, 0])\nn = n + 1\nmovej([n, 0, 0, 0, 0, 0])\n",
            [2.0, 3.0],
        ),
    ],
)
def test_a_global_of_the_first_level_has_the_value_of_where_it_stands(text, turned):
    assert [target.q[0] for target in targets(run(text))] == turned


def test_a_global_of_the_first_level_begins_with_what_the_world_tells():
    text = "global n = 7\nmovej([n, 0, 0, 0, 0, 0])\nn = n + 1\nmovej([n, 0, 0, 0, 0, 0])\n"
    told = parse(text, "URScript", world={"n": 1.0})
    assert [target.q[0] for target in targets(told.commands())] == [1.0, 2.0]


def test_a_name_that_gets_its_value_in_what_is_not_run_is_not_said_to_be_in_no_file():
    text = "if (get_standard_digital_in(1)):\n  turned = 1\nend\nmovej([turned + other, 0, 0, 0, 0, 0])\n"
    told = [each.text for each in run(text) if isinstance(each, Assumed)]
    assert "turned has no value here: it is taken to be 0, FALSE or nothing" in told
    assert "other is defined in no file: it is taken to be 0, FALSE or nothing" in told
