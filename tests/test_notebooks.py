"""The notebooks of the docs run from their first cell to their last; `make docs` shows what they give."""

import json
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))

from notebook_page import NOTEBOOKS, notebook_markdown, notebook_names, shown  # noqa: E402

LONG = ("cell-engineer", "designer")  # programs are planned and links bend: in `make docs` and in the sweep


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in notebook_names()]
)
def test_a_notebook_runs(name):
    page = notebook_markdown(name)
    assert page.startswith("# ")
    assert page.count("```text") + page.count("```{raw} html") + page.count("\\begin{al") >= 3
    assert "Traceback" not in page


@pytest.mark.parametrize("name", notebook_names())
def test_a_notebook_is_kept_without_outputs_and_has_a_page(name):
    """What it gives is computed anew; outputs in the file would grow old."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text())["cells"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")
    assert (DOCS / f"notebook-{name}.md").exists()
    assert f"notebook-{name}\n" in (DOCS / "index.md").read_text()


def test_each_kind_of_user_has_one():
    assert notebook_names() == ["cell-engineer", "control-engineer", "designer", "researcher"]


def test_what_has_no_look_is_text():
    assert shown(3) == "```text\n3\n```"
