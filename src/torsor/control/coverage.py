"""What a certificate covers. Outside of what was stated there is no promise, and the tool says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.control.gains import SAME, numbers, vector
from torsor.control.reference import Reference, as_reference
from torsor.errors import Unsupported, did_you_mean
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.control.designing import Design

TIMES = 2001  # at which a reference is looked at
ROUNDING = 1e-9  # the promise is kept by this share even if the last digits of the arithmetic are wrong


def reasons(design: Design, **case: Any) -> list[str]:
    """Why a case is not covered; see ``Design.covers``."""
    known = {
        "payload": _payload,
        "com": _com,
        "gyration": _gyration,
        "link_mass": _share,
        "link_inertia": _share,
        "disturbance": _disturbance,
        "reference": _reference,
        "q": _position,
    }
    found: list[str] = []
    for name, value in case.items():
        if name not in known:
            raise Unsupported(f"there is no case {name!r}", hint=did_you_mean(name, known))
        found += known[name](design, value, name)
    return found


def _payload(design: Design, value: float, name: str) -> list[str]:
    mass = float(vector("payload", value, 1)[0])
    own = design.arm.model.payload
    low, high = design.uncertainty.payload or (0.0 if own is None else own.mass,) * 2
    if low <= mass <= high:
        return []
    return [f"a payload of {mass:g} kg is outside the stated {low:g} to {high:g} kg"]


def _com(design: Design, value: ArrayLike, name: str) -> list[str]:
    off = np.abs(vector("com", value, 3) - vector("com", design.uncertainty.com, 3))
    if (off <= vector("com_spread", design.uncertainty.com_spread, 3) + SAME).all():
        return []
    return [f"a payload {off.max():g} m off its stated place is further than the stated spread"]


def _gyration(design: Design, value: float, name: str) -> list[str]:
    radius = float(vector("gyration", value, 1)[0])
    stated = design.uncertainty.gyration
    return [] if radius <= stated else [f"a radius of gyration of {radius:g} m is above the stated {stated:g} m"]


def _share(design: Design, value: ArrayLike, name: str) -> list[str]:
    stated = float(getattr(design.uncertainty, name))
    most = float(np.abs(numbers(name, value)).max())
    words = name.replace("_", " ")
    return [] if most <= stated else [f"a {words} off by {100 * most:g} % is beyond the stated {100 * stated:g} %"]


def _disturbance(design: Design, value: ArrayLike, name: str) -> list[str]:
    given = np.abs(vector("disturbance", value, design.arm.n))
    over = np.flatnonzero(given > design.family.directions.disturbance)
    stated = design.family.directions.disturbance
    return [
        f"{given[i]:g} N m on {design.arm.joint_names[i]} are more than the stated {stated[i]:g} N m" for i in over[:1]
    ]


def _position(design: Design, value: ArrayLike, name: str) -> list[str]:
    return _outside(design, numbers("q", value))


def _reference(design: Design, value: Reference | ArrayLike, name: str) -> list[str]:
    reference = as_reference(value, design.arm.n)
    n = design.arm.n
    # beyond its end a reference rests; a wave repeats
    end = reference.duration if np.isfinite(reference.duration) else 100.0
    q, qd, qdd = (np.broadcast_to(part, (TIMES, n)) for part in reference.at(np.linspace(0.0, end, TIMES)))
    found = _outside(design, q)
    limits = (
        ("speed", qd, vector("speed", design.performance.speed, n), "rad/s"),
        ("acceleration", qdd, vector("acceleration", design.performance.acceleration, n), "rad/s^2"),
    )
    for word, rates, most, unit in limits:
        peak = np.abs(rates).max(axis=0)
        i = int(np.argmax(peak / most))
        if peak[i] > most[i] * (1.0 + ROUNDING):
            joint = design.arm.joint_names[i]
            found.append(f"its {word} of {peak[i]:.4g} {unit} on {joint} is above the stated {most[i]:g} {unit}")
    return found


def _outside(design: Design, q: Floats) -> list[str]:
    lo, hi = design.workspace.T
    off = np.maximum(lo - q, q - hi).reshape(-1, design.arm.n).max(axis=0)
    i = int(np.argmax(off))
    if off[i] <= SAME:
        return []
    return [f"{design.arm.joint_names[i]} leaves the stated workspace {lo[i]:.4g} to {hi[i]:.4g} by {off[i]:.4g} rad"]
