"""Distances of segments against brute force over their points."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from torsor.cell.distances import between_segments

number = st.floats(-2.0, 2.0).map(lambda x: round(x, 3))
point = st.tuples(number, number, number).map(np.array)
SHARES = np.linspace(0.0, 1.0, 201)[:, None]


@given(point, point, point, point)
def test_segments(a, b, c, d):
    grid = np.linalg.norm((a + SHARES * (b - a))[:, None] - (c + SHARES * (d - c)), axis=-1).min()
    found = float(between_segments(a, b, c, d))
    step = 0.005 * (np.linalg.norm(b - a) + np.linalg.norm(d - c))
    assert grid - step - 1e-9 <= found <= grid + 1e-9


def test_parallel_and_points():
    x, y = np.eye(3)[:2]
    assert between_segments(0 * x, 4 * x, 1 * x + y, 2 * x + y) == 1.0
    assert between_segments(x, x, x + y, x + y) == 1.0
    assert between_segments(0 * x, 4 * x, 5 * x, 9 * x) == 1.0
