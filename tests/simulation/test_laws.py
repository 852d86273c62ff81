"""Laws of every kind: traced, called, with states, as tables, sampled."""

import numpy as np
import pytest

import torsor
from torsor.algebra import sin
from torsor.errors import ShapeError, Unsupported
from torsor.simulation import Encoder, FilteredDifference, Sampled, SimulationNotice, parameter

Q0 = np.array([0.5, -0.2])


@pytest.fixture(scope="module")
def arm():
    return torsor.load("planar2")


def traced(arm):
    return lambda t, q, qd: arm.gravity(q) - 30.0 * q - 8.0 * qd


def called(arm):
    """The same, written so that only numbers pass through it."""

    def law(t, q, qd):
        if float(q[0]) > 100.0:
            return np.zeros(2)
        return arm.gravity(q) - 30.0 * q - 8.0 * qd

    return law


class Integrating:
    """PID: the integral of the error is a state."""

    states = 2

    def __init__(self, arm):
        self.arm = arm

    def initial_state(self, q0, qd0):
        return 0.1 * q0

    def __call__(self, t, q, qd, x):
        return self.arm.gravity(q) - 30.0 * q - 8.0 * qd - 5.0 * x, q


class IntegratingCalled(Integrating):
    def __call__(self, t, q, qd, x):
        return super().__call__(float(t), q, qd, x)


@pytest.mark.parametrize("integrator", ["rk4", "euler", "semi-implicit-euler", "dormand-prince"])
def test_a_called_law_does_what_a_traced_one_does(arm, integrator):
    options = {"q0": Q0, "until": 0.3, "integrator": integrator}
    a = torsor.simulate(arm, traced(arm), **options)
    with pytest.warns(SimulationNotice, match="law law cannot be traced"):
        b = torsor.simulate(arm, called(arm), **options)
    np.testing.assert_allclose(a.q, b.q, atol=1e-12)
    np.testing.assert_allclose(a.tau, b.tau, atol=1e-9)


@pytest.mark.parametrize("integrator", ["rk4", "dormand-prince"])
def test_states_of_a_law(arm, integrator):
    options = {"q0": Q0, "until": 0.5, "integrator": integrator}
    a = torsor.simulate(arm, Integrating(arm), **options)
    assert a.x.shape == (501, 2)
    np.testing.assert_allclose(a.x[0], 0.1 * Q0)
    # the integral of q by Simpson's rule
    simpson = (a.q[:-2:2] + 4 * a.q[1:-1:2] + a.q[2::2]).sum(axis=0) * 1e-3 / 3
    np.testing.assert_allclose(a.x[-1] - a.x[0], simpson, atol=1e-9)
    with pytest.warns(SimulationNotice):
        b = torsor.simulate(arm, IntegratingCalled(arm), **options)
    np.testing.assert_allclose(a.q, b.q, atol=1e-12)


def test_an_error_in_a_called_law_is_raised(arm):
    def law(t, q, qd):
        if t > 0.01:
            raise RuntimeError("the cable is off")
        return np.zeros(2) * float(q[0])

    with pytest.warns(SimulationNotice), pytest.raises(RuntimeError, match="the cable is off"):
        torsor.simulate(arm, law, q0=Q0, until=0.1)


