"""Elastic arms with loops in the simulator: energy, other integrators, rigid limits, work, loops that stay closed."""

import re
import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import torsor
from elastic_arms import bending_fourbar, fourbar_text
from torsor import scenarios
from torsor.errors import ShapeError, TorsorError, Unsupported
from torsor.model.parts import BASE, Drive, DriveFriction
from torsor.simulation import Event, Sampled, SimulationNotice
from torsor.simulation.stiffness import poles

MODES = 4  # of each rod: the fewest with which all five equations of the hinge say something of their own
AT = np.array([1.0])
DRIVE = """
[[drive]]
ratio = { crank = 30.0 }
rotor = { inertia = 1e-4, carrier = "base", axis = [0, 0, 1] }
friction = { side = "motor", viscous = 2e-4FRICTION }
stiffness = 200.0
damping = 0.2
"""


SCENARIO = """
name = "bends"
arm = "fourbar.toml"
duration = 0.02
limits = "ignore"
elastic = true
start = { q = [1.0] }
law = { kind = "pd-gravity", Kp = 30, Kd = 3 }
reference = { kind = "point", q = [1.2] }
"""


def driven(friction="", **given):
    """With a motor, a gear that gives way, and friction that does not stick."""
    return bending_fourbar(modes=MODES, more=DRIVE.replace("FRICTION", friction), **given)


def geared(name):
    """An arm of the library that nothing bends in, on gears that give way."""
    arm, z = torsor.load(name), np.array([0.0, 0.0, 1.0])
    turned = 30.0 * np.eye(len(arm.model.joint_names))[: arm.n]
    given = {"friction": DriveFriction(viscous=2e-4), "stiffness": 200.0, "damping": 0.2}
    drives = [Drive(f"m{k}", row, 0.0, 1e-5, BASE, z, **given) for k, row in enumerate(turned)]
    return torsor.Arm(replace(arm.model, drives=tuple(drives)))


def geared_delta():
    """Whose loops have no closed form."""
    return geared("delta")


