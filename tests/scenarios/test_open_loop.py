"""Torques and currents over time, in the file and beside it; pictures of motors."""

import numpy as np
import pytest

import torsor
from torsor import scenarios
from torsor.errors import TorsorError
from torsor.shipped import shipped

HEAD = 'name = "a"\narm = "puma560"\nlimits = "ignore"\n[start]\nq = [0, 0.5, -1, 0, 0.5, 0]\n[law]\n'
ROWS = "rows = [[0, 1, 0.5, 0, 0, 0, 0], [0.01, 2, 0, 0, 0, 0, 0.1], [0.03, 0, 0, 0, 0, 0, 0]]\n"


def test_rows_are_held_until_the_next():
    scenario = scenarios.parse(HEAD + 'kind = "torque"\nof = "motors"\n' + ROWS + "[output]\n")
    assert scenario.duration == 0.03
    assert scenario.law.shape == (30, 6)
    np.testing.assert_array_equal(scenario.law[:, 0], [1.0] * 10 + [2.0] * 20)
    again = torsor.simulate(scenario.arm, scenario.law, q0=scenario.q0, until=0.03, limits="ignore")
    np.testing.assert_array_equal(scenario.run().q, again.q)


def test_lines_are_met_in_the_middle_of_steps():
    scenario = scenarios.parse("duration = 0.05\n" + HEAD + 'kind = "torque"\nof = "motors"\nbetween = "line"\n' + ROWS)
    t = 1e-3 * (np.arange(50) + 0.5)
    np.testing.assert_allclose(scenario.law[:, 0], np.interp(t, [0, 0.01, 0.03], [1, 2, 0]), atol=1e-12)


def test_currents_are_torques_by_the_constants():
    text = HEAD + 'kind = "{}"\n{}' + ROWS
    torques = scenarios.parse(text.format("torque", 'of = "motors"\n')).law
    currents = scenarios.parse(text.format("current", "")).law
    k_t = [drive.motor.torque_constant for drive in torsor.load("puma560").model.drives]
    np.testing.assert_allclose(currents, torques * k_t)
    held = scenarios.parse("duration = 0.1\n" + HEAD + 'kind = "current"\ncurrent = [1, 0, 0, 0, 0, 0]\n')
    np.testing.assert_allclose(held.law, [k_t[0], 0, 0, 0, 0, 0])


def test_motors_hold_the_arm():
    for kind, word in (("current", "current"), ("torque", 'of = "motors"\ntorque')):
        scenario = scenarios.parse("duration = 0.2\n" + HEAD + f'kind = "{kind}"\n{word} = "hold"\n')
        run = scenario.run()
        assert np.abs(run.q - scenario.q0).max() < 1e-9


def test_a_file_beside_the_scenario(tmp_path):
    (tmp_path / "u.csv").write_text("time,joint1,joint2\n0,1,2\n0.5,0,0\n")
    text = 'name = "a"\narm = "planar2"\nstart = { q = [0, 0] }\nlaw = { kind = "torque", file = "u.csv" }\n'
    scenario = scenarios.parse(text, folder=tmp_path)
    assert (scenario.duration, scenario.law.shape) == (0.5, (500, 2))


def test_the_stand_in_comes_to_the_printed_angles(tmp_path):
    """Szkodny's end state of figure 4: about -130, -66.7, -51, -199, -199 rad, at rest, held by friction."""
    scenario = scenarios.read(shipped("scenarios/irb6_currents.toml"))
    run = scenario.run()
    np.testing.assert_allclose(run.angles[-1], [-130.0, -66.7, -51.0, -199.0, -199.0], atol=0.1)
    assert run.stuck[-1].all()
    np.testing.assert_array_equal(run.qd[-1], np.zeros(5))
    np.testing.assert_allclose(run.currents * [0.2, 0.2, 0.2, 0.1, 0.1], run.tau)
    np.testing.assert_allclose(run.rates, run.arm.drives.rates(run.q, run.qd))
    figure = run.plot_motors(tmp_path / "m.svg", title="motors")
    assert len(figure.axes) == 4 * 5
    columns = run.table()
    np.testing.assert_array_equal(columns["qa_motor3"], run.angles[:, 2])
    np.testing.assert_array_equal(columns["i_motor1"], run.currents[:, 0])


def test_joints_are_drawn_where_there_are_no_motors():
    arm = torsor.load("planar2")
    run = torsor.simulate(arm, [0.0, 0.0], q0=[0.1, 0.2], until=0.01)
    assert run.currents is None
    assert len(run.plot_motors().axes) == 3 * 2
    assert "qa_joint1" not in run.table()


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ('kind = "current"\n', "law: current is missing; give current, which is held, or rows over time, or a file"),
        ('kind = "current"\ncurrent = [1, 2]\n', "law.current has 2 numbers; 'puma560' has 6 motors"),
        ('kind = "current"\nfile = "x.csv"\ncurrent = [1, 2]\n', "law.file is given, and current too; give current"),
        ('kind = "current"\ntorque = [1, 2]\n', "unknown key law.torque"),
        ('kind = "torque"\nrows = [[0, 1]]\n', "law.rows has 2 numbers in row 1; a time, and one for each of 6"),
        ('kind = "torque"\nrows = [1]\n', "law.rows is [1]; expected a row for each time"),
        (
            'kind = "torque"\nrows = [[0.5, 0, 0, 0, 0, 0, 0]]\n',
            "law.rows begins at 0.5 s; at 0 s",
        ),
        (
            'kind = "torque"\nrows = [[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]]\n',
            "law.rows has row 2 at 0 s; later than 0 s",
        ),
        ('kind = "torque"\ntorque = 3\nbetween = "curve"\n', "law.between is 'curve'; it must be 'hold' or 'line'"),
    ],
)
def test_what_is_no_table(law, said):
    with pytest.raises(TorsorError) as error:
        scenarios.parse("duration = 1\n" + HEAD + law)
    assert said in str(error.value)


def test_currents_need_motors_and_their_constants():
    text = 'name = "a"\narm = "{}"\nduration = 1\nstart = {{ q = {} }}\nlaw = {{ kind = "current", current = {} }}\n'
    with pytest.raises(TorsorError, match="'planar2' has no motors"):
        scenarios.parse(text.format("planar2", [0, 0], [0, 0]))
    with pytest.raises(TorsorError, match="of 'rl15' have no torque constant"):
        scenarios.parse(text.format("rl15", [0] * 6, [0] * 6))
