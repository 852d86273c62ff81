"""How Sphinx builds the documentation: ``make docs``."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from library_page import library_markdown

project = "Torsor"
author = "The Torsor developers"
copyright = "2026, The Torsor developers"
version = release = installed("torsor")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"Torsor {version}"
autodoc_member_order = "bysource"
autodoc_typehints = "none"


def setup(app):
    """The page on the library is written from the arms themselves each time."""

    def fill(_, docname, source):
        if docname == "library":
            source[0] += library_markdown()

    app.connect("source-read", fill)
