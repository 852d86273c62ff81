"""SIMASEA's quantities Z by their numbers: corrected they give the torques, and the listing of the arm has them."""

import re

import numpy as np
import pytest

from torsor import derive, load
from torsor.mechanics.simasea_numbers import is_simasea, simasea_quantities
from torsor.mechanics.tree import lower


@pytest.fixture(scope="module")
def arm():
    return load("asea-irb")


def near(count, seed=0):
    """Driven joints near P1 of the program."""
    q = np.radians([20.0, 102.0, 10.0, 150.0, 20.0, 125.0])
    return q + np.random.default_rng(seed).uniform(-0.03, 0.03, (count, 6))


def test_corrected_they_are_the_torques(arm):
    """(3.142) to (3.147) at rest, with +tau_j: what holds the arm."""
    x = near(20)
    whole = np.asarray(arm.closure.along(x, 0 * x, 0 * x)[0])
    Z = simasea_quantities(whole)
    assert sorted(Z) == list(range(1, 91))
    held = np.column_stack([-Z[83], -Z[86], -Z[87], -Z[88], np.zeros(20), -Z[90]])
    np.testing.assert_allclose(held, arm.gravity(x), atol=1e-13)


def test_rates_of_the_loop(arm):
    """(3.71), (3.72): theta 3 and theta 8 from theta 2 and theta 7."""
    x, xd = near(20), np.random.default_rng(1).uniform(-1.0, 1.0, (20, 6))
    whole, rates, _ = (np.asarray(each) for each in arm.closure.along(x, xd, 0 * x))
    Z = simasea_quantities(whole)
    np.testing.assert_allclose(Z[10] * xd[:, 1] + Z[11] * xd[:, 5], rates[:, 2], atol=1e-12)
    np.testing.assert_allclose(Z[12] * xd[:, 1] + Z[13] * xd[:, 5], rates[:, 7], atol=1e-12)


def test_only_his_arm_has_his_numbers(arm):
    assert is_simasea(lower(arm.model))
    assert not is_simasea(lower(load("puma560").model))


@pytest.mark.slow
def test_the_listing_has_the_numbers_of_the_thesis(arm):
    """Each line of the listing that has a number of his is his value; all others have numbers above 100."""
    x = near(1)[0]
    whole = np.asarray(arm.closure.along(x[None], 0 * x[None], 0 * x[None])[0])[0]
    Z = simasea_quantities(whole)
    equations = derive(arm, "inverse_dynamics", by="kane", effort="none")
    rng = np.random.default_rng(2)
    names = {"sin": np.sin, "cos": np.cos, "sqrt": np.sqrt}
    for letter, values in (("q", x), ("qd", rng.uniform(-1, 1, 6)), ("qdd", rng.uniform(-1, 1, 6))):
        names |= {f"{letter}{joint[5:]}": value for joint, value in zip(arm.joint_names, values, strict=True)}
    found = 0
    for name, made in re.findall(r"^\s*(\w+)\s*= (.*)$", str(equations), re.MULTILINE):
        names[name] = eval(made.replace("^", "**"), {}, names)
        if re.fullmatch(r"Z[0-9]+", name) and int(name[1:]) <= 90:
            assert names[name] == pytest.approx(Z[int(name[1:])], abs=1e-10), name
            found += 1
    assert found >= 2  # all else is computed otherwise here, with fewer operations
    assert {int(name[1:]) > 100 for name in names if re.fullmatch(r"Z[0-9]+", name) and int(name[1:]) > 90} == {True}
