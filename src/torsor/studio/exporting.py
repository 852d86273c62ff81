"""Files to take away: what the commands write, as a text that the browser saves."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from torsor.errors import Unsupported
from torsor.studio import recipes
from torsor.studio.asked import AboutExport
from torsor.studio.programming import checking, checking_command, judged
from torsor.studio.running import SCENARIO, running, turned
from torsor.studio.shelf import Shelf, Telling
from torsor.studio.typesetting import PYTHON, derived, deriving, deriving_command, printed

LANGUAGES = {"c": "c", "tex": "latex", "txt": "text", "py": "python"}
KINDS = {"html": "text/html", "csv": "text/csv", "json": "application/json"}


def export(shelf: Shelf, progress: Telling, asked: AboutExport) -> dict[str, Any]:
    name, text, python, command = _made(shelf, progress, asked)
    kind = KINDS.get(asked.to, "text/plain")
    return {"name": name, "type": f"{kind};charset=utf-8", "text": text, "python": python, "command": command}


def _made(shelf: Shelf, progress: Telling, asked: AboutExport) -> tuple[str, str, str, str]:
    to = asked.to
    if asked.check is not None and to in ("html", "csv", "json"):
        verdict = judged(shelf, progress, asked.check)
        name = recipes.file_name(f"{verdict.program}-{verdict.robot}", f".{to}")
        command, python = checking_command(asked.check), partial(recipes.script, *checking(asked.check))
        if to == "json":
            return name, verdict.to_json(), python(f"text = verdict.to_json({name!r})"), f"{command} --json"
        option, word = ("--report", "report") if to == "html" else ("--csv", "to_csv")
        text = _written(getattr(verdict, word), to)
        return name, text, python(f"verdict.{word}({name!r})"), f"{command} {recipes.command(option, name)}"
    if asked.scenario is not None and to == "csv":
        scenario = turned(asked.scenario)
        run = scenario.run()  # as the command runs it, to the last digit
        name = recipes.file_name(scenario.name, ".csv")
        script = recipes.script(*running(asked.scenario), f"run.to_csv({name!r})")
        return name, _written(run.to_csv, to), script, recipes.command("torsor", "simulate", SCENARIO, "--csv", name)
    if asked.equations is not None and to in LANGUAGES:
        found = derived(shelf, progress, asked.equations)
        name = recipes.file_name(f"{found.robot}-{found.quantity}", f".{to}")
        said = asked.equations.model_copy(update={"to": LANGUAGES[to]})
        script = recipes.script(*deriving(said), f"text = {PYTHON[said.to]}")
        return name, printed(found, said.to), script, recipes.command(*deriving_command(said), "-o", name)
    raise Unsupported(f"there is no .{to} of that", hint="checks: html, csv, json; scenarios: csv; equations: c, tex")


def _written(write: Callable[[Path], Any], to: str) -> str:
    """What is written to a file, as a text; the folder is this process's own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"made.{to}"
        write(path)
        return path.read_text(encoding="utf-8")
