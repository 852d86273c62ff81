"""The scenario file as a schema: which keys there are and what they hold. Laws and references have their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, StrictBool, StrictInt

from torsor.errors import ScenarioError
from torsor.model.schema import BodyTable, Direction, Table
from torsor.model.toml_schema import Wording
from torsor.model.units import Angle, Length, PlainNumber, Position, Rate, Time, number, quantity
from torsor.simulation.setting import IntegratorName


def _only(holds: Callable[[float], bool], said: str) -> AfterValidator:
    def check(value: float) -> float:
        if not holds(value):
            raise ValueError(f"expected a number{said}")
        return value

    return AfterValidator(check)


def _one_or_each(value: object, dimension: str | None) -> float | list[float]:
    each = number if dimension is None else lambda v: quantity(v, dimension)
    return [each(v) for v in value] if isinstance(value, list | tuple) else each(value)


ABOVE_ZERO, ZERO_OR_MORE = _only(lambda v: v > 0.0, " above zero"), _only(lambda v: v >= 0.0, ", zero or more")
Positive = Annotated[PlainNumber, ABOVE_ZERO]
NotNegative = Annotated[PlainNumber, ZERO_OR_MORE]
Duration = Annotated[Time, ABOVE_ZERO]
NotNegativeTime = Annotated[Time, ZERO_OR_MORE]
PositiveCount = Annotated[StrictInt, Field(ge=1)]
# a number for all joints, or a list with one for each
Numbers = Annotated[Any, PlainValidator(lambda v: _one_or_each(v, None))]
Positions = Annotated[Any, PlainValidator(lambda v: _one_or_each(v, "position"))]
Rates = Annotated[Any, PlainValidator(lambda v: _one_or_each(v, "rate"))]
Accelerations = Annotated[Any, PlainValidator(lambda v: _one_or_each(v, "acceleration"))]


class StartTable(Table):
    """Where the arm is when time begins; at rest without a word."""

    q: tuple[Position, ...] | None = None
    qd: tuple[Rate, ...] | None = None


class WrenchTable(Table):
    """What pushes the tool, in base axes, from ``start`` on: always, for a while, or as a wave."""

    kind: Literal["constant", "pulse", "sine"]
    force: Direction = (0.0, 0.0, 0.0)
    moment: Direction = (0.0, 0.0, 0.0)
    start: NotNegativeTime = 0.0
    duration: Duration | None = None
    frequency: Positive | None = None
    phase: Angle = 0.0


class ContactTable(Table):
    """A wall, a spring once the tool is behind it."""

    normal: Direction
    offset: Length
    stiffness: Positive
    damping: NotNegative = 0.0


class PayloadTable(BodyTable):
    """What the arm holds from a time on, a point at the tool or a body; the law does not know of it."""

    time: NotNegativeTime = 0.0
    mass: NotNegative | None = None


class EncoderTable(Table):
    resolution: Positions = 0.0
    noise: Positions = 0.0
    seed: Annotated[StrictInt, Field(ge=0)] = 0


class ControllerTable(Table):
    """A controller that samples: its period, its delay, what it sees."""

    period: Duration
    delay: NotNegativeTime = 0.0
    encoder: EncoderTable | None = None
    velocity_cutoff: Positive | None = None


class BuffersTable(Table):
    stiffness: Positive
    damping: NotNegative = 0.0


def _texts(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list | tuple) else [value]
    if not listed or not all(isinstance(each, str) for each in listed):
        raise ValueError
    return tuple(listed)


def _limits(value: object) -> object:
    if isinstance(value, dict):
        return BuffersTable.model_validate(value)
    if value not in ("stop", "report", "ignore"):
        raise ValueError
    return value


class OutputTable(Table):
    """Files to write, relative to the scenario, and the band in which a joint counts as settled."""

    csv: str | None = None
    plot: str | None = None
    motors: str | None = None
    settled: Annotated[Position, ABOVE_ZERO] = 0.02


class ScenarioFile(Table):
    name: str
    source: str = ""
    notes: str = ""
    arm: str
    duration: Duration | None = None
    dt: Duration = 1e-3
    every: PositiveCount = 1
    integrator: IntegratorName | None = None
    tolerance: Positive | None = None
    drives: StrictBool = True
    elastic: StrictBool = False
    by: Annotated[tuple[str, ...], PlainValidator(_texts)] = ()
    saturation: StrictBool = True
    gravity: Direction | None = None
    limits: Annotated[Any, BeforeValidator(_limits)] = "stop"
    start: StartTable = StartTable()
    law: dict[str, Any]
    reference: dict[str, Any] | None = None
    wrench: tuple[WrenchTable, ...] = ()
    contact: tuple[ContactTable, ...] = ()
    payload: tuple[PayloadTable, ...] = ()
    controller: ControllerTable | None = None
    output: OutputTable = OutputTable()


# what a key should hold, and the keys, in a table of that name or in any; laws say it of their gains themselves
EXPECTED = {key: text for text, keys in {
    "a text": "name source notes kind",
    "the name of a library arm, or the path of an arm file or URDF, relative to the scenario": "arm",
    'a time above zero, in s, or a text such as "2 ms"': "duration dt period cycle",
    'a time in s, zero or more, or a text such as "2 ms"': "wrench.start payload.time delay",
    "a whole number of steps, 1 or more": "every",
    "how often to go round a loop that never ends, 1 or more": "cycles",
    "a number above zero, such as 1e-9": "tolerance",
    "true or false": "drives elastic saturation",
    "the name of a formulation, or a list of them to compare": "by",
    "3 finite numbers, in m/s^2": "gravity",
    '"stop", "report", "ignore", or a table with stiffness and damping of buffers': "limits",
    "a table with q and qd": "start",
    'a number for each joint, in rad or m, or texts such as "90 deg"': "q centre",
    'a number for each joint, in rad/s or m/s, or texts such as "90 deg/s"': "qd",
    'a table with kind = "..." and its gains': "law",
    'a table with kind = "..."': "reference",
    "one [[wrench]] table for each": "wrench",
    "one [[contact]] table for each wall": "contact",
    "one [[payload]] table for each change, with time, and mass or a body": "payload",
    "3 finite numbers, in m, tool axes": "payload.com",
    "3 numbers (the diagonal) or 6 (ixx, iyy, izz, ixy, ixz, iyz), in kg m^2, tool axes": "payload.inertia",
    "a table such as { box = [0.1, 0.1, 0.1], density = 2700 }": "payload.shape",
    "a table with period, delay, encoder and velocity_cutoff": "controller",
    "3 numbers, in N, base axes": "force",
    "3 numbers, in N m, base axes": "moment",
    'an angle in rad, or a text such as "90 deg"': "phase",
    "a number above zero, in Hz": "frequency velocity_cutoff",
    "3 numbers, a direction away from the wall": "normal",
    "a number in m: how far the wall is from the base origin along its normal": "offset",
    "a number above zero, in N/m (N m/rad at joints)": "stiffness",
    "a number, zero or more, in N s/m (N m s/rad at joints)": "damping",
    "a number, zero or more, in kg": "mass law.known_payload",
    "a table with resolution, noise and seed": "encoder",
    'one number or one for each joint, in rad, or texts such as "0.01 deg"': "resolution noise",
    "a whole number, zero or more": "seed",
    "a table with csv, plot, motors and settled": "output",
    "the path of a file, relative to the scenario": "csv file",
    "the path of a .png, .svg or .pdf file, relative to the scenario": "plot motors",
    'an angle (or a length) above zero, such as "1 deg"': "settled",
    'a torque for each joint, in N m, or "hold" for those that hold the arm at its start': "law.torque",
    'a current for each motor, in A, or "hold" for those that hold the arm at its start': "law.current",
    "a row for each time: [time, torque, torque, ...], of currents in A": "law.rows",
    '"hold" until the next time, or "line" from one to the next': "law.between",
    "3 numbers, in m, base axes": "reference.position",
    'roll, pitch and yaw in rad, or texts such as "90 deg"': "reference.rpy",
    "two or more rows, one number a joint in each (x, y, z for laws of the tool)": "reference.points",
    "a time above zero in s for each way, or one for all": "reference.durations",
    'a number above zero, or one for each joint, or texts such as "90 deg/s"': "reference.speed",
    'a number above zero, or one for each joint, or texts such as "90 deg/s^2"': "reference.acceleration",
    "an angle or a length, or one for each joint": "reference.amplitude",
    "a number in Hz, or one for each joint": "reference.frequency",
    'an angle in rad, one or one for each joint, or texts such as "90 deg"': "reference.phase",
}.items() for key in keys.split()}  # fmt: skip

SYNONYMS = {
    "arm": ("robot", "model"),
    "by": ("formulation", "formulations", "method"),
    "duration": ("until", "time", "t_end", "end"),
    "dt": ("step", "timestep", "time_step"),
    "law": ("control", "control_law"),
    "reference": ("target", "goal", "trajectory", "setpoint"),
    "start": ("initial", "initial_state", "q0"),
    "wrench": ("disturbance", "force", "disturbances"),
    "payload": ("load", "mass"),
    "controller": ("sampled", "sampling", "sensor"),
    "output": ("outputs", "files"),
    "Kp": ("kp", "P", "stiffness"),
    "Kd": ("kd", "D", "damping"),
    "Ki": ("ki", "I"),
    "q": ("position", "joints"),
    "qd": ("speed", "velocity"),
    "file": ("path", "program", "csv"),
    "durations": ("duration", "times"),
    "position": ("xyz", "pos"),
}

WORDING = Wording("scenario", 'a scenario begins with name = "..." and arm = "..."', ScenarioError, EXPECTED, SYNONYMS)
