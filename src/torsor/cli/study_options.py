"""Options of ``torsor study``; those that say how a program is checked are the ones of ``torsor check``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from torsor.cli.check import (
    CellOption,
    CycleOption,
    CyclesOption,
    DefineOption,
    EntryOption,
    ForceOption,
    Overlap,
    SetOption,
    StartOption,
    TimingOption,
    WorldOption,
)
from torsor.cli.shared_options import within
from torsor.model.ranges import PAYLOAD

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
HeldMass = Annotated[float | None, within(PAYLOAD, help="Mass in kg that the arm holds at its tool point.")]
SampleCount = Annotated[int, Parameter(help="How many samples are drawn.")]
Seed = Annotated[int, Parameter(help="Of what is drawn: the same seed draws the same.")]


@Parameter(name="*")
@dataclass(frozen=True)
class Circumstances:
    """Under which a program is checked, where a question does not vary them itself."""

    force: ForceOption = None
    timing: TimingOption = None
    overlap: Overlap = False
    start: StartOption = None
    cycle: CycleOption = False
    cycles: CyclesOption = 1
    cell: CellOption = None
    world: WorldOption = None
    setting: SetOption = None
    define: DefineOption = None
    entry: EntryOption = None

    def settings(self, robot: str) -> dict[str, Any]:
        """As the questions take them; joints of the start are those of ``robot``."""
        from torsor.loading import load
        from torsor.programs.starting import posture_of
        from torsor.programs.world import World

        start = None if self.start is None else posture_of(load(robot), self.start)
        around = (World() if self.world is None else World.read(self.world)).and_set(self.setting or ())
        return {
            "force": self.force,
            "timing": self.timing,
            "overlap": self.overlap,
            "start": start if start is None or isinstance(start, str) else tuple(start.tolist()),
            "cycle": self.cycle,
            "cycles": self.cycles,
            "cell": self.cell,
            "world": around,
            "define": tuple(self.define or ()),
            "entry": self.entry,
        }


AS_IT_IS = Circumstances()
