"""A study as a page of one file: the sentence, tables, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from torsor.report import frame
from torsor.report.markup import Column, Html, element, table
from torsor.study.result import StudyResult
from torsor.study.shown.study_figures import Draws, as_image, figure_of, histogram, parallel, tornado
from torsor.study.summary import QUANTILES, Summary
from torsor.version import version

MOST_PICTURES = 6  # histograms and tornados
NOTHING_MOVES: dict[str, Any] = {"kind": "study", "scene": None, "motions": [], "groups": [], "planes": [], "lines": []}


def page(result: StudyResult) -> str:
    """Of all runs of a study."""
    summary = result.summary()
    varied = [name for name in result.scalars if name in {*summary.indices, *summary.correlations}]
    pictures: list[Draws] = [histogram(result, name) for name in varied[:MOST_PICTURES]]
    pictures += [tornado(summary, name) for name in varied[:MOST_PICTURES] if len(result.inputs) > 1]
    if len(result.inputs) > 1 and varied:
        pictures.append(parallel(result, varied[0]))
    said = [*summary.failures, *summary.without, *result.notes]
    sections = [*_tables(summary), *drawn_sections([figure_of(draw) for draw in pictures], "Pictures")]
    if said:
        sections.append(frame.section("Remarks", element("ul", *(element("li", text) for text in said))))
    return study_page(result.name, summary.headline, sections)


def study_page(title: str, sentence: str, sections: Iterable[Html]) -> str:
    head = element("header", element("p", title, class_="about"), element("p", f"{sentence}.", class_="headline"))
    foot = element("footer", f"Torsor {version()}")
    return frame.page(title, [head, *sections, foot], {**NOTHING_MOVES, "title": title, "end": 0.0})


def drawn_sections(figures: Sequence[Any], title: str) -> list[Html]:
    if not figures:
        return []
    images = [element("img", src=as_image(figure), alt=title) for figure in figures]
    return [frame.section(title, *(element("figure", image) for image in images))]


def plain_table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """Texts to the left, numbers to the right."""
    listed = [list(row) for row in rows]
    number = [all(isinstance(row[k], int | float) for row in listed) for k in range(len(titles))]
    columns = [Column(title, number=numeric) for title, numeric in zip(titles, number, strict=True)]
    return table(columns, [[_said(cell) for cell in row] for row in listed])


def _said(cell: object) -> str:
    return f"{cell:.5g}" if isinstance(cell, float) else str(cell)


def _tables(summary: Summary) -> list[Html]:
    result = summary.result
    inputs = [(name, result.about.get(name, ""), _range(result, name)) for name in result.inputs]
    found = [frame.section("What varies", plain_table(["", "", ""], inputs))]
    titles = ["", "unit", "mean", "deviation", "least", *(f"{100 * q:g} %" for q in QUANTILES), "most"]
    rows = [(s.name, s.unit, s.mean, s.deviation, s.least, *s.quantiles, s.most) for s in summary.spreads]
    found.append(frame.section("What came out", plain_table(titles, rows)))
    if summary.indices:
        titles = ["output", "input", "first", "+-", "total", "+-"]
        rows = [(name, i.name, i.first, i.first_error, i.total, i.total_error)
                for name, own in summary.indices.items() for i in own]  # fmt: skip
        found.append(frame.section("Sobol's indices", plain_table(titles, rows)))
    if summary.correlations:
        names = list(result.inputs)
        rows = [(name, *(own.get(each, float("nan")) for each in names)) for name, own in summary.correlations.items()]
        found.append(frame.section("Rank correlations", plain_table(["", *names], rows)))
    return found


def _range(result: StudyResult, name: str) -> str:
    values = result.inputs[name]
    if values.dtype.kind != "f":
        return ", ".join(dict.fromkeys(values.tolist()))
    return f"{values.min():.5g} to {values.max():.5g}"
