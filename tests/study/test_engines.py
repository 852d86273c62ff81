"""The same study to the last bit: in chunks of any size, on threads, processes and Dask; lost workers are replaced."""

from dataclasses import replace

import numpy as np
import pytest

from studied import Squares, studies
from torsor.errors import StudyError
from torsor.study import Study, Uniform


def same(one, other):
    assert one.shape == other.shape
    for name in (*one.inputs, *one.values):
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("kind", ["check", "simulation", "quantity"])
def test_chunks_and_workers(kind):
    study = studies()[kind]
    want = study.run(workers=1)
    assert not want.failures
    for chunk in (1, 7, None):
        same(replace(study, chunk=chunk).run(workers=2), want)


def test_a_worker_process_that_dies_is_replaced(tmp_path):
    mark = tmp_path / "alive"
    mark.touch()
    study = Study(Squares(str(mark)), {"x": np.arange(12.0)}, chunk=3)
    found = study.run(workers=2)
    assert not mark.exists()
    np.testing.assert_array_equal(found["y"], np.arange(12.0) ** 2)


def test_dask_gives_the_same_and_survives_a_worker_that_dies(tmp_path):
    """One cluster for both: starting it is what this test costs."""
    distributed = pytest.importorskip("distributed")
    mark = tmp_path / "alive"
    mark.touch()
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        study = studies()["check"]
        same(study.run(on=address), study.run(workers=1))
        deadly = Study(Squares(str(mark)), {"x": np.arange(12.0)}, chunk=3)
        np.testing.assert_array_equal(deadly.run(on=address)["y"], np.arange(12.0) ** 2)
        assert not mark.exists()


@pytest.mark.parametrize(
    ("on", "said"), [("nowhere", "the address of a Dask scheduler"), ("cluster:x", "starts four workers")]
)
def test_addresses_that_are_none(on, said):
    with pytest.raises(StudyError, match=said):
        studies()["quantity"].run(on=on)


def test_what_cannot_be_studied():
    base = Squares()
    for make, said in [
        (lambda: Study(base, {}), "nothing varies"),
        (lambda: Study(base, {"y": [1.0]}), "'y' cannot vary here; did you mean|'y' cannot vary here; known: x"),
        (lambda: Study(base, {"x": ["a"]}), "give numbers"),
        (lambda: Study(base, {"x": [1.0]}, outputs=("z",)), "there is no output 'z'"),
        (lambda: Study(base, {"x": [1.0]}, samples=3), "none varies"),
        (lambda: Study(base, {"x": Uniform(0, 1)}, seed=-1), "seed is -1"),
        (lambda: Study(base, {"x": [1.0]}).run(workers=0), "workers is 0"),
        (lambda: Study(base, {"x": [1.0]}).run(resume=True), "nothing to resume"),
        (lambda: Study(base, {"x": Uniform(0, 1)}, samples=10**10).run(), "GB of memory"),
    ]:
        with pytest.raises(StudyError, match=said):
            make()
