"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from torsor.model.ranges import SensibleRange


def within(sensible: SensibleRange, *, help: str, **more: Any) -> Parameter:
    """An option whose numbers must make sense."""

    def check(kind: object, value: Any) -> None:
        for each in value if isinstance(value, tuple) else (value,):
            if each is not None and not sensible.holds(each):
                raise ValueError(f"Give {sensible}")

    return Parameter(validator=check, help=help, **more)


Robot = Annotated[str, Parameter(help="A name from 'torsor robots', or a path to an arm file (.toml) or URDF (.urdf).")]
Json = Annotated[bool, Parameter(negative="", help="Print one JSON document (SI units, radians) and nothing else.")]
OutputOption = Annotated[
    Path | None, Parameter(alias="-o", help="File to write; without it the text goes to the terminal.")
]
Packages = Annotated[
    list[Path] | None,
    Parameter(name="--package-path", negative="", help="Folder in which a URDF's package:// meshes may lie."),
]
EffortOption = Annotated[
    Literal["none", "quick", "normal", "high", "record"],
    Parameter(
        help="How long to search for fewer operations: not at all, milliseconds (quick, normal), seconds, minutes."
    ),
]
Strict = Annotated[
    bool, Parameter(negative="", help="Refuse what is wrong in a URDF where other readers, and this one, let it pass.")
]
AllowNonphysical = Annotated[bool, Parameter(negative="", help="Accept a URDF whose inertias no real body can have.")]
