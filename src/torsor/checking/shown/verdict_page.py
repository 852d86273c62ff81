"""A verdict as one page: what is wrong, what to change, every move, every motor, and the program."""

from __future__ import annotations

from collections.abc import Iterable

from torsor.checking.shown import verdict_tables as tables
from torsor.checking.shown.program_listing import listing
from torsor.checking.shown.verdict_plots import plots_of
from torsor.checking.verdict import Verdict
from torsor.report import frame
from torsor.report.frame import section
from torsor.report.markup import Html, element
from torsor.report.views import views
from torsor.version import version


def page(verdict: Verdict) -> str:
    drawn = plots_of(verdict)
    trail = verdict.gathered.trail
    sections = [
        _head(verdict),
        _problems(verdict),
        _moves(verdict),
        section("Motors" if verdict.machine.at_motors else "Joints", tables.motors(verdict)),
        frame.plots(drawn),
        section("Path of the tool", _legend(verdict), views(trail.points, trail.flags)),
        _bearings(verdict),
        _remarks(verdict),
        section(f"Program {verdict.file}", listing(verdict)),
        _foot(verdict),
    ]
    title = f"{verdict.program} on {verdict.robot}: {'feasible' if verdict.feasible else 'not feasible'}"
    return frame.page(title, sections, drawn)


def _head(verdict: Verdict) -> Html:
    mark, word = ("✓", "feasible") if verdict.feasible else ("✗", "not feasible")
    if verdict.feasible and not verdict.known.torque:
        mark, word = tables.NONE, "no torque limits known"
    torque = verdict.peak("torque")
    unit, factor = tables.unit_of_power(verdict)
    facts = [("takes", f"{verdict.time:.2f} s"), ("moves", str(len(verdict.moves)))]
    if verdict.known.torque and torque.size:
        facts.append(("most torque", f"{100 * torque.max():.0f} %"))
    facts += [
        ("peak power", f"{factor * verdict.peak_power:.2f} {unit}"),
        ("energy", f"{factor * verdict.energy:.2f} {unit.replace('W', 'J')}"),
        ("cycle", f"{1e3 * verdict.dt:g} ms"),
    ]
    return element(
        "header",
        element("p", f"{verdict.program} on {verdict.robot}", class_="about"),
        element("h1", element("span", mark, aria_hidden="true"), word, class_="yes" if verdict.feasible else "no"),
        element("p", f"{verdict.headline[0]}{verdict.headline[1:]}.", class_="headline"),
        element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in facts)),
        *(element("p", note.text, class_="note") for note in verdict.notes if note.place is None),
    )


def _remarks(verdict: Verdict) -> Html:
    """What reader and planner had to say about lines."""
    said = [(note.place.line, note.text) for note in verdict.notes if note.place is not None]
    if not said:
        return Html("")
    return section("Remarks", _by_line(said))


def _by_line(said: Iterable[tuple[int, str]]) -> Html:
    rows = [element("li", tables.to_line(line, f"line {line}"), element("span", what)) for line, what in said]
    return element("ol", *rows, class_="problems advice")


def _problems(verdict: Verdict) -> Html:
    if verdict.feasible:
        return Html("")
    advice = verdict.advice
    change = (
        [element("p", "No slower pace makes this program feasible.", class_="note")]
        if advice is None
        else [element("p", advice.sentence), _by_line(advice.items())]
    )
    return section("Problems", tables.problems(verdict), element("h3", "What to change"), *change)


def _moves(verdict: Verdict) -> Html:
    shown, all_moves = len(tables.shown_moves(verdict)), len(verdict.moves)
    note = f"the {shown} hardest of {all_moves}" if shown < all_moves else ""
    return section("Moves", element("p", note, class_="note") if note else "", tables.moves(verdict))


def _legend(verdict: Verdict) -> Html:
    saturated = any(move.saturated for move in verdict.moves)
    words = ["circle: start, square: end"]
    if saturated:
        words.append("thick: beyond a limit, thin dashed: where the tool really goes")
    return element("p", "; ".join(words), class_="note")


def _bearings(verdict: Verdict) -> Html:
    drawn = tables.bearings(verdict)
    if not drawn:
        return Html("")
    note = element(
        "p", "what the bearing of each joint carries at most, without the part that is the motor's", class_="note"
    )
    return section("Bearing loads", note, drawn)


def _foot(verdict: Verdict) -> Html:
    return element("footer", f"Torsor {version()}, cycle {1e3 * verdict.dt:g} ms, {len(verdict.moves)} moves")
