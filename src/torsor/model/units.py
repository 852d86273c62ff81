"""Numbers with units, as arm files may write them: a plain number in SI, or text such as "90 deg" or "3150 rpm"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isfinite, pi
from typing import Annotated, Any

UNITS: dict[str, dict[str, float]] = {
    "angle": {"rad": 1.0, "deg": pi / 180, "turn": 2 * pi},
    "length": {"m": 1.0, "mm": 1e-3},
    "rate": {"rad/s": 1.0, "deg/s": pi / 180, "rpm": 2 * pi / 60, "m/s": 1.0, "mm/s": 1e-3},
    "acceleration": {"rad/s^2": 1.0, "deg/s^2": pi / 180, "m/s^2": 1.0, "mm/s^2": 1e-3},
    "time": {"s": 1.0, "ms": 1e-3},
    "pitch": {"m/rad": 1.0, "m/rev": 1 / (2 * pi), "mm/rev": 1e-3 / (2 * pi)},
    "frequency": {"Hz": 1.0, "kHz": 1e3},
    "area": {"m^2": 1.0, "cm^2": 1e-4, "mm^2": 1e-6},
    "second moment": {"m^4": 1.0, "cm^4": 1e-8, "mm^4": 1e-12},  # of area
    "pressure": {"Pa": 1.0, "MPa": 1e6, "GPa": 1e9},
    "density": {"kg/m^3": 1.0, "g/cm^3": 1e3},
    "turning stiffness": {"N m/rad": 1.0, "kN m/rad": 1e3, "N m/deg": 180 / pi},
    "sliding stiffness": {"N/m": 1.0, "N/mm": 1e3},
    "turning damping": {"N m s/rad": 1.0, "N m s/deg": 180 / pi},
    "sliding damping": {"N s/m": 1.0, "N s/mm": 1e3},
}
UNITS["position"] = UNITS["angle"] | UNITS["length"]
UNITS["turning backlash"], UNITS["sliding backlash"] = UNITS["angle"], UNITS["length"]
UNITS["stiffness"] = UNITS["turning stiffness"] | UNITS["sliding stiffness"]
UNITS["damping"] = UNITS["turning damping"] | UNITS["sliding damping"]


def number(value: object) -> float:
    """A finite number; TOML's true, nan and inf are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("expected a number")
    try:
        if isfinite(value):
            return float(value)
    except OverflowError:  # an integer of hundreds of digits
        pass
    raise ValueError("expected a finite number")


def quantity(value: object, dimension: str) -> float:
    """A number in SI units.

    >>> quantity("3000 rpm", "rate")
    314.1592653589793
    """
    if not isinstance(value, str):
        return number(value)
    text, unit = parted(value)
    units = UNITS[dimension]
    try:
        return number(float(text) * units[unit])
    except (KeyError, ValueError):
        *others, last = units
        example = f'such as "90 {next((unit for unit in units if unit.startswith("deg")), last)}"'
        raise ValueError(f"expected a number, or a text with {', '.join(others)} or {last}, {example}") from None


def parted(value: str) -> tuple[str, str]:
    """Number and unit of a text.

    >>> parted("2e4 N m/rad")
    ('2e4', 'N m/rad')
    """
    text, _, unit = value.strip().partition(" ")
    return text, unit.strip()


@dataclass(frozen=True)
class ReadBy:
    """What pydantic passes a value through first; a marker of our own, so that parts need not wait for pydantic.

    ``also`` says, as the text of a JSON Schema, what else than the type itself it reads.
    """

    function: Callable[[object], object]
    also: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core.core_schema import no_info_before_validator_function

        return no_info_before_validator_function(self.function, handler(source))


def _two_sided(value: object) -> object:
    return (value, value) if isinstance(value, int | float) else value


PlainNumber = Annotated[float, ReadBy(number)]
# forward, backward; one number for both
TwoSided = Annotated[tuple[PlainNumber, PlainNumber], ReadBy(_two_sided, '{"type": "number"}')]
Angle = Annotated[float, ReadBy(partial(quantity, dimension="angle"))]
Length = Annotated[float, ReadBy(partial(quantity, dimension="length"))]
Position = Annotated[float, ReadBy(partial(quantity, dimension="position"))]  # of a joint: an angle or a length
Rate = Annotated[float, ReadBy(partial(quantity, dimension="rate"))]
Acceleration = Annotated[float, ReadBy(partial(quantity, dimension="acceleration"))]
Time = Annotated[float, ReadBy(partial(quantity, dimension="time"))]
Pitch = Annotated[float, ReadBy(partial(quantity, dimension="pitch"))]
Frequency = Annotated[float, ReadBy(partial(quantity, dimension="frequency"))]
Area = Annotated[float, ReadBy(partial(quantity, dimension="area"))]
SecondMoment = Annotated[float, ReadBy(partial(quantity, dimension="second moment"))]
Pressure = Annotated[float, ReadBy(partial(quantity, dimension="pressure"))]
Density = Annotated[float, ReadBy(partial(quantity, dimension="density"))]
Stiffness = Annotated[float, ReadBy(partial(quantity, dimension="stiffness"))]  # of a joint that turns, or slides
TurningStiffness = Annotated[float, ReadBy(partial(quantity, dimension="turning stiffness"))]
Damping = Annotated[float, ReadBy(partial(quantity, dimension="damping"))]
TurningDamping = Annotated[float, ReadBy(partial(quantity, dimension="turning damping"))]
