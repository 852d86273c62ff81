"""``StudyResult``: what varied and what came out, run by run; in memory, or as it was kept in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from torsor.errors import StudyError, Unsupported, did_you_mean
from torsor.model.transforms import Floats
from torsor.study.base import RunColumns, StudyBase
from torsor.study.definition import Study
from torsor.study.store import (
    ARRAYS,
    chunk_state,
    damaged_descriptions,
    identity_of,
    record_of,
    require_zarr,
    settings_of,
)

if TYPE_CHECKING:
    from torsor.study.summary import Summary

MOST_READ = 2**30  # bytes of columns that are kept once they were read


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult:
    """``inputs`` and ``values`` by name, a row for each run. A run that failed is NaN; ``failures`` say why."""

    name: str
    kind: str  # of the base
    design: str
    shape: Mapping[str, int]  # grids and lists, and samples: runs in the order of these dimensions
    inputs: Mapping[str, NDArray[Any]]
    values: Mapping[str, NDArray[Any]]
    failures: Mapping[int, str]
    about: Mapping[str, str]  # what each input and output is
    units: Mapping[str, str]
    dims: Mapping[str, tuple[str, ...]]  # of outputs that are no single number
    notes: tuple[str, ...] = ()
    folder: Path | None = None
    base: StudyBase | None = None  # where it was run here; what was read from a folder does not know it

    @classmethod
    def of(cls, study: Study, values: RunColumns, failures: Mapping[int, str]) -> StudyResult:
        measured = study.measured
        about = {name: study.base.variable[name] for name in study.vary}
        return cls(
            study.name, study.base.kind, study.design, dict(study.shape), DrawnColumns(study), values, failures,
            about | {name: each.meaning for name, each in measured.items()},
            {name: each.unit for name, each in measured.items()},
            {name: tuple(word for word, _ in each.dims) for name, each in measured.items() if each.dims},
            base=study.base,
        )  # fmt: skip

    @property
    def runs(self) -> int:
        return prod(self.shape.values())

    def __getitem__(self, name: str) -> Any:
        """An input or an output (runs,), in the order of runs."""
        for found in (self.inputs, self.values):
            if name in found:
                return found[name]
        raise StudyError(f"the study has no {name!r}", hint=did_you_mean(name, [*self.inputs, *self.values]))

    @property
    def drawn(self) -> tuple[str, ...]:
        """Inputs that were drawn from distributions."""
        return tuple(name for name in self.inputs if name not in self.shape)

    @cached_property
    def scalars(self) -> tuple[str, ...]:
        """Outputs that are single numbers."""
        return tuple(name for name in self.values if name not in self.dims)

    def folded(self, name: str) -> Floats:
        """An output as an array over grids, lists and samples."""
        values = np.asarray(self[name])
        return values.reshape(*self.shape.values(), *values.shape[1:])

    def to_xarray(self) -> Any:
        """All of it as `xarray.Dataset`: grids and lists are its coordinates, what was drawn is in its variables."""
        try:
            import xarray
        except ImportError:
            raise Unsupported("xarray is not installed", hint='pip install "torsor[cluster]"') from None
        found: dict[str, Any] = {}
        places = {}
        for name in self.shape:
            if name != "sample":
                places[name] = list(dict.fromkeys(self.inputs[name].tolist()))
        for name in (*self.drawn, *self.values):
            more = self.dims.get(name, ())
            known = {"what": self.about[name], **({"units": self.units[name]} if self.units.get(name) else {})}
            found[name] = ((*self.shape, *more), self.folded(name), known)
        return xarray.Dataset(found, places, {"study": self.name, "base": self.kind, "failures": len(self.failures)})

    def summary(self) -> Summary:
        """Quantiles of all outputs, how likely, and what they depend on."""
        from torsor.study.summary import summarised

        return summarised(self)

    def report(self, path: str | Path) -> None:
        """One HTML file: the summary, and pictures."""
        from torsor.model.files import write_text
        from torsor.study.shown.study_page import page

        write_text(path, page(self))

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<StudyResult {self.name}: {self.runs} runs{failed}, {', '.join(self.values)}>"


@dataclass(frozen=True, eq=False)
class DrawnColumns(Mapping[str, NDArray[Any]]):
    """What varies in a study, all runs, once somebody asks: it follows from their numbers."""

    study: Study

    @cached_property
    def _columns(self) -> RunColumns:
        return self.study.inputs(0, self.study.runs)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.study.vary)

    def __len__(self) -> int:
        return len(self.study.vary)

    def __contains__(self, name: object) -> bool:
        return name in self.study.vary


@dataclass(frozen=True, eq=False)
class KeptColumns(Mapping[str, NDArray[Any]]):
    """Columns on disk, each read when it is asked for: of a thousand million runs not all fit the memory at once."""

    arrays: Mapping[str, Any]
    _read: dict[str, NDArray[Any]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name in self._read:
            return self._read[name]
        array = self.arrays[name]
        rows: NDArray[Any] = array[:]
        if "names" in array.attrs:
            rows = np.array(array.attrs["names"])[rows]
        if sum(each.nbytes for each in self._read.values()) + rows.nbytes <= MOST_READ:
            self._read[name] = rows
        return rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)

    def __contains__(self, name: object) -> bool:
        return name in self.arrays


def opened(folder: str | Path, *, notes: tuple[str, ...] = ()) -> StudyResult:
    """The results in a folder; refused while they are not complete, or not what was written."""
    require_zarr()
    import zarr

    path = Path(folder)
    settings = settings_of(path)
    runs, size = int(settings["runs"]), int(settings["chunk"])
    spans = [(start, min(start + size, runs)) for start in range(0, runs, size)]
    damaged = damaged_descriptions(path, settings)
    if damaged:
        raise StudyError(f"{damaged[0]} is not what was written", hint="resume makes it anew", file=path)
    own = identity_of(settings)
    states = {k: state for k, span in enumerate(spans) if (state := chunk_state(path, k, *span, own)) is not None}
    if states:
        why = next((state for state in states.values() if state), "not computed yet")
        text = f"{len(states)} of {len(spans)} chunks are missing (chunk {min(states)}: {why})"
        raise StudyError(text, hint="resume computes them", file=path)
    group = zarr.open_group(path / ARRAYS, mode="r", zarr_format=3)
    arrays: dict[str, Any] = {name: group[name] for name in _names(path)}
    inputs = KeptColumns({name: own for name, own in arrays.items() if own.attrs["role"] == "input"})
    values = KeptColumns({name: own for name, own in arrays.items() if own.attrs["role"] == "output"})
    about = {name: str(own.attrs["what"]) for name, own in arrays.items()}
    units = {name: str(arrays[name].attrs["units"]) for name in values}
    dims = {name: tuple(own.metadata.dimension_names[1:]) for name, own in arrays.items() if own.ndim > 1}
    failures: dict[int, str] = {}
    for k in range(len(spans)):
        failures |= {int(run): text for run, text in (record_of(path, k) or {}).get("failures", {}).items()}
    kinds = sorted({str((record_of(path, k) or {}).get("processor")) for k in range(len(spans))})
    if len(kinds) > 1:
        said = f"computed on processors of {len(kinds)} kinds ({'; '.join(kinds)}): last bits may differ between them"
        notes = (*notes, said)
    attributes = dict(group.attrs)
    return StudyResult(
        settings["name"], settings["base"], str(attributes["design"]), _shape(attributes), inputs, values, failures,
        about, units, dims, notes, path,
    )  # fmt: skip


def _names(path: Path) -> list[str]:
    """Inputs and outputs in the order of the study."""
    return list((record_of(path, 0) or {})["digests"])


def _shape(attributes: Mapping[str, Any]) -> dict[str, int]:
    return {str(name): int(size) for name, size in dict(attributes["shape"]).items()}
