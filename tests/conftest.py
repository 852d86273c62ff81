"""What all tests share: a cache folder of their own, so that the user's is never touched."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

# make test tries the same examples on every machine; make sweep tries others each time. How long one takes says nothing
# on a machine that does other things, too.
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("other", settings.get_profile("same"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# As the command does; workers and processes that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Pages and verdicts say when they were made: in tests that is always the same minute.
os.environ.setdefault("SOURCE_DATE_EPOCH", "1800000000")

# Set before anything compiles, and inherited by processes that tests start. Workers of pytest-xdist inherit it too:
# what one of them compiled, the others find.
# $TORSOR_TEST_CACHE keeps what was compiled from one run of the tests to the next, which make test does not.
if kept := os.environ.get("TORSOR_TEST_CACHE"):
    os.environ["TORSOR_CACHE"] = kept
elif "PYTEST_XDIST_WORKER" not in os.environ:
    _folder = tempfile.TemporaryDirectory(prefix="torsor-test-cache-")
    os.environ["TORSOR_CACHE"] = _folder.name


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """An empty cache folder for one test, and nothing that this process remembers: every kernel asks the disk."""
    from torsor.emit import kernel

    class Forgetful:
        def get(self, _key, make):
            return make()

    monkeypatch.setattr(kernel, "_KERNELS", Forgetful())
    place = tmp_path / "cache"
    place.mkdir(mode=0o700)
    monkeypatch.setenv("TORSOR_CACHE", str(place))
    return place
