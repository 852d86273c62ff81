"""Links that bend and joints that give way in the simulator: oracles, energy, limits, and all that simulations have."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import torsor
from elastic_arms import two_bars
from torsor.algebra.functions import less, select
from torsor.elastic.elastic_equations import ElasticEquations
from torsor.errors import ShapeError, Unsupported
from torsor.simulation import Buffers, ContactSpring, Event, Sampled, SimulationNotice, parameter

ORACLES = json.loads((Path(__file__).parent.parent / "oracles" / "elastic.json").read_text())
START = np.array([-0.4, 0.7])
HELD = {"elastic": True, "limits": "ignore"}


def quiet(arm, law, **given):
    """A run whose notes are read where they matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        return torsor.simulate(arm, law, **HELD | given)


def pd(arm, Kp=(60.0, 30.0), Kd=(6.0, 3.0), goal=START):
    return lambda t, q, qd: arm.gravity(q) + np.array(Kp) * (np.array(goal) - q) - np.array(Kd) * qd


def test_two_links_swing_as_elsewhere():
    """Exudyn's tip, 8 ANCF elements a link, of the shared oracles: 1e-4 m over two seconds."""
    arm, oracle = torsor.load("elastic-arm2"), ORACLES["two_link_elastic_arm"]

    def torques(t, q, qd):
        s = select(less(t, 1.0), np.sin(2.0 * np.pi * t), 0.0)
        return np.array([2.0 * s, -0.6 * s])

    run = torsor.simulate(arm, torques, q0=[0.0, 0.0], until=2.0, dt=5e-4, **HELD)
    assert run.integrator == "rk4"
    for t, tip in oracle["tip_xy"].items():
        k = round(float(t) / 5e-4)
        place = arm.pose(run.q[k])[:2, 3] + run.tip[k, :2]
        np.testing.assert_allclose(place, tip, atol=1e-4)
    np.testing.assert_allclose(run.energy[2000:], oracle["energy_after_1_s_lab_page_3_modes"], rtol=1e-4)


def test_energy_stays():
    """1e-9 over ten seconds: weight, motion, springs, bent links and rotors, that give and take."""
    given = {"q0": START, "until": 10.0, "every": 100, "integrator": "dormand-prince", "tolerance": 1e-12}
    run = torsor.simulate(two_bars(drives=True), np.zeros(2), **HELD, **given)
    scale = run.kinetic.max()
    assert scale > 0.1
    np.testing.assert_allclose(run.energy, run.energy[0], atol=1e-9 * scale)
    assert run.strain_energy.max() > 1e-4 * scale
    assert (run.strain_energy >= 0.0).all()


@pytest.mark.parametrize(
    "friction", ['{ side = "motor", viscous = 2e-4 }', '{ side = "motor", viscous = 2e-4, coulomb = 5e-3, load = 0.1 }']
)
def test_work_goes_somewhere(friction):
    """Energy changes by what motors give, less what friction and damping take."""
    arm = two_bars(drives=True, damping=0.01, damper=0.3, friction=friction)
    dt, dry = 1e-4, "coulomb" in friction
    law = pd(arm, goal=START + np.array([0.5, -0.4]))
    run = quiet(arm, law, q0=START, until=0.5, dt=dt, torques="joint", integrator="rk4")
    at = run._plant.elastic
    x, xd = np.hstack([run.q, run.eta]), np.hstack([run.qd, run.etad])
    lost = np.einsum("ti,ij,tj->t", xd, at.arm.D, xd) + 2e-4 * (run.rates**2).sum(axis=1)
    if dry:
        pulled = np.array([at.passed_on(*each)[j] for each in zip(x, xd, strict=True) for j in (0, 1)]).reshape(-1, 2)
        load = np.linalg.solve(arm.drives.N().T, pulled.T).T
        lost += ((5e-3 + 0.1 * np.abs(load)) * np.abs(run.rates)).sum(axis=1)
        assert run.stuck.any()
    power = (run.tau * run.rates).sum(axis=1) - lost
    simpson = dt / 3.0 * (power[:-2:2] + 4.0 * power[1:-1:2] + power[2::2])
    work = np.concatenate([[0.0], np.cumsum(simpson)])
    change = run.energy[::2] - run.energy[0]
    # Simpson's rule and rk4 err by h^4; friction that stops and starts leaves kinks of h^2 in the power
    np.testing.assert_allclose(change, work, atol=(1e-5 if dry else 1e-9) * np.abs(change).max())
    assert lost.sum() * dt > 0.01 * np.abs(change).max()


