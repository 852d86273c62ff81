"""One arm, many threads: what they ask at once they get as if each had asked alone, the first compilation included."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import torsor
from torsor import control

THREADS = 6


def together(*calls):
    """All calls at one moment, each in its own thread."""
    start = Barrier(len(calls))

    def run(call):
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.mark.parametrize("name", ["planar3", "fourbar"])
def test_an_arm_asked_for_the_first_time_by_all(own_cache, name: str):
    arm = torsor.load(name)
    q = arm.closure.free_of(arm.closure.reference) if arm.model.loops else np.linspace(0.1, 0.3, arm.n)
    states = q + np.random.default_rng(0).uniform(-0.02, 0.02, (50, arm.n)), *np.ones((2, 50, arm.n))
    found = together(*[lambda: arm.inverse_dynamics(*states)] * THREADS, lambda: arm.mass_matrix(states[0]))
    expected = arm.reference.inverse_dynamics(*states)
    for each in found[:THREADS]:
        np.testing.assert_array_equal(each, found[0])
    np.testing.assert_allclose(found[0], expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found[-1], arm.reference.mass_matrix(states[0]), rtol=1e-9)


def test_derivations_side_by_side_are_those_made_alone():
    names = ["planar2", "planar3", "scara"]

    def text(name: str) -> str:
        return str(torsor.derive(torsor.load(name), effort="normal"))

    alone = [text(name) for name in names]
    assert together(*[lambda name=name: text(name) for name in names * 2]) == alone * 2


def test_simulations_side_by_side_are_those_made_alone():
    arm = torsor.load("planar2")
    gains = [10.0, 20.0, 30.0, 40.0]

    def run(gain: float) -> np.ndarray:
        law = control.pd_gravity(arm, gain, 5.0, [0.3, -0.2])
        return torsor.simulate(arm, law, q0=[0.0, 0.0], until=0.05, dt=1e-3).q

    alone = [run(gain) for gain in gains]
    for one, beside in zip(alone, together(*[lambda gain=gain: run(gain) for gain in gains]), strict=True):
        np.testing.assert_array_equal(one, beside)
