"""Motions that joints are told, with what bends: two fidelities, each of its order, and what they tend to."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.elastic.swinging import follow
from torsor.errors import ShapeError, TorsorError

HOME = np.array([0.3, -0.9])
SWING = np.array([0.5, -0.4])


def motion(until, dt, swing=SWING, period=2.0):
    """Out and back, from rest, smooth to the third derivative."""
    t = np.arange(0.0, until + 0.5 * dt, dt)
    w = np.pi / period
    s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
    return (
        t,
        HOME + swing * s**4,
        swing * 4.0 * w * s**3 * c,
        swing * 4.0 * w**2 * (3.0 * s**2 * c**2 - s**4),
    )


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    """Two elastic links and springs in their joints, in a field of gravity along y."""
    library = Path(torsor.__file__).parent / "model" / "library"
    text = (library / "elastic-arm2.toml").read_text()
    text = text.replace("gravity = [0, 0, 0]", "gravity = [0, -1.5, 0]")
    text = text.replace("damping = 0", "damping = 0.01")
    assert text.count("[link.beam]") == 2
    assert "-1.5" in text
    text = text.replace("[link.beam]", "[link.compliance]\nstiffness = 300\ndamping = 0.2\n[link.beam]")
    path = tmp_path_factory.mktemp("arm") / "arm.toml"
    path.write_text(text)
    return torsor.load(path).elastic


def weightless(arm):
    return torsor.Arm(replace(arm.model, gravity=np.zeros(3))).elastic


def test_without_motion_it_hangs(arm):
    for fidelity in (1, 2):
        found = follow(arm, *motion(0.2, 1e-3, swing=0.0 * SWING), fidelity=fidelity)
        np.testing.assert_allclose(found.e, found.e[:1] + 0.0 * found.e, atol=1e-9 * np.abs(found.e).max())
    assert follow(arm, *motion(0.01, 1e-3, swing=0.0 * SWING)).deviation.max() < 1e-12
    # three modes, not all shapes, and weight makes it softer: as far as they go
    np.testing.assert_allclose(found.tip[0, :3], arm.deflection(HOME).tool[:3], rtol=3e-2, atol=1e-4)


def test_the_linear_one_is_of_second_order(arm):
    tips = [follow(arm, *motion(0.4, dt)).tip[:: round(4e-3 / dt), :3] for dt in (4e-3, 2e-3, 1e-3, 5e-4)]
    errors = [np.abs(tip - tips[-1]).max() for tip in tips[:-1]]
    assert np.log2(errors[1] / errors[2]) > 1.8  # 4 h^2 against 1 h^2, less that of the finest: 2.3


@pytest.mark.slow
def test_both_agree_as_amplitudes_shrink(arm):
    """Their difference is of second order in what bends: half of a motion bends half, and leaves a quarter of it."""
    still = follow(arm, *motion(0.01, 1e-3, swing=0.0 * SWING))
    apart = []
    for share in (0.2, 0.1, 0.05):
        given = motion(1.0, 2.5e-4, swing=share * SWING, period=1.0)
        one, two = (follow(weightless(arm), *given, fidelity=fidelity) for fidelity in (1, 2))
        apart.append(np.abs(one.e - two.e).max())
        assert apart[-1] < 0.1 * np.abs(two.e).max()
    rates = np.log2(np.array(apart[:-1]) / apart[1:])
    assert (rates > 1.7).all()
    assert still.strain_energy[0] > 0.0


@pytest.mark.slow
def test_both_agree_on_an_arm_of_six_joints():
    elastic = torsor.Arm(replace(torsor.load("ur5-elastic").model, gravity=np.zeros(3))).elastic
    start, way = np.array([0.3, -0.9, 1.2, -0.4, 0.5, 0.2]), np.array([0.5, -0.4, 0.3, 0.5, -0.6, 0.4])
    apart = []
    for share in (0.8, 0.4, 0.2):
        t, q, qd, qdd = motion(0.4, 1e-4, swing=SWING, period=0.4)
        given = [
            share * (part[:, :1] - offset) / SWING[0] * way for part, offset in ((q, HOME[0]), (qd, 0.0), (qdd, 0.0))
        ]
        one, two = (follow(elastic, t, start + given[0], *given[1:], fidelity=fidelity) for fidelity in (1, 2))
        apart.append(np.abs(one.e - two.e).max())
    assert (np.log2(np.array(apart[:-1]) / apart[1:]) > 1.7).all()


def test_work_is_what_energy_there_is(arm):
    """Of the coupled motion: torques times rates are what all energy together changes by, and what damping takes."""
    given = motion(1.0, 2e-4, swing=0.2 * SWING, period=1.0)
    found = follow(arm, *given, fidelity=2)
    tree = arm.tree
    from torsor.elastic.elastic_composite import driven, mass_matrix

    t, q, qd, qdd = given
    x, xd = np.concatenate([q, found.e], axis=1), np.concatenate([qd, found.ed], axis=1)
    still = np.zeros(3)
    _, torques = driven(tree, x, xd, qdd, tree.tree.gravity)
    _, weightless = driven(tree, x, xd, qdd, still)
    M = mass_matrix(tree, x)
    energy = 0.5 * np.einsum("ti,tij,tj->t", xd, M, xd) + 0.5 * np.einsum("ti,ij,tj->t", x, tree.K, x)
    lost = np.einsum("ti,ij,tj->t", xd, tree.D, xd)
    assert np.isfinite(weightless).all()
    from torsor.elastic.elastic_newton_euler import residual

    lifted = np.einsum("ti,ti->t", xd, residual(tree, x, 0.0 * x, 0.0 * x, tree.tree.gravity))
    power = np.einsum("ti,ti->t", torques, qd) - lost - lifted
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    np.testing.assert_allclose(energy - energy[0], work, atol=2e-5 * np.abs(energy - energy[0]).max())


def test_bad_motions(arm):
    t, q, qd, qdd = motion(0.01, 1e-3)
    with pytest.raises(ShapeError, match="equal steps"):
        follow(arm, t**2, q, qd, qdd)
    with pytest.raises(TorsorError, match="not finite"):
        follow(arm, t, q * np.nan, qd, qdd)
