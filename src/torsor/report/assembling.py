"""The report put together: one page with its style, its script and its numbers inside."""

from __future__ import annotations

from importlib.resources import files

from torsor.checking.verdict import Verdict
from torsor.report import tables
from torsor.report.listing import listing
from torsor.report.markup import Html, element, embedded, text
from torsor.report.plots import plots
from torsor.report.tool_path import views

# Nothing is fetched from anywhere, whatever the page holds.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page(verdict: Verdict) -> str:
    drawn = plots(verdict)
    sections = [
        _head(verdict),
        _problems(verdict),
        _moves(verdict),
        _section("Motors" if verdict.machine.at_motors else "Joints", tables.motors(verdict)),
        _plots(drawn),
        _section("Path of the tool", _legend(verdict), views(verdict)),
        _bearings(verdict),
        _remarks(verdict),
        _section(f"Program {verdict.file}", listing(verdict)),
        _foot(verdict),
    ]
    title = f"{verdict.program} on {verdict.robot}: {'feasible' if verdict.feasible else 'not feasible'}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{text(title)}</title>'
        f"<!-- Plots are drawn by uPlot.\n{_file('vendor', 'LICENSE.uPlot')}-->"
        f"<style>{_file('vendor', 'uPlot.min.css')}\n{_file('style.css')}</style></head>"
        f"<body><main>{''.join(sections)}</main>{embedded('plots', drawn)}"
        f"<script>{_uplot()}</script><script>{_file('page.js')}</script></body></html>\n"
    )


def _file(*path: str) -> str:
    return files("torsor.report").joinpath(*path).read_text(encoding="utf-8")


def _uplot() -> str:
    """The library without the comment that holds its address: the page has its licence, and no addresses."""
    _, _, code = _file("vendor", "uPlot.iife.min.js").partition("*/")
    return code.strip()


def _section(title: str, *content: object) -> Html:
    return element("section", element("h2", title), *content)


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
    said = [note for note in verdict.notes if note.place is not None]
    if not said:
        return Html("")
    rows = [
        element(
            "li", element("a", f"line {note.place.line}", href=f"#line{note.place.line}"), element("span", note.text)
        )
        for note in said
        if note.place is not None
    ]
    return _section("Remarks", element("ol", *rows, class_="problems advice"))


def _problems(verdict: Verdict) -> Html:
    if verdict.feasible:
        return Html("")
    advice = verdict.advice
    change: list[object] = [
        element("h3", "What to change"),
        element("p", "No slower pace makes this program feasible.", class_="note"),
    ]
    if advice is not None:
        rows = [
            element("li", element("a", f"line {line}", href=f"#line{line}"), element("span", what))
            for line, what in advice.items()
        ]
        change = [
            element("h3", "What to change"),
            element("p", advice.sentence),
            element("ol", *rows, class_="problems advice"),
        ]
    return _section("Problems", tables.problems(verdict), *change)


def _moves(verdict: Verdict) -> Html:
    shown, all_moves = len(tables.shown_moves(verdict)), len(verdict.moves)
    note = f"the {shown} hardest of {all_moves}" if shown < all_moves else ""
    return _section("Moves", element("p", note, class_="note") if note else "", tables.moves(verdict))


def _plots(drawn: dict[str, object]) -> Html:
    groups = drawn["groups"]
    assert isinstance(groups, list)
    parts = [
        element(
            "section",
            element("h2", each["title"]),
            element("p", each["note"], class_="note") if each["note"] else "",
            element("div", id=f"plots-{each['key']}", class_="plots"),
        )
        for each in groups
    ]
    hint = element(
        "p", "Drag over a plot to zoom into time, double-click to see all of it again.", class_="note screen"
    )
    without = Html("<noscript><p class='note'>The plots need JavaScript; the tables do not.</p></noscript>")
    return Html("".join([hint, without, *parts]))


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
    return _section("Bearing loads", note, drawn)


def _foot(verdict: Verdict) -> Html:
    from torsor.version import version

    return element("footer", f"Torsor {version()}, cycle {1e3 * verdict.dt:g} ms, {len(verdict.moves)} moves")
