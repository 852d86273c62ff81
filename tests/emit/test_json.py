"""JSON for programs, and text for a terminal. That JSON computes what the tape does is shown in test_equations."""

import json

import numpy as np
import pytest
from emit_oracle import tapes
from equation_tapes import assert_floats_agree, coefficients, inverse_dynamics, symbolic_inverse_dynamics
from hypothesis import given, settings

from torsor.algebra import symbols, tape_from
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.equations import STYLES, readable
from torsor.emit.json_text import to_json, to_text


def test_the_document():
    sheet = readable(inverse_dynamics("planar2"), robot="planar2", formulation="newton-euler", version="1.0")
    made = json.loads(to_json(sheet))
    assert made["robot"] == "planar2"
    assert made["formulation"] == "newton-euler"
    assert made["version"] == "1.0"
    assert (made["counts"]["mul"], made["counts"]["add"], made["counts"]["trig"]) == (13, 10, 4)
    assert made["inputs"][0] == {"name": "q", "shape": [2], "identifier": "q"}
    assert made["parameters"] == []
    assert made["functions"].keys() == {"sin", "cos"}
    assert made["equations"][0] == {"name": "s1", "group": "trigonometry", "infix": "sin(q[0])"}
    assert made["outputs"] == [{"name": "tau", "shape": [2], "entries": ["tau1", "tau2"]}]


def test_a_tape_is_printed_plainly():
    tape = inverse_dynamics("planar2")
    assert to_json(tape) == to_json(readable(tape))


def test_parameters_are_named():
    made = json.loads(to_json(symbolic_inverse_dynamics("planar2")))
    assert "m2" in made["parameters"]
    assert {"name": "m2", "shape": [], "identifier": "m2"} in made["inputs"]


def test_outputs_say_what_every_entry_is():
    made = json.loads(to_json(readable(coefficients("planar2"), style="emdeg")))
    entries = {each["name"]: each["entries"] for each in made["outputs"]}
    assert entries["M"][0][1] == entries["M"][1][0] == "M12"
    assert np.array(entries["b"]).shape == (2, 2, 2)
    assert entries["b"][1][0] == ["0", "0"]
    assert entries["c"][0][1] == "c122"
    assert entries["c"][1][0] == "-c122"


def test_planar2_coefficients_in_text():
    assert to_text(readable(coefficients("planar2"), style="emdeg", robot="planar2")) == PLANAR2


PLANAR2 = """\
planar2 coefficients
robot: planar2
9 M, 5 A, 4 trig, 2 neg

Trigonometry
  s1 = sin(q1)
  c1 = cos(q1)
  s2 = sin(q2)
  c2 = cos(q2)

Intermediates
  V1 = 0.5*c2
  V2 = 9.81*c1
  V3 = 9.81*s1

Results
  (Inertia matrix)
  M11  = 5/3 + c2
  M12  = 1/3 + V1
  M22  = 1/3
  M is symmetric
  (Centripetal coefficients, of the square of the rate of joint j in torque i)
  c122 = -0.5*s2
  c211 = -c122
  c111 = c222 = 0
  (Coriolis coefficients, of the product of the rates of joints j < k in torque i)
  b112 = -s2
  b212 = 0
  (Gravity)
  g1   = V2*(1.5 + V1) + c122*V3
  g2   = 0.5*(V2*c2 - V3*s2)
"""


def test_names_that_are_not_ascii():
    tape = Tape("été", (Array("θ", ()),), (Array("η", ()),), (Instruction("input"), Instruction("sin", (0,))), (1,))
    document = to_json(readable(tape, robot="Kübel"))
    assert document.isascii()
    made = json.loads(document)
    assert made["robot"] == "Kübel"
    assert made["inputs"][0]["name"] == "θ"
    assert to_text(readable(tape, robot="Kübel")).isascii()


def test_numbers_that_json_has_not():
    x = symbols("x", 1)
    tape = tape_from("f", {"x": x}, {"y": x[0] * float("inf") + 1e-320})
    assert "inf" in json.loads(to_json(tape))["equations"][0]["infix"]


@pytest.mark.parametrize("width", [40, 72, 100])
def test_text_is_wrapped(width):
    tape = coefficients("puma560-burdick", symbolic=True)
    lines = to_text(readable(tape, style="emdeg", robot="puma560-burdick"), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert not any(line != line.rstrip() for line in lines)


@settings(max_examples=40, deadline=None)
@given(tapes())
def test_random_tapes_print(tape):
    for style in STYLES:
        sheet = readable(tape, style=style)
        json.loads(to_json(sheet))
        assert to_text(sheet).isascii()


def test_floats():
    tape = inverse_dynamics("irb140")
    for seed in range(5):
        assert_floats_agree(tape, to_json(tape), seed)
