"""What ``torsor study`` prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from torsor.cli.printing import number, numbers, print_facts, print_table

if TYPE_CHECKING:
    from torsor.study import StudyAnswer, Summary

MOST_ROWS = 40


def print_answer(answer: StudyAnswer, files: dict[str, Path | None]) -> None:
    """The sentence, the table, and where else it stands."""
    print_facts([("answer", answer.sentence)])
    rows = [[_cell(cell) for cell in row] for row in answer.rows[:MOST_ROWS]]
    right = [all(isinstance(row[k], int | float) for row in answer.rows) for k in range(len(answer.titles))]
    titles = [f">{title}" if numeric else title for title, numeric in zip(answer.titles, right, strict=True)]
    print_table(" ", titles, rows)
    facts = [("note", note) for note in answer.notes]
    if len(answer.rows) > MOST_ROWS:
        facts.append(("note", f"{len(answer.rows) - MOST_ROWS} more rows; --json has them all"))
    facts += [(word, str(path)) for word, path in files.items() if path is not None]
    if facts:
        print_facts([("", ""), *facts])


def print_summary(summary: Summary, *, report: Path | None, whole: bool) -> None:
    from torsor.study.summary import QUANTILES

    result = summary.result
    facts = [("study", f"{result.name}, {result.runs} runs of {result.kind}")]
    facts += [("answer", str(each)) for each in summary.probabilities]
    facts += [("failed", text) for text in summary.failures]
    facts += [("note", text) for text in (*summary.without, *result.notes)]
    facts += [("results", str(result.folder))] if result.folder else []
    facts += [("report", str(report))] if report else []
    print_facts(facts)
    titles = ["output", "unit", *numbers("mean", "deviation", "least", "median", "most")]
    rows = [
        (s.name, s.unit, *map(number, (s.mean, s.deviation, s.least, s.quantiles[2], s.most))) for s in summary.spreads
    ]
    print_table("What came out", titles, rows)
    if not whole:
        return
    titles = ["output", *numbers(*(f"{100 * q:g} %" for q in QUANTILES))]
    print_table("Quantiles", titles, [(s.name, *map(number, s.quantiles)) for s in summary.spreads])
    print_table(
        "Sobol's indices, with intervals of 95 %",
        ["output", "input", *numbers("first", "+-", "total", "+-")],
        [
            (name, own.name, *(f"{x:.3f}" for x in (own.first, own.first_error, own.total, own.total_error)))
            for name, each in summary.indices.items()
            for own in each
        ],
    )
    names = list(dict.fromkeys(each for own in summary.correlations.values() for each in own))
    rows = [(name, *(f"{own[each]:.2f}" if each in own else "-" for each in names))
            for name, own in summary.correlations.items()]  # fmt: skip
    print_table("Rank correlations", ["output", *numbers(*names)], rows)


def _cell(cell: object) -> str:
    return number(cell) if isinstance(cell, float) else str(cell)
