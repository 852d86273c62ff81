"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Robot = Annotated[str, Parameter(help="A name from 'torsor robots', or a path to an arm file (.toml) or URDF (.urdf).")]
Json = Annotated[bool, Parameter(negative="", help="Print one JSON document (SI units, radians) and nothing else.")]
OutputOption = Annotated[
    Path | None, Parameter(alias="-o", help="File to write; without it the text goes to the terminal.")
]
Packages = Annotated[
    list[Path] | None,
    Parameter(name="--package-path", negative="", help="Folder in which a URDF's package:// meshes may lie."),
]
AllowNonphysical = Annotated[bool, Parameter(negative="", help="Accept a URDF whose inertias no real body can have.")]
