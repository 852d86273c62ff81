"""Kernels called from Python in every way an array can come: right answers or clear errors, never a crash."""

import contextlib
import gc
import sys

import numpy as np
import pytest
from emit_tracing import Trace, interpret, newton_euler

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit import compile_kernel, gufunc
from torsor.errors import ShapeError

TAPE = newton_euler(3)
BACKENDS = ["llvm", "python"]


@pytest.fixture(scope="module", params=BACKENDS)
def kernel(request):
    return compile_kernel(TAPE, backend=request.param)


def two_outputs() -> Tape:
    """A matrix and a scalar, of a vector and a scalar."""
    trace = Trace("several", {"q": (2,), "t": ()})
    q, t = trace.arrays["q"], trace.arrays["t"].item()
    M = np.array([[q[0] * t, q[1]], [q[1] * q[1], q[0] + t]], dtype=object)
    return trace.tape({"M": M, "e": np.array(q[0] * q[1] + t, dtype=object)})


@pytest.fixture(scope="module", params=BACKENDS)
def several(request):
    return compile_kernel(two_outputs(), backend=request.param)


def states(*lead, seed=0):
    return [np.random.default_rng(seed + i).uniform(-3, 3, (*lead, 3)) for i in range(3)]


def same(found, arrays):
    (want,) = interpret(TAPE, *arrays)
    assert type(found) is np.ndarray
    assert found.shape == want.shape
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, want, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 63])
def test_batches(kernel, rows):
    arrays = states(rows)
    same(kernel(*arrays), arrays)
    out = np.full((rows, 3), 777.0)
    assert kernel(*arrays, out=out) is out
    same(out, arrays)


def test_one_state_with_and_without_out(kernel):
    arrays = states()
    same(kernel(*arrays), arrays)
    out = np.empty(3)
    assert kernel(*arrays, out=out) is out
    same(out, arrays)
    assert kernel(*arrays, out=(out,)) is out


def test_zero_sized_and_deep_batches(kernel):
    for lead in ((0, 4), (4, 0), (2, 0, 3), (2, 3, 4), (1, 1, 5)):
        arrays = states(*lead)
        same(kernel(*arrays), arrays)


def test_broadcasting(kernel):
    q, qd, qdd = states(4, 1)[0], states(5)[1], states()[2]
    same(kernel(q, qd, qdd), [q, qd, qdd])
    q = states(9)[0]
    zero = np.zeros(3)
    same(kernel(q, zero, zero), [q, zero, zero])


def test_strides(kernel):
    q, qd, qdd = states(12)
    cases = [
        (q[::-1], qd, qdd),
        (q[::2], qd[::2], qdd[1::2]),
        (q[:, ::-1], qd, qdd),
        (np.asfortranarray(q), qd, np.asfortranarray(qdd)),
        (np.repeat(q, 2, axis=1)[:, ::2], qd, qdd[::-1, ::-1]),
        (np.broadcast_to(q[0], q.shape), qd, qdd),
        (q[0, ::-1], qd[1], qdd[2, ::-1]),
    ]
    for arrays in cases:
        same(kernel(*arrays), arrays)
    for out in (np.empty((12, 6))[:, ::2], np.empty((3, 12)).T, np.empty((24, 3))[::-2], np.empty((12, 3))[:, ::-1]):
        assert kernel(q, qd, qdd, out=out) is out
        same(out.copy(), (q, qd, qdd))


def test_outputs_that_overlap_inputs(kernel):
    q, qd, qdd = states(21)
    (want,) = interpret(TAPE, q, qd, qdd)
    for place in range(3):
        arrays = [q.copy(), qd.copy(), qdd.copy()]
        np.testing.assert_allclose(kernel(*arrays, out=arrays[place]), want, rtol=1e-13, atol=1e-12)
    for shift in (1, 2, 3, 4, 5, 7):  # views into one block, some rows or some numbers apart
        block = np.zeros(3 * 40)
        source = block[: 21 * 3].reshape(21, 3)
        source[:] = q
        target = block[shift : shift + 21 * 3].reshape(21, 3)
        np.testing.assert_allclose(kernel(source, qd, qdd, out=target), want, rtol=1e-13, atol=1e-12)
    one = q[0].copy()
    np.testing.assert_allclose(kernel(one, qd[0], qdd[0], out=one), want[0], rtol=1e-13, atol=1e-12)
    block = np.concatenate([q[0], [0.0, 0.0]])
    for shift in (1, 2):
        block[:3] = q[0]
        found = kernel(block[:3], qd[0], qdd[0], out=block[shift : shift + 3])
        np.testing.assert_allclose(found, want[0], rtol=1e-13, atol=1e-12)


