"""Robot programs as they are typed: what is wrong with the text, what the arm says to it, what a change changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from torsor.programs.diagnostics import ProgramError
from torsor.programs.program import Program, languages, parse
from torsor.studio import recipes
from torsor.studio.asked import AboutCheck, AboutComparison, AboutText
from torsor.studio.shelf import Shelf, Telling

if TYPE_CHECKING:
    from torsor.checking.verdict import Verdict

OPTIONS = ("payload", "timing", "speed", "acceleration", "cycles", "fastest")
USUAL = {name: AboutCheck.model_fields[name].default for name in OPTIONS}
FLAGS = {"speed": "times_speed", "acceleration": "times_acceleration"}  # as the command line calls them
MOST_DIAGNOSTICS = 200


def language_of(text: str, name: str) -> str:
    """The language of a text by the suffix of its name, else by its looks; the first one where neither tells."""
    suffix = Path(name).suffix.lower()
    by_name = (one.name for one in languages() if suffix in one.suffixes)
    by_looks = (one.name for one in languages() if one.recognises(text))
    return next(by_name, None) or next(by_looks, None) or languages()[0].name


def diagnose(shelf: Shelf, progress: Telling, asked: AboutText) -> dict[str, Any]:
    """Errors, warnings and notes of a program as it stands, by line and column."""
    said = _parsed(asked).diagnostics
    return {
        "language": _language(asked),
        "diagnostics": [
            {
                "severity": each.severity,
                "line": each.place.line,
                "column": each.place.column,
                "text": each.problem,
                "hint": each.hint,
            }
            for each in said[:MOST_DIAGNOSTICS]
        ],
        "more": max(len(said) - MOST_DIAGNOSTICS, 0),
        "python": recipes.script(_parsing(asked), "for each in program.diagnostics:", "    print(each)"),
        "command": recipes.command("torsor", "check", _file(asked), "--syntax-only"),
    }


def check(shelf: Shelf, progress: Telling, asked: AboutCheck) -> dict[str, Any]:
    """The verdict on a program: its document, as ``torsor check --json`` prints it, and what the page draws."""
    verdict = judged(shelf, progress, asked)
    return {
        "document": verdict.document(),
        "source": verdict.source,
        "data": drawn(verdict),
        "python": recipes.script(*checking(asked), "print(verdict.headline)"),
        "command": checking_command(asked),
    }


def compare(shelf: Shelf, progress: Telling, asked: AboutComparison) -> dict[str, Any]:
    """Two checks beside each other: what a change of the program, the payload or the pace changes."""
    before, after = (judged(shelf, progress, each) for each in (asked.before, asked.after))
    loads = [_load_by_line(verdict) for verdict in (before, after)]
    before_motion = [motion | {"label": "before"} for motion in drawn(before)["motions"][:1]]
    python = recipes.script(
        "import torsor",
        _parsing(asked.before),
        _checking(asked.before).replace("verdict", "before", 1),
        _parsing(asked.after).partition("\n\n")[2],
        _checking(asked.after).replace("verdict", "after", 1),
        "longer = after.time - before.time",
    )
    return {
        "before": before.document(),
        "after": after.document(),
        "longer": after.time - before.time,
        "lines": [
            {"line": line, "before": loads[0].get(line), "after": loads[1].get(line)}
            for line in sorted({*loads[0], *loads[1]})
        ],
        "data": drawn(after) | {"motions": [*drawn(after)["motions"][:1], *before_motion]},
        "python": python,
        "command": f"{checking_command(asked.before)}\n{checking_command(asked.after)}",
    }


def drawn(verdict: Verdict) -> dict[str, Any]:
    """What the page draws of a verdict: curves, motions, paths, marks, lines; the scene it has already."""
    from torsor.checking.shown.verdict_motion import motion_of
    from torsor.checking.shown.verdict_plots import plots_of

    return {"kind": "studio", "title": verdict.headline, "scene": None, **plots_of(verdict), **motion_of(verdict)}


def judged(shelf: Shelf, progress: Telling, asked: AboutCheck) -> Verdict:
    """The verdict itself; errors of the text are raised, all of them in one."""
    from torsor.checking import check as judge

    program = _parsed(asked)
    if program.errors:
        raise ProgramError(program.errors)
    progress("planning")
    told = -1.0

    def hear(move: Any) -> None:
        nonlocal told
        if move.start >= told + 1.0:  # a line for each second of motion is as much as anybody reads
            told = move.start
            progress(f"line {move.place.line}, {move.start:.1f} s")

    verdict = judge(program, shelf.arm(asked.arm), each=hear, **_options(asked))
    progress("looking for what to change" if verdict.problems else "drawing")
    return verdict


def _load_by_line(verdict: Verdict) -> dict[int, float]:
    """The largest share of a motor's torque, by line of the program."""
    found: dict[int, float] = {}
    for move in verdict.moves:
        found[move.place.line] = max(found.get(move.place.line, 0.0), float(move.torque.worst))
    return found


def checking_command(asked: AboutCheck) -> str:
    said, usual = ({FLAGS.get(word, word): each[word] for word in OPTIONS} for each in (_options(asked), USUAL))
    return recipes.command("torsor", "check", _file(asked), "--robot", asked.arm, *recipes.flags(said, usual))


def checking(asked: AboutCheck) -> list[str]:
    return ["import torsor", _parsing(asked), _checking(asked)]


def _checking(asked: AboutCheck) -> str:
    return f"verdict = torsor.check(program, {asked.arm!r}{recipes.words(_options(asked), USUAL)})"


def _options(asked: AboutCheck) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in OPTIONS}


def _language(asked: AboutText) -> str:
    return asked.language or language_of(asked.text, asked.name)


def _parsed(asked: AboutText) -> Program:
    return parse(asked.text, _language(asked), file=asked.name)


def _parsing(asked: AboutText) -> str:
    literal = recipes.text_literal(asked.text)
    said = f"{literal}, {_language(asked)!r}, file={asked.name!r}"
    return f"from torsor.programs import parse\n\nprogram = parse({said})"


def _file(asked: AboutText) -> str:
    """What the program is called where it is saved."""
    if Path(asked.name).suffix:
        return asked.name
    suffix = next(one.suffixes[0] for one in languages() if one.name == _language(asked))
    return recipes.file_name(asked.name, suffix)
