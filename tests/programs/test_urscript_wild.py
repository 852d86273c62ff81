"""What URScript files of strangers have beside their moves: written here anew, one of each kind."""

from __future__ import annotations

import math
import time

import pytest

import torsor
from torsor.motion.commands import Assumed, Move
from torsor.programs import parse, read


def run(text, **more):
    program = parse(text, "URScript")
    assert not program.errors, program.errors
    return list(program.commands(**more))


def targets(commands):
    return [move.target for move in commands if isinstance(move, Move)]


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("x = 1\ny = {{SPEED}}\nz = {{OTHER}}\n", (2, 5), "{{SPEED}} is to be filled in first"),
        ("def f():\n  {% if v5 %}\n  movej([0,0,0,0,0,0])\n  {% endif %}\nend\n", (2, 3), "{% if v5 %} is to be"),
        ("set_tcp(p[{tcp[0]}, 0, 0, 0, 0, 0])\n", (1, 11), "{tcp[0]} is to be filled in first"),
    ],
)
def test_a_template_is_one_message(text, place, told):
    (error,) = parse(text, "URScript").errors
    assert (error.place.line, error.place.column) == place
    assert error.problem.startswith(told)


def test_braces_in_texts_and_comments_are_no_placeholders():
    assert len(targets(run('textmsg("{{x}}") # {y}\nmovej([0, 0, 0, 0, 0, 0])\n'))) == 1


def test_a_list_may_be_called_p():
    text = "def scaled(p, k):\n  p[0] = p[0] * k\n  return p\nend\nmovel(scaled(p[0.1, 0.2, 0.3, 0, 0, 0], 2))\n"
    (target,) = targets(run(text))
    assert target.position == pytest.approx((0.2, 0.2, 0.3))


def test_functions_inside_of_functions_have_names_of_their_own():
    text = """
def first(v):
  def clip(x):
    return x + 1
  end
  return clip(v)
end
def second(v):
  def clip(x):
    return x + 2
  end
  return clip(v)
end
movej([first(0), second(0), 0, 0, 0, 0])
"""
    (target,) = targets(run(text))
    assert target.q[:2] == (1.0, 2.0)


def test_two_functions_of_one_name_are_still_told():
    (error,) = parse("def f():\nend\ndef f():\nend\n", "URScript").errors
    assert error.place.line == 3


