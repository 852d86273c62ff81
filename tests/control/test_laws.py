"""Every law does what its proof says, on arms stepped in time; traced and on floats it is the same function."""

import json
from pathlib import Path

import numpy as np
import pytest
from closed_loop import largest_rise, roll
from every_law import arm_with_motors, made, moving
from scipy.linalg import expm

import torsor
from torsor import control
from torsor.algebra import symbols, tape_from
from torsor.control import reference
from torsor.control.gains import form
from torsor.control.law import laws, shaped
from torsor.control.uncertainty import Uncertainty

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "irb140.json").read_text())
KP, KD = np.array([50.0] * 5 + [60.0]), np.array([20.0] * 5 + [22.0])  # Fedorov (5.30), (5.31)


def same_traced_on_floats_and_on_many_states(law):
    rng = np.random.default_rng(0)
    n, k = law.n, law.states
    q, qd = rng.uniform(-1.0, 1.0, size=(2, 4, n))
    x = np.array([law.initial_state(*row) for row in zip(q, qd, strict=True)]) + 0.1 * rng.standard_normal((4, k))
    t, Q, QD, X = symbols("t", 1), symbols("q", n), symbols("qd", n), symbols("x", max(k, 1))
    tau, rates = law.torque_and_rates(t[0], Q, QD, X[:k])
    outputs = {"tau": np.asarray(tau, dtype=object)} | ({"rates": rates} if k else {})
    tape = tape_from("law", {"t": t, "q": Q, "qd": QD, "x": X}, outputs)
    traced = tape.evaluate([0.7], q, qd, x if k else [0.0])
    together = law(0.7, q, qd, x) if k else (law(0.7, q, qd),)
    one = law(0.7, q[2], qd[2], x[2]) if k else (law(0.7, q[2], qd[2]),)
    for a, b, c in zip(traced, together, one, strict=True):
        scale = np.abs(b).max()
        assert np.abs(a - b).max() <= 1e-11 * scale
        assert np.abs(b[2] - c).max() <= 1e-11 * scale


@pytest.mark.parametrize("name", laws())
def test_every_law_is_the_same_traced_on_floats_and_on_many_states(name):
    same_traced_on_floats_and_on_many_states(made(laws()[name], arm_with_motors()))


@pytest.mark.parametrize("name", [name for name, law in laws().items() if "rotation" in law.fields])
def test_so_are_laws_that_keep_a_rotation(irb140, name):
    R = irb140.pose(np.full(6, 0.4))[:3, :3]
    same_traced_on_floats_and_on_many_states(made(laws()[name], irb140, rotation=R))


@pytest.mark.parametrize("name", ["irb140", "scara"])
def test_shaped_torques_are_those_of_the_christoffel_matrix(name):
    arm = torsor.load(name)
    q, qd, v, a = np.random.default_rng(1).uniform(-1.0, 1.0, size=(4, 10, arm.n))
    want = (arm.mass_matrix(q) @ a[..., None] + arm.coriolis_matrix(q, qd) @ v[..., None])[..., 0] + arm.gravity(q)
    scale = np.abs(want).max()
    assert np.abs(shaped(arm.inverse_dynamics, q, v, a, qd) - want).max() <= 1e-12 * scale
    assert np.abs(shaped(arm.regressor, q, v, a, qd) @ arm.parameters - want).max() <= 1e-11 * scale


def test_pd_gravity_does_what_the_thesis_simulated_and_v_never_rises(irb140):
    case = ORACLE["sim"]["closed_1"]
    law = control.pd_gravity(irb140, KP, KD, case["q_ref"])
    run = roll(irb140, law, case["q_init"], until=1.0, dt=1e-4)  # the fastest pole allows 1.2e-4
    assert np.abs(run.q[-1] - case["q_at_1s"]).max() < 1e-4
    assert np.abs(run.q[5000] - case["q_at_0p5s"]).max() < 1e-4
    assert np.abs(run.qd[5000] - case["qd_at_0p5s"]).max() < 1e-4
    V = control.lyapunov_along(law, run)
    assert largest_rise(V) <= 0.0
    # and it falls by exactly what is dissipated: Vd = -qd^T Kd qd
    lost = (run.qd**2 * KD).sum(axis=-1)
    assert V[0] - V[-1] == pytest.approx(np.trapezoid(lost, run.time), rel=1e-3)


