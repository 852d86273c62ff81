"""A sheet of equations for notebooks: what MathJax knows of LaTeX."""

from __future__ import annotations

from torsor.emit.latex import displays, notes
from torsor.emit.sheet import HEADINGS, Sheet


def to_mathjax(sheet: Sheet) -> str:
    """Equations in displays, headings as text between."""
    parts = [f"**{sheet.title}** by {sheet.formulation}, {sheet.counts}"]
    for group, heading in HEADINGS.items():
        equations = sheet.group(group)
        if group != "results" and equations:
            parts += [f"*{heading}*", *displays(equations)]
    parts.append(f"*{HEADINGS['results']}*")
    for part in sheet.results():
        parts += [*displays(part.equations), *notes(part)]
    return "\n\n".join(part.replace(r"\noindent", "") for part in parts)