def quiet(arm, law, **given):
    """A run whose notes are read where they matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        return torsor.simulate(arm, law, **{"q0": AT, "elastic": True, "limits": "ignore"} | given)


def coordinates(run):
    """All of them, in the order of the simulation, and their rates."""
    return run._plant.moving(run._y)[:2]


def left_open(run):
    """By how much loops are open, and how fast they open."""
    c, cd = coordinates(run)
    at = run._plant.elastic
    return np.abs(at.left(c)).max(), np.abs((at.rows(c) @ cd[..., None])[..., 0]).max()


def holding(at, c):
    """Torques of the free joints that hold it at rest, once forces of loops balance all else."""
    pulled, n = at.inverse_dynamics(c, 0.0 * c, 0.0 * c, at.gravity), at.joints
    force = np.linalg.lstsq(at.rows(c)[:, n:].T, pulled[n:], rcond=None)[0]
    np.testing.assert_allclose(at.rows(c)[:, n:].T @ force, pulled[n:], atol=1e-9 * np.abs(pulled).max())
    return pulled[:n] - force @ at.rows(c)[:, :n]


@pytest.fixture(scope="module")
def undamped():
    return bending_fourbar(modes=MODES, damping=0.0)


@pytest.fixture(scope="module")
def free(undamped):
    """The crank falls through a turn, and on, in steps to a tolerance."""
    return quiet(undamped, [0.0], until=2.0, every=10, integrator="dormand-prince", tolerance=1e-12)


@pytest.mark.slow
def test_energy_stays_and_loops_stay_closed(free):
    """Steps err by 1e-12 of each state; energy by less than that times their number, some thousands."""
    scale = free.kinetic.max()
    assert scale > 1.0
    assert np.ptp(free.q) > 5.0
    np.testing.assert_allclose(free.energy, free.energy[0], atol=1e-10 * scale)
    assert free.strain_energy.max() > 1e-3 * scale
    assert free.eta.shape == (201, 2 * MODES)
    assert free.eta_names[0] == "coupler.mode1"
    gap, opening = left_open(free)
    assert gap < 1e-12
    assert opening < 1e-10
    told = r"loops are kept closed by \(d/dt \+ a\)\^2 g = 0 with a = \d+ 1/s: open by \S+e-1\d m or rad at most"
    assert re.fullmatch(told, free.notes[-1])


def test_what_steps_leave_open_is_their_own_error(undamped, free):
    """Loops open by less than the motion is wrong, and both fall with the fourth power of dt or faster."""
    wrong, gaps = [], []
    for dt in (2e-4, 1e-4):
        run = quiet(undamped, [0.0], until=0.5, dt=dt, every=round(1e-2 / dt), integrator="rk4")
        wrong.append(np.abs(run._y - free._y[: len(run.time)]).max())
        gaps.append(left_open(run)[0])
    assert (np.array(gaps) < 0.01 * np.array(wrong)).all()
    assert np.log2(wrong[0] / wrong[1]) > 3.7
    assert np.log2(gaps[0] / gaps[1]) > 3.7


@pytest.mark.slow
@pytest.mark.parametrize("joint", ["crank", "rocker"])
def test_another_integrator_finds_the_same(joint):
    """scipy's DOP853 on `arm.elastic.forward_dynamics`, in the order of the tree; the rocker is its last joint."""
    arm = bending_fourbar(modes=MODES, driven=joint)
    elastic, n = arm.elastic, len(arm.elastic.coordinates)
    q0 = arm.closure.free_of(arm.closure.reference)
    run = quiet(arm, [0.7], q0=q0, qd0=[0.5], until=0.1, integrator="dormand-prince", tolerance=1e-11)
    order = [run._plant.names.index(name) for name in elastic.coordinates]
    assert (order == sorted(order)) == (joint == "crank")
    x, xd = (each[:, order] for each in coordinates(run))

    def rates(t, y):
        return np.concatenate([y[n:], elastic.forward_dynamics(y[:n], y[n:], [0.7])])

    start = np.concatenate([x[0], xd[0]])
    right = solve_ivp(rates, (0.0, 0.1), start, "DOP853", t_eval=run.time[::10], rtol=1e-10, atol=1e-12).y.T
    np.testing.assert_allclose(x[::10], right[:, :n], atol=1e-9)
    np.testing.assert_allclose(xd[::10], right[:, n:], atol=1e-7)
    assert np.abs(x - x[0]).max() > 1e-2
    pose = elastic.pose(x[-1])
    np.testing.assert_allclose(run.tip[-1, :3], pose[:3, 3] - arm.pose(run.q[-1])[:3, 3], atol=1e-13)


@pytest.mark.slow
def test_stiff_arms_move_as_rigid_ones():
    """The difference falls with 1/stiffness; what swings fast is damped, so that it does not hide that."""
    rigid = torsor.simulate(bending_fourbar(), [20.0], q0=AT, until=0.02, dt=2e-5, every=5, limits="ignore")
    apart = []
    for stiffer, dt in ((1e4, 4e-6), (1e7, 1.25e-7)):
        arm = bending_fourbar(modes=MODES, damping=0.1, stiffer=stiffer, rotary="false")
        run = quiet(arm, [20.0], until=0.02, dt=dt, every=round(1e-4 / dt), integrator="rk4")
        apart.append(np.abs(run.q - rigid.q)[100:].max())
    assert apart[0] / apart[1] == pytest.approx(1e3, rel=0.02)
    assert apart[1] < 1e-9


@pytest.mark.parametrize(("name", "q0"), [("delta", [1.6, 1.7, 1.8]), ("planar2", [0.1, 0.2])])
def test_where_nothing_gives_way_it_is_the_rigid_arm(name, q0):
    """Without drives all springs are left out: the same motion, of the Delta robot found in free joints and in all."""
    arm, given = geared(name), {"q0": q0, "until": 0.5, "drives": False}
    run = quiet(arm, np.zeros(arm.n), **given)
    rigid = quiet(arm, np.zeros(arm.n), elastic=False, **given)
    assert run.eta.shape == (501, 0)
    springs = ", ".join(f"{joint}.spring" for joint in arm.joint_names)
    assert run.notes[0].startswith(f"left out in motion: {springs}; no rotor")
    np.testing.assert_allclose(run.q, rigid.q, atol=1e-9)
    np.testing.assert_allclose(run.tip, 0.0, atol=1e-10)