def test_printed_sign_of_5_19_diverges(irb140):
    """tau = -Kp (q_ref - q) - Kd qd + g, as printed: the errata are right that it cannot be meant."""
    q = np.full(6, 0.1)
    law = control.pd_gravity(irb140, KP, KD, np.zeros(6))
    right = irb140.forward_dynamics(q, 0 * q, law(0.0, q, 0 * q))
    printed = irb140.forward_dynamics(q, 0 * q, KP * q + irb140.gravity(q))
    assert q @ irb140.mass_matrix(q) @ right < 0.0 < q @ irb140.mass_matrix(q) @ printed


@pytest.mark.parametrize("name", ["pd_plus", "passivity_based", "computed_torque"])
def test_laws_that_know_the_arm_follow_and_v_falls(planar3, name):
    goal = moving(3)
    gains = (20.0, 10.0) if name != "passivity_based" else (6.0, 10.0)
    law = getattr(control, name)(planar3, *gains, goal)
    run = roll(planar3, law, goal.at(0.0)[0] + 0.3, until=goal.duration + 5.0, dt=1e-3)
    V = control.lyapunov_along(law, run)
    assert largest_rise(V) <= 1e-12
    assert np.abs(run.q[-1] - goal.at(run.time[-1])[0]).max() < 0.02
    on = roll(planar3, law, goal.at(0.0)[0], until=goal.duration, dt=1e-3)
    assert np.abs(on.q - goal.at(on.time)[0]).max() < 1e-6


def test_computed_torque_makes_the_error_exactly_linear(irb140):
    goal = moving(6)
    Kp, Kd = np.diag([100.0, 80.0, 60.0, 40.0, 30.0, 20.0]), np.diag([20.0, 17.0, 15.0, 12.0, 10.0, 9.0])
    law = control.computed_torque(irb140, Kp, Kd, goal)
    start = goal.at(0.0)[0] + np.linspace(-0.4, 0.4, 6)
    run = roll(irb140, law, start, np.full(6, 0.5), until=1.0, dt=1e-3)
    A = np.block([[np.zeros((6, 6)), np.eye(6)], [-Kp, -Kd]])
    z0 = np.concatenate([start - goal.at(0.0)[0], run.qd[0] - goal.at(0.0)[1]])
    for k in (100, 500, 1000):
        q_ref, qd_ref, _ = goal.at(run.time[k])
        z = np.concatenate([run.q[k] - q_ref, run.qd[k] - qd_ref])
        assert np.abs(z - expm(A * run.time[k]) @ z0).max() < 1e-8


def test_pid_holds_an_arm_it_does_not_know(planar3):
    law = control.pid(planar3, [300.0, 200.0, 60.0], [150.0, 100.0, 30.0], [120.0, 60.0, 10.0], [0.5, 0.3, -0.2])
    run = roll(planar3.with_payload(1.0), law, np.zeros(3), until=20.0, dt=1e-3)
    assert np.abs(run.q[-1] - [0.5, 0.3, -0.2]).max() < 1e-3


def test_integrators_stop_at_their_windup(planar3):
    law = control.pid(planar3, 1.0, 1.0, 1.0, [0.5, 0.3, -0.2], windup=0.2)
    e = np.array([0.5, 0.3, -0.2])
    _, rates = law(0.0, np.zeros(3), np.zeros(3), [0.3, 0.1, -0.3])
    assert rates.tolist() == [0.0, e[1], 0.0]
    _, rates = law(0.0, 2 * e, np.zeros(3), [0.3, 0.1, -0.3])
    assert rates.tolist() == (-e).tolist()


def test_slotine_li_converges_with_wrong_parameters_and_v_falls(planar3):
    true = Uncertainty().perturbed(planar3, payload=2.0, link_mass=[0.5, -0.3, 0.4])
    goal = reference.sine(np.zeros(3), [0.8, 0.6, 0.7], [0.3, 0.5, 0.4])
    law = control.slotine_li(planar3, 4.0, 20.0, 5.0, goal, plant=true)
    q, qd, _ = goal.at(0.0)
    run = roll(true, law, q, qd, until=40.0, dt=2e-3)
    error = np.abs(run.q - goal.at(run.time)[0]).max(axis=1)
    assert error[:2000].max() > 0.02
    assert error[-2000:].max() < 0.1 * error[:2000].max()
    assert largest_rise(control.lyapunov_along(law, run)) <= 1e-9
    # without adaptation it stays away
    stuck = roll(true, control.passivity_based(planar3, 4.0, 20.0, goal), q, qd, until=10.0, dt=2e-3)
    assert np.abs(stuck.q - goal.at(stuck.time)[0])[-2000:].max() > 0.02


