"""Values on grids, in lists, and of distributions against their closed forms; what makes no sense is refused."""

import numpy as np
import pytest
from scipy import stats

from torsor.errors import StudyError
from torsor.study import Grid1D, Listed, LogNormal, Normal, Triangular, Uniform
from torsor.study.variation_text import variation_of
from torsor.study.varying import as_variation

U = np.array([1e-9, 0.01, 0.2, 0.5, 0.77, 0.99, 1 - 1e-9])


@pytest.mark.parametrize(
    ("own", "theirs"),
    [
        (Uniform(-2.0, 5.0), stats.uniform(-2.0, 7.0)),
        (Normal(3.0, 0.5), stats.norm(3.0, 0.5)),
        (Normal(1.0, 2.0, least=0.0, most=2.5), stats.truncnorm(-0.5, 0.75, 1.0, 2.0)),
        (Triangular(1.0, 1.5, 4.0), stats.triang(0.5 / 3.0, 1.0, 3.0)),
        (Triangular(1.0, 1.0, 4.0), stats.triang(0.0, 1.0, 3.0)),
        (LogNormal(2.0, 0.3), stats.lognorm(0.3, scale=2.0)),
    ],
)
def test_quantiles(own, theirs):
    np.testing.assert_allclose(own.quantile(U), theirs.ppf(U), rtol=1e-8, atol=1e-8)


def test_grids_hit_their_ends():
    assert Grid1D(0.1, 0.7, 7).values[-1] == 0.7
    np.testing.assert_allclose(Grid1D(1.0, 100.0, 3, log=True).values, [1.0, 10.0, 100.0])
    assert as_variation("a", np.array([1.0, 2.0])) == Listed((1.0, 2.0))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Grid1D(1.0, 1.0, 3), "two or more, rising"),
        (lambda: Grid1D(0.0, 1.0, 3, log=True), "above zero"),
        (lambda: Grid1D(0.0, float("nan"), 3), "a finite number"),
        (lambda: Listed(()), "one or more"),
        (lambda: Listed((1.0, "a")), "either of them"),
        (lambda: Listed((1.0, 1.0)), "twice"),
        (lambda: Uniform(2.0, 1.0), "low below high"),
        (lambda: Normal(0.0, 0.0), "above zero"),
        (lambda: Normal(0.0, 1.0, least=50.0), "nothing of it is left"),
        (lambda: Triangular(0.0, 2.0, 1.0), "in between"),
        (lambda: LogNormal(-1.0, 1.0), "above zero"),
        (lambda: as_variation("payload", 3.0), "payload does not vary"),
        (lambda: variation_of("payload"), "says not what varies"),
        (lambda: variation_of("payload=gauss:1,2"), "there is no 'gauss'"),
        (lambda: variation_of("payload=normal:1"), "expected normal:MEAN"),
        (lambda: variation_of("payload=grid:0,1,2.5"), "expected grid:FROM"),
    ],
)
def test_what_makes_no_sense(make, said):
    with pytest.raises(StudyError, match=said):
        make()


def test_a_grid_of_more_values_than_memory_is_refused():
    with pytest.raises(StudyError, match="a grid of 100000000 values; at most 10000000"):
        Grid1D(0.0, 1.0, 100_000_000)
