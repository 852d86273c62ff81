"""No last bit of a sample decides anything: with all of them off by an ulp at random, equations stay byte for byte."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from traced_arms import inverse_dynamics, puma

import torsor
from torsor.algebra import circle, simplify, symbols, tape_from
from torsor.algebra.digits import Digits
from torsor.algebra.guard import SAMPLED, Guard
from torsor.algebra.netlist import Netlist


def off_by_an_ulp(compute: Callable, rng: np.random.Generator) -> Callable:
    def shaken(*args):
        exact = np.asarray(compute(*args))
        return np.nextafter(exact, exact + rng.integers(-1, 2, exact.shape))

    return shaken


@pytest.fixture
def shake(monkeypatch) -> Iterator[Callable[[int], None]]:
    """Puts every sine, cosine, sum, product and quotient of samples off; 0 leaves them alone."""
    exact = dict(SAMPLED)

    def shaken(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for op in ("sin", "cos", "add", "sub", "mul", "div", "sqrt", "exp"):
            monkeypatch.setitem(SAMPLED, op, off_by_an_ulp(exact[op], rng) if seed else exact[op])

    return shaken


def test_samples_are_shaken(shake):
    x = symbols("x", 2)
    values = set()
    for seed in range(4):
        shake(seed)
        guard = Guard()
        guard.learn([np.sin(x[0]) * x[1]])
        values.add(guard.values[np.sin(x[0]) * x[1]].tobytes())
    assert len(values) == 4


def test_searched_equations(shake):
    """Random steps of the walk included; half of the arm, so that it takes seconds."""
    q, qd, qdd = (symbols(name, 6) for name in ("q", "qd", "qdd"))
    tau = inverse_dynamics(puma(), q, qd, qdd)[2:]
    texts = set()
    for seed in range(3):
        shake(seed)
        small = simplify(tau, effort="high", turns=4)
        texts.add(tape_from("id", {"q": q, "qd": qd, "qdd": qdd}, {"tau": small}).text())
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("robot", "quantity", "parameters"),
    [
        ("puma560-burdick", "inverse_dynamics", "base"),
        ("puma560-burdick", "coefficients", "base"),
        ("rl15", "inverse_dynamics", "numeric"),
        ("ur5", "inverse_dynamics", "numeric"),
        ("irb140", "jacobian_inverse", "numeric"),
    ],
)
def test_derived_equations(shake, robot, quantity, parameters):
    arm = torsor.load(robot)
    listings = set()
    for seed in range(4):
        shake(seed)
        listings.add(str(torsor.derive(arm, quantity, parameters=parameters, effort="normal")))
    assert len(listings) == 1


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["inverse_dynamics", "coefficients"])
def test_the_figures_of_the_papers(shake, quantity):
    listings = set()
    for seed in range(6):
        shake(seed)
        listings.add(str(torsor.derive(torsor.load("puma560-burdick"), quantity, parameters="base")))
    assert len(listings) == 1


def test_a_constant_is_computed_not_sampled(shake):
    """a*x / (b*x) is a/b everywhere; samples know that but for their last bits."""
    x = symbols("x", 2)
    for seed in range(4):
        shake(seed)
        (found,) = simplify([(0.36 * x[0] * x[1]) / (0.38 * x[0] * x[1])])
        assert found.op == "const"
        assert found.value.hex() == (0.36 / 0.38).hex()


def test_forty_digits():
    x = symbols("x", 2)
    digits = Digits(Guard())
    identity = np.sin(x[0]) * np.sin(x[0]) / (1 - np.cos(x[0]) * np.cos(x[0]))
    assert digits.value(identity) == 1.0
    assert digits.ratio(3 * x[1], x[1]) == 3.0
    assert digits.difference(0.1 + x[0], x[0], 1) == 0.1
    assert digits.value(np.exp(x[0]) / np.exp(x[0])) == 1.0
    first = Guard()
    first.learn([np.sin(x[0])])
    assert digits.value(np.sin(x[0])) == pytest.approx(first.values[np.sin(x[0])][0], rel=2**-52)


def test_circle_is_good_to_an_ulp():
    rng = np.random.default_rng(0)
    angles = [*rng.uniform(-10, 10, 2000), *rng.uniform(-1e5, 1e5, 2000), *(np.arange(-40, 40) * np.pi / 2), 1e-300]
    for x in angles:
        c, s = circle.cos_sin(x)
        assert abs(c - math.cos(x)) <= math.ulp(math.cos(x))
        assert abs(s - math.sin(x)) <= math.ulp(math.sin(x))
    for y, x in rng.normal(size=(2000, 2)) * 10.0 ** rng.integers(-3, 3, (2000, 2)):
        assert abs(circle.atan2(y, x) - math.atan2(y, x)) <= math.ulp(math.atan2(y, x))
    for y in (0.0, -0.0, 1.0, -1.0):
        for x in (0.0, -0.0, 1.0, -1.0):
            assert repr(circle.atan2(y, x)) == repr(math.atan2(y, x))
    assert all(math.isnan(each) for each in circle.cos_sin(math.inf))


def test_circle_is_defined_to_the_bit():
    """These bits are the definition: an arm's constants and the samples are the same on every machine."""
    assert [each.hex() for each in circle.cos_sin(0.7)] == ["0x1.87996529f9d93p-1", "0x1.49d6e694619b8p-1"]
    assert circle.atan2(0.3, -1.7).hex() == "0x1.7bc40ca9216fep+1"


def test_numbers_beyond_all_measure_find_no_constant():
    """Next to singular points samples are huge; what overflows in forty digits is no number, and no error."""
    from torsor.algebra import exp, sin

    (x,) = symbols("x", 1)
    digits = Digits(Guard())
    huge = exp(exp(exp(x * 40.0)))
    assert not np.isfinite(digits.value(huge))
    assert not np.isfinite(digits.value(sin(huge)))


def test_what_cancels_is_no_term_that_is_lost(shake):
    """Where nothing is left, one sample has 0.0 and another 1e-17: beside the other term that says nothing."""
    a, b, c, d, e, f = symbols("x", 6)
    ways = a * c + a * d + b * c + b * d
    nothing = (a + b) * (c + d) * (e + f) - (ways * e + ways * f)
    for seed in range(40):
        shake(seed)
        assert not Netlist([1e3 * b + nothing], Guard(seed)).blind.any()
    assert Netlist([1e13 * b + a], Guard()).blind.any()