@pytest.mark.parametrize(
    ("make", "q0"),
    [pytest.param(partial(driven, damping=0.02), AT, marks=pytest.mark.slow), (geared_delta, [0.3, 0.4, 0.2])],
)
def test_work_goes_somewhere(make, q0):
    """Energy changes by what motors give, less what friction, gears and rods take; nothing is left for the loops."""
    arm, dt = make(), 1e-4
    law = torsor.control.pd_gravity(arm, 30.0, 3.0, np.array(q0) + 0.4)
    run = quiet(arm, law, q0=q0, until=0.3, dt=dt, integrator="rk4")
    assert run.stopped is None
    assert run.eta_names[0] == f"{arm.joint_names[0]}.spring"
    c, cd = coordinates(run)
    lost = (cd * run._plant.elastic.damping(c, cd)).sum(axis=1) + 2e-4 * (run.rates**2).sum(axis=1)
    power = (run.tau * run.rates).sum(axis=1) - lost
    simpson = dt / 3.0 * (power[:-2:2] + 4.0 * power[1:-1:2] + power[2::2])
    work = np.concatenate([[0.0], np.cumsum(simpson)])
    change = run.energy[::2] - run.energy[0]
    np.testing.assert_allclose(change, work, atol=1e-7 * np.abs(change).max())  # h^4
    assert lost.sum() * dt > 0.01 * np.abs(change).max()
    assert left_open(run)[0] < 1e-12
    # slow at its end: gears pass on what motors give
    assert 200.0 * run.eta[-1, : arm.n] == pytest.approx(-30.0 * run.tau[-1], rel=0.3)


def test_it_swings_at_its_own_frequencies():
    """The plant, linearised where it is straight, against the modes of `arm.elastic`: found by null spaces there."""
    model = bending_fourbar(modes=MODES, damping=0.0).model
    arm = torsor.Arm(replace(model, gravity=np.zeros(3)))
    plant = torsor.Simulation(arm, [0.0], elastic=True, limits="ignore").plant()
    c, cd = plant.elastic.straight(AT[None], np.zeros((1, 1)))
    found = poles(plant, np.zeros(1), plant.state(c, cd, np.zeros((1, 0)))[0], np.zeros(1), np.zeros(1), np.zeros(0))
    right = arm.elastic.frequencies(AT, drives="free")[1:]  # after the motion of the crank, at no frequency
    assert len(right) == plant.n - 5 - 1
    swings = np.sort(np.abs(found.imag))[-2 * len(right) :: 2] / (2.0 * np.pi)
    np.testing.assert_allclose(swings, right, rtol=1e-6)
    # what opens loops dies down twice at a, each of five equations
    dying = np.sort(found.real)[: 2 * 5]
    np.testing.assert_allclose(dying, -plant.elastic.stabilise, rtol=1e-2)


def test_at_rest_it_hangs(undamped):
    """The torque that statics say holds it where it hangs, and the tool is where they have it."""
    first = quiet(undamped, [0.0], until=1e-3)
    at, c = first._plant.elastic, coordinates(first)[0][0]
    run = quiet(undamped, holding(at, c), until=0.3)
    np.testing.assert_allclose(run.q, AT + 0.0 * run.q, atol=1e-9)
    np.testing.assert_allclose(run.eta, first.eta[:1] + 0.0 * run.eta, atol=1e-9)
    small = undamped.elastic.deflection(AT, drives="locked").tool[:2]
    np.testing.assert_allclose(run.tip[-1, :2], small, atol=0.1 * np.linalg.norm(small))  # four modes


