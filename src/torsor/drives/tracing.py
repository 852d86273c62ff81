"""The quantities of drives as traces: which page, on which tree, with what as inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.drives import pages
from torsor.drives.cycle import SpeedLimits, published_contacts
from torsor.drives.cycle import cycle as one_cycle
from torsor.drives.friction import require_reversible
from torsor.drives.motors import motor_speeds, speed_limits
from torsor.emit import Page
from torsor.mechanics.asking import OWN, require_invertible
from torsor.mechanics.loops import GUESS
from torsor.mechanics.quantity import Options
from torsor.mechanics.tree import Reals

if TYPE_CHECKING:
    from torsor.drives.drives import Drives


Outputs = dict[str, Any]


def mechanism(drives: Drives, *, friction: bool = True) -> pages.Mechanism:
    return pages.Mechanism(drives.trees().lean, drives.gearing, drives.contacts if friction else ())


def torques(drives: Drives, o: Options, q: Reals, qd: Reals, qdd: Reals, *, friction: bool) -> Outputs:
    u, _ = pages.torques(mechanism(drives, friction=friction), q, qd, qdd, o.gravity, o.wrench)
    return {"u": u}


def split(drives: Drives, o: Options, q: Reals, qd: Reals, qdd: Reals) -> Outputs:
    """Joint torques that move the links, which load the gears, and those that turn the rotors themselves."""
    links, rotors = pages.split_torques(drives.trees().lean, q, qd, qdd, o.gravity, o.wrench)
    return {"links": links, "rotors": rotors}


def published(drives: Drives, o: Options, q: Reals, qd: Reals, qdd: Reals, *, dt: float) -> Outputs:
    links = pages.Mechanism(drives.trees(False).lean, drives.gearing, ())
    return {"u": pages.torques_as_published(links, dt, q, qd, qdd, o.gravity, o.wrench)}


def forward(drives: Drives, o: Options, q: Reals, qd: Reals, u: Reals, *, friction: bool) -> Outputs:
    require_invertible(drives.trees().plain)
    if friction:
        require_reversible(drives.contacts)
    return {"qdd": pages.forward(mechanism(drives, friction=friction), q, qd, u, o.gravity, o.wrench)}


def mass(drives: Drives, o: Options, q: Reals) -> Outputs:
    return {"M": drives.trees().lean.mass_matrix(q)}


def power(drives: Drives, o: Options, q: Reals, qd: Reals, qdd: Reals) -> Outputs:
    u, lost = pages.torques(mechanism(drives), q, qd, qdd, o.gravity, o.wrench)
    tree = drives.trees().lean
    tau = tree.inverse_dynamics(q, qd, qdd, o.gravity, o.wrench)
    return {"u": u, "lost": lost, "tau": tau, "unloaded": tree.inverse_dynamics(q, qd, qdd, o.gravity)}


def cycle(
    drives: Drives, o: Options, q: Reals, qd: Reals, planned: Reals, target: Reals, *, dt: float, variant: str,
    kind: str, speeds: str, catch_up: bool,
) -> Outputs:  # fmt: skip
    at = mechanism(drives)
    require_reversible(drives.contacts)
    if kind == "as-published":
        at = pages.Mechanism(drives.trees("reduced").lean, drives.gearing, ())
        at = replace(at, contacts=published_contacts(at))
    limits = SpeedLimits(speed_limits(drives.model), np.full(drives.m, np.inf))
    if speeds == "both":
        limits = SpeedLimits(drives.joint_speed_limits(), motor_speeds(drives.model))
    aim = (target - q) * (1.0 / dt) if catch_up else planned
    return one_cycle(at, limits, dt, q, qd, aim, o.gravity, o.wrench, as_published=variant == "as-published")


def closing(drives: Drives, o: Options, q: Reals) -> Outputs:
    """Of loops without a closed form: a guess brought nearer to where they close, and squares of what it left open."""
    tree = drives.trees().plain
    guess, left = tree.closing(q, tree.taken()[GUESS])
    return {"guess1": guess, "gap": np.array([left])}


# By name; what each takes stands in its signature: states of the size of q (u: of the motors), then options.
DRIVE_PAGES = torques, split, published, forward, mass, power, cycle, closing
PAGES: Mapping[str, Callable[..., Outputs]] = {page.__name__: page for page in DRIVE_PAGES}


def page_of(drives: Drives, name: str, *, gravity: bool, wrench: bool, **options: Any) -> Page:
    page = PAGES[name]
    states = [word for word in list(signature(page).parameters)[2:] if word not in options]
    inputs = {state: drives.m if state == "u" else drives.model.n for state in states}
    inputs |= {each: size for each, size in OWN.items() if {"gravity": gravity, "wrench": wrench}[each]}

    def trace(*arrays: Reals) -> tuple[Outputs, Outputs]:
        given = dict(zip(inputs, arrays, strict=True))
        load = Options(given.get("gravity", drives.trees().plain.gravity), given.get("wrench"))
        return drives.trees().plain.taken(), page(drives, load, *arrays[: len(states)], **options)

    return Page(f"{drives.model.name}_drives_{name}", inputs, trace, (name, options, *drives.facts))
