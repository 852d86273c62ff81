"""The schema that editors get: every key has its words, and says yes to every arm of the library."""

import json
import tomllib
from pathlib import Path

import pytest

import torsor
from torsor.model.arm_schema import arm_schema, meaning
from torsor.model.json_schema import keys_of_table, tables_in
from torsor.model.schema import ArmFile, StandingFile

LIBRARY = Path(torsor.__file__).parent / "model" / "library"


def all_keys(table, called="", seen=None):
    seen = set() if seen is None else seen
    if (table, called) in seen:
        return
    seen.add((table, called))
    for key in keys_of_table(table):
        yield called, key.name
        for inner in tables_in(key.annotation):
            yield from all_keys(inner, key.name, seen)


@pytest.mark.parametrize("file", [ArmFile, StandingFile])
def test_every_key_has_its_words(file):
    assert [place for place in all_keys(file) if not meaning(*place)] == []


def holds(value, schema, whole):
    """Whether a value keeps a schema: the part of JSON Schema that is used here."""
    if "$ref" in schema:
        return holds(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "anyOf" in schema:
        return any(holds(value, each, whole) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        return False
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        return all(key in known and holds(each, known[key], whole) for key, each in value.items()) and all(
            key in value for key in schema["required"]
        )
    if isinstance(value, list):
        items = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        return len(items) == len(value) and all(holds(a, b, whole) for a, b in zip(value, items, strict=True))
    if isinstance(value, str) and "pattern" in schema:
        import re

        return re.search(schema["pattern"], value) is not None
    return True


@pytest.mark.parametrize("file", sorted(LIBRARY.glob("*.toml")), ids=lambda path: path.stem)
def test_the_library_keeps_it(file):
    schema = arm_schema()
    assert holds(tomllib.loads(file.read_text()), schema["else"], schema)


@pytest.mark.parametrize(
    "text",
    ['name = "a"\n', 'name = "a"\nframes = "dh"\nlink = []\n', 'name = 1\nframes = "screws"\nlink = []\n',
     'name = "a"\nframes = "screws"\nlink = [{ joint = "revolute", wieght = 1 }]\n',
     'name = "a"\nframes = "standard-dh"\nlink = [{ joint = "revolute", alpha = "90 mm" }]\n'],
)  # fmt: skip
def test_it_refuses(text):
    schema = arm_schema()
    assert not holds(tomllib.loads(text), schema["else"], schema)


def test_a_file_that_stands_on_another():
    schema = arm_schema()
    text = 'base = "a.urdf"\n[[link]]\nname = "b"\nlimits = { speed = "90 deg/s" }\n'
    assert holds(tomllib.loads(text), schema["then"], schema)
    assert json.dumps(schema)
