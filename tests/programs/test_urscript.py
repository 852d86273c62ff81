"""URScript: what its functions mean; times of moves against the closed forms of its manual."""

from __future__ import annotations

from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from torsor.model.transforms import rotation_quaternion
from torsor.motion.commands import Assumed, Follow, Joints, Move, Payload, Tool
from torsor.programs import parse, read
from torsor.programs.planner import Planner
from torsor.programs.urscript.urscript_values import rotation_of, vector_of

FEEDER = Path(__file__).parent / "cells" / "feeder.script"


def run(body, **more):
    program = parse(f"def main():\n{body}\nend\n", "URScript", **more)
    assert not program.errors, program.errors
    return list(program.commands())


def moves(commands):
    return [command for command in commands if isinstance(command, Move)]


def test_a_program():
    commands = list(read(FEEDER).commands())
    made = moves(commands)
    assert [move.place.line for move in made] == [18, 21, 22, 34, 37, 21, 22, 34, 37, 21, 22, 39]
    assert (made[0].pace.axis_speed, made[0].pace.axis_acceleration) == (1.05, 1.4)
    assert (made[1].pace.speed, made[1].pace.acceleration, made[1].blend.radius) == (0.25, 1.2, 0.02)
    assert made[3].pace.duration == 2.0
    assert made[4].target.position == pytest.approx((0.4, -0.2, 0.35))
    assert [type(command) for command in commands[:2]] == [Tool, Payload]
    assert [command.text for command in commands if isinstance(command, Assumed)] == [
        "get_standard_digital_in(1) is taken to be FALSE",
        "the wait of this loop is taken to be over",
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1))
@example([6e-8, 0.0, 1.0, 1.0])  # all but half a turn
def test_rotation_vectors_are_rotations(q):
    R = rotation_quaternion(*q)
    v = vector_of(R)
    assert np.linalg.norm(v) <= pi + 1e-12
    np.testing.assert_allclose(rotation_of(v), R, rtol=0, atol=1e-14)


@pytest.mark.parametrize("v", [(pi, 0, 0), (0, -pi, 0), (pi / sqrt(2), pi / sqrt(2), 0), (1e-9, 0, 0), (0, 0, 0)])
def test_rotation_vectors_at_their_edges(v):
    np.testing.assert_allclose(rotation_of(vector_of(rotation_of(v))), rotation_of(v), atol=1e-12)


@pytest.mark.parametrize(
    ("expression", "pose"),
    [
        (f"pose_trans(p[1,0,0,0,0,{pi / 2}], p[1,0,0,0,0,0])", (1, 1, 0, 0, 0, pi / 2)),
        (f"pose_inv(p[1,0,0,0,0,{pi / 2}])", (0, 1, 0, 0, 0, -pi / 2)),
        ("pose_add(p[1,2,3,0,0,0.5], p[1,1,1,0,0,0.25])", (2, 3, 4, 0, 0, 0.75)),
        ("interpolate_pose(p[0,0,0,0,0,0], p[2,0,0,0,0,1], 0.25)", (0.5, 0, 0, 0, 0, 0.25)),
        ("p[norm([3,4]), sqrt(4), d2r(180), 0, 0, 0]", (5, 2, pi, 0, 0, 0)),
    ],
)
def test_poses(expression, pose):
    (move,) = moves(run(f"  x = {expression}\n  movel(x)"))
    assert move.target.position == pytest.approx(pose[:3], abs=1e-12)
    np.testing.assert_allclose(move.target.rotation, rotation_of(pose[3:]), atol=1e-12)


def test_wrenches_are_seen_from_elsewhere():
    """Forces turn, and have a moment about the new point; there and back is nothing."""
    body = f"""
  T = p[0.1,0,0,0,0,{pi / 2}]
  w = wrench_trans(T, [3,0,10,0,0,2])
  movej(w)
  movej(wrench_trans(pose_inv(T), w))
"""
    there, back = moves(run(body))
    assert there.target.q == pytest.approx((0, 3, 10, 0, -1, 2.3), abs=1e-12)
    assert back.target.q == pytest.approx((3, 0, 10, 0, 0, 2), abs=1e-12)


