"""Catalogues of motors and gears, as TOML or CSV: the one that is liked best first, the smallest or the cheapest."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from torsor.errors import StudyError, did_you_mean
from torsor.model.files import read_text
from torsor.model.schema import Table
from torsor.model.toml_schema import TomlFile, Wording
from torsor.model.units import PlainNumber, Rate


class CatalogueMotor(Table):
    """A motor as its data sheet has it."""

    name: str = Field(description="a text")
    torque: PlainNumber = Field(description="a number above zero: peak torque, N m")
    speed: Rate = Field(description='a speed, such as "3000 rpm"')
    continuous: PlainNumber | None = Field(None, description="a number above zero: torque that is given for ever, N m")
    rotor_inertia: PlainNumber = Field(description="a number, kg m^2")


class CatalogueGear(Table):
    """A gear as its data sheet has it; torques are at its output, speeds at its input."""

    name: str = Field(description="a text")
    ratio: PlainNumber = Field(description="a number above zero: turns of the motor for one of the joint")
    torque: PlainNumber = Field(description="a number above zero: torque that may be repeated, N m")
    average: PlainNumber | None = Field(None, description="a number above zero: cubic mean of the torque, N m")
    speed: Rate | None = Field(None, description='a speed, such as "6000 rpm", at the input')
    inertia: PlainNumber = Field(0.0, description="a number, kg m^2, at the input")


class CatalogueFile(Table):
    """Motors and gears, the one that is liked best first: the smallest, or the cheapest."""

    motor: tuple[CatalogueMotor, ...] = Field((), description="one [[motor]] table for each")
    gear: tuple[CatalogueGear, ...] = Field((), description="one [[gear]] table for each")


@dataclass(frozen=True)
class Catalogue:
    """What there is to choose from, the one that is liked best first."""

    motors: tuple[CatalogueMotor, ...]
    gears: tuple[CatalogueGear, ...] = ()


WORDING = Wording("catalogue", 'a catalogue has [[motor]] and [[gear]] tables with name = "..."', StudyError, {}, {})
KINDS: dict[str, type[CatalogueMotor | CatalogueGear]] = {"motor": CatalogueMotor, "gear": CatalogueGear}


def read_catalogue(path: str | os.PathLike[str]) -> Catalogue:
    """The motors and gears of a file: TOML, or CSV with the keys as titles and a column ``kind`` (motor, gear)."""
    file = Path(path)
    text = read_text(file, what="catalogues", suffixes=".toml or .csv", kind=StudyError)
    if file.suffix.lower() == ".csv":
        return _checked(*_from_csv(text, str(path)))
    toml = TomlFile(text, str(path), WORDING)
    found = toml.checked(CatalogueFile)
    places = {
        id(each): (kind, k) for kind in KINDS for k, each in enumerate(getattr(found, kind))
    }  # by identity: two may be alike

    def wrong(each: Any, problem: str, hint: str) -> StudyError:
        name = ("name",) if "twice" in problem else ()
        return toml.error((*places[id(each)], *name), problem, hint)  # type: ignore[return-value]

    return _checked(Catalogue(found.motor, found.gear), wrong)


def _checked(found: Catalogue, wrong: Any) -> Catalogue:
    for kind in (found.motors, found.gears):
        names: set[str] = set()
        for each in kind:
            if each.name in names:
                raise wrong(each, f"{each.name!r} is there twice", "names tell motors apart")
            names.add(each.name)
    for motor in found.motors:
        known = motor.continuous is None or motor.continuous > 0.0
        if not (motor.torque > 0.0 and motor.speed > 0.0 and motor.rotor_inertia >= 0.0 and known):
            raise wrong(motor, f"{motor.name} gives no torque or does not turn", "numbers above zero")
    for gear in found.gears:
        sizes = [gear.ratio, gear.torque, *(x for x in (gear.average, gear.speed) if x is not None)]
        if not (min(sizes) > 0.0 and gear.inertia >= 0.0):
            raise wrong(gear, f"{gear.name} has a ratio, a torque or a speed of zero or less", "numbers above zero")
    if not found.motors:
        raise StudyError("a catalogue without motors", hint='[[motor]] tables, or rows of kind "motor"')
    return found


def _from_csv(text: str, file: str) -> tuple[Catalogue, Any]:
    rows = csv.reader(text.splitlines())
    titles = [title.strip() for title in next(rows, [])]
    known = {"kind", *(name for kind in KINDS.values() for name in kind.model_fields)}
    for title in titles:
        if title not in known:
            raise StudyError(f"a column {title!r}", hint=did_you_mean(title, sorted(known)), file=Path(file), line=1)
    parts: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    lines: dict[int, int] = {}
    for line, row in enumerate(rows, 2):
        if not any(cell.strip() for cell in row):
            continue
        given = {title: _value(cell) for title, cell in zip(titles, row, strict=False) if cell.strip()}
        kind = str(given.pop("kind", "motor")).strip().lower()
        if kind not in KINDS:
            raise StudyError(f"kind {kind!r}", hint="motor or gear", file=Path(file), line=line)
        if "name" in given:
            given["name"] = str(given["name"])
        try:
            made = KINDS[kind].model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            told = KINDS[kind].model_fields[where].description if where in KINDS[kind].model_fields else None
            raise StudyError(
                f"{where} of a {kind}: {first['msg']}",
                hint=told or "see the keys of catalogues",
                file=Path(file),
                line=line,
            ) from None
        parts[kind].append(made)
        lines[id(made)] = line

    def wrong(each: Any, problem: str, hint: str) -> StudyError:
        return StudyError(problem, hint=hint, file=Path(file), line=lines[id(each)])

    return Catalogue(tuple(parts["motor"]), tuple(parts["gear"])), wrong


def _value(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell.strip()
