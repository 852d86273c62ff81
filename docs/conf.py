"""How Sphinx builds the documentation: ``make docs``."""

import re
import sys
from functools import partial
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from api_page import api_markdown
from library_page import library_markdown
from notebook_page import notebook_markdown, notebook_names

from torsor.cli import main as main_command

project = "Torsor"
author = "The Torsor developers"
copyright = "2026, The Torsor developers"
version = release = installed("torsor")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["amsmath", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"Torsor {version}"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
WRITTEN = {"library": library_markdown, "api": api_markdown}
WRITTEN |= {f"notebook-{name}": partial(notebook_markdown, name) for name in notebook_names()}


def fill(_, docname, source):
    """The pages on the library and on the public names are written from the arms and the rooms themselves each time."""
    if docname in WRITTEN:
        source[0] += WRITTEN[docname]()


def reproduce(app, error):
    """The pages of the five works, made anew beside the page that leads to them."""
    if error is not None or app.builder.name != "html":
        return
    if main_command(["reproduce", "all", "--out", str(Path(app.outdir) / "reproduced")]):
        raise RuntimeError("torsor reproduce failed")


def keep_bars(_, what, name, thing, options, lines):
    """|x| in a docstring is an absolute value and * a product or what unpacks; Sphinx would take them for markup."""
    for k, line in enumerate(lines):
        if not line.lstrip().startswith(">>>"):
            parts = line.split("``")  # every other one is literal
            escaped = [re.sub(r"([|*])", r"\\\1", part) for part in parts]
            lines[k] = "``".join(parts[at] if at % 2 else part for at, part in enumerate(escaped))


def setup(app):
    app.connect("source-read", fill)
    app.connect("build-finished", reproduce)
    app.connect("autodoc-process-docstring", keep_bars)
