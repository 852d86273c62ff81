"""A sizing as one page: motors in their planes, what they need, spectra of gears and bearings, what was chosen."""

from __future__ import annotations

from torsor.report.frame import section, still_page
from torsor.report.markup import Column, Html, element, table
from torsor.sizing.shown.torque_speed_plane import plane
from torsor.sizing.sizing import Sizing
from torsor.sizing.sizing_rows import chosen_rows, motor_rows, spectrum_rows
from torsor.version import version

LEGEND = (
    "Blue: what the motor is asked for; red: what it gives; green, dashed: what it gives for ever. The points are the "
    "largest torque at its speed, and root mean squares of both."
)


def page(sizing: Sizing) -> str:
    verdict = sizing.verdict
    turning = [unit == "N m" for unit in verdict.machine.units]
    planes = [plane(motor, turns=turns) for motor, turns in zip(sizing.motors, turning, strict=True)]
    mark, state = ("✓", "yes") if sizing.yes else ("✗", "no")
    sections = [
        element(
            "header",
            element("p", f"{verdict.program} on {verdict.robot}: sizing", class_="about"),
            element("h1", element("span", mark, aria_hidden="true"), sizing.sentence, class_=state),
        ),
        section("Motors", element("p", LEGEND, class_="note"), _planes(planes), _table(motor_rows(sizing))),
    ]
    if sizing.chosen is not None:
        sections.append(section("Of the catalogue", element("p", sizing.chosen.sentence), _table(chosen_rows(sizing))))
    sections.append(section("Gears and bearings", element("p", SPECTRA, class_="note"), _table(spectrum_rows(sizing))))
    if verdict.conditions is not None:
        facts = [element("div", element("dt", name), element("dd", text)) for name, text in verdict.conditions.items()]
        sections.append(element("section", element("h3", "Checked with"), element("dl", *facts), class_="checked"))
    sections.append(element("footer", f"Torsor {version()}"))
    return still_page(f"{verdict.program} on {verdict.robot}: sizing", sections)


SPECTRA = (
    "Equivalent: the cubic mean over travel. The classes are tenths of the peak, with the share of travel in percent."
)


def _planes(planes: list[Html]) -> Html:
    return element("div", *planes, class_="planes")


def _table(told: tuple[list[str], list[list[str]]]) -> Html:
    titles, rows = told
    columns = [Column(title.lstrip(">"), number=title.startswith(">")) for title in titles]
    return table(columns, rows)
