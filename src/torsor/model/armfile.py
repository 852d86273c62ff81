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
from torsor.model.toml_lines import key_lines, line_of, spelled


def read_arm_file(path: str | Path) -> Model:
    """The arm described by a TOML file."""
    return parse_arm_file(read_text(Path(path)), str(path))


def parse_arm_file(text: str, file: str = "<text>") -> Model:
    """The arm described by the text of an arm file; ``file`` is what errors call it."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text, file) from None
    except ValueError:
        raise ModelError("a number has thousands of digits", hint="this is no arm file", file=file) from None
    except RecursionError:
        raise ModelError("brackets are nested hundreds deep", hint="this is no arm file", file=file) from None
    if not document:
        raise ModelError("the file is empty", hint='an arm file begins with name = "..." and frames = "..."', file=file)
    lines = key_lines(text)
    try:
        arm_file = ArmFile.model_validate(document)
    except ValidationError as error:
        first = min(error.errors(), key=lambda e: line_of(lines, _place(e)) or 0)
        raise _schema_error(first, lines, file) from None
    return build(arm_file, lambda path: line_of(lines, path), file)


# What tomllib says, and what a newcomer understands.
_SYNTAX = (
    (r"Illegal character '\\n'", "a text is not closed on this line", "end it with the quote it began with"),
    (r"Cannot overwrite a value", "this key was already given", "each key stands once in a table"),
    (r"Cannot declare \('(.*)',\) twice", r"table [\1] was already given", "join the two"),
    (r"Expected '=' after a key.*", "there is no = after the key", "write key = value"),
    (r"Invalid value", "this is no value", 'texts stand in quotes, e.g. "90 deg"'),
    (r"Expected newline or end of document.*", "something follows the value", "write one key = value a line"),
    (r"Unclosed array", "a list is not closed", "the file ends too early"),
    (r"Unclosed inline table", "a table { ... } is not closed", "the file ends too early"),
    (r"Expected '\]\]?' at the end of.*", "the name of a table is not closed", "write [table] or [[table]]"),
)


def _syntax_error(message: str, text: str, file: str) -> ModelError:
    said = re.sub(r"\s*\(at .*\)$", "", message)
    problem, hint = f"this is not TOML: {said[0].lower()}{said[1:]}", "toml.io describes the format"
    for pattern, plain, cure in _SYNTAX:
        if match := re.fullmatch(pattern, said):
            problem, hint = match.expand(plain), cure
    at = re.search(r"\(at line (\d+), column (\d+)\)", message)
    if at:
        return ModelError(problem, hint=hint, file=file, line=int(at[1]), column=int(at[2]))
    return ModelError(problem, hint=hint, file=file, line=len(text.rstrip("\n").split("\n")))


def _place(error: ErrorDetails) -> KeyPath:
    """The path of the key in the file; pydantic appends names of union members, which are no keys."""
    return tuple(part for part in error["loc"] if isinstance(part, int) or re.fullmatch(r"[\w-]+", part))


def _schema_error(error: ErrorDetails, lines: dict[KeyPath, int], file: str) -> ModelError:
    place = _place(error)
    line = line_of(lines, place)
    hint: str | None
    match error["type"]:
        case "extra_forbidden":
            problem, hint = f"unknown key {spelled(place)}", _suggestion(str(place[-1]), _known_keys(place))
        case "missing" if isinstance(place[-1], str):
            problem, hint = f"missing {spelled(place)}", _expected(place)
        case "missing" | "too_long" | "too_short":
            if isinstance(place[-1], int):
                place = place[:-1]
            problem, hint = f"{spelled(place)} has {_counted(error['input'])}", _expected(place)
        case "literal_error":
            problem, hint = _is(place, error), f"it must be {error['ctx']['expected']}"
        case "value_error":
            problem, hint = _is(place, error), _expected(place) or str(error["ctx"]["error"])
        case _:
            problem, hint = _is(place, error), _expected(place) or "expected a table of keys"
    return ModelError(problem, hint=hint, file=file, line=line)


def _is(place: KeyPath, error: ErrorDetails) -> str:
    return f"{spelled(place)} is {_shown(error['input'])}"


def _shown(value: object) -> str:
    """A value as the file has it, more or less."""
    if isinstance(value, dict):
        text = "{ " + ", ".join(f"{key} = {_shown(each)}" for key, each in value.items()) + " }"
        return text if len(text) <= 60 else "a table"
    if isinstance(value, list | tuple) and len(repr(value)) > 60:
        return f"a list of {len(value)}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 100:
        return "an integer of too many digits"
    return repr(value) if isinstance(value, str | int | float | list | tuple) else str(value)


def _counted(value: object) -> str:
    count = len(value) if isinstance(value, list | tuple | dict) else 1
    return f"{count} number{'s' * (count != 1)}"


_EXPECTED: dict[str, str] = {
    "name": "a text",
    "source": "a text",
    "corrections": "a list of texts",
    "frames": "one of standard-dh, modified-dh, screws, placements",
    "gravity": "3 finite numbers, in m/s^2",
    "allow_nonphysical": "true or false",
    "base": "a table with position and rpy",
    "link": "one [[link]] table for each link",
    "frame": "one [[frame]] table for each frame",
    "drive": "one [[drive]] table for each motor",
    "loop": "one [[loop]] table for each loop",
    "link.joint": "one of revolute, continuous, prismatic, screw, fixed",
    "link.limits": "a table with position, speed, acceleration, torque",
    "link.mimic": "a table with joint, factor and offset",
    "link.twist": "6 numbers (vx, vy, vz, wx, wy, wz)",
    "mimic.joint": "the name of the joint it follows",
    "limits.position": "2 numbers, lower and upper",
    "limits.torque": "a finite number, in N m (N for sliding joints)",
    "mass": "a finite number, in kg",
    "com": "3 finite numbers, in m",
    "inertia": "3 numbers (the diagonal) or 6 (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2",
    "axis": "3 numbers, a direction",
    "position": "3 finite numbers, in m",
    "rpy": 'roll, pitch and yaw in rad, or texts such as "90 deg"',
    "tool": "one [tool] table",
    "tool.payload": "a table with mass, com and inertia",
    "frame.link": "the name of the link it is on",
    "drive.ratio": "a number for each joint, or a table joint = number",
    "drive.rotor": "a table with inertia, and with carrier and axis where the motor does not sit on its joint",
    "rotor.inertia": "a finite number, in kg m^2",
    "friction.coulomb": "a number, or 2 numbers (forward, backward)",
    "loop.joint": "one of hinge, ball, slider, rigid, distance",
    "loop.first": 'a table such as { link = "link2", position = [0, 0, 0] }',
    "loop.second": 'a table such as { link = "link2", position = [0, 0, 0] }',
    "first.link": "the name of a link",
    "second.link": "the name of a link",
    "loop.driven": "a list of the names of the joints that motors move",
}


def _expected(place: KeyPath) -> str | None:
    """What the key should hold, by its name and the table it is in."""
    names = [part for part in place if isinstance(part, str)]
    for known in (".".join(names[-2:]), names[-1]):
        if known in _EXPECTED:
            return f"expected {_EXPECTED[known]}"
    return None


# Names that other formats have for the same.
_SYNONYMS = {
    "mass": ("weight", "m"),
    "com": ("centre", "center", "cog", "r"),
    "inertia": ("I", "J", "moments"),
    "position": ("xyz", "pos", "translation", "origin"),
    "rpy": ("rotation", "orientation", "euler"),
    "joint": ("type", "kind"),
    "factor": ("multiplier", "ratio"),
    "ratio": ("gear", "gears", "reduction"),
    "speed": ("velocity",),
    "torque": ("effort", "force"),
    "viscous": ("damping",),
    "link": ("links", "body"),
    "drive": ("motor", "actuator", "drives"),
}


def _suggestion(word: str, known: list[str]) -> str:
    meant = next((key for key, others in _SYNONYMS.items() if word in others and key in known), None)
    return did_you_mean(word, known) if meant is None else f"did you mean {meant!r}? known: {', '.join(known)}"


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
