"""What scenarios can say: every law, every reference, every disturbance, and what it comes to."""

# ruff: noqa: E501  (scenarios are kept whole)

import warnings

import numpy as np
import pytest

import torsor
from torsor import scenarios
from torsor.control.fields import REQUIRED, keys_of
from torsor.control.law import laws_of_files
from torsor.scenarios.laws import law_tables
from torsor.scenarios.references import REFERENCES
from torsor.scenarios.scenario_schema import EXPECTED, ScenarioFile
from torsor.simulation import SimulationNotice

LAW = """
name = "a"
arm = "{arm}"
duration = 0.4
limits = "ignore"
start = {{ q = {q0} }}
law = {{ kind = "{kind}", {gains} }}
reference = {{ kind = "point", {goal} }}
"""
IN_JOINTS = {"arm": "planar2", "q0": [0.1, 0.2], "goal": "q = [0.3, 0.1]"}
IN_SPACE = {"arm": "scara", "q0": [0.3, 0.8, 0.1, 0.0], "goal": "position = [0.3, 0.5, 0.1]"}
# of a gain in each unit, one that suits both arms
SUITED = {
    "N m/rad": 80, "N m s/rad": 20, "N m/(rad s)": 10, "1/s^2": 100, "1/s": 20,
    "N/m": 1000, "N s/m": 150, "kg": 5, "N m": 1, "rad/s": 0.1,
}  # fmt: skip


def gains_of(kind):
    """What the table of a law must be told."""
    if kind == "torque":
        return 'torque = "hold"'
    keys = keys_of(laws_of_files()[kind].fields)
    needed = {key: field for key, field in keys.items() if REQUIRED is field.default is field.unsaid}
    held = ", gravity = true" if "gravity" in keys else ""  # which laws that know nothing of the arm cannot do so soon
    return ", ".join(f"{key} = {SUITED.get(field.unit, 0.1)}" for key, field in needed.items()) + held


