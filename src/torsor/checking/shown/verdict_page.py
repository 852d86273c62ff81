"""A verdict as one page: what is wrong, what to change, every move, every motor, and the program."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from torsor.checking.shown import verdict_tables as tables
from torsor.checking.shown.verdict_differences import differences_of, labels_of
from torsor.checking.shown.verdict_motion import motion_of
from torsor.checking.shown.verdict_plots import CARRIED, plots_of
from torsor.checking.verdict import Verdict, percent
from torsor.report import frame
from torsor.report.frame import section
from torsor.report.markup import Html, element
from torsor.report.program_listing import listing, to_line
from torsor.report.two_documents import compared, differences
from torsor.report.views import views
from torsor.version import version


def page(verdict: Verdict, other: Verdict | None = None) -> str:
    """The page as text; with another verdict both are drawn, and what differs comes first."""
    drawn, pictures, moves = document(verdict), verdict.pictures, verdict.moves
    beside = Html("")
    if other is not None:
        labels = labels_of(verdict, other)
        drawn = compared(drawn, document(other), labels)
        beside = differences(labels, differences_of(verdict, other))
    shown, bearings = len(tables.shown_moves(verdict)), tables.bearings(verdict)
    hardest = f"the {shown} hardest of {len(moves)}" if shown < len(moves) else ""
    legend = "circle: start, square: end"
    if any(move.saturated for move in moves):
        legend += "; thick: beyond a limit, thin dashed: where the tool really goes"
    within = "what each motor is asked for, inside what it gives at its speed; thick where it is asked for more"
    remarks = [(note.place.line, note.text) for note in (*verdict.assumed, *verdict.notes) if note.place is not None]
    sections = [
        _head(verdict),
        beside,
        _problems(verdict),
        frame.stage(element("h3", f"Program {Path(verdict.file).name}"), _listing(verdict)),
        frame.plots(drawn),
        frame.planes(drawn, within),
        section("Moves", _note(hardest) if hardest else "", tables.moves(verdict)),
        section("Motors" if verdict.machine.at_motors else "Joints", tables.motors(verdict)),
        section("Path of the tool", _note(legend), views(pictures.tool_places, pictures.over)),
        section("Bearing loads", _note(f"{CARRIED}, at most"), bearings) if bearings else Html(""),
        section("Remarks", _by_line(remarks)) if remarks else Html(""),
        element("footer", f"Torsor {version()}, signals every {1e3 * verdict.dt:g} ms, {verdict.motions} moves"),
    ]
    return frame.page(drawn["title"], sections, drawn)


def document(verdict: Verdict) -> dict[str, Any]:
    """The document of the page's script."""
    answer = _word(verdict)
    title = f"{verdict.program} on {verdict.robot}{verdict.what_if}: {answer}"
    return {"kind": "verdict", "title": title, **plots_of(verdict), **motion_of(verdict), "fields": {}}


def _word(verdict: Verdict) -> str:
    return {"yes": "feasible", "no": "not feasible"}.get(verdict.answer, verdict.answer)


def _note(text: str) -> Html:
    return element("p", text, class_="note")


def _head(verdict: Verdict) -> Html:
    mark, word = {"yes": "✓", "no": "✗"}.get(verdict.answer, tables.NONE), _word(verdict)
    if verdict.feasible and not verdict.known.torque:
        mark = tables.NONE
        word = "no torque limits known" if verdict.known.masses else "reach, limits and speeds only: no masses known"
    word += verdict.what_if
    torque = verdict.peak("torque")
    unit, factor = tables.unit_of_power(verdict)
    facts = [("takes", f"{verdict.time:.2f} s"), ("moves", str(verdict.motions))]
    if verdict.cycle_time is not None:
        facts.insert(1, ("a cycle takes", f"{verdict.cycle_time:.2f} s"))
    if verdict.known.torque and torque.size:
        facts.append(("most torque", f"{percent(float(torque.max()))} %"))
    if verdict.known.masses:
        facts.append(("peak power", f"{factor * verdict.peak_power:.2f} {unit}"))
        facts.append(("energy", f"{factor * verdict.energy:.2f} {unit.replace('W', 'J')}"))
    return element(
        "header",
        element("p", f"{verdict.program} on {verdict.robot}", class_="about"),
        element("h1", element("span", mark, aria_hidden="true"), word, class_="yes" if verdict.feasible else "no"),
        element("p", f"{verdict.headline[0]}{verdict.headline[1:]}.", class_="headline"),
        element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in facts)),
        _checked_with(verdict),
        *(_note(note.text) for note in verdict.notes if note.place is None),
    )


def _checked_with(verdict: Verdict) -> Html:
    """All that the verdict depends on: whoever gets the page knows what was asked."""
    if verdict.conditions is None:
        return Html("")
    known = [name for name, is_known in verdict.known.document.items() if is_known and name != "masses"]
    limits = [("limits", f"of {', '.join(known)}" if known else "none are known")]
    *rows, made = verdict.conditions.items()
    facts = [element("div", element("dt", name), element("dd", text)) for name, text in [*rows, *limits, made]]
    return element("section", element("h3", "Checked with"), element("dl", *facts), class_="checked")


def _by_line(said: Iterable[tuple[int, str]]) -> Html:
    rows = [element("li", to_line(line, f"line {line}"), element("span", what)) for line, what in said]
    return element("ol", *rows, class_="problems advice")


def _problems(verdict: Verdict) -> Html:
    if not verdict.problems:
        return Html("")
    change = [_note("No slower pace makes this program feasible.")]
    if (advice := verdict.advice) is not None:
        change = [element("p", advice.sentence), _by_line(advice.items())]
    if verdict.remedies:
        rows = [element("li", element("span", each.kind), element("span", each.text)) for each in verdict.remedies]
        change += [element("h3", "What else would do"), element("ol", *rows, class_="problems advice")]
    return section("Problems", tables.problems(verdict), element("h3", "What to change"), *change)


def _listing(verdict: Verdict) -> Html:
    return listing(verdict.source, {move.place.line for move in verdict.moves}, verdict.texts)
