"""Samples belong to their number: asked for in any parts they are the same, and spread as their design says."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import qmc

from torsor.errors import StudyError
from torsor.study.designs import BLOCK, SobolPoints, require_design, rows_a_sample, unit_numbers

DESIGNS = ("random", "sobol", "latin", "saltelli")


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(DESIGNS), st.integers(0, 2**40), st.lists(st.integers(0, 200), max_size=4))
def test_in_any_parts(design, seed, cuts):
    names, samples = ["a", "b", "c"], 40
    rows = samples * rows_a_sample(design, 3)
    whole = unit_numbers(design, names, samples, seed, 0, rows)
    edges = sorted({0, rows, *(cut % rows for cut in cuts)})
    parts = [unit_numbers(design, names, samples, seed, a, b) for a, b in pairwise(edges)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert ((whole > 0.0) & (whole < 1.0)).all()


def test_blocks_of_the_generator_join():
    whole = unit_numbers("random", ["a"], 3 * BLOCK, 1, 0, 3 * BLOCK)
    np.testing.assert_array_equal(
        unit_numbers("random", ["a"], 3 * BLOCK, 1, BLOCK - 1, BLOCK + 1), whole[BLOCK - 1 : BLOCK + 1]
    )
    assert len(np.unique(whole)) == len(whole)
    assert abs(whole.mean() - 0.5) < 5 / np.sqrt(12 * len(whole))


@pytest.mark.parametrize("dimensions", [1, 7, 21])
def test_parts_of_a_sobol_sequence_are_those_of_scipy(dimensions):
    """Point n is made from its bits; SciPy goes through all points before it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = qmc.Sobol(dimensions, rng=np.random.default_rng(4)).random(3 * BLOCK)
    for start, stop in ((2 * BLOCK - 3, 3 * BLOCK), (0, 1), (BLOCK - 1, BLOCK + 1), (0, 3 * BLOCK), (5, 6)):
        np.testing.assert_array_equal(SobolPoints(dimensions, 4).between(start, stop), whole[start:stop])


def test_another_variation_changes_none_of_the_others():
    one = unit_numbers("random", ["a"], 10, 3, 0, 10)
    two = unit_numbers("random", ["b", "a"], 10, 3, 0, 10)
    np.testing.assert_array_equal(one[:, 0], two[:, 1])
    assert (unit_numbers("random", ["a"], 10, 4, 0, 10) != one).any()


def test_latin_has_one_in_each_slice_and_sobol_is_balanced():
    latin = unit_numbers("latin", ["a", "b"], 32, 5, 0, 32)
    assert (np.sort((latin * 32).astype(int), axis=0) == np.arange(32)[:, None]).all()
    sobol = unit_numbers("sobol", ["a", "b"], 64, 5, 0, 64)
    assert (np.histogram2d(*sobol.T, bins=8, range=[(0, 1)] * 2)[0] == 1).all()


def test_saltelli_takes_one_at_a_time_from_the_other():
    rows = unit_numbers("saltelli", ["a", "b"], 8, 5, 0, 32).reshape(8, 4, 2)
    a, b, first, second = np.moveaxis(rows, 1, 0)
    np.testing.assert_array_equal(first, np.column_stack([b[:, 0], a[:, 1]]))
    np.testing.assert_array_equal(second, np.column_stack([a[:, 0], b[:, 1]]))


@pytest.mark.parametrize(
    ("design", "samples", "variations", "said"),
    [
        ("halton", 10, 1, "there is no design"),
        ("random", 0, 1, "one or more"),
        ("latin", 10**8, 1, "too many"),
        ("saltelli", 4, 0, "nothing to compare"),
    ],
)
def test_what_cannot_be(design, samples, variations, said):
    with pytest.raises(StudyError, match=said):
        require_design(design, samples, variations)
