"""The native loop against the same loop in Python."""

import numpy as np
import pytest

from torsor.algebra import less, maximum, select, symbols, tape_from
from torsor.emit import compile_kernel
from torsor.emit.native_loop import MOST, Call, NativeLoop
from torsor.errors import ShapeError


def counting(backend: str) -> NativeLoop:
    """x += given until ``left`` is used up in portions of at most one; workspace: x, given, left, start, calls."""
    x, g, left, calls = (symbols(name, 1) for name in ("x", "g", "left", "calls"))
    portion = select(less(left, 1.0), left, 1.0)
    outputs = {"x1": x + portion * g, "left1": maximum(left - portion, 0.0), "calls1": calls + 1.0}
    kernel = compile_kernel(
        tape_from("count", {"x": x, "g": g, "left": left, "calls": calls}, outputs), backend=backend
    )
    return NativeLoop((Call(kernel, (0, 1, 2, 4, 0, 2, 4)),), given=(1, 1), kept=(0, 1), again=(2, 3))


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_portions(backend):
    workspace = np.array([0.0, 0.0, 0.0, 2.5, 0.0])
    kept = counting(backend).run(workspace, 3, given=np.array([[1.0], [2.0], [-4.0]]), inner=2)
    np.testing.assert_allclose(kept[:, 0], [5.0, 15.0, -5.0])
    assert workspace[4] == 3 * 2 * 3


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_endless_asking_ends(backend):
    workspace = np.array([0.0, 0.0, 0.0, np.inf, 0.0])
    counting(backend).run(workspace, 1, given=np.array([[1.0]]))
    assert workspace[4] == MOST


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_plain_steps_without_given(backend):
    x = symbols("x", 2)
    kernel = compile_kernel(tape_from("turn", {"x": x}, {"y": np.array([-x[1], x[0]])}), backend=backend)
    loop = NativeLoop((Call(kernel, (0, 0)),), kept=(0, 2))
    kept = loop.run(np.array([1.0, 0.0]), 4)
    np.testing.assert_array_equal(kept, [[0, 1], [-1, 0], [0, -1], [1, 0]])


def accumulating(backend: str, **options) -> NativeLoop:
    """x += g, after ``before`` has doubled g; workspace: x, g, halt, most."""
    x, g, halt, most = (symbols(name, 1) for name in ("x", "g", "halt", "most"))
    double = compile_kernel(tape_from("double", {"g": g}, {"g1": 2.0 * g}), backend=backend)
    add = compile_kernel(tape_from("add", {"x": x, "g": g}, {"x1": x + g}), backend=backend)
    watch = compile_kernel(tape_from("watch", {"x": x, "most": most}, {"halt1": less(most, x)}), backend=backend)
    del halt
    calls = {"before": (Call(double, (1, 1)),), "after": (Call(watch, (0, 3, 2)),)}
    return NativeLoop((Call(add, (0, 1, 0)),), given=(1, 1), kept=(0, 1), **calls, **options)


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_given_for_every_step(backend):
    given = np.arange(6.0)[:, None]
    kept = accumulating(backend).run(np.array([0.0, 0, 0, 1e9]), 3, given=given, inner=2)
    np.testing.assert_array_equal(kept[:, 0], np.cumsum(2.0 * given[:, 0])[1::2])


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_a_halt_ends_the_loop_with_the_rows_that_are_complete(backend):
    workspace = np.array([0.0, 0.0, 0.0, 6.5])
    kept = accumulating(backend, halt=2).run(workspace, 10, given=np.ones((10, 1)))
    np.testing.assert_array_equal(kept[:, 0], [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(workspace[[0, 2]], [8.0, 1.0])


@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize("lanes", [1, 4, 11])
def test_lanes(backend, lanes):
    workspace = np.zeros((lanes, 4))
    workspace[:, 0] = np.arange(lanes)
    kept = accumulating(backend).run(workspace, 3, given=np.array([[1.0], [2.0], [3.0]]))
    np.testing.assert_array_equal(kept[:, :, 0], np.array([[2.0], [6.0], [12.0]]) + np.arange(lanes))
    own = np.arange(3.0 * lanes).reshape(3, lanes, 1)
    workspace[:, 0] = 0.0
    kept = accumulating(backend).run(workspace, 3, given=own)
    np.testing.assert_array_equal(kept, np.cumsum(2.0 * own, axis=0))
    with pytest.raises(ShapeError, match="stepped together"):
        accumulating(backend, halt=2).run(workspace, 3, given=own)


def test_refusals():
    loop = counting("python")
    with pytest.raises(ShapeError, match="given has shape"):
        loop.run(np.zeros(5), 2)
    with pytest.raises(ShapeError, match="workspace"):
        loop.run(np.zeros(10)[::2], 2, given=np.zeros((2, 1)))
