"""A simulation is a value: it is what was traced when it was made, and whoever changes a gain gets the new gain."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

import torsor
from torsor import control
from torsor.errors import ShapeError, Unsupported
from torsor.simulation import (
    Buffers,
    ContactSpring,
    Encoder,
    Event,
    FilteredDifference,
    Sampled,
    Setting,
    Simulation,
    SimulationNotice,
    dormand_prince,
    parameter,
    simulating,
)
from torsor.simulation.setting import SettingWords

ARM = torsor.load("planar2")
START = {"q0": [0.5, -0.2], "until": 0.2}


def pd(Kp=50.0, Kd=20.0):
    return lambda t, q, qd: ARM.gravity(q) - Kp * q - Kd * qd


class Integrating:
    """A law with a state, some gains and a start of its own."""

    states = 2

    def __init__(self, Ki=30.0, start=0.0):
        self.Ki, self.start = Ki, start

    def initial_state(self, q0, qd0):
        return self.start * q0

    def __call__(self, t, q, qd, x):
        return ARM.gravity(q) - 50.0 * q - 20.0 * qd - self.Ki * x, q

    def lyapunov(self, t, q, qd, x):
        return 0.5 * self.Ki * (x @ x)


def only_numbers(gain):
    return lambda t, q, qd: ARM.gravity(q) - gain[0] * q - (20.0 if float(qd[0]) < 9.0 else 0.0) * qd


# who changes something gets what was changed


def test_the_first_snippet_of_the_docs_run_again_with_other_gains():
    arm = torsor.load("irb140")
    reference = np.array([np.pi / 2, 0, -np.pi / 2, np.pi, np.pi / 2, -np.pi])
    Kp, Kd = np.array([50, 50, 50, 50, 50, 60]), np.array([20, 20, 20, 20, 20, 22])

    def law(t, q, qd):
        return arm.gravity(q) + Kp * (reference - q) - Kd * qd

    def settled(how):
        with pytest.warns(SimulationNotice, match="stiff"):
            return torsor.simulate(arm, how, q0=np.zeros(6), until=2.5).settling_time(reference, 0.02)[3]

    assert settled(law) == pytest.approx(1.979)
    Kp = 4 * Kp
    assert settled(law) == pytest.approx(0.421)
    assert settled(lambda t, q, qd: law(t, q, qd)) == pytest.approx(0.421)


def test_a_gain_that_is_set():
    law = control.pd_gravity(ARM, 50.0, 20.0, [0.0, 0.0])
    before = torsor.simulate(ARM, law, **START).q
    law.Kp = 20.0 * law.Kp
    after = torsor.simulate(ARM, law, **START).q
    assert np.abs(after - before).max() > 0.1
    np.testing.assert_array_equal(after, torsor.simulate(ARM, pd(Kp=1000.0), **START).q)


def test_a_gain_that_is_written_into():
    """Not even the array is another one."""
    Kp = np.array([50.0, 50.0])
    law = pd(Kp)
    sim, before = Simulation(ARM, law), torsor.simulate(ARM, law, **START).q
    Kp *= 4.0
    np.testing.assert_array_equal(torsor.simulate(ARM, law, **START).q, torsor.simulate(ARM, pd(200.0), **START).q)
    np.testing.assert_array_equal(sim.run(**START).q, before)


def test_a_wrench_that_changes():
    force = [0.0]
    given = {"wrench": lambda t: np.array([force[0], 0, 0, 0, 0, 0]), **START}
    before = torsor.simulate(ARM, [0.0, 0.0], **given).q
    force[0] = 50.0
    after = torsor.simulate(ARM, [0.0, 0.0], **given).q
    assert np.abs(after - before).max() > 0.1
    held = {"wrench": [50.0, 0, 0, 0, 0, 0], **START}
    np.testing.assert_array_equal(after, torsor.simulate(ARM, [0.0, 0.0], **held).q)


@pytest.mark.parametrize("integrator", ["rk4", "dormand-prince"])
def test_an_event_that_changes(integrator):
    level = [0.45]
    low = Event("low", lambda t, q, qd: q[0] - level[0])
    options = {"events": [low], "integrator": integrator, **START}
    first = torsor.simulate(ARM, pd(), **options).events[0]
    level[0] = 0.4
    second = torsor.simulate(ARM, pd(), **options).events[0]
    assert first.q[0] == pytest.approx(0.45, abs=1e-12)
    assert second.q[0] == pytest.approx(0.4, abs=1e-12)


def test_a_law_that_is_called():
    gain = [50.0]
    law = only_numbers(gain)
    with pytest.warns(SimulationNotice, match="cannot be traced"):
        before = torsor.simulate(ARM, law, **START)
    gain[0] = 200.0
    with pytest.warns(SimulationNotice, match="cannot be traced"):
        after = torsor.simulate(ARM, law, **START)
    np.testing.assert_allclose(before.q, torsor.simulate(ARM, pd(50.0), **START).q, atol=1e-12)
    np.testing.assert_allclose(after.q, torsor.simulate(ARM, pd(200.0), **START).q, atol=1e-12)
    np.testing.assert_allclose(after.tau[5], torsor.simulate(ARM, pd(200.0), **START).tau[5], atol=1e-9)


@pytest.mark.parametrize("around", [lambda law: law, lambda law: Sampled(law, period=2e-3)], ids=["plain", "sampled"])
def test_states_and_where_they_start(around):
    law = Integrating(Ki=30.0, start=0.0)
    seen = [torsor.simulate(ARM, around(law), **START).q]
    law.Ki = 300.0
    seen.append(torsor.simulate(ARM, around(law), **START).q)
    law.start = 5.0
    seen.append(torsor.simulate(ARM, around(law), **START).q)
    for q, Ki, start in zip(seen, (30.0, 300.0, 300.0), (0.0, 0.0, 5.0), strict=True):
        np.testing.assert_array_equal(q, torsor.simulate(ARM, around(Integrating(Ki, start)), **START).q)
    assert np.abs(seen[0] - seen[1]).max() > 1e-3
    assert np.abs(seen[1] - seen[2]).max() > 1e-3


def test_torques_that_are_written_into():
    torque = np.zeros(2)
    sim = Simulation(ARM, torque)
    before = sim.run(**START).q
    torque[:] = 30.0
    assert np.abs(torsor.simulate(ARM, torque, **START).q - before).max() > 0.1
    np.testing.assert_array_equal(sim.run(**START).q, before)


# a simulation stays what it was


def test_it_is_what_was_traced_when_it_was_made():
    """Also what is traced later: torques along the run, lanes of rollouts, another payload."""
    law = Integrating(start=1.0)
    level, force = [0.45], [3.0]
    low = Event("low", lambda t, q, qd: q[0] - level[0])

    def make():
        return Simulation(ARM, law, events=[low], wrench=lambda t: np.array([force[0], 0, 0, 0, 0, 0]))

    kept = make()
    first = make().run(**START)
    law.Ki, law.start, level[0], force[0] = 500.0, 4.0, 0.4, 40.0
    again = kept.run(**START)
    for name in ("q", "qd", "tau", "qdd", "energy", "x"):
        np.testing.assert_array_equal(getattr(again, name), getattr(first, name))
    assert [event.time for event in again.events] == [event.time for event in first.events]
    for more in ({"payload": 2.0}, {"q0": np.full((3, 2), 0.3)}):
        assert np.abs(kept.run(**START | more).q - make().run(**START | more).q).max() > 1e-3
    assert kept != make()
    with pytest.raises(FrozenInstanceError):
        kept.law = law


def test_v_is_refused_of_a_law_that_has_changed_since():
    law = Integrating(start=1.0)
    run, other = (torsor.simulate(ARM, law, **START) for _ in range(2))
    assert run.lyapunov[-1] == pytest.approx(15.0 * (run.x[-1] @ run.x[-1]))
    law.Ki = 90.0
    with pytest.raises(Unsupported, match="has changed since this run"):
        _ = other.lyapunov


def test_a_law_that_is_called_is_told_of_once():
    with pytest.warns(SimulationNotice, match="cannot be traced"):
        sim = Simulation(ARM, only_numbers([50.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runs = [sim.run(**START) for _ in range(2)]
    np.testing.assert_array_equal(runs[0].q, runs[1].q)
    assert "cannot be traced" in runs[0].notes[0]


# keyed by content

Kp = parameter("Kp")
BASE = {"law": pd(), "arm": ARM}
NOISY = {"law": Sampled(pd(), encoder=Encoder(noise=1e-3))}
OTHERS = {
    "arm": {"arm": torsor.load("scara"), "law": np.zeros(4)},
    "arm, its payload": {"arm": ARM.with_payload(1.0)},
    "law, a gain": {"law": pd(51.0)},
    "law, a damping": {"law": pd(Kd=21.0)},
    "law, a parameter instead of a number": {"law": pd(Kp)},
    "law, held": {"law": [0.0, 0.0]},
    "law, held otherwise": {"law": [0.0, 1.0]},
    "law, a table": {"law": np.zeros((200, 2))},
    "law, states": {"law": Integrating()},
    "law, a gain of the states": {"law": Integrating(Ki=31.0)},
    "law, the start of the states": {"law": Integrating(start=1.0)},
    "sampled": {"law": Sampled(pd())},
    "sampled, period": {"law": Sampled(pd(), period=2e-3)},
    "sampled, delay": {"law": Sampled(pd(), delay=1e-3)},
    "sampled, resolution": {"law": Sampled(pd(), encoder=Encoder(resolution=1e-3))},
    "sampled, noise": NOISY,
    "sampled, seed": {"law": Sampled(pd(), encoder=Encoder(noise=1e-3, seed=1))},
    "sampled, velocity": {"law": Sampled(pd(), velocity=FilteredDifference(50.0))},
    "sampled, cutoff": {"law": Sampled(pd(), velocity=FilteredDifference(51.0))},
    "wrench": {"wrench": [1.0, 0, 0, 0, 0, 0]},
    "wrench, another": {"wrench": lambda t: [t, 0, 0, 0, 0, 0]},
    "wrench, a wall": {"wrench": ContactSpring([-1, 0, 0], -0.6, 2e4)},
    "wrench, a softer wall": {"wrench": ContactSpring([-1, 0, 0], -0.6, 1e4)},
    "event": {"events": [Event("low", lambda t, q, qd: q[0] - 0.4)]},
    "event, level": {"events": [Event("low", lambda t, q, qd: q[0] - 0.45)]},
    "event, name": {"events": [Event("lower", lambda t, q, qd: q[0] - 0.4)]},
    "event, direction": {"events": [Event("low", lambda t, q, qd: q[0] - 0.4, direction=-1)]},
    "event, stop": {"events": [Event("low", lambda t, q, qd: q[0] - 0.4, stop=True)]},
    "inertia": {"inertia": 1.1 * ARM.parameters},
    "inertia, a parameter": {"inertia": ARM.parameters * parameter("share")},
    "drives": {"drives": False},
    "torques": {"torques": "joint"},
    "saturation": {"saturation": False},
    "gravity": {"gravity": [0.0, 0.0, -1.6]},
    "limits": {"limits": "report"},
    "limits, buffers": {"limits": Buffers(100.0)},
    "limits, softer buffers": {"limits": Buffers(90.0)},
    "by": {"by": "newton-euler"},
    "arm, elastic": {"arm": torsor.load("elastic-arm2")},
    "elastic": {"arm": torsor.load("elastic-arm2"), "elastic": True},
    "integrator": {"integrator": "rk4"},
    "integrator, another": {"integrator": "dormand-prince"},
    "tolerance": {"integrator": "dormand-prince", "tolerance": 1e-7},
}


def made(**changed):
    given = BASE | changed
    return Simulation(given.pop("arm"), given.pop("law"), **given)


def test_whatever_a_simulation_depends_on_is_in_its_key():
    keys = {"nothing": made().key} | {word: made(**changed).key for word, changed in OTHERS.items()}
    assert len(set(keys.values())) == len(keys)
    tried = {word.split(",")[0] for word in OTHERS}
    assert {each.name for each in fields(Setting)} <= tried
    assert set(SettingWords.__annotations__) == {each.name for each in fields(Setting)}


@pytest.mark.parametrize("word", ["arm, its payload", "law, a gain", "sampled, noise", "wrench, a wall", "event", "by"])
def test_the_same_content_is_the_same_simulation(word):
    """Other objects, and an arm that was read again."""
    again = {
        "arm, its payload": {"arm": torsor.load("planar2").with_payload(1.0)},
        "law, a gain": {"law": pd(50.0 + 1.0)},
        "sampled, noise": {"law": Sampled(pd(), encoder=Encoder(noise=1e-3))},
        "wrench, a wall": {"wrench": [ContactSpring([-2, 0, 0], -0.6, 2e4)]},
        "event": {"events": Event("low", lambda t, q, qd: q[0] - 0.4)},
        "by": {"by": "newton-euler"},
    }
    a, b = made(**OTHERS[word]), made(**again[word])
    assert a == b
    assert hash(a) == hash(b)
    assert a.plant() is b.plant()


def test_a_law_that_is_called_equals_itself_alone():
    law = only_numbers([50.0])
    with pytest.warns(SimulationNotice):
        a, b = Simulation(ARM, law), Simulation(ARM, law)
    assert a == a
    assert a != b


@pytest.mark.parametrize(
    "changed",
    [
        {"q0": [0.4, -0.2]},
        {"qd0": [0.1, 0.0]},
        {"dt": 2e-3},
        {"payload": 1.0},
        {"payload": [(0.1, 1.0)]},
        {"parameters": {"Kp": 60.0}},
        {"parameters": {"payload": 1.0, "Kp": 50.0}},
        {"schedule": {"Kp": ([0.0, 0.1], [50.0, 60.0])}, "parameters": {}},
    ],
    ids=str,
)
def test_what_a_run_is_given_counts_in_that_run(changed):
    sim = Simulation(ARM, pd(Kp), integrator="rk4")
    given = {"parameters": {"Kp": 50.0}, **START}
    before, other, after = (sim.run(**each) for each in (given, given | changed, given))
    assert np.abs(other.q[-1] - before.q[-1]).max() > 1e-12
    np.testing.assert_array_equal(after.q, before.q)


def test_the_same_again_is_not_traced_again(monkeypatch):
    """By content: other objects, torques that are held at other values, an arm that was read again."""
    torsor.simulate(ARM, pd(), **START)
    torsor.simulate(ARM, [0.0, 0.0], **START)
    traced = []
    monkeypatch.setattr(simulating, "Plant", lambda *given, **named: traced.append(given))
    monkeypatch.setattr(simulating, "stepper_of", lambda *given: traced.append(given))
    torsor.simulate(torsor.load("planar2"), pd(), q0=[0.1, 0.1], until=0.1, every=2)
    torsor.simulate(ARM, [0.0, 1.0], **START)
    assert not traced


def test_what_is_kept_is_bounded():
    for k in range(2 * simulating._PLANTS.most):
        made(law=pd(60.0 + k)).plant()
    assert len(simulating._PLANTS._made) == simulating._PLANTS.most


# other arms


def test_inertia_instead_of_the_arms_own():
    heavy = ARM.with_payload(1.5)
    a = Simulation(ARM, pd(), inertia=heavy.parameters).run(**START)
    b = Simulation(heavy, pd()).run(**START)
    np.testing.assert_allclose(a.q, b.q, atol=1e-12)
    np.testing.assert_allclose(a.energy, b.energy, rtol=1e-12)
    share = parameter("share")
    both = Simulation(ARM, pd(), inertia=ARM.parameters + share * (heavy.parameters - ARM.parameters))
    runs = both.run(parameters={"share": [0.0, 1.0]}, **START)
    np.testing.assert_allclose(runs.q[1], b.q, atol=1e-12)
    np.testing.assert_allclose(runs.q[0], Simulation(ARM, pd()).run(**START).q, atol=1e-12)
    with pytest.raises(ShapeError, match=r"inertia has shape \(3,\); \(20,\)"):
        Simulation(ARM, pd(), inertia=np.zeros(3))


def test_functions_along_a_run():
    run = Simulation(ARM, pd(Kp)).run(parameters={"Kp": [40.0, 50.0]}, q0=[0.5, -0.2], until=0.05)
    places = run.along(lambda t, q, qd: ARM.pose(q)[:3, 3])
    np.testing.assert_allclose(places, ARM.pose(run.q)[..., :3, 3], atol=1e-14)
    np.testing.assert_allclose(run.along(lambda t, q, qd: Kp * t)[1], 50.0 * run.time)
    np.testing.assert_allclose(run.along(lambda t, q, qd: float(q[0])), run.q[..., 0])


def test_a_formulation_is_of_the_arm_as_it_is_described():
    """A payload that is a parameter would be left out."""
    sim = Simulation(ARM, pd(), by="newton-euler")
    with pytest.raises(Unsupported, match="by='newton-euler' is for the arm as it is described"):
        sim.run(payload=1.0, **START)
    with pytest.raises(Unsupported, match="arm as it is described"):
        Simulation(ARM, pd(), by="newton-euler", inertia=ARM.parameters).run(**START)


def test_a_sampled_law_begins_with_what_the_joints_do():
    """Friction sticks in coordinates of motors; a controller sees joints."""
    puma = torsor.load("puma560")
    q0, qd0 = np.array([0.3, 0.7, -0.4, 0.1, 0.2, 0.3]), np.array([0.1, -0.2, 0.3, 0.1, 0.2, -0.1])
    law = Sampled(lambda t, q, qd: 1e-4 * qd, velocity=FilteredDifference(50.0))
    run = torsor.simulate(puma, law, q0=q0, qd0=qd0, until=0.002, integrator="rk4")
    np.testing.assert_allclose(run.asked[0], 1e-4 * qd0, rtol=1e-12)


# nothing of a run is left behind


@pytest.fixture(scope="module")
def chattering():
    """An arm with dry friction whose elements stick and start again in every run."""
    arm = torsor.load("rl15")
    law = control.motor_side(arm, control.pd_gravity(arm, Kp=3000.0, Kd=300.0, reference=[0.1] * 6))
    return Simulation(arm, law, integrator="dormand-prince", limits="ignore")


def test_events_of_friction_are_counted_in_each_run(chattering, monkeypatch):
    given = {"q0": np.zeros(6), "until": 0.1}
    first = chattering.run(**given)
    monkeypatch.setattr(dormand_prince, "MOST_EVENTS", 20)
    for _ in range(40):
        np.testing.assert_array_equal(chattering.run(**given).q, first.q)
    monkeypatch.setattr(dormand_prince, "MOST_EVENTS", 0)
    for _ in range(2):
        with pytest.raises(Unsupported, match="more than 0 events by"):
            chattering.run(**given)


def test_threads_share_no_count(chattering, monkeypatch):
    given = {"q0": np.zeros((16, 6)), "until": 0.1}
    monkeypatch.setattr(dormand_prince, "MOST_EVENTS", 20)
    runs = chattering.run(threads=2, **given)
    for lane in runs.q[1:]:
        np.testing.assert_array_equal(lane, runs.q[0])


def test_what_a_law_raises_is_raised_in_its_own_thread():
    def law(t, q, qd):
        if float(q[0]) > 1.0:
            raise RuntimeError("too far")
        return 0.0 * q

    with pytest.warns(SimulationNotice):
        sim = Simulation(ARM, law, limits="ignore", gravity=[0.0, 0.0, 0.0], integrator="rk4")
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(sim.run, q0=[0.5, 0.0], qd0=[rate, 0.0], until=0.3) for rate in (0.0, 4.0) * 4]
    for k, call in enumerate(calls):
        if k % 2:
            with pytest.raises(RuntimeError, match="too far"):
                call.result()
        else:
            assert call.result().stopped is None
