"""Scheduler, workers and clients that are killed: a reason, nothing lost, and resume completes, here or elsewhere."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from studied import Squares
from torsor.errors import StudyError
from torsor.study import Study
from torsor.study.dask_engine import _Carried
from torsor.study.store import RECORDS

pytest.importorskip("distributed")
TESTS = str(Path(__file__).parents[1])
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([TESTS, *sys.path])}
COUNT = 60


def slow_squares():
    return Study(Squares(pause=0.1), {"x": np.arange(float(COUNT))}, chunk=2, name="squares")


def begun(*words):
    return subprocess.Popen([sys.executable, "-m", "distributed.cli." + words[0], *words[1:]], env=ENVIRONMENT,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip


@pytest.fixture
def cluster():
    """A scheduler and two workers, each a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler = begun("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    worker = ("dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
    workers = [begun(*worker), begun(*worker)]
    yield address, scheduler, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def until(folder, count, seconds=120):
    deadline = time.monotonic() + seconds
    while len(list(Path(folder).glob(f"{RECORDS}/*.json"))) < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def complete(result):
    np.testing.assert_array_equal(result["y"], np.arange(float(COUNT)) ** 2)


@pytest.mark.slow
def test_a_scheduler_that_is_killed(cluster, tmp_path):
    address, scheduler, _ = cluster
    killing = threading.Thread(target=lambda: (until(tmp_path / "kept", 4), scheduler.kill()))
    killing.start()
    with pytest.raises(StudyError, match="the Dask scheduler was lost"):
        slow_squares().run(tmp_path / "kept", on=address)
    killing.join()
    assert len(list((tmp_path / "kept" / RECORDS).iterdir())) >= 4
    complete(slow_squares().run(tmp_path / "kept", resume=True, workers=1))


class Gone:
    """A client whose scheduler goes away between two of its questions, which it has not noticed yet."""

    status = "running"

    def submit(self, *_given, **_options):
        return object()

    def nthreads(self):
        raise ConnectionResetError(104, "Connection reset by peer")

    cancel = submit


def test_a_scheduler_that_goes_between_two_questions_is_lost_too():
    """An error of the way there is an OSError, and was told as one of the disk."""
    with pytest.raises(StudyError, match=r"the Dask scheduler was lost \(ConnectionResetError\) with 30 chunks to go"):
        list(_Carried(Gone(), slow_squares(), list(range(30))).finished())


@pytest.mark.slow
def test_a_worker_that_is_killed(cluster, tmp_path):
    address, _, workers = cluster
    killing = threading.Thread(target=lambda: (until(tmp_path / "kept", 4), workers[0].kill()))
    killing.start()
    complete(slow_squares().run(tmp_path / "kept", on=address))
    killing.join()


@pytest.mark.slow
def test_a_client_that_is_killed(cluster, tmp_path):
    address, _, _ = cluster
    text = (
        "import numpy as np; from studied import Squares; from torsor.study import Study\n"
        f"Study(Squares(pause=0.1), {{'x': np.arange({COUNT}.0)}}, chunk=2, name='squares')"
        f".run({str(tmp_path / 'kept')!r}, on={address!r})"
    )
    client = subprocess.Popen([sys.executable, "-c", text], env=ENVIRONMENT)
    until(tmp_path / "kept", 4)
    client.send_signal(signal.SIGKILL)
    client.wait()
    complete(slow_squares().run(tmp_path / "kept", on=address, resume=True))


@pytest.mark.slow
def test_nobody_there(tmp_path):
    with pytest.raises(StudyError, match=r"there is no Dask scheduler at tcp://127\.0\.0\.1:9"):
        slow_squares().run(on="tcp://127.0.0.1:9")