@pytest.mark.slow
def test_sticking_with_a_called_law_and_with_states():
    """Friction that sticks under laws of all kinds."""
    puma = torsor.load("puma560")
    q0 = np.array([0.3, 0.7, -0.4, 0.1, 0.2, 0.3])
    hold = puma.drives.torques(q0, np.zeros(6), np.zeros(6))

    def smooth(t, q, qd):
        return hold + np.array([0.8 * sin(6.0 * t), 0, 0, 0, 0, 0])

    def only_numbers(t, q, qd):
        return smooth(float(t), q, qd)

    class WithStates:
        states = 1
        state0 = (0.0,)

        def __call__(self, t, q, qd, x):
            return hold + np.array([0.8 * sin(x[0]), 0, 0, 0, 0, 0]), np.array([6.0])

    options = {"q0": q0, "until": 0.3}
    a = torsor.simulate(puma, smooth, **options)
    assert 0.0 < a.stuck[:, 0].mean() < 1.0
    assert a.stuck[:, 1:].all()
    c = torsor.simulate(puma, WithStates(), **options)
    np.testing.assert_allclose(a.q, c.q, atol=1e-9)
    with pytest.warns(SimulationNotice, match="only_numbers cannot be traced"):
        b = torsor.simulate(puma, only_numbers, integrator="rk4", **options)
    np.testing.assert_allclose(a.q, b.q, atol=1e-9)
    with pytest.warns(SimulationNotice, match="cannot be traced"):
        b = torsor.simulate(puma, only_numbers, integrator="dormand-prince", **options)
    np.testing.assert_allclose(a.q, b.q, atol=1e-6)


def test_a_table_is_held_step_by_step_whatever_is_kept(arm):
    table = np.random.default_rng(0).uniform(-3.0, 3.0, (300, 2))
    each = torsor.simulate(arm, table, q0=Q0, until=0.3)
    some = torsor.simulate(arm, table, q0=Q0, until=0.3, every=10)
    np.testing.assert_array_equal(each.q[::10], some.q)
    np.testing.assert_array_equal(each.tau[1:], table)
    fine = torsor.simulate(arm, table, q0=Q0, until=0.3, integrator="dormand-prince", tolerance=1e-12)
    np.testing.assert_allclose(each.q, fine.q, atol=1e-9)
    few = torsor.simulate(arm, table, q0=Q0, until=0.3, every=10, integrator="dormand-prince", tolerance=1e-12)
    np.testing.assert_allclose(few.q, fine.q[::10], atol=1e-13)
    stiff = torsor.simulate(arm, table, q0=Q0, until=0.3, integrator="rosenbrock")
    np.testing.assert_allclose(stiff.q, fine.q, atol=1e-7)


def test_joint_torques_of_an_arm_with_drives():
    arm = torsor.load("rl15")
    q0 = np.array([0.0, -0.3, 0.4, 0.1, 0.2, 0.0])
    tau = np.array([30.0, 50.0, -20.0, 1.0, 2.0, 0.5])
    N = arm.drives.N()
    a = torsor.simulate(arm, tau, q0=q0, until=0.05, torques="joint")
    b = torsor.simulate(arm, np.linalg.solve(N.T, tau), q0=q0, until=0.05)
    np.testing.assert_allclose(a.q, b.q, atol=1e-12)


def test_motors_saturate():
    arm = torsor.load("rl15")
    q0 = np.zeros(6)
    peak = np.array([drive.motor.torque for drive in arm.model.drives])
    run = torsor.simulate(arm, 3.0 * peak, q0=q0, until=0.02)
    np.testing.assert_allclose(run.tau, np.broadcast_to(peak, run.tau.shape))
    assert run.saturated.all()
    np.testing.assert_allclose(run.asked, np.broadcast_to(3.0 * peak, run.tau.shape))
    free = torsor.simulate(arm, 3.0 * peak, q0=q0, until=0.02, saturation=False)
    assert (np.abs(free.qd[-1]) > np.abs(run.qd[-1])).all()


def held_by_hand(arm, law, period, delay, until, before, dt=1e-3):
    """A sampled controller written out: torques of the sample before, stepped by rk4 with a table."""
    steps, every = round(until / dt), round(period / dt)
    q, qd, table, queue = Q0, np.zeros(2), [], [np.array(before)] * 2
    for k in range(0, steps, every):
        queue = [law(k * dt, q, qd), queue[0]]
        late = round(delay / dt)
        rows = np.array([queue[1]] * late + [queue[0]] * (every - late))
        run = torsor.simulate(arm, rows, q0=q, qd0=qd, until=period, dt=dt, integrator="rk4")
        q, qd = run.q[-1], run.qd[-1]
        table.append(q)
    return np.array(table)


