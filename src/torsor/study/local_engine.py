"""All cores of this machine: threads where kernels do the work, processes where Python does."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from torsor.emit.threads import cores, one_core
from torsor.errors import StudyError
from torsor.study.base import ChunkOutcome
from torsor.study.definition import Study

Finished = Generator[tuple[int, ChunkOutcome], None, None]  # chunks with their numbers, as they are ready
Outcomes = Callable[[Study, list[int]], Finished]
AHEAD = 2  # chunks for each worker that wait: none of them waits for the disk
LIVES = 3  # pools that may break before a study is given up


def local_outcomes(study: Study, todo: list[int], workers: int | None = None) -> Finished:
    """Chunks as they are finished."""
    count = min(workers or cores(), max(len(todo), 1))
    if count == 1:
        for k in todo:  # a chunk that is alone may use all cores, where nobody said how many
            yield k, study.evaluate(k) if workers is None else on_one_core(study, k)
        return
    if not study.portions.processes:
        with ThreadPoolExecutor(count) as pool:
            yield from _finished(pool, lambda k: on_one_core(study, k), list(todo), count)
        return
    left = list(todo)
    for life in range(LIVES):
        # a new interpreter for each worker: threads of this one must not be forked
        pool_ = ProcessPoolExecutor(count, get_context("spawn"), _begin, (study,))
        whole = False
        try:
            for k, outcome in _finished(pool_, _evaluate, left, count):
                left = [each for each in left if each != k]
                yield k, outcome
            whole = True
            return
        except BrokenProcessPool:
            if life == LIVES - 1:
                hint = f"run {study.span(left[0])[0]} is among those that were not finished; is there enough memory?"
                raise StudyError("worker processes die again and again", hint=hint) from None
        finally:
            if not whole:  # who is interrupted waits for nobody: what is under way is not kept anyway
                _end(pool_)
            pool_.shutdown(wait=True, cancel_futures=True)


def _end(pool: ProcessPoolExecutor) -> None:
    # Python 3.14 has terminate_workers() for it
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()


def on_one_core(study: Study, k: int) -> ChunkOutcome:
    """A chunk, by a worker beside others."""
    with one_core():
        return study.evaluate(k)


def _finished(pool: Executor, evaluate: Callable[[int], ChunkOutcome], todo: list[int], count: int) -> Finished:
    """So many at a time that no worker waits and no result does."""
    waiting: dict[Future[ChunkOutcome], int] = {}
    rest = iter(todo)
    try:
        while True:
            for k in rest:
                waiting[pool.submit(evaluate, k)] = k
                if len(waiting) >= AHEAD * count:
                    break
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()


_STUDY: Study | None = None  # of this worker process


def _begin(study: Study) -> None:
    global _STUDY
    _STUDY = study
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who waits for it is interrupted, and ends it
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _evaluate(k: int) -> ChunkOutcome:
    assert _STUDY is not None
    return on_one_core(_STUDY, k)
