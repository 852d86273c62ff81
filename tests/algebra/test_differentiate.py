import numpy as np
import pytest
from hypothesis import given, settings
from random_graphs import evaluate, recipes, traced
from traced_arms import forward_dynamics, inverse_dynamics, random_arm

from torsor.algebra import (
    absolute,
    adjoint,
    const,
    count,
    directional,
    jacobian,
    maximum,
    minimum,
    select,
    sqrt,
    symbol,
    symbols,
    tape_from,
)
from torsor.errors import CompileError, ShapeError

x = symbols("x", 3)
POINTS = np.random.default_rng(3).uniform(-1.2, 1.2, (5, 3))


def central(function, points, step=1e-5):
    """Central differences, (..., outputs, inputs)."""
    columns = []
    for k in range(points.shape[-1]):
        d = np.zeros(points.shape[-1])
        d[k] = step
        columns.append((function(points + d) - function(points - d)) / (2 * step))
    return np.stack(columns, axis=-1)


@settings(deadline=None)
@given(recipes(kinks=False, longest=12))
def test_both_modes_against_differences(recipe):
    s, outputs = traced(recipe)
    expected = central(lambda p: evaluate(s, outputs, p), POINTS)
    scale = 1 + np.abs(expected).max() + np.abs(evaluate(s, outputs, POINTS)).max()
    if scale > 1e4:  # differences are no oracle for wild functions
        return
    for mode in ("forward", "reverse"):
        J = jacobian(outputs, s, mode)
        got = evaluate(s, J.ravel(), POINTS).reshape(expected.shape)
        np.testing.assert_allclose(got, expected, atol=1e-5 * scale)


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
def test_pieces(mode):
    a, b, _ = x
    outputs = [
        select(a < b, a * b, a - b),
        minimum(a * a, b),
        maximum(a, 2 * b),
        absolute(a * b),
        select(a < 0, 0, sqrt(a)),
    ]
    got = evaluate(x, jacobian(outputs, x, mode).ravel(), np.array([[-0.5, 0.7, 0.0], [0.9, 0.2, 0.0]]))
    got = got.reshape(2, 5, 3)[:, :, :2]
    np.testing.assert_allclose(got[0], [[0.7, -0.5], [-1.0, 0.0], [0, 2], [-0.7, 0.5], [0, 0]])
    np.testing.assert_allclose(got[1], [[1, -1], [0, 1], [1, 0], [0.2, 0.9], [0.5 / np.sqrt(0.9), 0]])


def test_auto_keeps_the_cheaper():
    wide, tall = np.sin(x) @ x * x[0], x[0] * symbols("y", 4)
    for outputs, inputs in ((wide, x), (tall, x[:1])):
        works = {m: count([outputs, jacobian(outputs, inputs, m)]).work for m in ("forward", "reverse", "auto")}
        assert works["auto"] == min(works.values())


def test_shapes_and_errors():
    y = symbols("y", (2, 2))
    assert jacobian(y * x[0], y).shape == (2, 2, 2, 2)
    assert jacobian(x[0] * x[1], x[0]).shape == ()
    assert jacobian(x[0] * x[1], x[0])[()] is x[1]
    assert jacobian(const(3), x)[0] is const(0)
    with pytest.raises(CompileError, match="twice"):
        jacobian(x[0], [x[0], x[0]])
    with pytest.raises(CompileError, match="no mode"):
        jacobian(x[0], x, "sideways")
    with pytest.raises(ShapeError):
        directional(x[0], x, x[:2])
    with pytest.raises(ShapeError):
        adjoint(x[0], x, x[:2])


def test_products_with_vectors():
    outputs = np.array([x[0] * x[1] * x[2], np.sin(x[0]) / (2 + x[1] * x[1])])
    J = jacobian(outputs, x)
    v, w = symbols("v", 3), symbols("w", 2)
    inputs = {"x": x, "v": v, "w": w}
    made = {"a": directional(outputs, x, v), "b": J @ v, "c": adjoint(outputs, x, w), "d": w @ J}
    a, b, c, d = tape_from("f", inputs, made).evaluate(POINTS, POINTS[::-1], POINTS[:, :2])
    np.testing.assert_allclose(a, b, rtol=1e-13)
    np.testing.assert_allclose(c, d, rtol=1e-13)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("page", [inverse_dynamics, forward_dynamics])
def test_dynamics(page, mode):
    links = random_arm(3, 5)
    q, qd, u = (symbols(name, 3) for name in ("q", "qd", "u"))
    y = page(links, q, qd, u)
    state = np.concatenate([q, qd])
    tape = tape_from("f", {"q": q, "qd": qd, "u": u}, {"y": y, "J": jacobian(y, state, mode)})
    rng = np.random.default_rng(1)
    points, inputs = rng.normal(size=(4, 6)), rng.normal(size=(4, 3))
    expected = central(lambda p: tape.evaluate(p[:, :3], p[:, 3:], inputs)[0], points)
    got = tape.evaluate(points[:, :3], points[:, 3:], inputs)[1]
    np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6)


def test_a_variable_may_be_any_node():
    e = symbol("e")
    inner = e * e
    assert jacobian(inner * 3 + e, inner)[()] is const(3)
