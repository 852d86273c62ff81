"""Closed loops in C: closed forms, and Newton's method with a bounded number of steps and its residual as an output."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import torsor
from c_running import CLibrary, closing_states, proves_itself
from torsor.mechanics.quantities import QUANTITIES

load = cache(torsor.load)
WANTED = ["inverse_dynamics", "gravity", "mass_matrix", "pose"]


def relative(found, right):
    return np.abs(found - right).max() / max(1.0, np.abs(right).max())


@cache
def derived(robot: str):
    return torsor.derive(load(robot), WANTED, effort="normal")


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-12), ("float", 1e-4)])
@pytest.mark.parametrize("robot", ["asea-irb", "five-bar", "slider-crank"])
def test_closed_forms(tmp_path, robot, real, tolerance):
    arm = load(robot)
    library = CLibrary(derived(robot), tmp_path, real=real)
    states = [each.astype(library.kind).astype(float) for each in closing_states(arm, 1000, 0.25)]
    for k, quantity in enumerate(WANTED):
        given = states[: len(QUANTITIES[quantity].states)]
        assert relative(library(k, *given), getattr(arm, quantity)(*given)) < tolerance
    proves_itself(library.files, tmp_path)


def test_a_loop_that_cannot_close_gives_no_number(tmp_path):
    arm = load("asea-irb")
    library = CLibrary(derived("asea-irb"), tmp_path)
    rng = np.random.default_rng(1)
    q = rng.uniform(-3.0, 3.0, (200, arm.n))
    closes = np.isfinite(arm.closure.positions(q)).all(axis=-1)
    assert not closes.all()
    found = library(1, q)
    assert np.isnan(found[~closes]).any(axis=-1).all()
    assert np.isfinite(found[closes]).all()


class WithGuess:
    """A function whose loops Newton's method closes: the guess goes in and comes out."""

    def __init__(self, library: CLibrary, robot: str) -> None:
        self.library, self.arm = library, load(robot)
        self.guess = np.zeros(len(self.arm.closure.guess(self.arm.closure.free_of(self.arm.closure.reference))))
        self.q = np.zeros(self.arm.n)
        library.loaded.torsor_lib_assembled(*(ctypes.c_void_p(a.ctypes.data) for a in (self.q, self.guess)))

    def __call__(self, which: int, *states):
        tape = self.library.equations[which].tape
        outs = [np.zeros(array.shape) for array in tape.outputs]
        gap = np.zeros(1)
        given = [np.ascontiguousarray(state) for state in states]
        function = getattr(self.library.loaded, f"torsor_lib_{self.library.equations[which].quantity}")
        function(*(ctypes.c_void_p(a.ctypes.data) for a in (*given, self.guess, *outs, gap)))
        return outs[0], float(gap[0])


def test_newton_goes_on_from_the_last_cycle(tmp_path):
    """The Delta robot along a motion of large strokes, a cycle at a time; every cycle closes its loops."""
    arm = load("delta")
    library = CLibrary(derived("delta"), tmp_path)
    robot = WithGuess(library, "delta")
    np.testing.assert_allclose(robot.q, arm.closure.free_of(arm.closure.reference), rtol=0, atol=1e-15)
    time = np.arange(1000) * 0.004
    path = robot.q + 0.5 * np.sin(time[:, None] * [2.0, 2.7, 3.1])
    qd, qdd = np.random.default_rng(2).uniform(-1.0, 1.0, (2, 1000, arm.n))
    right = arm.inverse_dynamics(path, qd, qdd)
    found, gaps = zip(*(robot(0, *states) for states in zip(path, qd, qdd, strict=True)), strict=True)
    assert relative(np.array(found), right) < 1e-12
    assert max(gaps) < 1e-12
    np.testing.assert_allclose(robot.guess, arm.closure.guess(path[-1]), rtol=0, atol=1e-12)
    proves_itself(library.files, tmp_path)


def test_what_does_not_close_is_told_by_the_residual(tmp_path):
    library = CLibrary(derived("delta"), tmp_path)
    robot = WithGuess(library, "delta")
    _, gap = robot(3, robot.q)
    assert gap < 1e-12
    _, gap = robot(3, robot.q + np.array([2.5, -2.5, 2.5]))  # the rods do not reach so far
    assert not gap < 1e-3
    assert "Loops are closed by 4 steps of Newton's method" in library.files.header


def test_loops_with_drives(tmp_path):
    """A motor on each free joint of the five-bar, with a rotor and friction."""
    arm = load("five-bar")
    text = Path(torsor.__file__).parent.joinpath("model", "library", "five-bar.toml").read_text()
    for name in arm.joint_names:
        text += f"""
[[drive]]
ratio = {{ {name} = 50 }}
rotor = {{ inertia = 2e-5, carrier = "base", axis = [0, 0, 1] }}
friction = {{ side = "motor", viscous = 1e-4, coulomb = 0.01, load = 0.1 }}
"""
    file = tmp_path / "five.toml"
    file.write_text(text)
    arm = torsor.load(file)
    q, qd, qdd = closing_states(arm, 200, 0.2)
    library = CLibrary(
        torsor.derive(arm, ["inverse_dynamics", "forward_dynamics"], drives=True, effort="normal"), tmp_path
    )
    u = arm.drives.torques(q, qd, qdd)
    assert relative(library(0, q, qd, qdd), u) < 1e-12
    assert relative(library(1, q, qd, u), qdd) < 1e-9
    proves_itself(library.files, tmp_path)
