"""A page of one file: its style, its script and its numbers stand inside, and nothing is fetched from anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from torsor.report.markup import Html, element, embedded, text

# Nothing is fetched from anywhere, whatever the page holds.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page(title: str, sections: Iterable[Html], drawn: dict[str, Any]) -> str:
    """The page as text; ``drawn`` are the curves that its script plots (`panels.py`)."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{text(title)}</title>'
        f"<!-- Plots are drawn by uPlot.\n{_file('vendor', 'LICENSE.uPlot')}-->"
        f"<style>{_file('vendor', 'uPlot.min.css')}\n{_file('style.css')}</style></head>"
        f"<body><main>{''.join(sections)}</main>{embedded('plots', drawn)}"
        f"<script>{_uplot()}</script><script>{_file('page.js')}</script></body></html>\n"
    )


def section(title: str, *content: object) -> Html:
    return element("section", element("h2", title), *content)


def plots(drawn: dict[str, Any]) -> Html:
    """The places into which the script plots each group of curves."""
    parts = [
        section(
            each["title"],
            element("p", each["note"], class_="note") if each["note"] else "",
            element("div", id=f"plots-{each['key']}", class_="plots"),
        )
        for each in drawn["groups"]
    ]
    drag = "Drag over a plot to zoom into time, double-click to see all of it again."
    hint = element("p", drag, class_="note screen")
    without = Html("<noscript><p class='note'>The plots need JavaScript; the tables do not.</p></noscript>")
    return Html("".join([hint, without, *parts]))


def _file(*path: str) -> str:
    return files("torsor.report").joinpath(*path).read_text(encoding="utf-8")


def _uplot() -> str:
    """The library without the comment that holds its address: the page has its licence, and no addresses."""
    _, _, code = _file("vendor", "uPlot.iife.min.js").partition("*/")
    return code.strip()
