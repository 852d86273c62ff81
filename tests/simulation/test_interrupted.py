"""Ctrl-C keeps what was computed and says how far it got; the signal is a real one."""

import signal

import numpy as np
import pytest

import torsor
from torsor.simulation import SimulationNotice

ARM = torsor.load("planar2")


def pd(t, q, qd):
    return ARM.gravity(q) - 50.0 * q - 20.0 * qd


def python_pd(t, q, qd):
    return pd(t, q, qd) if q[0] < 9.0 else 0.0 * q


def pressed_at(moment):
    def progress(t):
        if t >= moment:
            signal.raise_signal(signal.SIGINT)

    return progress


@pytest.mark.parametrize("integrator", ["rk4", "dormand-prince", "rosenbrock"])
def test_a_run(integrator):
    options = {"q0": [0.5, -0.2], "every": 2, "integrator": integrator}
    with pytest.warns(SimulationNotice, match=r"interrupted at .* s; what was computed is kept"):
        part = torsor.simulate(ARM, pd, until=50.0, progress=pressed_at(0.4), **options)
    assert part.stopped.reason == "interrupted"
    assert 0.4 <= part.time[-1] < 50.0
    assert part.stopped.time == pytest.approx(part.time[-1], rel=1e-12)
    whole = torsor.simulate(ARM, pd, until=float(part.time[-1]), **options)
    np.testing.assert_allclose(part.q, whole.q, rtol=0.0, atol=1e-12)
    assert part.energy.shape == part.time.shape  # what was kept can be asked as any run


def test_a_law_in_python():
    seen = []

    def law(t, q, qd):
        seen.append(t)
        if len(seen) == 2000:
            signal.raise_signal(signal.SIGINT)
        return python_pd(t, q, qd)

    with pytest.warns(SimulationNotice) as told:
        part = torsor.simulate(ARM, law, q0=[0.5, -0.2], until=50.0, integrator="rk4")
    assert ["called from Python" in str(each.message) for each in told] == [True, False]
    assert {each.filename for each in told} == {__file__}  # notices point at the line that simulates
    assert part.stopped.reason == "interrupted"
    assert 0.0 < part.time[-1] <= seen[1999]
    assert np.isfinite(part.q).all()


def test_rollouts():
    with pytest.warns(SimulationNotice) as told:
        runs = torsor.simulate(
            ARM, pd, q0=np.full((400, 2), 0.2), until=1.0, every=100, threads=1, progress=pressed_at(0.1)
        )
    assert "rollouts; the others are NaN" in str(told[0].message)
    assert len(told) == 1  # those that were not computed do not count as diverged
    done = np.isfinite(runs.q).all(axis=(1, 2))
    assert 64 <= done.sum() < 400
    assert runs.stopped.text == f"interrupted after {done.sum()} of 400 rollouts"
    assert not runs.events
