"""A law is declared once: its call, its checks, its table in a scenario and what the docs must say come from that."""

import inspect
import pkgutil
import sys
from importlib import import_module

import numpy as np
import pytest
from every_law import arm_with_motors, made

import test_docs_tables
import torsor
from torsor import control, scenarios
from torsor.control import fields
from torsor.control.fields import Follows, Gain
from torsor.control.gains import times
from torsor.control.law import Law, Stateless, Sum, laws, laws_of_files
from torsor.errors import ScenarioError, ShapeError
from torsor.scenarios.laws import law_tables


class ToySpring(Stateless):
    """A spring: tau = -Kp e, less a brake.

    Proved: nothing.
    """

    arm: torsor.Arm = fields.moved_arm()
    Kp: Gain = fields.definite("N m/rad")
    reference: Follows = fields.followed()
    brake: Gain = fields.zero_or_more("N m s/rad", default=0.0)

    def torque(self, t, q, qd):
        return times(self.Kp, self.reference.at(t)[0] - q) - self.brake * qd


toy_spring = ToySpring


@pytest.fixture
def exported(monkeypatch):
    """As if the toy had its line in torsor/control/__init__.py."""
    public = [*dir(control), "toy_spring"]
    monkeypatch.setattr(control, "__dir__", lambda: public)
    monkeypatch.setattr(control, "toy_spring", toy_spring, raising=False)


def test_a_law_that_is_declared_can_be_called_and_is_checked():
    toy = toy_spring
    assert str(inspect.signature(toy)) == "(arm, Kp, reference, *, brake=0.0)"
    law = toy(torsor.load("planar2"), 10.0, [1.0, 0.0])
    assert law(0.0, [0.0, 0.5], [0.0, 0.0]).tolist() == [10.0, -5.0]
    with pytest.raises(ShapeError, match="Kp is not positive definite"):
        toy(torsor.load("planar2"), -10.0, [1.0, 0.0])
    with pytest.raises(TypeError, match="toy_spring: missing a required argument: 'reference'"):
        toy(torsor.load("planar2"), 10.0)
    with pytest.raises(ShapeError, match=r"'planar2' is no arm; give one, such as torsor\.load"):
        toy("planar2", 10.0, [1.0, 0.0])


@pytest.mark.usefixtures("exported")
def test_a_law_that_is_exported_is_known_and_tried_like_the_others():
    assert laws()["toy_spring"] is ToySpring
    assert laws_of_files()["toy-spring"] is ToySpring
    assert "toy-spring" in law_tables()
    assert ToySpring in test_docs_tables.public_laws()
    law = made(ToySpring, arm_with_motors())
    assert law.Kp[0, 0] == 20.0
    assert law.brake.tolist() == [0.5] * 4


SCENARIO = """
name = "a toy"
arm = "planar2"
duration = 0.2
start = {{ q = [0, 0] }}
law = {{ kind = "toy-spring", {gains} }}
reference = {{ kind = "point", q = [0.1, 0] }}
"""


def test_a_law_that_is_declared_has_a_table_in_scenarios():
    scenario = scenarios.parse(SCENARIO.format(gains="Kp = 30, brake = [2, 1]"), laws=[ToySpring])
    assert isinstance(scenario.law, ToySpring)
    assert scenario.law.brake.tolist() == [2.0, 1.0]
    assert scenario.run().stopped is None
    with pytest.raises(ScenarioError, match="there is no law 'toy-spring'"):  # nobody has said that there is
        scenarios.parse(SCENARIO.format(gains="Kp = 30"))


@pytest.mark.parametrize(
    ("gains", "message"),
    [
        (
            "brake = 1",
            "missing law.Kp; expected a number, one for each joint, or a matrix as a list of rows, in N m/rad",
        ),
        (
            "Kp = 1, Kd = 1",
            "unknown key law.Kd; known: kind, known_payload, saturated, observer, rate_limit, Kp",
        ),
        ("Kp = 1, brake = -1", "law.brake is -1.0; zero or more"),
        ("Kp = 1, brake = 'firm'", "law.brake is 'firm'; expected a number, zero or more, or one for each joint, in N"),
        ("Kp = [1, 2, 3]", "law.Kp has shape (3,); give a number, 2 of them, or (2, 2)"),
    ],
)
def test_and_errors_of_its_own(gains, message):
    with pytest.raises(ScenarioError) as caught:
        scenarios.parse(SCENARIO.format(gains=gains), "toy.toml", laws=[ToySpring])
    assert str(caught.value).startswith(f"toy.toml:6: {message}")


def declared_in(module):
    """The laws of a module that can be made."""
    found = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Law)]
    return {law for law in found if law.__module__ == module.__name__ and not inspect.isabstract(law)}


