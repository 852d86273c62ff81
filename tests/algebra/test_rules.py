"""Each local rule by itself: what it makes, and that it can be left out."""

import numpy as np
import pytest

from torsor.algebra import const, cos, maximum, minimum, parameter, rules_in_force, select, sin, symbols
from torsor.algebra.engine import RULES

x, y, z = symbols("x", 3)
s, c = sin(x), cos(x)
m = parameter("m")


def _sign(node):
    return node.sign()


CASES = {  # name -> what is written, what it becomes
    "constants": [(lambda: sin(const(0.5)), lambda: const(np.sin(0.5))), (lambda: const(2) * 3, lambda: const(6))],
    "zero": [
        (lambda: x + 0, lambda: x),
        (lambda: x * 0, lambda: const(0)),
        (lambda: 0 - x, lambda: -x),
        (lambda: 0 / x, lambda: const(0)),
        (lambda: x - 0, lambda: x),
    ],
    "one": [(lambda: 1 * x, lambda: x)],
    "same": [(lambda: x - x, lambda: const(0)), (lambda: x + x, lambda: 2 * x), (lambda: maximum(x, x), lambda: x)],
    "sign": [
        (lambda: -((-1) * x), lambda: x),
        (lambda: x + -y, lambda: x - y),
        (lambda: (-x) * y, lambda: -(x * y)),
        (lambda: (-x) * (-y), lambda: x * y),
        (lambda: -x - y, lambda: -(x + y)),
        (lambda: (-2) * x, lambda: -(2 * x)),
        (lambda: x - (-3), lambda: x + 3),
        (lambda: sin(-x), lambda: -sin(x)),
        (lambda: cos(-x), lambda: cos(x)),
        (lambda: (-x) / y, lambda: -(x / y)),
        (lambda: minimum(-x, -y), lambda: -maximum(x, y)),
        (lambda: (-x) < (-y), lambda: y < x),
        (lambda: select(z, -x, -y), lambda: -select(z, x, y)),
    ],
    "scale": [
        (lambda: _sign(3 * x), lambda: _sign(x)),
        (lambda: _sign(-3 * x), lambda: -_sign(x)),
        (lambda: abs(-3 * x), lambda: 3 * abs(x)),
        (lambda: 2 * abs(x / 4), lambda: 0.5 * abs(x)),
    ],
    "cancel": [
        (lambda: x + (y - x), lambda: y),
        (lambda: (x + y) - x, lambda: y),
        (lambda: x - (x + y), lambda: -y),
        (lambda: (x - y) - x, lambda: -y),
    ],
    "gather": [
        (lambda: 2 + (3 + x), lambda: 5 + x),
        (lambda: 2 * (3 * x), lambda: 6 * x),
        (lambda: 2 - (3 - x), lambda: x - 1),
        (lambda: m * (2 * x), lambda: (2 * m) * x),
    ],
    "like-terms": [
        (lambda: 2 * x + 3 * x, lambda: 5 * x),
        (lambda: 2 * x - x, lambda: x),
        (lambda: m * x + x, lambda: (m + 1) * x),
    ],
    "pythagoras": [
        (lambda: s * s + c * c, lambda: const(1)),
        (lambda: s * (s * y) + c * (c * y), lambda: y),
        (lambda: y * (s * s) + c * (y * c), lambda: y),
    ],
    "orient": [(lambda: y - x, lambda: -(x - y))],
    "reciprocal": [(lambda: x / 3, lambda: x * (1 / 3)), (lambda: x / m, lambda: (1 / m) * x)],
    "square": [
        (lambda: (x * x).sqrt(), lambda: abs(x)),
        (lambda: abs(x * x), lambda: x * x),
        (lambda: abs(x) * abs(x), lambda: x * x),
    ],
    "choice": [(lambda: select(1.0, x, y), lambda: x), (lambda: select(z < 0, x, x), lambda: x)],
}


def test_every_rule_has_a_case():
    assert set(CASES) == {rule.name for rule in RULES}


@pytest.mark.parametrize("name", CASES)
def test_rule(name):
    for written, expected in CASES[name]:
        assert written() is expected()


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("constants", "orient")])
def test_rule_is_needed(name):
    """Without it, at least one of its cases is not simplified."""
    expected = [made() for _, made in CASES[name]]
    with rules_in_force(without={name}, record=True) as active:
        assert any(written() is not made for (written, _), made in zip(CASES[name], expected, strict=True))
    assert name not in active.fired


def test_near_misses_stay():
    assert (s * s - c * c).op in ("sub", "neg")
    assert (s * s + cos(y) * cos(y)).op == "add"
    assert (s * (s * y) + c * (c * z)).op == "add"
    assert (x / const(5e-324)).op == "div"  # the reciprocal would be infinite
