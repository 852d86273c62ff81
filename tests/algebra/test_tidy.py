"""What stands in equations: numbers as they were meant, constants collected, like terms added, names of papers."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torsor.algebra import count, parameter, symbol, symbols, tape_from
from torsor.algebra.collecting import CollectedTerms, CollectedWriter, combined, divided, multiplied, plain
from torsor.algebra.exact import exact, tidied
from torsor.algebra.recognising import called
from torsor.algebra.telling import listening, told
from torsor.algebra.tidy import tidy
from torsor.algebra.walk import topological

NAMES = ("g", "a1", "m1", "rx1", "Iyy1", "a2", "m2", "rx2")
PARAMETERS = {name: parameter(name) for name in NAMES}
decimals = st.builds(lambda a, b: Fraction(a, 10**b), st.integers(1, 99_999), st.integers(0, 6))


@given(decimals, decimals)
def test_products_of_decimal_fractions_are_found_again(a, b):
    found = exact(float(a) * float(b))
    assert found == a * b or abs(found - a * b) <= abs(a * b) * Fraction(1, 10**15)
    assert len(repr(tidied(float(a) * float(b)))) <= len(repr(float(a) * float(b)))


@given(st.integers(1, 9999), st.integers(1, 9999))
@example(1, 9999)
def test_ratios_are_found_again(a, b):
    assert exact(a / b) == Fraction(a, b)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_no_number_is_moved_further_than_rounding_goes(x):
    """Numbers of few digits are seen through more of it: what is left where a thousand times as much cancels."""
    moved = tidied(x)
    if moved == x or math.isnan(x):
        return
    digits = len(Decimal(repr(moved)).normalize().as_tuple().digits)
    assert abs(moved - x) <= (4096 if digits <= 5 else 512 if digits <= 7 else 64) * np.spacing(abs(x))


@pytest.mark.parametrize("x", [math.pi, math.sqrt(3) / 2, math.e, 2**0.5, math.cos(0.3)])
def test_numbers_that_are_no_fractions_keep_all_digits(x):
    assert exact(x) is None
    assert tidied(x) == x


@pytest.mark.parametrize("x", [0.1 + 0.2, 0.0203 * 0.0203, 0.4331**2, 0.4318**2, 0.31 + 2.39 - 2.6975])
def test_no_noise_is_left(x):
    """The last one is a moment of inertia that is left of larger ones."""
    assert len(repr(tidied(x))) <= 10


def poly(node):
    return CollectedTerms()(node)


p = PARAMETERS
half = 0.5
WRITTEN = [
    (half * p["m1"] + half * p["m1"], "m1"),
    (p["m1"] + p["m2"] - p["m1"], "m2"),
    (half * p["a1"] * p["m2"] * (2 * p["a1"]), "m2 * (a1 * a1)"),
    ((p["g"] * (p["m2"] + p["m2"] * p["rx2"])) - p["g"] * p["m2"], "rx2 * (g * m2)"),
    (p["m1"] * p["m1"] - p["m1"] * p["m1"], "0"),
]


@pytest.mark.parametrize(("node", "wanted"), WRITTEN)
def test_constants_are_collected(node, wanted):
    written = CollectedWriter(PARAMETERS)(poly(node))
    assert poly(written) == poly(node)
    if count([written]).fixed < 2:
        assert repr(written) == wanted
    assert count([written]).fixed <= max(0, count([node]).fixed)


def test_squares_and_equal_factors_are_seen():
    S = p["a1"] + p["rx1"]
    node = p["Iyy1"] + p["m1"] * S * S + 0.25 * p["m2"]
    expanded = (
        p["m1"] * p["a1"] * p["a1"]
        + 2 * (p["m1"] * p["a1"] * p["rx1"])
        + p["m1"] * p["rx1"] * p["rx1"]
        + 0.25 * p["m2"]
        + p["Iyy1"]
    )
    write = CollectedWriter(PARAMETERS)
    assert write(poly(node)) is write(poly(expanded))
    assert count([write(poly(node))]).fixed == 6  # Iyy1 + m1 (a1 + rx1)^2 + 0.25 m2


def test_squares_of_three_lengths_are_seen():
    """As in the inertias about the base that the exponentials tabulate."""
    names = ("m", "a", "d", "r", "h")
    m, a, d, r, h = (parameter(name) for name in names)
    poly, write = CollectedTerms(), CollectedWriter({name: parameter(name) for name in names})
    made = write(poly(m * (a * a + d * d + r * r + 2 * a * d + 2 * a * r + 2 * d * r + h * h)))
    assert count([made]).fixed == 6  # m (h^2 + (a + d + r)^2)
    uneven = write(poly(a * a + 4 * d * d + 9 * r * r - 4 * a * d + 6 * a * r - 12 * d * r))
    assert count([uneven]).fixed == 5  # (a - 2 d + 3 r)^2
    close = write(poly(a * a + d * d + r * r + 2 * a * d + 2 * a * r + 3 * d * r))  # no square of three
    assert count([close]).fixed > 6


def test_what_divides_is_collected_and_cancels():
    """As in forward dynamics of an arm with symbols: (I/2 + I/2 + m r^2) * 1/(I + m r^2) is 1."""
    I, m, r, a = p["Iyy1"], p["m1"], p["rx1"], p["a1"]
    inertia = 0.5 * I + 0.5 * I + m * r * r
    over = 1.0 / inertia
    terms = CollectedTerms()
    assert terms(inertia * over) == {(): 1}
    assert terms(2 * a * (I * over) + 2 * a * (m * r * r * over)) == {(("a1", 1),): 2}
    left = terms(m * a * over)
    written = CollectedWriter(PARAMETERS, terms.inverses)(left)
    assert CollectedTerms()(written) == left
    assert "0.5" not in repr(tidy({"y": over * symbol("x")}, PARAMETERS)["y"])


def test_quotients_of_polynomials():
    x, y = (("x", 1),), (("y", 1),)
    by = {x: Fraction(2), y: Fraction(-3), (): Fraction(1, 7)}
    for factor in ({x: Fraction(5), (): Fraction(1)}, {(("x", 1), ("y", 2)): Fraction(-1, 3)}, by):
        assert divided(multiplied(factor, by), by) == factor
        assert divided(combined(multiplied(factor, by), {y: Fraction(1)}), by) is None


@st.composite
def sums(draw):
    """A sum of products of parameters and numbers, some of them sums of products."""
    made = draw(st.sampled_from(list(PARAMETERS.values())))
    for _ in range(draw(st.integers(1, 9))):
        other = draw(st.sampled_from(list(PARAMETERS.values()))) * draw(st.sampled_from([1.0, 0.5, 2.0, 0.0203, -1.0]))
        made = draw(st.sampled_from([made + other, made - other, made * other, made * (made + other)]))
    return made


@given(sums())
def test_any_polynomial_is_written_as_what_it_is(node):
    polynomial = poly(node)
    if polynomial is not None and all(map(plain, polynomial.values())):
        assert poly(CollectedWriter(PARAMETERS)(polynomial)) == polynomial


def test_like_terms_of_states():
    x, y, z = symbols("x", 3)
    twice = 0.0203 * z
    found = tidy({"v": x - twice - y - twice}, {})["v"].item()
    assert count([found]).cost == "1 M 2 A"
    assert 0.0406 in {node.value for node in topological([found])}
    kept = tidy({"v": x - twice - y - twice, "w": twice * y}, {})  # needed elsewhere: it is not computed twice
    assert count(kept).total <= count({"v": x - twice - y - twice, "w": twice * y}).total


def test_a_reciprocal_that_is_needed_once_is_a_quotient():
    x, y, z = symbols("x", 3)
    found = tidy({"v": np.asarray(x * (1 / (y + z)), dtype=object)}, {})["v"].item()
    assert (found.op, *found.args) == ("div", x, y + z)
    over = 1 / (y + z)
    shared = tidy({"v": x * over, "w": y * over}, {})
    assert [shared[name].item() for name in "vw"] == [x * over, y * over]


def test_what_is_told_is_recognised():
    x = symbols("x", 3)
    with listening() as heard:
        told("w", (2,), np.array([x[0] * x[1] + x[2] * x[1], x[2], -(x[0] * x[2])]))
    told("w", (3,), x)  # nobody listens
    tape = tape_from("f", {"x": x}, {"y": x[1] * (x[0] + x[2]) * x[2], "z": x[0] * x[2] + 1})
    found = called(tape, heard, {"x": x})
    assert {(each.told.letter, each.told.whose, each.told.component, each.minus) for each in found.values()} == {
        ("w", (2,), "x", False),
        ("w", (2,), "z", True),
    }
    assert called(tape, [], {"x": x}) == {}


def test_a_value_that_is_nearly_what_was_told_is_not_that():
    x = symbol("x")
    with listening() as heard:
        told("h", (1,), x * x)
    tape = tape_from("f", {"x": np.array(x, dtype=object)}, {"y": (x * x) * (1 + 1e-8) + x})
    assert all(tape.code[k].args[0] == tape.code[k].args[1] for k in called(tape, heard, {"x": x}))