def test_methods_of_lists():
    text = """
def m():
  q = [1, 2]
  q.append(3)
  q.insert(0, 9)
  q.extend([4, 5, 6])
  q.remove(1)
  last = q.pop()
  if last == 6 and q.length() == 5:
    q.append(last)
    movej(q)
  end
  part = q.slice(1, 3)
  q.clear()
  if q.length() == 0 and part[0] == 2:
    movej([0, 0, 0, 0, 0, 0])
  end
end
"""
    first, second = targets(run(text))
    assert first.q == (9.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    assert second.q == (0.0,) * 6


def test_a_wait_that_counts_is_over_after_a_while():
    text = """
def close():
  n = 0
  while get_digital_in(9) == False:
    if n > 750000:
      break
    end
    n = n + 1
    sync()
  end
end
close()
movej([0, 0, 0, 0, 0, 0])
"""
    commands = run(text)
    assert len(targets(commands)) == 1
    assert [each.place.line for each in commands if isinstance(each, Assumed)] == [4, 4]


def test_a_loop_that_only_computes_is_run_to_its_end():
    text = "def m():\n  n = 0\n  while n < 2000:\n    n = n + 1\n  end\n  movej([n, 0, 0, 0, 0, 0])\nend\n"
    (target,) = targets(run(text))
    assert target.q[0] == 2000.0


def test_shares_of_what_the_arm_can_do():
    commands = run("optimovej([0, -1, 1, 0, 1, 0], a=0.4, v=0.6)\noptimovel(p[0.3, -0.3, 0.4, 0, 3.1, 0], 0.2, 0.5)\n")
    joint, line = [each for each in commands if isinstance(each, Move)]
    assert (joint.kind, joint.pace.share, joint.pace.acceleration_share) == ("joint", 0.6, 0.4)
    assert (line.kind, line.pace.share, line.pace.acceleration_share) == ("line", 0.5, 0.2)


def test_poses_that_are_not_reached_do_not_take_all_day():
    body = "  n = 0\n  while n < 400:\n    q = get_inverse_kin(p[9, n / 99, 0, 0, 0, 0])\n    n = n + 1\n  end\n"
    text = f"def m():\n{body}end\n"
    began = time.process_time()
    commands = run(text, arm=torsor.load("ur5e"))
    assert time.process_time() - began < 8.0
    assert any("does not reach" in each.text for each in commands if isinstance(each, Assumed))


def test_the_inverse_of_a_pose_is_a_pose():
    (target,) = targets(run("movel(inv(p[0.1, 0.2, 0.3, 0, 0, 0]))\n"))
    assert target.position == pytest.approx((-0.1, -0.2, -0.3))


def test_lists_and_poses_are_compared():
    text = (
        "a = p[0, 0, 0, 0, 0, 0]\nif a == p[0, 0, 0, 0, 0, 0] and [1, 2] != [1, 3]:\n  movej([1, 0, 0, 0, 0, 0])\nend\n"
    )
    (target,) = targets(run(text))
    assert target.q[0] == 1.0


def test_what_a_loop_is_looked_ahead_for_is_said_where_it_stands():
    text = """def m():
  i = 0
  while i < 3:
    i = i + 1
  end
  movej([0, 0, 0, 0, 0, 0])
  if not socket_open("x", 1):
    halt
  end
  while True:
    movej([1, 0, 0, 0, 0, 0])
  end
end
"""
    (assumed,) = [each for each in run(text) if isinstance(each, Assumed)]
    assert assumed.place.line == 7


def test_numbers_that_no_socket_tells_have_their_places():
    text = 'b = socket_read_ascii_float(3, "s")\nmovej([b[0] + 1, b[1], b[2], b[3], 0, 0])\n'
    (target,) = targets(run(text))
    assert target.q == (1.0, *[0.0] * 5)


def test_a_program_may_hold_a_function_of_its_own_name():
    text = "def main():\n  def main():\n    movej([1, 0, 0, 0, 0, 0])\n  end\n  main()\nend\n"
    assert len(targets(run(text))) == 1


def test_otherwise_may_stand_in_the_same_line():
    text = "def m():\n  if 1 > 2: x = 1 else: x = 2 end\n  movej([x, 0, 0, 0, 0, 0])\nend\n"
    (target,) = targets(run(text))
    assert target.q[0] == 2.0


@pytest.mark.parametrize("encoding", ["cp1251", "gbk", "shift_jis"])
def test_comments_in_whatever_letters(tmp_path, encoding):
    words = {"cp1251": "робот", "gbk": "移动机器人", "shift_jis": "初期位置へ移動"}[encoding]
    path = tmp_path / "a.script"
    path.write_bytes(f"def a():\n  movej([0, 0, 0, 0, 0, 0])  # {words}\n  textmsg('{words}')\nend\n".encode(encoding))
    program = read(path)
    assert not program.errors
    assert len(targets(program.commands())) == 1
    assert any("not UTF-8" in each.problem for each in program.diagnostics)


def test_a_list_that_grows_without_end_does_not_take_all_day():
    text = "def m():\n  a = [0]\n  i = 0\n  while i < a.length():\n    a.append(i)\n    i = i + 1\n  end\nend\n"
    began = time.process_time()
    with pytest.raises(torsor.TorsorError, match="has not ended"):
        list(parse(text, "URScript").commands(step_limit=6000))
    assert time.process_time() - began < 8.0


def test_what_is_sent_between_programs():
    text = "stop program\nset unlock protective stop\npower on\n\ndef f():\n  movej([0, 0, 0, 0, 0, 0])\nend\n"
    assert len(targets(run(text))) == 1
    (error,) = parse("power of\nmovej([0, 0, 0, 0, 0, 0])\n", "URScript").errors
    assert error.place.line == 1


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("while True:\n  movej([0, 0, 0, 0, 0, 1])\nennd\n", 3, "'ennd'"),
        ("movew([0, 0, 0, 0, 0, 0])\n", 1, "'movew'"),
        ("while (TTrue):\n  sync()\nend\n", 1, "'TTrue'"),
    ],
)
def test_one_slip_is_one_message(text, line, told):
    (error,) = parse(text, "URScript").errors
    assert error.place.line == line
    assert told in error.problem


SENT = """
def prog():
  home = [0, -1.5, 1.5, 0, 1.5, 0]
  count = 0
  def go(q):
    count = count + 1
    movej(q, v=count * 0.1)
  end
  go(home)
  go([0.5, -1.5, 1.5, 0, 1.5, 0])
end
prog()
"""