@pytest.mark.parametrize("before", [[0.0, 0.0], [3.0, -1.0]], ids=["nothing", "torques"])
def test_sampled_is_a_zero_order_hold_with_its_delay(arm, before):
    law = traced(arm)
    by_hand = held_by_hand(arm, law, 5e-3, 2e-3, 0.1, before)
    given = {"before": before} if any(before) else {}
    run = torsor.simulate(arm, Sampled(law, period=5e-3, delay=2e-3, **given), q0=Q0, until=0.1, integrator="rk4")
    np.testing.assert_allclose(run.q[5::5], by_hand, atol=1e-12)
    np.testing.assert_array_equal(run.asked[:3], [before] * 3)  # the first command of 0 s comes after 2 ms
    late = torsor.simulate(arm, Sampled(law, period=5e-3, delay=12e-3, **given), q0=Q0, until=0.02, integrator="rk4")
    np.testing.assert_array_equal(late.asked[:13], [before] * 13)
    np.testing.assert_allclose(late.asked[13:18], [law(0.0, Q0, np.zeros(2))] * 5, atol=1e-12)
    if any(before):
        return
    exact = torsor.simulate(
        arm, Sampled(law, period=5e-3, delay=2e-3), q0=Q0, until=0.1, integrator="dormand-prince", tolerance=1e-11
    )
    np.testing.assert_allclose(exact.q, run.q, atol=1e-8)


def test_delay_costs_phase(arm):
    """The more delay, the more the loop overshoots; without it, sampling fast, it is the continuous one."""
    law = traced(arm)
    smooth = torsor.simulate(arm, law, q0=Q0, until=2.0, integrator="rk4")
    fast = torsor.simulate(arm, Sampled(law, period=1e-3), q0=Q0, until=2.0, integrator="rk4")
    assert np.abs(smooth.q - fast.q).max() < 1e-2
    over = [
        torsor.simulate(arm, Sampled(law, period=1e-2, delay=d), q0=Q0, until=2.0, integrator="rk4").overshoot([0, 0])[
            0
        ]
        for d in (0.0, 2e-2, 5e-2)
    ]
    assert over[0] < over[1] < over[2]


def test_encoders(arm):
    law = traced(arm)
    step = 2 * np.pi / 4096
    encoder = Encoder(resolution=step, noise=2 * step, seed=7)
    options = {"q0": Q0, "until": 1.0, "integrator": "rk4"}
    noisy = Sampled(law, period=1e-3, encoder=encoder, velocity=FilteredDifference(50.0))
    a, b = (torsor.simulate(arm, noisy, **options) for _ in range(2))
    np.testing.assert_array_equal(a.q, b.q)  # noise comes from the seed alone
    pieces = torsor.simulate(arm, noisy, every=7, **(options | {"until": 0.994}))
    np.testing.assert_array_equal(pieces.q[-1], a.q[994])
    other = Encoder(resolution=step, noise=2 * step, seed=8)
    c = torsor.simulate(arm, Sampled(law, encoder=other, velocity=FilteredDifference(50.0)), **options)
    assert np.abs(a.q - c.q).max() > 0.0
    clean = torsor.simulate(arm, law, **options)
    assert np.abs(a.q - clean.q).max() < 0.05
    assert np.abs(np.diff(a.tau, axis=0)).mean() > 3 * np.abs(np.diff(clean.tau, axis=0)).mean()


def test_a_sampled_law_may_have_states(arm):
    """The integral of a PID stepped by Euler's rule at the period: close to the continuous one."""
    options = {"q0": Q0, "until": 1.0, "integrator": "rk4"}
    smooth = torsor.simulate(arm, Integrating(arm), **options)
    sampled = torsor.simulate(arm, Sampled(Integrating(arm), period=1e-3), **options)
    assert 0.0 < np.abs(smooth.q - sampled.q).max() < 5e-3


