"""Kernels in single precision: NumPy's float32 to the last bit where the machine rounds as NumPy does, rows as single
calls, sines good to 1e-7, and every way to call them."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from emit_oracle import EXACT, LIBRARY, SINCOS, angles, every_value, plain_host, run_native, states, tapes
from emit_tracing import Trace, interpret, newton_euler
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit import compile_kernel, disk
from torsor.emit.host import this_host
from torsor.emit.precision import SINGLE, precision_of
from torsor.errors import ShapeError, Unsupported

few = settings(max_examples=40, deadline=None)
TAPE = newton_euler(3)


@few
@given(tapes(ops=EXACT), st.integers(0, 99))
def test_without_fma_arithmetic_is_numpys_to_the_last_bit(tape, seed):
    tape = every_value(tape)
    arrays = [a.astype(np.float32) for a in states(tape, 9, seed)]
    found = run_native(tape, plain_host(), arrays, real=SINGLE)
    for f, w in zip(found, interpret(tape, *arrays, dtype=np.float32), strict=True):
        assert f.dtype == np.float32
        np.testing.assert_array_equal(f, w)


@few
@given(tapes(ops=EXACT + LIBRARY + ("mul", "add") * 5), st.integers(0, 99), st.sampled_from([1, 2, 4, 8]))
def test_rows_equal_single_calls(tape, seed, width):
    arrays = states(tape, 37, seed)
    host = replace(this_host(), width=width)
    scalar, rows = (run_native(tape, host, arrays, use=use, real=SINGLE) for use in ("scalar", "rows"))
    for one, many in zip(scalar, rows, strict=True):
        np.testing.assert_array_equal(one, many)


@few
@given(tapes(longest=60), st.integers(2, 20), st.integers(0, 99))
def test_blocks_change_nothing(tape, block, seed):
    arrays = states(tape, 19, seed)
    whole = run_native(tape, this_host(), arrays, real=SINGLE)
    cut = run_native(tape, this_host(), arrays, real=SINGLE, longest=1, block=block)
    for a, b in zip(whole, cut, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("use", ["rows", "scalar"])
def test_sines(plain, use):
    """Beside NumPy's in float64, which are good to far more digits than these; beyond 1e5 the C library answers."""
    more = [1.00001e5, -3e7, 1e22, 3e38, 123456.789]
    x = np.concatenate([angles(), np.random.default_rng(0).uniform(-10, 10, 2000), more]).astype(np.float32)
    s, c = run_native(SINCOS, plain_host() if plain else this_host(), [x], use=use, real=SINGLE)
    assert np.abs(s - np.sin(x.astype(float))).max() <= 1e-7
    assert np.abs(c - np.cos(x.astype(float))).max() <= 1e-7


def test_what_is_not_finite():
    x = np.array([np.nan, np.inf, -np.inf, 0.25, 1e30, 0.5] * 5, np.float32)
    s, c = run_native(SINCOS, this_host(), [x], real=SINGLE)
    bad = ~np.isfinite(x)
    assert np.isnan(s[bad]).all()
    assert np.isnan(c[bad]).all()
    assert np.isfinite(s[~bad]).all()


@pytest.fixture(scope="module", params=["llvm", "python"])
def kernel(request):
    return compile_kernel(TAPE, backend=request.param, dtype=np.float32)