def run_of(text, **words):
    scenario = scenarios.parse(text.format(**words) if words else text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        return scenario, scenario.run()


def test_errors_know_what_every_key_holds():
    """A key without a word on what it should hold would get a hint from pydantic."""
    for schema in (ScenarioFile, *law_tables().values(), *REFERENCES.values()):
        for key, field in schema.model_fields.items():
            literal = "Literal" in str(field.annotation)
            dotted = {f"law.{key}", f"reference.{key}", key}
            assert literal or field.description or dotted & set(EXPECTED), (schema, key)


@pytest.mark.parametrize("kind", sorted({*law_tables()} - {"current"}))  # of motors, which these arms have none of
def test_every_law_brings_the_arm_nearer(kind):
    where = IN_SPACE if law_tables()[kind].follows == "tool" else IN_JOINTS
    scenario, run = run_of(LAW, kind=kind, gains=gains_of(kind), **where)
    assert scenario.kind == kind
    assert run.stopped is None
    target = scenario.target(run.time)
    is_at = run.arm.pose(run.q)[:, :3, 3] if scenario.tool else run.q
    first, last = (np.linalg.norm(is_at[k] - target[k]) for k in (0, -1))
    if kind == "torque":
        np.testing.assert_allclose(run.q, np.broadcast_to(scenario.q0, run.q.shape), atol=1e-9)
    else:
        assert last < 0.8 * first


def test_a_law_is_the_one_of_control():
    """A scenario says the same as Python."""
    _, run = run_of(LAW, kind="computed-torque", gains="Kp = 100, Kd = 20", **IN_JOINTS)
    arm = torsor.load("planar2")
    law = torsor.control.computed_torque(arm, 100.0, 20.0, [0.3, 0.1])
    same = torsor.simulate(arm, law, q0=[0.1, 0.2], until=0.4, torques="joint", limits="ignore")
    np.testing.assert_array_equal(run.q, same.q)


WAYS = {
    "quintic": 'points = [[0, 0], ["40 deg", 0.3], [0, 0.5]], durations = 0.4',
    "trapezoid": "points = [[0, 0], [0.6, 0.3], [0, 0.5]], speed = 2, acceleration = [10, 12]",
    "sine": "centre = [0.1, 0.2], amplitude = [0.3, 0.1], frequency = [1.0, 2.0], phase = '30 deg'",
}


@pytest.mark.parametrize("kind", WAYS)
def test_ways_are_followed_from_their_beginning(kind):
    """Computed torque follows exactly what it begins on."""
    law = 'law = { kind = "computed-torque", Kp = 400, Kd = 40 }\n'
    way = f'reference = {{ kind = "{kind}", {WAYS[kind]} }}\n'
    text = 'name = "a"\narm = "planar2"\n' + ("duration = 1\n" if kind == "sine" else "") + law + way
    scenario, run = run_of(text)
    np.testing.assert_array_equal(scenario.q0, scenario.reference.at(0.0)[0])
    if kind != "sine":
        assert scenario.duration == scenario.reference.duration
    # jumps of acceleration inside a step cost rk4 its order there
    assert np.abs(run.q - scenario.target(run.time)).max() < 1e-4


def table(path, times, q):
    rows = [",".join(["time", "joint1", "joint2"])] + [f"{t!r},{a!r},{b!r}" for t, (a, b) in zip(times, q, strict=True)]
    path.write_text("\n".join(rows) + "\n")


CSV = 'name = "a"\narm = "planar2"\nlaw = { kind = "computed-torque", Kp = 400, Kd = 40 }\nreference = { kind = "csv", file = "way.csv" }\n'


def test_a_table_is_followed_however_long_it_is(tmp_path):
    """Thousands of rows are handed to the running simulation piece by piece, and the law sees them exactly."""
    times = np.linspace(0.0, 20.0, 2001)
    q = np.stack([0.5 * np.sin(times) ** 2, 0.3 * np.sin(2 * times) ** 2 * np.exp(-0.1 * times)], axis=1)
    table(tmp_path / "way.csv", times.tolist(), q.tolist())
    scenario = scenarios.parse(CSV, folder=tmp_path)
    assert scenario.duration == pytest.approx(20.0)
    run = scenario.run()
    target = scenario.target(run.time)
    np.testing.assert_allclose(target[::10], q, atol=1e-12)
    inside = run.time < 19.9  # the spline brakes to rest in the last sample, which the motion here does not
    assert np.abs(run.q - target)[inside].max() < 1e-7
    inside[0] = False  # at the very start the reference is still at rest, for the law it has begun to move
    tau = run.arm.inverse_dynamics(*scenario.reference.at(run.time))
    np.testing.assert_allclose(run.tau[inside], tau[inside], atol=1e-3)


def test_what_a_run_wrote_is_a_reference(tmp_path):
    text = CSV.replace('kind = "csv", file = "way.csv"', f'kind = "quintic", {WAYS["quintic"]}')
    first = scenarios.parse(text).run()
    first.to_csv(tmp_path / "way.csv")
    again = scenarios.parse(CSV, folder=tmp_path).run()
    np.testing.assert_allclose(again.q, first.q, atol=1e-6)


@pytest.mark.parametrize("integrator", ["rk4", "dormand-prince", "rosenbrock"])
def test_streamed_pieces_are_seen_by_every_integrator(tmp_path, integrator):
    times = np.linspace(0.0, 1.0, 51)
    table(tmp_path / "way.csv", times.tolist(), np.stack([times**2 * (1.5 - times), 0.2 * times**3], axis=1).tolist())
    scenario = scenarios.parse(f'integrator = "{integrator}"\n' + CSV, folder=tmp_path)
    run = scenario.run()
    assert run.integrator == integrator
    assert np.abs(run.q - scenario.target(run.time)).max() < 1e-5


STEP = 'start = { q = [0, 0] }\nlaw = { kind = "torque", torque = "hold" }\nlimits = "ignore"\n'


def test_wrenches_push_when_they_are_due():
    """The power of the push is what the energy gains: no friction, torques that hold nothing but the weight."""
    push = '[[wrench]]\nkind = "pulse"\nforce = [0, 4, 0]\nmoment = [0, 0, 2]\nstart = 0.1\nduration = 0.05\n'
    wave = '[[wrench]]\nkind = "sine"\nforce = [1, 0, 0]\nfrequency = 5\nphase = "90 deg"\nstart = 0.2\n'
    text = 'name = "a"\narm = "planar2"\nduration = 0.4\ndt = "0.1 ms"\n' + STEP + push + wave
    scenario, run = run_of(text)
    t = run.time
    # the weight and the torques that hold it are 20 N m, rounded: over light links 1e-13 rad/s^2 are left, for 0.1 s
    assert np.abs(run.q[t < 0.0999] - run.q[0]).max() < 1e-15
    pushes = [np.where((t >= 0.1) & (t < 0.15), 1.0, 0.0)[:, None] * [0, 4, 0, 0, 0, 2],
              (np.sin(10 * np.pi * (t - 0.2) + np.pi / 2) * (t >= 0.2))[:, None] * [1, 0, 0, 0, 0, 0]]  # fmt: skip
    for made, wanted in zip(scenario.wrench, pushes, strict=True):
        for k in np.flatnonzero(np.abs(t - 0.15) > 1e-6)[::7].tolist():  # 0.1 + 0.05 is not 0.15
            np.testing.assert_allclose(made(float(t[k])), wanted[k], atol=1e-12)
    twist = np.einsum("tij,tj->ti", run.arm.jacobian(run.q), run.qd)
    power = (sum(pushes) * twist).sum(axis=1) + (run.tau * run.qd).sum(axis=1)
    gained = run.energy - run.energy[0]
    done = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(t) * (power[1:] + power[:-1]))])
    # where a push begins or ends, stages of one step are on both sides of the jump
    np.testing.assert_allclose(done, gained, atol=1.1e-4 * np.abs(power).max())


