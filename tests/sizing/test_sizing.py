"""What motors, gears and bearings must stand: held against the arm's own equations, and choices against the verdict."""

import csv
import json

import numpy as np
import pytest

import torsor
from torsor.errors import StudyError, Unsupported
from torsor.model.parts import BASE
from torsor.motion.commands import Joints, Move, Place
from torsor.programs import parse
from torsor.sizing import Catalogue, CatalogueGear, CatalogueMotor, read_catalogue, size
from torsor.sizing.motor_choosing import Pairing, _Axis, with_motors
from torsor.sizing.spectra import LoadSpectrum, weights

PROGRAM = """program swing;
seq
  move ptp joint(mainjoint(-60, 30, 40));
  move ptp joint(mainjoint(0, 0, 0)) speed_ptp=0.5;
endseq
endprogram
"""


@pytest.fixture(scope="module")
def program():
    return parse(PROGRAM, "L-IRL", file="swing.irl")


@pytest.fixture(scope="module")
def sized(program):
    return size(program, "rl15")


def test_points_in_the_plane_are_those_of_the_program(sized):
    signals, verdict = sized.verdict.signals, sized.verdict
    time = signals.time
    for k, motor in enumerate(sized.motors):
        assert motor.peak == verdict.largest[k]
        rms = np.sqrt(np.trapezoid(signals.torque[:, k] ** 2, time) / time[-1])
        assert motor.rms == pytest.approx(rms, rel=2e-3)  # the verdict's is integrated exactly
        assert motor.top_speed == pytest.approx(np.abs(signals.rate[:, k]).max())
        assert motor.torque_share == pytest.approx(motor.peak / motor.limit)  # this arm has no torque-speed curves


