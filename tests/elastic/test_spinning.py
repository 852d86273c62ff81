"""Beams that spin: stiffened by what pulls them outward, against closed forms and against Exudyn."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
from scipy.integrate import solve_ivp

import torsor
from torsor.algebra import jacobian, symbols
from torsor.elastic.elastic_newton_euler import residual
from torsor.emit import Page

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "elastic.json").read_text())


def spinning(path, length, E, area, Iy, Iz, rho, *, modes, elements=16):
    path.write_text(
        f"""
name = "spinning"
frames = "placements"
gravity = [0, 0, 0]
[[link]]
name = "blade"
joint = "revolute"
axis = [0, 0, 1]
[link.beam]
to = "tool"
section = {{ area = {area}, Iy = {Iy}, Iz = {Iz}, J = {Iy + Iz} }}
up = [0, 0, 1]
material = {{ E = {E}, nu = 0.4, rho = {rho} }}
rotary = false
elements = {elements}
modes = {modes}
damping = 0
mass = "instead"
[tool]
link = "blade"
position = [{length}, 0, 0]
"""
    )
    return torsor.load(path).elastic


def test_spin_up(tmp_path):
    """Simo and Vu-Quoc: without the shortening of the bent beam it would run away to -1.5 m."""
    given = ORACLE["spin_up_simo_vu_quoc"]
    i = given["inputs"]
    area = i["rhoA"] / 1000.0
    E = i["EA"] / area
    I = i["EI"] / E
    arm = spinning(tmp_path / "arm.toml", i["L"], E, area, 400.0 * I, I, 1000.0, modes=4)
    W, T = 6.0, 15.0

    def law(t):
        if t >= T:
            return W * t - W * T / 2, W, 0.0
        s = 2.0 * np.pi * t / T
        return (
            W / T * (t * t / 2 + (T / 2 / np.pi) ** 2 * (np.cos(s) - 1)),
            W / T * (t - T / 2 / np.pi * np.sin(s)),
            W / T * (1 - np.cos(s)),
        )

    def rates(t, y):
        q, qd, qdd = law(t)
        modes, _ = arm.driven(np.concatenate([[q], y[:4]]), np.concatenate([[qd], y[4:]]), [qdd])
        return np.concatenate([y[4:], modes])

    times = [5.0, 7.5, 10.0, 15.0]
    found = solve_ivp(rates, [0.0, 15.0], np.zeros(8), rtol=1e-7, atol=1e-9, t_eval=times, method="DOP853")
    for t, y in zip(times, found.y.T, strict=True):
        tip = arm.pose(np.concatenate([[0.0], y[:4]]))[:3, 3]
        assert tip[1] == pytest.approx(given["tip_deflection_y_in_rotating_axes"][f"{t:g}"], abs=2e-3)


@pytest.mark.parametrize("speed", ["0", "2", "6"])
def test_a_beam_that_spins_is_stiffer(tmp_path, speed):
    """Flap, out of the plane of rotation, from the literature; lag, in the plane: its square is less by the speed's."""
    given = ORACLE["rotating_cantilever"]["flap"][speed]
    arm = spinning(tmp_path / "arm.toml", 1.0, 1e9, 1e-3, 1e-9, 1e-9, 1e3, modes=16, elements=24)
    tree = arm.moving
    w = float(speed) * np.sqrt(1e9 * 1e-9 / (1e3 * 1e-3))
    x, xd, xdd = (symbols(name, tree.size) for name in ("x", "xd", "xdd"))
    rows = (residual(tree, x, xd, xdd, np.zeros(3)) + x @ tree.K)[tree.n :]
    slopes = {"K": jacobian(rows, x[tree.n :]), "M": jacobian(rows, xdd[tree.n :])}
    page = Page("spinning", {"x": x, "xd": xd, "xdd": xdd}, lambda *_: slopes, None)
    still, spin = np.zeros(tree.size), np.eye(tree.size)[0] * w
    K, M = page(still, spin, still)
    bending = tree.flexible[0].S[0] == 0.0  # those that stretch are left out, as the closed form has it
    squares = scipy.linalg.eigvals(K[np.ix_(bending, bending)], M[np.ix_(bending, bending)]).real
    found = np.sort(np.sqrt(np.abs(squares)))
    for right in given:
        assert np.abs(found / right - 1.0).min() < 1e-4  # flap
        lag = np.sqrt(right**2 - w**2)
        assert np.abs(found / lag - 1.0).min() < 1e-4
