"""Objects with a centre and an inertia that an arm grasps: as the arm that holds them, on the way and per rollout."""

import warnings

import numpy as np
import pytest

import torsor
from torsor import scenarios
from torsor.errors import ShapeError
from torsor.model import Mass
from torsor.model.mass import symmetric
from torsor.simulation import SimulationNotice

BODY = Mass(3.0, np.array([0.05, -0.02, 0.11]), symmetric(0.02, 0.03, 0.025, 0.002, -0.001, 0.003))
OTHER = Mass(1.0, np.array([0.0, 0.04, 0.02]), symmetric(0.004, 0.003, 0.005))
Q0 = np.array([0.2, 0.5, -0.4, 0.3, 0.6, -0.2])


@pytest.fixture(scope="module")
def arm():
    return torsor.load("irb140")


def moved(arm, tau, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        return torsor.simulate(arm, tau, q0=Q0, until=0.2, limits="ignore", **options)


@pytest.mark.parametrize("name", ["irb140", "rl15"])
def test_it_moves_as_the_arm_that_holds_it(name):
    arm = torsor.load(name)
    holds = arm.with_payload(BODY.mass, BODY.com, BODY.inertia)
    tau = arm.gravity(Q0) if not arm.model.drives else arm.drives.gearing.to_motors(Q0, arm.gravity(Q0))
    given, own = moved(arm, tau, payload=BODY), moved(holds, tau)
    np.testing.assert_allclose(given.q, own.q, atol=1e-9)
    np.testing.assert_allclose(given.energy, own.energy, rtol=1e-9)


def test_a_point_at_the_tool_is_a_body_without_inertia(arm):
    tau = arm.gravity(Q0)
    point = Mass(2.0, np.zeros(3), np.zeros((3, 3)))
    np.testing.assert_allclose(moved(arm, tau, payload=point).q, moved(arm, tau, payload=2.0).q, atol=1e-12)


def test_it_changes_on_the_way(arm):
    """From each change on the accelerations are those of the arm that holds what is held then."""
    tau = arm.gravity(Q0)
    run = moved(arm, tau, payload=[(0.05, BODY), (0.1, OTHER), (0.15, 0.0)])
    held = [None, BODY, OTHER, None]
    for step, body in zip((20, 70, 120, 170), held, strict=True):
        of = arm if body is None else arm.with_payload(body.mass, body.com, body.inertia)
        np.testing.assert_allclose(
            run.qdd[step], of.forward_dynamics(run.q[step], run.qd[step], tau), rtol=1e-8, atol=1e-8
        )


def test_each_rollout_holds_its_own(arm):
    tau = arm.gravity(Q0)
    many = moved(arm, tau, parameters={"payload": [BODY, OTHER, 0.5]})
    assert many.rollouts == 3
    for k, held in enumerate((BODY, OTHER, 0.5)):
        np.testing.assert_allclose(many[k].q, moved(arm, tau, payload=held).q, atol=1e-12)


def test_scenarios_say_it():
    text = (
        'name = "a"\narm = "irb140"\nduration = 0.2\nlimits = "ignore"\n[start]\nq = [0.2, 0.5, -0.4, 0.3, 0.6, -0.2]\n'
        '[law]\nkind = "torque"\ntorque = "hold"\n[[payload]]\ntime = 0.1\n'
        "mass = 3.0\ncom = [0.05, -0.02, 0.11]\ninertia = [0.02, 0.03, 0.025, 0.002, -0.001, 0.003]\n"
    )
    scenario = scenarios.parse(text)
    assert [time for time, _ in scenario.payload] == [0.0, 0.1]
    arm = torsor.load("irb140")
    np.testing.assert_allclose(scenario.run().q, moved(arm, arm.gravity(Q0), payload=[(0.1, BODY)]).q, atol=1e-12)
    box = scenarios.parse(text.split("mass =")[0] + "shape = { box = [0.1, 0.1, 0.1], density = 2700 }\n")
    assert box.payload[1][1].mass == pytest.approx(2.7)


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (Mass(-1.0, np.zeros(3), np.zeros((3, 3))), "what is held cannot be: mass -1 kg is negative"),
        (Mass(1.0, np.zeros(3), np.diag([1.0, 1.0, 9.0])), "break the triangle inequality"),
        ([(0.1, BODY), (0.1, OTHER)], "payload changes at [0.1, 0.1]; rising times, from 0 on"),
        ([("late", BODY)], "pairs (time, torsor.model.Mass) with rising times"),
    ],
)
def test_what_cannot_be_held(arm, payload, said):
    with pytest.raises(ShapeError) as error:
        moved(arm, arm.gravity(Q0), payload=payload)
    assert said in str(error.value)
