"""Friction of drives and joints, as torques against a rate. Traceable.

F = (F_c + (F_s - F_c) exp(-(v / v_s)^2) + mu |load|) sign(v) + k v, levels by direction. At v = 0 sign(v) is 0: inverse
dynamics then have no friction, because at rest it is whatever holds (`torsor.simulation` finds it).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.algebra.functions import absolute, exp, less, select
from torsor.drives.gearing import Gearing
from torsor.errors import Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.model import Model
from torsor.model.parts import DriveFriction


@dataclass(frozen=True)
class Contact:
    """Where friction acts: at the shaft of a motor, or at a joint."""

    law: DriveFriction
    motor: int | None  # which motor's shaft ...
    joint: int  # ... or which joint (of a motor's shaft: the joint it drives most)

    @property
    def name(self) -> str:
        return f"joint {self.joint + 1}" if self.motor is None else f"motor {self.motor + 1}"

    def pick(self, of_motors: Reals, of_joints: Reals) -> Any:
        """Its own entry of what is known at motors and at joints."""
        return of_joints[..., self.joint] if self.motor is None else of_motors[..., self.motor]


def contacts_of(model: Model) -> tuple[Contact, ...]:
    """All friction of an arm that is not zero: that of the drives, on their side, and that of the joints."""
    joints = Gearing(model).main_joints
    found = [
        Contact(drive.friction, None if drive.friction.side == "joint" else k, joints[k])
        for k, drive in enumerate(model.drives)
        if acts(drive.friction)
    ]
    for j, link in enumerate(model.independent):
        own = link.joint.friction
        law = DriveFriction(side="joint", viscous=own.viscous, coulomb=(own.coulomb, own.coulomb))
        if acts(law):
            found.append(Contact(law, None, j))
    return tuple(found)


def require_reversible(contacts: tuple[Contact, ...]) -> None:
    """Refuses motion of gears that lock themselves: with mu >= 1 the acceleration need not exist (Painleve)."""
    for contact in contacts:
        if contact.law.load >= 1.0:
            text = f"{contact.name} has load friction {contact.law.load:g}: a gear that locks itself"
            raise Unsupported(text, hint="motion can be computed for load friction below 1")


def acts(law: DriveFriction) -> bool:
    return bool(law.viscous or law.load or any(law.coulomb) or any(law.starting or ()))


def dry(law: DriveFriction, v: Any, direction: Any) -> Any:
    """Size of the dry part in motion, without load, zero or more."""
    forward, backward = law.coulomb
    level = _by_direction(forward, backward, direction)
    if law.stribeck is not None and law.starting is not None:
        above = _by_direction(law.starting[0] - forward, law.starting[1] - backward, direction)
        ratio = v * (1.0 / law.stribeck)
        level = level + above * exp(-(ratio * ratio))
    return level


def holding(law: DriveFriction) -> tuple[float, float]:
    """What it can hold at rest without load: against motion forward, and backward."""
    return law.coulomb if law.starting is None else law.starting


def moving(law: DriveFriction, v: Any, direction: Any, load: Any) -> Any:
    """F at rate v. ``direction`` is sign(v), or the direction it is about to move in."""
    size = dry(law, v, direction)
    if law.load:
        size = size + law.load * absolute(load)
    return size * direction + law.viscous * v


def _by_direction(forward: float, backward: float, direction: Any) -> Any:
    if forward == backward:
        return forward
    return select(less(direction, 0.0), backward, forward)


def stacked(values: list[Any]) -> Reals:
    return np.stack(np.broadcast_arrays(*values), axis=-1) if values else np.zeros(0)
