"""Sheets of equations: they compute what the tape computes, cost no more, and read as the papers do."""

import re
from dataclasses import fields
from fractions import Fraction
from time import process_time

import mpmath
import numpy as np
import pytest
from emit_oracle import tapes
from equation_tapes import (
    DIGITS,
    RATIONAL,
    assert_floats_agree,
    coefficients,
    interpreted,
    inverse_dynamics,
    printed,
    random_arrays,
    scalars_of,
    symbolic_inverse_dynamics,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from torsor.algebra import parameter, symbols, tape_from
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.equations import STYLES, readable
from torsor.emit.formula import walk
from torsor.emit.json_text import to_json, to_text
from torsor.emit.sheet import HEADINGS
from torsor.errors import CompileError

styles = pytest.mark.parametrize("style", STYLES)
RATIONAL_OPS = ("add", "sub", "mul", "div", "neg", "abs", "sign", "min", "max", "lt", "le", "eq", "select", "floor")


@styles
@settings(max_examples=80, deadline=None)
@given(tapes(ops=RATIONAL_OPS + ("add", "sub", "mul", "neg") * 4), st.integers(0, 99))
def test_random_tapes_exactly(style, tape, seed):
    """In fractions, where no order of operations matters, text and tape give the very same numbers."""
    arrays = random_arrays(tape, seed, Fraction)
    try:
        wanted = interpreted(tape, scalars_of(tape, arrays), RATIONAL, Fraction)
    except ZeroDivisionError:
        assume(False)
    sheet = readable(tape, style=style)
    check_sheet(sheet)
    try:
        assert printed(to_json(sheet), arrays, RATIONAL, Fraction) == wanted
    except OverflowError:
        assume(False)


@styles
@settings(max_examples=60, deadline=None)
@given(tapes(ops=("add", "sub", "mul", "neg", "sin", "cos", "sin", "cos", "sqrt", "atan2")), st.integers(0, 99))
def test_random_tapes_with_many_digits(style, tape, seed):
    # the first input is called q, so that its sines and cosines are named
    tape = Tape("random", (Array("q", tape.inputs[0].shape), *tape.inputs[1:]), tape.outputs, tape.code, tape.results)
    with mpmath.workdps(120):
        arrays = random_arrays(tape, seed, mpmath.mpf)
        wanted = interpreted(tape, scalars_of(tape, arrays), DIGITS, mpmath.mpf)
        assume(all(abs(x) < 1e20 for x in wanted))
        sheet = readable(tape, style=style)
        check_sheet(sheet)
        for found, want in zip(printed(to_json(sheet), arrays, DIGITS, mpmath.mpf), wanted, strict=True):
            assert abs(found - want) < 1e-12


def check_sheet(sheet):
    """Names are given once and used below; groups follow each other; nothing costs more than on the tape."""
    known = {each.text for each in sheet.symbols}
    for equation in sheet.equations:
        used = {node.symbol.text for node in walk(equation.expression) if node.symbol is not None}
        assert used <= known, equation
        assert equation.name not in known, equation
        known.add(equation.name)
        for node in walk(equation.expression):
            inner = [arg.op for arg in node.args]
            assert node.op != "ref"
            assert node.op != "sum" or "sum" not in inner, equation
            assert node.op not in ("product", "power") or not {"product", "negative"} & {*inner} or node.op == "power"
            assert node.op != "negative" or inner != ["negative"], equation
    places = [list(HEADINGS).index(equation.group) for equation in sheet.equations]
    assert places == sorted(places)
    for field in fields(sheet.counts):
        if field.name not in ("neg", "fixed"):  # constants are spelled out
            assert getattr(sheet.recounted, field.name) <= getattr(sheet.counts, field.name), field.name


REAL = {
    "planar2": lambda: inverse_dynamics("planar2"),
    "planar2 symbolic": lambda: symbolic_inverse_dynamics("planar2"),
    "scara": lambda: inverse_dynamics("scara"),
    "irb140": lambda: inverse_dynamics("irb140"),
    "puma symbolic": lambda: symbolic_inverse_dynamics("puma560-burdick"),
    "puma coefficients": lambda: coefficients("puma560-burdick"),
    "puma symbolic coefficients": lambda: coefficients("puma560-burdick", symbolic=True),
    "stanford coefficients": lambda: coefficients("stanford"),
}


@styles
@pytest.mark.parametrize("name", REAL)
def test_real_arms(name, style):
    tape = REAL[name]()
    sheet = readable(tape, style=style)
    check_sheet(sheet)
    assert_floats_agree(tape, to_json(sheet))
    assert sheet.recounted.mul == sheet.counts.mul
    assert sheet.recounted.add == sheet.counts.add


def test_seven_joints_with_symbols_print_at_once():
    tape = symbolic_inverse_dynamics("panda")
    start = process_time()
    for style in STYLES:
        check_sheet(readable(tape, style=style))
    assert process_time() - start < 2.0 * len(STYLES)


# What it looks like.


def text(outputs, style="plain", **inputs):
    return [str(each) for each in readable(tape_from("f", inputs, outputs), style=style).equations]


def test_planar2_plain():
    made = to_text(readable(inverse_dynamics("planar2"), robot="planar2", formulation="newton-euler", version="0"))
    assert made == PLANAR2


PLANAR2 = """\
planar2 inverse dynamics
robot: planar2
formulation: newton-euler
made by torsor: 0
13 M, 10 A, 4 trig

Trigonometry
  s1 = sin(q1)
  c1 = cos(q1)
  s2 = sin(q2)
  c2 = cos(q2)

Intermediates
  V1 = qdd1 + qdd2

Results
  tau2 = V1/3 - 0.5*(s2*(9.81*s1 - qd1^2) - c2*(qdd1 + 9.81*c1))
  tau1 = 0.5*(V1*c2 - s2*(qd1 + qd2)^2) + tau2 + 14.715*c1 + 4*qdd1/3
"""


def test_planar2_as_kane_writes():
    made = readable(inverse_dynamics("planar2"), style="kane")
    assert [str(each) for each in made.equations[4:]] == [
        "Z1 = qdd1 + qdd2",
        "Z2 = qd1 + qd2",
        "Z3 = Z1*c2 - Z2^2*s2",
        "Z4 = 9.81*s1 - qd1^2",
        "Z5 = qdd1 + 9.81*c1",
        "Z6 = Z4*s2 - Z5*c2",
        "tau2 = Z1/3 - 0.5*Z6",
        "tau1 = 0.5*Z3 + tau2 + 14.715*c1 + 4*qdd1/3",
    ]


def test_kane_has_no_parentheses_but_those_of_functions():
    for each in readable(symbolic_inverse_dynamics("puma560-burdick"), style="kane").equations:
        assert each.group == "trigonometry" or "(" not in str(each)


def test_puma_coefficients_read_as_in_the_paper():
    sheet = readable(coefficients("puma560-burdick", symbolic=True), style="emdeg")
    equations = {each.name: str(each.expression) for each in sheet.equations}
    assert equations["s23"] == "s2*c3 + c2*s3"
    assert equations["c23"] == "c2*c3 - s2*s3"
    assert {"M11", "c122", "b112", "g2"} <= equations.keys()
    value = equations["c322"]  # appendix II: c_322 = -c_233
    assert value == "-c233" or equations["c233"] == f"-{value}"
    assert equations["b112"] == "-2*c211"
    assert equations["b134"] == "b124"
    assert equations["b413"] == "-b314"
    assert {each.text for each in sheet.zeros} >= {"M56", "g1", "g6", "c166"}
    assert sheet.symmetric == ("M",)
    assert "b121" not in {each.text for each in sheet.zeros}  # j < k
    for each in sheet.group("products"):
        assert re.fullmatch(r"[scT]\d+(\^2)?(\*[scT]\d+(\^2)?)*", str(each.expression)), each
    index = [each.name for each in sheet.group("results") if each.name[0] == "g"]
    assert index == sorted(index)


def test_constants_are_computed_once():
    m, r, x = parameter("m"), parameter("r"), symbols("q", 1)[0]
    made = text({"y": m * r * r * x + m, "z": m * r}, q=np.array([x]), m=m, r=r)
    assert made == ["K1 = m*r", "K2 = r*K1", "y = m + K2*q1", "z = K1"]


def test_signs():
    made = Tape(
        "signs",
        (Array("x", (3,)),),
        (Array("a", ()), Array("b", ()), Array("c", ()), Array("d", ())),
        (
            *(Instruction("input", (), float(k)) for k in range(3)),
            Instruction("neg", (0,)),  # 3: -x
            Instruction("neg", (3,)),  # 4: x
            Instruction("sub", (3, 1)),  # 5: -x - y
            Instruction("neg", (5,)),  # 6: x + y
            Instruction("const", (), -2.0),
            Instruction("mul", (7, 2)),  # 8: -2 z
            Instruction("sub", (4, 8)),  # 9: x + 2 z
            Instruction("sub", (1, 0)),  # 10: y - x
            Instruction("mul", (8, 10)),  # 11: -2 z (y - x)
        ),
        (4, 6, 9, 11),
    )
    assert [str(each) for each in readable(made).equations] == [
        "V1 = 2*x3",
        "a = x1",
        "b = x1 + x2",
        "c = x1 + V1",
        "d = V1*(x1 - x2)",
    ]


def test_trigonometry_of_sums():
    q = symbols("q", 3)
    angle = q[0] + q[1]
    made = text({"y": np.cos(angle) + np.sin(angle), "z": np.cos(q[2] + 0.5), "w": np.sin(q[2] - q[0])}, q=q)
    assert made == [
        "c3p = cos(0.5 + q3)",
        "q12 = q1 + q2",
        "s12 = sin(q12)",
        "c12 = cos(q12)",
        "s3m1 = sin(q3 - q1)",
        "y = s12 + c12",
        "z = c3p",
        "w = s3m1",
    ]


@pytest.mark.parametrize(
    ("formula", "name", "definition"),
    [
        (lambda s, c: s[0] * c[1] + c[0] * s[1], "s12", "s1*c2 + c1*s2"),
        (lambda s, c: s[0] * c[2] - c[0] * s[2], "s1m3", "s1*c3 - c1*s3"),
        (lambda s, c: c[0] * s[2] - s[0] * c[2], "-s1m3", "s1*c3 - c1*s3"),
        (lambda s, c: c[1] * c[2] - s[1] * s[2], "c23", "c2*c3 - s2*s3"),
        (lambda s, c: s[1] * s[2] - c[1] * c[2], "-c23", "c2*c3 - s2*s3"),
        (lambda s, c: s[1] * s[2] + c[1] * c[2], "c2m3", "s2*s3 + c2*c3"),
    ],
)
def test_addition_theorems(formula, name, definition):
    q = symbols("q", 3)
    made = text({"y": formula(np.sin(q), np.cos(q))}, q=q)
    assert made[-2:] == [f"{name.strip('-')} = {definition}", f"y = {name}"]


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        (lambda s, c: s[0] * c[0] + s[1] * c[1], "s1*c1 + s2*c2"),
        (lambda s, c: s[0] * c[1] - s[1] * c[2], "s1*c2 - s2*c3"),
        (lambda s, c: s[0] * c[1] + s[0] * s[1], None),
        (lambda s, c: c[0] * c[1] + c[1] * s[0], None),
        (lambda s, c: c[0] * c[0] - s[0] * s[0], "c1^2 - s1^2"),
        (lambda s, c: s[0] * s[1] - c[0] * c[2], "s1*s2 - c1*c3"),
    ],
)
def test_what_is_no_addition_theorem(formula, wanted):
    q = symbols("q", 3)
    made = text({"y": formula(np.sin(q), np.cos(q))}, q=q)
    assert wanted is None or made[-1] == f"y = {wanted}"
    assert all(line.split(" = ")[1].startswith(("sin", "cos")) for line in made[:-1])


