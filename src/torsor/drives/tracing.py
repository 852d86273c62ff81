"""The quantities of drives as traces: which page, on which tree, with what as inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.drives import pages
from torsor.drives.cycle import Limits, cycle, published_contacts
from torsor.drives.friction import require_reversible
from torsor.drives.motors import motor_speeds, speed_limits
from torsor.mechanics.driven_tree import inverse_dynamics, mass_matrix
from torsor.mechanics.quantities import require_invertible
from torsor.mechanics.tree import Array

if TYPE_CHECKING:
    from torsor.drives.drives import Drives

Outputs = dict[str, Any]
States = Sequence[Any]


def mechanism(drives: Drives, *, friction: bool = True) -> pages.Mechanism:
    return pages.Mechanism(drives.trees().lean, drives.gearing, drives.contacts if friction else ())


def _torques(drives: Drives, states: States, gravity: Array, wrench: Array | None, *, friction: bool) -> Outputs:
    q, qd, x = states
    u, _ = pages.torques(mechanism(drives, friction=friction), q, qd, x, gravity, wrench)
    return {"u": u}


def _split(drives: Drives, states: States, gravity: Array, wrench: Array | None) -> Outputs:
    """Joint torques that move the links, which load the gears, and those that turn the rotors themselves."""
    q, qd, x = states
    links, rotors = pages.split_torques(drives.trees().lean, q, qd, x, gravity, wrench)
    return {"links": links, "rotors": rotors}


def _published(drives: Drives, states: States, gravity: Array, wrench: Array | None, *, dt: float) -> Outputs:
    q, qd, x = states
    links = pages.Mechanism(drives.trees(False).lean, drives.gearing, ())
    return {"u": pages.torques_as_published(links, dt, q, qd, x, gravity, wrench)}


def _forward(drives: Drives, states: States, gravity: Array, wrench: Array | None, *, friction: bool) -> Outputs:
    q, qd, x = states
    require_invertible(drives.trees().plain)
    if friction:
        require_reversible(drives.contacts)
    return {"qdd": pages.forward(mechanism(drives, friction=friction), q, qd, x, gravity, wrench)}


def _mass(drives: Drives, states: States, gravity: Array, wrench: Array | None) -> Outputs:
    return {"M": mass_matrix(drives.trees().lean, *states)}


def _power(drives: Drives, states: States, gravity: Array, wrench: Array | None) -> Outputs:
    q, qd, x = states
    u, lost = pages.torques(mechanism(drives), q, qd, x, gravity, wrench)
    tree = drives.trees().lean
    tau = inverse_dynamics(tree, q, qd, x, gravity, wrench)
    return {"u": u, "lost": lost, "tau": tau, "unloaded": inverse_dynamics(tree, q, qd, x, gravity)}


def _cycle(
    drives: Drives,
    states: States,
    gravity: Array,
    wrench: Array | None,
    *,
    dt: float,
    variant: str,
    kind: str,
    speeds: str,
    catch_up: bool,
) -> Outputs:
    q, qd, planned, target = states
    at = mechanism(drives)
    require_reversible(drives.contacts)
    if kind == "as-published":
        at = pages.Mechanism(drives.trees("reduced").lean, drives.gearing, ())
        at = replace(at, contacts=published_contacts(at))
    joints, of_motors = speed_limits(drives.model), np.full(drives.m, np.inf)
    if speeds == "both":
        joints, of_motors = drives.joint_speed_limits(), motor_speeds(drives.model)
    aim = (target - q) * (1.0 / dt) if catch_up else planned
    limits = Limits(joints, of_motors)
    return cycle(at, limits, dt, q, qd, aim, gravity, wrench, as_published=variant == "as-published")


PAGES: Mapping[str, Callable[..., Outputs]] = {
    "torques": _torques,
    "split": _split,
    "published": _published,
    "forward": _forward,
    "mass": _mass,
    "power": _power,
    "cycle": _cycle,
}
STATES: Mapping[str, tuple[str, ...]] = {
    "torques": ("q", "qd", "qdd"),
    "split": ("q", "qd", "qdd"),
    "published": ("q", "qd", "qdd"),
    "forward": ("q", "qd", "u"),
    "mass": ("q",),
    "power": ("q", "qd", "qdd"),
    "cycle": ("q", "qd", "planned", "target"),
}