def test_stiff_arms_move_as_rigid_ones():
    """The difference falls with 1/stiffness, to 1e-8; what swings fast is damped, so that it does not hide that."""
    rigid = torsor.simulate(two_bars(), [0.3, 0.1], q0=START, until=0.3, limits="ignore")
    apart, torque_apart = [], []
    for stiffer in (1e4, 1e7):  # the bars are soft: 35 mrad apart as they are
        arm = two_bars(damping=0.5, stiffer=stiffer)
        run = quiet(arm, [0.3, 0.1], q0=START, until=0.3, integrator="rosenbrock", tolerance=1e-11)
        apart.append(np.abs(run.q - rigid.q).max())
        at = run._plant.elastic
        x, xd = np.hstack([run.q, run.eta])[-1], np.hstack([run.qd, run.etad])[-1]
        torques = at.inverse_dynamics(x, xd, at.forward_dynamics(x, xd, [0.3, 0.1, 0, 0], at.gravity), at.gravity)
        torque_apart.append(np.abs(arm.inverse_dynamics(run.q[-1], run.qd[-1], run.qdd[-1]) - torques[:2]).max())
    assert apart[0] / apart[1] == pytest.approx(1e3, rel=1e-2)
    assert apart[1] < 1e-8
    assert 0.3e3 < torque_apart[0] / torque_apart[1] < 3e3


def test_at_rest_it_hangs():
    """Torques that hold it leave it where it hangs: what K eta balances, and what statics say of the tool."""
    arm = two_bars(modes=2)
    at = ElasticEquations.of(arm.elastic, arm.model)
    first = quiet(arm, np.zeros(2), q0=START, until=1e-3)
    x, still = np.concatenate([START, first.eta[0]]), np.zeros(6)
    held = at.inverse_dynamics(x, still, still, at.gravity)
    np.testing.assert_allclose(held[2:], 0.0, atol=1e-12 * np.abs(held).max())
    run = quiet(arm, held[:2], q0=START, until=0.5)
    np.testing.assert_allclose(run.q, START + 0.0 * run.q, atol=1e-10)
    np.testing.assert_allclose(run.eta, first.eta[:1] + 0.0 * run.eta, atol=1e-10)
    # two modes of a link, and weight that follows what it bends: not quite the statics of small loads
    # (a bent bar is shorter, too, which small loads do not see)
    small = arm.elastic.deflection(START, drives="locked").tool[:2]
    np.testing.assert_allclose(run.tip[-1, :2], small, atol=0.05 * np.linalg.norm(small))
    # springs on rotors hang, too
    sprung = two_bars(modes=2, drives=True, spring=200.0)
    hung = quiet(sprung, np.zeros(2), q0=START, until=1e-3)
    assert hung.eta_names[:2] == ("joint1.spring", "joint2.spring")
    small = sprung.elastic.deflection(START, drives="held").tool[:2]
    np.testing.assert_allclose(hung.tip[0, :2], small, atol=0.05 * np.linalg.norm(small))


def test_a_start_that_is_given():
    arm = two_bars()
    for word in ({"eta0": np.zeros(2)}, {"eta0": [0.01, 0.0], "etad0": [0.0, 0.2]}):
        run = quiet(arm, np.zeros(2), q0=START, until=0.01, **word)
        np.testing.assert_array_equal(run.eta[0], word["eta0"])
        np.testing.assert_array_equal(run.etad[0], word.get("etad0", np.zeros(2)))
    runs = quiet(arm, np.zeros(2), q0=START, until=0.01, eta0=0.001 * np.arange(6.0).reshape(3, 2))
    assert runs.q.shape == (3, 11, 2)
    assert runs.eta.shape == (3, 11, 2)
    assert runs.tip.shape == (3, 11, 6)


