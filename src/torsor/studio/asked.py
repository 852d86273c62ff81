"""What the page may ask with: the arguments of each question, their types and how large they may be."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

AskedNumber = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
AskedJoints = Annotated[list[AskedNumber], Field(max_length=64)]
AskedName = Annotated[str, Field(max_length=300)]
AskedText = Annotated[str, Field(max_length=2_000_000)]
AskedPayload = Annotated[float, Field(ge=0.0, le=1e6, allow_inf_nan=False)]
AskedFactor = Annotated[float, Field(ge=1e-6, le=1e6, allow_inf_nan=False)]


class Asked(BaseModel):
    """A word that no question has is an error, not a wish that nobody hears."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AboutArm(Asked):
    arm: AskedName


class AboutState(Asked):
    arm: AskedName
    q: AskedJoints
    qd: AskedJoints | None = None
    qdd: AskedJoints | None = None
    payload: AskedPayload | None = None


class AboutReach(Asked):
    """``branches`` asks for every way to the pose, by name, not only for the one that is taken."""

    arm: AskedName
    pose: Annotated[list[AskedNumber], Field(min_length=16, max_length=16)]  # T_base_tool, row by row
    near: AskedJoints
    branch: AskedName | None = None
    branches: bool = False


class AboutText(Asked):
    """A program; its language is known by the suffix of its name or by its looks, where it is not said."""

    text: AskedText
    name: AskedName = "program"
    language: Literal["VAL II", "L-IRL"] | None = None


class AboutCheck(AboutText):
    arm: AskedName
    payload: AskedPayload | None = None
    timing: Literal["trapezoid", "s-curve", "quintic", "quartic", "paul", "optimal"] | None = None
    speed: AskedFactor = 1.0
    acceleration: AskedFactor = 1.0
    cycles: Annotated[int, Field(ge=1, le=1000)] = 1
    fastest: bool = False


class AboutComparison(Asked):
    before: AboutCheck
    after: AboutCheck


class AboutScenario(Asked):
    """``gains`` are those that differ from the text, by name: a number, one for each joint, or rows."""

    text: AskedText
    gains: Annotated[dict[AskedName, Any], Field(max_length=32)] = {}


class AboutTemplate(Asked):
    arm: AskedName
    law: AskedName
    q: AskedJoints | None = None  # where it shall go; it starts at home


class AboutEquations(Asked):
    arm: AskedName
    quantity: AskedName = "inverse_dynamics"
    by: AskedName | None = None
    parameters: Literal["numeric", "symbolic", "base"] = "numeric"
    effort: Literal["none", "normal", "high"] = "normal"
    frame: AskedName = "tool"
    tree: bool = False
    to: Literal["latex", "text", "c", "python"] = "latex"


class AboutExport(Asked):
    """A file to take away, of one of these."""

    to: Literal["html", "csv", "json", "c", "tex", "txt", "py"]
    check: AboutCheck | None = None
    scenario: AboutScenario | None = None
    equations: AboutEquations | None = None
