"""The trainers of pilots that the paper on mRNEA names, by stand-ins: what it says of its toy model holds of them."""

import numpy as np
import pytest

from torsor import load, scenarios
from torsor.shipped import shipped


@pytest.fixture(scope="module")
def trained():
    return scenarios.read(shipped("scenarios/sdt4_training.toml")).run()


def test_both_algorithms_alike(trained):
    """Figure A3 (a): torques by RNEA and by mRNEA."""
    arm, states = load("sdt4"), (trained.q, trained.qd, trained.qdd)
    first, second = (arm.inverse_dynamics(*states, by=by) for by in ("newton-euler", "mrnea"))
    np.testing.assert_allclose(first, second, atol=1e-12 * np.abs(first).max())
    np.testing.assert_allclose(first, trained.tau, atol=1e-9 * np.abs(first).max())


def test_accelerations_come_back(trained):
    """Figure A3 (b): (34) solved for the accelerations gives those that were put in."""
    arm = load("sdt4")
    tau = arm.inverse_dynamics(trained.q, trained.qd, trained.qdd)
    back = arm.forward_dynamics(trained.q, trained.qd, tau, by="mrnea")
    np.testing.assert_allclose(back, trained.qdd, atol=1e-10)


def test_the_centrifuge_reaches_its_load():
    """While it is held the pilot feels 3 g, along the spine."""
    arm = load(shipped("robots/centrifuge3.toml"))
    run = scenarios.read(shipped("scenarios/centrifuge_training.toml")).run()
    held = (run.time > 8.0) & (run.time < 12.5)
    q, qd, qdd = run.q[held], run.qd[held], run.qdd[held]
    a = (arm.jacobian(q) @ qdd[..., None])[:, :3, 0] + arm.jacobian_dot_qd(q, qd)[:, :3]
    felt = a + np.array([0.0, 0.0, 9.81])
    in_seat = np.einsum("kji,kj->ki", arm.pose(q)[:, :3, :3], felt)
    np.testing.assert_allclose(in_seat[:, 0], 3 * 9.81, rtol=1e-3)  # x of the gondola is up
    assert np.abs(in_seat[:, 1:]).max() < 0.01 * 9.81
    assert np.linalg.norm(felt, axis=1).max() < 3.01 * 9.81