def test_a_start_that_is_given(undamped):
    """Straight is as it is; anything else is bent as little more as closes the loops, in rates too. Joints stay."""
    straight = quiet(undamped, [0.0], until=2e-3, eta0=np.zeros(8), qd0=[2.0])
    np.testing.assert_allclose(straight.eta[0], 0.0, atol=1e-14)
    np.testing.assert_allclose(straight.etad[0], 0.0, atol=1e-12)
    joints = undamped.closure.along(AT, [2.0])
    np.testing.assert_allclose([each[0, :3] for each in coordinates(straight)], joints, atol=1e-12)
    eta0 = 1e-3 * np.random.default_rng(1).normal(size=(3, 8))
    runs = quiet(undamped, [0.0], until=2e-5, dt=1e-5, eta0=eta0, etad0=eta0, qd0=[2.0])
    assert runs.tip.shape == (3, 3, 6)
    np.testing.assert_array_equal(runs.q[:, 0], [AT] * 3)
    np.testing.assert_array_equal(runs.qd[:, 0], [[2.0]] * 3)
    (c, cd), at = coordinates(runs), runs._plant.elastic
    assert np.abs(at.left(c[:, 0])).max() < 1e-12
    assert np.abs(at.rows(c[:, 0]) @ cd[:, 0, :, None]).max() < 1e-12
    assert 1e-5 < np.abs(runs.eta[:, 0] - eta0).max() < 5.0 * np.abs(eta0).max()
    # so that a run can be taken up where another one was
    reached = {"q0": runs.q[:, 1], "qd0": runs.qd[:, 1], "eta0": runs.eta[:, 1], "etad0": runs.etad[:, 1]}
    again = quiet(undamped, [0.0], until=1e-5, dt=1e-5, **reached)
    np.testing.assert_allclose(again._y[:, 1], runs._y[:, 2], atol=1e-11)


@pytest.mark.slow
def test_all_that_simulations_have():
    """Rollouts with payloads, sampled laws, events, and rosenbrock, whose slopes are those of the accelerations."""
    arm = driven(damping=0.02)
    law = torsor.control.pd_gravity(arm, 30.0, 3.0, AT + 0.2)
    common = {"until": 0.02, "dt": 5e-4}
    one = quiet(arm, law, parameters={"payload": 0.5}, **common)
    runs = quiet(arm, law, parameters={"payload": np.array([0.0, 0.5])}, **common)
    np.testing.assert_allclose(runs[1].q, one.q, atol=1e-12)
    assert np.abs(runs[0].q - one.q).max() > 1e-6
    plain = quiet(arm, law, events=[Event("on", lambda t, q, qd: q[0] - AT[0] - 1e-3)], **common)
    np.testing.assert_allclose(runs[0].q, plain.q, atol=1e-12)
    assert [event.name for event in plain.events] == ["on"]
    sampled = quiet(arm, Sampled(law, period=5e-4), **common)
    np.testing.assert_allclose(sampled.q, plain.q, atol=5e-3)


def test_a_scenario(tmp_path):
    """`elastic = true` does what `elastic=True` does."""
    (tmp_path / "fourbar.toml").write_text(fourbar_text(modes=MODES))
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        found = scenarios.read(tmp_path / "scenario.toml").run()
    arm = bending_fourbar(modes=MODES)
    run = quiet(arm, torsor.control.pd_gravity(arm, 30.0, 3.0, AT + 0.2), until=0.02)
    np.testing.assert_allclose(found.eta, run.eta, atol=1e-9 * np.abs(run.eta).max())
    assert found.notes[-1].startswith("loops are kept closed by")


