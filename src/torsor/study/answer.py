"""What a question of this room comes back with: a sentence, a table, a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torsor.errors import printable
from torsor.study.result import StudyResult
from torsor.study.shown.space_cloud import SpaceCloud
from torsor.study.shown.study_figures import SIDEWAYS, Draws, figure_of
from torsor.study.shown.study_page import drawn_section, plain_table, study_page


@dataclass(frozen=True, eq=False)
class StudyAnswer:
    """``yes`` is whether there is what was asked for; ``found`` holds the numbers of the sentence by name."""

    question: str
    sentence: str
    titles: Sequence[str]
    rows: Sequence[Sequence[Any]]
    found: Mapping[str, Any]
    picture: Draws | None = None
    space: SpaceCloud | None = None  # what is drawn in 3-D, and can be turned in the page
    size: tuple[float, float] = SIDEWAYS  # of the picture, inches
    yes: bool = True
    notes: tuple[str, ...] = ()  # what was assumed, or left out
    result: StudyResult | None = field(default=None)

    def plot(self, path: str | Path | None = None) -> Any:
        """The picture as a matplotlib figure, saved where a path is given."""
        from torsor.errors import Unsupported
        from torsor.simulation.plotting import require_drawable, save_figure

        if self.picture is None:
            raise Unsupported("there is nothing to draw here", hint="the table holds all of it")
        require_drawable(path)
        figure = figure_of(self.picture, size=self.size, space=self.space is not None)
        save_figure(figure, path)
        return figure

    def report(self, path: str | Path) -> None:
        """One HTML file: the sentence, the table, the picture."""
        from torsor.model.files import write_text
        from torsor.report import frame
        from torsor.report.markup import element

        sections = [frame.section("Table", plain_table(self.titles, self.rows))]
        if self.space is not None:
            sections.insert(0, self.space.section())
        elif self.picture is not None:
            sections += drawn_section("Picture", [figure_of(self.picture, size=self.size)])
        if self.notes:
            sections.append(frame.section("Remarks", element("ul", *(element("li", note) for note in self.notes))))
        write_text(path, study_page(self.question, self.sentence, sections, self.space))

    def document(self) -> dict[str, Any]:
        """As plain dicts and lists."""
        table = [dict(zip(self.titles, row, strict=True)) for row in self.rows]
        words = {"question": self.question, "answer": self.sentence, "yes": self.yes}
        return {**words, **self.found, "table": table, "notes": list(self.notes)}

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: all but the picture, which can only be drawn here."""
        state = dict(vars(self))
        if self.picture is not None:
            state |= {"picture": None, "notes": (*self.notes, "the picture stayed in the process that asked")}
        return state

    def __repr__(self) -> str:
        return f"<StudyAnswer: {printable(self.sentence)}>"