def test_sliding_mode_reaches_its_boundary_on_an_arm_it_does_not_know(planar3):
    true = Uncertainty().perturbed(planar3, payload=1.0, link_mass=0.2)
    goal = moving(3, speed=0.8, acceleration=1.5)
    law = control.sliding_mode(planar3, 5.0, 10.0, [80.0, 50.0, 30.0], 0.2, goal)
    run = roll(true, law, goal.at(0.0)[0] + 0.2, until=goal.duration + 1.0, dt=5e-4)
    e, ed = run.q - goal.at(run.time)[0], run.qd - goal.at(run.time)[1]
    r = ed + 5.0 * e
    late = run.time > 2.0
    assert np.abs(r[late]).max() < 0.2
    assert np.abs(e[late]).max() < 0.2 / 5.0
    # while all of r is outside its boundary, V falls
    V = 0.5 * form(true.mass_matrix(run.q), r)
    outside = (np.abs(r) > 0.2).all(axis=1)[:-1]
    assert outside.sum() > 5
    assert (np.diff(V)[outside] < 0.0).all()


def test_lyapunov_redesign_keeps_its_inequality_on_every_arm_of_the_box(planar3):
    known = Uncertainty(payload=(0.0, 2.0), link_mass=0.2)
    goal = moving(3, speed=0.8, acceleration=1.5)
    for payload, share in ((0.0, -0.2), (2.0, 0.2), (1.7, [0.2, -0.2, 0.1])):
        true = known.perturbed(planar3, payload=payload, link_mass=share)
        law = control.lyapunov_redesign(planar3, 6.0, 15.0, known, 0.5, goal, plant=true)
        run = roll(true, law, goal.at(0.0)[0] + 0.1, until=goal.duration, dt=5e-4)
        V = control.lyapunov_along(law, run)
        e, ed = run.q - goal.at(run.time)[0], run.qd - goal.at(run.time)[1]
        falling = -15.0 * (ed**2).sum(axis=1) - 36.0 * 15.0 * (e**2).sum(axis=1) + law.slack
        rate = np.gradient(V, run.time)[2:-2]
        assert (rate <= falling[2:-2] + 1e-3 * np.abs(falling).max()).all()


def test_operational_space_is_exactly_linear_in_space(irb140):
    q0 = np.array([0.2, 0.3, -0.3, 0.4, 0.6, 0.1])
    T = irb140.pose(q0)
    goal = reference.quintic([T[:3, 3], T[:3, 3] + [-0.1, 0.1, 0.05]], durations=1.0)
    law = control.operational_space(irb140, 100.0, 20.0, goal, rotation=T[:3, :3])
    run = roll(irb140, law, q0, until=1.5, dt=1e-3)
    assert np.abs(irb140.pose(run.q)[:, :3, 3] - goal.at(run.time)[0]).max() < 1e-8
    assert np.abs(irb140.pose(run.q)[:, :3, :3] - T[:3, :3]).max() < 1e-8
    off = control.operational_space(irb140, 100.0, 20.0, T[:3, 3] + [0.0, 0.05, 0.05], rotation=T[:3, :3])
    run = roll(irb140, off, q0, until=1.0, dt=1e-3)
    e = irb140.pose(run.q)[:, :3, 3] - T[:3, 3] - [0.0, 0.05, 0.05]
    # critically damped: e = e0 (1 + 10 t) exp(-10 t)
    assert np.abs(e - e[0] * ((1 + 10 * run.time) * np.exp(-10 * run.time))[:, None]).max() < 1e-8
    assert largest_rise(control.lyapunov_along(off, run)) <= 1e-12


