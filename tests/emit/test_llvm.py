"""Machine code against plain interpretation: scalar, batch, in blocks, with and without fused multiply-add."""

from dataclasses import replace

import numpy as np
import pytest
from emit_oracle import EXACT, LIBRARY, check, every_value, plain_host, run_native, states, tapes
from emit_tracing import interpret, newton_euler
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.host import this_host
from torsor.emit.precision import DOUBLE, SINGLE

few = settings(max_examples=40, deadline=None)


@few
@given(tapes(), st.integers(1, 11), st.integers(0, 99), st.sampled_from([1, 2, 4, 8]))
def test_random_tapes_in_batches(tape, rows, seed, width):
    arrays = states(tape, rows, seed)
    check(tape, arrays, run_native(tape, replace(this_host(), width=width), arrays))


@few
@given(tapes(ops=EXACT), st.integers(0, 99))
def test_without_fma_arithmetic_is_numpys_to_the_last_bit(tape, seed):
    tape = every_value(tape)
    arrays = states(tape, 5, seed)
    found = run_native(tape, plain_host(), arrays)
    for f, w in zip(found, interpret(tape, *arrays), strict=True):
        np.testing.assert_array_equal(f, w)


@few
@given(tapes(ops=EXACT + LIBRARY + ("mul", "add") * 5), st.integers(0, 99))
def test_scalar_and_batch_round_alike(tape, seed):
    arrays = states(tape, 9, seed)
    for one, many in zip(
        run_native(tape, this_host(), arrays, use="scalar"), run_native(tape, this_host(), arrays), strict=True
    ):
        np.testing.assert_array_equal(one, many)


@few
@given(tapes(longest=60), st.integers(2, 20), st.integers(0, 99))
def test_blocks_change_nothing(tape, block, seed):
    arrays = states(tape, 9, seed)
    whole = run_native(tape, this_host(), arrays)
    for use in ("rows", "scalar"):
        cut = run_native(tape, this_host(), arrays, use=use, longest=1, block=block)
        for a, b in zip(whole, cut, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("real", [DOUBLE, SINGLE], ids=lambda real: real.name)
@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("columns", [3, 63, 65, 66, 130, 257])
def test_many_columns(columns, width, real):
    """Stores beyond the first 64 columns come after a fence."""
    code = (Instruction("input"), *(Instruction("const", (), float(k)) for k in range(columns)))
    code += tuple(Instruction("add", (0, k + 1)) for k in range(columns))
    tape = Tape("many", (Array("x", ()),), (Array("y", (columns,)),), code, tuple(range(columns + 1, 2 * columns + 1)))
    x = np.arange(37.0)
    (found,) = run_native(tape, replace(this_host(), width=width), [x], real=real)
    np.testing.assert_array_equal(found, x[:, None] + np.arange(columns))


@pytest.mark.parametrize("joints", [1, 2, 3, 6, 7, 30])
def test_inverse_dynamics(joints):
    tape = newton_euler(joints)
    arrays = [np.random.default_rng(1).uniform(-3, 3, (13, joints)) for _ in range(3)]
    (want,) = interpret(tape, *arrays)
    for host in (this_host(), plain_host()):
        for use in ("rows", "scalar"):
            (found,) = run_native(tape, host, arrays, use=use)
            assert np.abs(found - want).max() <= 1e-14 * joints * np.abs(want).max()


def test_special_values():
    code = [Instruction("input", (), 0.0), Instruction("input", (), 1.0)]
    ops = ("min", "max", "lt", "le", "eq", "atan2", "add", "div")
    code += [Instruction(op, (0, 1)) for op in ops]
    code += [Instruction(op, (0,)) for op in ("sign", "abs", "floor", "sqrt", "exp", "neg")]
    code.append(Instruction("select", (0, 1, 0)))
    count = len(code) - 2
    tape = Tape("special", (Array("x", (2,)),), (Array("y", (count,)),), tuple(code), tuple(range(2, 2 + count)))
    special = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 5e-324, 1e308, -2.0]
    x = np.array([(a, b) for a in special for b in special])
    (want,) = interpret(tape, x)
    for host in (this_host(), plain_host(), replace(this_host(), width=4)):
        (found,) = run_native(tape, host, [x])
        np.testing.assert_allclose(found, want, rtol=1e-15)
