"""References: their rates are their derivatives, limits are kept, and traced they are the same."""

import numpy as np
import pytest

from torsor.algebra import symbols, tape_from
from torsor.control import reference
from torsor.errors import ShapeError

POINTS = [[0.0, 1.0], [1.0, -0.5], [1.2, 0.3], [1.2, 0.3 + 1e-3]]
MADE = {
    "point": reference.point([0.3, 0.4]),
    "quintic": reference.quintic(POINTS, speed=[1.0, 2.0], acceleration=3.0),
    "quintic in time": reference.quintic(POINTS, durations=[1.0, 0.5, 0.25]),
    "trapezoid": reference.trapezoid(POINTS, speed=[1.0, 2.0], acceleration=3.0),
    "table": reference.table([0.0, 0.5, 1.5, 2.0], POINTS),
    "sine": reference.sine([0.1, 0.2], [1.0, 0.5], [0.5, 0.8], [0.0, 1.0]),
}


@pytest.mark.parametrize("name", MADE)
def test_rates_are_derivatives_and_the_trace_is_the_same(name):
    made = MADE[name]
    end = min(made.duration, 5.0) or 1.0
    t = np.linspace(0.0137, end * 0.9871, 400)
    h = 1e-5
    _, qd, qdd = (np.broadcast_to(part, (400, 2)) for part in made.at(t))
    before, after = (np.broadcast_to(made.at(t + s)[0], (400, 2)) for s in (-h, h))
    rates = [np.broadcast_to(made.at(t + s)[1], (400, 2)) for s in (-h, h)]
    assert np.abs((after - before) / (2 * h) - qd).max() < 1e-4 * max(1.0, np.abs(qdd).max())
    smooth = np.abs((rates[1] - rates[0]) / (2 * h) - qdd) < 1e-3 * max(1.0, np.abs(qdd).max())
    assert smooth.mean() > 0.97  # a trapezoid's acceleration jumps
    s = symbols("t", 1)
    outputs = [np.asarray(part, dtype=object) for part in made.at(s[0])]
    tape = tape_from("reference", {"t": s}, dict(zip(("q", "qd", "qdd"), outputs, strict=True)))
    around = np.concatenate([t, [-1.0, 0.0, end, end + 1.0]])
    for traced, plain in zip(tape.evaluate(around[:, None]), made.at(around), strict=True):
        assert np.abs(traced - plain).max() <= 1e-12 * max(1.0, np.abs(plain).max())


@pytest.mark.parametrize("name", ["quintic", "trapezoid"])
def test_limits_are_kept_and_one_of_them_is_reached(name):
    made = MADE[name]
    t = np.linspace(0.0, made.duration, 20001)
    q, qd, qdd = made.at(t)
    share = np.maximum(np.abs(qd) / [1.0, 2.0], np.abs(qdd) / 3.0).max()
    assert 0.99 < share <= 1.0 + 1e-9
    for wanted in POINTS:
        assert np.abs(q - wanted).max(axis=1).min() < 1e-3


def test_it_rests_before_and_after():
    for name in ("quintic", "trapezoid", "table"):
        for t, want in ((-1.0, POINTS[0]), (MADE[name].duration + 1.0, POINTS[-1])):
            q, qd, qdd = MADE[name].at(t)
            assert q == pytest.approx(want, abs=1e-12)
            assert not qd.any()
            assert not qdd.any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: reference.quintic([[0.0], [1.0]], durations=1e-300), "a duration is 1e-300; give 1e-06 to 1e+09 s"),
        (lambda: reference.quintic([[0.0], [1.0]], speed=1e-300), "the time of a way is 1e+300; give 0 to 1e+09 s"),
        (
            lambda: reference.trapezoid([[0.0], [1.0]], speed=1.0, acceleration=1e-300),
            "the time of a way is 1e+150; give 0 to 1e+09 s",
        ),
        (
            lambda: reference.quintic([[0.0], [1e300]], durations=1.0),
            "a coordinate of the points is 1e+300; give -1e+06 to 1e+06 m or rad",
        ),
        (lambda: reference.table([0.0, 1e300], [[0.0], [1.0]]), "a time is 1e+300; give 0 to 1e+09 s"),
        (lambda: reference.sine([0.0], 1.0, 1e300), "frequency is 1e+300; give -1e+06 to 1e+06 Hz"),
    ],
)
def test_absurd_numbers_are_refused(make, message):
    with pytest.raises(ShapeError) as caught:
        make()
    assert str(caught.value) == message
