"""Reads arm files: TOML, checked by the schema, every error with file, line and key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from torsor.errors import ModelError, did_you_mean
from torsor.model.build import build
from torsor.model.files import read_text
from torsor.model.model import Model
from torsor.model.schema import ArmFile, Table
from torsor.model.toml_lines import Path as KeyPath
from torsor.model.toml_lines import key_lines, line_of


def read_arm_file(path: str | Path) -> Model:
    """The arm described by a TOML file."""
    return parse_arm_file(read_text(Path(path)), str(path))


def parse_arm_file(text: str, file: str = "<text>") -> Model:
    """The arm described by the text of an arm file; ``file`` is what errors call it."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text, file) from None
    lines = key_lines(text)
    try:
        arm_file = ArmFile.model_validate(document)
    except ValidationError as error:
        first = min(error.errors(), key=lambda e: line_of(lines, _place(e)) or 0)
        raise _schema_error(first, lines, file) from None
    return build(arm_file, lambda path: line_of(lines, path), file)


def _syntax_error(message: str, text: str, file: str) -> ModelError:
    at = re.search(r"\s*\(at line (\d+), column (\d+)\)", message)
    if at:
        return ModelError(message[: at.start()], hint="see toml.io", file=file, line=int(at[1]), column=int(at[2]))
    line = len(text.splitlines()) or 1
    return ModelError(re.sub(r"\s*\(at end of document\)", "", message), hint="the file ends too early", file=file, line=line)


def _place(error: ErrorDetails) -> KeyPath:
    """The path of the key in the file; pydantic appends names of union members, which are no keys."""
    return tuple(part for part in error["loc"] if isinstance(part, int) or re.fullmatch(r"[\w-]+", part))


def _schema_error(error: ErrorDetails, lines: dict[KeyPath, int], file: str) -> ModelError:
    place = _place(error)
    key = _spelled(place)
    line = line_of(lines, place)
    match error["type"]:
        case "extra_forbidden":
            known = _known_keys(place)
            return ModelError(f"unknown key {key}", hint=did_you_mean(str(place[-1]), known), file=file, line=line)
        case "missing":
            return ModelError(f"missing {key}", hint=_what(place), file=file, line=line)
        case "literal_error":
            expected = error["ctx"]["expected"]
            return ModelError(f"{key} is {error['input']!r}", hint=f"it must be {expected}", file=file, line=line)
        case "value_error":
            return ModelError(f"{key}: {error['ctx']['error']}", hint=_what(place), file=file, line=line)
        case _:
            problem = error["msg"][0].lower() + error["msg"][1:]
            return ModelError(f"{key}: {problem}", hint=_what(place), file=file, line=line)


def _spelled(place: KeyPath) -> str:
    """link[2].mass, counted from 1 as people count links."""
    text = ""
    for part in place:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


_EXPECTED: dict[str, str] = {
    "name": "a text",
    "frames": "one of standard-dh, modified-dh, screws, placements",
    "joint": "one of revolute, continuous, prismatic, screw, fixed",
    "link": "one [[link]] table for each link",
    "inertia": "3 numbers (diagonal) or 6 numbers (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2",
    "com": "3 numbers, in m",
    "gravity": "3 numbers, in m/s^2",
    "mass": "a number, in kg",
    "alpha": 'a number in rad, or a text such as "90 deg"',
    "rpy": 'roll, pitch and yaw in rad, or texts such as "90 deg"',
    "position": "3 numbers in m; for limits 2 numbers, lower and upper",
    "axis": "3 numbers, a direction",
    "ratio": "a number for each joint, or a table joint = number",
    "rotor": "a table with inertia, and carrier and axis where they are not those of the joint",
}


def _what(place: KeyPath) -> str | None:
    """What the key should hold."""
    names = [part for part in place if isinstance(part, str)]
    return next((f"expected {_EXPECTED[name]}" for name in reversed(names) if name in _EXPECTED), None)


def _known_keys(place: KeyPath) -> list[str]:
    """Keys the table around an unknown key may have."""
    table: Any = ArmFile
    for part in place[:-1]:
        if isinstance(part, str) and isinstance(table, type) and issubclass(table, Table):
            table = _table_of(table.model_fields[part].annotation)
    return list(table.model_fields) if isinstance(table, type) and issubclass(table, Table) else []


def _table_of(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, Table):
        return annotation
    inner = (_table_of(arg) for arg in getattr(annotation, "__args__", ()))
    return next((table for table in inner if table is not None), None)
