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


def test_refusals():
    loop = counting("python")
    with pytest.raises(ShapeError, match="given has shape"):
        loop.run(np.zeros(5), 2)
    with pytest.raises(ShapeError, match="workspace"):
        loop.run(np.zeros(10)[::2], 2, given=np.zeros((2, 1)))
