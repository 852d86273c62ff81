"""Machine code that looks for peaks against the same in NumPy, to the last bit, and against closed forms."""

import numpy as np
import pytest

from torsor.study.peak_code import peak_code
from torsor.study.peak_search import FINER, PeakTable, ShareForm

FORMS = [ShareForm(0), ShareForm(1, (True,)), ShareForm(2, (False, True)), ShareForm(3, (True, True, False))]


def table(form, rows, seed):
    """Smooth loads, stretches that are not smooth, motors that give nothing or have no limit here and there."""
    rng = np.random.default_rng(seed)
    fine = (rows - 1) * FINER + 1
    t = np.linspace(0.0, 6.0, fine)
    waves = [rng.normal() * np.sin(rng.uniform(0.2, 9.0) * t + rng.uniform(0, 6)) for _ in range(form.width - 2)]
    size = np.exp(rng.normal(size=(2, fine)) * 0.01)
    size[:, rng.random(fine) < 0.02] = np.inf
    size[:, rng.random(fine) < 0.01 * (seed % 2)] = 0.0
    with np.errstate(divide="ignore"):
        whole = np.column_stack([*waves, 1.0 / size[0], -1.0 / size[1]])
    between = whole[:-1].reshape(rows - 1, FINER, -1)[:, 1:].reshape(-1, form.width)
    return PeakTable(form, whole[::FINER], between, rng.random(rows - 1) < 0.9)


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_the_same_to_the_last_bit_as_numpy(form, lanes):
    rng = np.random.default_rng(1)
    for seed, (rows, runs) in enumerate([(2, 1), (3, 9), (40, 37), (333, 64)]):
        own = table(form, rows, seed)
        amounts, rubbing = rng.normal(size=(form.parts, runs)), rng.uniform(0, 2, (len(form.contacts), runs))
        peak, row = peak_code(form, lanes)(own.samples, own.between, own.open, amounts, rubbing)
        want, place = own.by_numpy(amounts, rubbing)
        np.testing.assert_array_equal(peak, want)
        np.testing.assert_array_equal(row, place)


def test_one_sample_and_company():
    """A plan of one sample has no interval; a run gives the same among any others."""
    form = ShareForm(1, (True,))
    one = PeakTable(form, np.array([[1.0, 2.0, 0.5, 0.1, 3.0, -4.0, 0.25, -0.5]]), np.zeros((0, 8)), np.zeros(0, bool))
    peak, row = one.peaks(np.array([[0.0, 1.0, -2.0]]), np.array([[1.0, 0.0, 2.0]]))
    load = np.abs(3.0 + np.array([0.0, 1.0, -2.0]) * -4.0)
    u = 1.0 + np.array([0.0, 1.0, -2.0]) * 2.0 + np.array([1.0, 0.0, 2.0]) * (0.5 + 0.1 * load)
    np.testing.assert_array_equal(peak, np.where(u > 0, u * 0.25, u * -0.5))
    assert row.tolist() == [0, 0, 0]
    many = table(form, 100, 3)
    amounts, rubbing = np.random.default_rng(2).normal(size=(2, 1, 50))
    together = many.peaks(amounts, rubbing)[0]
    alone = [many.peaks(amounts[:, k : k + 1], rubbing[:, k : k + 1])[0][0] for k in range(50)]
    np.testing.assert_array_equal(together, alone)


def test_a_peak_between_samples_is_found():
    """sin(t) whose top lies between two samples: to the fourth power of the finer step."""
    rows = 25
    t = np.linspace(0.0, 3.0, (rows - 1) * FINER + 1)
    assert not (t[::FINER] == np.pi / 2).any()
    whole = np.column_stack([np.sin(t), np.ones_like(t), -np.ones_like(t)])
    between = whole[:-1].reshape(rows - 1, FINER, 3)[:, 1:].reshape(-1, 3)
    own = PeakTable(ShareForm(0), whole[::FINER], between, np.ones(rows - 1, bool))
    peak, row = own.peaks(np.zeros((0, 3)), np.zeros((0, 3)))
    step = t[1] - t[0]
    np.testing.assert_allclose(peak, 1.0, rtol=0, atol=step**4)
    assert whole[::FINER, 0].max() < 1.0 - 1e-4
    assert row.tolist() == [int(np.pi / 2 // (step * FINER))] * 3