def near(found, arrays):
    (want,) = interpret(TAPE, *[np.asarray(a, np.float32) for a in arrays])
    assert found.dtype == np.float32
    assert found.shape == want.shape
    assert np.abs(found - want).max(initial=0.0) <= 1e-5 * np.abs(want).max(initial=0.0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("lead", [(), (0,), (1,), (33,), (3, 5)])
def test_every_way_to_call(kernel, dtype, lead):
    arrays = [np.random.default_rng(i).uniform(-3, 3, (*lead, 3)).astype(dtype) for i in range(3)]
    whole = kernel(*arrays)
    near(whole, arrays)
    for options in ({}, {"threads": 1}, {"threads": 3}):
        out = np.full((*lead, 3), 7.0, np.float32)
        assert kernel(*arrays, out=out, **options) is out
        np.testing.assert_array_equal(out, whole)
    wide = np.empty((*lead, 3))  # what is computed in single precision may be written to doubles
    np.testing.assert_array_equal(kernel(*arrays, out=wide), whole.astype(float))
    lists = [a.tolist() for a in arrays]
    if lead != (0,):
        np.testing.assert_array_equal(kernel(*lists), whole)
    if len(lead) == 1:
        np.testing.assert_array_equal(kernel(*(a[::-1] for a in arrays)), whole[::-1])
        np.testing.assert_array_equal(kernel(arrays[0], arrays[1], arrays[2][:1]), kernel(*arrays[:2], arrays[2][:1]))


def test_non_finite_rows_stay_alone(kernel):
    arrays = [np.random.default_rng(i).uniform(-3, 3, (40, 3)) for i in range(3)]
    whole = kernel(*arrays)
    arrays[1][3, 0], arrays[1][21, 1], arrays[0][30, 2] = np.nan, 1e300, np.inf  # 1e300 is infinite in float32
    found = kernel(*arrays)
    bad = np.zeros(40, bool)
    bad[[3, 21, 30]] = True
    np.testing.assert_array_equal(found[~bad], whole[~bad])
    assert not np.isfinite(found[bad]).all(axis=1).any()


def test_scalars_and_several_outputs():
    trace = Trace("several", {"q": (2,), "t": ()})
    q, t = trace.arrays["q"], trace.arrays["t"].item()
    kernel = compile_kernel(trace.tape({"v": np.array([q[0] * t, q[1]]), "e": np.array(q[0] + t)}), dtype=np.float32)
    third = np.float32(1.0) / np.float32(3.0)
    for given_time in (1.0 / 3.0, np.float64(1.0 / 3.0), third, np.array(1.0 / 3.0)):
        v, e = kernel(np.array([2.0, 3.0], np.float32), given_time)
        assert v.dtype == e.dtype == np.float32
        np.testing.assert_array_equal(v, np.array([2.0 * third, 3.0], np.float32))
        assert e == np.float32(2.0) + third


def test_messages(kernel):
    with pytest.raises(ShapeError, match="qd has shape"):
        kernel(np.zeros(3), np.zeros(2), np.zeros(3))
    with pytest.raises(ShapeError, match="qd has type complex128"):
        kernel(np.zeros(3), np.zeros(3, complex), np.zeros(3))
    for dtype in (np.float16, "int32", ">f4", "no such thing", np.longdouble):
        with pytest.raises(Unsupported, match=r"dtype is .*; numpy.float64 or numpy.float32"):
            precision_of(dtype)


@pytest.mark.parametrize("constant", [1e39, -1e-39, 1e-300])
def test_constants_that_it_cannot_hold(constant):
    code = Instruction("input"), Instruction("const", (), constant), Instruction("mul", (0, 1))
    tape = Tape("far", (Array("x", ()),), (Array("y", ()),), code, (2,))
    assert compile_kernel(tape)(1.0) == constant
    with pytest.raises(
        Unsupported, match=r"far has the constant .*, which float32 does not hold; compute it in float64"
    ):
        compile_kernel(tape, dtype=np.float32)


def test_kept_apart_on_disk_and_in_memory(own_cache):
    """The code of either precision is found again, as what it is."""
    x = np.full((5, 3), 0.3)
    first = [compile_kernel(TAPE, dtype=kind)(x, x, x) for kind in (np.float64, np.float32)]
    assert disk.size()[0] == 2
    again = [compile_kernel(TAPE, dtype=kind)(x, x, x) for kind in (np.float32, np.float64)]
    assert disk.size()[0] == 2
    assert [a.dtype for a in again] == [np.float32, np.float64]
    np.testing.assert_array_equal(again[1], first[0])
    np.testing.assert_array_equal(again[0], first[1])


def test_pickled(kernel):
    again = pickle.loads(pickle.dumps(kernel))
    assert (again.dtype, again.backend) == (np.float32, kernel.backend)
    assert repr(again).endswith("float32>")
