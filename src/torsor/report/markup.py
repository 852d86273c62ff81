"""HTML from plain text: whatever comes from a program or an arm file is escaped here, and only here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def text(value: object) -> Html:
    """Anything as escaped text; what is markup stays.

    >>> text("a < b & 'c'"), text(Html("<b>yes</b>"))
    ('a &lt; b &amp; &#x27;c&#x27;', '<b>yes</b>')
    """
    return value if isinstance(value, Html) else Html(escape(str(value)))


def element(name: str, *children: object, **attributes: object) -> Html:
    """An element; ``class_`` is its class, None leaves an attribute out, True gives it without a value.

    >>> element("a", "top & bottom", href="#top", class_="link")
    '<a href="#top" class="link">top &amp; bottom</a>'
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{given}>{''.join(text(child) for child in children)}</{name}>")


@dataclass(frozen=True)
class Column:
    title: str
    unit: str = ""
    number: bool = True
    tip: str | None = None


def table(columns: Sequence[Column], rows: Iterable[Sequence[object]], *, class_: str | None = None) -> Html:
    """A table; a row may be a pair (cells, attributes)."""
    heads = [
        element(
            "th",
            column.title,
            element("small", column.unit) if column.unit else "",
            scope="col",
            class_="number" if column.number else None,
            title=column.tip,
        )
        for column in columns
    ]
    lines = []
    for row in rows:
        cells, attributes = row if isinstance(row, tuple) and isinstance(row[-1], dict) else (row, {})
        drawn = [
            element("td", cell, class_="number" if column.number else None)
            for cell, column in zip(cells, columns, strict=True)
        ]
        lines.append(element("tr", *drawn, **attributes))
    body = element("table", element("thead", element("tr", *heads)), element("tbody", *lines), class_=class_)
    return element("div", body, class_="wide")


def embedded(name: str, value: Any) -> Html:
    """Data for the page's script. No text in it can end the element or begin another."""
    packed = json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    safe = packed.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return Html(f'<script type="application/json" id="{name}">{safe}</script>')