def test_a_program_that_is_defined_and_then_called():
    """The manual: names of its first level are global, so that the functions inside of it see them."""
    moves = [each for each in run(SENT) if isinstance(each, Move)]
    assert [move.pace.axis_speed for move in moves] == [0.1, 0.2]
    assert moves[0].target.q == (0, -1.5, 1.5, 0, 1.5, 0)


def test_parts_of_a_struct_have_places():
    text = "s = struct(n=1, q=[0, 0, 0, 0, 0, 1])\ns[0] = 2\nif length(s) == 2:\n  movej(s[1], v=s.n)\nend\n"
    (move,) = [each for each in run(text) if isinstance(each, Move)]
    assert (move.target.q[5], move.pace.axis_speed) == (1.0, 2.0)


def test_a_function_that_takes_something_is_run_where_no_other_moves():
    text = "def away(speed):\n  movej([1, 0, 0, 0, 0, 0], v=speed)\nend\n"
    assert len(targets(run(text))) == 1
    text = "def through(points):\n  movel(points[0])\n  movel(points[1])\nend\n"
    told = [each for each in run(text) if isinstance(each, Assumed)]
    assert told[0].text.endswith("nothing moves; it would take points (line 2)")


def test_what_was_run_and_what_is_granted_is_not_needed():
    text = (
        'def prog():\n  socket_open("10.0.0.1", 5, "pc")\n  if socket_read_line("pc") == "GO":\n'
        "    movej(spot)\n  end\nend\nprog()\n"
    )
    (said,) = [each for each in run(text) if isinstance(each, Assumed) and "nothing moves" in each.text]
    assert said.text.endswith("nothing moves; it would take socket_read_line(pc) (line 3)")


def test_an_operator_who_is_asked_for_a_number_says_one():
    text = 'n = request_integer_from_primary_client("how many")\nwhile n > 0:\n  movej([n])\n  n = n - 1\nend\n'
    assert len(targets(run(text))) == 1


IDLE = """
def prog():
  global Waypoint_1 = [0, -1.5, 1.5, 0, 1.5, 0]
  def SubProgram_1():
    movej(Waypoint_1)
  end
  while (True):
    if (get_standard_digital_in(3)):
      SubProgram_1()
    end
    sync()
  end
end
"""


def test_a_function_that_is_run_in_place_of_an_idle_program_knows_what_it_set():
    commands = run(IDLE)
    assert [target.q[1] for target in targets(commands)] == [-1.5]
    assert commands[0].text == "prog moves nothing with what is assumed: SubProgram_1 is run in its place"


@pytest.mark.parametrize(("start", "moves"), [("th = run motion()\n", 2), ("", 0)])
def test_a_thread_is_run_in_place_of_an_idle_program_that_starts_it(start, moves):
    text = (
        "thread motion():\n  while True:\n    movej([0, 0, 0, 0, 0, 1])\n    movej([0, 0, 0, 0, 0, 0])\n  end\nend\n"
        f"{start}while True:\n  sync()\nend\n"
    )
    assert len(targets(run(text))) == moves


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("a = [1, 2]\ni = 0\na[i = 3\nb = 4\nc = 5\n", 3, "does not belong here"),
        ("whle (True):\n  sync()\nend\n", 1, "there is no instruction 'whle'"),
        ("if True:\n  sync()\nelsif False:\n  sync()\nend\n", 3, "there is no instruction 'elsif'"),
        ("if True:\n  sync()\nelse if False:\n  sync()\nend\n", 3, "there is no instruction 'else'"),
        ("def f(a b):\n  sync()\nend\nf(1)\n", 1, "'b' does not belong here"),
        ("movel(p[0, 0, 1, 0, 0, 0], a=1, rr=0.1)\n", 1, "movel has no argument rr"),
        ("socket_open()\n", 1, "socket_open is not given address, port"),
        ("global SPEED = 1\ndef f(v=SPEDE):\n  sync()\nend\nf()\n", 2, "there is no name 'SPEDE'"),
    ],
)
def test_a_slip_in_the_head_of_a_block_is_told_once(text, line, told):
    errors = parse(text, "URScript").errors
    assert errors[0].place.line == line
    assert told in errors[0].problem
    assert len(errors) == 1


