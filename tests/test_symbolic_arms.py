"""Arm files with symbols instead of numbers: equations are derived of them, numbers ask for values."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.errors import ModelError, TorsorError, Unsupported
from torsor.model.armfile import parse_arm_file, read_arm_file
from torsor.symbolic_arm import SymbolicArm

TWO = """\
name = "two"
frames = "standard-dh"
gravity = [0, -9.81, 0]
[[link]]
joint = "revolute"
a = "l1"
mass = "m1"
com = ["r1", 0, 0]
inertia = [0, "I1", "I1"]
[[link]]
joint = "revolute"
a = 0.5
mass = "m2"
com = [-0.2, 0, 0]
inertia = [0.01, "Iy", "Iz", 0, 0, "Iyz"]
"""
VALUES = {"l1": 0.7, "m1": 3.0, "r1": -0.3, "I1": 0.2, "m2": 1.5, "Iy": 0.04, "Iz": 0.045, "Iyz": 0.001}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "two.toml"
    found.write_text(TWO)
    return found


QUANTITIES = ("inverse_dynamics", "mass_matrix", "gravity", "pose", "jacobian", "energy")
ASKED = [(quantity, parameters) for quantity in QUANTITIES for parameters in ("numeric", "symbolic", "base")]
ASKED.remove(("energy", "base"))  # which is refused


def test_energy_has_no_base_parameters(path):
    with pytest.raises(Unsupported, match="base"):
        torsor.derive(torsor.load(path), "energy", parameters="base")


@pytest.mark.parametrize(("quantity", "parameters"), ASKED)
def test_with_values_they_are_the_arm_s_own(path, quantity, parameters):
    arm, right = torsor.load(path), torsor.load(path, values=VALUES)
    assert isinstance(arm, SymbolicArm)
    assert not isinstance(right, SymbolicArm)
    equations = torsor.derive(arm, quantity, parameters=parameters, effort="normal")
    occur = {name: VALUES[name] for name in equations.parameters if name in VALUES}
    states = np.random.default_rng(0).uniform(-2.0, 2.0, (3, 20, 2))
    count = len([each for each in equations.tape.inputs if each.name not in equations.parameters])
    mine, wanted = equations(*states[:count], **occur), getattr(right, quantity)(*states[:count])
    for a, b in zip(np.atleast_1d(mine), np.atleast_1d(wanted), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * max(1.0, np.abs(wanted).max()))


def test_equations_have_the_names_of_the_file(path):
    equations = torsor.derive(torsor.load(path), "mass_matrix")
    assert set(equations.parameters) == {"l1", "m1", "r1", "I1", "m2", "Iz"} or "Iy" in equations.parameters
    assert equations.values == {}
    text = str(equations)
    assert "m1*(l1 + r1)^2" in text
    assert not any(word in text for word in ("e-0", "0.3000", "2.0"))  # no stand-in is told
    assert str(torsor.derive(torsor.load(path), "jacobian_determinant").sheet.equations[-1]) == "det = 0.5*l1*s2"


def test_coefficients_and_c_and_python(path, tmp_path):
    equations = torsor.derive(torsor.load(path), "coefficients")
    assert {"K11", "K111"} <= {each.name for each in equations.sheet.group("constants")}
    equations.to_c(tmp_path / "two.c")
    made = tmp_path / "two"
    command = ["cc", "-std=c99", "-DTORSOR_SELFTEST", str(tmp_path / "two.c"), "-lm", "-o", str(made)]
    if subprocess.run(command, capture_output=True, check=False).returncode == 0:
        subprocess.run([str(made)], check=True, capture_output=True)
    assert "def two_coefficients(q, l1, m1, r1" in equations.to_python()


def test_numbers_ask_for_values(path):
    arm = torsor.load(path)
    assert (arm.name, arm.n, arm.joint_names) == ("two", 2, ("joint1", "joint2"))
    assert "symbols" in repr(arm)
    wanted = r"two\.toml:6: length a of link1 is the symbol 'l1'; give it a value: torsor\.load\(.*values=\{\"l1\""
    for ask in (
        lambda: arm.inverse_dynamics([0, 0], [0, 0], [0, 0]),
        lambda: arm.model,
        lambda: arm.reference,
        lambda: arm.drives,
        lambda: arm._trees,
        lambda: arm.show([0, 0]),
        lambda: torsor.compare(arm),
        lambda: read_arm_file(path),
        lambda: pickle.loads(pickle.dumps(arm)).mass_matrix([0, 0]),
        lambda: torsor.simulate(arm, lambda t, q, qd: q, q0=[0, 0], until=1.0),
    ):
        with pytest.raises(ModelError, match=wanted):
            ask()
    equations = torsor.derive(arm, "gravity")
    with pytest.raises(ModelError, match=r"is the symbol '\w+'; give it a value: equations\(q, "):
        equations([0.0, 0.0])
    with pytest.raises(Unsupported, match="there is no parameter 'm9'"):
        equations([0.0, 0.0], m9=1.0)


BAD = [
    ('mass = "m1"', 'mass = "qd"', "2", "qd has a meaning: take another"),
    ('mass = "m1"', 'mass = "r1"', "", "one symbol is one kind of number"),
    ('mass = "m1"', 'mass = "3 m"', "7", "expected a finite number, in kg"),
    ('mass = "m1"', 'mass = "m 1"', "7", "expected a finite number, in kg"),
    ('mass = "m1"', 'mass = "-m1"', "7", "a mass is above zero: write 'm1'"),
    ('mass = "m1"', 'mass = ""', "7", "expected a finite number, in kg"),
    ('mass = "m1"', 'mass = "lambda"', "7", "has a meaning"),
    ('a = "l1"', 'a = "1l"', "6", "expected a number"),
    ('com = ["r1", 0, 0]', 'com = ["lc1 - l1", 0, 0]', "8", "a symbol is one name: give the whole of it one, r1"),
    ('com = ["r1", 0, 0]', 'com = "r1"', "8", "expected 3 finite numbers"),
    ('com = ["r1", 0, 0]', 'com = ["r1", 0, 0]\nabout = "origin"', "9", 'leave out about = "origin"'),
    ('joint = "revolute"\na = "l1"', 'joint = "revolute"\nalpha = "b1"', "6", "deg"),
]


@pytest.mark.parametrize(("old", "new", "line", "message"), BAD)
def test_bad_symbols(old, new, line, message):
    assert old in TWO
    with pytest.raises(TorsorError) as error:
        parse_arm_file(TWO.replace(old, new, 1), "two.toml")
    assert message in str(error.value)
    assert str(error.value).startswith("two.toml:")


def test_a_symbol_may_have_a_minus_before_it(path):
    """Centres of mass lie behind the frame of a link in most arms."""
    minus = path.with_name("minus.toml")
    minus.write_text(TWO.replace('"r1"', '"-r1"').replace('"Iyz"', '"-Iyz"'))
    arm, states = torsor.load(minus), np.random.default_rng(0).uniform(-2.0, 2.0, (3, 5, 2))
    found = torsor.derive(arm, effort="normal")
    mine = found(*states, **{name: VALUES[name] for name in found.parameters if name in VALUES})
    turned = VALUES | {"r1": -VALUES["r1"], "Iyz": -VALUES["Iyz"]}
    for right in (torsor.load(minus, values=VALUES), torsor.load(path, values=turned)):
        np.testing.assert_allclose(mine, right.inverse_dynamics(*states), rtol=0, atol=1e-12)


def test_values_that_are_none_of_its_symbols(path):
    with pytest.raises(ModelError, match=r"there is no symbol 'm3'; known: I1"):
        torsor.load(path, values={**VALUES, "m3": 1.0})
    with pytest.raises(TorsorError, match="values are for symbols of arm files"):
        torsor.load("ur5", values={"m3": 1.0})
    with pytest.raises(ModelError, match="negative"):
        torsor.load(path, values={**VALUES, "m2": -1.0})
    some = torsor.load(path, values={"m1": 3.0, "l1": 0.7})
    assert [symbol.name for symbol in some.symbols] == ["r1", "I1", "m2", "Iy", "Iz", "Iyz"]


def test_a_name_of_the_file_is_not_taken_for_another(tmp_path):
    text = TWO.replace('mass = "m1"', "mass = 3.0").replace('mass = "m2"', 'mass = "m1"')
    (tmp_path / "two.toml").write_text(text)
    equations = torsor.derive(torsor.load(tmp_path / "two.toml"), "mass_matrix", parameters="symbolic")
    assert {"m1", "m1_"} <= set(equations.parameters)
    assert equations.values["m1_"] == 3.0


def test_symbols_of_what_is_joined_are_refused(tmp_path):
    text = TWO + '[[link]]\njoint = "fixed"\nmass = 0.5\ncom = [0.1, 0, 0]\ninertia = [0.001, 0.001, 0.001]\n'
    (tmp_path / "two.toml").write_text(text)
    with pytest.raises(Unsupported, match="is joined with what is fixed to it; make one link of them"):
        torsor.derive(torsor.load(tmp_path / "two.toml"), "mass_matrix")
