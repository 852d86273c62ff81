"""Intervals contain what they must: random graphs on random boxes, and every operation at its edges."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_graphs import follow, recipes

from torsor.algebra import (
    arctan2,
    cos,
    equal,
    exp,
    floor,
    less,
    less_equal,
    select,
    sign,
    sin,
    sqrt,
    symbols,
    tape_from,
)
from torsor.algebra.extremes import extremes
from torsor.algebra.intervals import evaluate
from torsor.errors import ShapeError


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(recipes(), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-9, 0.1, 1.0, 20.0]))
def test_what_a_tape_gives_inside_a_box_lies_inside(recipe, seed, width):
    x = symbols("x", 3)
    outputs = np.asarray(follow(recipe, x), dtype=object).ravel()
    tape = tape_from("random", {"x": x}, {"y": outputs})
    rng = np.random.default_rng(seed)
    lo = rng.uniform(-5.0, 5.0, size=(7, 3))
    hi = lo + width * rng.uniform(size=(7, 3))
    (y,) = evaluate(tape, (lo, hi))
    inside = lo + (hi - lo) * np.concatenate([rng.uniform(size=(20, 7, 3)), rng.integers(0, 2, size=(8, 7, 3))])
    (values,) = tape.evaluate(np.clip(inside, lo, hi))
    known = ~np.isnan(values)
    assert (np.where(known, values, y.lo) >= y.lo).all()
    assert (np.where(known, values, y.hi) <= y.hi).all()


def one(f, *ends):
    x = symbols("x", len(ends))
    (y,) = evaluate(
        tape_from("one", {"x": x}, {"y": f(*x)}), (np.array([a for a, _ in ends]), np.array([b for _, b in ends]))
    )
    return float(y.lo), float(y.hi)


@pytest.mark.parametrize(
    ("f", "ends", "want"),
    [
        (sin, [(0.0, 2.0)], (0.0, 1.0)),
        (sin, [(3.0, 5.0)], (-1.0, np.sin(3.0))),
        (sin, [(100.0, 100.5)], (np.sin(100.0), np.sin(100.5))),
        (sin, [(-1e300, 1e300)], (-1.0, 1.0)),
        (cos, [(-0.5, 0.25)], (np.cos(0.5), 1.0)),
        (cos, [(3.0, 4.0)], (-1.0, np.cos(4.0))),
        (lambda a: a * a, [(-2.0, 1.0)], (0.0, 4.0)),
        (lambda a, b: a * b, [(-2.0, 1.0), (-3.0, 5.0)], (-10.0, 6.0)),
        (lambda a, b: a / b, [(1.0, 2.0), (-4.0, -2.0)], (-1.0, -0.25)),
        (lambda a, b: a / b, [(1.0, 2.0), (-1.0, 2.0)], (-np.inf, np.inf)),
        (sqrt, [(-1.0, 4.0)], (0.0, 2.0)),
        (exp, [(-np.inf, 0.0)], (0.0, 1.0)),
        (floor, [(-0.5, 1.5)], (-1.0, 1.0)),
        (sign, [(-0.5, 1.5)], (-1.0, 1.0)),
        (abs, [(-3.0, 2.0)], (0.0, 3.0)),
        (arctan2, [(1.0, 2.0), (-1.0, 1.0)], (np.pi / 4, np.arctan2(1.0, -1.0))),
        (arctan2, [(-1.0, 1.0), (-2.0, -1.0)], (-np.pi, np.pi)),
        (less, [(0.0, 1.0), (2.0, 3.0)], (1.0, 1.0)),
        (less, [(0.0, 1.0), (1.0, 3.0)], (0.0, 1.0)),
        (less_equal, [(0.0, 1.0), (1.0, 3.0)], (1.0, 1.0)),
        (less_equal, [(2.0, 3.0), (0.0, 1.0)], (0.0, 0.0)),
        (equal, [(2.0, 3.0), (0.0, 1.0)], (0.0, 0.0)),
        (lambda a, b: select(a, b, -b), [(1.0, 2.0), (5.0, 6.0)], (5.0, 6.0)),
        (lambda a, b: select(a, b, -b), [(0.0, 2.0), (5.0, 6.0)], (-6.0, 6.0)),
        (lambda a, b: select(a, b, -b), [(0.0, 0.0), (5.0, 6.0)], (-6.0, -5.0)),
    ],
)
def test_each_operation_is_as_tight_as_rounding_lets_it(f, ends, want):
    lo, hi = one(f, *ends)
    assert lo <= want[0]
    assert hi >= want[1]
    assert (lo, hi) == pytest.approx(want, abs=1e-14)


def test_boxes_are_vectorised_and_checked():
    x, y = symbols("x", 2), symbols("y", 1)
    tape = tape_from("f", {"x": x, "y": y}, {"a": x + y, "b": x[0] * y[0]})
    a, b = evaluate(tape, (np.zeros((5, 2)), np.ones((5, 2))), np.array([2.0]))
    assert a.lo.shape == (5, 2)
    assert b.hi.shape == (5,)
    assert b.hi == pytest.approx(2.0)
    with pytest.raises(ShapeError, match="takes 2 boxes, not 1"):
        evaluate(tape, np.zeros(2))
    with pytest.raises(ShapeError, match=r"x has shape \(3,\); it must end in \(2,\)"):
        evaluate(tape, np.zeros(3), np.zeros(1))
    with pytest.raises(ShapeError, match="a box of y ends below where it begins; give"):
        evaluate(tape, np.zeros(2), (np.ones(1), np.zeros(1)))


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(recipes(kinks=False, longest=12), st.integers(0, 2**32 - 1))
def test_extremes_hold_at_points_that_the_search_has_not_seen(recipe, seed):
    x = symbols("x", 3)
    outputs = np.asarray(follow(recipe, x), dtype=object).ravel()
    lo = np.random.default_rng(seed).uniform(-2.0, 2.0, size=3)
    found = extremes(outputs, x, lo, lo + 1.5, boxes=300)
    points = lo + 1.5 * np.random.default_rng(seed + 1).uniform(size=(2000, 3))
    (values,) = tape_from("random", {"x": x}, {"y": outputs}).evaluate(points)
    assert (values >= found.lo).all()
    assert (values <= found.hi).all()


def test_extremes_close_in_on_the_truth():
    x = symbols("x", 2)
    f = np.sin(x[0]) * np.cos(x[1]) - 0.5 * x[0] * x[1]
    grid = np.stack(np.meshgrid(np.linspace(-2, 3, 801), np.linspace(-1, 2, 801)), axis=-1).reshape(-1, 2)
    values = np.sin(grid[:, 0]) * np.cos(grid[:, 1]) - 0.5 * grid[:, 0] * grid[:, 1]
    truth = np.abs(values).max()
    found = extremes(f, x, [-2.0, -1.0], [3.0, 2.0], gap=1e-3)
    assert truth <= found.magnitude <= truth * 1.002
    rough = extremes(f, x, [-2.0, -1.0], [3.0, 2.0], boxes=1)
    assert rough.magnitude > found.magnitude


def test_extremes_refuse_what_is_no_box():
    x = symbols("x", 2)
    with pytest.raises(ShapeError, match=r"the box has shapes \(1,\) and \(2,\); inputs are \(2,\)"):
        extremes(x[0], x, [0.0], [1.0, 1.0])
    with pytest.raises(ShapeError, match="the box ends below where it begins"):
        extremes(x[0], x, [0.0, 2.0], [1.0, 1.0])
