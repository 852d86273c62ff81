"""Tables of laws and languages in the docs are written from what they list, by ``python tests/test_docs_tables.py``.

A page has them between two lines that name them, ``generated: laws`` and ``end of laws``.
"""

import re
from dataclasses import is_dataclass
from pathlib import Path

import pytest

from torsor.control.fields import REQUIRED, keys_of
from torsor.control.law import laws, laws_of_files
from torsor.model.arm_schema import meaning as arm_meaning
from torsor.model.beams import MATERIALS
from torsor.model.json_schema import keys_of_table, tables_in
from torsor.model.schema import ArmFile, StandingFile, Table
from torsor.programs import languages
from torsor.programs.val2_forms import statements
from torsor.reproducing.capabilities import capability_table
from torsor.scenarios.scenario_keys import scenario_meaning
from torsor.scenarios.scenario_schema import ScenarioFile
from torsor.study.study_schema import SPECS, CheckTable, QuantityTable, SimulationTable, StudyFile, VibrationTable

DOCS = Path(__file__).parent.parent / "docs"


def public_laws():
    return list(laws().values())


def rows(*cells):
    return "".join("| " + " | ".join(text.replace("|", "\\|") for text in row) + " |\n" for row in cells)


def control_table(listed):
    """What each is called with, its formula, what is proved: the first line of its docstring and the one so marked."""
    found = []
    for law in listed:
        needed = [name for name, field in law.fields.items() if field.default is REQUIRED]
        first = law.__doc__.partition("\n")[0].rstrip(".")
        proved = re.search(r"^ *Proved: (.*?)\.$", law.__doc__, re.MULTILINE | re.DOTALL)
        assert proved, f"the docstring of {law.__name__} needs a line 'Proved: ...', be it 'Proved: nothing.'"
        found.append((f"`{law.name()}({', '.join(needed)})`", first, " ".join(proved[1].split())))
    return rows(("law", "torque", "proved"), ("---",) * 3, *found)


def scenario_table(listed):
    held = '{}, or `"hold"`: what holds the arm at its start; or `rows = [[time, ..], ..]`, or `file`, a CSV'
    found = [
        ("`torque`", held.format("`torque` N m"), '`of = "motors"`, `between = "line"`', "open loop"),
        ("`current`", held.format("`current` A of motors"), '`between = "line"`', "open loop"),
    ]
    for kind, law in listed.items():
        keys = keys_of(law.fields).items()
        needed = [_key(key, field) for key, field in keys if REQUIRED is field.default is field.unsaid]
        others = [_key(key, field) for key, field in keys if not REQUIRED is field.default is field.unsaid]
        found.append((f"`{kind}`", ", ".join(needed), ", ".join(others), law.follows()))
    return rows(("law", "gains", "may have", "moves"), ("---",) * 4, *found)


def _key(key, field):
    return f"`{key}` {field.unit}".rstrip()


def language_table(listed):
    found = [(one.name, ", ".join(f"`{suffix}`" for suffix in (*one.suffixes, *one.shared_suffixes))) for one in listed]
    return rows(("language", "suffixes"), ("---",) * 2, *found)


def instruction_table(listed):
    return rows(("instruction", "here"), ("---",) * 2, *((f"`{written}`", told) for written, told in listed))


def material_table(listed):
    numbers = [(one.E / 1e9, one.nu, one.rho, one.yields / 1e6) for one in listed]
    found = [(f'`"{one.name}"`', *(f"{x:g}" for x in each)) for one, each in zip(listed, numbers, strict=True)]
    return rows(("material", "E, GPa", "nu", "rho, kg/m^3", "yield, MPa"), ("---", *("---:",) * 4), *found)


def key_tables(files, says):
    """A table for each table of a kind of file: every key, what it holds, what holds without it."""
    found, waiting, seen = [], [(table, "", title) for table, title in files], set()
    while waiting:
        table, called, title = waiting.pop(0)
        if (called, table) in seen:
            continue
        seen.add((called, table))
        cells = []
        for key in keys_of_table(table):
            without = "required" if key.required else _default(key.default)
            cells.append((f"`{key.name}`", says(called, key.name), without))
            waiting += [(inner, key.name, f"`{key.name}`") for inner in tables_in(key.annotation)]
        found.append(f"\n## {title}\n\n{rows(('key', 'means', 'without it'), ('---',) * 3, *cells)}")
    return "".join(found)


def _default(value):
    if value is None or value == () or value == [] or value == {} or is_dataclass(value) or isinstance(value, Table):
        return ""
    return f"`{value}`"


def study_table(tables):
    """Every key of a study file with what it holds, from the schema."""
    found = []
    for title, table in tables:
        for name, field in table.model_fields.items():
            needed = " (needed)" if field.is_required() else ""
            found.append((f"`{title}{field.alias or name}`{needed}", field.description))
    return rows(("key", "holds"), ("---",) * 2, *found)


STUDY_TABLES = [
    ("", StudyFile),
    ("check.", CheckTable),
    ("simulation.", SimulationTable),
    ("vibration.", VibrationTable),
    ("quantity.", QuantityTable),
    *(("vary.NAME.", spec) for spec in SPECS.values()),
]
TABLES = {
    "studies.md": ("study keys", lambda: study_table(STUDY_TABLES)),
    "arm-file-keys.md": (
        "keys",
        lambda: key_tables(
            [(ArmFile, "an arm file"), (StandingFile, "an arm file that stands on another")], arm_meaning
        ),
    ),
    "scenario-keys.md": ("keys", lambda: key_tables([(ScenarioFile, "a scenario")], scenario_meaning)),
    "arm-files.md": ("materials", lambda: material_table(MATERIALS.values())),
    "control.md": ("laws", lambda: control_table(public_laws())),
    "scenarios.md": ("laws", lambda: scenario_table(laws_of_files())),
    "reproduced.md": ("capabilities", capability_table),
    "val2.md": ("instructions", lambda: instruction_table(statements())),
    "programs.md": ("languages", lambda: language_table(languages())),
}


def placed(page, name):
    around = rf"^[^\n]*generated: {name}\b[^\n]*\n(.*?)^[^\n]*end of {name}\b"
    found = re.search(around, page, re.MULTILINE | re.DOTALL)
    assert found, f"the page has no lines 'generated: {name}' and 'end of {name}'"
    return found


@pytest.mark.parametrize("page", TABLES)
def test_the_docs_list_what_there_is(page):
    name, table = TABLES[page]
    assert placed((DOCS / page).read_text(), name)[1] == f"\n{table()}\n", (
        "python tests/test_docs_tables.py writes it anew"
    )


def test_a_law_that_is_not_in_the_docs_is_missed():
    fewer = public_laws()[1:]
    page = (DOCS / "control.md").read_text()
    assert placed(page, "laws")[1] != f"\n{control_table(fewer)}\n"


if __name__ == "__main__":
    for page, (name, table) in TABLES.items():
        text = (DOCS / page).read_text()
        found = placed(text, name)
        (DOCS / page).write_text(text[: found.start(1)] + f"\n{table()}\n" + text[found.end(1) :])
