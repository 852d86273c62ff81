"""Notebooks as Markdown, run anew each time: what a page shows is what the cells give today.

A cell's last expression is shown as a notebook shows it: set by MathJax, as a table, as a picture, or as text.
"""

import ast
import base64
import contextlib
import io
import json
import os
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTEBOOKS = Path(__file__).parent / "notebooks"


def notebook_names() -> list[str]:
    return sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def notebook_markdown(name: str) -> str:
    """A notebook with what its cells print and show."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {"__name__": "__notebook__"}
    parts = []
    before = os.getcwd()
    os.chdir(ROOT)  # where examples/ is
    try:
        for cell in cells:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                parts.append(text)
            else:
                parts += [f"```python\n{text}\n```", *_outputs(text, names)]
    finally:
        os.chdir(before)
    note = f"This page is the notebook `docs/notebooks/{name}.ipynb`; its cells were run when it was made."
    return "\n\n".join([*parts, note]) + "\n"


def _outputs(text: str, names: dict[str, object]) -> list[str]:
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        exec(compile(tree, "<cell>", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    printed = stream.getvalue() + "".join(f"{each.message}\n" for each in warned)
    found = [f"```text\n{printed.rstrip()}\n```"] if printed.strip() else []
    return found if value is None else [*found, shown(value)]


def shown(value: object) -> str:
    for method, show in (("_repr_latex_", str), ("_repr_html_", _html), ("_repr_png_", _picture)):
        look = getattr(value, method, None)
        made = None if look is None else look()
        if made is not None:  # a figure has a look as HTML that only some backends give
            return show(made)
    return f"```text\n{value!r}\n```"


def _html(made: str) -> str:
    return f'```{{raw}} html\n<div class="output">{made}</div>\n```'


def _picture(made: bytes) -> str:
    return _html(f'<img style="max-width: 100%" src="data:image/png;base64,{base64.b64encode(made).decode()}">')
