"""Achievable motion against the oracle's runs of the corrected Algorithm 1, and its promises."""

import json
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.drives import achievable
from torsor.errors import ShapeError, Unsupported

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "rl15.json").read_text())["algorithm1"]
GOAL = np.deg2rad([-115.70, 55.70, 68.70, 0.0, 0.0, 0.0])  # the last listed move of the published program
WRENCH = np.array([-100.0, -100.0, -150.0, 0.0, 0.0, 0.0])  # on the arm; the paper's f_e is the other way round
DT = 0.01


def planned(acceleration: float) -> tuple[np.ndarray, float]:
    """From zero to the goal, all joints by the trapezoid of the slowest: that is joint 1. Positions and duration."""
    limits = torsor.load("rl15").model.links[0].joint.limits
    D, a = abs(GOAL[0]), acceleration * limits.acceleration
    v = min(limits.speed, np.sqrt(D * a))
    T = D / v + v / a
    t = np.minimum(np.arange(int(np.ceil(T / DT)) + 1) * DT, T)
    up, down = 0.5 * a * t**2, D - 0.5 * a * (T - t) ** 2
    s = np.where(t < v / a, up, np.where(t > T - v / a, down, v * t - 0.5 * v * v / a))
    return s[:, None] / D * GOAL, T


def peaks():
    return np.array([drive.motor.torque for drive in torsor.load("rl15").model.drives])


@pytest.mark.parametrize("acceleration", ["1.0", "3.0"])
def test_oracle(acceleration):
    arm, expected = torsor.load("rl15"), ORACLE[f"p0_to_j_acc{acceleration}"]
    plan, T = planned(float(acceleration))
    done = achievable(arm, plan, DT, wrench=WRENCH, equations="as-published", speeds="joints")
    assert (T, len(done.time)) == (pytest.approx(expected["planned_T"], rel=1e-12), expected["n_cycles"])
    assert done.limited.sum(axis=0).tolist() == expected["sat_cycles"]
    np.testing.assert_allclose(np.abs(done.asked / peaks()).max(axis=0), expected["max_req_over_Mmax"], rtol=1e-7)
    np.testing.assert_allclose(np.abs(done.reached / peaks()).max(axis=0), expected["max_after_over_Mmax"], rtol=1e-7)
    # the oracle does not clamp speeds a second time: 3.5e-6 above the limit, which moves the end by 2e-5 degrees
    speeds = np.abs(done.qd).max(axis=0) / [link.joint.limits.speed for link in arm.model.links]
    np.testing.assert_allclose(speeds, expected["max_qd_over_vmax"], rtol=1e-9, atol=4e-6)
    np.testing.assert_allclose(-np.rad2deg(done.lag[-1]), expected["final_lag_deg"], rtol=0, atol=3e-5)


@pytest.mark.parametrize("acceleration", [1.0, 2.0, 3.0, 5.0])
@pytest.mark.parametrize("catch_up", [False, True])
def test_never_above_the_limits(acceleration, catch_up):
    arm = torsor.load("rl15")
    done = achievable(arm, planned(acceleration)[0], DT, wrench=WRENCH, catch_up=catch_up)
    assert (np.abs(done.reached) <= peaks() * (1 + 1e-9)).all()
    assert (np.abs(done.qd) <= arm.drives.joint_speed_limits() * (1 + 1e-12)).all()
    speeds = np.array([drive.motor.speed for drive in arm.model.drives])
    assert (np.abs(arm.drives.rates(done.q, done.qd)) <= speeds * (1 + 1e-11)).all()
    assert done.limited.any() == (acceleration > 2.0 or (acceleration > 1.0 and catch_up))
    assert done.feasible == (acceleration == 1.0)
    np.testing.assert_allclose(done.q, np.cumsum(done.qd, axis=0) * DT, atol=1e-12)


@pytest.mark.parametrize("catch_up", [False, True])
def test_never_above_the_limits_however_hard_the_plan(catch_up):
    """Moves of all axes at up to ten times what the arm can do, with forces at the tool."""
    arm = torsor.load("rl15")
    speeds = np.array([drive.motor.speed for drive in arm.model.drives])
    rng = np.random.default_rng(0)
    for _ in range(60):
        start, end = rng.uniform(-1.5, 1.5, (2, 6))
        s = 0.5 - 0.5 * np.cos(np.pi * np.linspace(0.0, 1.0, rng.integers(30, 200)))
        wrench = np.append(rng.uniform(-200.0, 200.0, 3), np.zeros(3))
        done = achievable(arm, start + s[:, None] * (end - start), DT, wrench=wrench, catch_up=catch_up)
        assert (np.abs(done.reached) <= peaks() * (1 + 1e-9)).all()
        assert (np.abs(done.qd) <= arm.drives.joint_speed_limits() * (1 + 1e-12)).all()
        assert (np.abs(arm.drives.rates(done.q, done.qd)) <= speeds * (1 + 1e-11)).all()