def test_operational_space_stays_calm_where_the_arm_is_stretched(irb140):
    """The goal is out of reach: torques stay bounded where undamped ones grow without bound."""
    q0 = np.array([0.0, 1.2, -1.2, 0.1, 0.2, 0.0])
    goal = irb140.pose(q0)[:3, 3] + [0.6, 0.0, 0.0]
    calm = control.operational_space(irb140, 25.0, 10.0, goal)
    run = roll(irb140, calm, q0, until=3.0, dt=1e-3)
    assert np.abs(run.tau).max() < 2000.0
    assert np.abs(run.qd[-1]).max() < 0.05
    wild = roll(irb140, control.operational_space(irb140, 25.0, 10.0, goal, damping=0.0), q0, until=1.0, dt=1e-3)
    assert not np.abs(wild.tau).max() < 3e4


def test_impedance_is_passive_and_yields_as_its_spring_says(irb140):
    q0 = np.array([0.2, 0.3, -0.3, 0.4, 0.6, 0.1])
    T = irb140.pose(q0)
    law = control.impedance(irb140, 800.0, 120.0, T[:3, 3], rotation=T[:3, :3], joint_damping=0.5)
    run = roll(irb140, law, q0 + 0.05, until=1.0, dt=2e-4)
    assert largest_rise(control.lyapunov_along(law, run)) <= 1e-12
    # a steady push of 8 N gives way by 1 cm: J^T f as a disturbance near the pose
    push = irb140.jacobian(q0)[:3].T @ np.array([0.0, 0.0, 8.0])
    run = roll(irb140, law, q0, until=4.0, dt=2e-4, disturbance=push)
    moved = irb140.pose(run.q[-1])[:3, 3] - T[:3, 3]
    assert moved == pytest.approx([0.0, 0.0, 0.01], abs=5e-4)


def test_admittance_gives_way_as_mass_spring_damper(irb140):
    q0 = np.array([0.2, 0.3, -0.3, 0.4, 0.6, 0.1])
    T = irb140.pose(q0)
    inner = control.operational_space(irb140, 400.0, 40.0, T[:3, 3], rotation=T[:3, :3])
    law = control.admittance(inner, 2.0, 40.0, 200.0, [0.0, 0.0, 4.0])
    run = roll(irb140, law, q0, until=3.0, dt=1e-3)
    z = irb140.pose(run.q)[:, 2, 3] - T[2, 3]
    # M pdd + D pd + K p = f: critically damped at w = 10
    want = 0.02 * (1 - (1 + 10 * run.time) * np.exp(-10 * run.time))
    assert np.abs(z - want).max() < 1e-8


def test_the_observer_finds_a_constant_disturbance_as_a_low_pass(planar3):
    push = np.array([3.0, -2.0, 1.0])
    law = control.disturbance_observer(planar3, control.pd_gravity(planar3, 50.0, 20.0, np.zeros(3)), 20.0)
    run = roll(planar3, law, [0.3, -0.2, 0.1], [0.5, 0.0, -0.5], until=6.0, dt=1e-3, disturbance=push)
    seen = law.estimate(run.q, run.qd, run.x)
    assert np.abs(seen - push * (1 - np.exp(-20.0 * run.time))[:, None]).max() < 1e-6
    assert np.abs(run.q[-1]).max() < 5e-3
    bare = roll(planar3, law.law, [0.3, -0.2, 0.1], until=6.0, dt=1e-3, disturbance=push)
    assert np.abs(bare.q[-1]).max() > 0.01


def test_motor_torques_are_joint_torques_by_virtual_work():
    arm = torsor.load("rl15")
    law = control.pd_plus(arm, 50.0, 20.0, moving(6))
    q, qd = np.random.default_rng(2).uniform(-1.0, 1.0, size=(2, 6))
    u = control.motor_side(arm, law)(0.3, q, qd)
    assert arm.drives.N().T @ u == pytest.approx(law(0.3, q, qd), rel=1e-12)


def test_laws_run_in_the_simulator(planar3):
    goal = moving(3)
    law = control.saturated(control.pd_plus(planar3, 50.0, 20.0, goal), 200.0)
    start = goal.at(0.0)[0] + 0.1
    run = torsor.simulate(planar3, law, q0=start, until=1.0, dt=1e-3)
    own = roll(planar3, law, start, until=1.0, dt=1e-3)
    assert np.abs(run.q[-1] - own.q[-1]).max() < 1e-8
