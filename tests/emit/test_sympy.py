"""SymPy: the same numbers, in the form of cse, nothing expanded unless asked."""

import subprocess
import sys

import numpy as np
import pytest
from emit_oracle import tapes
from equation_tapes import coefficients, inverse_dynamics, random_arrays, symbolic_inverse_dynamics
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor.algebra import symbols, tape_from
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.sympy_objects import to_sympy
from torsor.errors import Unsupported

sympy = pytest.importorskip("sympy")


def computed(tape, made, arrays):
    """The outputs in floats, intermediates one after the other."""
    values = {}
    for name, block in made.inputs.items():
        entries = sympy.flatten(block.tolist()) if block.shape else [block[()]]
        values.update(zip(entries, np.ravel(arrays[name]), strict=True))
    for named, expression in made.intermediates:
        values[named] = number(expression, values)
    outputs = []
    for array in tape.outputs:
        flat = sympy.flatten(made.outputs[array.name].tolist())
        outputs.append(np.array([number(x, values) for x in flat]).reshape(array.shape))
    return outputs


def number(expression, values):
    used = sorted(expression.free_symbols, key=str)
    return float(sympy.lambdify(used, expression, "numpy")(*(values[each] for each in used)))


REAL = {
    "planar2": lambda: inverse_dynamics("planar2"),
    "planar2 symbolic": lambda: symbolic_inverse_dynamics("planar2"),
    "irb140": lambda: inverse_dynamics("irb140"),
    "planar3 coefficients": lambda: coefficients("planar3"),
}


@pytest.mark.parametrize("name", REAL)
def test_real_arms(name):
    tape = REAL[name]()
    made = to_sympy(tape)
    arrays = random_arrays(tape, 3)
    wanted = tape.evaluate(*(arrays[array.name] for array in tape.inputs))
    for found, want in zip(computed(tape, made, arrays), wanted, strict=True):
        np.testing.assert_allclose(found, want, rtol=0, atol=1e-12 * max(np.abs(want).max(), 1e-300))


@settings(max_examples=40, deadline=None)
@given(
    tapes(ops=("add", "sub", "mul", "neg", "abs", "sign", "min", "max", "sin", "cos"), longest=15), st.integers(0, 9)
)
def test_random_tapes(tape, seed):
    arrays = random_arrays(tape, seed)
    wanted = tape.evaluate(*(arrays[array.name] for array in tape.inputs))
    for found, want in zip(computed(tape, to_sympy(tape), arrays), wanted, strict=True):
        if np.abs(want).max(initial=0) < 1e6:  # beyond, sines of what was rounded differ
            np.testing.assert_allclose(found, want, rtol=0, atol=1e-9)


def test_operations_are_not_multiplied():
    """A product with a sum stays one: SymPy's own counting finds no more operations than the tape has."""
    tape = inverse_dynamics("irb140")
    made = to_sympy(tape)
    expressions = [x for _, x in made.intermediates] + list(made.outputs["tau"])
    count = sum(sympy.count_ops(x, visual=True) for x in expressions)
    mul, add, sub = (count.coeff(sympy.Symbol(name)) for name in ("MUL", "ADD", "SUB"))
    assert mul <= tape.counts().mul
    assert add + sub <= tape.counts().add


def test_expanded_is_in_the_inputs_alone():
    tape = inverse_dynamics("planar2")
    tau = to_sympy(tape).expanded()["tau"]
    q1, q2, qd1, qd2, qdd1, qdd2 = sympy.symbols("q1 q2 qd1 qd2 qdd1 qdd2", real=True)
    assert tau.free_symbols == {q1, q2, qd1, qd2, qdd1, qdd2}
    # M_22 = 1/3: a rod of one metre and one kilogram
    assert abs(float(tau[1].diff(qdd2)) - 1 / 3) < 1e-15
    gravity = tau[1].subs({qd1: 0, qd2: 0, qdd1: 0, qdd2: 0})
    assert abs(float((gravity - 0.5 * 9.81 * sympy.cos(q1 + q2)).subs({q1: 0.3, q2: 0.4}))) < 1e-14


def test_shapes():
    x = symbols("x", 2)
    outputs = {"a": x[0], "b": x, "c": np.outer(x, x), "d": np.multiply.outer(np.outer(x, x), x)}
    made = to_sympy(tape_from("f", {"x": x}, outputs))
    assert [made.outputs[name].shape for name in "abcd"] == [(1, 1), (2, 1), (2, 2), (2, 2, 2)]
    assert made.inputs["x"].shape == (2, 1)


def test_selections():
    code = [*(Instruction("input", (), float(k)) for k in range(2)), Instruction("const", (), 2.0)]
    code += [Instruction("lt", (0, 1)), Instruction("select", (3, 0, 2)), Instruction("select", (1, 0, 2))]
    code += [Instruction("max", (0, 1)), Instruction("abs", (0,)), Instruction("eq", (0, 1))]
    made = to_sympy(Tape("f", (Array("x", (2,)),), (Array("y", (5,)),), tuple(code), (4, 5, 6, 7, 8)))
    x1, x2 = sympy.symbols("x1 x2", real=True)
    assert list(made.outputs["y"]) == [
        sympy.Piecewise((x1, x1 < x2), (2, True)),
        sympy.Piecewise((2, sympy.Eq(x2, 0)), (x1, True)),
        sympy.Max(x1, x2),
        sympy.Abs(x1),
        sympy.Piecewise((1, sympy.Eq(x1, x2)), (0, True)),
    ]


def test_without_sympy(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(Unsupported, match="pip install sympy"):
        to_sympy(inverse_dynamics("planar2"))


def test_it_is_imported_when_used():
    code = "import sys, torsor.emit.sympy_objects; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
