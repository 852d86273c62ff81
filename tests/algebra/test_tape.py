import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from random_graphs import evaluate, follow, recipes, traced
from traced_arms import inverse_dynamics, puma, random_arm

from torsor.algebra import (
    Array,
    Instruction,
    Tape,
    arctan2,
    cos,
    count,
    parameters,
    parse,
    select,
    sin,
    symbols,
    tape_from,
)
from torsor.errors import CompileError, ShapeError

x = symbols("x", 3)
GOLDEN = Path(__file__).parent / "pendulum.tape"


def pendulum() -> Tape:
    """Two links in a plane, point masses at the tips."""
    q, qd, qdd = (symbols(name, 2) for name in ("q", "qd", "qdd"))
    c2, s2 = cos(q[1]), sin(q[1])
    g1, g2 = 9.81 * cos(q[0]), 9.81 * cos(q[0] + q[1])
    h = 0.5 * s2
    tau2 = (0.25 + 0.5 * c2) * qdd[0] + 0.25 * qdd[1] + h * qd[0] ** 2 + 0.5 * g2
    tau1 = tau2 + (1.75 + 0.5 * c2) * qdd[0] + 0.5 * c2 * qdd[1] - h * (qd[0] + qd[1]) ** 2 + 2 * g1
    return tape_from("pendulum", {"q": q, "qd": qd, "qdd": qdd}, {"tau": np.array([tau1, tau2])})


def test_golden_text():
    assert pendulum().text() + "\n" == GOLDEN.read_text()


@given(recipes())
def test_text_reads_back(recipe):
    s, outputs = traced(recipe)
    block = np.empty(len(outputs), dtype=object)
    block[:] = outputs
    tape = tape_from("f", {"x": s}, {"y": block})
    again = parse(tape.text())
    assert again.text() == tape.text()
    points = np.random.default_rng(0).uniform(-1, 1, (4, 3))
    np.testing.assert_array_equal(again.evaluate(points)[0], tape.evaluate(points)[0])


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("tape f\ninput x\noutput y\ny = z", "4: 'z' is not defined"),
        ("tape f\ninput x\noutput y\nt0 = x ? x\ny = t0", "formula"),
        ("tape f\ninput x\noutput y", "no value for y"),
        ("tape f\ninput x[\noutput y", "array"),
        ("nonsense", "cannot read"),
    ],
)
def test_text_errors(source, what):
    with pytest.raises(CompileError, match=what):
        parse(source)


def test_evaluate_broadcasts():
    a, b = symbols("a", 2), symbols("b", ())
    tape = tape_from("f", {"a": a, "b": b}, {"y": np.outer(a, a) * b[()], "z": 1.5})
    y, z = tape.evaluate(np.ones((4, 1, 2)), np.arange(3.0))
    assert y.shape == (4, 3, 2, 2)
    assert z.shape == (4, 3)
    np.testing.assert_array_equal(y[0, 2], 2 * np.ones((2, 2)))
    with pytest.raises(ShapeError, match="must end in"):
        tape.evaluate(np.ones(3), 1.0)
    with pytest.raises(ShapeError, match="2 arrays"):
        tape.evaluate(np.ones(2))


def test_evaluate_one_state():
    a, b = symbols("a", 2), symbols("b", ())
    tape = tape_from("f", {"a": a, "b": b}, {"y": a[0] * b[()], "z": np.array([[a[1]]]), "one": 1.0})
    y, z, one = tape.evaluate([2.0, 3.0], 5.0)
    assert (y.shape, z.shape, one.shape) == ((), (1, 1), ())
    assert (float(y), float(z[0, 0]), float(one)) == (10.0, 3.0, 1.0)


def test_dead_code_is_gone_and_unused_inputs_stay():
    tape = tape_from("f", {"x": x}, {"y": x[0] * 2})
    assert len(tape.code) == 3
    assert tape.inputs == (Array("x", (3,)),)


def test_counts():
    e = select(x[0] < 0, sin(x[1]) * x[0], x[2] / x[1]) - 2 * cos(x[1])
    counts = tape_from("f", {"x": x}, {"y": e}).counts()
    assert (counts.M, counts.A, counts.mul, counts.div, counts.trig, counts.select) == (3, 1, 2, 1, 2, 2)
    assert dataclasses.replace(counts, neg=0) == dataclasses.replace(count(e), neg=0)
    assert str(counts) == "3 M, 1 A, 1 div, 2 trig, 2 select"


