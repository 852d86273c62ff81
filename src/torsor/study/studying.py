"""Carries a study out: which chunks, on which engine, kept where."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from torsor.errors import StudyError
from torsor.study.base import ChunkOutcome, RunColumns
from torsor.study.definition import RunsHeard, Study
from torsor.study.local_engine import Finished, Outcomes, local_outcomes
from torsor.study.result import StudyResult, opened
from torsor.study.store import StudyStore

CLUSTER = "cluster:"
MOST_KEPT = 2**31  # bytes of results that are kept in memory, where there is no folder


def run(
    study: Study | str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    on: str | None = None,
    workers: int | None = None,
    resume: bool = False,
    progress: RunsHeard | None = None,
) -> StudyResult:
    """A study, or the one in a file; all else as `Study.run` has it."""
    if not isinstance(study, Study):
        from torsor.study.study_reading import read

        study = read(study)
    if workers is not None and workers < 1:
        raise StudyError(f"workers is {workers}", hint="one or more")
    if resume and folder is None:
        raise StudyError("there is nothing to resume", hint="name the folder of the results")
    engine = _engine(on, workers)
    study = study.settled()
    if folder is None:
        return _in_memory(study, engine, progress)
    with StudyStore.opened(study, folder, resume=resume) as store:
        todo, said = store.missing()
        done = study.runs - sum(stop - start for start, stop in map(study.span, todo))
        if progress is not None:
            progress(done, study.runs)
        for k, outcome in _watched(engine(study, todo), todo):
            store.write(k, study.inputs(*study.span(k)), outcome)
            start, stop = study.span(k)
            done += stop - start
            if progress is not None:
                progress(done, study.runs)
    return replace(opened(Path(folder), notes=tuple(said)), base=study.base)


def _in_memory(study: Study, engine: Outcomes, progress: RunsHeard | None) -> StudyResult:
    width = len(study.vary) + sum(int(np.prod([n for _, n in m.dims])) for m in study.measured.values())
    if 8 * study.runs * width > MOST_KEPT:
        size = 8e-9 * study.runs * width
        raise StudyError(f"the results would take {size:.1f} GB of memory", hint="give a folder for them")
    values: RunColumns = {}
    for name, measured in study.measured.items():
        values[name] = np.full((study.runs, *(size for _, size in measured.dims)), np.nan)
    failures: dict[int, str] = {}
    done, todo = 0, list(range(study.chunks))
    for k, outcome in _watched(engine(study, todo), todo):
        start, stop = study.span(k)
        for name, rows in outcome.values.items():
            values[name][start:stop] = rows
        failures |= {start + place: text for place, text in outcome.failures.items()}
        done += stop - start
        if progress is not None:
            progress(done, study.runs)
    return StudyResult.of(study, values, dict(sorted(failures.items())))


def _watched(outcomes: Finished, todo: list[int]) -> Iterator[tuple[int, ChunkOutcome]]:
    """Each chunk once: an engine that lost one, or gave one twice, is an error of ours, not a gap in the results."""
    waiting = set(todo)
    with closing(outcomes):  # an engine that is left alone ends its workers
        for k, outcome in outcomes:
            if k in waiting:
                waiting.discard(k)
                yield k, outcome
    if waiting:
        raise RuntimeError(f"chunks {sorted(waiting)[:5]} were not computed")


def _engine(on: str | None, workers: int | None) -> Outcomes:
    if on is None:
        return lambda study, todo: local_outcomes(study, todo, workers)
    if workers is not None:
        raise StudyError("workers are of this machine, on= of a cluster", hint='on="cluster:4" starts four')
    from torsor.study.dask_engine import dask_outcomes

    if on.startswith(CLUSTER):
        count = on.removeprefix(CLUSTER)
        if not count.isdigit() or int(count) < 1:
            raise StudyError(f"on is {on!r}", hint='"cluster:4" starts four workers on this machine')
        return lambda study, todo: dask_outcomes(study, todo, workers=int(count))
    if "://" not in on:
        raise StudyError(f"on is {on!r}", hint='the address of a Dask scheduler, "tcp://host:8786", or "cluster:4"')
    return lambda study, todo: dask_outcomes(study, todo, address=on)