def test_every_law_of_the_room_can_be_imported_from_it():
    """A law that is written and forgotten in the exports would be tried by no test."""
    modules = [import_module(f"torsor.control.{module.name}") for module in pkgutil.iter_modules(control.__path__)]
    declared = set().union(*map(declared_in, modules))
    assert declared - {Law, Sum} == set(laws().values())
    assert declared_in(sys.modules[__name__]) == {ToySpring}  # which would be missed
    for name, law in laws().items():
        assert law.name() == name
        assert getattr(control, name) is law


# what is set holds


def test_a_gain_that_is_set_is_checked_and_used():
    arm = torsor.load("planar2")
    law = control.pd_gravity(arm, 50.0, 20.0, [0.0, 0.0])
    law.Kp = 4 * law.Kp
    again = control.pd_gravity(arm, 200.0, 20.0, [0.0, 0.0])
    q, qd = np.array([0.1, -0.2]), np.array([0.3, 0.1])
    np.testing.assert_array_equal(law(0.0, q, qd), again(0.0, q, qd))
    law.Kp = [7.0, 8.0]
    assert law.Kp.tolist() == [[7.0, 0.0], [0.0, 8.0]]
    with pytest.raises(ShapeError, match="Kp is not positive definite"):
        law.Kp = -law.Kp
    assert law.Kp.tolist() == [[7.0, 0.0], [0.0, 8.0]]  # as it was
    law.reference = [1.0, 1.0]
    assert law.reference.at(0.0)[0].tolist() == [1.0, 1.0]


def test_what_follows_from_a_gain_follows_when_it_is_set():
    arm = torsor.load("planar2")
    q, qd = np.array([0.1, -0.2]), np.array([0.3, 0.1])
    law = control.computed_torque(arm, 100.0, 20.0, [0.0, 0.0])
    assert law.lyapunov(0.0, q, qd) > 0.0  # which solves for P
    law.Kp = 400.0
    assert law.lyapunov(0.0, q, qd) == control.computed_torque(arm, 400.0, 20.0, [0.0, 0.0]).lyapunov(0.0, q, qd)
    adaptive = control.slotine_li(arm, 5.0, 20.0, 1.0, [0.0, 0.0])
    x = adaptive.initial_state(q, qd) + 0.1
    adaptive.Gamma = 10.0
    fresh = control.slotine_li(arm, 5.0, 20.0, 10.0, [0.0, 0.0])
    assert adaptive.lyapunov(0.0, q, qd, x) == fresh.lyapunov(0.0, q, qd, x)


def test_gains_that_need_each_other_are_checked_together():
    law = control.passivity_based(torsor.load("planar2"), [[2.0, 1.0], [1.0, 2.0]], 3.0, [0.0, 0.0])
    with pytest.raises(ShapeError, match="Lambda @ K is not symmetric"):
        law.K = [1.0, 5.0]
    assert law.K.tolist() == [[3.0, 0.0], [0.0, 3.0]]


def test_a_law_around_a_law_sees_the_new_gain():
    arm = torsor.load("planar2")
    inner = control.pd_gravity(arm, 50.0, 20.0, [0.0, 0.0])
    outer = control.saturated(inner, 1e6)
    before = outer(0.0, [0.1, 0.0], [0.0, 0.0])
    inner.Kp = 500.0
    np.testing.assert_array_equal(outer(0.0, [0.1, 0.0], [0.0, 0.0]), inner(0.0, [0.1, 0.0], [0.0, 0.0]))
    assert outer(0.0, [0.1, 0.0], [0.0, 0.0])[0] < before[0]


def test_nothing_is_set_that_has_no_effect():
    law = control.pd_gravity(torsor.load("planar2"), 50.0, 20.0, [0.0, 0.0])
    with pytest.raises(AttributeError, match=r"pd_gravity has no 'kp'; known: arm, Kp, Kd, ref"):
        law.kp = 4.0
    with pytest.raises(ValueError, match="read-only"):
        law.Kp[0, 0] = 4.0
    with pytest.raises(ShapeError, match="Kp has shape"):  # its gains are of two joints
        law.arm = torsor.load("planar3")


def test_a_simulation_uses_the_gain_that_was_set():
    arm = torsor.load("planar2")
    law = control.pd_gravity(arm, 50.0, 20.0, [0.0, 0.0])
    law.Kp = 4 * law.Kp
    how = {"q0": [0.3, 0.2], "until": 0.5, "dt": 1e-3}
    fresh = control.pd_gravity(arm, 200.0, 20.0, [0.0, 0.0])
    np.testing.assert_array_equal(torsor.simulate(arm, law, **how).q, torsor.simulate(arm, fresh, **how).q)
