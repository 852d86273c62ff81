"""What is derived of an arm with its drives: motor torques of a motion and back, in states of joints or of motors.

Szkodny (8)-(12), exact: u_a = N^-T (M qdd + h) + friction, with rotors that feel their carriers turn; Kvrgic &
Vidakovic (77)-(79), with N^-T where the paper divides by k_i. Gears and couplings are linear, q_a = N q + offset, so
that motion goes from motors to joints and back; a linkage goes from joints to motors only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from torsor.algebra import symbols
from torsor.drives import pages
from torsor.drives.cycle import SpeedLimits, cycle
from torsor.drives.drives import Drives
from torsor.drives.friction import require_reversible
from torsor.drives.gearing import Gearing
from torsor.drives.motors import motor_speeds, require_bounded
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.asking import Traced, require_invertible
from torsor.mechanics.looped_tree import AnyTrees
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

DriveStates = Literal["joints", "motors"]
MotorGraphs = dict[str, Reals]
BY = "newton-euler, composite; drives"
MOTOR_UNITS = {
    "qa": "rad, motors",
    "qda": "rad/s, motors",
    "qdda": "rad/s^2, motors",
    "u": "N m, motors",
    "q_next": "as q, at the end of the cycle",
    "qd_next": "as qd, at the end of the cycle",
    "planned": "as qd, the speed planned for the cycle",
    "asked": "N m, motors: what the plan asks for",
    "reached": "N m, motors: what is given",
    "limited": "1 where the motor saturates, else 0",
    "slowed": "1 where the plan is faster than joint or motor may turn, else 0",
}


@dataclass(frozen=True, eq=False)
class MotorQuestion:
    """What is asked: on which trees, in whose states, with or without friction; ``dt`` is the cycle of a controller."""

    drives: Drives
    trees: AnyTrees  # of the drives, maybe with symbols
    states: DriveStates = "joints"
    friction: bool = True
    dt: float | None = None
    wrench: Reals | None = None  # at the tool, where it is an input

    @property
    def gearing(self) -> Gearing:
        return self.drives.gearing

    @property
    def mechanism(self) -> pages.Mechanism:
        return pages.Mechanism(self.trees.lean, self.gearing, self.drives.contacts if self.friction else ())

    @property
    def gravity(self) -> Reals:
        return self.trees.lean.gravity

    def back(self) -> tuple[Floats, Floats]:
        """N^-1 and the offsets of motors."""
        name = self.drives.model.name
        self.gearing.require_square()
        inverse = self.gearing.inverse
        if inverse is None:
            hint = 'ask for states="joints", which linkages turn into motion of motors'
            raise Unsupported(f"{name!r} has a linkage: motors do not say in closed form where joints are", hint=hint)
        return inverse, self.gearing.positions(np.zeros(self.drives.model.n))

    def of_motors(self, *rates: Reals) -> list[Reals]:
        """Joints of the position of motors, and of their rates."""
        inverse, offsets = self.back()
        moved = [np.asarray(each, dtype=object) for each in rates]
        moved[0] = moved[0] - offsets
        return [(inverse * each[None, :]).sum(axis=-1) for each in moved]

    def moving(self, count: int) -> tuple[MotorGraphs, list[Reals]]:
        """Inputs of so many of position, speed and acceleration, and the same of the joints."""
        if self.states == "joints":
            given = {name: symbols(name, self.drives.model.n) for name in ("q", "qd", "qdd")[:count]}
            return given, list(given.values())
        given = {name: symbols(name, self.drives.m) for name in ("qa", "qda", "qdda")[:count]}
        return given, self.of_motors(*given.values())


def _inverse_dynamics(ask: MotorQuestion) -> tuple[MotorGraphs, MotorGraphs]:
    ask.gearing.require_square()
    given, (q, qd, qdd) = ask.moving(3)
    return given, {"u": pages.torques(ask.mechanism, q, qd, qdd, ask.gravity, ask.wrench)[0]}


def _forward_dynamics(ask: MotorQuestion) -> tuple[MotorGraphs, MotorGraphs]:
    require_invertible(ask.drives.trees().plain)
    if ask.friction:
        require_reversible(ask.drives.contacts)
    given, (q, qd) = ask.moving(2)
    u = symbols("u", ask.drives.m)
    qdd = pages.forward(ask.mechanism, q, qd, u, ask.gravity, ask.wrench)
    if ask.states == "joints":
        return {**given, "u": u}, {"qdd": qdd}
    return {**given, "u": u}, {"qdda": ask.gearing.rates(q, qdd)}


def _mass_matrix(ask: MotorQuestion) -> tuple[MotorGraphs, MotorGraphs]:
    given, (q,) = ask.moving(1)
    M = ask.trees.lean.mass_matrix(q)
    if ask.states == "motors":
        inverse, _ = ask.back()
        M = inverse.T @ M @ inverse
    return given, {"M": M}


def _gravity(ask: MotorQuestion) -> tuple[MotorGraphs, MotorGraphs]:
    ask.gearing.require_square()
    given, (q,) = ask.moving(1)
    still = np.zeros(ask.drives.model.n)
    return given, {"u": ask.gearing.to_motors(q, ask.trees.lean.inverse_dynamics(q, still, still, ask.gravity))}


def _motor_motion(ask: MotorQuestion) -> tuple[MotorGraphs, MotorGraphs]:
    """q_a, qd_a = N qd and qdd_a = N qdd + qd^T (d2q_a/dq2) qd."""
    given = {name: symbols(name, ask.drives.model.n) for name in ("q", "qd", "qdd")}
    q, qd, qdd = given.values()
    bent = []
    for transmission in ask.gearing.transmissions:
        curvature = transmission.curvature(q)
        bent.append(0.0 if curvature is None else (curvature * qd[:, None] * qd[None, :]).sum())
    accelerations = ask.gearing.rates(q, qdd) + np.array(bent, dtype=object)
    return given, {"qa": ask.gearing.positions(q), "qda": ask.gearing.rates(q, qd), "qdda": accelerations}


def _joint_motion(ask: MotorQuestion) -> tuple[MotorGraphs, MotorGraphs]:
    """q = N^-1 (q_a - offset), and the same of the rates."""
    given = {name: symbols(name, ask.drives.m) for name in ("qa", "qda", "qdda")}
    return given, dict(zip(("q", "qd", "qdd"), ask.of_motors(*given.values()), strict=True))


def _achievable_motion(ask: MotorQuestion) -> tuple[MotorGraphs, MotorGraphs]:
    """One cycle of Algorithm 1 (`cycle.py`)."""
    drives = ask.drives
    if ask.dt is None or not ask.dt > 0.0:
        raise ShapeError(f"dt is {ask.dt}", hint="achievable motion needs the cycle of the controller in s, above zero")
    if not ask.friction:
        raise Unsupported("achievable motion is with the friction there is", hint="leave friction=False out")
    if ask.states != "joints":
        raise Unsupported("achievable motion is in states of joints", hint='leave states="motors" out')
    ask.gearing.require_square()
    require_reversible(drives.contacts)
    require_bounded(drives.model)
    given = {name: symbols(name, drives.model.n) for name in ("q", "qd", "planned")}
    limits = SpeedLimits(drives.joint_speed_limits(), motor_speeds(drives.model))
    q, qd, planned = given.values()
    found = cycle(ask.mechanism, limits, ask.dt, q, qd, planned, ask.gravity, ask.wrench)
    return given, {"q_next": found.pop("q1"), "qd_next": found.pop("qd1"), **found}


ACHIEVABLE = "achievable_motion"
PUSHED = ("inverse_dynamics", "forward_dynamics", ACHIEVABLE)  # what a wrench at the tool changes
MOTOR_QUANTITIES: Mapping[str, Callable[[MotorQuestion], tuple[MotorGraphs, MotorGraphs]]] = {
    "inverse_dynamics": _inverse_dynamics,
    "forward_dynamics": _forward_dynamics,
    "mass_matrix": _mass_matrix,
    "gravity": _gravity,
    "motor_motion": _motor_motion,
    "joint_motion": _joint_motion,
    ACHIEVABLE: _achievable_motion,
}


def traced_motors(ask: MotorQuestion, quantity: str) -> Traced:
    """Graphs of a motor quantity; of loops without a closed form with the guess that they take."""
    given, found = MOTOR_QUANTITIES[quantity](ask)
    outputs: dict[str, Any] = {name: np.asarray(value, dtype=object) for name, value in found.items()}
    by = {"motor_motion": "gears", "joint_motion": "gears", ACHIEVABLE: "algorithm 1, corrected"}.get(quantity, BY)
    if quantity in ("motor_motion", "joint_motion"):
        return Traced(given, outputs, by)
    pushed = {} if ask.wrench is None else {"wrench": ask.wrench}
    return Traced({**given, **pushed, **ask.trees.plain.taken()}, outputs, by)
