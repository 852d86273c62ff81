"""The determinant of the Jacobian: what NumPy gives, in factors that vanish where the arm is singular."""

from functools import cache

import numpy as np
import pytest

import torsor
from torsor.algebra import symbols
from torsor.algebra.waves import Waves, added, divided, divisor, multiplied
from torsor.arm import Arm
from torsor.errors import Unsupported
from torsor.measuring.chains import general_arm
from torsor.mechanics.determinant import determinant_rows

load = cache(torsor.load)
FACTORS = {
    "planar2": ("a1*a2*s2", {"lengths": True}),
    "irb140": ("-0.1368*c3*s5*(0.07 + 0.36*s2 + 0.38*c23)", {}),
    "puma560-burdick": ("a2*s5*(d4*c3 - a3*s3)*(a2*c2 + d4*s23 + a3*c23)", {"lengths": True}),
    "ur5": ("0.16670625*s3*s5*(0.09465*s234 - 0.39225*c23 - 0.425*c2)", {}),
    "stanford": ("s2*s5*q3^2", {}),
}


@pytest.mark.parametrize("robot", FACTORS)
def test_singularities_are_read_off(robot):
    wanted, options = FACTORS[robot]
    equations = torsor.derive(load(robot), "jacobian_determinant", **options)
    assert str(equations.sheet.equations[-1]) == f"det = {wanted}"


@pytest.mark.parametrize("robot", [*FACTORS, "scara", "rl15", "puma560", "planar3", "irb140-screws"])
@pytest.mark.parametrize("lengths", [False, True])
def test_it_is_the_determinant(robot, lengths):
    arm = load(robot)
    rows = determinant_rows(arm._trees.plain)
    equations = torsor.derive(arm, "jacobian_determinant", lengths=lengths)
    q = np.random.default_rng(3).uniform(-3.0, 3.0, (50, arm.n))
    J = arm.jacobian(q)[:, rows, :]
    right = np.linalg.det(J)
    np.testing.assert_allclose(equations(q), right, rtol=0, atol=1e-12 * max(1.0, np.abs(right).max()))


def test_numbers_that_are_no_fractions_are_not_factored_but_right():
    arm = Arm(general_arm(6))
    equations = torsor.derive(arm, "jacobian_determinant", effort="none")
    q = np.random.default_rng(3).uniform(-3.0, 3.0, (20, 6))
    right = np.linalg.det(arm.jacobian(q))
    np.testing.assert_allclose(equations(q), right, rtol=0, atol=1e-11 * max(1.0, np.abs(right).max()))
    assert equations.by == "cofactors"


def test_what_has_no_determinant():
    with pytest.raises(Unsupported, match="'panda' has 7 joints"):
        torsor.derive(load("panda"), "jacobian_determinant")
    with pytest.raises(Unsupported, match="'newton-euler' does not compute jacobian_determinant"):
        torsor.derive(load("irb140"), "jacobian_determinant", by="newton-euler")
    with pytest.raises(Unsupported, match="moves the tool in 6 directions"):
        torsor.derive(Arm(general_arm(5)), "jacobian_determinant")


def test_waves_are_divided_and_have_divisors():
    q = symbols("q", 2)
    waves = Waves(list(q), [])
    a, b, c = (waves.of(x) for x in (np.sin(q[0]), np.cos(q[0]) + 2.0, np.sin(q[1]) + 0.5))
    product = multiplied(multiplied(a, b), c)
    assert divided(product, b) == multiplied(a, c)
    assert divided(added(product, a), b) is None
    factors = waves.factors(product)
    whole = factors[0]
    for each in factors[1:]:
        whole = multiplied(whole, each)
    assert whole == product
    assert len(factors) == 4
    shift = {(1, 0): next(iter(waves.of(np.cos(q[0])).values()))}
    low = [multiplied(multiplied(x, b), shift) for x in (a, waves.of(np.cos(q[0]) - 3.0))]
    assert max(k[0] for k in divisor(*[{(p[0] + 1, 0): v for p, v in x.items()} for x in low], [0])) == 2
