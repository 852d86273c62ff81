"""What all tests share: a cache folder of their own, so that the user's is never touched."""

import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# make test tries the same examples on every machine; make sweep tries others each time. How long one takes says nothing
# on a machine that does other things, too.
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("other", settings.get_profile("same"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# As the command does; workers and processes that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that starts something in the background lets it ignore Ctrl-C, and all that this starts: the tests of Ctrl-C
# would wait for processes that never end.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

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


# Files that wait for the sweep as wholes: they take long, and what they try is tried in others by fewer examples.
WAITING = [
    "browser/test_compared_in_browser.py",
    "browser/test_monitor_in_browser.py",
    "browser/test_run_and_meshes.py",
    "browser/test_vibration_in_browser.py",
    "checking/test_what_else.py",
    "control/test_design.py",
    "elastic/test_elastic_loops_motion.py",
    "motion/test_loop_plans.py",
    "scenarios/test_examples.py",
    "simulation/test_elastic.py",
    "simulation/test_elastic_loops.py",
    "simulation/test_newton_loops.py",
    "test_labels.py",
    "vibration/test_vibrating.py",
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    folder = Path(__file__).parent
    assert all((folder / name).exists() for name in WAITING)
    for item in items:
        if item.path.is_relative_to(folder) and item.path.relative_to(folder).as_posix() in WAITING:
            item.add_marker(pytest.mark.slow)


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
