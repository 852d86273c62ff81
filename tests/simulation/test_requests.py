"""What cannot be simulated is refused by name, before anything is traced or a memory is full."""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.algebra import sqrt
from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.model.parts import Limits
from torsor.simulation import Buffers, ContactSpring, Encoder, Event, Sampled, SimulationNotice, parameter

ARM = torsor.load("planar2")


def pd(t, q, qd):
    return ARM.gravity(q) - 50.0 * q - 20.0 * qd


class StartsWithout:
    """A law with a state of its own that starts from no number."""

    states = 1

    def __init__(self, start):
        self.state0 = np.array([start])

    def __call__(self, t, q, qd, x):
        return -q * x[0], np.array([0.0 * t])


def simulate(law=pd, **options):
    return torsor.simulate(ARM, law, **({"q0": [0.5, -0.2], "until": 0.02} | options))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"dt": 0.0}, "dt is 0.0; seconds, above zero"),
        ({"dt": -1e-3}, "dt is -0.001"),
        ({"dt": np.nan}, "dt is nan"),
        ({"dt": "1 ms"}, "dt is '1 ms'"),
        ({"until": None}, "until is None"),
        ({"until": np.inf}, "until is inf"),
        ({"until": 1e-4}, "until is 0.0001; at least one state"),
        ({"every": 2.5}, "every is 2.5; a whole number"),
        ({"every": 0}, "every is 0"),
        ({"every": True}, "every is True"),
        ({"integrator": "rk5"}, "did you mean 'rk4'"),
        ({"tolerance": 0.0}, "tolerance is 0.0"),
        ({"tolerance": "tight"}, "tolerance is 'tight'"),
        ({"tolerance": 1e-6, "integrator": "rk4"}, "rk4 steps by dt and has no tolerance"),
        ({"limits": None}, "limits is None"),
        ({"limits": "stopp"}, "did you mean 'stop'"),
        ({"threads": 0, "q0": np.zeros((2, 2))}, "threads is 0"),
        ({"q0": [np.nan, 0.0]}, "q0 holds something that is no number"),
        ({"q0": np.zeros((0, 2))}, r"q0 has shape \(0, 2\)"),
        ({"q0": np.zeros((3, 2)), "qd0": np.zeros((4, 2))}, "rollouts do not agree"),
        ({"gravity": [0.0, 0.0, np.nan]}, "gravity is"),
        ({"wrench": [np.nan] * 6}, "wrench is"),
        ({"wrench": lambda t: np.zeros(3)}, r"wrench gives \(3,\)"),
        ({"wrench": lambda t: np.ones(6) if t > 0.5 else np.zeros(6)}, "wrench cannot be traced"),
        ({"payload": "3 kg"}, "payload is '3 kg'; a mass in kg"),
        ({"payload": -1.0}, "payload is -1.0"),
        ({"payload": [(1.0, 2.0), (0.0, 1.0)]}, "rising times"),
        ({"payload": [1.0, 2.0, 3.0]}, r"parameters=\{'payload': masses\}"),
        ({"payload": 1.0, "parameters": {"payload": 2.0}}, "given twice"),
        ({"schedule": {"payload": ([0.0, 0.1], [0.0, np.nan])}}, "the schedule of payload holds"),
        ({"events": 3}, "events is 3"),
        ({"events": [lambda t, q, qd: q[0]]}, "is no event"),
        ({"events": [Event("low", lambda t, q, qd: q)]}, r"event 'low' gives values of shape \(2,\)"),
        ({"events": [Event("low", lambda t, q, qd: float(q[0]))]}, "event 'low' cannot be traced"),
        ({"law": lambda t, q: q}, r"the law takes \(t, q\); law\(t, q, qd\) -> torques"),
        ({"law": lambda t, q, qd: None}, "the law gives None"),
        ({"law": [np.nan, 0.0]}, "torque holds something that is no number"),
        ({"law": Sampled(pd, encoder=Encoder(resolution=[1e-3] * 3))}, r"resolution of the encoder has shape \(3,\)"),
        ({"until": 1e6}, r"1e\+09 states take .* GB .*; keep fewer, every="),
        (
            {"until": 1e9},
            r"there are 1e\+12 steps of dt = 0.001 s; at most 1e\+11: dt from 0.01 s on",
        ),
        ({"until": 1e9, "every": 10**12}, r"there are 1e\+12 steps"),
        ({"until": 1e300, "dt": 1e-300}, "there are inf steps"),
        ({"dt": 1e-300}, r"there are 2e\+298 steps of dt = 1e-300 s; at most 1e\+11: dt from 2e-13 s on"),
        ({"q0": [0.0, 1e300]}, r"q0 of joint2 is 1e\+300; less than 1e\+09"),
        ({"qd0": [1e7, 0.0]}, r"qd0 of joint1 is 1e\+07; less than 1e\+06"),
        (
            {"law": lambda t, q, qd: np.array([0.0, np.nan]) + 0 * q},
            r"what the law gives\[1\] is nan; finite",
        ),
        ({"wrench": lambda t: [np.inf, 0, 0, 0, 0, 0]}, r"wrench\[0\] is inf"),
        ({"events": [Event("e", lambda t, q, qd: np.nan)]}, r"what an event looks at\[\d\] is nan"),
        ({"inertia": np.full(20, np.nan)}, r"inertia\[0\] is nan"),
        ({"law": [1e300, 0.0]}, r"the torque holds 1e\+300; in N m, below 1e\+12"),
        ({"law": lambda t, q, qd: -1e300 * q}, r"the loop has a pole at .* 1/s, which nothing that moves has"),
        ({"payload": 1e308}, r"payload is 1e\+308; a mass in kg, .* below 1e\+12"),
        ({"parameters": {"friction": 1e300}}, r"friction holds 1e\+300; below 1e\+12"),
        ({"law": StartsWithout(np.nan)}, r"first state\[0\] is nan"),
        ({"law": StartsWithout(np.inf)}, r"first state\[0\] is inf"),
        ({"until": 1e4, "q0": np.zeros((100_000, 2))}, "of each of 100000 rollouts"),
    ],
)
def test_refused(options, text):
    with pytest.raises(TorsorError, match=text):
        simulate(**options)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Sampled(pd, period=np.inf), "period is inf"),
        (lambda: Encoder(noise=np.inf), "noise of the encoder"),
        (lambda: Encoder(seed=-1), "seed of the encoder is -1"),
        (lambda: ContactSpring([0, 0, 1], np.nan, 1e3), "offset is nan"),
        (lambda: ContactSpring([0, 0, 1], 0.0, np.inf), "stiffness inf"),
        (lambda: Buffers(np.inf), "stiffness is inf"),
        (lambda: Event("e", 3), "event 'e' looks at 3"),
        (lambda: parameter("payload"), "cannot be called 'payload'"),
    ],
)
def test_parts_that_cannot_be(make, text):
    with pytest.raises(TorsorError, match=text):
        make()


