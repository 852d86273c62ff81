"""`torsor.sizing.size`: what a program asks of motors, gears and bearings of an arm, and which of a catalogue do."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.checking import Verdict, check
from torsor.checking.known_limits import CURE
from torsor.errors import Unsupported
from torsor.loading import load
from torsor.model.files import write_text
from torsor.programs import Program, read
from torsor.sizing.catalogue import Catalogue, read_catalogue
from torsor.sizing.motor_choosing import MotorsChosen, chosen_motors
from torsor.sizing.motor_demand import MotorDemand, demands
from torsor.sizing.spectra import LoadSpectrum, weights

SAMPLES = 2e-3  # s between signals


@dataclass(frozen=True, eq=False)
class Sizing:
    """What is asked of each motor, gear and bearing; ``chosen`` of a catalogue, where one is given."""

    verdict: Verdict
    motors: list[MotorDemand]
    spectra: list[LoadSpectrum]
    chosen: MotorsChosen | None = None

    @property
    def yes(self) -> bool:
        """Whether what was asked for is there: motors of the catalogue, else those of the arm."""
        return self.verdict.feasible if self.chosen is None else self.chosen.yes

    @property
    def sentence(self) -> str:
        return self.verdict.headline if self.chosen is None else f"{self.verdict.robot}: {self.chosen.sentence}"

    def document(self) -> dict[str, Any]:
        """As plain dicts and lists; SI units and radians."""
        conditions = self.verdict.conditions
        return {
            "feasible": self.verdict.feasible,
            "text": self.sentence,
            "time": self.verdict.time,
            "motors": [motor.document() for motor in self.motors],
            "spectra": [spectrum.document() for spectrum in self.spectra],
            "chosen": None if self.chosen is None else self.chosen.document(),
            "checked_with": None if conditions is None else conditions.document(),
        }

    def to_csv(self, path: str | Path) -> None:
        """All classes of all spectra, a row each, then the equivalent loads."""
        stream = io.StringIO()
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(["what", "name", "unit", "from", "to", "share_of_time", "share_of_travel", "equivalent", "peak"])
        for one in self.spectra:
            whole = (f"{one.equivalent:.9g}", f"{one.peak:.9g}")
            for k in range(len(one.time)):
                numbers = (one.edges[k], one.edges[k + 1], one.time[k], one.travel[k])
                out.writerow([one.what, one.name, one.unit, *(f"{x:.9g}" for x in numbers), *whole])
        write_text(path, stream.getvalue())

    def report(self, path: str | Path) -> None:
        """One HTML file: torque-speed planes, tables, spectra."""
        from torsor.sizing.shown.sizing_page import page

        write_text(path, page(self))


def size(
    program: str | os.PathLike[str] | Program,
    robot: str | os.PathLike[str] | Arm,
    *,
    catalogue: str | os.PathLike[str] | Catalogue | None = None,
    **options: Any,
) -> Sizing:
    """What each motor, gear and bearing must stand in a program; ``options`` are those of `torsor.check`.

    With a catalogue (a .toml or .csv file) the smallest motors and gears that do, put on the arm and checked.

    >>> found = size("examples/programs/rl15_tour.irl", "rl15")
    >>> found.motors[0].name, round(found.motors[0].torque_share, 2), len(found.spectra)
    ('motor1', 0.39, 18)
    """
    arm = robot if isinstance(robot, Arm) else load(robot)
    known = program if isinstance(program, Program) else read(program)
    asked = {"dt": SAMPLES} | {name: value for name, value in options.items() if name != "signals"}
    verdict = check(known, arm, signals=True, **asked)
    if not verdict.machine.weighed:
        raise Unsupported(f"masses of {arm.name!r} are not known: torques cannot be told", hint=CURE)
    chosen = None
    if catalogue is not None:
        listed = catalogue if isinstance(catalogue, Catalogue) else read_catalogue(catalogue)
        again = {name: value for name, value in asked.items() if name not in ("dt", "payload")}
        chosen = chosen_motors(verdict, listed, lambda other: check(known, other, signals=False, **again))
    return Sizing(verdict, demands(verdict), spectra_of(verdict), chosen)


def spectra_of(verdict: Verdict) -> list[LoadSpectrum]:
    """Of what gears pass on to each joint, and of forces and tilting moments of each bearing."""
    machine, signals = verdict.machine, verdict.signals
    weight = weights(signals.time)
    tau = np.asarray(machine.arm.inverse_dynamics(signals.q, signals.qd, signals.qdd, wrench=machine.wrench))
    kinds = {link.joint.name: link.joint.kind for link in machine.model.links}
    found = []
    for j, name in enumerate(machine.joints):
        slides = kinds[name] == "prismatic"
        what, unit = ("driving force", "N") if slides else ("gear torque", "N m")
        found.append(LoadSpectrum.of(name, what, unit, tau[:, j], signals.qd[:, j], weight))
    force, moment = machine.carried(signals.bearing)
    rates = np.zeros_like(force)
    for k, name in enumerate(machine.bearing_names):
        if name in machine.joints:
            rates[:, k] = signals.qd[:, machine.joints.index(name)]
    for k, name in enumerate(machine.bearing_names):
        found.append(LoadSpectrum.of(name, "bearing force", "N", force[:, k], rates[:, k], weight))
        found.append(LoadSpectrum.of(name, "bearing moment", "N m", moment[:, k], rates[:, k], weight))
    return found