def test_reached_torques_reach_what_they_say():
    """Limited cycles against the friction and dynamics asked for again, cycle by cycle."""
    arm = torsor.load("rl15")
    done = achievable(arm, planned(3.0)[0], DT, wrench=WRENCH)
    before = np.vstack([np.zeros(6), done.qd[:-1]])
    q = np.vstack([np.zeros(6), done.q[:-1]])
    k = np.flatnonzero(done.limited.any(axis=1) & (np.abs(before) > 0.05).any(axis=1))
    ideal = arm.drives.torques(q, before, done.qdd, wrench=WRENCH, friction=False)
    links = ideal - np.array([d.rotor_inertia for d in arm.model.drives]) * arm.drives.rates(q, done.qdd)
    law = [d.friction for d in arm.model.drives]
    rates = arm.drives.rates(q, done.qd)
    friction = [f.load for f in law] * np.abs(links) * np.sign(rates) + [f.viscous for f in law] * rates
    moving = np.sign(rates) == np.sign(arm.drives.rates(q, before))
    assert moving[k][:, [0, 2]].mean() > 0.8
    found = np.where(moving, done.reached - ideal - friction, 0.0)[k]
    assert np.abs(found[:, [0, 1, 2]]).max() < 1e-2  # rotors see their carriers turn, to 1 part in the gear ratio


def test_staying_on_the_path_takes_longer():
    arm = torsor.load("rl15")
    plan, T = planned(3.0)
    done = achievable(arm, plan, DT, wrench=WRENCH, keep="path")
    assert done.unhindered
    assert done.stretch == pytest.approx(done.time[-1] / T, rel=0.02)
    assert 1.05 < done.stretch < 1.6
    assert np.abs(done.lag).max() < 1e-9
    assert achievable(arm, planned(1.0)[0], DT, keep="path").stretch == 1.0


def test_as_printed_it_diverges():
    arm = torsor.load("rl15")
    printed = achievable(arm, planned(3.0)[0], DT, wrench=WRENCH, variant="as-published")
    corrected = achievable(arm, planned(3.0)[0], DT, wrench=WRENCH)
    with np.errstate(invalid="ignore"):
        assert not (np.abs(printed.reached[:40]) <= 3.0 * peaks()).all()
    assert np.isfinite(corrected.q).all()
    assert not np.isfinite(printed.q[-1]).all() or np.abs(printed.lag[-1]).max() > 1.0
    # as long as no motor saturates they are the same
    same = achievable(arm, planned(1.0)[0], DT, wrench=WRENCH, variant="as-published")
    np.testing.assert_allclose(same.q, achievable(arm, planned(1.0)[0], DT, wrench=WRENCH).q, atol=1e-12)


def test_a_minute_of_milliseconds():
    arm = torsor.load("rl15")
    plan = GOAL * (0.5 - 0.5 * np.cos(2.0 * np.arange(60_001) * 1e-3))[:, None]
    done = achievable(arm, plan, 1e-3)
    assert len(done.time) == 60_000
    assert np.isfinite(done.q).all()


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "text"),
    [
        ((np.zeros((3, 5)), DT), {}, ShapeError, "q_desired has shape (3, 5)"),
        ((np.zeros((1, 6)), DT), {}, ShapeError, "positions a cycle apart"),
        ((np.zeros((3, 6)), -DT), {}, ShapeError, "dt is -0.01"),
        ((np.zeros((3, 6)), DT), {"keep": "tempo"}, Unsupported, "there is no keep 'tempo'"),
        ((np.zeros((3, 6)), DT), {"wrench": np.zeros(3)}, ShapeError, "wrench has shape (3,)"),
    ],
)
def test_refusals(arguments, options, kind, text):
    with pytest.raises(kind) as error:
        achievable(torsor.load("rl15"), *arguments, **options)
    assert text in str(error.value)


def test_motors_without_limits_are_refused():
    with pytest.raises(Unsupported, match="no motor of 'puma560-akb' has a limit"):
        achievable(torsor.load("puma560-akb"), np.zeros((3, 6)), DT)
