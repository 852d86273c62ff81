"""Curves packed and unpacked again: within a ten-thousandth of their range, holes where there were holes."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from report.unpacking import unpack
from torsor.report.packing import FINE, STEPS, packed

SMALLEST = np.finfo(float).tiny  # below it numbers have few digits, and none to spare for steps
SIZES = st.floats(-1e12, 1e12) | st.floats(-1.0, 1.0) | st.sampled_from([np.nan, np.inf, -np.inf])


@example(np.array([5e-324, 0.0]), STEPS)
@given(arrays(np.float64, st.integers(0, 80), elements=SIZES), st.sampled_from([STEPS, FINE]))
def test_no_value_is_further_off_than_said(values, steps):
    curve = packed(values, steps=steps)
    found = unpack(json.loads(json.dumps(curve, allow_nan=False)))
    known = np.isfinite(values)
    assert found.shape == values.shape
    np.testing.assert_array_equal(np.isnan(found), ~known)
    if known.any():
        span, most = np.ptp(values[known]), np.abs(values[known]).max()
        off = np.abs(found - values)[known].max()
        assert off < 1e-4 * span or off <= 1e-9 * most or off < SMALLEST


def test_equal_steps_of_time_come_back_equal():
    time = 1e-3 * np.arange(FINE + 1)
    np.testing.assert_allclose(unpack(packed(time, steps=FINE)), time, atol=1e-9)


def test_a_minute_of_forty_signals_is_small():
    time, rng = 1e-3 * np.arange(60_001), np.random.default_rng(3)
    waves = (rng.normal(size=6) @ np.sin(np.outer(rng.uniform(0.3, 9.0, 6), time)) for _ in range(40))
    assert sum(len(packed(wave)["data"]) for wave in waves) < 1_000_000


@pytest.mark.parametrize("values", [[], [np.nan], [3.0], [0.0, 0.0], [5.0, 5.0 + 1e-15]])
def test_curves_of_nearly_nothing(values):
    np.testing.assert_allclose(unpack(packed(np.array(values))), values, rtol=1e-12)
