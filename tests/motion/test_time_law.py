"""Time laws: limits, ends, exact derivatives, and that none could be faster."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torsor.errors import TorsorError
from torsor.motion.time_laws.polynomials import Polynomials, chained
from torsor.motion.time_laws.time_law import SHAPES, TimeLaw

shapes = pytest.mark.parametrize("shape", SHAPES)
sizes = st.floats(1e-3, 1e2)
shares = st.floats(0.0, 1.0)


def fitting(law, length, acceleration, first, last):
    """Speeds at the ends, lowered until the law fits."""
    low = min(first, last)
    high = law.reach(low, length, acceleration)
    return min(first, high), min(last, high)


@shapes
@settings(max_examples=150, deadline=None)
@given(length=sizes, speed=sizes, acceleration=sizes, first=shares, last=shares)
def test_ends_and_limits(shape, length, speed, acceleration, first, last):
    law = TimeLaw(shape)
    first, last = fitting(law, length, acceleration, first * speed, last * speed)
    s = law.over(length, speed=speed, acceleration=acceleration, first=first, last=last)
    t = np.linspace(0.0, s.duration, 1001)
    x, v, a, _ = s.at(t)
    eps = np.finfo(float).eps
    rounding = 1e-9 * speed + 4.0 * eps * s.duration * acceleration  # of time, on a ramp
    rounding += 16.0 * eps * speed**3 / (acceleration * length)  # of the peak less the speed at an end
    # speeds that all but agree leave few digits to their difference, and the rest is made good along the way
    rounding += 4.0 * eps * speed**2 / max(float(np.ptp(v)), 1e-9 * speed)
    assert x[0] == 0.0
    assert x[-1] == pytest.approx(length, rel=1e-12)
    assert v[0] == pytest.approx(first, abs=rounding)
    assert v[-1] == pytest.approx(last, abs=rounding)
    assert v.max() <= speed + rounding
    assert v.min() >= -rounding
    assert np.abs(a).max() <= acceleration * (1.0 + 1e-9) + rounding * acceleration / speed


@shapes
@pytest.mark.parametrize("ends", [(0.0, 0.0), (0.4, 0.0), (0.2, 0.5)])
def test_derivatives_are_those_of_the_law(shape, ends):
    s = TimeLaw(shape).over(1.3, speed=0.7, acceleration=1.1, first=ends[0], last=ends[1])
    t = np.linspace(0.0, s.duration, 400)
    h = 1e-6
    clear = np.abs(t[:, None] - s.breaks).min(axis=1) > 2 * h  # a difference must not reach over a break
    before, now, after = s.at(t[clear] - h), s.at(t[clear]), s.at(t[clear] + h)
    for k in range(3):
        assert np.abs((after[k] - before[k]) / (2 * h) - now[k + 1]).max() < 1e-7


@shapes
def test_smoothness_across_pieces(shape):
    s = TimeLaw(shape).over(1.3, speed=0.7, acceleration=1.1, first=0.1, last=0.3)
    for at in s.breaks[1:-1]:
        before, after = s.at(at - 1e-12), s.at(at + 1e-12)
        orders = 2 if shape == "trapezoid" else 3  # the acceleration of a trapezoid jumps
        for k in range(orders):
            assert before[k] == pytest.approx(after[k], abs=1e-9)
    if shape != "trapezoid":
        assert abs(s.at(0.0)[2]) < 1e-12
        assert abs(s.at(s.duration)[2]) < 1e-9


def test_the_trapezoid_is_the_fastest_of_all():
    """Bang-bang acceleration is optimal: T = L/v + v/a, or 2 sqrt(L/a) where the speed is not reached."""
    law = TimeLaw("trapezoid")
    assert law.over(1.0, speed=0.5, acceleration=1.0).duration == pytest.approx(2.5, rel=1e-15)
    assert law.over(0.09, speed=0.5, acceleration=1.0).duration == pytest.approx(0.6, rel=1e-15)
    for other in SHAPES[1:]:
        assert TimeLaw(other).over(1.0, speed=0.5, acceleration=1.0).duration > 2.5


def test_the_s_curve_has_seven_phases_and_its_jerk():
    law = TimeLaw("s-curve", jerk_time=0.2)
    s = law.over(2.0, speed=0.8, acceleration=1.0)
    assert len(s.breaks) == 8
    _, _, a, j = s.at(np.linspace(0.0, s.duration, 4001))
    assert np.abs(j).max() == pytest.approx(1.0 / 0.2, rel=1e-12)
    assert np.abs(a).max() == pytest.approx(1.0, rel=1e-12)
    # full speed, full acceleration: L/v + v/a + jerk time
    assert s.duration == pytest.approx(2.0 / 0.8 + 0.8 / 1.0 + 0.2, rel=1e-12)


def test_the_quintic_meets_one_of_its_limits():
    for length in (0.01, 1.0, 100.0):
        s = TimeLaw("quintic").over(length, speed=0.7, acceleration=1.1)
        _, v, a, _ = s.at(np.linspace(0.0, s.duration, 20001))
        assert max(v.max() / 0.7, np.abs(a).max() / 1.1) == pytest.approx(1.0, rel=1e-6)


@shapes
def test_a_ramp_reaches_what_it_says(shape):
    law = TimeLaw(shape)
    high = law.reach(0.3, 0.4, 1.2)
    s = law.over(0.4, speed=10.0, acceleration=1.2, first=0.3, last=high)
    assert np.abs(s.at(np.linspace(0, s.duration, 1001))[2]).max() == pytest.approx(1.2, rel=1e-6)
    with pytest.raises(TorsorError, match="does not fit"):
        law.over(0.4, speed=10.0, acceleration=1.2, first=0.3, last=1.01 * high)


def test_bad_input():
    with pytest.raises(TorsorError, match="did you mean 'trapezoid'"):
        TimeLaw("trapezium")
    with pytest.raises(TorsorError, match="jerk_time"):
        TimeLaw("s-curve", jerk_time=0.0)
    with pytest.raises(TorsorError, match="acceleration is 0"):
        TimeLaw().over(1.0, speed=1.0, acceleration=0.0)
    with pytest.raises(TorsorError, match="speed is nan"):
        TimeLaw().over(1.0, speed=np.nan, acceleration=1.0)


def test_polynomials_rest_before_and_after():
    s = chained(1.0, [(0.5, (2.0, 1.0))])
    assert [float(x) for x in s.at(-1.0)] == [1.0, 0.0, 0.0, 0.0]
    assert [float(x) for x in s.at(9.0)] == [2.125, 0.0, 0.0, 0.0]


def test_polynomials_stretched_and_joined():
    rng = np.random.default_rng(0)
    s = Polynomials(np.array([0.0, 1.0, 1.5]), rng.normal(size=(2, 5, 3)))
    slow = s.stretched(2.0)
    t = np.linspace(0.0, 1.5, 50)
    for k, (a, b) in enumerate(zip(s.at(t), slow.at(2.0 * t), strict=True)):
        assert np.abs(a / 2.0**k - b).max() < 1e-12
    both = s.then(slow)
    assert both.duration == 4.5
    assert np.abs(both.at(1.5 + t)[0] - slow.at(t)[0]).max() < 1e-12
