"""``Study``: a base, what varies, and what comes out. What a run is follows from its number alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.errors import StudyError, did_you_mean
from torsor.study.base import ChunkOutcome, Portions, RunColumns, StudyBase, StudyOutput, digest
from torsor.study.designs import DesignName, require_design, rows_a_sample, unit_numbers
from torsor.study.varying import DISTRIBUTIONS, Distribution, Grid1D, Listed, Variation, as_variation

if TYPE_CHECKING:
    from torsor.study.result import StudyResult

MOST_RUNS = 10**12
SAMPLES = 1000  # of distributions, without a word
LOOKED_AT = 64  # runs that are looked at before the first
RunsHeard = Callable[[int, int], None]  # runs that are done, of how many


@dataclass(frozen=True, eq=False)
class Study:
    """What ``base`` gives for all that ``vary``.

    Grids and lists vary each with each; of distributions ``samples`` are drawn for each of these, the same ones, by a
    ``design``: "random", "sobol", "latin" or "saltelli", and a ``seed``. ``outputs`` are names of the base's.

    >>> from torsor.study import CheckBase, Normal
    >>> base = CheckBase.of("examples/programs/rl15_tour.irl", "rl15")
    >>> study = Study(base, {"payload": [0.0, 10.0], "friction": Normal(1.0, 0.1)}, samples=50)
    >>> study.runs, {name: values.round(3).tolist() for name, values in study.inputs(49, 51).items()}
    (100, {'payload': [0.0, 10.0], 'friction': [1.111, 0.927]})
    """

    base: StudyBase
    vary: Mapping[str, Variation | Iterable[Any]]
    samples: int | None = None
    design: DesignName = "random"
    seed: int = 0
    outputs: tuple[str, ...] = ()
    name: str = "study"
    chunk: int | None = None  # runs that are computed and written together
    _settled: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        vary = {name: as_variation(name, value) for name, value in self.vary.items()}
        object.__setattr__(self, "vary", vary)
        object.__setattr__(self, "outputs", tuple(self.outputs) or self.base.usual)
        if not vary:
            raise StudyError("nothing varies", hint="give what varies: payload, friction, ...")
        for name, variation in vary.items():
            if name not in self.base.variable:
                raise StudyError(f"{name!r} cannot vary here", hint=did_you_mean(name, self.base.variable))
            words = isinstance(variation, Listed) and isinstance(variation.values[0], str)
            if words != (name in NAMES):
                what = "names" if name in NAMES else "numbers"
                raise StudyError(f"{name!r} varies over {'names' if words else 'numbers'}", hint=f"give {what}")
        for name in self.outputs:
            if name not in self.base.outputs:
                raise StudyError(f"there is no output {name!r}", hint=did_you_mean(name, self.base.outputs))
        if len(set(self.outputs)) < len(self.outputs):
            raise StudyError("an output is named twice")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < 2**63:
            raise StudyError(f"seed is {self.seed!r}", hint="a whole number, zero or more")
        if self.samples is not None and not self.drawn:
            raise StudyError("samples are of distributions, and none varies", hint="leave samples out")
        if self.chunk is not None and self.chunk < 1:
            raise StudyError(f"chunk is {self.chunk}", hint="one or more runs")
        require_design(self.design, self._samples, len(self.drawn))
        if self.runs > MOST_RUNS:
            raise StudyError(f"{self.runs} runs are too many", hint=f"at most {MOST_RUNS:g}")

    # what the runs are

    @cached_property
    def axes(self) -> dict[str, tuple[Any, ...]]:
        """Values of grids and lists, by name."""
        return {name: own.values for name, own in self.vary.items() if isinstance(own, Grid1D | Listed)}

    @cached_property
    def drawn(self) -> dict[str, Distribution]:
        return {name: own for name, own in self.vary.items() if isinstance(own, DISTRIBUTIONS)}

    @property
    def _samples(self) -> int:
        return (SAMPLES if self.samples is None else self.samples) if self.drawn else 1

    @property
    def rows(self) -> int:
        """Runs for each point of the grids."""
        return self._samples * (rows_a_sample(self.design, len(self.drawn)) if self.drawn else 1)

    @cached_property
    def shape(self) -> dict[str, int]:
        """How many runs there are along each grid or list, and of samples; the last changes first."""
        return {name: len(values) for name, values in self.axes.items()} | ({"sample": self.rows} if self.drawn else {})

    @cached_property
    def runs(self) -> int:
        return prod(self.shape.values())

    @property
    def chunk_size(self) -> int:
        return min(self.chunk, self.runs) if self.chunk else self.portions.of(self.runs)

    @cached_property
    def portions(self) -> Portions:
        return self.base.portions(tuple(self.vary), self.outputs)

    @property
    def chunks(self) -> int:
        return -(-self.runs // self.chunk_size)

    def span(self, k: int) -> tuple[int, int]:
        """The first run of a chunk, and that after its last."""
        return k * self.chunk_size, min((k + 1) * self.chunk_size, self.runs)

    def inputs(self, start: int, stop: int) -> RunColumns:
        """What varies, (stop - start,) each, of these runs: the same whoever asks, and when."""
        if not 0 <= start < stop <= self.runs:
            raise StudyError(f"runs {start} to {stop} of {self.runs}", hint="from the first on, and one at least")
        run = np.arange(start, stop)
        point, row = run // self.rows, run % self.rows
        found: RunColumns = {}
        for name, values in reversed(self.axes.items()):
            found[name] = np.array(values)[point % len(values)]
            point = point // len(values)
        if self.drawn:
            found |= self._drawn(start, stop, row)
        return {name: found[name] for name in self.vary}

    def _drawn(self, start: int, stop: int, row: Any) -> RunColumns:
        whole = stop - start >= self.rows
        first = 0 if whole or row[-1] < row[0] else int(row[0])
        last = self.rows if whole or row[-1] < row[0] else int(row[-1]) + 1
        u = unit_numbers(self.design, list(self.drawn), self._samples, self.seed, first, last)
        if len(u) != stop - start or row[0] != first:  # samples are drawn once, for all points of the grids
            u = u[row - first]
        return {name: own.quantile(u[:, k]) for k, (name, own) in enumerate(self.drawn.items())}

    # what comes of them

    @property
    def measured(self) -> dict[str, StudyOutput]:
        return {name: self.base.outputs[name] for name in self.outputs}

    def settled(self) -> Study:
        """The same with a base that has decided what is one for all runs."""
        if self._settled:
            return self
        spread = np.unique(np.linspace(0, self.runs - 1, LOOKED_AT).astype(np.int64))
        some = [self.inputs(int(run), int(run) + 1) for run in spread]
        inputs = {name: np.concatenate([each[name] for each in some]) for name in self.vary}
        return replace(self, base=self.base.settled(inputs), _settled=True)

    def evaluate(self, k: int) -> ChunkOutcome:
        """Chunk k."""
        return self.base.evaluate(self.inputs(*self.span(k)), self.outputs)

    @property
    def contents(self) -> dict[str, str]:
        """Digests of all that the results depend on, by what a message calls it; that of the code is the engine's."""
        asked = digest(self.base.kind, dict(self.vary), self._samples, self.design, self.seed, self.outputs)
        return {"study": asked, **self.base.contents}

    def run(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        on: str | None = None,
        workers: int | None = None,
        resume: bool = False,
        progress: RunsHeard | None = None,
    ) -> StudyResult:
        """All runs; kept in a ``folder``, as Zarr, where one is given: chunk by chunk, so that nothing done is lost.

        ``on`` is "tcp://..." of a Dask scheduler, or "cluster:N" for N workers of Dask on this machine; without a word
        all cores of this machine, or so many ``workers``. ``resume`` goes on where the folder ends.
        """
        from torsor.study.studying import run

        return run(self, folder, on=on, workers=workers, resume=resume, progress=progress)

    def __repr__(self) -> str:
        return f"<Study {self.name}: {self.runs} runs of {self.base.kind}, {', '.join(self.vary)} vary>"


NAMES = ("robot", "program")  # what varies over names
