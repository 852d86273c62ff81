"""What is found when an arm is looked over: what works, what is worth knowing, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, pi
from typing import Literal

import numpy as np

from torsor.arm import Arm
from torsor.model import Model

STATES = 200


@dataclass(frozen=True)
class Finding:
    """``ok``: as it should be; ``note``: works, but worth knowing; ``warn``: data no body has, or something refused."""

    verdict: Literal["ok", "note", "warn"]
    text: str


def findings(arm: Arm) -> list[Finding]:
    return [*_physical(arm.model), *_inertia(arm), *_speeds(arm.model)]


def _physical(model: Model) -> Iterator[Finding]:
    impossible = model.nonphysical()
    for name, problems in impossible.items():
        yield Finding("warn", f"{name}: {'; '.join(problems)}; accepted because the file says allow_nonphysical = true")
    if not impossible:
        yield Finding("ok", "masses and inertias are those of real bodies")
    massless = [link.name for link in model.links if link.mass is not None and link.mass.is_none and link.joint.moves]
    if massless:
        yield Finding("note", f"massless: {', '.join(massless)}")


def _inertia(arm: Arm) -> Iterator[Finding]:
    """Every joint must move some mass, else forward dynamics have no answer."""
    if missing := arm.model.links_without_inertia:
        yield Finding("warn", f"no inertia given for {', '.join(missing)}: kinematics work, dynamics are refused")
        return
    tree = arm.tree
    M = tree.reference.mass_matrix(np.random.default_rng(0).uniform(-pi, pi, (STATES, tree.n)))
    if not np.isfinite(M).all():
        yield Finding("warn", "mass matrix overflows: lengths, masses or inertias are far too large")
        return
    least, largest = np.linalg.eigvalsh(M)[:, [0, -1]].T
    if np.all(least > 1e-12 * largest):
        condition = largest / least
        where = "of the open tree " if arm.model.loops else ""
        span = f"condition {condition.min():.3g} to {condition.max():.3g}"
        yield Finding("ok", f"mass matrix {where}positive definite in {STATES} random poses, {span}")
    else:
        yield Finding("warn", "mass matrix singular: a joint moves no mass, so forward dynamics are refused")


def _speeds(model: Model) -> Iterator[Finding]:
    """A joint is no faster than its motors let it: |row of N| qd <= motor speed."""
    drives = [drive for drive in model.drives if drive.motor.speed is not None]
    for k, link in enumerate(model.independent):
        allowed = [(float(drive.motor.speed / abs(drive.ratio[k])), drive.name) for drive in drives if drive.ratio[k]]
        least, motor = min(allowed, default=(inf, ""))
        limit = link.joint.limits.speed
        if limit is not None and least < limit * (1 - 1e-2):
            given = f"more than {motor} gives ({least:.5g}): the smaller holds"
            yield Finding("note", f"{link.joint.name}: speed limit {limit:.5g} rad/s is {given}")
