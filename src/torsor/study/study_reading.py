"""Reads study files: TOML, checked by the schema and against the base, every error with file, line and key."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from torsor import loading
from torsor.cell.cell_file import EMPTY
from torsor.errors import StudyError, TorsorError, did_you_mean
from torsor.model.files import read_text
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.study.base import StudyBase
from torsor.study.check_base import CheckBase
from torsor.study.definition import Study
from torsor.study.quantity_base import QuantityBase
from torsor.study.simulation_base import SimulationBase
from torsor.study.study_schema import (
    BASES,
    SPECS,
    WORDING,
    GridSpec,
    LogNormalSpec,
    NormalSpec,
    StudyFile,
    TriangularSpec,
    UniformSpec,
)
from torsor.study.varying import Grid1D, Listed, LogNormal, Normal, Triangular, Uniform, Variation
from torsor.study.vibration_base import VibrationBase


def read(path: str | os.PathLike[str]) -> Study:
    """The study in a file. Paths in it are relative to it.

    >>> read("examples/studies/nowhere.toml")
    Traceback (most recent call last):
    torsor.errors.StudyError: examples/studies/nowhere.toml: cannot read the file: No such file or directory
    """
    file = Path(path)
    text = read_text(file, what="studies", suffixes=".toml", kind=StudyError)
    return parse(text, str(path), folder=file.parent)


def parse(text: str, file: str = "<text>", *, folder: str | os.PathLike[str] = ".") -> Study:
    """The study in a text; ``file`` is what errors call it, ``folder`` where its paths begin.

    >>> parse('''
    ... name = "postures"
    ... quantity = { robot = "planar2" }
    ... vary = { "q.joint1" = { from = 0, to = 1, count = 5 } }
    ... ''')
    <Study postures: 5 runs of quantity, q.joint1 vary>
    """
    toml = TomlFile(text, file, WORDING)
    return _StudyReading(toml, toml.checked(StudyFile), Path(folder)).study()


@dataclass(frozen=True, eq=False)
class _StudyReading:
    toml: TomlFile
    table: StudyFile
    folder: Path

    def study(self) -> Study:
        given = [word for word in BASES if getattr(self.table, word) is not None]
        if len(given) != 1:
            problem = "missing what is studied" if not given else f"{' and '.join(given)} are both there"
            place = () if not given else (given[1],)
            raise self.toml.error(place, problem, f"expected one table of {', '.join(BASES)}")
        with self._placed((given[0],)):
            base = self._base(given[0])
        vary = dict(self._varied(("vary",), self.table.vary, base))
        table = self.table
        with self._placed(("vary",)):
            return Study(
                base, vary, table.samples, table.design, table.seed, table.outputs, table.name, table.chunk
            )  # fmt: skip

    @contextmanager
    def _placed(self, place: KeyPath) -> Iterator[None]:
        """Errors that know no file get that of the study."""
        try:
            yield
        except TorsorError as error:
            if error.file is not None:
                raise
            words = {"output": "outputs", "samples": "samples", "design": "design", "seed": "seed"}
            key = next((own for word, own in words.items() if word in error.problem), None)
            at: KeyPath = place
            if place == ("vary",) and key is not None and key in self.toml.document:
                at = (key,)
            raise self.toml.error(at, error.problem, error.hint) from None

    def _base(self, word: str) -> StudyBase:
        if (check := self.table.check) is not None:
            given = check.model_dump(exclude={"program", "robot", "cell", "world"})
            programs = [self._path(each) for each in check.program]
            given["cell"] = check.cell if check.cell in (None, EMPTY) else self._path(check.cell)
            given["world"] = None if check.world is None else self._path(check.world)
            return CheckBase.of(programs, [self._robot(each) for each in check.robot], **given)
        if (simulation := self.table.simulation) is not None:
            given = simulation.model_dump(exclude={"scenario"})
            return SimulationBase.of(self._path(simulation.scenario), **given)
        if (vibration := self.table.vibration) is not None:
            given = vibration.model_dump(exclude={"program", "robot"})
            return VibrationBase.of(self._path(vibration.program), self._robot(vibration.robot), **given)
        quantity = self.table.quantity
        assert quantity is not None
        return QuantityBase.of(self._robot(quantity.robot), quantity.at, quantity.quantity)

    def _path(self, given: str) -> Path:
        return self.folder / given

    def _robot(self, given: str) -> str | Path:
        return given if given in loading.robots() or not Path(given).suffix else self._path(given)

    def _varied(self, place: KeyPath, given: dict[str, Any], base: StudyBase) -> Iterator[tuple[str, Variation]]:
        """Names with dots may be tables in tables: ``mass.link3 = [...]``."""
        for key, value in given.items():
            own, name = (*place, key), ".".join(map(str, (*place[1:], key)))
            if isinstance(value, dict) and not set(value) & set(SPECS) and _goes_on(name, value, base):
                yield from self._varied(own, value, base)
                continue
            if name not in base.variable:
                raise self.toml.error(own, f"{name!r} cannot vary here", did_you_mean(name, base.variable))
            with self._placed(own):
                yield name, self._variation(own, value)

    def _variation(self, place: KeyPath, value: Any) -> Variation:
        if isinstance(value, list):
            return Listed(tuple(value))
        if not isinstance(value, dict):
            raise self.toml.error(place, f"{spelled(place)} is {value!r}", "expected a list, a grid or a distribution")
        kinds = [word for word in SPECS if word in value]
        if len(kinds) != 1:
            hint = "expected a list, or a table with from, to and count, or with one of " + ", ".join(list(SPECS)[1:])
            meant = next((near[0] for word in value if not kinds and (near := get_close_matches(word, SPECS, 1))), None)
            hint = f"did you mean {meant!r}? {hint}" if meant else hint
            raise self.toml.error(place, f"{spelled(place)} is no variation", hint)
        match self.toml.checked(SPECS[kinds[0]], place):
            case GridSpec() as own:
                return Grid1D(own.low, own.high, own.count, own.log)
            case UniformSpec() as own:
                return Uniform(*own.uniform)
            case NormalSpec() as own:
                return Normal(own.normal, own.deviation, own.least, own.most)
            case TriangularSpec() as own:
                return Triangular(*own.triangular)
            case LogNormalSpec() as own:
                return LogNormal(own.lognormal, own.spread)
        raise AssertionError(kinds)


def _goes_on(name: str, value: dict[str, Any], base: StudyBase) -> bool:
    """Whether a table holds variations by the rest of their names, and is none itself."""
    return name not in base.variable or any(f"{name}.{key}" in base.variable for key in value)
