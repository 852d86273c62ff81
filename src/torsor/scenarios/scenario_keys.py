"""The schema of scenarios, for editors and for the docs: every key with what it should hold."""

from __future__ import annotations

from typing import Any

from torsor.model.arm_schema import meaning as arm_meaning
from torsor.model.json_schema import json_schema, object_of
from torsor.scenarios.laws import law_tables
from torsor.scenarios.references import REFERENCES
from torsor.scenarios.scenario_schema import EXPECTED, ScenarioFile

MEANT = {  # keys of which a wrong value is told by listing the right ones
    "integrator": "how it is stepped; chosen by the stiffness of the arm without a word",
    "drives": "rotors, gears and friction of motors",
    "elastic": "links and joints that bend",
    "saturation": "limits of motors hold",
    "every": "of so many steps one is kept",
    "wrench.kind": "constant, pulse or sine",
    "wrench.duration": "of a pulse, s",
    "source": "where the numbers are from",
    "notes": "what is worth knowing of it",
    "name": "what it is called",
}


def scenario_meaning(table: str, key: str) -> str | None:
    """What a key of a table of that name should hold.

    >>> scenario_meaning("output", "settled")
    'an angle (or a length) above zero, such as "1 deg"'
    """
    names = f"{table}.{key}", key
    found = next((words[name] for name in names for words in (MEANT, EXPECTED) if name in words), None)
    return found or arm_meaning(table, key)  # bodies are written as in arm files


def scenario_json_schema() -> dict[str, Any]:
    """JSON Schema of scenarios, with a table for each law and each reference."""
    laws = [_of_kind(kind, table, "law") for kind, table in law_tables().items()]
    references = [_of_kind(kind, table, "reference") for kind, table in REFERENCES.items()]
    more = {
        "law": {"anyOf": laws, "description": scenario_meaning("", "law")},
        "reference": {"anyOf": references, "description": scenario_meaning("", "reference")},
    }
    return json_schema(ScenarioFile, "Torsor scenario", scenario_meaning, more)


def _of_kind(kind: str, table: Any, called: str) -> dict[str, Any]:
    def says(name: str, key: str) -> str | None:
        field = table.model_fields.get(key)
        said = None if field is None or name != called else field.description
        return said or scenario_meaning(name, key)

    found = object_of(table, called, says)
    found["properties"]["kind"] = {"const": kind}
    found.pop("$defs", None)
    return {"title": kind, **found}