def test_negations_become_differences():
    for e in (x[0] - x[1], x[1] - x[0], -(x[0] * (x[1] - x[2])), -(3 * x[0]), -((x[0] - x[1]) / x[2])):
        assert tape_from("f", {"x": x}, {"y": e}).counts().neg == 0
    tape = tape_from("f", {"x": x}, {"y": np.array([x[0] - x[1], x[1] - x[0]])})
    assert (tape.counts().add, tape.counts().neg) == (1, 1)


def test_atan2_of_a_difference_that_is_zero():
    for e in (arctan2(x[0] - x[1], x[2]), arctan2(x[1] - x[0], x[2])):
        assert evaluate(x, [e, x[0] - x[1], x[1] - x[0]], np.array([1.0, 1.0, -1.0]))[0] == np.pi


def test_split_computes_parameters_once():
    p = parameters("p", 2)
    y = np.array([p[0] * p[1] * x[0] + sin(p[0]), x[1] * p[1], p[0] + p[1], 3.0], dtype=object)
    tape = tape_from("f", {"x": x, "p": p}, {"y": y})
    assert tape.parameters == ("p",)
    assert tape.counts().fixed == 3
    assert tape.counts().trig == 0
    prologue, body = tape.split()
    assert body.counts().fixed == 0
    assert body.counts().total == tape.counts().total
    points, values = np.random.default_rng(0).normal(size=(5, 3)), np.array([0.3, -2.0])
    fixed = prologue.verify().evaluate(values)[0]
    np.testing.assert_array_equal(body.verify().evaluate(points, fixed)[0], tape.evaluate(points, values)[0])


def test_bad_inputs():
    with pytest.raises(CompileError, match=r"'x\[1\]' is used but is no input; inputs: x\[0\]"):
        tape_from("f", {"x": x[:1]}, {"y": x[0] * x[1]})
    with pytest.raises(CompileError, match="each symbol once"):
        tape_from("f", {"x": x, "again": x[:1]}, {"y": x[0]})
    with pytest.raises(CompileError, match="mixes"):
        tape_from("f", {"x": np.array([x[0], parameters("p", 1)[0]])}, {"y": x[0]})
    with pytest.raises(CompileError, match="no output"):
        tape_from("f", {"x": x}, {"y": "text"})


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ([Instruction("input"), Instruction("mul", (0, 1))], "instruction 1: mul.* not yet there"),
        ([Instruction("input"), Instruction("mul", (0,))], "takes 2 arguments, not 1"),
        ([Instruction("input"), Instruction("twist", (0,))], "is no operation"),
        ([Instruction("input", (), 1.0), Instruction("neg", (0,))], "reads input 1 of 1"),
        ([Instruction("input", (), 0.0)], "there is no instruction 1"),
    ],
)
def test_verifier(code, what):
    with pytest.raises(CompileError, match=what):
        Tape("f", (Array("x", ()),), (Array("y", ()),), tuple(code), (1,)).verify()


def test_verifier_of_results_and_names():
    good = pendulum()
    assert good.verify() is good
    with pytest.raises(CompileError, match="1 results for 2"):
        dataclasses.replace(good, results=good.results[:1]).verify()
    with pytest.raises(CompileError, match="one name"):
        dataclasses.replace(good, inputs=(good.inputs[0],) * 3).verify()
    with pytest.raises(CompileError, match="no input"):
        dataclasses.replace(good, parameters=("mass",)).verify()


def test_liveness():
    tape = tape_from("f", {"x": x}, {"y": (x[0] * x[1]) + (x[1] * x[2])})
    live = tape.liveness()
    assert live.peak == 2
    assert live.alive[-1] == 0
    assert all(last >= k for k, last in enumerate(live.last_use))


@pytest.mark.parametrize("links", [puma(), random_arm(6, 1)], ids=["puma", "dense"])
def test_order_keeps_few_values_alive(links):
    q, qd, qdd = (symbols(name, 6) for name in ("q", "qd", "qdd"))
    tape = tape_from("id", {"q": q, "qd": qd, "qdd": qdd}, {"tau": inverse_dynamics(links, q, qd, qdd)})
    assert tape.liveness().peak < tape.counts().total / 4


def test_same_text_whatever_was_traced_before():
    """The order of arguments depends on structure, not on the history of the process."""
    first = pendulum().text()
    keep = [follow(([("mul", k, k + 1), ("sin", k, 0)], 1), symbols("q", 2)) for k in range(9)]
    assert pendulum().text() == first
    assert keep
