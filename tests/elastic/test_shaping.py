"""Input shaping against closed forms: what is left of a vibration, with the right frequency and with a wrong one."""

import json
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.elastic.shaping import ShapedTrajectory, shaped, shaper
from torsor.elastic.swinging import follow
from torsor.errors import TorsorError, Unsupported
from torsor.motion.curves import Motion

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "elastic.json").read_text())


class Cycloid:
    def __init__(self, duration, by):
        self.duration, self.by = duration, np.asarray(by, dtype=float)

    def at(self, t):
        s, w = np.asarray(t)[:, None] / self.duration, 2.0 * np.pi
        T, D = self.duration, self.by
        return Motion(
            D * (s - np.sin(w * s) / w),
            D / T * (1.0 - np.cos(w * s)),
            D / T**2 * w * np.sin(w * s),
            D / T**3 * w * w * np.cos(w * s),
        )


def left_swinging(trajectory, frequency, steps=200_000):
    """Amplitude of z'' + w^2 z = -x'' after a motion, by its Fourier integral."""
    t = np.linspace(0.0, trajectory.duration, steps + 1)
    w = 2.0 * np.pi * frequency
    integral = np.trapezoid(trajectory.at(t).qdd[:, 0] * np.exp(1j * w * t), t)
    return abs(integral) / w


def test_what_is_left_is_what_closed_forms_say():
    given = ORACLE["input_shaping"]
    i = given["inputs"]
    move = Cycloid(i["T"], [i["move"]])
    assert left_swinging(move, i["frequency_hz"]) == pytest.approx(given["unshaped"], rel=1e-6)
    for error, of_kind in given["designed_with_error"].items():
        for kind, right in of_kind.items():
            made = shaper(kind, (1.0 + float(error)) * i["frequency_hz"])
            found = left_swinging(ShapedTrajectory(move, made), i["frequency_hz"])
            assert found == pytest.approx(right, rel=1e-5, abs=1e-9)
            assert found == pytest.approx(given["unshaped"] * made.left(i["frequency_hz"]), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("kind", ["ZV", "ZVD"])
def test_damped_shapers(kind):
    given = ORACLE["zv_damped"]
    made = shaper(kind, given["inputs"]["frequency_hz"], given["inputs"]["damping"])
    np.testing.assert_allclose(made.times, given[kind]["times"], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(made.shares, given[kind]["amplitudes"], rtol=1e-12)
    assert made.left(8.0, 0.05) < 1e-12


def test_ei_bears_the_largest_errors():
    widths = {}
    for kind in ("ZV", "ZVD", "EI"):
        made = shaper(kind, 10.0)
        off = np.linspace(0.0, 0.5, 2001)
        left = np.array([made.left(10.0 * (1.0 + x)) for x in off])
        widths[kind] = off[np.argmax(left > 0.05 * (1.0 + 1e-9))]
        assert sum(made.shares) == pytest.approx(1.0)
    assert widths["ZV"] < widths["ZVD"] < widths["EI"]
    assert shaper("EI", 10.0).left(10.0) == pytest.approx(0.05)


def test_a_shaped_motion_ends_where_it_ended():
    move = Cycloid(0.5, [0.3, -0.2])
    made = ShapedTrajectory(move, shaper("ZVD", 4.0, 0.02))
    t = np.linspace(0.0, made.duration, 4001)
    q, qd, qdd, _ = made.at(t)
    np.testing.assert_allclose(q[-1], [0.3, -0.2], atol=1e-15)
    h = t[1] - t[0]
    np.testing.assert_allclose((q[2:] - q[:-2]) / (2 * h), qd[1:-1], atol=2e-4)
    np.testing.assert_allclose((qd[2:] - qd[:-2]) / (2 * h), qdd[1:-1], atol=2e-2)
    assert np.abs(qd).max() <= np.abs(move.at(np.linspace(0.0, 0.5, 999)).qd).max()


def test_a_blend_is_a_mean_over_one_period():
    """Of a motion with kinks in its speed: rates are derivatives of q, and what is left is what its spectrum says."""
    move = Cycloid(0.5, [0.3, -0.2])
    blend = shaper("blend", 4.0)
    made = ShapedTrajectory(move, blend)
    assert made.duration == pytest.approx(0.75)
    assert [blend.left(f) for f in (4.0, 8.0, 12.0)] == pytest.approx([0.0] * 3, abs=1e-15)
    assert blend.left(4.4) == pytest.approx(abs(np.sinc(1.1)))
    t = np.linspace(0.0, made.duration, 6001)
    q, qd, qdd, qddd = made.at(t)
    np.testing.assert_allclose(q[-1], [0.3, -0.2], atol=1e-13)
    h = t[1] - t[0]
    for lower, upper in ((q, qd), (qd, qdd), (qdd, qddd)):
        np.testing.assert_allclose((lower[2:] - lower[:-2]) / (2 * h), upper[1:-1], atol=2e-3 * np.abs(upper).max())
    wide = np.linspace(-0.25, 0.5, 7501)
    mean = np.trapezoid(move.at(np.clip(wide[2000:4501], 0.0, 0.5)).q, wide[2000:4501], axis=0) / 0.25
    np.testing.assert_allclose(made.at(np.array([0.2])).q[0], mean, atol=1e-7)
    for frequency in (3.0, 4.4, 7.0):
        right = left_swinging(move, frequency) * blend.left(frequency)
        assert left_swinging(made, frequency) == pytest.approx(right, rel=1e-4)


def test_a_damped_blend_leaves_what_is_said():
    """z'' + 2 d w z' + w^2 z = -x'' after the motion, against `left`."""
    move, frequency, damping = Cycloid(0.3, [1.0]), 5.0, 0.03
    pole = 2.0 * np.pi * frequency * complex(-damping, np.sqrt(1.0 - damping**2))

    def amplitude(trajectory):
        t = np.linspace(0.0, trajectory.duration, 100_001)
        return abs(np.trapezoid(trajectory.at(t).qdd[:, 0] * np.exp(pole * (trajectory.duration - t)), t))

    made = shaper("blend", 5.5, damping)
    found = amplitude(ShapedTrajectory(move, made)) / amplitude(move)
    assert found == pytest.approx(made.left(frequency, damping), rel=1e-4)
    assert shaper("blend", frequency, damping).left(frequency, damping) < damping


def test_the_arm_swings_less():
    """In the coupled motion of an elastic arm: what is left after the stop, before and after shaping."""
    arm = torsor.load("elastic-arm2").elastic

    def swinging(trajectory):
        dt = 1e-3
        t = np.arange(0.0, trajectory.duration + 2.0, dt)
        inside = np.minimum(t, trajectory.duration)
        q, qd, qdd, _ = trajectory.at(inside)
        still = (t > trajectory.duration)[:, None]
        found = follow(arm, t, q, np.where(still, 0.0, qd), np.where(still, 0.0, qdd), fidelity=2)
        after = found.tip[t > trajectory.duration, :3]
        return np.ptp(after, axis=0).max()

    move = Cycloid(1.0, [0.1, 0.05])
    plain, zvd, blend = (swinging(each) for each in (move, shaped(move, arm, "ZVD"), shaped(move, arm, "blend")))
    assert plain > 5e-3
    assert zvd < 0.1 * plain
    assert blend < 0.1 * plain


def test_bad_shapers():
    with pytest.raises(Unsupported, match="ZVD"):
        shaper("ZVDD", 8.0)
    with pytest.raises(TorsorError, match="Hz"):
        shaper("ZV", 0.0)
    with pytest.raises(TorsorError, match="damping"):
        shaper("ZV", 8.0, 1.5)
