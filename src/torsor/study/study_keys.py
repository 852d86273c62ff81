"""The schema of study files, for editors: every key with what it holds."""

from __future__ import annotations

from typing import Any

from torsor.model.json_schema import json_schema, object_of
from torsor.model.schema import Table
from torsor.study.study_schema import SPECS, CheckTable, QuantityTable, SimulationTable, StudyFile, VibrationTable

TABLES: dict[str, tuple[type[Table], ...]] = {
    "": (StudyFile,),
    "check": (CheckTable,),
    "simulation": (SimulationTable,),
    "vibration": (VibrationTable,),
    "quantity": (QuantityTable,),
    "vary": tuple(SPECS.values()),
}


def study_meaning(table: str, key: str) -> str | None:
    """What a key of a table of that name holds.

    >>> study_meaning("check", "cycles")
    'a whole number: how often to go round a loop that never ends'
    """
    for each in TABLES.get(table, ()):
        for name, field in each.model_fields.items():
            if key == (field.alias or name):
                return field.description
    return None


def study_json_schema() -> dict[str, Any]:
    """The JSON Schema of a study file; names with dots may be tables in tables."""
    own = [{"type": "array"}, *(object_of(spec, "vary", study_meaning) for spec in SPECS.values())]
    varies = {"anyOf": [*own, {"type": "object", "additionalProperties": {"anyOf": own}}]}
    words = {"description": study_meaning("", "vary"), "type": "object", "additionalProperties": varies}
    return json_schema(StudyFile, "A study of Torsor", study_meaning, {"vary": words})
