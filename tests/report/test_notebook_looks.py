"""What a notebook shows: figures that are pictures, tables of runs, laws, drives, branches, equations that are set."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import torsor
from torsor.control import linearise, loop_gain, pd_gravity
from torsor.report.notebook_looks import captioned

PNG = b"\x89PNG\r\n\x1a\n"


@cache
def run_of_planar2():
    arm = torsor.load("planar2")
    law = pd_gravity(arm, 50.0, 20.0, [0.2, -0.1])
    return law, torsor.simulate(arm, law, q0=[0.5, -0.2], until=0.5, dt=5e-3, limits="ignore", integrator="rk4")


def test_a_plot_shows_itself_with_goal_and_limits():
    _, run = run_of_planar2()
    figure = run.plot()
    assert figure._repr_png_().startswith(PNG)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels[0].startswith("position")
    assert "error" in labels[1]  # the law says what it follows
    dotted = [line for line in figure.axes[0].lines if line.get_linestyle() == ":" or line.is_dashed()]
    assert len(dotted) >= 2


def test_asked_and_given_where_a_motor_saturates():
    arm = torsor.load("rl15")
    weak = np.array([drive.motor.torque for drive in arm.model.drives])
    run = torsor.simulate(arm, 3.0 * weak, q0=np.zeros(6), until=0.02, dt=1e-3, limits="ignore", integrator="rk4")
    assert run.saturated.any(axis=0).all()
    torque = run.plot().axes[-1]
    drawn = [line.get_ydata() for line in torque.lines if len(line.get_xdata()) == len(run.time)]
    assert any(np.array_equal(line, run.asked[:, 0]) for line in drawn)
    assert any(np.array_equal(line, run.tau[:, 0]) for line in drawn)


def test_tables_of_runs_laws_drives_and_branches():
    law, run = run_of_planar2()
    shown = run._repr_html_()
    assert "<th>joint</th>" in shown
    assert "<td>joint2</td>" in shown
    assert "<td>Kp</td><td>diagonal 50 50</td>" in law._repr_html_()
    drives = torsor.load("rl15").drives._repr_html_()
    assert "120 joint1" in drives
    assert drives.count("<tr>") == 7
    arm = torsor.load("puma560")
    branches = arm.inverse_kinematics(arm.pose([0.1, 0.8, -0.6, 0.4, 0.5, -0.6]))
    assert branches._repr_html_().count("<tr>") == 9
    assert repr(branches).startswith("<Branches 8: ")


def test_bode_is_drawn():
    law, _ = run_of_planar2()
    bode = loop_gain(linearise(law.arm, law, [0.2, -0.1]), 0, np.geomspace(0.1, 100.0, 60))
    assert re.fullmatch(r"<Bode crossover [\d.]+ rad/s, phase margin [\d.]+ deg>", repr(bode))
    assert "phase margin" in bode._repr_html_()
    assert bode.plot()._repr_png_().startswith(PNG)


def test_equations_are_set_by_mathjax():
    text = torsor.derive(torsor.load("planar2"), "mass_matrix", parameters="symbolic", effort="normal")._repr_latex_()
    assert r"\begin{align" in text
    assert "M_{11} &=" in text
    for unknown in (r"\noindent", r"\subsection", r"\paragraph", r"\documentclass"):
        assert unknown not in text


def test_what_comes_from_files_is_escaped():
    assert "<script>" not in captioned("<script>", ["<b>"], [["</td><script>"]])


@pytest.mark.parametrize("rollouts", [True])
def test_rollouts_stay_text(rollouts):
    arm = torsor.load("planar2")
    many = torsor.simulate(arm, [0.0, 0.0], q0=np.zeros((2, 2)), until=0.01, dt=1e-3, limits="ignore", integrator="rk4")
    assert many._repr_html_().startswith("&lt;Run 2 rollouts")