def test_noise_is_normal(arm):
    from torsor.simulation.sampled import Controller

    law = Sampled(traced(arm), encoder=Encoder(noise=[1.0, 2.0], seed=3))
    controller = Controller(torsor.Simulation(arm, law).plant(), law, 1e-3)
    noise = controller.noise(0, 40_000)
    np.testing.assert_allclose(noise.std(axis=0), [1.0, 2.0], rtol=0.02)
    np.testing.assert_allclose(noise.mean(axis=0), 0.0, atol=0.03)
    assert abs(np.corrcoef(noise.T)[0, 1]) < 0.02
    kurtosis = (noise**4).mean(axis=0) / (noise**2).mean(axis=0) ** 2
    np.testing.assert_allclose(kurtosis, 3.0, atol=0.15)
    np.testing.assert_array_equal(controller.noise(1000, 5), noise[1000:1005])
    assert not np.array_equal(controller.noise(0, 5, lane=1), noise[:5])


@pytest.mark.parametrize(
    ("law", "kind", "text"),
    [
        (lambda t, q, qd: np.zeros(3), ShapeError, "the law gives torques of shape (3,)"),
        (Sampled(lambda t, q, qd: -q, period=1.5e-3), ShapeError, "no multiple of dt"),
        (Sampled(np.zeros(2)), Unsupported, "Sampled takes a law"),
        (lambda t, q, qd: -parameter("Kp") * q, ShapeError, "parameters without values: Kp"),
    ],
)
def test_refusals(arm, law, kind, text):
    with pytest.raises(kind) as error:
        torsor.simulate(arm, law, q0=Q0, until=0.1)
    assert text in str(error.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Encoder(resolution=-1.0),
        lambda: FilteredDifference(0.0),
        lambda: Sampled(lambda t, q, qd: q, period=0.0),
        lambda: Sampled(lambda t, q, qd: q, delay=-1.0),
        lambda: Sampled(lambda t, q, qd: q, delay=1e-3, before=[0.0, np.nan]),
        lambda: parameter("payload"),
    ],
)
def test_refused_when_made(make):
    with pytest.raises(ShapeError):
        make()


def test_a_law_of_joints_is_taken_at_its_word():
    """The gears of the PUMA turn joints 1 and 3 backwards: taken for torques of motors, they run away."""
    arm, goal = torsor.load("puma560"), [0.3, 0.4, -0.3, 0.1, 0.2, 0.1]
    law = torsor.control.pd_gravity(arm, [400, 400, 200, 20, 20, 20], [80, 80, 40, 4, 4, 4], goal)
    how = {"q0": np.zeros(6), "until": 0.3}
    run = torsor.simulate(arm, law, **how)
    assert (np.abs(run.q[-1] - goal) < 0.9 * np.abs(goal)).all()
    for same in (
        torsor.simulate(arm, law, torques="joint", **how),
        torsor.simulate(arm, torsor.control.motor_side(arm, law), **how),
        torsor.simulate(arm, lambda t, q, qd: arm.drives.gearing.to_motors(q, law(t, q, qd)), **how),
    ):
        np.testing.assert_allclose(same.q, run.q, atol=1e-9)
    away = torsor.simulate(arm, law, torques="motor", limits="ignore", **how)
    assert away.q[-1, 0] < 0.0


def test_laws_of_joints_and_motors_do_not_add():
    arm = torsor.load("puma560")
    law = torsor.control.pd_gravity(arm, 10.0, 5.0, np.zeros(6))
    motors = torsor.control.motor_side(arm, law)
    assert (law.gives, motors.gives, torsor.control.saturated(motors, 1.0).gives) == ("joint", "motor", "motor")
    with pytest.raises(Unsupported, match="one law gives torques of joints, the other of motors"):
        law + motors
    with pytest.raises(Unsupported, match="gives torques of motors already"):
        torsor.control.motor_side(arm, motors)
