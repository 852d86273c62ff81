"""Signals: the table on disk, and what is kept of them for pictures."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torsor.checking.kinematic_columns import KinematicColumns, euler_motion
from torsor.checking.signals import columns, table
from torsor.checking.traces import Traces
from torsor.errors import TorsorError


def test_the_table_has_what_the_arrays_have(fast, tmp_path):
    path = tmp_path / "signals.csv"
    fast.to_csv(path)
    with path.open(newline="") as stream:
        head, *rows = csv.reader(stream)
    more = KinematicColumns(fast.machine.arm)
    assert head == columns(fast.joints, fast.motors, fast.machine.bearing_names) + more.titles
    assert len(rows) == len(fast.signals) == 801
    numbers = np.array(rows, dtype=float)
    at = {name: k for k, name in enumerate(head)}
    signals = fast.signals
    np.testing.assert_allclose(numbers[:, at["time"]], signals.time, rtol=1e-8)
    np.testing.assert_allclose(numbers[:, at["joint3.q"]], signals.q[:, 2], rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(numbers[:, at["motor1.given"]], signals.given[:, 0], rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(numbers[:, at["deviation"]], signals.off, rtol=1e-8, atol=1e-12)
    lines = [fast.moves[k].place.line for k in signals.move]
    np.testing.assert_array_equal(numbers[:, at["line"]], lines)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device"), ValueError])
def test_an_interrupted_table_leaves_nothing(tmp_path, error):
    path = tmp_path / "signals.csv"
    path.write_text("old")
    expected = TorsorError if isinstance(error, OSError) else error
    with pytest.raises(expected), table(path, ("a",), ("b",)):
        raise error
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["signals.csv"]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(TorsorError, match="cannot write here"), table(tmp_path / "no" / "x.csv", (), (), ()):
        pass


@given(
    st.lists(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), min_size=1, max_size=12),
    st.integers(min_value=2, max_value=20),
)
def test_no_extreme_is_lost(parts, most):
    traces, time = Traces(most=most), 0
    for part in parts:
        traces.add(np.arange(time, time + len(part)) * 1.0, np.array(part)[:, None])
        time += len(part)
    everything = np.concatenate([np.array(part) for part in parts])
    assert traces.low.min() == everything.min()
    assert traces.high.max() == everything.max()
    assert len(traces.first) <= most + 1
    assert (np.diff(traces.first) > 0).all()
    t, values = traces.points()
    assert (np.diff(t) > 0).all()
    assert (values.min(), values.max()) == (everything.min(), everything.max())


@given(st.lists(st.integers(min_value=1, max_value=30), min_size=1, max_size=12), st.integers(2, 20), st.data())
def test_no_flag_is_lost(lengths, most, choose):
    total = sum(lengths)
    marked = choose.draw(st.integers(0, total - 1))
    trail, at = Traces(most=most), 0
    for length in lengths:
        index = np.arange(at, at + length)
        trail.add(index[:, None] * 1.0, index[:, None] == marked)
        at += length
    assert trail.high.any()
    assert len(trail.first) <= most
    assert trail.first[0, 0] == 0.0
    near = trail.first[trail.high.ravel()][:, 0]
    assert (near <= marked).all()
    assert (marked - near < 2 * trail.width).all()


def test_motors_and_achieved_motion_are_in_the_table(fast):
    """Motor angles are those of the gears; where motors saturate, reached rates are those of the reached positions."""
    signals, drives = fast.signals, fast.machine.driven.drives
    np.testing.assert_allclose(signals.angle, drives.positions(signals.q))
    np.testing.assert_allclose(signals.reached_angle, drives.positions(signals.reached))
    late = np.abs(signals.reached - signals.q).max(axis=1) > 1e-9
    same = ~late & np.roll(~late, 1) & np.roll(~late, -1)
    np.testing.assert_array_equal(signals.reached[same], signals.q[same])
    if late.any():
        assert np.abs(signals.reached_qd[late] - signals.qd[late]).max() > 0.0
        slope = np.gradient(signals.reached, signals.time, axis=0)
        inside = late & np.roll(late, 1) & np.roll(late, -1)
        gap = np.abs(slope[inside] - signals.reached_qd[inside]).max()
        assert gap < 0.1 * np.abs(signals.reached_qd).max()


def test_bearing_loads_of_the_reached_motion(fast):
    """Where nothing is late they are those of the plan; where it is, those of the positions that are reached."""
    signals, machine = fast.signals, fast.machine
    late = np.abs(signals.reached - signals.q).max(axis=1) > 1e-9
    assert late.any()
    np.testing.assert_array_equal(signals.reached_bearing[signals.time < signals.time[late][0] - 0.02][:5],
                                  signals.bearing[:5])  # fmt: skip
    k = np.flatnonzero(late)[::40]
    motion = signals.reached[k], signals.reached_qd[k], signals.reached_qdd[k]
    np.testing.assert_allclose(signals.reached_bearing[k], machine.bearing_loads(*motion), atol=1e-6)


def test_how_everything_moves_is_in_the_table(fast):
    """Velocities and accelerations are the slopes of what moves: of the tool, its angles and the centres of mass."""
    more = KinematicColumns(fast.machine.arm)
    found = dict(zip(more.titles, more.of(fast.signals).T, strict=True))
    signals, time = fast.signals, fast.signals.time
    steady = np.flatnonzero((signals.move[2:] == signals.move[:-2]) & (np.diff(time)[1:] > 0.009)) + 1

    def slope(values):
        return (values[steady + 1] - values[steady - 1]) / (time[steady + 1] - time[steady - 1])

    for k, axis in enumerate("xyz"):
        scale = np.abs(found[f"tool.v{axis}"]).max() + 0.01
        assert np.median(np.abs(slope(signals.tool[:, k]) - found[f"tool.v{axis}"][steady])) < 1e-3 * scale
        for name in more.links:
            speed = found[f"{name}.com.v{axis}"]
            gap = np.median(np.abs(slope(found[f"{name}.com.{axis}"]) - speed[steady]))
            assert gap < 1e-3 * (np.abs(speed).max() + 0.01)
    for angle in ("phi", "theta", "psi"):
        rate = found[f"tool.{angle}_rate"]
        assert np.median(np.abs(slope(found[f"tool.{angle}"]) - rate[steady])) < 1e-3 * (np.abs(rate).max() + 0.01)


@given(*(st.floats(-1.2, 1.2) for _ in range(9)))
def test_euler_angles_and_their_rates(a, b, c, da, db, dc, dda, ddb, ddc):
    """By central differences of the rotation itself."""
    from torsor.model.transforms import rotation_y, rotation_z

    def turned(t):
        angles = (x + t * (v + 0.5 * t * w) for x, v, w in ((a, da, dda), (b + 1.5, db, ddb), (c, dc, ddc)))
        first, second, third = angles
        return rotation_z(first) @ rotation_y(second) @ rotation_z(third)

    def spin(t, h=1e-5):
        S = (turned(t + h) - turned(t - h)) / (2 * h) @ turned(t).T
        return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2

    alpha = (spin(1e-3) - spin(-1e-3)) / 2e-3
    angles, rates, accelerations = euler_motion(turned(0.0)[None], spin(0.0)[None], alpha[None])
    np.testing.assert_allclose(angles[0], [a, b + 1.5, c], atol=1e-9)
    np.testing.assert_allclose(rates[0], [da, db, dc], atol=1e-6 / abs(np.sin(b + 1.5)))
    np.testing.assert_allclose(accelerations[0], [dda, ddb, ddc], atol=1e-3 / np.sin(b + 1.5) ** 2)


def test_angles_have_no_rates_where_the_tool_is_upright():
    angles, rates, _ = euler_motion(np.eye(3)[None], np.ones((1, 3)), np.ones((1, 3)))
    assert angles[0].tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(rates[0]).all()
