"""`torsor.vibrate`: settling in closed form against stepping on, shaping that does what is said, bad input."""

import json
import re

import numpy as np
import pytest

import torsor
from torsor.cli import main
from torsor.elastic import ArmStress, stress_at
from torsor.elastic.section_forces import moving_forces_page
from torsor.elastic.swinging import follow, hanging
from torsor.errors import TorsorError, Unsupported
from torsor.motion import Dwell, Joints, Move, Place
from torsor.vibration.stops import Dying
from torsor.vibration.vibrating import vibrate

PROGRAM = "examples/programs/rl15_tour.irl"


def moves(rest):
    far = Joints(tuple(np.deg2rad([20.0, 10.0, -10.0, 0.0, 15.0, 0.0])), "far")
    near = Joints((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), "near")
    return [
        Move("joint", far, Place("tour", 1, 1)),
        Dwell(rest, Place("tour", 2, 1)),
        Move("joint", near, Place("tour", 3, 1)),
    ]


@pytest.fixture(scope="module")
def found():
    return vibrate(moves(6.0), "rl15-elastic", tolerance=1e-4)


def test_what_dies_down_is_what_stepping_on_gives(found):
    """The program rests for six seconds: the linear motion goes on through them, in steps."""
    stop, t = found.stops[0], found.time
    after = (t >= stop.end) & (t < stop.end + stop.rest)
    deviation = found.swing.deviation[after]
    late = np.flatnonzero(deviation > found.tolerance)
    assert stop.settling == pytest.approx(late[-1] * 1e-3, abs=0.08)  # half a period is a step of it
    assert stop.left == pytest.approx(deviation.max(), rel=2e-2)
    assert stop.deviation == pytest.approx(found.swing.deviation[t <= stop.end].max(), rel=1e-9)
    last = int(np.ceil(stop.end / 1e-3))
    swing = found.swing
    still = Dying(swing.arm, swing.told[0][last], swing.u[last] - swing.hanging(last), swing.ud[last])
    np.testing.assert_allclose(swing.hanging(last), hanging(found.arm.elastic, swing.q[last]), rtol=1e-12)
    steps = np.arange(0, 1000) * 1e-3
    np.testing.assert_allclose(
        still.deviation(steps), found.swing.deviation[last : last + 1000], atol=0.03 * still.left
    )
    assert found.settled
    assert [stop.place.line for stop in found.stops] == [1, 3]
    assert found.stops[1].rest == np.inf


def test_without_time_it_does_not_settle():
    hurried = vibrate(moves(0.05), "rl15-elastic", tolerance=1e-4)
    assert not hurried.settled
    assert "after line 1" in hurried.headline
    assert not hurried.stops[0].is_settled
    assert hurried.stops[1].is_settled
    patient = vibrate(moves(0.05), "rl15-elastic", tolerance=0.1)
    assert patient.settled
    assert patient.stops[0].settling == 0.0


def test_a_shaper_leaves_what_is_said(found):
    """The first move of the program, shaped as the verdict advises, in coupled motion."""
    stop, elastic = found.stops[0], found.arm.elastic
    from torsor.elastic import ShapedTrajectory, shaper
    from torsor.programs.planner import Planner

    piece = next(p for p in Planner.of(found.arm).plan(moves(1.0), strict=True) if p.duration > 0)
    frequency = float(stop.mode.split()[0])
    made = ShapedTrajectory(piece.trajectory, shaper("ZVD", frequency, 0.01))
    t = np.arange(0.0, made.duration + 0.3, 1e-3)
    q, qd, qdd, _ = made.at(np.minimum(t, made.duration))
    moving = (t <= made.duration)[:, None]
    swing = follow(elastic, t, q, moving * qd, moving * qdd, fidelity=2)
    left = swing.deviation[t > made.duration].max()
    assert left < 3.0 * stop.shapers["ZVD"][0] + 2e-5
    assert left < 0.3 * stop.left


def test_command(capsys, tmp_path):
    assert main(["vibrate", PROGRAM, "--robot", "rl15-elastic", "--json", "--csv", str(tmp_path / "tip.csv")]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["settled"] is False
    assert [stop["line"] for stop in document["stops"]] == [37, 38, 39]
    assert document["frequency"]["lowest"] == pytest.approx(8.5, abs=0.1)
    table = np.loadtxt(tmp_path / "tip.csv", delimiter=",", skiprows=1)
    assert table.shape[1] == 7
    assert np.linalg.norm(table[:, 1:4], axis=1).max() == pytest.approx(document["deviation"], rel=1e-9)
    stress = document["stress"]
    assert stress["worst"]["link"] == "link2"
    assert stress["worst"]["place"] == 0.0
    assert stress["worst"]["stress"] == pytest.approx(15.0e6, rel=0.02)
    assert stress["worst"]["share_of_yield"] == pytest.approx(stress["worst"]["stress"] / 250e6)
    assert [len(link["von_mises"]) for link in stress["links"]] == [9, 9]
    assert stress["worst"]["time"] == stress["links"][0]["times"][0]
    assert main(["vibrate", PROGRAM, "--robot", "rl15-elastic", "--tolerance", "1 m"]) == 0
    printed = capsys.readouterr().out
    assert "yes" in printed
    assert re.search(r"Stress\nlink +MPa at most +m from its joint +at s +of yield\n.*\nlink2 +15.1 +0.000 ", printed)


def test_stress_is_the_most_of_every_sample(found):
    """Machine code and peaks over blocks, against the page on floats at some samples."""
    stress, swing, cuts = found.stress, found.swing, found.arm.elastic.cuts
    some = np.arange(0, len(swing.time), 100)
    forces = moving_forces_page(cuts, swing.x[some], swing.xd[some], swing.xdd[some])["forces"]
    right, every = ArmStress.of(cuts, forces), stress_at(swing, slice(None))
    for name, link in right.links.items():
        seen = every.links[name]
        np.testing.assert_allclose(seen.von_mises[some], link.von_mises, rtol=1e-9, atol=1e-3)
        np.testing.assert_allclose(stress.links[name].von_mises, seen.von_mises.max(axis=0), rtol=1e-12)
        np.testing.assert_array_equal(stress.links[name].time, swing.time[seen.von_mises.argmax(axis=0)])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--robot", "rl15"], "no elastic links"),
        (["--robot", "rl15-elastic", "--tolerance", "3 kg"], "m or mm"),
        (["--robot", "rl15-elastic", "--tolerance", "0"], "above zero"),
    ],
)
def test_bad_input(capsys, given, said):
    assert main(["vibrate", PROGRAM, *given]) == 2
    assert said in capsys.readouterr().err


def test_steps_that_are_too_long_are_said(found):
    coarse = vibrate(moves(0.5), found.arm, dt=0.02)
    slowest = found.arm.elastic.frequencies(coarse.swing.q[0], drives="held")[0]
    assert coarse.notes[-1] == (
        f"steps of 0.02 s are too long for the slowest mode, {slowest:.3g} Hz: no swinging is seen; "
        f"give steps of 0.0043 s or less"
    )
    assert not any("too long" in note for note in found.notes)


def test_bad_arguments():
    with pytest.raises(TorsorError, match="fidelity"):
        vibrate(moves(1.0), "rl15-elastic", fidelity=3)
    with pytest.raises(Unsupported, match="elastic"):
        torsor.vibrate(moves(1.0), "rl15")
