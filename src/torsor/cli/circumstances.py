"""How a program is checked, as options that several commands share: those of ``torsor check``."""

from __future__ import annotations

from dataclasses import dataclass
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

HeldMass = Annotated[float | None, within(PAYLOAD, help="Mass in kg that the arm holds at its tool point.")]


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

    def for_reading(self) -> dict[str, Any]:
        """As `torsor.programs.read` takes them."""
        from torsor.programs.world import World

        around = (World() if self.world is None else World.read(self.world)).and_set(self.setting or ())
        return {"world": around, "define": tuple(self.define or ()), "entry": self.entry}

    def for_studies(self, robot: str) -> dict[str, Any]:
        """As the questions of studies take them; joints of the start are those of ``robot``."""
        from torsor.loading import load
        from torsor.programs.starting import posture_of

        start = None if self.start is None else posture_of(load(robot), self.start)
        plain = {word: getattr(self, word) for word in ("force", "timing", "overlap", "cycle", "cycles", "cell")}
        begins = start if start is None or isinstance(start, str) else tuple(start.tolist())
        return {**plain, "start": begins, **self.for_reading()}

    def for_check(self, robot: str) -> dict[str, Any]:
        """As `torsor.check` takes them, of a program that was read."""
        found = {word: each for word, each in self.for_studies(robot).items() if word not in self.for_reading()}
        force = found.pop("force")
        return {**found, "wrench": None if force is None else [*force, 0.0, 0.0, 0.0]}


AS_IT_IS = Circumstances()
