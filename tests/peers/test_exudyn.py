"""Exudyn: elastic links in large motion, by absolute nodal coordinates, a method that shares nothing with modes.

Two links that torques swing, the rod of a slider-crank, and the beam of Simo and Vu-Quoc that is spun up. Differences
are in metres.
"""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from elastic_arms import cranked, from_chord, slider_crank
from torsor.algebra import less, select
from torsor.bench.elastic_rows import SPIN, TORQUES, spun_beam
from torsor.bench.peers_exudyn import ExudynSteps, elastic_rod, spin_angle, spun_up, two_links
from torsor.elastic import follow
from torsor.model.armfile import parse_arm_file


@pytest.mark.parametrize(("modes", "within"), [(2, 1e-4), (3, 1e-4)])
def test_two_links_swing(table, modes: int, within: float):
    model = torsor.load("elastic-arm2").model
    links = tuple(replace(link, beam=replace(link.beam, modes=modes)) for link in model.links)
    arm = torsor.Arm(replace(model, links=links))

    def law(t, q, qd):
        return TORQUES * (np.sin(2.0 * np.pi * t) * select(less(t, 1.0), 1.0, 0.0))

    run = torsor.simulate(
        arm, law, q0=[0.0, 0.0], until=2.0, dt=2.5e-4, every=200, integrator="rk4", elastic=True, drives=False
    )
    steps = ExudynSteps(8, 5e-4)
    of = {"EI": 37.8, "EA": 1.26e6, "per_length": 0.486, "tip_mass": 0.5, "torques": TORQUES.tolist()}
    time, tip = two_links(steps, 2.0, **of).run()
    np.testing.assert_allclose(time, run.time, atol=1e-9)
    ours = arm.elastic.pose(np.concatenate([run.q, run.eta], axis=1))[:, :2, 3]
    off = float(np.abs(ours - tip).max())
    table.note("exudyn", f"tip of two links of {modes} modes that swing for 2 s, m", len(time), off, within=within)


@pytest.mark.parametrize("fidelity", [1, 2])
def test_a_rod_of_a_slider_crank_bends(table, tmp_path, fidelity: int):
    t, *told = cranked(dt := 2e-4)
    ours = from_chord(follow(slider_crank(tmp_path).elastic, t, *told, fidelity, modes=9))
    of = {"EI": 13.36, "EA": 5.937e6, "per_length": 0.2219, "speed": 50.0, "rise": 0.5}
    steps = ExudynSteps(8, 1e-4, tolerance=1e-5, every=1e-3, dense=False)
    time, start, middle, end = elastic_rod(steps, 0.65, crank=0.1, length=0.3, **of).run()
    chord = (end - start) / np.linalg.norm(end - start, axis=1)[:, None]
    away = middle - 0.5 * (start + end)
    theirs = chord[:, 0] * away[:, 1] - chord[:, 1] * away[:, 0]
    off = float(np.abs(ours[np.round(time / dt).astype(int)] - theirs).max())
    what = f"middle of the rod of a slider-crank from its chord, fidelity {fidelity}, m"
    table.note("exudyn", what, len(time), off, within=5e-7)


def test_a_beam_is_spun_up(table):
    arm, dt = torsor.Arm(parse_arm_file(spun_beam())).elastic, 5e-3
    t = np.linspace(0.0, 20.0, 4001)
    W, T = SPIN["speed"], SPIN["rise"]
    s = 2.0 * np.pi * t / T
    qd = np.where(t < T, W / T * (t - T / (2.0 * np.pi) * np.sin(s)), W)
    qdd = np.where(t < T, W / T * (1.0 - np.cos(s)), 0.0)
    swing = follow(arm, t, spin_angle(t, W, T)[:, None], qd[:, None], qdd[:, None], 2)
    time, tip = spun_up(ExudynSteps(16, 2.5e-3, tolerance=1e-4, every=0.1, dense=False), 20.0, **SPIN).run()
    at = np.round(time / dt).astype(int)
    ours = arm.pose(np.concatenate([swing.q, swing.e], axis=1)[at])[:, :2, 3]
    off = float(np.abs(ours - tip).max())
    table.note("exudyn", "tip of the beam of Simo and Vu-Quoc, spun up in 20 s, m", len(time), off, within=2e-3)
