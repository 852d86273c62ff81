"""Batches on several threads give what one thread gives."""

import numpy as np
import pytest
from emit_tracing import newton_euler

from torsor.emit import compile_kernel, threads
from torsor.errors import ShapeError

TAPE = newton_euler(3)


@pytest.fixture(scope="module")
def kernel():
    return compile_kernel(TAPE)


def states(*lead):
    return [np.random.default_rng(i).uniform(-3, 3, (*lead, 3)) for i in range(3)]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("lead", [(1,), (2,), (5,), (101,), (3, 40), (40, 3), (2, 1, 17)])
def test_any_number_of_threads(kernel, count, lead):
    arrays = states(*lead)
    want = kernel(*arrays, threads=1)
    np.testing.assert_array_equal(kernel(*arrays, threads=count), want)
    out = np.empty((*lead, 3))
    assert kernel(*arrays, threads=count, out=out) is out
    np.testing.assert_array_equal(out, want)


def test_broadcast_and_strided_arguments(kernel):
    q, qd, qdd = states(50)
    for arrays in ((q, qd[0], qdd[0]), (q[:, None], qd[:4], qdd[0]), (q[::-1], qd, qdd), (q[:1], qd, qdd[:, ::-1])):
        np.testing.assert_array_equal(kernel(*arrays, threads=3), kernel(*arrays, threads=1))


def test_overlap_is_left_to_one_thread(kernel):
    q, qd, qdd = states(64)
    want = kernel(q, qd, qdd)
    block = np.zeros(64 * 3 + 9)
    source, target = block[: 64 * 3].reshape(64, 3), block[9:].reshape(64, 3)
    source[:] = q
    np.testing.assert_array_equal(kernel(source, qd, qdd, out=target, threads=4), want)


def test_no_state_and_empty_batch(kernel):
    np.testing.assert_array_equal(kernel(*states(), threads=4), kernel(*states()))
    assert kernel(*states(0), threads=4).shape == (0, 3)


def test_errors_are_the_same(kernel):
    q, qd, qdd = states(8)
    with pytest.raises(ShapeError, match="qd has shape"):
        kernel(q, qd[:, :2], qdd, threads=2)
    with pytest.raises(ShapeError, match="broadcast"):
        kernel(q, qd[:5], qdd, threads=2)
    with pytest.raises(ShapeError, match="threads is 0"):
        kernel(q, qd, qdd, threads=0)
    with pytest.raises(ShapeError, match="out for tau"):
        kernel(q, qd, qdd, threads=2, out=np.empty((3, 3)))


def test_large_batches_use_threads_without_being_told(kernel, monkeypatch):
    used = []
    real = threads.run
    monkeypatch.setattr(threads, "run", lambda *a: (used.append(a[-1]), real(*a)))
    monkeypatch.setattr(threads, "cores", lambda: 2)
    kernel(*states(10))
    assert not used
    rows = threads.WORTHWHILE // len(TAPE.code) + 1  # just enough
    kernel(*states(rows))
    assert used == [2]
