"""Signals: the table on disk, and what is kept of them for pictures."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torsor.checking.signals import columns, table
from torsor.checking.traces import Traces
from torsor.errors import TorsorError


def test_the_table_has_what_the_arrays_have(fast, tmp_path):
    path = tmp_path / "signals.csv"
    fast.to_csv(path)
    with path.open(newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head == columns(fast.joints, fast.motors, fast.machine.bearing_names)
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
