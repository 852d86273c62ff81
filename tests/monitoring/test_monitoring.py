"""The monitor: nothing is flagged while nothing happens, and what happens is flagged where and when it does."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from monitored_streams import Motion, home, swinging
from torsor.errors import ShapeError
from torsor.monitoring import Monitor
from torsor.monitoring.flags import FlagBook
from torsor.monitoring.stream_samples import Arrived, SampleReader, StreamSample

FORCE = np.array([0.0, 40.0, -40.0, 0.0, 0.0, 0.0])


def watched(motion, *, speeds=True, torques=True, **options):
    monitor = Monitor(motion.arm, **options)
    monitor.take(motion.samples(speeds=speeds, torques=torques))
    return monitor


OTHERS = [("puma560", True), ("ur5", True), ("five-bar", True), ("puma560", False)]


@pytest.mark.parametrize(
    ("name", "speeds"),
    [("rl15", True), ("scara", False), *(pytest.param(*each, marks=pytest.mark.slow) for each in OTHERS)],
)
def test_a_minute_of_noise_raises_no_flag(name, speeds):
    motion = swinging(torsor.load(name), np.arange(0.0, 60.0, 5e-3), size=0.15).noisy()
    monitor = watched(motion, speeds=speeds)
    assert [str(flag) for flag in monitor.book.flags] == []
    assert monitor.clock.samples == 12000
    assert abs(monitor.payload.mass) < 2.0 * monitor.payload.uncertainty
    assert monitor.delay == (0.0 if speeds else 1.0 / monitor.rate)


@pytest.mark.parametrize("name", ["puma560", "ur5", "scara"])
def test_a_collision_is_flagged_in_time_and_ends(name):
    t = np.arange(0.0, 8.0, 2e-3)
    hit = (t >= 5.0) & (t < 5.3)
    motion = swinging(torsor.load(name), t, wrench=hit[:, None] * FORCE).noisy()
    flags = watched(motion).book.flags
    assert {flag.kind for flag in flags} == {"collision"}
    assert 5.0 <= min(flag.time for flag in flags) < 5.02
    # the residual falls by a factor of 400 within six times of the observer, and a flag ends with it
    assert max(flag.until for flag in flags) < 5.3 + 6.0 / 30.0
    truth = np.abs(np.swapaxes(motion.arm.jacobian(motion.q), -1, -2) @ FORCE)[hit]
    for flag in flags:
        reached = truth[:, motion.arm.joint_names.index(flag.where)].max()
        assert flag.size == pytest.approx(reached, rel=0.1, abs=flag.limit)


@pytest.mark.parametrize(("name", "held"), [("puma560", 1.5), ("ur5", 2.0), ("rl15", 5.0)])
def test_a_payload_that_the_model_does_not_know_is_weighed(name, held):
    motion = swinging(torsor.load(name), np.arange(0.0, 12.0, 4e-3), held=held).noisy()
    monitor = watched(motion)
    assert {flag.kind for flag in monitor.book.flags} == {"payload"}
    (flag,) = monitor.book.flags
    assert 1.0 < flag.time < 4.0
    known = 0.0 if motion.arm.model.payload is None else motion.arm.model.payload.mass
    assert abs(monitor.payload.mass - (held - known)) <= monitor.payload.uncertainty
    assert monitor.payload.uncertainty < 0.1 * held


def test_the_uncertainty_of_a_payload_is_honest():
    """Of twenty streams with noise of their own at most a few may lie outside of what they tell."""
    motion = swinging(torsor.load("planar2"), np.arange(0.0, 5.0, 1e-2), held=0.5)
    found = [watched(motion.noisy(seed)).payload for seed in range(20)]
    inside = sum(abs(each.mass - 0.5) <= each.uncertainty for each in found)
    assert inside >= 17
    assert np.std([each.mass for each in found]) > 0.1 * np.mean([each.uncertainty for each in found])


def test_a_part_that_is_grasped_looks_like_a_push_until_it_is_known_as_a_load():
    arm, t = torsor.load("ur5"), np.arange(0.0, 16.0, 4e-3)
    free, heavy = swinging(arm, t), swinging(arm, t, held=3.0)
    motion = Motion(arm, t, free.q, free.qd, np.where((t < 5.0)[:, None], free.u, heavy.u)).noisy()
    flags = watched(motion).book.flags
    assert {flag.kind for flag in flags} == {"collision", "payload"}
    assert 5.0 <= flags[0].time < 5.05
    (load,) = [flag for flag in flags if flag.kind == "payload"]
    assert load.time < 8.0


def test_motors_at_their_limits_are_flagged():
    arm = torsor.load("puma560")
    motion = swinging(arm, np.arange(0.0, 3.0, 2e-3))
    peak = np.array([drive.motor.torque for drive in arm.model.drives])
    u = motion.u.copy()
    u[500:600, 3] = 0.99 * peak[3]
    flags = [f for f in watched(Motion(arm, motion.t, motion.q, motion.qd, u)).book.flags if f.kind == "overload"]
    (flag,) = flags
    assert flag.where == arm.drives.names[3]
    assert 1.0 < flag.time < 1.0 + 5.0 / 60.0  # a filter of 60 1/s, through 95 of 99 %
    assert flag.size == pytest.approx(0.99, abs=0.01)


def test_limits_of_position_and_speed_are_flagged_when_they_are_passed():
    arm = torsor.load("ur5")
    link = arm.model.independent[2]
    high, fast = link.joint.limits.position[1], link.joint.limits.speed
    t = np.arange(0.0, 2.0, 2e-3)
    q, qd = np.tile(home(arm), (len(t), 1)), np.zeros((len(t), 6))
    q[:, 2] = high + 0.1 * (t - 1.0)
    qd[500:, 2] = 1.2 * fast
    monitor = Monitor(arm)
    monitor.take([StreamSample(*row) for row in zip(t.tolist(), q, qd, strict=True)])
    flags = {flag.kind: flag for flag in monitor.book.flags}
    assert flags["position"].where == flags["speed"].where == "elbow_joint"
    assert flags["position"].time == pytest.approx(1.0, abs=4e-3)
    assert flags["speed"].time == pytest.approx(1.0, abs=2e-3)
    assert flags["speed"].size == pytest.approx(1.2 * fast)


def test_without_torques_loads_are_the_models():
    motion = swinging(torsor.load("puma560"), np.arange(0.0, 2.0, 4e-3))
    monitor = watched(motion, torques=False)
    frame = monitor.frame()
    assert monitor.side is None
    assert monitor.payload is None
    assert np.isnan(frame.signals["external"]).all()
    assert np.abs(frame.signals["model"][-1] - motion.u[-1]).max() < 0.1 * np.abs(motion.u).max()
    assert np.isfinite(monitor.largest.share).all()


def test_joint_torques_of_an_arm_with_drives_are_those_behind_its_gears():
    arm = torsor.load("puma560")
    motion = swinging(arm, np.arange(0.0, 2.0, 4e-3))
    bare = torsor.Arm(replace(arm.model, drives=()))
    tau = swinging(bare, motion.t).u
    monitor = Monitor(arm)
    rows = zip(motion.t.tolist(), motion.q, motion.qd, tau, strict=True)
    monitor.take([StreamSample(t, q, qd, u, "joint") for t, q, qd, u in rows])
    assert np.nanmax(monitor.largest.external) < 1e-3 * np.abs(tau).max()
    assert not monitor.machine.at_motors


def test_what_is_flagged_does_not_depend_on_how_samples_arrive():
    arm, t = torsor.load("planar2"), np.arange(0.0, 4.0, 1e-3)
    wrench = ((t > 2.5) & (t < 2.7))[:, None] * np.array([0.0, 30.0, 0.0, 0.0, 0.0, 0.0])
    samples = swinging(arm, t, wrench=wrench, held=0.5).noisy().samples()
    whole, parts = Monitor(arm), Monitor(arm)
    whole.take(samples)
    random, begin = np.random.default_rng(0), 0
    while begin < len(samples):
        end = begin + int(random.integers(1, 60))
        parts.take(samples[begin:end])
        parts.frame()
        begin = end
    assert whole.book.flags == parts.book.flags
    assert {flag.kind for flag in whole.book.flags} >= {"collision"}
    assert whole.payload == parts.payload
    assert np.array_equal(whole.frame().signals["threshold"][-1], parts._last["threshold"])


def test_frames_hold_the_last_sample_and_the_worst():
    arm, t = torsor.load("planar2"), np.arange(0.0, 3.0, 1e-3)
    wrench = ((t > 2.9) & (t < 2.92))[:, None] * np.array([0.0, 60.0, 0.0, 0.0, 0.0, 0.0])
    motion = swinging(arm, t, wrench=wrench)
    monitor = Monitor(arm)
    samples = motion.samples()
    monitor.take(samples[:2800])
    assert Monitor(arm).frame() is None
    assert monitor.frame().samples == 2800
    monitor.take(samples[2800:])
    frame = monitor.frame(now=None)
    assert frame.latency is None
    assert len(frame.signals["time"]) == 2
    assert 2.9 < frame.signals["time"][0] < 2.93
    assert frame.time == frame.signals["time"][1] == t[-1]
    assert np.allclose(frame.tool, arm.pose(motion.q[-1]))
    assert [flag.kind for flag in frame.raised] == [flag.kind for flag in monitor.book.flags]
    assert json.loads(json.dumps(frame.document(), allow_nan=False))["samples"] == 3000
    assert monitor.frame().raised == ()


def test_gaps_lost_late_and_disordered_samples_are_counted():
    arm = torsor.load("planar2")
    motion = swinging(arm, np.arange(0.0, 2.0, 1e-2))
    samples = [replace_arrival(s, s.t + 5.0) for s in motion.samples()]
    samples[150] = replace_arrival(samples[150], samples[150].t + 5.5)  # half a second late
    del samples[60:63]  # three are lost
    del samples[100:140]  # a gap, of 40
    samples[20], samples[21] = samples[21], samples[20]
    monitor = Monitor(arm)
    monitor.take(samples)
    clock = monitor.clock
    assert (clock.out_of_order, clock.restarts, clock.lost) == (1, 1, 44)  # and the one out of order
    assert clock.late == 1
    assert clock.period == pytest.approx(0.01)
    assert monitor.frame(now=samples[-1].arrived + 1.0).latency == pytest.approx(2.99, abs=0.02)


def replace_arrival(sample, arrived):
    return replace(sample, arrived=arrived)


def test_headroom_is_what_the_motors_have_left():
    """At twice the acceleration half as much is left; where a motor saturates it says how much is reached."""
    arm = torsor.load("puma560")
    from torsor.checking.checked_arm import CheckedArm
    from torsor.monitoring.headroom import Achieving

    achieving = Achieving(CheckedArm(arm))
    q, qd, a = home(arm), np.full(6, 0.1), np.array([1.0, 0.5, -0.5, 1.0, 1.0, 1.0])
    one, two, far = achieving.at(*(np.tile(x, (3, 1)) for x in (q, qd)), np.outer([1.0, 2.0, 1e3], a))
    assert two.used == pytest.approx(2.0 * one.used, rel=1e-9)
    assert one.achievable == pytest.approx(1.0 / one.used)
    assert (one.reached, two.reached) == (1.0, 1.0)
    assert far.used > 1.0
    assert 0.0 < far.reached < 1.0
    # at the multiple that it tells, the first motor is at its limit, by inverse dynamics
    lower, upper = arm.drives.available(arm.drives.rates(q, qd))
    k = arm.drives.names.index(one.first)
    u = arm.drives.torques(q, qd, one.achievable * a)[k]
    assert u == pytest.approx((upper if u > 0.0 else lower)[k], rel=0.05)  # the cycle takes friction of its end


def test_an_arm_without_limits_has_no_headroom():
    assert watched(swinging(torsor.load("planar2"), np.arange(0.0, 0.2, 1e-2))).frame().headroom is None


def test_options_that_make_no_sense_are_refused():
    arm = torsor.load("planar2")
    with pytest.raises(ShapeError, match="gain is 0"):
        Monitor(arm, gain=0.0)
    with pytest.raises(ShapeError, match="accuracy is 2"):
        Monitor(arm, accuracy=2.0)


def test_flags_are_bounded():
    book = FlagBook()
    for k in range(1500):
        t = np.array([k * 1.0, k * 1.0 + 0.5])
        book.judge("speed", ("a",), t, np.array([[2.0], [0.0]]), np.ones((2, 1)), ("rad/s",))
    assert len(book.flags) == 1000
    assert book.left_out == 500
    assert book.flags[0].until == 0.0


@pytest.mark.parametrize(("held", "hit"), [(0.0, None), (1.5, 8.0)])
def test_a_simulated_robot_whose_friction_sticks(held, hit, monkeypatch):
    """The sender of the examples: forward dynamics with friction that sticks, a law, noise, a push, a wrong payload."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples")
    from robot_sender import samples

    arm = torsor.load("puma560")
    reader, monitor = SampleReader(arm), Monitor(arm)
    told = samples("puma560", 12.0, 250.0, payload=held, collision=hit)
    monitor.take([reader.read(Arrived(each)) for each in told])
    assert abs(monitor.payload.mass - held) <= monitor.payload.uncertainty
    flags = monitor.book.flags
    assert {flag.kind for flag in flags} == (set() if hit is None else {"payload", "collision"})
    assert all(8.0 <= flag.time < 8.05 for flag in flags if flag.kind == "collision")
