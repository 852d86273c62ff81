"""Files in TOML that a schema describes: read and checked, every error with file, line, key and what would be right."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from torsor.errors import TorsorError, did_you_mean
from torsor.model.file_mark import FileMark
from torsor.model.schema import Table
from torsor.model.toml_lines import KeyPath, key_lines, line_of, spelled

Checked = TypeVar("Checked", bound=Table)
UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")  # what pydantic calls a key that a table does not know


@dataclass(frozen=True)
class Wording:
    """What errors say of a kind of file."""

    what: str  # "arm file"
    begins: str  # how such a file begins
    error: type[TorsorError]
    expected: Mapping[str, str]  # by the key, or by table.key: what it should hold
    synonyms: Mapping[str, tuple[str, ...]]  # of keys: names that other formats have for the same


class TomlFile:
    """The text of a file, parsed; ``checked`` holds it, or a part of it, against a schema.

    >>> class Point(Table):
    ...     x: float
    >>> wording = Wording("point", "x = 1", TorsorError, {"x": "a number"}, {})
    >>> TomlFile("# here\\nx = 'far'", "a.toml", wording).checked(Point)
    Traceback (most recent call last):
    torsor.errors.TorsorError: a.toml:2: x is 'far'; expected a number
    """

    def __init__(self, text: str, file: str, wording: Wording, package_paths: Sequence[str | Path] = ()) -> None:
        self.file, self.wording, self.package_paths = file, wording, package_paths  # where its package:// files may lie
        self.mark = FileMark.of(file, text)
        no_such = f"this is no {wording.what}"
        try:
            self.document: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise self._syntax_error(str(error), text) from None
        except ValueError:
            raise wording.error("a number has thousands of digits", hint=no_such, file=file) from None
        except RecursionError:
            lines = enumerate(text.split("\n"), start=1)
            deep = next((k for k, line in lines if line.count("[") + line.count("{") > 100), None)
            raise wording.error("brackets are nested hundreds deep", hint=no_such, file=file, line=deep) from None
        if not self.document:
            raise wording.error("the file is empty", hint=wording.begins, file=file)
        self.lines = key_lines(text)

    def line_of(self, place: KeyPath) -> int:
        """Of the key, or of the table that lacks it; the file itself is the table that begins in line 1."""
        return line_of(self.lines, place) or 1

    def error(self, place: KeyPath, problem: str, hint: str | None = None) -> TorsorError:
        """An error of the key at ``place``, to be raised."""
        return self.wording.error(problem, hint=hint, file=self.file, line=self.line_of(place))

    def checked(self, schema: type[Checked], place: KeyPath = ()) -> Checked:
        """The table at ``place``, all of the file without a word; its first error by line is raised."""
        table: Any = self.document
        for part in place:
            table = table[part]
        try:
            return schema.model_validate(table)
        except ValidationError as error:
            first = min(error.errors(), key=lambda e: line_of(self.lines, (*place, *_keys(e))) or 0)
            raise self._schema_error(first, schema, place) from None

    def _syntax_error(self, message: str, text: str) -> TorsorError:
        said = re.sub(r"\s*\(at .*\)$", "", message)
        problem, hint = f"this is not TOML: {said[0].lower()}{said[1:]}", "toml.io describes the format"
        for pattern, plain, cure in _SYNTAX:
            if match := re.fullmatch(pattern, said):
                problem, hint = match.expand(plain), cure
        at = re.search(r"\(at line (\d+), column (\d+)\)", message)
        line, column = map(int, at.groups()) if at else (len(text.rstrip("\n").split("\n")), None)
        return self.wording.error(problem, hint=hint, file=self.file, line=line, column=column)

    def _schema_error(self, error: ErrorDetails, schema: type[Table], prefix: KeyPath) -> TorsorError:
        inside = _keys(error)
        place = (*prefix, *inside)
        line = self.line_of(place)
        known = schema.model_fields.get(str(inside[0])) if inside else None
        said = None if known is None else known.description  # a field may say itself what it should hold
        hint: str | None
        match error["type"]:
            case kind if kind in UNKNOWN:
                keys = _known_keys(schema, inside)
                problem, hint = f"unknown key {spelled(place)}", self._suggestion(str(place[-1]), keys)
                if homes := _homes(schema, inside):
                    hint = f"{place[-1]} stands in {' or '.join(homes)}"
            case "missing" if isinstance(place[-1], str):
                problem, hint = f"missing {spelled(place)}", self._expected(place, said)
            case "missing" | "too_long" | "too_short":
                if isinstance(place[-1], int):
                    place = place[:-1]
                problem, hint = f"{spelled(place)} has {_counted(error['input'])}", self._expected(place, said)
            case "literal_error":
                problem, hint = _is(place, error), f"it must be {error['ctx']['expected']}"
            case "value_error":
                problem, hint = _is(place, error), self._expected(place, said) or str(error["ctx"]["error"])
            case _:
                problem, hint = _is(place, error), self._expected(place, said) or "expected a table of keys"
        return self.wording.error(problem, hint=hint, file=self.file, line=line)

    def _expected(self, place: KeyPath, said: str | None) -> str | None:
        """What the key should hold, as its field says, or by its name and the table it is in."""
        if said is not None:
            return f"expected {said}"
        names = [part for part in place if isinstance(part, str)]
        for known in (".".join(names[-2:]), names[-1]):
            if known in self.wording.expected:
                return f"expected {self.wording.expected[known]}"
        return None

    def _suggestion(self, word: str, known: list[str]) -> str:
        synonyms = self.wording.synonyms
        meant = next((key for key, others in synonyms.items() if word in others and key in known), None)
        return did_you_mean(word, known) if meant is None else f"did you mean {meant!r}? known: {', '.join(known)}"


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


def _keys(error: ErrorDetails) -> KeyPath:
    """The path of the key in the table; pydantic appends names of union members, which are no keys."""
    *inner, last = error["loc"] or ("",)
    path = [part for part in inner if isinstance(part, int) or re.fullmatch(r"[\w-]+", part)]
    is_key = isinstance(last, int) or error["type"] in UNKNOWN or re.fullmatch(r"[\w-]+", last)
    return (*path, last) if is_key else tuple(path)


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


def _known_keys(schema: type[Table], place: KeyPath) -> list[str]:
    """Keys the table around an unknown key may have."""
    return list(_fields(_table_around(schema, place)))


def _homes(schema: type[Table], place: KeyPath) -> list[str]:
    """Which of the tables beside an unknown key have it."""
    beside = _fields(_table_around(schema, place))
    return [name for name, known in beside.items() if place[-1] in _fields(_table_of(known))]


def _table_around(schema: type[Table], place: KeyPath) -> Any:
    table: Any = schema
    for part in place[:-1]:
        if isinstance(part, str):
            table = _table_of(_fields(table).get(part))
    return table


def _fields(table: Any) -> dict[str, Any]:
    """The keys of a table and what they hold; none of what is no table."""
    if is_dataclass(table):
        return get_type_hints(table)
    is_table = isinstance(table, type) and issubclass(table, Table)
    return {field.alias or name: field.annotation for name, field in table.model_fields.items()} if is_table else {}


def _table_of(annotation: Any) -> Any:
    inner = (_table_of(each) for each in getattr(annotation, "__args__", ()))
    return annotation if _fields(annotation) else next((table for table in inner if table is not None), None)
