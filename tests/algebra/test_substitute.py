import numpy as np
import pytest

from torsor.algebra import const, sin, substitute, symbols
from torsor.errors import CompileError

x, y, z = symbols("x", 3)


def test_symbols_and_inner_nodes():
    outputs = np.array([[sin(x * y) + z, x * 2]])
    assert substitute(outputs, {z: 0}).shape == (1, 2)
    assert substitute(outputs, {z: 0})[0, 0] is sin(x * y)
    assert substitute(outputs, {x * y: z})[0, 0] is sin(z) + z
    assert substitute([x - y], {x: y})[0] is const(0)
    assert substitute([x + y], {x: y, y: x})[0] is x + y  # all at once


def test_errors():
    with pytest.raises(CompileError, match="cannot be replaced"):
        substitute([x], {x: "y"})
