"""What a study asks again and again: a base, with names of what can vary and of what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.model.facts import described
from torsor.study.code_state import processor

CHUNKS = 64  # of a study, at least, where it has runs enough
RunColumns = dict[str, NDArray[Any]]  # by name, a row for each run


@dataclass(frozen=True)
class StudyOutput:
    """An output: a number for each run, or with ``dims`` an array of them, each dimension a name and a size."""

    unit: str
    meaning: str
    dims: tuple[tuple[str, int], ...] = ()


@dataclass(eq=False)
class ChunkOutcome:
    """What came of some runs. A run that failed is NaN in all columns, and ``failures`` say why, by its number."""

    values: RunColumns
    failures: dict[int, str] = field(default_factory=dict)  # by the place in the chunk
    processor: str = field(default_factory=processor)  # on which it was computed


@dataclass(frozen=True)
class Portions:
    """How runs are spread: over ``processes`` where Python does the work, else over threads, so many a ``chunk``.

    A chunk is what is lost when a worker dies, seconds of work at most; of studies with many runs it is larger, up to
    ``most`` of them, so that chunks do not become too many.
    """

    chunk: int
    processes: bool = False
    most: int = 0

    def of(self, runs: int) -> int:
        """The size of chunks.

        >>> [Portions(5000, most=200_000).of(runs) for runs in (100, 100_000, 10_000_000, 10**9)]
        [100, 5000, 156250, 200000]
        """
        return min(max(self.chunk, min(self.most, runs // CHUNKS)), runs)


class StudyBase(Protocol):
    """Evaluates runs. What a run gives depends on its own inputs alone, to the last bit."""

    kind: ClassVar[str]

    @property
    def variable(self) -> Mapping[str, str]:
        """What can vary: its name, and what it is."""
        ...

    @property
    def outputs(self) -> Mapping[str, StudyOutput]:
        """What can come out; those that are given without a word first, see ``usual``."""
        ...

    @property
    def usual(self) -> tuple[str, ...]:
        """Outputs that are given without a word."""
        ...

    @property
    def contents(self) -> Mapping[str, str]:
        """A digest of each thing it is made from, by what a message calls it: arms, programs, scenario, settings."""
        ...

    def portions(self, varied: tuple[str, ...], outputs: tuple[str, ...]) -> Portions:
        """How runs are spread, where these vary and those are asked for."""
        ...

    def settled(self, inputs: RunColumns) -> StudyBase:
        """The same with all decided that is to be one for the whole study, seen at inputs of some of its runs."""
        ...

    def evaluate(self, inputs: RunColumns, outputs: tuple[str, ...]) -> ChunkOutcome: ...


def why_failed(error: Exception) -> str:
    """Of a run: what is wrong with what was asked, or that the mistake is ours."""
    if isinstance(error, TorsorError):
        return str(error)
    return f"an error in Torsor itself, please report it: {type(error).__name__}: {error}"


def digest(*facts: object) -> str:
    return blake2b(described(*facts), digest_size=16).hexdigest()


def arm_digest(arm: Arm, *, looks: bool = False) -> str:
    """Of all that results depend on: how an arm ``looks`` matters only where it may run into something."""
    model = arm.model
    if not looks:
        bare = tuple(replace(link, visuals=(), collisions=()) for link in model.links)
        model = replace(model, links=bare, base_visuals=(), base_collisions=())
    return digest(replace(model, source="", corrections=()))


def rows_alike(inputs: RunColumns, names: tuple[str, ...]) -> list[tuple[dict[str, Any], NDArray[np.intp]]]:
    """Runs that have the same values of some inputs: those values, and which runs.

    >>> [(own, rows.tolist()) for own, rows in rows_alike({"a": np.array([1.0, 2.0, 1.0])}, ("a",))]
    [({'a': 1.0}, [0, 2]), ({'a': 2.0}, [1])]
    """
    count = len(next(iter(inputs.values()))) if inputs else 1
    if not names:
        return [({}, np.arange(count))]
    groups: dict[tuple[Any, ...], list[int]] = {}
    columns = [inputs[name].tolist() for name in names]
    for row, own in enumerate(zip(*columns, strict=True)):
        groups.setdefault(own, []).append(row)
    return [(dict(zip(names, own, strict=True)), np.array(rows)) for own, rows in groups.items()]