def test_a_value_may_go_on_in_the_next_line():
    text = (
        "while (get_flag(1) and\n       get_flag(2) and\n       not get_flag(3)):\n  sync()\nend\n"
        "movej(q=[0, 0, 0,\n         0, 0, 1],\n      a=1,\n      v=0.5)\n"
        "set_payload(1, CoG=[0, 0, 0.1])\nrun program\n"
    )
    (move,) = [each for each in run(text) if isinstance(each, Move)]
    assert move.pace.axis_speed == 0.5


def test_pi_is_what_it_is_unless_the_program_says_otherwise():
    (target,) = targets(run("movej([pi, 0, 0, 0, 0, 0])\n"))
    assert target.q[0] == math.pi
    (target,) = targets(run("pi = 3.14\nmovej([pi / 2, 0, 0, 0, 0, 0])\n"))
    assert target.q[0] == 1.57


def test_servoc_goes_to_its_targets():
    first, second = targets(
        run("servoc(p[0.3, 0, 0.4, 0, 3, 0], 0.2, 0.1, 0)\nservoc(p[0.3, 0.1, 0.4, 0, 3, 0], v=0.2)\n")
    )
    assert (first.position[1], second.position[1]) == (0.0, 0.1)


@pytest.mark.parametrize(
    ("text", "column"), [("movej([%s, 0, 0, 0, 0, 0])\n", 8), ("movej([0], a=%.4f)\n", 14), ("x = %(x)d\n", 5)]
)
def test_a_format_of_python_is_a_template(text, column):
    (error,) = parse(text, "URScript").errors
    assert (error.place.line, error.place.column) == (1, column)
    assert "is to be filled in first" in error.problem


def test_a_rest_of_a_division_is_no_template():
    assert not parse("s = 3\nd = 5\nx = (d %s) + d % s\n", "URScript").errors


def test_a_comma_that_is_missing_between_lines_is_told_where_it_is():
    text = "q = [1,\n  sin(2)\n  cos(3),\n  4]\nmovej(q)\n"
    (error,) = parse(text, "URScript").errors
    assert error.place.line == 3


def test_names_of_arguments_of_functions_are_checked():
    (error,) = parse("x = 1\nq = get_inverse_kin(p[0, 0, 0, 0, 0, 0], qnera=[0, 0, 0, 0, 0, 0])\n", "URScript").errors
    assert error.place.line == 2
    assert "has no argument" in error.problem


def test_registers_have_addresses():
    assert not parse("x = read_input_integer_register(address=3)\n", "URScript").errors


def test_a_loop_that_repeats_until_the_operator_is_content_is_left_after_some_rounds():
    text = """
def teach(height):
  local content = False
  while (content == False):
    height = height + 0.001
    movel(p[0.4, 0.1, height, 0, 3.14, 0])
    content = request_boolean_from_primary_client("Is it fine?")
  end
end
teach(0.2)
movej([0, -1, 1, 0, 1, 0])
"""
    commands = run(text)
    assert len(targets(commands)) == 4
    told = [each.text for each in commands if isinstance(each, Assumed)]
    assert "no file tells when this loop ends: it is left after 3 rounds" in told


def test_what_stands_behind_a_loop_that_the_operator_ends_is_run():
    text = """
content = False
while (content == False):
  movej([3, 0, 0, 0, 0, 0])
  movej([4, 0, 0, 0, 0, 0])
  content = request_boolean_from_primary_client("Is it fine?")
end
movej([5, 0, 0, 0, 0, 0])
"""
    assert [target.q[0] for target in targets(run(text))] == [3.0, 4.0, 3.0, 4.0, 5.0]


def test_a_loop_in_which_nothing_moves_says_what_in_it_would():
    text = """
def place():
  movej([1, 0, 0, 0, 0, 0])
end
movej([2, 0, 0, 0, 0, 0])
while (True):
  if (get_tcp_force()[2] < -18):
    place()
  end
  if (get_tcp_force()[0] > 18):
    movej([3, 0, 0, 0, 0, 0])
  end
end
"""
    told = [each.text for each in run(text) if isinstance(each, Assumed)]
    left = "nothing moves in this loop, which never ends: the program is left here"
    assert f"{left}; what would move, in lines 8, 11, is not come to, or passed over" in told


def test_a_loop_that_counts_and_asks_is_counted_to_its_end():
    text = """
n = 0
stopped = False
while (n < 20 and not stopped):
  movej([n, 0, 0, 0, 0, 0])
  n = n + 1
  stopped = get_standard_digital_in(4)
end
"""
    assert len(targets(run(text))) == 20
