"""Generated Python: right, readable, and what runs when LLVM is missing."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from emit_oracle import EXACT, states, tapes
from emit_tracing import interpret, newton_euler
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.python_source import function_from, to_python

GOLDEN = Path(__file__).parent / "golden"
HERE = Path(__file__).parent


@settings(max_examples=60, deadline=None)
@given(tapes(), st.integers(0, 99))
def test_random_tapes_to_the_last_bit(tape, seed):
    """The same operations in the same order: nothing is regrouped."""
    arrays = states(tape, 4, seed)
    with np.errstate(all="ignore"):
        found = function_from(tape)(*arrays)
    found = found if isinstance(found, tuple) else (found,)
    for f, w in zip(found, interpret(tape, *arrays), strict=True):
        np.testing.assert_array_equal(f, w)


def test_batches_broadcast():
    tape = newton_euler(3)
    q, qd, qdd = (np.random.default_rng(i).normal(size=s) for i, s in enumerate([(4, 1, 3), (5, 3), (3,)]))
    np.testing.assert_array_equal(function_from(tape)(q, qd, qdd), interpret(tape, q, qd, qdd)[0])


NAMES = [
    "lambda",
    "np",
    "t5",
    "q",
    "q0",
    "q_",
    "x; import os",
    "",
    "1",
    "été",
    "lead",
    "__import__('os')",
    "class",
    "t",
]


@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("second", NAMES)
def test_names_are_only_names(first, second):
    code = (
        *tuple(Instruction("input", (), float(i)) for i in range(4)),
        Instruction("mul", (0, 1)),
        Instruction("add", (4, 2)),
        Instruction("sqrt", (5,)),
        Instruction("sub", (6, 3)),
        Instruction("sin", (7,)),
    )
    tape = Tape(first, (Array(first, (2,)), Array(second + "1", (2,))), (Array(second, (2,)),), code, (7, 8))
    tree = ast.parse(to_python(tape))
    assert len(tree.body) == 3  # the docstring, the import of numpy, one function
    x, y = np.array([2.0, 3.0]), np.array([5.0, 7.0])
    np.testing.assert_array_equal(function_from(tape)(x, y), interpret(tape, x, y)[0])


def test_golden():
    """Regenerate with `python tests/emit/test_python_source.py`."""
    tape = newton_euler(2, name="two_link")
    assert to_python(tape) == (GOLDEN / "two_link.py.txt").read_text()
    assert tape.text() == (GOLDEN / "two_link.tape").read_text()


def test_without_llvm():
    """One warning, then everything works."""
    program = f"""
import sys, warnings
sys.path.insert(0, {str(HERE)!r})
sys.modules["llvmlite"] = None
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "llvmlite" else real(name, *rest)
import numpy as np
from emit_tracing import interpret, newton_euler
from torsor.emit import compile_kernel
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    kernels = [compile_kernel(newton_euler(n)) for n in (1, 2, 3)]
assert len(seen) == 1 and "llvmlite" in str(seen[0].message), seen
k = kernels[2]
assert k.backend == "python" and k.scalar_address is None and "def " in k.ir
q, qd, qdd = np.random.default_rng(0).normal(size=(3, 7, 3))
out = np.empty((7, 3))
assert k(q, qd, qdd, out=out, threads=2) is out
assert np.array_equal(out, interpret(k.tape, q, qd, qdd)[0])
assert k(q[0], qd, qdd[0]).shape == (7, 3)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@settings(max_examples=20, deadline=None)
@given(tapes(ops=EXACT, longest=8))
def test_the_text_says_do_not_edit(tape):
    assert "Do not edit" in to_python(tape).splitlines()[0]


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    made = newton_euler(2, name="two_link")
    (GOLDEN / "two_link.py.txt").write_text(to_python(made))
    (GOLDEN / "two_link.tape").write_text(made.text())