def test_a_law_may_know_the_payload():
    text = 'name = "a"\narm = "planar2"\nduration = 0.3\n[start]\nq = [0, 0]\n[law]\nkind = "torque"\ntorque = "hold"\n{known}[[payload]]\nmass = 2.0\n'
    _, knows = run_of(text, known="known_payload = 2.0\n")
    _, sags = run_of(text, known="")
    assert np.abs(knows.q).max() < 1e-9
    assert np.abs(sags.q).max() > 0.1


def test_an_observer_finds_what_nobody_said():
    text = 'name = "a"\narm = "planar2"\nduration = 3\n[start]\nq = [0, 0]\n[reference]\nkind = "point"\nq = [0, 0]\n[[payload]]\nmass = 2.0\n[law]\nkind = "pd-gravity"\nKp = 200\nKd = 60\n{more}'
    (plain, sags), (_, holds) = run_of(text, more=""), run_of(text, more="observer = 20\n")
    assert np.abs(sags.q[-1]).max() > 0.05
    assert np.abs(holds.q[-1]).max() < 0.01 * np.abs(sags.q[-1]).max()
    cut = run_of(text, more="saturated = [15, 8]\n")[1]
    assert np.abs(cut.tau).max(axis=0) == pytest.approx([15, 8])
    assert (plain.figures(sags).good, plain.figures(holds).good) == (False, True)  # it sags out of its band


def test_a_sampled_controller_repeats_itself():
    more = '[controller]\nperiod = "4 ms"\ndelay = "1 ms"\nvelocity_cutoff = 60\nencoder = { resolution = "0.01 deg", noise = 1e-5, seed = 3 }\n'
    text = (
        'name = "a"\narm = "planar2"\nduration = 0.5\nstart = { q = [0.2, 0] }\nlaw = { kind = "pd-gravity", Kp = 50, Kd = 20 }\nreference = { kind = "point", q = [0, 0] }\n'
        + more
    )
    (_, one), (_, two) = run_of(text), run_of(text)
    np.testing.assert_array_equal(one.tau, two.tau)
    held = (np.diff(one.tau[1:, 0]) == 0.0).mean()
    assert held > 0.7  # three of four steps


