"""Two verdicts and two runs on one page: both arms, both curves, and what differs."""

from pathlib import Path

import numpy as np
import pytest

import torsor

PROGRAMS = Path(__file__).parent.parent.parent / "examples" / "programs"

CURVES = """
    const group = torsor.plots.groups.find(({ key }) => key === arguments[0]), panel = group.panels[arguments[1]];
    const curves = await torsor.plots.of(panel);
    const plain = (curve) => [...curve].map((value) => (isNaN(value) ? null : value));
    return [panel.series.map(({ label }) => label), plain(torsor.plots.time), ...curves.map(plain)];
"""


def curves(page, key, k):
    labels, time, *found = page.run_async(CURVES, key, k)
    return labels, np.array(time), [np.array(curve, dtype=float) for curve in found]


def test_two_verdicts(see, tmp_path):
    fast, slow = (
        torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", payload=mass, speed=speed)
        for mass, speed in ((5.0, 1.0), (10.0, 0.8))
    )
    fast.report(tmp_path / "both.html", compare=slow)
    page = see(tmp_path / "both.html")
    words = page.run("return [...document.querySelectorAll('main table')][0].innerText")
    for said in ("5 kg", "10 kg", f"{fast.time:.4g}", f"{slow.time:.4g}", f"{fast.energy:.4g}", f"{slow.energy:.4g}"):
        assert said in words
    assert page.run("return torsor.clock.end") == pytest.approx(max(fast.time, slow.time))
    for key, signal in (("position", "q"), ("speed", "qd")):
        labels, time, both = curves(page, key, 1)
        assert labels == ["5 kg", "10 kg"]
        for curve, verdict in zip(both, (fast, slow), strict=True):
            known = np.isfinite(curve)
            assert time[known][-1] == pytest.approx(verdict.time, abs=0.02)
            wanted = np.interp(time[known], verdict.signals.time, np.rad2deg(getattr(verdict.signals, signal)[:, 1]))
            np.testing.assert_allclose(curve[known], wanted, atol=2e-3 * np.ptp(wanted))
    # the ghost is the other arm, at the same time
    t = 0.5 * slow.time
    page.run("torsor.setTime(arguments[0])", t)
    ghosts = page.run("return torsor.view.shadow_.children.map((link) => link.matrix.clone().transpose().toArray())")
    q = [np.interp(t, slow.signals.time, column) for column in slow.signals.q.T]
    for link, T in zip(slow.machine.model.links, ghosts, strict=True):
        np.testing.assert_allclose(np.reshape(T, (4, 4)), slow.machine.arm.pose(q, frame=link.name), atol=5e-3)


def test_two_runs(see, tmp_path):
    arm = torsor.load("planar2")
    runs = [torsor.simulate(arm, [u, 0.0], q0=[0.4, -0.2], until=until) for u, until in ((0.0, 0.5), (2.0, 0.7))]
    runs[0].report(tmp_path / "runs.html", compare=runs[1])
    page = see(tmp_path / "runs.html")
    _, time, both = curves(page, "torques", 0)
    for curve, run in zip(both, runs, strict=True):
        known = np.isfinite(curve)
        np.testing.assert_allclose(curve[known], np.interp(time[known], run.time, run.tau[:, 0]), atol=1e-3)
    page.run("torsor.setTime(0.6)")  # the first has ended, the second goes on
    np.testing.assert_allclose(page.q(), runs[0].q[-1], atol=1e-4)
    assert page.run("return torsor.view.shadow_.visible")
