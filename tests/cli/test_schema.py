"""``torsor schema``: one JSON document for each kind of file."""

import json

import pytest


@pytest.mark.parametrize(("of", "key"), [("arm", "else"), ("scenario", "properties")])
def test_it_is_json_with_a_meaning_for_every_key(run, of, key):
    ran = run("schema", of)
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    keys = found["else"]["properties"] if of == "arm" else found["properties"]
    assert all(each["description"] for each in keys.values())


def test_laws_of_scenarios_are_there(run):
    found = json.loads(run("schema", "scenario").out)
    kinds = {each["properties"]["kind"]["const"] for each in found["properties"]["law"]["anyOf"]}
    assert {"torque", "pd-gravity", "pid"} <= kinds


def test_it_goes_to_a_file(run, tmp_path):
    assert run("schema", "arm", "-o", tmp_path / "arm.json").out == ""
    assert json.loads((tmp_path / "arm.json").read_text())["title"] == "Torsor arm file"