def test_symplectic_steps_are_damped():
    arm = two_bars(damping=0.05)
    given = {"q0": START, "until": 0.2, "etad0": [0.1, 0.0]}
    right = quiet(arm, np.zeros(2), dt=1e-4, every=10, integrator="rk4", **given)
    errors = []
    for dt in (1e-3, 5e-4):
        run = quiet(arm, np.zeros(2), dt=dt, every=round(1e-3 / dt), integrator="symplectic", **given)
        errors.append(np.abs(np.hstack([run.q - right.q, run.eta - right.eta])).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


@pytest.mark.slow
def test_integrators_agree():
    """Each with its order."""
    arm = two_bars(damping=0.02, drives=True, damper=0.2)
    law = pd(arm)
    common = {"q0": START + 0.1, "until": 0.1, "torques": "joint"}
    right = quiet(arm, law, integrator="dormand-prince", tolerance=1e-12, **common)

    def error(name, dt):
        run = quiet(arm, law, integrator=name, dt=dt, every=round(1e-3 / dt), **common)
        return np.abs(np.hstack([run.q - right.q, run.eta - right.eta])).max()

    assert quiet(arm, law, integrator="rosenbrock", tolerance=1e-9, **common).q[-1] == pytest.approx(
        right.q[-1], abs=1e-8
    )
    coarse = {"rk4": (4, 2e-4), "rosenbrock": (4, 2e-4), "symplectic": (2, 1e-4), "semi-implicit-euler": (1, 2e-5)}
    for name, (order, dt) in coarse.items():
        first, second = error(name, dt), error(name, dt / 2.0)
        assert np.log2(first / second) == pytest.approx(order, abs=0.3), name
    assert error("euler", 1e-5) < 1e-3


def test_the_step_is_chosen_for_what_swings():
    arm = two_bars(modes=2, damping=0.01)
    with pytest.warns(SimulationNotice, match="steps of rk4 are made for each dt of 0.01 s"):
        run = torsor.simulate(arm, np.zeros(2), q0=START, until=0.5, dt=0.01, **HELD)
    assert re.search(r"^the loop is stiff: a pole at -?\d.*i 1/s asks rk4 for steps below", run.notes[0])
    fine = quiet(arm, np.zeros(2), q0=START, until=0.5, dt=1e-4, every=100)
    np.testing.assert_allclose(run.q, fine.q, atol=1e-3)  # the fastest mode is not followed, the others are
    assert quiet(arm, np.zeros(2), q0=START, until=0.1, dt=0.01, tolerance=1e-8).integrator == "dormand-prince"
    stiff = quiet(two_bars(damping=0.5, stiffer=1e8), np.zeros(2), q0=START, until=0.1, dt=0.01)
    assert stiff.integrator == "rosenbrock"
    assert stiff.notes[0].endswith(
        "it is stepped by the implicit rosenbrock, which damps what is faster than its steps"
    )
    with pytest.raises(Unsupported) as error:
        quiet(arm, np.zeros(2), q0=START, until=0.5, dt=0.01, integrator="rk4")
    told = r"dt = 0\.01 s is too long for rk4 and 'lower\.mode2', which swings at \d+\.?\d* Hz; dt of \d\S* s or less, "
    assert re.fullmatch(told + "or leave integrator out, which chooses for you", str(error.value))
    with pytest.raises(
        Unsupported, match=r"^dt = 0\.01 s is too long for what swings in 'elastic-arm2', with a pole at"
    ):
        quiet(two_bars(stiffer=1e8), Sampled(pd(arm), period=0.01), q0=START, until=0.1, dt=0.01)


def test_motors_at_their_limits_hide_no_stiffness():
    """Behind bent links a joint without a rotor is light: the damping that a motor at its limit does not give is stiff.

    Explicit steps that do not know of it end in a false equilibrium, far from where the joint goes.
    """
    arm, goal = two_bars(damping=0.02, limit=3.0), START + np.array([0.0, -0.2])
    law = pd(arm, (200.0, 100.0), (20.0, 10.0), goal)
    run = quiet(arm, law, q0=START, until=0.6, dt=2e-3)
    assert run.saturated[0, 1]
    assert float(re.search(r"a pole at -(\S+) 1/s", run.notes[0])[1]) > 1e3
    fine = quiet(arm, law, q0=START, until=0.6, dt=2e-5, every=100, integrator="rk4")
    np.testing.assert_allclose(run.q, fine.q, atol=1e-4)
    np.testing.assert_allclose(run.q[-1], goal, atol=0.06)


def test_links_that_bend_too_far():
    with pytest.warns(SimulationNotice, match=r"^lower bends by 0.\d+ m at \(1, 0, 0\) m, \d+ %"):
        run = torsor.simulate(two_bars(), [0.0, 0.0], q0=START, eta0=[0.0, 0.2], until=0.01, **HELD)
    assert re.fullmatch(
        r"lower bends by \S+ m at \(1, 0, 0\) m, \d+ % of its length: too much for .* \(at \S+ s\)", run.notes[-1]
    )


def test_all_that_simulations_have():
    """Sampled controllers, events, buffers, tables, rollouts with parameters, all as for rigid arms."""
    arm = two_bars(damping=0.02, drives=True, damper=0.2)
    common = {"q0": START, "until": 0.3, "torques": "joint"}
    Kp = parameter("Kp")

    def law(t, q, qd):
        return arm.gravity(q) + Kp * np.array([1.0, 0.5]) * (START + 0.2 - q) - np.array([6.0, 3.0]) * qd

    runs = quiet(
        arm, law, parameters={"Kp": np.array([40.0, 60.0, 80.0]), "payload": np.array([0.5, 0.5, 1.0])}, **common
    )
    one = quiet(arm, law, parameters={"Kp": 60.0, "payload": 0.5}, **common)
    np.testing.assert_allclose(runs[1].q, one.q, atol=1e-9)
    np.testing.assert_allclose(runs.strain_energy[1], one.strain_energy, atol=1e-9)
    # what the arm holds is what the payload says, bent modes included
    held = quiet(arm, pd(arm, (60.0, 30.0), (6.0, 3.0), START + 0.2), **common)
    np.testing.assert_allclose(held.q, one.q, atol=1e-9)
    with_event = quiet(
        arm, pd(arm, goal=START + 0.2), events=[Event("half", lambda t, q, qd: q[0] - START[0] - 0.1)], **common
    )
    assert [event.name for event in with_event.events] == ["half"]
    sampled = quiet(arm, Sampled(pd(arm, goal=START + 0.2), period=1e-3), **common)
    np.testing.assert_allclose(sampled.q[-1], with_event.q[-1], atol=2e-3)
    soft = quiet(arm, pd(arm, goal=START + 0.2), limits=Buffers(100.0), **common)
    np.testing.assert_allclose(soft.q, with_event.q, atol=1e-9)
    alone = quiet(arm, np.zeros(2), drives=False, q0=START, until=0.1)
    assert alone.notes[0] == (
        "left out in motion: joint1.spring, joint2.spring; no rotor stands behind, so that torques only pass through"
    )
    columns = one.table()
    assert {"eta_joint1.spring", "eta_upper.mode1", "tip_x", "tip_rz", "energy"} <= set(columns)


def test_a_wall_is_met_where_the_bent_tool_is():
    arm = two_bars(gravity=0.0, damping=0.1)
    q0 = np.array([0.0, 0.0])
    eta = np.array([0.03, 0.02])  # bent to one side
    wall = ContactSpring([0, -1, 0], -0.005, 1e3)
    bent = quiet(arm, np.zeros(2), q0=q0, eta0=eta, until=0.01, wrench=wall)
    place = arm.pose(bent.q)[:, :3, 3] + bent.tip[:, :3]
    assert place[0, 1] > 0.005 > arm.pose(q0)[1, 3]
    free = quiet(arm, np.zeros(2), q0=q0, eta0=eta, until=0.01)
    pushed = bent.qdd[0] - free.qdd[0]
    at = bent._plant.elastic
    x = np.concatenate([q0, eta])
    force = np.array([0.0, -1e3 * (place[0, 1] - 0.005), 0, 0, 0, 0])
    right = np.linalg.solve(
        at.mass_matrix(x),
        -at.inverse_dynamics(x, 0 * x, 0 * x, at.gravity, force) + at.inverse_dynamics(x, 0 * x, 0 * x, at.gravity),
    )
    np.testing.assert_allclose(pushed, right[:2], atol=1e-11 * np.abs(right).max())


MODES = "upper.mode1, lower.mode1"
BAD = [
    ({"elastic": "yes"}, "elastic is 'yes'; True lets links bend and joints give way, or False"),
    ({"elastic": False, "eta0": [0.0] * 2}, "eta0 is for elastic=True; nothing bends in this run"),
    ({"eta0": [0.0] * 3}, f"eta0 has shape (3,); what bends here: {MODES}: give (..., 2)"),
    ({"etad0": [0.0, np.nan]}, "etad0 is [ 0. nan]; (2,) finite, or (N, 2)"),
    (
        {"eta0": np.zeros((3, 2)), "q0": np.zeros((2, 2))},
        "rollouts do not agree: q0 for 2, eta0 for 3; one number of rollouts for all",
    ),
    ({"by": "composite"}, "by='composite' is for rigid links; leave by out, or elastic"),
    (
        {"inertia": two_bars().parameters},
        "inertia as parameters is for rigid links; payload= works; else change the arm file",
    ),
]


@pytest.mark.parametrize(("given", "told"), BAD, ids=[told.split(";")[0] for _, told in BAD])
def test_bad_requests(given, told):
    with pytest.raises((ShapeError, Unsupported)) as error:
        quiet(two_bars(), np.zeros(2), **{"q0": START, "until": 0.1} | given)
    assert str(error.value) == told


def test_arms_that_do_not_bend_yet():
    with pytest.raises(Unsupported, match=r"^'planar2' has no elastic links or joints; describe them with"):
        torsor.simulate(torsor.load("planar2"), np.zeros(2), q0=[0, 0], until=0.1, elastic=True)
    run = torsor.simulate(torsor.load("planar2"), np.zeros(2), q0=[0, 0], until=0.1)
    with pytest.raises(Unsupported, match=r"^nothing bends in this run; simulate with elastic=True$"):
        _ = run.eta
    assert run.eta_names == ()
    assert not run.strain_energy.any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ur5-elastic", "rl15-elastic"])
def test_real_arms_come_to_rest_where_statics_have_them(name):
    """Under a law, with motors, load friction and springs on rotors where there are some."""
    arm = torsor.load(name)
    goal = np.array([0.3, -0.9, 1.2, -0.4, 0.5, 0.2])
    Kp = np.array([2000, 2000, 1500, 300, 300, 100.0] if name == "ur5-elastic" else [3e4, 4e4, 2e4, 3e3, 2e3, 500.0])
    law = torsor.control.pd_gravity(arm, Kp, 0.15 * Kp, goal)
    run = quiet(arm, law, q0=goal + 0.05, until=2.0)
    assert run.stopped is None
    np.testing.assert_allclose(run.q[-1], goal, atol=6e-3)
    held = "locked" if name == "ur5-elastic" else "held"
    small = arm.elastic.deflection(run.q[-1], drives=held).tool
    np.testing.assert_allclose(run.tip[-1, :3], small[:3], atol=0.02 * np.linalg.norm(small[:3]))
    if name == "rl15-elastic":
        assert run.stuck[-1].any()
        assert run.notes[0].startswith("the loop is stiff")


@pytest.mark.slow
def test_heavy_rotors_leave_the_frequencies_of_held_drives():
    """The plant, linearised: rotors too heavy to move, on the base, leave what springs and links do behind them."""
    from dataclasses import replace

    from torsor.arm import Arm
    from torsor.model.beams import BeamDamping
    from torsor.model.parts import BASE, DriveFriction
    from torsor.simulation.stiffness import poles

    model = torsor.load("rl15-elastic").model
    heavy = tuple(
        replace(drive, rotor_inertia=1e9 * drive.rotor_inertia, carrier=BASE, damping=0.0, friction=DriveFriction())
        for drive in model.drives
    )
    links = tuple(
        link if link.beam is None else replace(link, beam=replace(link.beam, damping=BeamDamping(0.0)))
        for link in model.links
    )
    arm = Arm(replace(model, drives=heavy, links=links, gravity=np.zeros(3)))
    q = np.random.default_rng(5).uniform(-1.0, 1.0, 6)
    plant = torsor.Simulation(arm, np.zeros(6), **HELD).plant()
    y = plant.state(np.concatenate([q, np.zeros(16)]), np.zeros(22), np.zeros(0))
    found = np.sort(np.abs(poles(plant, np.zeros(1), y, np.zeros(1), np.zeros(6), np.zeros(0)).imag))[12::2]
    np.testing.assert_allclose(found / (2.0 * np.pi), arm.elastic.frequencies(q, drives="held"), rtol=1e-5)
