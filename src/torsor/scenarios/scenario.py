"""``Scenario``: a simulation that was read, ready to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.arm import Arm
from torsor.control.reference import Reference
from torsor.errors import TorsorError, Unsupported
from torsor.model.files import ready
from torsor.model.mass import Mass
from torsor.model.transforms import Floats
from torsor.scenarios.streamed import Streamed
from torsor.simulation import ContactSpring, Simulation

if TYPE_CHECKING:
    from torsor.scenarios.figures import Figures
    from torsor.scene.display import Display
    from torsor.simulation.outcome import Run


@dataclass(frozen=True, eq=False)
class Scenario:
    """An arm under a law, what it shall do, what disturbs it, and how it is stepped.

    ``reference`` is of joints, of the tool's position where ``tool``, or None. ``law`` gives joint torques, motor
    torques where ``settings`` say so.
    """

    name: str
    source: str
    notes: str
    file: str
    arm: Arm
    kind: str  # of the law
    by: tuple[str, ...]  # formulations that it is simulated by, one after the other; none: whatever costs least
    law: Any
    reference: Reference | None
    tool: bool
    q0: Floats
    qd0: Floats
    duration: float  # s
    dt: float
    every: int
    wrench: tuple[Any, ...]
    settings: Mapping[str, Any]  # the other options of `Simulation`
    payload: list[tuple[float, float]] | list[tuple[float, Mass]] | None
    settled: float  # rad, or m: the band in which a joint counts as settled
    csv: Path | None
    plot: Path | None
    motors: Path | None

    @property
    def simulation(self) -> Simulation:
        """The arm under the law as it is now, traced, by its first formulation."""
        return self.simulated(self.by[0] if self.by else None)

    def simulated(self, by: str | None) -> Simulation:
        """The same by a formulation."""
        return Simulation(self.arm, self.law, wrench=list(self.wrench) or None, by=by, **self.settings)

    def run(self, *, by: str | None = None, progress: Callable[[float], None] | None = None) -> Run:
        """The motion, by a formulation or the first that the scenario names.

        ``progress`` hears the time that was reached, in s. What ends it early is in ``run.stopped``.
        """
        schedule = self.reference.schedule if isinstance(self.reference, Streamed) and callable(self.law) else None
        try:
            return (self.simulation if by is None else self.simulated(by)).run(
                q0=self.q0, qd0=self.qd0, until=self.duration, dt=self.dt, every=self.every,
                payload=self.payload, schedule=schedule, progress=progress,
            )  # fmt: skip
        except TorsorError as error:  # settings that do not go together, such as friction and rosenbrock
            error.file = error.file or self.file
            raise

    def to_fmu(self, path: Path) -> None:
        """The arm under its law as an FMU, from where the scenario starts; its payload can be set."""
        if isinstance(self.reference, Streamed):
            hint = "an FMU holds laws whose reference is a point or a path; let the importer give the reference"
            raise Unsupported("the scenario follows a program, which is streamed", hint=hint, file=self.file)
        if self.payload is not None and len(self.payload) > 1:
            hint = "one payload; an importer may set another on the way"
            raise Unsupported("the scenario changes its payload", hint=hint, file=self.file)
        held = None if self.payload is None else self.payload[0][1]
        if isinstance(held, Mass):
            hint = "give a payload by its mass, which an importer may set"
            raise Unsupported("the scenario's payload is a body", hint=hint, file=self.file)
        self.simulation.to_fmu(
            path, q0=self.q0, qd0=self.qd0, dt=self.dt, parameters={} if held is None else {"payload": held}
        )

    @property
    def asks_to_settle(self) -> bool:
        """Whether it shall arrive somewhere; what presses on a wall shall not arrive behind it."""
        touches = any(isinstance(each, ContactSpring) for each in self.wrench)
        return self.reference is not None and not touches

    def target(self, time: Floats) -> Floats | None:
        """(times, n) where the joints shall be, (times, 3) the tool; None without a reference."""
        if self.reference is None:
            return None
        return np.broadcast_to(self.reference.at(time)[0], (len(time), self.reference.n))

    @property
    def remarks(self) -> tuple[str, ...]:
        """On what it follows: a program that never ends is followed for some cycles."""
        return self.reference.remarks if isinstance(self.reference, Streamed) else ()

    def figures(self, run: Run) -> Figures:
        """What engineers ask of a run: settling time, overshoot, errors, peak torques, energy."""
        from torsor.scenarios.figures import measured

        return measured(self, run)

    def write(
        self, run: Run, *others: Run, csv: Path | None = None, plot: Path | None = None, report: Path | None = None,
        motors: Path | None = None,
    ) -> dict[str, Path]:  # fmt: skip
        """Writes the files that the scenario asks for, or those given instead; each whole or not at all.

        Other runs of it, by other formulations, are drawn over the first; a table is of the first, and so is a page but
        for the second, which is beside it.
        """
        csv, plot, motors = csv or self.csv, plot or self.plot, motors or self.motors
        if motors is not None:
            run.plot_motors(motors, title=self.name)
        if csv is not None:
            run.to_csv(csv)
        if plot is not None:
            run.plot(plot, reference=None if self.tool else self.target(run.time), title=self.name, compare=others)
        if report is not None:
            self.animate(run, *others[:1]).save(report)
        written = {"csv": csv, "plot": plot, "motors": motors, "report": report}
        return {word: path for word, path in written.items() if path is not None}

    def animate(self, run: Run, other: Run | None = None) -> Display:
        """The motion as a page, with what it follows and the planes that it may touch; with another beside it."""
        walls = [each for each in self.wrench if isinstance(each, ContactSpring)]
        planes = [(wall.offset * np.asarray(wall.normal), wall.normal) for wall in walls]
        target = None if self.tool else self.target(run.time)
        return run.animate(reference=target, title=self.name, planes=planes, compare=other)

    def check_outputs(
        self, *, csv: Path | None = None, plot: Path | None = None, report: Path | None = None,
        motors: Path | None = None,
    ) -> None:  # fmt: skip
        """Refuses a table that could not be written, a picture that could not be drawn, before an hour is spent."""
        plot, motors = plot or self.plot, motors or self.motors
        ready({"csv": csv or self.csv, "plot": plot, "motors": motors, "report": report})
        for drawn in (plot, motors):
            if drawn is not None and drawn.suffix.lower() not in (".png", ".svg", ".pdf"):
                raise Unsupported(f"cannot draw to {drawn}", hint="give a path that ends in .png, .svg or .pdf")

    def __repr__(self) -> str:
        return f"<Scenario {self.name}: {self.arm.name} under {self.kind}, {self.duration:g} s>"
