"""Study files: what they say, and what is said of those that are wrong."""

import json
from pathlib import Path

import pytest

from torsor.errors import StudyError, TorsorError
from torsor.study import Grid1D, Listed, LogNormal, Normal, Triangular, Uniform, parse, read
from torsor.study.study_keys import study_json_schema
from torsor.study.study_schema import CheckTable, QuantityTable, SimulationTable, StudyFile, VibrationTable

ROOT = Path(__file__).parents[2]
GOOD = """
name = "a"
samples = 10
design = "latin"
seed = 3
outputs = ["x", "manipulability"]
[quantity]
robot = "planar2"
quantity = "manipulability"
[vary]
q.joint1 = { triangular = [0, 1, 2] }
"q.joint2" = { lognormal = 1.0, spread = 0.2 }
"""


def test_all_kinds_of_variations():
    study = parse(GOOD)
    assert dict(study.vary) == {"q.joint1": Triangular(0.0, 1.0, 2.0), "q.joint2": LogNormal(1.0, 0.2)}
    assert (study.runs, study.design, study.seed, study.outputs) == (10, "latin", 3, ("x", "manipulability"))
    other = {
        "{ from = 1, to = 2, count = 3 }": Grid1D(1.0, 2.0, 3),
        "{ from = 1, to = 8, count = 4, log = true }": Grid1D(1.0, 8.0, 4, log=True),
        "[1, 2.5]": Listed((1, 2.5)),
        "{ uniform = [0, 1] }": Uniform(0.0, 1.0),
        "{ normal = 1, deviation = 0.1, least = 0 }": Normal(1.0, 0.1, least=0.0),
    }
    for text, variation in other.items():
        assert parse(GOOD.replace("{ triangular = [0, 1, 2] }", text)).vary["q.joint1"] == variation


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('design = "latin"', 'design = "halton"', r"a.toml:4: design is 'halton'; it must be"),
        ("samples = 10", "samples = 0", r"a.toml:3: samples is 0; expected a whole number"),
        ("samples = 10", "sample = 10", r"a.toml:3: unknown key sample; did you mean 'samples'"),
        ("seed = 3", "seed = -1", r"a.toml:5: seed is -1"),
        ('"manipulability"]', '"volume"]', r"a.toml:6: there is no output 'volume'"),
        ('robot = "planar2"', 'robot = "planar9"', r"no robot 'planar9'"),
        ('quantity = "manipulability"', 'quantity = "beauty"', r"a.toml:7: there is no quantity 'beauty'"),
        ("q.joint1", "q.joint9", r"a.toml:11: 'q.joint9' cannot vary here; did you mean 'q.joint"),
        ("[0, 1, 2] }", "[0, 3, 2] }", r"a.toml:11: a triangle from 0 to 2 peaks at 3"),
        ("{ triangular = [0, 1, 2] }", "3", r"a.toml:11: vary.q.joint1 is 3; expected a list, a grid"),
        ("{ triangular = [0, 1, 2] }", "{ mean = 3 }", r"a.toml:11: vary.q.joint1 is no variation"),
        (
            "{ triangular = [0, 1, 2] }",
            "{ triangulr = [0, 1, 2] }",
            r"is no variation; did you mean .triangular.\? expected a list",
        ),
        ("{ triangular = [0, 1, 2] }", "{ normal = 3 }", r"missing vary.q.joint1.deviation; expected a number above"),
        ("{ triangular = [0, 1, 2] }", "{ from = 0, to = 1, count = 1 }", r"count is 1; expected a whole number, 2"),
        ("[quantity]", "[quality]", r"unknown key quality"),
        ("[vary]", "[check]\nrobot = 'rl15'\nprogram = 'a.irl'\n[vary]", "check and quantity are both there"),
        ('[quantity]\nrobot = "planar2"\nquantity = "manipulability"\n', "", "missing what is studied"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, said):
    assert old in GOOD
    with pytest.raises(TorsorError, match=said):
        parse(GOOD.replace(old, new, 1), "a.toml")


def test_every_key_says_what_it_holds():
    for table in (StudyFile, CheckTable, SimulationTable, VibrationTable, QuantityTable):
        assert table.__doc__
        for name, field in table.model_fields.items():
            assert field.description, name


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "studies").glob("*.toml")), ids=lambda path: path.name)
def test_examples_are_read(path):
    if "[vary]" in path.read_text():
        assert read(path).runs > 100


def test_the_schema_for_editors_knows_every_key():
    schema = json.loads(json.dumps(study_json_schema()))
    assert list(schema["properties"]) == list(StudyFile.model_fields)
    assert all(each["description"] for each in schema["properties"].values())
    assert schema["required"] == ["name", "vary"]
    tables = {name for name in schema["$defs"] for key in schema["$defs"][name]["properties"].values() if key}
    assert {name.partition("-")[0] for name in tables} == {"check", "simulation", "vibration", "quantity"}


def test_no_file():
    with pytest.raises(StudyError, match="cannot read the file"):
        read("nowhere.toml")
