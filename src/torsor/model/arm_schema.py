"""The schema of arm files, for editors and for the docs: every key with what it means."""

from __future__ import annotations

from typing import Any

from torsor.model.armfile import EXPECTED
from torsor.model.json_schema import json_schema
from torsor.model.key_meanings import MEANINGS
from torsor.model.schema import ArmFile, StandingFile

NAMED: dict[str, Any] = {"type": "string", "description": "a symbol: equations keep its name, values are given later"}
SYMBOLIC = ("mass", "com", "inertia", "a", "d")  # keys of links that may be symbols


def meaning(table: str, key: str) -> str | None:
    """What a key of a table of that name means.

    >>> meaning("motor", "continuous"), meaning("limits", "torque")
    ('root mean square torque that it gives for ever, N m', 'largest size of its torque, N m (N); counts where its \
motor has no limit')
    """
    for known in (f"{table}.{key}", key):
        for words in (MEANINGS, EXPECTED):
            if known in words:
                return words[known]
    return None


def arm_schema() -> dict[str, Any]:
    """JSON Schema of arm files: those that stand alone, and those that stand on another description."""
    alone, standing = json_schema(ArmFile, "alone", meaning), json_schema(StandingFile, "standing", meaning)
    defs = alone.pop("$defs") | standing.pop("$defs")
    for name, each in defs.items():
        if name.startswith("link-"):
            _allow_symbols(each["properties"])
    dialect = alone.pop("$schema")
    del standing["$schema"]
    base = {"properties": {"base": {"type": "string"}}, "required": ["base"]}
    return {"$schema": dialect, "title": "Torsor arm file", "if": base, "then": standing, "else": alone, "$defs": defs}


def _allow_symbols(properties: dict[str, Any]) -> None:
    for key in SYMBOLIC:
        if key in properties:
            said = properties[key].pop("description", None)
            properties[key] = {"anyOf": [properties[key], NAMED, {"type": "array"}], "description": said}
