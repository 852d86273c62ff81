"""JSON Schema of files in TOML, made from their tables: editors complete and check keys by it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic.fields import PydanticUndefined  # type: ignore[attr-defined]

from torsor.model.schema import Table
from torsor.model.units import UNITS, ReadBy

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ANYTHING: dict[str, Any] = {}
Says = Callable[[str, str], str | None]  # of a table and a key: what it means


@dataclass(frozen=True)
class SchemaKey:
    """A key of a table: its annotation, whether it is required, its default."""

    name: str
    annotation: Any
    required: bool
    default: Any


def keys_of_table(table: Any) -> list[SchemaKey]:
    """Of a table of the schema, or of a part that files hold as a table; in the order in which they are written."""
    hints = get_type_hints(table, include_extras=True)
    if is_dataclass(table):
        return [SchemaKey(f.name, hints[f.name], f.default is MISSING, f.default) for f in fields(table)]
    return [
        SchemaKey(each.alias or name, hints[name], each.is_required(), each.default)
        for name, each in table.model_fields.items()
    ]


def tables_in(annotation: Any) -> Iterator[Any]:
    """The tables that a value may be, or hold."""
    if is_table(annotation):
        yield annotation
    for inner in get_args(annotation):
        yield from tables_in(inner)


def is_table(annotation: Any) -> bool:
    return isinstance(annotation, type) and (is_dataclass(annotation) or issubclass(annotation, Table))


def json_schema(table: type[Table], title: str, says: Says, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The document of one kind of file; ``more`` replaces what is said of keys of the file itself."""
    defs: dict[str, Any] = {}
    whole = _object(table, "", defs, says)
    whole["properties"] |= dict(more or {})
    return {"$schema": DIALECT, "title": title, **whole, "$defs": dict(sorted(defs.items()))}


def object_of(table: Any, name: str, says: Says) -> dict[str, Any]:
    """A table with all that it holds, in one piece."""
    defs: dict[str, Any] = {}
    found = _object(table, name, defs, says)
    return found | ({"$defs": defs} if defs else {})


def _object(table: Any, called: str, defs: dict[str, Any], says: Says) -> dict[str, Any]:
    properties = {}
    for key in keys_of_table(table):
        found = dict(_schema(key.annotation, key.name, defs, says))
        if (meaning := says(called, key.name)) is not None:
            found["description"] = meaning
        if not key.required and isinstance(key.default, str | int | float | bool):
            found["default"] = key.default
        properties[key.name] = found
    required = [key.name for key in keys_of_table(table) if key.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _schema(annotation: Any, called: str, defs: dict[str, Any], says: Says) -> dict[str, Any]:
    again = partial(_schema, called=called, defs=defs, says=says)
    origin, inside = get_origin(annotation), get_args(annotation)
    if annotation is Any or annotation is PydanticUndefined:
        return ANYTHING
    if origin is Annotated:
        return _annotated(inside[0], inside[1:], again)
    if origin in (Union, UnionType):
        kinds = [again(each) for each in inside if each is not NoneType]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if origin is Literal:
        return {"enum": list(inside)}
    if origin in (list, tuple) and (origin is list or inside[1:] == (...,)):
        return {"type": "array", "items": again(inside[0])}
    if origin is tuple:
        return {
            "type": "array",
            "prefixItems": [again(each) for each in inside],
            "minItems": len(inside),
            "maxItems": len(inside),
        }
    if origin is dict:
        return {"type": "object", "additionalProperties": again(inside[1])}
    if is_table(annotation):
        name = f"{called}-{annotation.__name__}"
        if name not in defs:
            defs[name] = ANYTHING  # a table may hold itself
            defs[name] = _object(annotation, called, defs, says) | {"description": _first(annotation)}
        return {"$ref": f"#/$defs/{name}"}
    plain = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return {"type": plain[annotation]} if annotation in plain else ANYTHING


def _annotated(kind: Any, marks: tuple[Any, ...], again: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Numbers with units are texts, too; and so on, as what reads a value says."""
    found = again(kind)
    for mark in marks:
        if isinstance(mark, ReadBy) and isinstance(mark.function, partial):
            units = "|".join(re.escape(unit) for unit in UNITS[mark.function.keywords["dimension"]])
            return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": rf"^\s*[-+0-9.eE]+\s+({units})\s*$"}]}
        if isinstance(mark, ReadBy) and mark.also is not None:
            return {"anyOf": [found, json.loads(mark.also)]}
        if type(mark).__name__ == "PlainValidator":
            return ANYTHING
    return found


def _first(table: Any) -> str:
    """The first line of what a table is."""
    doc = (table.__doc__ or "").strip().partition("\n")[0]
    return "" if doc.startswith(f"{table.__name__}(") else doc
