"""Options of ``torsor study``; how a program is checked is in `circumstances`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

StudyPath = Annotated[Path, Parameter(name="STUDY", help="A study file (.toml), or a folder with results.")]
ProgramPath = Annotated[Path, Parameter(name="PROGRAM", help="A robot program.")]
Folder = Annotated[Path | None, Parameter(alias="-o", help="Folder for the results (Zarr), written chunk by chunk.")]
Resume = Annotated[bool, Parameter(negative="", help="Go on with the results in the folder: compute what is missing.")]
On = Annotated[
    str | None, Parameter(help='A Dask scheduler, "tcp://host:8786", or "cluster:N": N workers of this machine.')
]
Workers = Annotated[int | None, Parameter(help="Cores of this machine to use; without a word all of them.")]
SummaryOption = Annotated[bool, Parameter(name="--summary", negative="", help="Print quantiles and sensitivities too.")]
PageOption = Annotated[Path | None, Parameter(name="--report", help="Write tables and pictures to this .html file.")]
PictureOption = Annotated[Path | None, Parameter(name="--plot", help="Draw the picture to this .png, .svg or .pdf.")]
Vary = Annotated[
    list[str] | None,
    Parameter(negative="", help="What varies: NAME=V1,V2,... or NAME=KIND:..., such as friction=normal:1,0.1."),
]
SampleCount = Annotated[int, Parameter(help="How many samples are drawn.")]
Seed = Annotated[int, Parameter(help="Of what is drawn: the same seed draws the same.")]
