"""The study file as a schema: which keys there are and what they hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, StrictBool, StrictInt

from torsor.elastic.shaping import ShaperKind
from torsor.errors import StudyError
from torsor.model.schema import Direction, Table
from torsor.model.toml_schema import Wording
from torsor.model.units import Length, PlainNumber, Position, quantity
from torsor.programs.planner import TimeLawName
from torsor.study.designs import DesignName
from torsor.study.simulation_base import MOMENTS


def _one_or_more(value: object) -> tuple[str, ...]:
    """A text, or a list of them."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(each, str) for each in texts):
        raise ValueError("expected a text, or a list of texts")
    return tuple(texts)


def _beginning(value: object) -> tuple[float, ...] | str:
    """Joints, or a name."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise ValueError("expected joints, or a name")
    return tuple(quantity(each, "position") for each in value)


Beginnings = Annotated[Any, PlainValidator(_beginning)]
Texts = Annotated[Any, PlainValidator(_one_or_more)]
RunCount = Annotated[StrictInt, Field(ge=1)]


class CheckTable(Table):
    """Checks: can arms do programs?"""

    program: Texts = Field(description="a path of a robot program, or a list of paths, relative to the study")
    robot: Texts = Field(
        description="a library arm, or a path of an arm file or URDF, relative to the study; or a list"
    )
    payload: PlainNumber | None = Field(None, description="kg held at the tool point, where it does not vary")
    force: Direction | None = Field(None, description="3 numbers, N on the tool, base axes, where they do not vary")
    timing: TimeLawName | Literal["optimal"] | None = Field(None, description="a time law, as for torsor check")
    overlap: StrictBool = Field(False, description="true or false: Paul's blends overlap")
    start: Beginnings = Field(None, description="joints, the name of a target, or first-target: where the arm begins")
    cycle: StrictBool = Field(False, description="true or false: it begins where the program ends")
    cycles: RunCount = Field(1, description="a whole number: how often to go round a loop that never ends")
    cell: str | None = Field(None, description="a path of a cell file, relative to the study, or empty")
    world: str | None = Field(None, description="a path of a world file, relative to the study")
    define: Texts = Field((), description="a line of the program's language that stands in no file, or a list of them")
    entry: str | None = Field(None, description="the routine to begin with")


class SimulationTable(Table):
    """Simulations of a scenario."""

    scenario: str = Field(description="a path of a scenario, relative to the study")
    signals: Texts = Field((), description='"q", "qd", "tau", or a list of them: what is kept over time')
    moments: Annotated[StrictInt, Field(ge=2)] = Field(MOMENTS, description="a whole number: how many moments of them")


class VibrationTable(Table):
    """How a program makes an elastic arm swing."""

    program: str = Field(description="a path of a robot program, relative to the study")
    robot: str = Field(description="an elastic arm: a library name, or a path relative to the study")
    tolerance: Length = Field(1e-4, description='a length above zero, such as "0.1 mm": what counts as settled')
    shape: ShaperKind | None = Field(None, description="a shaper, as for torsor vibrate")


class QuantityTable(Table):
    """Quantities of an arm in many postures."""

    robot: str = Field(description="a library arm, or a path of an arm file or URDF, relative to the study")
    at: tuple[Position, ...] | None = Field(
        None, description="a number for each joint: where those are that do not vary"
    )
    quantity: Texts = Field(("manipulability",), description="a quantity, or a list of them")


class StudyFile(Table):
    """A base, one of check, simulation, vibration and quantity; and what varies."""

    name: str = Field(description="a text")
    notes: str = Field("", description="a text")
    seed: Annotated[StrictInt, Field(ge=0)] = Field(0, description="a whole number, zero or more")
    samples: RunCount | None = Field(None, description="a whole number: how often distributions are drawn from")
    design: DesignName = Field("random", description="how: random, sobol, latin or saltelli")
    outputs: Texts = Field((), description="names of outputs, or nothing for the usual ones")
    chunk: RunCount | None = Field(None, description="a whole number: runs that are computed and written together")
    check: CheckTable | None = Field(None, description="a table: the base")
    simulation: SimulationTable | None = Field(None, description="a table: the base")
    vibration: VibrationTable | None = Field(None, description="a table: the base")
    quantity: QuantityTable | None = Field(None, description="a table: the base")
    vary: dict[str, Any] = Field(description="a table: each name with a list, a grid or a distribution")


BASES = ("check", "simulation", "vibration", "quantity")

SYNONYMS = {
    "vary": ("varies", "sweep", "variables", "parameters"),
    "samples": ("n", "count", "runs"),
    "design": ("method", "sampling"),
    "outputs": ("output",),
    "program": ("programs", "file"),
    "robot": ("arm", "robots", "arms"),
    "payload": ("load", "mass"),
    "quantity": ("quantities",),
}

WORDING = Wording("study", 'a study begins with name = "..." and a base such as [check]', StudyError, {}, SYNONYMS)


class GridSpec(Table):
    """In equal steps, both ends included; with ``log`` in equal ratios."""

    low: PlainNumber = Field(alias="from", description="a number: the first value")
    high: PlainNumber = Field(alias="to", description="a number: the last value")
    count: Annotated[StrictInt, Field(ge=2)] = Field(description="a whole number, 2 or more")
    log: StrictBool = Field(False, description="true or false: in equal ratios")


class UniformSpec(Table):
    """Every value in between is as likely."""

    uniform: tuple[PlainNumber, PlainNumber] = Field(description="2 numbers: from where to where")


class NormalSpec(Table):
    """Gauss's bell, cut off where that is said."""

    normal: PlainNumber = Field(description="a number: the mean")
    deviation: PlainNumber = Field(description="a number above zero")
    least: PlainNumber | None = Field(None, description="a number: nothing below it")
    most: PlainNumber | None = Field(None, description="a number: nothing above it")


class TriangularSpec(Table):
    """Likeliest in the middle."""

    triangular: tuple[PlainNumber, PlainNumber, PlainNumber] = Field(description="3 numbers: least, likeliest, most")


class LogNormalSpec(Table):
    """exp of a bell."""

    lognormal: PlainNumber = Field(description="a number above zero: the median")
    spread: PlainNumber = Field(description="a number above zero: the deviation of the logarithm")


SPECS: dict[str, type[Table]] = {
    "from": GridSpec,
    "uniform": UniformSpec,
    "normal": NormalSpec,
    "triangular": TriangularSpec,
    "lognormal": LogNormalSpec,
}  # by the key that tells which it is
