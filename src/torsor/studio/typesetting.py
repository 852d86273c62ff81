"""Equations as the page typesets them."""

from __future__ import annotations

import re
from typing import Any

from torsor.derived import Equations
from torsor.deriving import MORE, derive
from torsor.mechanics.formulations import FORMULATIONS
from torsor.mechanics.quantities import QUANTITIES
from torsor.studio import recipes
from torsor.studio.asked import AboutEquations
from torsor.studio.shelf import Shelf, Telling

OPTIONS = ("by", "parameters", "effort", "frame")
USUAL = {"by": None, "parameters": "numeric", "effort": "high", "frame": "tool"}  # of `torsor.derive`
HEADING = re.compile(r"\\(?:subsection|paragraph)\*\{(.*)\}")
DISPLAY = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)


def equations(shelf: Shelf, progress: Telling, asked: AboutEquations) -> dict[str, Any]:
    """A quantity in print: LaTeX in blocks for the page, or text, C or Python."""
    found = derived(shelf, progress, asked)
    progress("printing")
    return {
        "robot": found.robot,
        "quantity": found.quantity,
        "by": found.by,
        "count": str(found.count()),
        "to": asked.to,
        "blocks": blocks(found) if asked.to == "latex" else [],
        "text": printed(found, asked.to),
        "python": recipes.script(*deriving(asked), f"text = {PYTHON[asked.to]}"),
        "command": recipes.command(*deriving_command(asked)),
    }


def choices() -> dict[str, list[str]]:
    return {"quantities": [*QUANTITIES, *MORE], "formulations": list(FORMULATIONS)}


def derived(shelf: Shelf, progress: Telling, asked: AboutEquations) -> Equations:
    progress(f"deriving {asked.quantity.replace('_', ' ')}")
    arm = shelf.arm(asked.arm)
    options: dict[str, Any] = {name: getattr(asked, name) for name in OPTIONS}
    return derive(arm.tree if asked.tree else arm, asked.quantity, **options)


def printed(found: Equations, to: str) -> str:
    match to:
        case "latex":
            return found.to_latex()
        case "c":
            return found.to_c()
        case "python":
            return found.to_python()
    return str(found)


PYTHON = {
    "latex": "equations.to_latex()",
    "c": "equations.to_c()",
    "python": "equations.to_python()",
    "text": "str(equations)",
}


def blocks(found: Equations) -> list[dict[str, str]]:
    """Headings, displays and sentences, in order: what a typesetter of formulas alone can show."""
    from torsor.emit.latex import to_latex

    body = to_latex(found.sheet, document=False)
    made: list[dict[str, str]] = []
    at = 0
    for display in DISPLAY.finditer(body):
        made += _prose(body[at : display.start()])
        made.append({"kind": "display", "text": display[0]})
        at = display.end()
    return made + _prose(body[at:])


def _prose(text: str) -> list[dict[str, str]]:
    made = []
    for line in (line.removeprefix(r"\noindent").strip() for line in text.split("\n")):
        if heading := HEADING.fullmatch(line):
            made.append({"kind": "heading", "text": heading[1]})
        elif line and not line.startswith("%"):
            made.append({"kind": "text", "text": line})
    return made


def deriving(asked: AboutEquations) -> list[str]:
    whose = "arm.tree" if asked.tree else "arm"
    options = recipes.words({name: getattr(asked, name) for name in OPTIONS}, USUAL)
    return [recipes.loading(asked.arm), f"equations = torsor.derive({whose}, {asked.quantity!r}{options})"]


def deriving_command(asked: AboutEquations) -> list[str]:
    said = {"what": asked.quantity.replace("_", "-"), **{name: getattr(asked, name) for name in OPTIONS}}
    flags = recipes.flags({**said, "tree": asked.tree, "to": asked.to}, {**USUAL, "tree": False, "to": "text"})
    return ["torsor", "derive", asked.arm, *flags]
