"""A study as a page of one file: the sentence, tables, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from torsor.report import frame
from torsor.report.markup import Column, Html, element, table
from torsor.study.result import StudyResult
from torsor.study.shown.over_steps import over_steps
from torsor.study.shown.parallel_coordinates import parallel
from torsor.study.shown.reached_space import in_plane, in_space
from torsor.study.shown.space_cloud import SpaceCloud
from torsor.study.shown.study_figures import as_image, figure_of, histogram, lying, tornado
from torsor.study.summary import QUANTILES, YES_OR_NO, Summary
from torsor.version import version

MOST_PICTURES = 6  # of a kind
NOTHING_MOVES: dict[str, Any] = {"kind": "study", "scene": None, "motions": [], "groups": [], "planes": [], "lines": []}


def page(result: StudyResult) -> str:
    """Of all runs of a study."""
    summary = result.summary()
    varied = [name for name in result.scalars if name in {*summary.indices, *summary.correlations}]
    drawn, spread = varied[:MOST_PICTURES], [name for name in varied if name not in YES_OR_NO][:MOST_PICTURES]
    many = len(result.inputs) > 1
    space = in_space(result)
    sections = [] if space is None else [space.section()]
    sections += _tables(summary)
    sections += drawn_section("Over space", [figure_of(draw, size=size) for draw, size in in_plane(result)])
    steps = over_steps(result, drawn)
    sections += drawn_section("Over what varies in steps", [figure_of(draw) for draw in steps], _left(varied, drawn))
    told = _left([name for name in varied if name not in YES_OR_NO], spread)
    sections += drawn_section("How often", [figure_of(histogram(result, name)) for name in spread], told)
    causes = {name: len(summary.indices.get(name) or summary.correlations[name]) for name in drawn}
    bars = [figure_of(tornado(summary, name), size=lying(count)) for name, count in causes.items() if count > 1]
    sections += drawn_section("What it depends on", bars, _left(varied, drawn))
    if many and varied:
        sections += drawn_section("Every run", [figure_of(parallel(result, varied[0]), size=(10.5, 4.8))])
    said = [*summary.failures, *summary.without, *result.notes]
    if said:
        sections.append(frame.section("Remarks", element("ul", *(element("li", text) for text in said))))
    return study_page(result.name, summary.told, sections, space)


def study_page(title: str, sentence: str, sections: Iterable[Html], space: SpaceCloud | None = None) -> str:
    head = element("header", element("p", title, class_="about"), element("p", f"{sentence}.", class_="headline"))
    foot = element("footer", f"Torsor {version()}")
    drawn = NOTHING_MOVES | {"title": title, "end": 0.0} | ({} if space is None else space.document())
    return frame.page(title, [head, *sections, foot], drawn)


def drawn_section(title: str, figures: Sequence[Any], note: str = "") -> list[Html]:
    """Pictures beside each other, as far as there is room; nothing where there are none."""
    if not figures:
        return []
    images = [element("figure", element("img", src=as_image(figure), alt=title)) for figure in figures]
    laid = element("div", *images, class_="views") if len(images) > 1 else images[0]
    return [frame.section(title, element("p", note, class_="note") if note else "", laid)]


def plain_table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """Texts to the left, numbers to the right."""
    listed = [list(row) for row in rows]
    number = [all(isinstance(row[k], int | float) for row in listed) for k in range(len(titles))]
    columns = [Column(title, number=numeric) for title, numeric in zip(titles, number, strict=True)]
    return table(columns, [[_said(cell) for cell in row] for row in listed])


def _said(cell: object) -> str:
    return f"{cell:.5g}" if isinstance(cell, float) else str(cell)


def _left(names: Sequence[str], drawn: Sequence[str]) -> str:
    left = [name for name in names if name not in drawn]
    return f"Not drawn: {', '.join(left)}." if left else ""


def _tables(summary: Summary) -> list[Html]:
    result = summary.result
    words = [name for name in result.inputs if result.inputs[name].dtype.kind != "f"]
    inputs = [(name, "" if name in words else result.about[name], _range(result, name)) for name in result.inputs]
    found = [frame.section("What varies", plain_table(["input", "what it is", "values"], inputs))]
    titles = ["output", "unit", "mean", "deviation", "least", *(f"{100 * q:g} %" for q in QUANTILES), "most"]
    rows = [(s.name, s.unit, s.mean, s.deviation, s.least, *s.quantiles, s.most) for s in summary.spreads]
    if rows:
        found.append(frame.section("What came out", plain_table(titles, rows)))
    if summary.indices:
        titles = ["output", "input", "first", "+-", "total", "+-"]
        shares = [(name, i.name, *map(_share, (i.first, i.first_error, i.total, i.total_error)))
                  for name, own in summary.indices.items() for i in own]  # fmt: skip
        found.append(frame.section("Sobol's indices", plain_table(titles, shares)))
    if summary.correlations:
        names = list(dict.fromkeys(each for own in summary.correlations.values() for each in own))
        ranks = [
            (name, *(_share(own.get(each, float("nan"))) for each in names))
            for name, own in summary.correlations.items()
        ]
        found.append(frame.section("Rank correlations", plain_table(["output", *names], ranks)))
    return found


def _share(value: float) -> float:
    """What is an estimate of so many runs has no more digits."""
    return round(value, 3) + 0.0


def _range(result: StudyResult, name: str) -> str:
    values = result.inputs[name]
    if values.dtype.kind != "f":
        return ", ".join(dict.fromkeys(values.tolist()))
    return f"{values.min():.5g} to {values.max():.5g}"
