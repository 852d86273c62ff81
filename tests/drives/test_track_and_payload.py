"""An arm on a driven track, and parts grasped and released."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from torsor import Arm, load
from torsor.drives import achievable
from torsor.errors import ModelError, ShapeError
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower
from torsor.model import Frame, Joint, Link, Mass
from torsor.model.parts import Drive, Motor

ON_TRACK = 100.0  # motor radians a metre


def on_a_track() -> Arm:
    """PUMA on a carriage that runs along x, with a rack and pinion drive of its own on the base."""
    model = load("puma560").model
    carriage = Link(
        "carriage", -1, Joint("track", "prismatic", axis=np.array([1.0, 0.0, 0.0])), Mass(50.0, np.zeros(3), np.eye(3))
    )
    links = (carriage, *(replace(link, parent=link.parent + 1) for link in model.links))
    drives = [
        replace(d, ratio=np.concatenate([[0.0], d.ratio]), carrier=d.carrier + 1 if d.carrier >= 0 else 0)
        for d in model.drives
    ]
    track = Drive(
        "track motor", np.array([ON_TRACK, *[0.0] * 6]), 0.0, 0.002, -1, np.array([0.0, 1.0, 0.0]), Motor(5.0, 400.0)
    )
    tool = Frame(model.tool.link + 1, model.tool.placement)
    return Arm(replace(model, name="puma-on-track", links=links, tool=tool, drives=(track, *drives)))


def test_a_track_is_a_joint_with_its_own_drive():
    arm, puma = on_a_track(), load("puma560")
    q, qd, qdd = np.random.default_rng(0).uniform(-1.0, 1.0, (3, 5, 7))
    tau = arm.inverse_dynamics(q, qd, qdd, drives=True)
    # an accelerating carriage is a gravity that leans back, and its force is what accelerates all masses
    for k in range(5):
        leaning = np.array([-qdd[k, 0], 0.0, -9.81])
        beyond = puma.inverse_dynamics(q[k, 1:], qd[k, 1:], qdd[k, 1:], gravity=leaning, drives=True)
        assert np.abs(tau[k, 1:] - beyond).max() < 1e-10 * np.abs(beyond).max()
    M = arm.mass_matrix(q, drives=True)
    total = 50.0 + puma.model.total_mass
    assert np.allclose(M[:, 0, 0], total + 0.002 * ON_TRACK**2, rtol=1e-12)
    u = arm.drives.torques(q, qd, qdd, friction=False)
    assert np.allclose(u[:, 0], tau[:, 0] / ON_TRACK, rtol=1e-10)


def test_a_grasped_part_is_part_of_the_last_link():
    arm = load("rl15")
    part = arm.with_payload(8.0, [0.01, -0.02, 0.1], np.diag([0.02, 0.03, 0.04]))
    q, qd, qdd = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 6))
    tool = arm.model.tool.placement
    held = Mass(8.0, np.array([0.01, -0.02, 0.1]), np.diag([0.02, 0.03, 0.04])).moved(tool)
    last = arm.model.links[5]
    assert last.mass is not None
    welded = replace(arm.model, links=(*arm.model.links[:5], replace(last, mass=last.mass + held)))
    right = ReferenceQuantities(lower(welded)).inverse_dynamics(q, qd, qdd)
    assert np.abs(part.inverse_dynamics(q, qd, qdd) - right).max() < 1e-12 * np.abs(right).max()
    released = part.with_payload(0.0)
    assert np.array_equal(released.inverse_dynamics(q, qd, qdd), arm.inverse_dynamics(q, qd, qdd))
    assert part.drives.torques(q, qd, qdd).shape == (6,)


def test_bad_payloads():
    arm = load("planar2")
    with pytest.raises(ModelError, match="the payload: mass -1 kg is negative"):
        arm.with_payload(-1.0)
    with pytest.raises(ShapeError, match=r"com has shape \(2,\)"):
        arm.with_payload(1.0, [0.0, 0.0])


def test_a_plan_may_be_a_function_of_time():
    arm = load("rl15")
    goal = np.array([0.3, -0.2, 0.2, 0.1, 0.1, 0.1])

    def plan(t: float) -> np.ndarray:
        u = min(t / 1.0, 1.0)
        return goal * (10 * u**3 - 15 * u**4 + 6 * u**5)

    sampled = np.array([plan(0.01 * k) for k in range(101)])
    by_function, by_samples = achievable(arm, plan, 0.01, until=1.0), achievable(arm, sampled, 0.01)
    assert np.array_equal(by_function.q, by_samples.q)
    with pytest.raises(ShapeError, match="until is None; a q_desired that is a function needs the time"):
        achievable(arm, plan, 0.01)
    with pytest.raises(ShapeError, match="until is for a q_desired that is a function of time"):
        achievable(arm, sampled, 0.01, until=1.0)
