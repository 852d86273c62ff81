"""Six equations solved by a kernel without pivots are met as well as by LAPACK with them."""

import numpy as np

import torsor
from torsor.motion.six_equations import six_solved


def test_as_exact_as_lapack_also_near_singular():
    arm, rng = torsor.load("kr6-r900-2"), np.random.default_rng(3)
    q = rng.uniform(-1.5, 1.5, (2000, 6))
    q[:1000, 4] = 10.0 ** rng.uniform(-9.0, -1.0, 1000)  # a wrist that is almost straight
    q[::10, 0] = 0.0  # zeros where LAPACK would take another pivot
    J, x = arm.jacobian(q), rng.normal(size=(2000, 6))
    b = (J @ x[..., None])[..., 0]
    found, known = six_solved(J, b), np.linalg.solve(J, b[..., None])[..., 0]

    def left(x):
        size = np.linalg.norm(J, axis=(-1, -2)) * np.linalg.norm(x, axis=-1)
        return np.abs((J @ x[..., None])[..., 0] - b).max(axis=-1) / size

    assert left(found).max() < 1e-15
    assert left(found).max() < 4.0 * left(known).max()
    far = np.linalg.cond(J) < 1e4
    np.testing.assert_allclose(found[far], x[far], rtol=0.0, atol=1e-11)


def test_a_row_of_a_batch_is_the_single_one_to_the_last_bit():
    rng = np.random.default_rng(1)
    J, b = rng.normal(size=(33, 6, 6)), rng.normal(size=(33, 6))
    together = six_solved(J, b)
    for k in range(33):
        assert (six_solved(J[k : k + 1], b[k : k + 1])[0] == together[k]).all()
    assert six_solved(J[:0], b[:0]).shape == (0, 6)


def test_without_rank_there_is_no_number():
    assert np.isnan(six_solved(np.zeros((1, 6, 6)), np.ones((1, 6)))).all()