def test_names_do_not_clash():
    q, p = symbols("q", 2), {name: parameter(name) for name in ("K1", "t1", "c1", "s2", "q1", "lambda", "sin")}
    y = np.cos(q[0]) * p["K1"] * p["t1"] + np.sin(q[1]) * p["c1"] * p["s2"] + p["q1"] * p["lambda"] * p["sin"] * q[0]
    tape = tape_from("clash", {"q": q} | p, {"c": np.array([y, y * y]), "K": np.array([y + 1, y - 1]), "q12": y})
    for style in STYLES:
        sheet = readable(tape, style=style)
        check_sheet(sheet)
        assert_floats_agree(tape, to_json(sheet))


@pytest.mark.parametrize("name", ["a b", "1", "été", "x; import os", "", "%", "t", "number" * 20])
def test_any_name_is_let_in(name):
    tape = Tape("f", (Array(name, (2,)),), (Array("y", ()),), (Instruction("input"), Instruction("sin", (0,))), (1,))
    document = to_json(readable(tape))
    assert printed(document, {name: [0.5, 0.0]}, {"sin": np.sin})[0] == np.sin(0.5)


def test_many_joints_have_separated_indices():
    x = symbols("x", 12)
    made = text({"M": np.outer(x, x)[:11, :11]}, x=x)
    assert {"M1_11 = x1*x11", "M11_11 = x11^2"} <= set(made)


def test_results_that_are_inputs_and_numbers():
    x = symbols("x", 2)
    sheet = readable(tape_from("f", {"x": x}, {"y": np.array([x[1], 0.0, 2.5, -x[0]], dtype=object)}))
    assert [str(each) for each in sheet.equations] == ["y1 = x2", "y3 = 2.5", "y4 = -x1"]
    assert [each.text for each in sheet.zeros] == ["y2"]


def test_unknown_style():
    with pytest.raises(CompileError, match="did you mean 'plain'"):
        readable(inverse_dynamics("planar2"), style="plan")
