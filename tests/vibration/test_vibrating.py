"""`torsor.vibrate`: settling in closed form against stepping on, shaping that does what is said, bad input."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import torsor
from elastic_arms import with_a_bar
from torsor.arm import Arm
from torsor.cli import main
from torsor.elastic import ArmStress, stress_at
from torsor.elastic.section_forces import moving_forces_page
from torsor.elastic.swinging import follow, hanging
from torsor.errors import TorsorError, Unsupported
from torsor.model.armfile import parse_arm_file
from torsor.motion import Dwell, Joints, Move, Payload, Place, Tool
from torsor.motion.optimal.fit_pace import Stretched
from torsor.programs.planner import Planner
from torsor.vibration.stops import Dying, swinging_after
from torsor.vibration.stretches import Timetable, stretches_of
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
    still = Dying.of(swing.arm, swing.told[0][last], swing.u[last] - swing.hanging(last), swing.ud[last])
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


@pytest.mark.slow
def test_a_shaper_leaves_what_is_said(found):
    """The first move of the program, shaped as the verdict advises, in coupled motion."""
    stop, elastic = found.stops[0], found.arm.elastic
    from torsor.elastic import ShapedTrajectory, shaper

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


@pytest.mark.parametrize("shape", ["ZV", "ZVD", "EI", "blend"])
def test_a_shaped_program_swings_less(found, shape):
    """Each motion is longer by its shaper, pauses stay, and what is left is near what was told before."""
    made = vibrate(moves(0.5), "rl15-elastic", shape=shape, tolerance=1e-4)
    before = made.before
    assert before.shape is None
    assert made.shape == shape
    costs = [stop.shapers[shape][1] for stop in before.stops]
    assert made.costs == pytest.approx(sum(costs))
    assert made.stops[0].end == pytest.approx(before.stops[0].end + costs[0])
    assert made.stops[0].rest == pytest.approx(before.stops[0].rest) == pytest.approx(0.5)
    for now, was in zip(made.stops, before.stops, strict=True):
        assert now.left < 0.35 * was.left
        assert now.left < 3.0 * was.shapers[shape][0] + 2e-5
    np.testing.assert_allclose(made.swing.q[-1], before.swing.q[-1], atol=1e-12)
    spans = [(span.place.line, span.start, span.end) for span, _ in made.moves]
    assert [line for line, _, _ in spans] == [1, 3]
    assert spans[1][1] == pytest.approx(spans[0][2] + 0.5)
    assert made.duration == pytest.approx(spans[1][2])
    assert made.time[-1] > made.duration + 0.9
    assert f"shaped by {shape}" in made.headline


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["ZV", "ZVD", "EI", "blend"])
def test_the_tour_shaped_in_coupled_motion(shape):
    """The published tour of the Lola 15 in fidelity 2: what is left at each stop, before and after."""
    made = vibrate(PROGRAM, "rl15-elastic", fidelity=2, shape=shape)
    now, was = ([stop.left for stop in each.stops] for each in (made, made.before))
    np.testing.assert_allclose(was, [0.262e-3, 0.266e-3, 3.66e-3], rtol=0.05)
    most = {"ZV": 0.36, "ZVD": 0.16, "EI": 0.16, "blend": 0.14}[shape]
    assert (np.array(now) < most * np.array(was)).all()
    assert made.settled
    assert not made.before.settled


def test_a_slower_pace_settles_in_time(found):
    """What is told is the least: driven so, it settles; a tenth faster, it does not."""
    hurried = vibrate(moves(0.05), "rl15-elastic", tolerance=1e-4)
    assert list(hurried.slower) == [0]
    slow = hurried.slower[0]
    stretch = hurried.table.stops[0][0]
    assert slow.costs == pytest.approx((slow.times - 1.0) * stretch.duration)
    assert found.slower == {}

    def settles(times):
        t = np.arange(0.0, times * stretch.duration + 1e-3, 1e-3)
        q, qd, qdd, _ = Stretched(stretch, times).at(t)
        still = swinging_after(follow(found.arm.elastic, t, q, qd, qdd), len(t) - 1)
        return still.settling(1e-4) <= 0.05

    assert settles(slow.times + 0.02)
    assert not settles(slow.times / 1.1)


def test_what_never_settles_is_said():
    """Of a tolerance that no pace of the arm keeps."""
    hurried = vibrate(moves(0.05), "rl15-elastic", tolerance=1e-9)
    assert hurried.slower[0].times is None


def test_frequencies_and_where_they_are(found):
    low = found.extremes()[0]
    at = found.swing.q[round(low["lowest_at"] / 1e-3)]
    assert found.arm.elastic.frequencies(at, drives="held")[0] == pytest.approx(low["lowest"], rel=1e-12)
    assert found.frequencies[:, 0].min() == low["lowest"]
    assert found.line_at(0.0) == 1
    assert found.line_at(found.duration) == 3


def test_figure(found, tmp_path):
    pytest.importorskip("matplotlib")
    found.plot(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    for word in ("tool off [mm]", "frequency [Hz]", "tolerance", "mode 6"):
        assert word in text
    with pytest.raises(Unsupported, match="png"):
        found.plot(tmp_path / "a.jpg")


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


def test_command_shaped_with_all_its_files(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    files = {"plot": tmp_path / "a.png", "report": tmp_path / "a.html", "csv": tmp_path / "a.csv"}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    assert main(["vibrate", PROGRAM, "--robot", "rl15-elastic", "--shape", "zvd", *options]) == 0
    said = capsys.readouterr().out
    assert said.startswith("yes  rl15-elastic in Lola15DD, shaped by ZVD, settles within 0.1 mm")
    for word in ("was mm", "Frequencies along the path", "15.71 s become 16.01 s", *map(str, files.values())):
        assert word in re.sub(r"\n\s*", "", said)
    assert files["plot"].read_bytes()[:4] == b"\x89PNG"
    assert "vibration" in files["report"].read_text()


@pytest.mark.slow
def test_command_with_fewer_modes(capsys):
    """Shapes of all links together, as `modes=` has them; what that costs is told."""
    assert main(["vibrate", PROGRAM, "--robot", "rl15-elastic", "--modes", "4", "--tolerance", "1 m"]) == 0
    said = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert "4 shapes of the links are taken of the file's 10: the first frequencies are off by" in said


def test_what_would_help_is_told(capsys):
    assert main(["vibrate", PROGRAM, "--robot", "rl15-elastic"]) == 1
    said = capsys.readouterr().out
    assert "What would help: a shaper (--shape)" in said
    assert "blend mm" in said
    assert "72 %" in said  # the tour at a slower pace


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--robot", "rl15"], "no elastic links"),
        (["--robot", "rl15-elastic", "--tolerance", "3 kg"], "m or mm"),
        (["--robot", "rl15-elastic", "--tolerance", "0"], "above zero"),
        (["--robot", "rl15-elastic", "--shape", "ZVDX"], "did you mean 'ZVD'? known: ZV, ZVD, EI, blend"),
        (["--robot", "rl15-elastic", "--plot", "a.jpg"], "give a path that ends in .png, .svg or .pdf"),
        (["--robot", "rl15-elastic", "--report", "a.html", "--csv", "a.html"], "are the same file"),
        (["--robot", "rl15-elastic", "--fidelity", "3"], "1"),
        (["--robot", "rl15-elastic", "--modes", "11"], "11 modes for 2 links that bend; give 2 to 10, of all links"),
    ],
)
def test_bad_input(capsys, given, said):
    assert main(["vibrate", PROGRAM, *given]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--report", "--csv"])
def test_a_program_is_not_overwritten(capsys, tmp_path, option):
    program = tmp_path / "tour.irl"
    program.write_bytes(Path(PROGRAM).read_bytes())
    assert main(["vibrate", str(program), "--robot", "rl15-elastic", option, str(program)]) == 2
    assert "was read by this command and would be lost" in capsys.readouterr().err
    assert program.read_bytes() == Path(PROGRAM).read_bytes()


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
    with pytest.raises(Unsupported, match="known: ZV, ZVD"):
        torsor.vibrate(moves(1.0), "rl15-elastic", shape="XY")
    with pytest.raises(TorsorError, match="moves nothing"):
        vibrate([Dwell(0.0, Place("tour", 1, 1))], "rl15-elastic")
    for wrong in ({"tolerance": "0.1 mm"}, {"tolerance": np.nan}, {"dt": 0.0}, {"dt": np.nan}, {"dt": "1 ms"}):
        with pytest.raises(TorsorError, match=f"^{next(iter(wrong))} is "):
            vibrate(moves(1.0), "rl15-elastic", **wrong)


CANTILEVER = with_a_bar(
    "cantilever",
    'section = { bar = ["40 mm", "20 mm"] }\nup = [0, 0, 1]\nmaterial = "aluminium"\nmodes = 6\ndamping = DAMPING',
    "[tool]\nposition = [1, 0, 0]\npayload = { mass = 3.0 }",
    axis="0, 1, 0",
    link="limits = { speed = 3, acceleration = 10 }",
)


def cantilever(damping="0.02", payload=3.0):
    text = CANTILEVER.replace("DAMPING", damping).replace("mass = 3.0", f"mass = {payload}")
    return Arm(parse_arm_file(text, "cantilever.toml"))


def turns(*angles, rest=0.5):
    found = []
    for k, q in enumerate(angles):
        found += [Move("joint", Joints((q,), "a"), Place("t", 2 * k + 1, 1)), Dwell(rest, Place("t", 2 * k + 2, 1))]
    return found


def test_what_is_damped_too_much_creeps():
    """b K of 50 s: every pole is real, tau = b; no frequency swings, and no shaper helps."""
    arm = cantilever("{ rayleigh = [0.0, 50.0] }")
    found = vibrate(turns(0.5, 0.0), arm, shape="ZV")
    for stop in (*found.stops, *found.before.stops):
        assert stop.mode == "creeps"
        assert stop.shapers == {}
    assert found.costs == 0.0
    first = found.before.stops[0]
    assert first.settling is None
    after = found.before.swing.deviation[found.before.time >= first.end]
    assert first.left == pytest.approx(after[0], rel=1e-2)
    assert all(each is None for each in found.shapers(0).values())
    with pytest.raises(Unsupported, match=r"too fast for fidelity 2: a pole at \S+ 1/s asks for \d+ steps"):
        vibrate(turns(0.5), arm, fidelity=2)


def test_a_stiff_arm_is_looked_at_often_enough():
    """Of some kHz, as of some Hz: what is left is the most that closed form gives at any time."""
    text = CANTILEVER.replace("DAMPING", "0.02").replace('"aluminium"', "{ E = 7e15, nu = 0.33, rho = 2700 }")
    swing = vibrate(turns(0.5), Arm(parse_arm_file(text, "stiff.toml"))).swing
    u = np.zeros(swing.arm.size)
    last = Dying.of(swing.arm, swing.told[0][0], u, u + 1.0)
    assert last.frequencies.min() > 1e3
    fine = np.linspace(0.0, 2.0 / last.frequencies.min(), 200_000)
    assert last.left == pytest.approx(last.deviation(fine).max(), rel=1e-2)


@pytest.mark.parametrize("E", ["7e15", "7e14", "7e10"])
def test_what_settles_fast_is_looked_at_often_enough(E):
    """Within half a period of the slowest: looks 5e-4 s apart saw nothing of some kHz, which settled at once."""
    text = CANTILEVER.replace("DAMPING", "0.002").replace('"aluminium"', f"{{ E = {E}, nu = 0.33, rho = 2700 }}")
    swing = vibrate(turns(0.5), Arm(parse_arm_file(text, "stiff.toml"))).swing
    rng, m = np.random.default_rng(0), swing.arm.size
    for _ in range(5):
        still = Dying.of(swing.arm, swing.told[0][0], np.zeros(m), rng.normal(size=m))
        period = 1.0 / still.frequencies.min()
        tolerance = 0.9 * still.left
        found = still.settling(tolerance)
        fine = np.arange(0.0, found + 5.0 * period, 1.0 / (80.0 * still.frequencies.max()))
        right = fine[still.deviation(fine) > tolerance][-1]
        assert found == pytest.approx(right, abs=0.55 * period)


def test_what_swings_on_after_the_longest_wait_does_not_settle():
    """Also where it passes through zero just then; 105 s are needed, and up to 59.9 s were said."""
    pole = np.array([complex(-1e-3, 2.0 * np.pi * 0.5), complex(-1e-3, -2.0 * np.pi * 0.5)])
    for phase in np.linspace(0.0, np.pi, 9):
        turned = 0.5e-3 * np.exp(1j * np.array([phase, -phase]))
        still = Dying(pole, np.array([[1.0], [0.0], [0.0]]) * turned)
        assert still.settling(0.9e-3) is None
        assert still.settling(1.01e-3) == 0.0


@pytest.mark.parametrize("kind", ["ZV", "ZVD", "EI", "blend"])
def test_a_shaper_leaves_what_creeps(kind):
    """A joint that is damped beyond critical before a beam that swings: 1.2e-6 m were promised, 2.9e-3 m came."""
    text = CANTILEVER.replace("DAMPING", "0.02").replace(
        "acceleration = 10 }", "acceleration = 10 }\ncompliance = { stiffness = 2000, damping = 2000 }"
    )
    # what creeps dies down by 1/e in a second, and what is left of the first stop is still there at the next
    found = vibrate(turns(0.5, 0.0, rest=6.0), Arm(parse_arm_file(text, "both.toml")), shape=kind)
    for before, after in zip(found.before.stops, found.stops, strict=True):
        assert before.frequency == pytest.approx(6.3, rel=0.1)
        assert before.shapers[kind][0] == pytest.approx(after.left, rel=0.02)
        assert after.left > 0.1 * before.left


def test_every_stop_is_shaped():
    """However their times add up: one that began a last bit beside where its stretch does was passed over."""
    arm, rng = cantilever(), np.random.default_rng(0)
    for _ in range(200):
        commands = turns(*rng.uniform(-2.0, 2.0, size=3), rest=float(rng.uniform(0.05, 0.2)))
        table = Timetable.of(stretches_of(Planner.of(arm).plan(commands)))
        if any(stretch.start != start for stretch, start, *_ in table.stops):
            break
    else:
        pytest.fail("times of all programs add up to the last bit")
    made = vibrate(commands, arm, shape="ZV")
    assert made.costs == pytest.approx(sum(stop.shapers["ZV"][1] for stop in made.before.stops), rel=1e-9)


def test_what_the_arm_holds_counts():
    """What it takes before its first move is followed; what changes on the way is said not to be."""
    place = Place("t", 1, 1)
    heavy = vibrate([Payload(6.0, place), *turns(0.5)], cantilever())
    right = vibrate(turns(0.5), cantilever(payload=6.0))
    assert heavy.stops[0].left == pytest.approx(right.stops[0].left, rel=1e-12)
    assert not any("payload" in note for note in heavy.notes)
    later = Place("t", 9, 1)
    others = Payload(9.0, later), Tool(np.eye(4), later), *turns(0.0)
    changed = vibrate([Payload(6.0, place), *turns(0.5), *others], cantilever())
    for what in ("a payload of 9 kg", "another tool"):
        assert f"line 9: {what} is not counted: the arm is followed as it starts" in changed.notes
    assert changed.stops[0].left == pytest.approx(right.stops[0].left, rel=1e-12)
    with pytest.raises(TorsorError, match=r"^t:1:1: the mass of the payload is 1e\+300; give 0 to"):
        vibrate([Payload(1e300, place), *turns(0.5)], cantilever())


def test_a_payload_of_no_mass_is_nothing():
    """Not what the arm file has it hold, which 1e-9 kg are not either."""
    place, empty = Place("t", 1, 1), vibrate(turns(0.5), cantilever().with_payload(0.0)).stops[0]
    for held in ([0.0], [6.0, 0.0], [1e-9]):
        found = vibrate([*(Payload(mass, place) for mass in held), *turns(0.5)], cantilever()).stops[0]
        assert found.left == pytest.approx(empty.left, rel=1e-6)
        assert found.frequency == pytest.approx(empty.frequency, rel=1e-6)
    assert empty.frequency > 2.0 * vibrate(turns(0.5), cantilever()).stops[0].frequency


def test_what_it_holds_is_in_the_frame_of_its_tool():
    """A tool before the first move is not followed, and said so; what hangs on it is."""
    place, T = Place("t", 1, 1), np.eye(4)
    T[:3, 3] = [0.2, 0.0, 0.1]
    for commands in ([Tool(T, place), Payload(6.0, place)], [Payload(6.0, place), Tool(T, place)]):
        found = vibrate([*commands, *turns(0.5)], cantilever())
        right = vibrate(turns(0.5), cantilever().with_payload(6.0, T[:3, 3]))
        assert found.stops[0].left == pytest.approx(right.stops[0].left, rel=1e-12)
        assert [note for note in found.notes if "not counted" in note] == [
            "line 1: another tool is not counted: the arm is followed as it starts"
        ]


def test_few_modes():
    """Fewer of them than frequencies that are compared."""
    few = vibrate(turns(0.5), cantilever(), modes=2)
    assert "2 shapes of the links are taken of the file's 6: the first frequencies are off by" in few.notes[-1]
    for wrong in (2.5, "two", 0):
        with pytest.raises(TorsorError, match="modes"):
            vibrate(turns(0.5), cantilever(), modes=wrong)


def test_a_program_that_only_waits(capsys, tmp_path):
    (tmp_path / "waits.v2").write_text(".PROGRAM waits\n  DELAY 0.2\n.END\n")
    (tmp_path / "cantilever.toml").write_text(CANTILEVER.replace("DAMPING", "0.02"))
    given = [str(tmp_path / "waits.v2"), "--robot", str(tmp_path / "cantilever.toml"), "--tolerance", "1E-4"]
    assert main(["vibrate", *given, "--report", str(tmp_path / "a.html")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("yes  cantilever in waits makes no stop after a move; the tool is off by ")


def test_shapers_are_of_the_program_as_written():
    made = vibrate(turns(0.5, 0.0, rest=0.05), cantilever(), shape="ZV", tolerance=1e-6)
    assert made.late
    for k in range(2):
        assert made.shapers(k) == made.before.stops[k].shapers == made.before.shapers(k)