def test_other_types(kernel):
    q, qd, qdd = states(5)
    for kind in (np.float32, np.float16, ">f8", np.int64, np.int8, bool):
        arrays = [a.astype(kind) for a in (q, qd, qdd)]
        same(kernel(*arrays), [a.astype(float) for a in arrays])
        same(kernel(*(a[0] for a in arrays)), [a[0].astype(float) for a in arrays])
    same(kernel(q.tolist(), tuple(qd.tolist()), qdd), (q, qd, qdd))
    same(kernel([0.1, 0.2, 0.3], [1, 2, 3], np.zeros(3)), ([0.1, 0.2, 0.3], [1, 2, 3], np.zeros(3)))
    single = np.empty((5, 3), np.float32)
    assert kernel(q, qd, qdd, out=single) is single
    np.testing.assert_allclose(single, interpret(TAPE, q, qd, qdd)[0], rtol=1e-6, atol=1e-5)


def test_unaligned_memory(kernel):
    arrays = states(6)
    unaligned = []
    for a in arrays:
        raw = np.zeros(a.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(a.shape)
        raw[:] = a
        assert not raw.flags.aligned
        unaligned.append(raw)
    same(kernel(*unaligned), arrays)
    same(kernel(*(a[0] for a in unaligned)), [a[0] for a in arrays])
    out = np.zeros(6 * 3 * 8 + 3, np.uint8)[3:].view(np.float64).reshape(6, 3)
    kernel(*arrays, out=out)
    same(out.copy(), arrays)


def test_subclasses(kernel):
    class Mine(np.ndarray):
        pass

    q, qd, qdd = states(5)
    same(kernel(q.view(Mine), qd, qdd), (q, qd, qdd))
    same(kernel(np.ma.masked_array(q), qd, qdd), (q, qd, qdd))
    same(kernel(q[0].view(Mine), qd[0], qdd[0]), (q[0], qd[0], qdd[0]))
    with pytest.raises(ShapeError, match="q has masked"):
        kernel(np.ma.masked_array(q, mask=q > 0), qd, qdd)


def test_nan_stays_in_its_row(kernel):
    arrays = states(19)
    clean = kernel(*arrays)
    for row, column, value in ((0, 0, np.nan), (7, 1, np.nan), (10, 2, np.inf), (18, 1, -np.inf)):
        arrays[0][row, column] = value
    found = kernel(*arrays)
    bad = [0, 7, 10, 18]
    good = np.setdiff1d(np.arange(19), bad)
    np.testing.assert_array_equal(found[good], clean[good])
    assert np.isnan(found[bad][1:]).any(axis=1).all()


@pytest.mark.parametrize("batch", [False, True])
def test_errors_name_the_argument(kernel, batch):
    q, qd, qdd = states(4) if batch else states()
    with pytest.raises(ShapeError, match=r"qd has shape .*2,?\)"):
        kernel(q, qd[..., :2], qdd)
    with pytest.raises(ShapeError, match=r"qdd has shape \(\)"):
        kernel(q, qd, 1.0)
    with pytest.raises(ShapeError, match="q has type object"):
        kernel(q.astype(object), qd, qdd)
    with pytest.raises(ShapeError, match="qd has type complex128"):
        kernel(q, qd + 1j, qdd)
    with pytest.raises(ShapeError, match="q has type <U"):
        kernel(np.full_like(q, 0).astype(str), qd, qdd)
    with pytest.raises(ShapeError, match="q is ragged"):
        kernel([[1.0, 2.0], [3.0]], qd, qdd)
    with pytest.raises(ShapeError, match="broadcast"):
        kernel(np.zeros((2, 3)), np.zeros((5, 3)), qdd[..., :3].reshape(-1, 3)[0])
    with pytest.raises(TypeError, match="takes 3 arrays"):
        kernel(q, qd)
    with pytest.raises(TypeError, match="takes 3 arrays"):
        kernel(q, qd, qdd, q)
    with pytest.raises(TypeError, match="wrong_word"):
        kernel(q, qd, qdd, wrong_word=1)


def test_errors_about_out(kernel):
    for arrays in (states(4), states()):
        out = np.empty(arrays[0].shape)
        out.flags.writeable = False
        with pytest.raises(ShapeError, match="read-only"):
            kernel(*arrays, out=out)
        with pytest.raises(ShapeError, match="out for tau has shape"):
            kernel(*arrays, out=np.empty((*arrays[0].shape[:-1], 4)))
        with pytest.raises(ShapeError, match=r"out for tau has shape .* int64"):
            kernel(*arrays, out=np.empty(arrays[0].shape, np.int64))
        with pytest.raises(ShapeError, match="out is a list"):
            kernel(*arrays, out=[0.0])
        with pytest.raises(ShapeError, match="out has 2"):
            kernel(*arrays, out=(np.empty(3), np.empty(3)))
    with pytest.raises(ShapeError, match="out for tau has shape"):
        kernel(*states(4), out=np.empty(3))


def test_several_outputs(several):
    q = np.array([[0.3, -2.0], [5.0, 0.25], [1.0, 2.0]])
    t = np.array([1.0, 2.0, 3.0])
    want = interpret(several.tape, q, t)
    M, e = several(q, t)
    np.testing.assert_allclose(M, want[0], rtol=1e-15)
    np.testing.assert_allclose(e, want[1], rtol=1e-15)
    for one in (1.0, np.float64(1.0), np.array(1.0), 1, np.float32(1.0)):
        M, e = several(q[0], one)
        np.testing.assert_allclose(M, want[0][0], rtol=1e-15)
        assert isinstance(e, np.float64)
        assert M.shape == (2, 2)
        np.testing.assert_allclose(e, want[1][0], rtol=1e-15)
    out = (np.empty((3, 2, 2)), np.empty(3))
    found = several(q, t, out=out)
    assert found[0] is out[0]
    assert found[1] is out[1]
    np.testing.assert_allclose(out[0], want[0], rtol=1e-15)
    single = (np.empty((2, 2)), np.empty(()))
    several(q[0], 1.0, out=single)
    np.testing.assert_allclose(single[0], want[0][0], rtol=1e-15)
    swapped = np.empty((3, 2, 2)).transpose(0, 2, 1)
    several(q, t, out=(swapped, np.empty(6)[::2]))
    np.testing.assert_allclose(swapped, want[0], rtol=1e-15)


def test_no_warnings_from_thrown_away_branches(recwarn):
    code = (
        Instruction("input"),
        Instruction("const", (), 0.0),
        Instruction("eq", (0, 1)),
        Instruction("const", (), 1.0),
        Instruction("div", (3, 0)),
        Instruction("select", (2, 3, 4)),
    )
    k = compile_kernel(Tape("sinc", (Array("x", ()),), (Array("y", ()),), code, (5,)))
    np.testing.assert_array_equal(k(np.array([0.0, 2.0, np.nan, 0.0])), [1.0, 0.5, np.nan, 1.0])
    assert not recwarn.list


def test_references_are_counted():
    k = compile_kernel(TAPE, backend="llvm")
    q, qd, qdd = states()
    out = np.empty(3)
    descr = np.dtype(np.float64)
    gc.collect()
    before = [sys.getrefcount(x) for x in (q, qd, qdd, out, descr)]
    for _ in range(1000):
        k.call(q, qd, qdd)
        k.call(q, qd, qdd, out=out)
        k.call(q[None], qd, qdd)
        with contextlib.suppress(TypeError):
            k.call(q, qd)
    gc.collect()
    after = [sys.getrefcount(x) for x in (q, qd, qdd, out, descr)]
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < 10


def test_the_fast_function_is_used_and_outlives_its_kernel():
    assert gufunc.layout_is_known()
    k = compile_kernel(TAPE, backend="llvm")
    call = k.call
    assert type(call).__name__ == "builtin_function_or_method"
    assert call.__name__ == TAPE.name
    assert isinstance(k.gufunc, np.ufunc)
    del k
    gc.collect()
    arrays = states()
    same(call(*arrays), arrays)
    same(call(*states(3)), states(3))


def test_without_the_fast_function(monkeypatch):
    """Where arrays are not laid out as believed, the gufunc alone serves."""
    monkeypatch.setattr(gufunc, "layout_is_known", lambda: False)
    k = compile_kernel(TAPE, backend="llvm")
    arrays = states()
    same(k.call(*arrays), arrays)
    same(k(*states(5)), states(5))


def test_wrong_offsets_are_noticed(monkeypatch):
    gufunc.layout_is_known.cache_clear()
    monkeypatch.setattr(gufunc.fastcall, "DATA", 24)
    assert not gufunc.layout_is_known()
    monkeypatch.undo()
    gufunc.layout_is_known.cache_clear()
    assert gufunc.layout_is_known()


def test_random_calls_never_crash():
    """Many odd combinations at once; the answer is right or it is an error."""
    rng = np.random.default_rng(5)
    k = compile_kernel(TAPE, backend="llvm")
    makers = [
        lambda a: a,
        lambda a: a[..., ::-1],
        lambda a: np.asfortranarray(a),
        lambda a: a.astype(np.float32),
        lambda a: a.tolist(),
        lambda a: a[:0] if a.ndim > 1 else a,
        lambda a: a[..., :2],
        lambda a: a.astype(object),
        lambda a: None,
        lambda a: a.astype(">f8"),
        lambda a: "text",
        lambda a: 3.5,
        lambda a: a[None],
    ]
    for _ in range(600):
        lead = [(), (1,), (3,), (9,)][rng.integers(4)]
        arrays = [makers[rng.integers(len(makers)) if rng.random() < 0.4 else 0](a) for a in states(*lead)]
        options = {}
        if rng.random() < 0.5:
            options["out"] = [np.empty((*lead, 3)), np.empty(3), np.empty((3, 3)).T, None, 7][rng.integers(5)]
        try:
            found = k.call(*arrays, **options)
        except (ShapeError, TypeError):
            continue
        want = interpret(TAPE, *(np.asarray(a, dtype=float) for a in arrays))[0]
        # as with every ufunc, out may have more rows than the inputs ask for, or lack a leading dimension of one
        want = want.reshape(found.shape) if want.size == found.size else np.broadcast_to(want, found.shape)
        np.testing.assert_allclose(found, want, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("by", [{}, {"threads": 1}, {"threads": 2}])
@pytest.mark.parametrize("shift", [-9, -4, -3, -1, 0, 1, 2, 3, 5, 33])
def test_batches_into_what_they_are_made_of(shift, by):
    """The fast function may write where it reads, row on row; what is shifted against it goes the general way."""
    k = compile_kernel(TAPE, backend="llvm")
    whole = np.random.default_rng(2).uniform(-3, 3, 200)
    q, out = (whole[start : start + 33].reshape(11, 3) for start in (50, 50 + shift))
    _, qd, qdd = states(11)
    want = k.gufunc(q.copy(), qd, qdd)
    assert k.call(q, qd, qdd, **{"out": out, **by}) is out
    assert (out == want).all()


def test_the_fast_function_for_batches_knows_its_keywords():
    k = compile_kernel(TAPE, backend="llvm")
    arrays = states(7)
    want, out = k.gufunc(*arrays), np.empty((7, 3))
    for options in ({}, {"threads": 1}, {"out": None}, {"threads": None}, {"out": None, "threads": 1}):
        assert (k.call(*arrays, **options) == want).all()
    for options in ({"out": out, "threads": 1}, {"threads": 1, "out": out}, {"out": (out,), "threads": 1}):
        out[:] = 0.0
        assert k.call(*arrays, **options) is out
        assert (out == want).all()
    for options in ({"threads": 0}, {"threads": -1}, {"out": out[:6]}, {"out": out.T}, {"out": out.astype(int)}):
        with pytest.raises(ShapeError):
            k.call(*arrays, **options)
    for options in ({"axis": 0}, {"threads": 1, "axis": 0}, {"threads": 1, "out": out, "axis": 0}):
        with pytest.raises(TypeError, match="axis"):
            k.call(*arrays, **options)
    frozen = np.empty((7, 3))
    frozen.flags.writeable = False
    with pytest.raises(ShapeError, match="read-only"):
        k.call(*arrays, out=frozen)


def test_batches_keep_references_counted():
    q, t = np.ones((9, 2)), np.ones(9)
    several = compile_kernel(two_outputs(), backend="llvm")
    k, states_of, out = compile_kernel(TAPE, backend="llvm"), states(9), np.empty((9, 3))
    kept = (q, t, out, *states_of, np.dtype(np.float64))
    gc.collect()
    before = [sys.getrefcount(x) for x in kept]
    for _ in range(1000):
        several.call(q, t)
        k.call(*states_of)
        k.call(*states_of, out=out, threads=1)
    gc.collect()
    assert max(abs(sys.getrefcount(x) - b) for x, b in zip(kept, before, strict=True)) < 10
