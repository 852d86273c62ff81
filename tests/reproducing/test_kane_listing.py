"""SIMASEA's quantities Z by their numbers: corrected they give the torques, and the listing of the arm has them."""

import re
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor import derive, load
from torsor.mechanics.simasea_numbers import SimaseaArm, simasea_quantities
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
    Z = simasea_quantities(SimaseaArm.of(lower(arm.model)), whole)
    assert sorted(Z) == list(range(1, 91))
    held = np.column_stack([-Z[83], -Z[86], -Z[87], -Z[88], np.zeros(20), -Z[90]])
    np.testing.assert_allclose(held, arm.gravity(x), atol=1e-13)


def test_rates_of_the_loop(arm):
    """(3.71), (3.72): theta 3 and theta 8 from theta 2 and theta 7."""
    x, xd = near(20), np.random.default_rng(1).uniform(-1.0, 1.0, (20, 6))
    whole, rates, _ = (np.asarray(each) for each in arm.closure.along(x, xd, 0 * x))
    Z = simasea_quantities(SimaseaArm.of(lower(arm.model)), whole)
    np.testing.assert_allclose(Z[10] * xd[:, 1] + Z[11] * xd[:, 5], rates[:, 2], atol=1e-12)
    np.testing.assert_allclose(Z[12] * xd[:, 1] + Z[13] * xd[:, 5], rates[:, 7], atol=1e-12)


def test_his_equations_are_newton_and_eulers(arm):
    """(E.58) to (E.67), corrected, against the recursion and its projection: moving, and at other gravity."""
    x = near(20)
    xd, xdd = np.random.default_rng(1).uniform(-2.0, 2.0, (2, 20, 6))
    assert SimaseaArm.of(lower(arm.model)) is not None
    for gravity in ([0.0, 0.0, -9.81], [0.0, 0.0, -1.62], [0.0, 0.0, 0.0], [1.0, 0.0, -9.81]):
        his, ours = (arm.inverse_dynamics(x, xd, xdd, by=by, gravity=gravity) for by in ("kane", "newton-euler"))
        np.testing.assert_allclose(his, ours, atol=1e-12)
    wrench = np.array([3.0, -2.0, 5.0, 0.5, 1.5, -1.0])
    his, ours = (arm.inverse_dynamics(x, xd, xdd, by=by, wrench=wrench) for by in ("kane", "newton-euler"))
    np.testing.assert_allclose(his, ours, atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "fits"),
    [
        ({"mass = 1.20": "mass = 2.5"}, True),
        ({"d = 0.54 ": "d = 0.61 ", "a = 0.25 ": "a = 0.27 ", "[0, 0, -0.24]": "[0, 0, -0.26]"}, True),
        ({"com = [0, 0, 0.20]": "com = [0.01, 0, 0.20]"}, False),  # a mass beside its axis
        ({"inertia = [0.22, 0.25, 0.12]": "inertia = [0.22, 0.25, 0.12, 0.01, 0, 0]"}, False),
        ({"position = [0, 0, -0.24]": "position = [0.02, 0, -0.24]"}, False),
    ],
)  # fmt: skip
def test_arms_built_like_his_and_others(tmp_path, changes, fits):
    """Other lengths and masses are his equations too; what they do not know is Kane's by the general page."""
    text = (Path(torsor.__file__).parent / "model" / "library" / "asea-irb.toml").read_text()
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    path = tmp_path / "other.toml"
    path.write_text(text)
    other = load(path)
    assert (SimaseaArm.of(lower(other.model)) is not None) is fits
    x = near(5)
    xd, xdd = np.random.default_rng(1).uniform(-1.0, 1.0, (2, 5, 6))
    his, ours = (other.inverse_dynamics(x, xd, xdd, by=by) for by in ("kane", "newton-euler"))
    np.testing.assert_allclose(his, ours, atol=1e-12)


@pytest.mark.parametrize(("effort", "least"), [("none", 75), ("normal", 67)])
def test_the_listing_has_the_numbers_of_the_thesis(arm, effort, least):
    """Each line of the listing that has a number of his is his value; all others have numbers above 100."""
    x = near(1)[0]
    whole = np.asarray(arm.closure.along(x[None], 0 * x[None], 0 * x[None])[0])[0]
    Z = simasea_quantities(SimaseaArm.of(lower(arm.model)), whole)
    equations = derive(arm, "inverse_dynamics", by="kane", effort=effort)
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
    # Z7 and Z8 are Z3 and Z4 where the loop is closed; others are parts of one product or sum, or multiples of another
    assert found >= least
    assert {int(name[1:]) > 100 for name in names if re.fullmatch(r"Z[0-9]+", name) and int(name[1:]) > 90} == {True}