def test_lists_and_matrices_as_the_manual_has_them():
    body = """
  c = size([[1,2],[3,4],[5,6]])
  d = transpose([1,2,3])
  e = transpose([[1],[2],[3]])
  f = binary_list_to_integer(integer_to_binary_list(-2))
  movej([size([1,2,3,4,5]), size("here I am"), c[0], d[1,0], e[2], f])
  movej([binary_list_to_integer([True,False,False,True]), 0, 0, 0, 0, 0])
"""
    first, second = moves(run(body))
    assert first.target.q == (5, 9, 3, 2, 3, -2)
    assert second.target.q[0] == 9


def test_a_value_may_stand_in_the_line_below():
    body = """
  bits =
  [ get_flag(0)
  , get_flag(1)
  ]
  q = 2 *
    (length(bits) + 1)
  home =
    p[0.4, 0, 0.3, 0, 3.14, 0]
  movel(home)
  movej([q, 0, 0, 0, 0, 0])
"""
    line, joint = moves(run(body))
    assert line.target.position == pytest.approx((0.4, 0, 0.3))
    assert joint.target.q[0] == 6


def test_a_list_that_the_world_tells_is_one_answer():
    body = """
  data = socket_read_ascii_float(2)
  movej([data[1], data[2], 0, 0, 0, 0])
  data = socket_read_ascii_float(2)
  movej([data[1], data[2], 0, 0, 0, 0])
"""
    one = run(body, world={"socket_read_ascii_float(2)": [2, 0.5, -1.5]})
    assert [move.target.q[:2] for move in moves(one)] == [(0.5, -1.5), (0.5, -1.5)]
    two = run(body, world={"socket_read_ascii_float(2)": [[2, 0.5, -1.5], [2, 0.6, -1.4]]})
    assert [move.target.q[:2] for move in moves(two)] == [(0.5, -1.5), (0.6, -1.4)]


def test_scopes_and_arguments():
    body = """
  global a = 1
  b = 10
  def f(x, y=2):
    a = a + x
    b = 99
    return y + b
  end
  c = f(y=5, x=3)
  d = f(1)
  movej([a, b, c, d])
"""
    (move,) = moves(run(body))
    assert move.target.q == (5, 99, 104, 101)  # names of the first level are global, whether that is said or not


def test_names_within_functions():
    body = """
  a = 1
  b = 1
  def f():
    local a = 2
    c = 3
    def g():
      a = 5
      c = 7
      return c
    end
    b = g()
    return a + c
  end
  d = f()
  movej([a, b, d, 0])
"""
    (move,) = moves(run(body))
    assert move.target.q == (5, 7, 5, 0)


def test_lists_and_structs():
    body = """
  m = [[1, 2], [3, 4]]
  m[1, 0] = 7
  s = struct(q=[0, 0], name="x")
  s.q[1] = 2
  q = [m[1][0], s.q[1], length(m)]
  q[0] = q[0] % 4
  movej(q)
"""
    (move,) = moves(run(body))
    assert move.target.q == (3, 2, 2)


def test_servoj_is_one_motion():
    loop = "  while i < 5:\n    servoj([0.1 * i, 0], t=0.02)\n    i = i + 1\n  end"
    body = f"  movej([0, 0])\n  i = 0\n{loop}\n  stopj(10)\n  movej([1, 1])"
    first, streamed, last = [command for command in run(body) if isinstance(command, Move | Follow)]
    assert isinstance(first.target, Joints)
    assert isinstance(last.target, Joints)
    assert streamed.times == pytest.approx((0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.6))  # from 5 rad/s at 10 rad/s^2
    assert streamed.q[-2].tolist() == [0.4, 0]
    assert streamed.q[-1].tolist() == pytest.approx([0.4 + 1.25, 0])


@pytest.mark.parametrize(("far", "a", "v"), [(1.0, 1.4, 1.05), (0.2, 1.4, 1.05), (2.0, 0.5, 0.8)])
def test_times_of_joint_moves_are_those_of_the_manual(arm_without_limits, far, a, v):
    """The joint that has farthest to go: d / v + v / a, or 2 sqrt(d / a) where it never gets to v."""
    commands = run(f"  movej([{far}, 0.1, 0, 0, 0, 0], a={a}, v={v})")
    expected = far / v + v / a if far > v * v / a else 2.0 * sqrt(far / a)
    assert Planner.of(arm_without_limits).plan(commands).duration == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("far", "a", "v"), [(0.1, 1.2, 0.25), (0.01, 1.2, 0.25), (0.15, 0.3, 0.2)])
