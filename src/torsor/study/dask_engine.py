"""Dask carries a study: workers anywhere, which come, go and die; what they give is the same to the last bit."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from statistics import median
from time import monotonic
from typing import Any

from torsor.emit.recent import Recent
from torsor.errors import StudyError, TorsorError, Unsupported
from torsor.study.base import ChunkOutcome
from torsor.study.code_state import code_version
from torsor.study.definition import Study
from torsor.study.local_engine import Finished, on_one_core

AHEAD = 3  # chunks for each worker that the scheduler knows of
RETRIES = 5  # workers that a chunk may lose before it is given up
LATE, PATIENCE = 5.0, 30.0  # times the usual time, and s at least: then a chunk is given to another worker too
CONNECTING = 30.0  # s
QUIET = 1.0  # s between looks at what is late

_STUDIES: Recent[Study] = Recent(4)  # of a worker, by content: kernels are compiled once


def dask_outcomes(study: Study, todo: list[int], *, address: str | None = None, workers: int | None = None) -> Finished:
    """Chunks as they are finished, on a scheduler at ``address`` or on so many ``workers`` of this machine."""
    try:
        import distributed
    except ImportError:
        raise Unsupported("Dask is not installed", hint='pip install "torsor[cluster]"') from None
    if not todo:
        return
    dask: Any = distributed  # its functions have no types
    with ExitStack() as stack:
        place: Any = address
        if address is None:
            own = dask.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
            place = stack.enter_context(own)
        try:
            client = stack.enter_context(dask.Client(place, timeout=CONNECTING))
        except (OSError, TimeoutError) as error:
            text = f"there is no Dask scheduler at {address}"
            raise StudyError(text, hint=f"{error}; 'dask scheduler' starts one") from None
        yield from _Carried(client, study, list(todo)).finished()


class _Carried:
    """A study on its way through a client."""

    def __init__(self, client: Any, study: Study, todo: list[int]) -> None:
        self.client, self.study, self.todo = client, study, todo
        self.given: dict[Any, tuple[int, float]] = {}  # future -> chunk, and when it was given away
        self.took: list[float] = []  # s
        self.twice: set[int] = set()
        # the study goes to the workers as the result of a task, which is made again where a worker is lost
        self.whole = client.submit(_unchanged, pickle.dumps(study), pure=False, retries=RETRIES)

    def finished(self) -> Finished:
        import distributed

        wait: Any = distributed.wait
        rest, done = iter(self.todo), set[int]()
        try:
            while len(done) < len(self.todo):
                try:
                    self._give(rest)
                    self._again(done)
                    ready = wait(list(self.given), timeout=QUIET, return_when="FIRST_COMPLETED").done
                except TimeoutError:
                    ready = set()
                except Exception as error:  # whatever a scheduler that went away makes of it
                    raise self._lost(len(done), error) from None
                if not ready and self.client.status != "running":
                    raise self._lost(len(done), None)
                for future in ready:
                    k, began = self.given.pop(future)
                    if k in done:
                        continue
                    outcome = self._outcome(future, k, len(done))
                    done.add(k)
                    self.took.append(monotonic() - began)
                    yield k, outcome
        finally:
            if self.client.status == "running":
                with suppress(Exception):  # a scheduler that has just gone has nothing to cancel
                    self.client.cancel(list(self.given), force=True)

    def _outcome(self, future: Any, k: int, done: int) -> ChunkOutcome:
        from distributed.scheduler import KilledWorker

        try:
            outcome: ChunkOutcome = future.result()
        except TorsorError:
            raise
        except KilledWorker:
            text = f"chunk {k} was lost with {RETRIES} workers or more"
            raise StudyError(text, hint="is there enough memory? smaller chunks need less") from None
        except Exception as error:
            if future.status == "error" and self.client.status == "running":
                raise  # an error of ours on a worker, not of the way there
            raise self._lost(done, error) from None
        return outcome

    def _give(self, rest: Iterator[int]) -> None:
        most = AHEAD * max(1, len(self.client.nthreads() if self.client.status == "running" else ()))
        while len(self.given) < most:
            k = next(rest, None)
            if k is None:
                return
            self._submit(k)

    def _submit(self, k: int) -> None:
        future = self.client.submit(_evaluate, self.whole, k, code_version(), pure=False, retries=RETRIES)
        self.given[future] = k, monotonic()

    def _again(self, done: set[int]) -> None:
        """Who is late is given away once more: the first answer counts, and all are the same."""
        if len(self.took) < 3:
            return
        usual = max(LATE * median(self.took), PATIENCE)
        for k, began in list(self.given.values()):
            if k not in done and k not in self.twice and monotonic() - began > usual:
                self.twice.add(k)
                self._submit(k)

    def _lost(self, done: int, why: Exception | None) -> StudyError:
        said = f" ({type(why).__name__})" if why is not None else ""
        text = f"the Dask scheduler was lost{said} with {len(self.todo) - done} chunks to go"
        return StudyError(text, hint="resume goes on with what is missing, there or elsewhere")


def _unchanged(sent: bytes) -> bytes:
    return sent


def _evaluate(sent: bytes, k: int, asked: dict[str, str]) -> ChunkOutcome:
    """On a worker. One that runs other code could give other numbers: it says so instead."""
    own = code_version()
    if own != asked:
        differ = ", ".join(
            f"{word} {own.get(word)} instead of {asked[word]}" for word in asked if own.get(word) != asked[word]
        )
        raise StudyError(f"a worker runs other code: {differ}", hint="install the same everywhere")
    study = _STUDIES.get(sent, lambda: pickle.loads(sent))
    return on_one_core(study, k)