def test_the_inertia_ratio_is_what_a_motor_feels_when_it_alone_accelerates(sized):
    arm = torsor.load("rl15")
    q = sized.verdict.signals.q
    ratios = []
    for posture in (q[0], q[len(q) // 3]):
        u = arm.drives.torques(posture, np.zeros(6), np.linalg.inv(arm.drives.N(posture)).T, gravity=np.zeros(3))
        still = arm.drives.torques(posture, np.zeros(6), np.zeros(6), gravity=np.zeros(3))
        rotor = np.array([drive.rotor_inertia for drive in arm.model.drives])
        ratios.append(np.diag(u - still) / rotor - 1.0)
    for k, motor in enumerate(sized.motors):
        least, mean, most = motor.inertia_ratio
        assert least - 1e-9 <= min(each[k] for each in ratios)
        assert max(each[k] for each in ratios) <= most + 1e-9
        assert least * (1 - 1e-12) <= mean <= most * (1 + 1e-12)


def test_spectra_are_shares_of_all(sized):
    assert len(sized.spectra) == 18
    for one in sized.spectra:
        assert one.time.sum() == pytest.approx(1.0)
        assert one.travel.sum() == pytest.approx(1.0)
        assert 0.0 <= one.equivalent <= one.peak * (1 + 1e-12)


def test_a_constant_load_is_its_own_equivalent():
    time = np.array([0.0, 0.1, 0.5, 1.0])
    one = LoadSpectrum.of("j", "gear torque", "N m", np.full(4, -7.0), np.array([0.0, 1.0, 2.0, 0.5]), weights(time))
    assert (one.peak, one.travel[-1]) == (7.0, pytest.approx(1.0))
    assert one.equivalent == pytest.approx(7.0)
    still = LoadSpectrum.of("j", "gear torque", "N m", np.array([1.0, 3.0]), np.zeros(2), np.ones(2))
    assert still.equivalent == pytest.approx(14.0 ** (1 / 3))  # over time, as nothing turns


def test_another_gear_and_motor_ask_what_the_arm_with_them_asks(sized):
    """Of a motor that stands on the base, whose rotor nothing carries around: the formula is exact there."""
    arm = torsor.load("rl15")
    k = next(k for k, drive in enumerate(arm.model.drives) if drive.carrier == BASE)
    axis = _Axis(sized.verdict, k)
    motor = CatalogueMotor(name="m", torque=50.0, speed=500.0, rotor_inertia=0.004)
    gear = CatalogueGear(name="g", ratio=1.3 * abs(axis.ratio), torque=1e5, inertia=0.001)
    other = with_motors(arm, {arm.model.drives[k].name: Pairing(motor, gear if axis.alone else None, 0.0, 0.0, 0.0)})
    signals = sized.verdict.signals
    exact = other.drives.torques(signals.q, signals.qd, signals.qdd)[:, k]
    found = axis.torque(motor, gear if axis.alone else None)
    friction = np.abs(axis.u - axis.tau / axis.ratio).max() if axis.alone else 1.0
    assert np.abs(found - exact).max() < 0.05 * friction + 1e-9  # friction of the motor is taken through the new gear


def test_the_smallest_that_do_and_no_smaller(program):
    weak = CatalogueMotor(name="weak", torque=0.01, speed=500.0, rotor_inertia=1e-5)
    middle = CatalogueMotor(name="middle", torque=8.0, speed=500.0, rotor_inertia=1e-3)
    strong = CatalogueMotor(name="strong", torque=60.0, speed=500.0, rotor_inertia=5e-3)
    found = size(program, "rl15", catalogue=Catalogue((weak, middle, strong)))
    assert found.yes
    listed, named = (weak, middle, strong), [pairing.motor for pairing in found.chosen.pairings.values()]
    assert strong in named
    for k, motor in enumerate(named):
        for smaller in listed[: listed.index(motor)]:  # each would have been asked for too much
            assert np.abs(_Axis(found.verdict, k).torque(smaller, None)).max() > smaller.torque
    assert not size(program, "rl15", catalogue=Catalogue((weak,))).yes


def test_catalogues_as_tables_of_both_kinds(tmp_path):
    toml, table = tmp_path / "m.toml", tmp_path / "m.csv"
    toml.write_text(
        '[[motor]]\nname = "a"\ntorque = 2\nspeed = "3000 rpm"\nrotor_inertia = 1e-4\ncontinuous = 1\n'
        '[[gear]]\nname = "g"\nratio = 100\ntorque = 50\n'
    )
    table.write_text(
        "kind,name,torque,speed,rotor_inertia,continuous,ratio\nmotor,a,2,3000 rpm,1e-4,1,\ngear,g,50,,,,100\n"
    )
    assert read_catalogue(toml) == read_catalogue(table)
    for text, said in (
        ("kind,nam\n", "m.csv:1: a column 'nam'"),
        ("kind,name,torque,speed,rotor_inertia\nmotor,a,x,3,0\n", "m.csv:2: torque of a motor"),
        ("kind,name,torque,speed,rotor_inertia\nbolt,a,1,3,0\n", "m.csv:2: kind 'bolt'"),
        ("kind,name,torque,speed,rotor_inertia\nmotor,a,1,3,0\nmotor,a,1,3,0\n", "m.csv:3: 'a' is there twice"),
        ("kind,name,ratio,torque\ngear,a,0,3\n", "m.csv:2: a has a ratio"),
        ("kind,name\n", "without motors"),
    ):
        table.write_text(text)
        with pytest.raises(StudyError, match=said):
            read_catalogue(table)


def test_it_is_written_down(sized, tmp_path):
    sized.to_csv(tmp_path / "s.csv")
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert len(rows) == 10 * len(sized.spectra)
    sized.report(tmp_path / "s.html")
    text = (tmp_path / "s.html").read_text()
    assert text.count("<svg") >= 6
    assert "inertia ratio" in text
    assert "nan" not in json.dumps(sized.document()).lower()


def test_arms_without_motors_and_without_masses(tmp_path):
    goal = [Move("joint", Joints((0.3, 0.2), "goal"), Place("a.irl", 1, 1))]
    verdict = torsor.check(goal, "planar2")
    assert not verdict.machine.at_motors
    program = parse("program a;\nseq\nmove ptp joint(mainjoint(10, 20));\nendseq\nendprogram\n", "L-IRL")
    found = size(program, "planar2")
    assert [motor.inertia_ratio for motor in found.motors] == [None, None]
    with pytest.raises(Unsupported, match="no motor for each joint"):
        size(program, "planar2", catalogue=Catalogue((CatalogueMotor(name="a", torque=1, speed=1, rotor_inertia=0),)))