def test_buffers_and_limits():
    text = 'name = "a"\narm = "scara"\nduration = 0.5\nlimits = {limits}\n[start]\nq = [2.6, 0, 0.1, 0]\nqd = [1, 0, 0, 0]\n[law]\nkind = "torque"\ntorque = "hold"\n'
    scenario, run = run_of(text, limits='"stop"')
    assert (run.stopped.reason, scenario.figures(run).good) == ("limit", False)
    scenario, run = run_of(text, limits='"report"')
    assert (run.stopped, scenario.figures(run).good) == (None, False)
    scenario, run = run_of(text, limits="{ stiffness = 5e3, damping = 10 }")
    assert scenario.figures(run).good
    assert 0.0 < run.q[:, 0].max() - np.deg2rad(150) < 0.1


def test_figures_of_a_run_that_was_stopped_at_once():
    text = 'name = "a"\narm = "planar2"\nduration = 1\nintegrator = "euler"\ndt = 0.1\nstart = { q = [1, 0] }\nlaw = { kind = "pd-gravity", Kp = 1e6, Kd = 1e5 }\nreference = { kind = "point", q = [0, 0] }\n'
    scenario, run = run_of(text)
    figures = scenario.figures(run)
    assert run.stopped.reason == "diverged"
    assert not figures.good
    document = figures.document()
    assert document["stopped"]["reason"] == "diverged"
    assert document["good"] is False


def test_settings_that_do_not_go_together_name_the_file(tmp_path):
    path = tmp_path / "stuck.toml"
    path.write_text(
        'name = "a"\narm = "rl15"\nduration = 0.1\nintegrator = "rosenbrock"\nstart = { q = [0, 0, 0, 0, 0, 0] }\nlaw = { kind = "torque", torque = "hold" }\n'
    )
    with pytest.raises(torsor.TorsorError, match=r"stuck.toml: rosenbrock does not know friction that sticks"):
        scenarios.read(path).run()


def test_every_word_of_a_law_can_be_said():
    text = LAW.format(
        kind="pid",
        gains="Kp = 80, Kd = 20, Ki = 10, gravity = true, windup = [1.0, 2.0], feed_forward = true",
        **IN_JOINTS,
    )
    law = scenarios.parse(text).law
    arm, q, x = law.arm, np.array([0.1, 0.2]), np.zeros(2)
    bare = torsor.control.pid(arm, 80.0, 10.0, 20.0, [0.3, 0.1], gravity=True, windup=[1.0, 2.0])
    both = torsor.control.feed_forward(arm, [0.3, 0.1]) + bare
    np.testing.assert_allclose(law(0.0, q, 0 * q, x)[0], both(0.0, q, 0 * q, x)[0], rtol=1e-14)


def test_words_of_a_law_inside_a_law_and_of_what_is_unknown():
    text = LAW.format(kind="admittance", gains="Kp = 90, Kd = 20, posture = 3, mass = 5, damping = 50", **IN_SPACE)
    law = scenarios.parse(text).law
    assert law.inner.Kp[0, 0] == 90.0
    assert law.inner.posture == 3.0
    assert law.inner.damping == 1.0  # that of singularities, which files do not say: damping is the outer law's
    assert law.damping[0, 0] == 50.0
    assert law.stiffness[0, 0] == 0.0
    gains = "Lambda = 5, K = 20, payload = [0, 2], link_mass = 0.1, disturbance = 3, boundary = 0.1"
    law = scenarios.parse(LAW.format(kind="lyapunov-redesign", gains=gains, **IN_JOINTS)).law
    assert law.uncertainty.payload == (0.0, 2.0)
    assert law.directions.disturbance.tolist() == [3.0, 3.0]
