"""Orders of convergence, energy over long times, and SciPy's solvers on the same right-hand side."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import torsor
from torsor.algebra import sin
from torsor.errors import Unsupported

ORDERS = {"euler": 1, "semi-implicit-euler": 1, "symplectic": 2, "rk4": 4, "rosenbrock": 4}
Q0, QD0 = np.array([0.5, 0.8]), np.array([0.3, -0.4])


@pytest.fixture(scope="module")
def pendulum():
    return torsor.load("planar2")


def swinging(t, q, qd):
    return np.array([2.0 * sin(3.0 * t), 1.0]) - 0.5 * qd


class Filtered:
    """A law with states of its own: torques behind a low pass."""

    states = 2

    def __call__(self, t, q, qd, x):
        return x, 8.0 * (np.array([2.0 * sin(3.0 * t), 1.0]) - 0.5 * qd - x)

    state0 = (0.3, -0.2)


@pytest.fixture(scope="module")
def exact(pendulum):
    return {
        law: torsor.simulate(
            pendulum, law, q0=Q0, qd0=QD0, until=1.0, dt=0.25, integrator="dormand-prince", tolerance=1e-13
        )
        for law in (swinging, FILTERED)
    }


FILTERED = Filtered()


@pytest.mark.parametrize("law", [swinging, FILTERED], ids=["plain", "with states"])
@pytest.mark.parametrize("name", ORDERS)
def test_order(pendulum, exact, name, law):
    errors = []
    for dt in (0.0025, 0.00125):
        run = torsor.simulate(pendulum, law, q0=Q0, qd0=QD0, until=1.0, dt=dt, integrator=name)
        errors.append(max(np.abs(run.q[-1] - exact[law].q[-1]).max(), np.abs(run.qd[-1] - exact[law].qd[-1]).max()))
    measured = np.log2(errors[0] / errors[1])
    assert ORDERS[name] - 0.25 < measured < ORDERS[name] + 1.0  # Rodas is a little better than it promises here


@pytest.mark.slow
def test_order_of_rosenbrock_where_fast_poles_are_just_resolved():
    """A UR5 under damping, with poles to -130 1/s of its light wrist: error over h^4 tends to a constant from below.

    Between coarse steps positions seem of order 3.3 and rates of 4.6, because terms of h^5 still weigh.
    """
    arm = torsor.load("ur5")
    how = {"q0": np.full(6, 0.3), "until": 0.5, "integrator": "rosenbrock", "limits": "ignore", "saturation": False}

    def end(dt):
        run = torsor.simulate(arm, lambda t, q, qd: -2.0 * qd, dt=dt, **how)
        return np.array([run.q[-1], run.qd[-1]])

    exact = end(1.25e-4)
    errors = np.array([np.abs(end(dt) - exact).max(axis=-1) for dt in (2e-3, 1e-3, 5e-4)])
    measured = np.log2(errors[:-1] / errors[1:])
    assert (np.abs(measured[-1] - 4.0) < 0.2).all()
    assert (np.abs(measured[-1] - 4.0) < np.abs(measured[0] - 4.0)).all()


def test_dormand_prince_error_follows_its_tolerance(pendulum, exact):
    errors = []
    for tolerance in (1e-5, 1e-7, 1e-9):
        run = torsor.simulate(
            pendulum, swinging, q0=Q0, qd0=QD0, until=1.0, dt=0.25, integrator="dormand-prince", tolerance=tolerance
        )
        errors.append(np.abs(run.q - exact[swinging].q).max())
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    assert errors[2] < 1e-7


def test_dense_output_is_as_good_as_its_steps(pendulum):
    """States between steps come from the interpolant, of order four."""
    options = {"q0": Q0, "qd0": QD0, "until": 1.0, "integrator": "dormand-prince"}
    coarse = torsor.simulate(pendulum, swinging, dt=1e-3, tolerance=1e-10, **options)
    fine = torsor.simulate(pendulum, swinging, dt=1e-3, tolerance=1e-13, **options)
    assert np.abs(coarse.q - fine.q).max() < 1e-8
    assert np.abs(coarse.qd - fine.qd).max() < 1e-7


@pytest.mark.parametrize(("name", "method"), [("dormand-prince", "DOP853"), ("rosenbrock", "Radau")])
def test_scipy_agrees(name, method):
    """The closed loop of the thesis is stiff: Radau's ground. DOP853 gets one whose joints are all as quick."""
    arm = torsor.load("irb140")
    reference = np.array([0.4, 0.3, -0.5, 0.6, 0.2, -0.3])
    inertia = np.ones(6) if name == "rosenbrock" else np.diag(arm.mass_matrix(reference))
    Kp, Kd = 50.0 * inertia, 20.0 * inertia

    def law(t, q, qd):
        return arm.gravity(q) + Kp * (reference - q) - Kd * qd

    def rhs(t, y):
        q, qd = y[:6], y[6:]
        return np.concatenate([qd, arm.forward_dynamics(q, qd, law(t, q, qd))])

    theirs = solve_ivp(rhs, (0.0, 0.5), np.zeros(12), method=method, rtol=1e-10, atol=1e-12, t_eval=[0.1, 0.3, 0.5])
    run = torsor.simulate(
        arm, law, q0=np.zeros(6), until=0.5, dt=1e-3, integrator=name, tolerance=1e-11, saturation=False
    )
    np.testing.assert_allclose(run.q[[100, 300, 500]], theirs.y[:6].T, atol=2e-8)
    np.testing.assert_allclose(run.qd[[100, 300, 500]], theirs.y[6:].T, atol=1e-6)


