"""What is asked of a simulation, understood; what cannot be is refused by name before anything is traced."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.model.transforms import Floats
from torsor.simulation.choosing import CHOICES
from torsor.simulation.events import Event
from torsor.simulation.plant import PAYLOAD
from torsor.simulation.surroundings import Buffers

SHARE = 0.5  # of the machine's memory that the states of a run may take
LIMITS = ("stop", "report", "ignore")


def steps_of(dt: Any, until: Any, every: Any) -> int:
    """Steps of ``dt``, a whole number of stretches of ``every``: the end lies where it is nearest to ``until``."""
    for word, value in (("dt", dt), ("until", until)):
        if not _is_number(value) or not np.isfinite(value) or not value > 0.0:
            raise ShapeError(f"{word} is {value!r}", hint="seconds, above zero")
    if not isinstance(every, int | np.integer) or isinstance(every, bool) or every < 1:
        raise ShapeError(f"every is {every!r}", hint="a whole number of steps, 1 or more")
    stretches = round(float(until) / (float(dt) * int(every)))
    if stretches < 1:
        raise ShapeError(f"until is {until}", hint=f"at least one state of {every} steps of {dt} s")
    return stretches * int(every)


def check_words(integrator: Any, torques: Any, tolerance: Any, limits: Any, threads: Any) -> None:
    if integrator is not None and integrator not in CHOICES:
        raise Unsupported(f"there is no integrator {integrator!r}", hint=did_you_mean(str(integrator), CHOICES))
    if torques not in ("motor", "joint"):
        raise Unsupported(f"torques is {torques!r}", hint=did_you_mean(str(torques), ["motor", "joint"]))
    if tolerance is not None and (not _is_number(tolerance) or not 0.0 < tolerance < 1.0):
        raise ShapeError(f"tolerance is {tolerance!r}", hint="above zero and below one, 1e-9 for instance")
    if tolerance is not None and integrator not in (None, "dormand-prince", "rosenbrock"):
        raise Unsupported(f"{integrator} steps by dt and has no tolerance", hint="dormand-prince and rosenbrock do")
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise ShapeError(f"threads is {threads!r}", hint="1 or more; without a word all cores")
    if not isinstance(limits, Buffers) and limits not in LIMITS:
        hint = did_you_mean(str(limits), LIMITS) + ", or Buffers(stiffness, damping)"
        raise Unsupported(f"limits is {limits!r}", hint=hint)


def events_of(events: Any) -> tuple[Event, ...]:
    """One event, or several."""
    several = (events,) if isinstance(events, Event) else events
    if not isinstance(several, Sequence):
        raise ShapeError(f"events is {events!r:.60}", hint="a list of Event(name, when)")
    for event in several:
        if not isinstance(event, Event):
            raise ShapeError(f"{event!r:.60} is no event", hint="give Event(name, when) with when(t, q, qd)")
    return tuple(several)


def weight_of(arm: Arm, gravity: ArrayLike | None) -> tuple[float, ...] | None:
    """Gravity in base axes."""
    if gravity is None:
        return None
    given = floats("gravity", gravity, 3, "in world axes")
    if given.ndim != 1 or not np.isfinite(given).all():
        raise ShapeError(f"gravity is {given}", hint="(3,) in m/s^2, in world axes")
    return tuple((given @ arm.model.base[:3, :3]).tolist())


def payloads_of(payload: ArrayLike | None, dt: float, steps: int) -> tuple[dict[int, dict[str, float]], Any]:
    """Masses from a step on, and the first one."""
    if payload is None:
        return {}, None
    hint = "a mass in kg, or pairs (time, mass) with rising times; zero or more"
    try:
        pairs = np.asarray(payload, dtype=np.float64)
    except (TypeError, ValueError):
        raise ShapeError(f"payload is {payload!r:.60}", hint=hint) from None
    if pairs.ndim == 0:
        pairs = np.array([[0.0, float(pairs)]])
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ShapeError(
            f"payload has shape {pairs.shape}", hint=f"{hint}; for each rollout: parameters={{'payload': masses}}"
        )
    if not (pairs >= 0.0).all() or not np.isfinite(pairs).all() or (np.diff(pairs[:, 0]) <= 0.0).any():
        raise ShapeError(f"payload is {payload!r:.60}", hint=hint)
    first = 0.0 if pairs[0, 0] > 0.0 else pairs[0, 1]
    return {round(t / dt): {PAYLOAD: m} for t, m in pairs.tolist() if 0 < round(t / dt) < steps}, first


def states_of(arm: Arm, q0: ArrayLike, qd0: ArrayLike | None) -> tuple[Floats, Floats]:
    joints = f"{arm.name!r} has {arm.n} joints"
    q = floats("q0", q0, arm.n, joints)
    qd = np.zeros(arm.n) if qd0 is None else floats("qd0", qd0, arm.n, joints)
    for word, array in (("q0", q), ("qd0", qd)):
        if array.ndim > 2 or not array.size:
            raise ShapeError(f"{word} has shape {array.shape}", hint=f"({arm.n},), or (N, {arm.n}) for N rollouts")
        if not np.isfinite(array).all():
            raise ShapeError(f"{word} holds something that is no number: {array}")
    return q, qd


def check_memory(states: int, lanes: int | None, width: int, every: int) -> None:
    """Refuses a run whose states, each of ``width`` numbers kept in up to three places, do not fit the machine."""
    wanted, most = 24.0 * states * (lanes or 1) * width, SHARE * _memory()
    if wanted > most:
        each = "" if lanes is None else f" of each of {lanes} rollouts"
        raise Unsupported(
            f"{states:.3g} states{each} take {wanted / 2**30:.3g} GB of {_memory() / 2**30:.3g} GB that are there",
            hint=f"keep fewer, every={every * int(np.ceil(wanted / most))}, or end sooner",
        )


def beyond_at_start(names: Sequence[str], q: Floats, lower: Floats, upper: Floats, limits: Any) -> list[str]:
    """What is said of joints that start beyond their limits, which no run reaches from inside then."""
    outside = np.reshape((q < lower) | (q > upper), (-1, len(names))).any(axis=0)
    if limits not in ("stop", "report") or not outside.any():
        return []
    joints = ", ".join(names[j] for j in np.flatnonzero(outside).tolist())
    return [f"beyond a position limit at the start: {joints}; it is met only where it is passed from inside"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _memory() -> float:
    """Of the machine, in bytes; 16 GB where it does not say."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 16.0 * 2**30