@pytest.mark.slow
def test_implicit_steps():
    arm = bending_fourbar(modes=MODES, damping=0.02)
    common = {"until": 0.05, "qd0": [2.0]}
    right = quiet(arm, [0.3], integrator="dormand-prince", tolerance=1e-11, **common)
    run = quiet(arm, [0.3], integrator="rosenbrock", tolerance=1e-9, **common)
    np.testing.assert_allclose(run._y[-1], right._y[-1], atol=1e-6)
    stiff = quiet(bending_fourbar(modes=MODES, damping=0.5, stiffer=1e6), [0.3], until=0.05)
    assert stiff.integrator == "rosenbrock"
    rigid = torsor.simulate(arm, [0.3], q0=AT, until=0.05, limits="ignore")
    np.testing.assert_allclose(stiff.q, rigid.q, atol=1e-6)


@pytest.mark.slow
def test_the_arm_of_simasea_hangs_where_statics_have_it_and_falls():
    """24 of the file's shapes, free joints that are not the first ones, and sections that turn, all told."""
    arm = torsor.load("asea-irb")
    q0 = np.radians([33.0, 102.0, -171.0, 74.0, 69.0, 125.0])
    first = quiet(arm, np.zeros(6), q0=q0, until=1e-3)
    at, c = first._plant.elastic, coordinates(first)[0][0]
    held = holding(at, c)
    run = quiet(arm, held, q0=q0, until=0.2)
    np.testing.assert_allclose(run.q, q0 + 0.0 * run.q, atol=1e-7)
    small = arm.elastic.deflection(q0, drives="locked").tool[:3]
    np.testing.assert_allclose(run.tip[-1, :3], small, atol=0.05 * np.linalg.norm(small))
    fall = quiet(arm, np.zeros(6), q0=q0, until=0.3)
    assert np.abs(fall.q - q0).max() > 0.3
    lost = np.concatenate([[0.0], np.cumsum(_trapezium(fall))])
    np.testing.assert_allclose(fall.energy + lost, fall.energy[0], atol=1e-3 * fall.kinetic.max())
    assert fall.notes[:2] == (
        "24 shapes of the links are taken of the file's 84",
        "sections that turn with the posture stand as in the reference posture",
    )
    assert left_open(fall)[0] < 1e-9


def _trapezium(run):
    """J that damping took between two states."""
    c, cd = coordinates(run)
    lost = (cd * run._plant.elastic.damping(c, cd)).sum(axis=1)
    return 0.5 * (lost[1:] + lost[:-1]) * np.diff(run.time)


def test_loops_that_open_are_told(undamped):
    """Steps that are asked for and too long to keep them closed, though not to go on."""
    run = quiet(undamped, [0.0], qd0=[55.0], until=0.1, integrator="rk4")
    told = r"loops open by \S+ m or rad, at \S+ s: beyond 1e-06 a smaller dt or tolerance is needed"
    assert any(re.fullmatch(told, note) for note in run.notes)


STICKS = (
    "'bending-fourbar' has loops, links that bend and dry friction, which sticks; two of them go together: "
    "drives=False leaves friction out, or elastic=False"
)
WORDS = ", ".join(f"{link}.mode{k + 1}" for link in ("coupler", "rocker") for k in range(MODES))
BAD = [
    ({"arm": driven(friction=", coulomb = 0.01")}, STICKS),
    (
        {"integrator": "symplectic"},
        "symplectic does not know forces of loops, which 'bending-fourbar' has while it bends; "
        "integrator='rk4', 'dormand-prince' or 'rosenbrock'",
    ),
    ({"eta0": np.zeros(3)}, f"eta0 has shape (3,); what bends here: {WORDS}: give (..., 8)"),
    (
        {"eta0": np.full(8, 3.0)},
        "the loops of 'bending-fourbar' do not close near eta0; leave eta0 out, or bend it less",
    ),
    ({"by": "composite"}, "by='composite' is for rigid links; leave by out, or elastic"),
]


@pytest.mark.parametrize(("given", "told"), BAD, ids=[told.split(";")[0] for _, told in BAD])
def test_bad_requests(undamped, given, told):
    with pytest.raises((ShapeError, TorsorError, Unsupported)) as error:
        quiet(given.pop("arm", undamped), [0.0], **{"until": 0.1} | given)
    assert str(error.value) == told
