"""Several verdicts as one page: the table, the motors beside each other, each answer with what to change."""

from __future__ import annotations

from torsor.checking.several_answers import AnswersTable, CheckAnswer
from torsor.checking.shown.verdict_tables import NONE, meter
from torsor.report.frame import section, still_page
from torsor.report.markup import Column, Html, element, table
from torsor.version import version

TEXTS = ("program", "robot", "feasible", "by")


def page(found: AnswersTable) -> str:
    mark, state = ("✓", "yes") if found.feasible else ("✗", "no")
    head = element(
        "header",
        element("p", "side by side", class_="about"),
        element("h1", element("span", mark, aria_hidden="true"), found.sentence, class_=state),
    )
    columns = [Column(title, number=title not in TEXTS) for title in found.titles]
    rows = [(_cells(found, answer), {"class_": None if answer.feasible else "bad"}) for answer in found.answers]
    sections = [head, section("Answers", table(columns, rows)), *_motors(found)]
    sections += [section(found.name(answer) or answer.program, *_told(answer)) for answer in found.answers]
    sections.append(element("footer", f"Torsor {version()}"))
    return still_page(found.sentence, sections)


def _cells(found: AnswersTable, answer: CheckAnswer) -> list[object]:
    cells: dict[str, object] = dict(answer.cells())
    if answer.most is not None:
        cells["torque %"] = meter(answer.most[0])
    return [cells[title] for title in found.titles]


def _motors(found: AnswersTable) -> list[Html]:
    """For each arm the share of torque of each motor, an answer a row."""
    sections = []
    for robot in dict.fromkeys(answer.robot for answer in found.answers):
        own = [answer for answer in found.answers if answer.robot == robot and answer.most is not None]
        if not own:
            continue
        verdicts = [answer.verdict for answer in own]
        assert verdicts[0] is not None
        columns = [Column("", number=False), *(Column(name, "% of limit") for name in verdicts[0].motors)]
        rows: list[list[object]] = []
        for answer, verdict in zip(own, verdicts, strict=True):
            assert verdict is not None
            known = zip(verdict.peak("torque"), verdict.machine.bounded, strict=True)
            rows.append([found.name(answer) or answer.program, *(meter(float(x)) if ok else NONE for x, ok in known)])
        sections.append(section(f"Motors of {robot}", table(columns, rows)))
    return sections


def _told(answer: CheckAnswer) -> list[Html]:
    verdict = answer.verdict
    if verdict is None:
        return [element("p", f"Cannot be told: {answer.failure}.")]
    said = [element("p", f"{verdict.headline}.")]
    if verdict.problems:
        listed = [f"line {problem.place.line}: {problem.text}" for problem in verdict.problems[:12]]
        said.append(element("ul", *(element("li", text) for text in listed)))
        change = "no slower pace makes it feasible" if verdict.advice is None else verdict.advice.sentence
        lines = [] if verdict.advice is None else [f"line {line}: {text}" for line, text in verdict.advice.items()]
        said += [
            element("h3", "What to change"),
            element("p", change),
            element("ul", *(element("li", x) for x in lines)),
        ]
    if verdict.conditions is not None:
        facts = [element("div", element("dt", name), element("dd", text)) for name, text in verdict.conditions.items()]
        said.append(element("section", element("h3", "Checked with"), element("dl", *facts), class_="checked"))
    return said