def test_times_of_lines_are_those_of_the_manual(arm_without_limits, far, a, v):
    """As of joints, of the way of the tool."""
    q = [0.2, -0.5, 0.3, 0.1, 0.6, 0.2]
    T = arm_without_limits.pose(q)
    numbers = [*(T[:3, 3] + [0.0, 0.0, far]).tolist(), *vector_of(T[:3, :3]).tolist()]
    commands = run(f"  movel(p{numbers}, a={a}, v={v})")
    expected = far / v + v / a if far > v * v / a else 2.0 * sqrt(far / a)
    planned = Planner.of(arm_without_limits).plan(commands, start=q)
    assert planned.duration == pytest.approx(expected, rel=1e-9)


@pytest.fixture(scope="module")
def arm_without_limits():
    """A PUMA that no limit of its own holds back."""
    from dataclasses import replace

    import torsor
    from torsor.arm import Arm
    from torsor.model.parts import Limits

    model = torsor.load("puma560").model
    limits = Limits(position=None, speed=1e3, acceleration=1e4)
    links = tuple(replace(link, joint=replace(link.joint, limits=limits)) for link in model.links)
    return Arm(replace(model, links=links))


STATEMENTS = """
def go(x):|a=[x, 1]|b = a[1]|movej([0, b])|if x > 1:|return 2|else:|stopj(2)|end|return 3|end
global q = go(1) + go (2)|q2 = not (q == 5) and True|movej([q, 1], a=1, v=2)|sleep(0.5)
thread t():|sync()|end|handle = run t()|join handle|s = struct(n=1)|s.n = 3|m = [[1, 2]]|m[0, 1] = 7
while True:|sync()|break|end|enter_critical|c = m[0, 1]|exit_critical|movej([c, s.n])
"""


@pytest.mark.parametrize("text", [STATEMENTS.replace("|", "\n"), STATEMENTS.replace("|", " "),
                                  STATEMENTS.replace("|", " ").replace("\n", " ")])  # fmt: skip
def test_statements_are_parted_by_white_space(text):
    """As the manual has it of what is sent to the interpreter: any number of statements in a line."""
    made = moves(run(text))
    assert [each.target.q for each in made] == [(0, 1), (0, 1), (3 + 2, 1), (7, 3)]
    assert (made[2].pace.axis_acceleration, made[2].pace.axis_speed) == (1, 2)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        # what lacks something in a line is no second statement
        ("def a():\n  x = 2 sin(1)\nend", 2, "'sin' does not belong here"),
        ("def a():\n  x = 2 y\nend", 2, "'y' does not belong here"),
        ("def a():\n  if True movej([0, 0])\n  end\nend", 2, "'movej' does not belong here"),
        ("def a():\n  whlie True: sync() end\nend", 2, "there is no instruction 'whlie'"),
        ("def a():\n  movej([0, 0]) movl(p[0,0,0,0,0,0])\nend", 2, "there is no instruction or function 'movl'"),
        ("def a():\n  movej([0, 0]) a=1.2, v=3)\nend", 2, ""),
        ("def a():\n  movj([0,0])\nend", 2, "there is no instruction or function 'movj'"),
        ("def a():\n  while True:\n    sync()\n\nend", 2, "while is never closed"),
        ("def a():\n  movel(p[0,0,0,0,0,0]\n  sleep(1)\nend", 2, ""),
        ("def a():\n  movel(a=1.2)\nend", 2, "movel is not given pose"),
        ("def a():\n  if True\n    sync()\n  end\nend", 2, ""),
        ("def a():\n  waypoint = p[0,0,0,0,0,0]\n  movel(waypont)\nend", 3, "there is no name 'waypont'"),
        ("def a():\n  sleep()\nend", 2, "sleep is not given t"),
    ],
)
def test_slips(text, line, problem):
    errors = parse(f"{text}\n", "URScript").errors
    assert errors
    assert (errors[0].place.line, errors[0].problem[: len(problem)]) == (line, problem), errors
