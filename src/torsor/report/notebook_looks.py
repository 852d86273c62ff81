"""How things look in a notebook: tables with a caption, and figures that show themselves."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from torsor.report.markup import Html, element


def captioned(caption: str, titles: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """A table with a caption, for ``_repr_html_``.

    >>> captioned("two", ["name", "mass"], [["a < b", 3]])[:45]
    '<table><caption>two</caption><tr><th>name</th'
    """
    head = element("tr", *(element("th", title) for title in titles))
    body = [element("tr", *(element("td", cell) for cell in row)) for row in rows]
    return element("table", element("caption", caption), head, *body)


def drawn(**options: Any) -> Any:
    """A matplotlib figure that a notebook shows, whatever its backend; by itself a figure prints ``<Figure ...>``."""
    return _kind()(**options)


@cache
def _kind() -> Any:
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            out = io.BytesIO()
            self.savefig(out, format="png")
            return out.getvalue()

    return ShownFigure


def figures(values: Iterable[float], digits: int = 5) -> str:
    """Numbers with blanks between, as few digits as are asked for.

    >>> figures([1.0, -0.25, 3e-7])
    '1 -0.25 3e-07'
    """
    return " ".join(f"{float(x) + 0.0:.{digits}g}" for x in values)
