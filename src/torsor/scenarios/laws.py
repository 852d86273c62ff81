"""Laws as tables of a scenario: which gains each kind has, and the law of ``torsor.control`` that they make."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import PlainValidator, StrictBool

from torsor import control
from torsor.arm import Arm
from torsor.control.gains import matrix, vector
from torsor.control.law import Law
from torsor.control.operational import OperationalSpace as OperationalSpaceLaw
from torsor.control.reference import Reference
from torsor.model.schema import Table
from torsor.model.transforms import Floats
from torsor.model.units import Number, number
from torsor.scenarios.schema import NotNegative, Numbers


def _gain(value: object) -> Any:
    if isinstance(value, list | tuple):
        rows = [isinstance(row, list | tuple) for row in value]
        if any(rows) and not all(rows):
            raise ValueError("expected a number, a list, or a list of rows")
        return [_gain(row) for row in value]
    return number(value)


def _torque(value: object) -> Any:
    return value if value == "hold" else [number(v) for v in value] if isinstance(value, list) else number(value)


Gain = Annotated[Any, PlainValidator(_gain)]
Torque = Annotated[Any, PlainValidator(_torque)]


@dataclass(frozen=True, eq=False)
class Situation:
    """What a law is made for: the arm it knows, where it starts, what it shall follow, what pushes the tool."""

    arm: Arm
    q0: Floats
    reference: Reference | None
    rotation: Floats | None = None
    touch: Any = None  # force (t, position, velocity) that a sensor at the tool would see


class LawTable(Table):
    """Keys of every law: what it holds for the payload, and what stands behind it."""

    follows: ClassVar[Literal["joints", "tool", "nothing"]] = "joints"

    kind: str
    known_payload: NotNegative | None = None
    saturated: Numbers | None = None
    observer: Gain | None = None

    @abstractmethod
    def law(self, now: Situation) -> Law:
        """The law itself."""

    def made(self, now: Situation) -> Any:
        """The law with an observer around it and its torques cut off, where asked for."""
        law = self.law(now)
        if self.observer is not None:
            law = control.disturbance_observer(now.arm, law, matrix("observer", self.observer, law.n))
        if self.saturated is not None:
            law = control.saturated(law, vector("saturated", self.saturated, law.n, positive=True))
        return law


class OpenLoop(Table):
    """No feedback: torques that are held, of joints, or of motors with ``of = "motors"``."""

    follows: ClassVar[Literal["joints", "tool", "nothing"]] = "nothing"

    kind: str
    torque: Torque
    of: Literal["joints", "motors"] = "joints"
    known_payload: NotNegative | None = None

    def made(self, now: Situation) -> Any:
        if self.torque != "hold":
            return np.asarray(self.torque, dtype=np.float64)
        return now.arm.gravity(now.q0)


class PdTable(LawTable):
    Kp: Gain
    Kd: Gain


class PdGravity(PdTable):
    def law(self, now: Situation) -> Law:
        return control.pd_gravity(now.arm, self.Kp, self.Kd, _followed(now))


class PdPlus(PdTable):
    def law(self, now: Situation) -> Law:
        return control.pd_plus(now.arm, self.Kp, self.Kd, _followed(now))


class ComputedTorque(PdTable):
    def law(self, now: Situation) -> Law:
        return control.computed_torque(now.arm, self.Kp, self.Kd, _followed(now))


class Pid(PdTable):
    Ki: Gain
    gravity: StrictBool = False
    windup: Numbers | None = None
    feed_forward: StrictBool = False

    def law(self, now: Situation) -> Law:
        reference = _followed(now)
        law: Law = control.pid(now.arm, self.Kp, self.Ki, self.Kd, reference, gravity=self.gravity, windup=self.windup)
        return control.feed_forward(now.arm, reference) + law if self.feed_forward else law


class SlidingTable(LawTable):
    Lambda: Gain
    K: Gain


class PassivityBased(SlidingTable):
    def law(self, now: Situation) -> Law:
        return control.passivity_based(now.arm, self.Lambda, self.K, _followed(now))


class SlidingMode(SlidingTable):
    switching: Numbers
    boundary: Numbers

    def law(self, now: Situation) -> Law:
        return control.sliding_mode(now.arm, self.Lambda, self.K, self.switching, self.boundary, _followed(now))


class SlotineLi(SlidingTable):
    Gamma: Gain

    def law(self, now: Situation) -> Law:
        return control.slotine_li(now.arm, self.Lambda, self.K, self.Gamma, _followed(now))


class LyapunovRedesign(SlidingTable):
    payload: tuple[Number, Number] | None = None
    link_mass: Number = 0.0
    link_inertia: Number = 0.0
    disturbance: Numbers = 0.0
    boundary: Numbers
    disturbance_boundary: Numbers = 0.01

    def law(self, now: Situation) -> Law:
        unknown = control.Uncertainty(
            payload=self.payload,
            link_mass=self.link_mass,
            link_inertia=self.link_inertia,
            disturbance=self.disturbance,
        )
        return control.lyapunov_redesign(
            now.arm,
            self.Lambda,
            self.K,
            unknown,
            self.boundary,
            _followed(now),
            disturbance_boundary=self.disturbance_boundary,
        )


class OperationalSpace(PdTable):
    follows: ClassVar[Literal["joints", "tool", "nothing"]] = "tool"

    turning: tuple[Number, Number] = (100.0, 20.0)
    posture: Number = 5.0

    def law(self, now: Situation) -> Law:
        return self.inner(now)

    def inner(self, now: Situation) -> OperationalSpaceLaw:
        return control.operational_space(
            now.arm,
            self.Kp,
            self.Kd,
            _followed(now),
            rotation=now.rotation,
            turning=self.turning,
            posture=self.posture,
        )


class Impedance(LawTable):
    follows: ClassVar[Literal["joints", "tool", "nothing"]] = "tool"

    stiffness: Gain
    damping: Gain
    turning: tuple[Number, Number] = (50.0, 5.0)
    joint_damping: Gain = 1.0

    def law(self, now: Situation) -> Law:
        return control.impedance(
            now.arm,
            self.stiffness,
            self.damping,
            _followed(now),
            rotation=now.rotation,
            turning=self.turning,
            joint_damping=self.joint_damping,
        )


class Admittance(OperationalSpace):
    """Gives way to the forces of the scenario's wrenches and contacts, as a sensor at the tool measures them."""

    mass: Gain
    damping: Gain
    stiffness: Gain = 0.0

    def law(self, now: Situation) -> Law:
        return control.admittance(self.inner(now), self.mass, self.damping, self.stiffness, now.touch)


LAWS: dict[str, type[LawTable] | type[OpenLoop]] = {
    "torque": OpenLoop,
    "pd-gravity": PdGravity,
    "pd-plus": PdPlus,
    "pid": Pid,
    "computed-torque": ComputedTorque,
    "passivity-based": PassivityBased,
    "sliding-mode": SlidingMode,
    "slotine-li": SlotineLi,
    "lyapunov-redesign": LyapunovRedesign,
    "operational-space": OperationalSpace,
    "impedance": Impedance,
    "admittance": Admittance,
}


def _followed(now: Situation) -> Reference:
    assert now.reference is not None  # reading.py refuses a law of joints or tool without one
    return now.reference
