"""Derived equations: the same numbers for every kind of parameters, the promised counts, in every language."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import torsor
from counted_sources import operations_in_c, operations_in_python
from random_arms import random_state
from torsor.comparing import COMPARED
from torsor.errors import TorsorError, Unsupported
from torsor.measuring.chains import general_arm
from torsor.mechanics.formulations import formulations_of
from torsor.mechanics.quantities import QUANTITIES

BURDICK = json.loads((Path(__file__).parent / "oracles/puma560.json").read_text())["burdick_appendix_II_corrected"]
KINDS = [("numeric", False), ("symbolic", False), ("symbolic", True), ("base", False), ("base", True)]
load = cache(torsor.load)


@cache
def searched(robot: str, quantity: str, parameters: str, lengths: bool = False):
    arm = torsor.Arm(general_arm(6)) if robot == "general6r" else load(robot)
    return torsor.derive(arm, quantity, parameters=parameters, lengths=lengths)


@pytest.mark.parametrize(("parameters", "lengths"), KINDS)
@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("robot", ["planar3", "scara"])
def test_every_quantity(robot, quantity, parameters, lengths):
    arm = load(robot)
    states = random_state(arm.n, 3, (4,))[: len(QUANTITIES[quantity].states)]
    if parameters == "base" and not QUANTITIES[quantity].of_base_parameters:
        with pytest.raises(Unsupported, match=f"{quantity} is no function of base parameters"):
            torsor.derive(arm, quantity, parameters="base")
        return
    equations = torsor.derive(arm, quantity, parameters=parameters, lengths=lengths, effort="normal")
    mine, right = equations(*states), getattr(arm, quantity)(*states)
    pairs = zip(mine, right, strict=True) if isinstance(right, tuple) else [(mine, right)]
    for a, b in pairs:
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-10 * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize(
    ("parameters", "lengths"),
    [pytest.param(*kind, marks=[pytest.mark.slow] * (k not in (0, 4))) for k, kind in enumerate(KINDS) if k != 2],
)
def test_every_formulation(parameters, lengths):
    arm = load("stanford")
    states = random_state(arm.n, 3, (4,))
    for quantity in COMPARED:
        given = states[: len(QUANTITIES[quantity].states)]
        right = getattr(arm.reference, quantity)(*given)
        for name in formulations_of(quantity):
            kind = {"parameters": parameters, "lengths": lengths}
            equations = torsor.derive(arm, quantity, by=name, **kind, effort="none")
            assert equations.by == name
            np.testing.assert_allclose(equations(*given), right, rtol=0, atol=1e-10 * np.abs(right).max())


@pytest.mark.parametrize(
    ("parameters", "lengths"),
    [pytest.param(*kind, marks=[pytest.mark.slow] * (kind not in KINDS[::4])) for kind in KINDS],
)
def test_burdick_coefficients(parameters, lengths):
    """Appendix II, corrected, from every kind of parameters."""
    M, c, b, g = searched("puma560-burdick", "coefficients", parameters, lengths)(np.array(BURDICK["q"]))
    np.testing.assert_allclose(M, BURDICK["M"], rtol=0, atol=1e-9)
    for name, value in BURDICK["c_nonzero"].items():
        assert c[int(name[1]) - 1, int(name[2]) - 1] == pytest.approx(value, abs=1e-9), name
    for name, value in BURDICK["b_nonzero"].items():
        assert b[tuple(int(digit) - 1 for digit in name[1:])] == pytest.approx(value, abs=1e-9), name
    assert np.count_nonzero(np.abs(c) > 1e-12) == len(BURDICK["c_nonzero"])
    np.testing.assert_allclose(g / 9.81, BURDICK["dVdq_over_g"], rtol=0, atol=1e-9)


# At most, from issue 4. The searches are deterministic.
LIMITS = [
    ("puma560-burdick", "inverse_dynamics", 190, 154),
    pytest.param("puma560-burdick", "forward_dynamics", 345, 262, marks=pytest.mark.slow),
    pytest.param("general6r", "inverse_dynamics", 412, 347, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("robot", "quantity", "M", "A"), LIMITS)
def test_counts(robot, quantity, M, A):
    equations = searched(robot, quantity, "base")
    counts = equations.count()
    assert counts.M <= M
    assert counts.A <= A
    assert operations_in_c(equations.to_c()) == (counts.M, counts.A, counts.trig)
    assert operations_in_python(equations.to_python(), list(equations.values)) == (counts.M, counts.A, counts.trig)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", pytest.param("coefficients", marks=pytest.mark.slow)])
def test_counts_of_numeric_equations_in_c(quantity):
    equations = searched("puma560-burdick", quantity, "numeric")
    counts = equations.count()
    assert operations_in_c(equations.to_c()) == (counts.M, counts.A, counts.trig)


def test_operations_of_sources_are_counted_rightly():
    lines = "    const double a = p->K[0] * 2.0;\n    const double t = sin(q[0]) * a - q[1] / -3.0;\n"
    source = f"void f_init(void)\n{{\n    p->K[0] = m * m;\n}}\n\nvoid f(void)\n{{\n{lines}}}\n#ifdef TORSOR_SELFTEST\n"
    assert operations_in_c(source) == (2, 1, 1)
    rows = "q0, q1 = q[..., 0], q[..., 1]", "a = m * 2.0", "y[..., 0] = np.sin(q0) * a - q1 / -3.0", "return y"
    assert operations_in_python("\n    ".join(["def f(q, m):", *rows]), ["m"]) == (2, 1, 1)


@pytest.mark.parametrize("parameters", ["numeric", "symbolic", "base"])
def test_c_passes_its_own_test(parameters, tmp_path):
    equations = torsor.derive(load("scara"), parameters=parameters, effort="normal")
    source = equations.to_c(tmp_path / "scara_id.c")
    assert (tmp_path / "scara_id.c").read_text() == source
    assert '#include "scara_id.h"' in source
    assert (tmp_path / "scara_id.h").exists()
    program = tmp_path / "test"
    flags = ["-std=c99", "-Wall", "-Werror", "-DTORSOR_SELFTEST"]
    subprocess.run(["gcc", *flags, tmp_path / "scara_id.c", "-lm", "-o", program], check=True)
    subprocess.run([program], check=True, capture_output=True)


def test_python_computes_the_same(tmp_path):
    arm = load("scara")
    equations = torsor.derive(arm, parameters="base", effort="normal")
    text = equations.to_python(tmp_path / "scara.py")
    assert text.splitlines()[0] == f"# scara: inverse dynamics by newton-euler, {equations.count()}"
    names: dict[str, object] = {}
    exec((tmp_path / "scara.py").read_text(), names)
    states = random_state(arm.n, 0, (3,))
    found = names["scara_inverse_dynamics"](*states, *equations.values.values())
    np.testing.assert_allclose(found, arm.inverse_dynamics(*states), rtol=0, atol=1e-11)


def test_every_text_says_what_it_is_and_costs():
    equations = torsor.derive(load("planar2"), "mass_matrix", parameters="symbolic", effort="normal")
    for text in (str(equations), equations.to_latex(), equations.to_json(), equations.to_python()):
        assert "planar2" in text
        assert "composite" in text
    for text in (str(equations), equations.to_latex(), equations.to_python()):
        assert str(equations.count()) in text
    assert json.loads(equations.to_json())["counts"]["mul"] == equations.count().mul
    assert repr(equations) == f"<Equations planar2 mass_matrix by composite: {equations.count()}>"


def test_closed_form_is_listed_as_in_the_paper():
    """Constants K, products of sines and cosines T, intermediates V, then M, c, b, g."""
    text = str(searched("puma560-burdick", "coefficients", "symbolic", True))
    names = ("K11", "T1", "V1", "M11", "c122", "b112", "g2")
    places = [re.search(rf"^  {name} += ", text, flags=re.MULTILINE) for name in names]
    assert all(places)
    assert [place.start() for place in places] == sorted(place.start() for place in places)


@pytest.mark.slow
def test_few_joints_in_closed_form_where_that_costs_less():
    """Nobody would print the recursion of a SCARA: its mass matrix has one cosine."""
    scara = torsor.load("scara")
    found = torsor.derive(scara, parameters="base")
    assert found.by == "closed-form"
    assert found.count().total < torsor.derive(scara, parameters="base", by="newton-euler").count().total
    assert torsor.derive(torsor.load("planar2"), parameters="base").by == "newton-euler"
    q, qd, qdd = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 20, 4))
    np.testing.assert_allclose(found(q, qd, qdd), scara.reference.inverse_dynamics(q, qd, qdd), atol=1e-11)


def test_inverse_of_the_jacobian():
    arm = load("puma560")
    q = random_state(6, 1, (20,))[0]
    inverse = torsor.derive(arm, "jacobian_inverse", effort="normal")(q)
    J = arm.jacobian(q)
    error = np.abs(inverse @ J - np.eye(6)).max(axis=(-1, -2))
    assert (error <= 1e-13 * np.linalg.cond(J) ** 2).all()
    with pytest.raises(Unsupported, match=r"'planar2' has 2 joints; only a Jacobian of six joints has an inverse"):
        torsor.derive(load("planar2"), "jacobian-inverse")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quantity": "mass_matrx"}, "there is no quantity 'mass_matrx'; did you mean 'mass_matrix'?"),
        ({"effort": "heigh"}, "there is no effort 'heigh'; did you mean 'high'?"),
        ({"by": "kan"}, "there is no formulation 'kan'; did you mean 'kane'?"),
        ({"parameters": "basic"}, "there are no 'basic' parameters; did you mean 'base'?"),
        ({"by": "articulated"}, "'articulated' does not compute inverse_dynamics; it is computed by newton-euler"),
        ({"quantity": "coefficients", "by": "kane"}, "'kane' does not compute coefficients; they are computed by"),
    ],
)
def test_mistakes_are_named(options, message):
    with pytest.raises(TorsorError) as raised:
        torsor.derive(load("planar2"), **options)
    assert str(raised.value).startswith(message)


def test_friction_reads_as_a_person_writes_it():
    """No gear inside of a sign or an absolute value, no number with all its digits where gears are multiplied."""
    text = str(torsor.derive(load("rl15"), drives=True, effort="quick"))
    assert "sign(qd1)" in text
    assert re.findall(r"(?:sign|abs)\((?:-\w+|[\d.]+\*\w+(?:/\d+)?|\w+/\d+)\)", text) == []
    assert re.findall(r"\d\.\d{13,}", text) == []


def test_an_arm_without_inertia_is_refused(tmp_path):
    file = tmp_path / "hollow.toml"
    file.write_text('name = "hollow"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\na = 1\n')
    arm = torsor.load(file)
    assert torsor.derive(arm, "pose")([0.3]).shape == (4, 4)
    with pytest.raises(TorsorError, match="hollow"):
        torsor.derive(arm)
