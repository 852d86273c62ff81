"""Results on disk: a folder with ``results.zarr``, which xarray opens, and a record of every chunk that is complete.

A chunk is first written into its arrays, each a file of its own, then its record with digests of what was written. A
chunk without a record, or whose arrays are not what its record says, does not count: whatever happens in between, a
kill, a full disk, a power cut that lost one of the two, is found when the folder is opened, and that chunk is computed
again. Nothing that is complete is ever written to.

Records, settings and what describes the arrays are sealed by digests too. What is damaged of the latter two is made
anew from the study, which each record names: no chunk is lost with them.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from torsor.errors import StudyError, Unsupported
from torsor.model.files import write_text
from torsor.study.base import ChunkOutcome, RunColumns
from torsor.study.code_state import code_version
from torsor.study.definition import Study
from torsor.study.sealing import sealed, unsealed
from torsor.study.syncing import SyncedLater

FORMAT = 2
Dims = tuple[tuple[str, int], ...]  # names and sizes
SETTINGS, ARRAYS, RECORDS, LOCK = "study.json", "results.zarr", "chunks", "lock"


@dataclass(frozen=True, eq=False)
class StudyStore:
    """A folder that is open for writing; ``with StudyStore.opened(...)`` lets nobody else write to it."""

    folder: Path
    study: Study
    mended: list[str] = field(default_factory=list)  # what was found damaged, beside chunks
    _later: SyncedLater = field(default_factory=SyncedLater)

    @classmethod
    @contextlib.contextmanager
    def opened(cls, study: Study, folder: str | os.PathLike[str], *, resume: bool) -> Iterator[StudyStore]:
        """A new folder, or with ``resume`` one in which the same study was begun; others are refused, and why."""
        require_zarr()
        path = Path(folder)
        store = cls(path, study)
        try:
            begun = (path / SETTINGS).exists() or any(path.glob(f"{RECORDS}/*.json"))
            if path.exists() and not path.is_dir():
                raise StudyError("this is a file", hint="give a folder for the results", file=path)
            if not begun and path.exists() and not all(_ours(each.name) for each in path.iterdir()):
                raise StudyError("the folder holds something else", hint="give a new one", file=path)
            if begun and not resume:
                raise StudyError("there are results here already", hint="resume goes on with them", file=path)
            path.mkdir(parents=True, exist_ok=True)
            with _alone(path):
                if not (begun and store._continued()):
                    store._begin()
                yield store
                store._later.flush()
        except OSError as error:
            raise store.trouble(error) from None

    def trouble(self, error: OSError) -> StudyError:
        """What is said where the disk refuses: what is done is safe."""
        done = sum(1 for _ in self.folder.glob(f"{RECORDS}/*.json")) if self.folder.exists() else 0
        hint = f"{done} of {self.study.chunks} chunks are complete and kept; resume computes the others"
        return StudyError(f"cannot write the results: {error.strerror or error}", hint=hint, file=self.folder)

    # beginning

    @property
    def _settings(self) -> dict[str, Any]:
        study = self.study
        return {
            "format": FORMAT,
            "name": study.name,
            "base": study.base.kind,
            "runs": study.runs,
            "chunk": study.chunk_size,
            "contents": study.contents,
            "version": code_version(),
        }

    @cached_property
    def identity(self) -> str:
        """Of all that results here depend on: every record has it."""
        return identity_of(self._settings)

    def _begin(self) -> None:
        """Arrays first: a folder without settings was never begun, and may be begun again."""
        shutil.rmtree(self.folder / ARRAYS, ignore_errors=True)
        shutil.rmtree(self.folder / RECORDS, ignore_errors=True)
        self._describe(self.folder / ARRAYS)
        (self.folder / RECORDS).mkdir()
        self._write_settings()

    def _write_settings(self) -> None:
        described = {name: _digest(path.read_bytes()) for name, path in _descriptions(self.folder).items()}
        text = json.dumps(sealed({**self._settings, "arrays": described}), indent=2) + "\n"
        write_text(self.folder / SETTINGS, text)
        self._later.add(self.folder / SETTINGS, *_descriptions(self.folder).values())

    def _describe(self, folder: Path) -> None:
        """Empty arrays: what they are, and nothing in them."""
        import zarr

        study, size = self.study, self.study.chunk_size
        group = zarr.open_group(folder, mode="w", zarr_format=3)
        words = {"torsor": code_version()["torsor"], "study": study.name, "base": study.base.kind}
        group.update_attributes({**words, "shape": dict(study.shape), "design": study.design, "seed": study.seed})
        for name, first in study.inputs(0, 1).items():
            known: dict[str, Any] = {"what": study.base.variable[name], "role": "input"}
            if first.dtype.kind == "U":
                known["names"] = list(study.axes[name])
            kind = "int64" if first.dtype.kind == "U" else "float64"
            _array(group, name, study.runs, size, kind, known)
        for name, measured in study.measured.items():
            known = {"units": measured.unit, "what": measured.meaning, "role": "output"}
            _array(group, name, study.runs, size, "float64", known, measured.dims)

    def _continued(self) -> bool:
        """Whether there is something to go on with; what describes it is mended. Refuses what another study began."""
        found = _read_settings(self.folder)
        if found is None:
            kept = {str(record["identity"]) for record in self._records()}
            if not kept:
                return False
            if self.identity not in kept:
                text = f"{SETTINGS} is lost, and what is here was computed with another study, arm, program or version"
                raise StudyError(text, hint="give a new folder", file=self.folder)
        if found is not None:
            self._require_same(found)
        damaged = [SETTINGS] if found is None else damaged_descriptions(self.folder, found)
        if found is None or damaged:
            self._mend(found)
            self.mended.append(f"{' and '.join(damaged)} did not hold what was written, and is made anew")
        return True

    def _records(self) -> Iterator[dict[str, Any]]:
        for k in range(self.study.chunks):
            record = record_of(self.folder, k)
            if record is not None:
                yield record

    def _mend(self, found: dict[str, Any] | None) -> None:
        """Descriptions that are not what was written are those of this study again, and so are the settings."""
        beside = self.folder / ".torsor-arrays"
        shutil.rmtree(beside, ignore_errors=True)
        self._describe(beside)
        for name, path in _descriptions(self.folder, beside).items():
            own = self.folder / ARRAYS / name
            whole = found is not None and own.is_file() and _digest(own.read_bytes()) == found["arrays"].get(name)
            if not whole:
                own.parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, own)
        shutil.rmtree(beside, ignore_errors=True)
        self._write_settings()

    def _require_same(self, found: dict[str, Any]) -> None:
        """Refuses to continue what was begun with another study, arm, program or version."""
        own = self._settings
        differ = []
        if found.get("contents") != own["contents"]:
            before, now = found.get("contents", {}), own["contents"]
            differ = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        differ += [f"number of {word}" for word in ("runs",) if not differ and found.get(word) != own[word]]
        if differ:
            what = " and ".join(f"the {name}" if not name.startswith("the ") else name for name in differ)
            raise StudyError(
                f"{what} changed since these results were begun", hint="give a new folder", file=self.folder
            )
        changed = [w for w, value in own["version"].items() if found.get("version", {}).get(w) != value]
        if changed:
            names = {"code": "Torsor's own code", "torsor": "the version of Torsor"}
            what = " and ".join(names.get(word, f"the version of {word}") for word in changed)
            raise StudyError(
                f"{what} changed since these results were begun", hint="give a new folder", file=self.folder
            )
        if found.get("chunk") != own["chunk"]:
            hint = f"chunk = {found.get('chunk')}, or a new folder"
            raise StudyError("chunks have another size than in these results", hint=hint, file=self.folder)

    # chunks

    def missing(self) -> tuple[list[int], list[str]]:
        """Chunks that are to be computed, and what is said of those that were complete once and are no more."""
        absent, said = [], list(self.mended)
        # asked once: of a new study with a million chunks none is there
        records = {path.name for path in self.folder.glob(f"{RECORDS}/*.json")}
        for k in range(self.study.chunks):
            if record_name(k) not in records:
                absent.append(k)
                continue
            state = chunk_state(self.folder, k, *self.study.span(k), self.identity)
            if state is not None:
                absent.append(k)
            if state:
                said.append(f"chunk {k} is computed again: {state}")
        return absent, said

    def write(self, k: int, inputs: RunColumns, outcome: ChunkOutcome) -> None:
        """A chunk, and its record when all of it is written."""
        import zarr

        start, stop = self.study.span(k)
        group = zarr.open_group(self.folder / ARRAYS, mode="r+", zarr_format=3)
        digests = {}
        for name, values in {**_coded(self.study, inputs), **outcome.values}.items():
            array: Any = group[name]
            rows = np.ascontiguousarray(values, dtype=array.dtype)
            array[start:stop] = rows
            digests[name] = _digest(rows)
        failures = {str(start + place): text for place, text in sorted(outcome.failures.items())}
        record: dict[str, Any] = {"start": start, "stop": stop, "digests": digests, "failures": failures}
        record |= {"processor": outcome.processor, "identity": self.identity}
        path = self.folder / RECORDS / record_name(k)
        write_text(path, json.dumps(sealed(record)))
        self._later.add(path, *(self.folder / ARRAYS / name / "c" / str(k) for name in digests))


def settings_of(folder: Path) -> dict[str, Any]:
    """What a folder was begun with."""
    if not (folder / SETTINGS).exists() and not any(folder.glob(f"{RECORDS}/*.json")):
        raise StudyError("there are no results here", hint="a folder of results has study.json in it", file=folder)
    found = _read_settings(folder)
    if found is None:
        raise StudyError(f"{SETTINGS} is damaged, or lost", hint="resume makes it anew", file=folder)
    return found


def _read_settings(folder: Path) -> dict[str, Any] | None:
    """None where they are damaged or lost."""
    try:
        found = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    whole = unsealed(found)
    if whole is None or whole.get("format") != FORMAT:
        if isinstance(found, dict) and found.get("format") == 1 and "seal" not in found:
            text = f"{SETTINGS} was written by an older version of Torsor"
            raise StudyError(text, hint="give a new folder", file=folder)
        return None
    return whole


def identity_of(settings: Mapping[str, Any]) -> str:
    """Of all that results depend on."""
    return str(sealed({name: settings[name] for name in ("runs", "chunk", "contents", "version")})["seal"])


def _descriptions(folder: Path, arrays: Path | None = None) -> dict[str, Path]:
    """What says what each array is, by its name within the arrays."""
    root = arrays or folder / ARRAYS
    found = [root / "zarr.json", *sorted(root.glob("*/zarr.json"))]
    return {path.relative_to(root).as_posix(): path for path in found if path.is_file()}


def damaged_descriptions(folder: Path, settings: Mapping[str, Any]) -> list[str]:
    """Those that are not what was written."""
    here = _descriptions(folder)
    return [
        f"{ARRAYS}/{name}"
        for name, want in settings["arrays"].items()
        if name not in here or _digest(here[name].read_bytes()) != want
    ]


def record_name(k: int) -> str:
    return f"{k:08d}.json"


def record_of(folder: Path, k: int) -> dict[str, Any] | None:
    """What is known of a complete chunk."""
    try:
        found = json.loads((folder / RECORDS / record_name(k)).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return unsealed(found)


def chunk_state(folder: Path, k: int, start: int, stop: int, identity: str) -> str | None:
    """None of a chunk that is complete; else why it is not, nothing where it was never written."""
    path = folder / RECORDS / record_name(k)
    if not path.exists():
        return ""
    record = record_of(folder, k)
    if record is None or (record.get("start"), record.get("stop")) != (start, stop):
        return "its record cannot be read"
    if record["identity"] != identity:
        return "it is of another study"
    import zarr

    group = zarr.open_group(folder / ARRAYS, mode="r", zarr_format=3)
    for name, want in record["digests"].items():
        try:
            array: Any = group[name]
            rows = np.ascontiguousarray(array[start:stop])
        except Exception as error:  # a damaged file: whatever its decoder makes of it, it is not what was written
            return f"{name} cannot be read ({type(error).__name__})"
        if _digest(rows) != want:
            return f"{name} is not what was written"
    return None


def _ours(name: str) -> bool:
    """Of what stands in a folder that was never begun: whether it may be of a study that ended before that."""
    return name in (LOCK, ARRAYS, RECORDS) or name.startswith(".torsor-")


def _array(group: Any, name: str, runs: int, size: int, kind: str, known: Mapping[str, Any], dims: Dims = ()) -> None:
    """An empty array, a chunk of it for each chunk of runs."""
    more = tuple(each for _, each in dims)
    group.create_array(
        name, shape=(runs, *more), chunks=(size, *more), dtype=kind, fill_value=np.nan if kind == "float64" else -1,
        dimension_names=("run", *(each for each, _ in dims)), attributes=dict(known),
    )  # fmt: skip


def _coded(study: Study, inputs: RunColumns) -> RunColumns:
    """Names as numbers: which of the list."""
    found = {}
    for name, values in inputs.items():
        if values.dtype.kind == "U":
            known = list(study.axes[name])
            values = np.array([known.index(each) for each in values.tolist()], dtype=np.int64)
        found[name] = values
    return found


def _digest(content: np.ndarray[Any, Any] | bytes) -> str:
    raw = content if isinstance(content, bytes) else content.tobytes()
    return blake2b(raw, digest_size=16).hexdigest()


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else writes meanwhile; the lock of a process that died is free."""
    import fcntl

    with open(folder / LOCK, "w", encoding="utf-8") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StudyError("somebody else is writing here", hint="wait for it, or end it", file=folder) from None
        yield


def require_zarr() -> None:
    try:
        import zarr  # noqa: F401
    except ImportError:
        raise Unsupported(
            "results are kept as Zarr, which is not installed", hint='pip install "torsor[cluster]"'
        ) from None
