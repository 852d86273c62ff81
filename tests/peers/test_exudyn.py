"""Exudyn: elastic links in large motion, by absolute nodal coordinates, a method that shares nothing with modes.

Two links that torques swing, and the beam of Simo and Vu-Quoc that is spun up. Differences are in metres.
"""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.algebra import less, select
from torsor.bench.elastic_rows import SPIN, TORQUES, spun_beam
from torsor.bench.peers_exudyn import ExudynSteps, spin_angle, spun_up, two_links
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
