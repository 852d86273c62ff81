"""A vibration as one page: whether it settles, the arm bent along the program, its modes, plots, what would help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torsor.report import frame
from torsor.report.frame import section
from torsor.report.markup import Html, element
from torsor.report.program_listing import listing
from torsor.version import version
from torsor.vibration.shown import vibration_tables as tables
from torsor.vibration.shown.vibration_motion import motion_of
from torsor.vibration.shown.vibration_plots import plots_of
from torsor.vibration.vibration import Vibration

CLICK = "A line of the program goes there: the arm as it stops, the plots at that time."


def page(found: Vibration) -> str:
    """The page as text."""
    drawn = document(found)
    sections = [
        _head(found),
        frame.stage(*_program(found)),
        frame.plots(drawn),
        section("Stops", _note(CLICK), tables.stops(found)),
        _help(found),
        section("Moves", tables.moves(found)),
        section("Frequencies", _note("along the path, drives held"), tables.frequencies(found)),
        section("Stress", _note("von Mises, at most, from equilibrium at cuts"), tables.stress(found.stress))
        if found.stress is not None
        else Html(""),
        section("Notes", element("ul", *(element("li", note) for note in _notes(found)))),
        element("footer", f"Torsor {version()}, fidelity {found.fidelity}, every {1e3 * found.time[1]:g} ms"),
    ]
    return frame.page(drawn["title"], sections, drawn)


def document(found: Vibration) -> dict[str, Any]:
    """The document of the page's script."""
    title = f"{found.program} on {found.arm.name}: {_word(found)}"
    return {"kind": "vibration", "title": title, **plots_of(found), **motion_of(found), "planes": [], "fields": {}}


def _notes(found: Vibration) -> list[str]:
    return [*found.notes, *([] if found.stress is None else found.stress.notes)]


def _word(found: Vibration) -> str:
    return "settles" if found.settled else "does not settle"


def _note(text: str) -> Html:
    return element("p", text, class_="note")


def _head(found: Vibration) -> Html:
    facts = [
        ("takes", f"{found.duration:.2f} s"),
        ("stops", str(len(found.stops))),
        ("tool off by", f"{1e3 * found.swing.deviation.max():.3g} mm"),
        ("left after stops", f"{1e3 * max((stop.left for stop in found.stops), default=0.0):.3g} mm"),
        ("lowest frequency", f"{found.frequencies[:, 0].min():.3g} Hz"),
    ]
    if found.shape is not None:
        facts.insert(1, (f"{found.shape} costs", f"{found.costs:.3f} s"))
    return element(
        "header",
        element("p", f"{found.program} on {found.arm.name}", class_="about"),
        element(
            "h1",
            element("span", "✓" if found.settled else "✗", aria_hidden="true"),
            _word(found),
            class_="yes" if found.settled else "no",
        ),
        element("p", f"{found.headline}.", class_="headline"),
        element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in facts)),
        element("p", element("b", "Looked at with "), _looked_at_with(found), class_="checked"),
    )


def _looked_at_with(found: Vibration) -> str:
    file = "commands" if found.source is None else f"{found.source.file} ({found.source.language})"
    bends = "linear in what bends" if found.fidelity == 1 else "not linear in what bends"
    shaped = "as it is written" if found.shape is None else f"shaped by {found.shape} from stop to stop"
    return f"{file}, {shaped}; {bends}; settled is within {1e3 * found.tolerance:g} mm at the tool."


def _program(found: Vibration) -> list[Html]:
    if found.source is None:
        return []
    wrong: dict[int, list[str]] = {}
    for stop in found.stops:
        if not stop.is_settled:
            wrong.setdefault(stop.place.line, []).append(tables.late(stop))
    moving = {move.place.line for move, _ in found.moves}
    title = element("h3", f"Program {Path(found.source.file).name}")
    return [title, listing(found.source.source, moving, wrong)]


def _help(found: Vibration) -> Html:
    if found.settled:
        return Html("")
    what = "What each shaper leaves of the program as written, in closed form, and what it adds to it"
    shapers = f"{what}; torsor vibrate --shape."
    slower = "Or all moves from the stop before at a slower pace, followed until it settles in the time there is."
    return section("What would help", _note(shapers), tables.shapers(found), _note(slower), tables.slower(found))