def test_what_a_law_raises_comes_through():
    with pytest.raises(NameError, match="no_such_gain"):
        simulate(lambda t, q, qd: no_such_gain * q)  # type: ignore[name-defined]  # noqa: F821


def test_a_law_of_no_numbers_ends_the_run_at_once():
    with np.errstate(invalid="ignore"), pytest.warns(SimulationNotice, match="no number any more from 0 s on: joint1"):
        run = simulate(lambda t, q, qd: np.nan * q)
    assert run.stopped.reason == "diverged"
    assert run.q.tolist() == [[0.5, -0.2]]
    assert "NaN or infinite" in run.stopped.hint


def test_numbers_that_end_on_the_way_are_told_from_an_explosion():
    with pytest.warns(SimulationNotice, match=r"no number any more from 0\.01 s on"):
        run = simulate(lambda t, q, qd: ARM.gravity(q) - np.sqrt(0.0101 - t) * q)
    assert np.isfinite(run.q).all()
    assert run.time[-1] == pytest.approx(0.01)


def test_one_event_needs_no_list():
    run = simulate(events=Event("passes", lambda t, q, qd: q[0] - 0.49), until=0.2)
    assert [event.name for event in run.events] == ["passes"]


def test_a_start_beyond_a_limit_is_said():
    arm = torsor.load("irb140")
    q0 = np.array([0.0, 2.5, 0.0, 0.0, 0.0, 0.0])
    with pytest.warns(SimulationNotice, match="beyond a position limit at the start: joint2"):
        run = torsor.simulate(arm, arm.gravity(q0), q0=q0, until=0.01)
    assert run.stopped is None
    torsor.simulate(arm, arm.gravity(q0), q0=q0, until=0.01, limits="ignore")


@pytest.mark.parametrize("how", ["rk4", "dormand-prince", "rosenbrock"])
def test_what_becomes_no_number_on_the_way_is_named(how):
    """A law whose root ends at 0.02 s, on an arm whose motors would hide it behind their limits."""
    limits = {"limits": Limits(torque=5.0)}
    links = tuple(replace(link, joint=replace(link.joint, **limits)) for link in ARM.model.links)
    arm = Arm(replace(ARM.model, links=links))
    with pytest.warns(SimulationNotice, match=r"is no number any more from 0\.0(19|2|20) s on: joint1 first"):
        run = torsor.simulate(arm, lambda t, q, qd: sqrt(0.02 - t) * q, q0=[0.1, 0.2], until=0.05, integrator=how)
    assert run.stopped.reason == "diverged"
    assert np.isfinite(run.q).all()
    assert run.stopped.joint == "joint1"


def test_an_event_that_is_no_number_is_said_to_be_unseen():
    late = Event("late", lambda t, q, qd: sqrt(0.01 - t) + 0 * q[0])
    with pytest.warns(SimulationNotice, match="event 'late' looks at what is no number at 10 of 21 states"):
        run = simulate(events=[late])
    assert run.stopped is None


def test_many_steps_between_two_states_can_be_interrupted():
    """A state in 10,000 steps: the keyboard is looked at in between, and nothing changes in what is found."""
    heard = []
    sparse = simulate(until=20.0, every=10_000, progress=heard.append)
    assert len(heard) > len(sparse.time)
    dense = simulate(until=20.0)
    np.testing.assert_array_equal(sparse.q, dense.q[::10_000])
