"""``dtype=float32`` from the methods of an arm: 1e-5 of the largest element of a batch, beside float64."""

from functools import cache

import numpy as np
import pytest

import torsor
from library_arms import library
from random_arms import random_state
from torsor.errors import Unsupported
from torsor.mechanics.quantities import QUANTITIES

ACCURACY = 1e-5  # as docs/compiler.md declares
ROWS = 200
load = cache(torsor.load)


def results(arm, quantity, states, **options):
    found = getattr(arm, quantity)(*states, **options)
    return found if isinstance(found, tuple) else (found,)


def check(arm, quantity, *, row_by_row):
    """At states that both precisions hold."""
    states = [x.astype(np.float32) for x in random_state(arm.n, 5, (ROWS,))[: len(QUANTITIES[quantity].states)]]
    single, double = results(arm, quantity, states, dtype=np.float32), results(arm, quantity, states)
    for mine, right in zip(single, double, strict=True):
        assert (mine.dtype, right.dtype) == (np.float32, np.float64)
        assert mine.shape == right.shape
        axes = tuple(range(1, right.ndim)) if row_by_row else None
        assert (np.abs(mine - right).max(axis=axes) <= ACCURACY * np.abs(right).max(axis=axes)).all()


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics"])
@pytest.mark.parametrize("robot", library())
def test_dynamics_of_the_library(robot, quantity):
    """Of arms with loops the open tree."""
    check(load(robot).tree, quantity, row_by_row=True)


@pytest.mark.parametrize("quantity", sorted(set(QUANTITIES) - {"inverse_dynamics", "forward_dynamics"}))
@pytest.mark.parametrize("robot", ["ur5", pytest.param("panda", marks=pytest.mark.slow)])
def test_every_quantity(robot, quantity):
    check(load(robot), quantity, row_by_row=False)


def test_by_what_is_written():
    """``out=`` of float32 asks for it, unless ``dtype`` says otherwise; several outputs only if all are."""
    arm = load("scara")
    q, qd, qdd = random_state(arm.n, 1, (20,))
    single, double = np.empty((20, 4), np.float32), arm.inverse_dynamics(q, qd, qdd)
    assert arm.inverse_dynamics(q, qd, qdd, out=single) is single
    np.testing.assert_array_equal(single, arm.inverse_dynamics(q, qd, qdd, dtype="float32"))
    rounded = arm.inverse_dynamics(q, qd, qdd, out=np.empty_like(single), dtype=np.float64)
    np.testing.assert_array_equal(rounded, double.astype(np.float32))
    assert not np.array_equal(rounded, single)
    mixed = np.empty(20), np.empty(20, np.float32)
    arm.energy(q, qd, out=mixed)
    np.testing.assert_array_equal(mixed[0], arm.energy(q, qd)[0])
    both = np.empty(20, np.float32), np.empty(20, np.float32)
    arm.energy(q, qd, out=both)
    np.testing.assert_array_equal(both[1], arm.energy(q, qd, dtype=np.float32)[1])


def test_with_loads_and_drives():
    arm = load("puma560")
    states = random_state(arm.n, 2, (30,))
    options = {"gravity": [1.0, 2.0, -3.0], "wrench": np.arange(6.0), "drives": True}
    single, double = (
        arm.inverse_dynamics(*states, dtype=np.float32, **options),
        arm.inverse_dynamics(*states, **options),
    )
    assert np.abs(single - double).max() <= ACCURACY * np.abs(double).max()


def test_kernel():
    arm = load("scara")
    kernel = arm.kernel("gravity", dtype=np.float32)
    assert kernel is arm.kernel("gravity", dtype="float32")
    assert kernel.tape == arm.kernel("gravity").tape
    assert kernel.dtype == np.float32
    assert kernel.gufunc.types == ["f->f"]
    assert arm.gravity(np.zeros(4)).dtype == np.float64


def test_refused():
    q = np.zeros(3)
    with pytest.raises(Unsupported, match=r"dtype is <class 'numpy.float16'>; numpy.float64 or numpy.float32"):
        load("planar3").gravity(q, dtype=np.float16)
    with pytest.raises(
        Unsupported, match=r"'delta' has loops, .* too coarsely; leave dtype out; the open tree, arm.tree"
    ):
        load("delta").gravity(q, dtype=np.float32)
    with pytest.raises(Unsupported, match="a traced quantity has no dtype"):
        load("planar3").gravity(torsor.algebra.symbols("q", 3), dtype=np.float32)