@pytest.mark.parametrize("name", ["planar2", "puma560"])
def test_energy_of_a_free_arm_over_100_s(name):
    """A double pendulum, and the PUMA without its drives."""
    arm = torsor.load(name)
    options = {"q0": np.linspace(0.3, 0.9, arm.n), "until": 100.0, "drives": False, "limits": "ignore"}
    tight = torsor.simulate(
        arm, np.zeros(arm.n), dt=1e-3, every=100, integrator="dormand-prince", tolerance=1e-12, **options
    )
    assert np.ptp(tight.energy) < 1e-9 * tight.kinetic.max()
    assert np.ptp(tight.energy) < 1e-9 * np.abs(tight.energy[0])


@pytest.mark.parametrize("name", ["planar2", "puma560"])
def test_the_symplectic_energy_error_is_bounded(name):
    """It does not grow with time, and falls with the square of the step."""
    arm = torsor.load(name)
    errors = []
    for dt in (2e-3, 1e-3):
        run = torsor.simulate(
            arm, np.zeros(arm.n), q0=np.linspace(0.3, 0.9, arm.n), until=100.0, dt=dt, every=10, drives=False,
            limits="ignore", integrator="symplectic",
        )  # fmt: skip
        off = np.abs(run.energy - run.energy[0]) / run.kinetic.max()
        half = len(off) // 2
        assert off[half:].max() < 2.5 * off[:half].max()
        errors.append(np.median(off))
    assert errors[0] < 1e-2
    assert 2.0 < errors[0] / errors[1] < 8.0


def test_the_symplectic_rule_keeps_momentum(pendulum):
    """Without gravity the angular momentum about the first axis is an invariant, kept to rounding."""
    run = torsor.simulate(
        pendulum, np.zeros(2), q0=Q0, qd0=QD0, until=20.0, dt=5e-3, gravity=[0, 0, 0], integrator="symplectic",
        limits="ignore",
    )  # fmt: skip
    momentum = np.einsum("tij,tj->ti", pendulum.mass_matrix(run.q), run.qd)[:, 0]
    assert np.ptp(momentum) < 1e-12 * np.abs(momentum).max()


@pytest.mark.parametrize("name", [*ORDERS, "dormand-prince"])
def test_viscous_drives(name):
    """An arm whose drives have rotors, gears and viscous friction alone, by every integrator."""
    from dataclasses import replace

    from torsor.model.parts import DriveFriction

    model = torsor.load("rl15").model
    drives = tuple(replace(d, friction=DriveFriction(viscous=d.friction.viscous)) for d in model.drives)
    arm = torsor.Arm(replace(model, drives=drives))
    q0 = np.array([0.0, -0.3, 0.4, 0.1, 0.2, 0.0])
    options = {"q0": q0, "until": 0.1, "dt": 1e-4, "every": 10}
    run = torsor.simulate(arm, np.zeros(6), integrator=name, **options)
    qdd = arm.drives.forward(run.q, run.qd, torque=np.zeros(6))
    np.testing.assert_allclose(run.qdd, qdd, atol=1e-9 * np.abs(qdd).max())
    best = torsor.simulate(arm, np.zeros(6), integrator="dormand-prince", tolerance=1e-12, **options)
    np.testing.assert_allclose(run.q, best.q, atol={1: 1e-3, 2: 1e-6}.get(ORDERS.get(name, 4), 1e-9))


@pytest.mark.parametrize("by", ["newton-euler", "exponentials", "lagrange", "articulated"])
def test_formulations_give_the_same_motion(by):
    """Also those that have no forward dynamics of their own: M is then made column by column."""
    arm = torsor.load("planar3")
    options = {"q0": [0.3, 0.5, -0.2], "until": 0.3, "integrator": "rk4", "wrench": [3.0, -2.0, 0, 0, 0, 0.5]}
    plain, other = (torsor.simulate(arm, np.ones(3), by=each, **options) for each in (None, by))
    np.testing.assert_allclose(other.q, plain.q, atol=1e-11)
    with pytest.raises(Unsupported, match="for links without drives"):
        torsor.simulate(torsor.load("rl15"), np.zeros(6), q0=np.zeros(6), until=0.1, by=by, integrator="rk4")


def test_an_arm_with_a_loop():
    """The free joints of a closed chain: energy stays."""
    arm = torsor.load("asea-irb")
    q0 = np.array([1.9, -1.5, 2.2, -1.9, -0.1, -2.2])
    run = torsor.simulate(arm, np.zeros(arm.n), q0=q0, until=0.05, dt=1e-4, every=10, limits="ignore", integrator="rk4")
    assert np.ptp(run.energy) < 1e-7 * max(run.kinetic.max(), 1.0)
    np.testing.assert_allclose(run.qdd, arm.forward_dynamics(run.q, run.qd, np.zeros(arm.n)), rtol=1e-6, atol=1e-6)
