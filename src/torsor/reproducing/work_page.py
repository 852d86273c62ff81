"""A work as a page of one file: each exhibit with what the print says, the command, and what came out."""

from __future__ import annotations

from collections.abc import Mapping

from torsor.report.frame import section, still_page
from torsor.report.markup import Html, element
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork


def work_page(work: PublishedWork, shown: Mapping[Exhibit, Outcome]) -> str:
    head = element("header", element("h1", work.title), element("p", work.source, class_="note"))
    parts = [head, *(_exhibit(each, shown[each]) for each in work.exhibits)]
    if work.lost:
        items = [element("li", text) for text in work.lost]
        parts.append(section("What nobody can reproduce", element("ul", *items)))
    return still_page(f"{work.title}, reproduced", parts)


def _exhibit(exhibit: Exhibit, made: Outcome) -> Html:
    facts = [
        element("p", element("b", "In print: "), exhibit.printed),
        element("p", element("b", "Made by: "), element("code", exhibit.command)),
    ]
    told = [element("p", element("b", "Where it differs: "), made.differs)] if made.differs else []
    return section(f"{exhibit.number}: {exhibit.what}", *facts, *made.content, *told)
