"""A page of one file: its style, its script and its numbers stand inside, and nothing is fetched from anywhere.

Style and script are built from `web/` (make web). What the script draws is one document, whose parts are described in
docs/architecture.md.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from torsor.report.markup import Html, element, embedded, text

STILL = "img.figure{max-width:100%;height:auto;background:#fff}"
HEIGHT = 640  # px, of a frame in a notebook


def page(title: str, sections: Iterable[Html], drawn: dict[str, Any]) -> str:
    """The page as text; ``drawn`` is the document of what its script draws."""
    style, script = _file("page.css"), _file("page.js")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{text(title)}</title>'
        f"<!-- {_file('page-licences.txt')}-->"
        f"<style>{style}</style></head>"
        f"<body><main>{''.join(sections)}</main>{embedded('torsor', drawn)}"
        f"<script>{script}</script></body></html>\n"
    )


def still_page(title: str, sections: Iterable[Html]) -> str:
    """A page of texts, tables and pictures that nothing moves on: no script."""
    hashed = base64.b64encode(hashlib.sha256((style := _file("page.css") + STILL).encode()).digest()).decode("ascii")
    allowed = f"default-src 'none'; style-src 'sha256-{hashed}'; img-src data:; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{text(title)}</title>'
        f"<style>{style}</style></head><body><main>{''.join(sections)}</main></body></html>\n"
    )


def framed(page: str, title: str) -> str:
    """A page in a frame of its own, for notebooks: it stands inside, so that an exported notebook shows it too."""
    style = f"width:100%;height:{HEIGHT}px;border:0"
    return f'<iframe srcdoc="{escape(page)}" style="{style}" title="{escape(title)}"></iframe>'


@cache
def policy() -> str:
    """Nothing is fetched, and nothing runs but the page's own script, whatever else the page holds."""
    style, script = (
        base64.b64encode(hashlib.sha256(_file(name).encode()).digest()).decode("ascii")
        for name in ("page.css", "page.js")
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def section(title: str, *content: object) -> Html:
    return element("section", element("h2", title), *content)


def stage(*beside: object) -> Html:
    """Where the script draws the arm, with what moves it under it and what belongs to it beside it."""
    return element(
        "section",
        element("div", element("div", id="arm", class_="arm"), class_="armplace"),
        element("div", id="transport", class_="transport screen", role="group", aria_label="motion"),
        element("div", id="bends", class_="bends"),
        element("div", id="cloud", class_="bends screen"),
        element("div", element("div", id="overlay"), element("div", id="sliders"), *beside, class_="besides"),
        id="stage",
        class_="stage",
        aria_label="The arm and its motion",
    )


def plots(drawn: dict[str, Any]) -> Html:
    """The places into which the script plots each group of curves."""
    if not drawn["groups"]:
        return Html("")
    parts = [
        section(
            each["title"],
            element("p", each["note"], class_="note") if each["note"] else "",
            element("div", id=f"plots-{each['key']}", class_="plots"),
        )
        for each in drawn["groups"]
    ]
    drag = "Click into a plot to go to that time, drag to zoom into it, double-click to see all of it again."
    hint = element("p", drag, class_="note screen")
    without = Html("<noscript><p class='note'>The plots need JavaScript; the tables do not.</p></noscript>")
    return Html("".join([hint, without, *parts]))


def planes(drawn: dict[str, Any], note: str) -> Html:
    """The place for what motors are asked for against what they give at their speed."""
    if not drawn["planes"]:
        return Html("")
    return section("Torque and speed", element("p", note, class_="note"), element("div", id="planes", class_="planes"))


@cache
def _file(name: str) -> str:
    return files("torsor.report").joinpath(name).read_text(encoding="utf-8")
