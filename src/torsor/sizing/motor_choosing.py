"""The smallest motors and gears of a catalogue with which an arm can do a program, and the check of all of them.

For each axis the torque at the motor follows from the program's signals: with another rotor u' = u + (I' - I) qdd_a;
with another gear, of a motor that drives one joint alone, u' = tau / r' + I' r' qdd + f r / r', where tau is the torque
of the links and f the friction that the motor feels now. What is chosen so is put on the arm, and `torsor.check`
decides; where it says no of a motor, the next one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.checking import Verdict
from torsor.errors import Unsupported
from torsor.model.parts import Drive, Motor
from torsor.model.transforms import Floats
from torsor.sizing.catalogue import Catalogue, CatalogueGear, CatalogueMotor
from torsor.sizing.spectra import LIFE, weights

ROUNDS = 6  # how often what was chosen is checked, and something stronger taken
AMONG = ("torque", "motor speed", "duty", "joint torque")  # problems that another motor may cure


@dataclass(frozen=True)
class Pairing:
    """A motor and a gear for an axis; without a gear that of the arm stays."""

    motor: CatalogueMotor
    gear: CatalogueGear | None
    torque: float  # peak at the motor
    rms: float
    speed: float  # rad/s of the motor at most

    @property
    def name(self) -> str:
        return self.motor.name if self.gear is None else f"{self.motor.name} with {self.gear.name}"

    def document(self) -> dict[str, Any]:
        numbers = {"torque": self.torque, "rms": self.rms, "speed": self.speed}
        return {"motor": self.motor.name, "gear": None if self.gear is None else self.gear.name, **numbers}


@dataclass(frozen=True, eq=False)
class MotorsChosen:
    """By axis; None where nothing of the catalogue does. ``verdict`` is that of the arm with all of them."""

    pairings: dict[str, Pairing | None]
    verdict: Verdict | None

    @property
    def yes(self) -> bool:
        return self.verdict is not None and self.verdict.feasible

    @property
    def sentence(self) -> str:
        missing = [axis for axis, pairing in self.pairings.items() if pairing is None]
        if missing:
            return f"nothing of the catalogue does for {', '.join(missing)}"
        if self.verdict is None or not self.verdict.feasible:
            why = "" if self.verdict is None else f": {self.verdict.worst.text}"
            return f"what does for each axis does not do together{why}"
        return f"with these motors it is feasible and takes {self.verdict.time:.2f} s"

    def document(self) -> dict[str, Any]:
        listed = {axis: pairing and pairing.document() for axis, pairing in self.pairings.items()}
        return {"feasible": self.yes, "text": self.sentence, "axes": listed}


def chosen_motors(verdict: Verdict, catalogue: Catalogue, judged: Callable[[Arm], Verdict]) -> MotorsChosen:
    """``verdict`` is of the arm as it is, with signals; ``judged`` checks the program on another arm."""
    machine = verdict.machine
    if not machine.at_motors:
        raise Unsupported(
            f"{machine.arm.name!r} has no motor for each joint",
            hint="describe them with [[drive]] in its arm file, whatever motors they have now",
        )
    waiting = {drive.name: _fitting(verdict, k, catalogue) for k, drive in enumerate(machine.model.drives)}
    now = {axis: next(fitting, None) for axis, fitting in waiting.items()}
    last: Verdict | None = None
    for _ in range(ROUNDS):
        if any(pairing is None for pairing in now.values()):
            return MotorsChosen(now, None)
        last = judged(with_motors(machine.arm, {axis: each for axis, each in now.items() if each is not None}))
        weak = {problem.who for problem in last.problems if problem.kind in AMONG} & set(now)
        if last.feasible or not weak:
            break
        for axis in weak:
            now[axis] = next(waiting[axis], None)
    return MotorsChosen(now, last)


def with_motors(arm: Arm, pairings: dict[str, Pairing]) -> Arm:
    """The arm with these motors, and with their gears where they have one."""

    def changed(drive: Drive) -> Drive:
        pairing = pairings.get(drive.name)
        if pairing is None:
            return drive
        own, gear = pairing.motor, pairing.gear
        motor = Motor(torque=own.torque, speed=own.speed, continuous=own.continuous)
        if gear is None:
            return replace(drive, motor=motor, rotor_inertia=own.rotor_inertia)
        times = gear.ratio / float(np.abs(drive.ratio).max())
        inertia = own.rotor_inertia + gear.inertia
        return replace(drive, motor=motor, rotor_inertia=inertia, ratio=times * drive.ratio, stages=())

    return Arm(replace(arm.model, drives=tuple(map(changed, arm.model.drives))))


def _fitting(verdict: Verdict, k: int, catalogue: Catalogue) -> Iterator[Pairing]:
    """Pairings that do for an axis, in the order of the catalogue: motors first, then gears."""
    axis = _Axis(verdict, k)
    gears: list[CatalogueGear | None] = [*catalogue.gears] if catalogue.gears and axis.alone else [None]
    for motor in catalogue.motors:
        for gear in gears:
            if gear is not None and not axis.carried_by(gear):
                continue
            torque, speed = axis.torque(motor, gear), axis.speed(gear)
            rms = float(np.sqrt(axis.weight @ torque**2 / axis.weight.sum()))
            pairing = Pairing(motor, gear, float(np.abs(torque).max()), rms, speed)
            lasts = motor.continuous is None or rms <= motor.continuous
            if pairing.torque <= motor.torque and speed <= motor.speed and lasts:
                yield pairing


class _Axis:
    """What the program asks of one drive, from its signals."""

    def __init__(self, verdict: Verdict, k: int) -> None:
        machine, signals = verdict.machine, verdict.signals
        self.drive = machine.model.drives[k]
        (felt,) = np.nonzero(self.drive.ratio)
        others = [np.nonzero(each.ratio)[0] for each in machine.model.drives if each is not self.drive]
        alone = len(felt) == 1 and self.drive.transmission is None and not any(felt[0] in each for each in others)
        self.alone = bool(alone) and not machine.model.loops
        self.weight = weights(signals.time)
        self.u, self.rate = signals.torque[:, k], signals.rate[:, k]
        self.acceleration = machine.driven.drives.rates(signals.q, signals.qdd)[:, k]
        j = int(felt[0])
        self.ratio, self.qd, self.qdd = float(self.drive.ratio[j]), signals.qd[:, j], signals.qdd[:, j]
        if self.alone:
            tau = machine.arm.inverse_dynamics(signals.q, signals.qd, signals.qdd, wrench=machine.wrench)
            self.tau: Floats = np.asarray(tau)[:, j]

    def torque(self, motor: CatalogueMotor, gear: CatalogueGear | None) -> Floats:
        now = self.drive.rotor_inertia
        if gear is None:
            return np.asarray(self.u + (motor.rotor_inertia - now) * self.acceleration)
        r = np.copysign(gear.ratio, self.ratio)
        friction = self.u - self.tau / self.ratio - now * self.ratio * self.qdd
        inertia = motor.rotor_inertia + gear.inertia
        return np.asarray(self.tau / r + inertia * r * self.qdd + friction * self.ratio / r)

    def speed(self, gear: CatalogueGear | None) -> float:
        rate = self.rate if gear is None else gear.ratio * self.qd
        return float(np.abs(rate).max(initial=0.0))

    def carried_by(self, gear: CatalogueGear) -> bool:
        """Whether a gear stands what it passes on: at most, on average over its travel, and at its input."""
        travel = np.abs(self.qd) * self.weight
        size = np.abs(self.tau)
        mean = float((travel @ size**LIFE / travel.sum()) ** (1.0 / LIFE)) if travel.sum() > 0.0 else 0.0
        lasts = gear.average is None or mean <= gear.average
        slow = gear.speed is None or self.speed(gear) <= gear.speed
        return bool(float(size.max(initial=0.0)) <= gear.torque and lasts and slow)
