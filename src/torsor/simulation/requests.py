"""What is asked of a run, understood; what cannot be is refused by name before anything is stepped."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.arguments import floats
from torsor.model.transforms import Floats
from torsor.simulation.parameter_values import ParameterValues
from torsor.simulation.plant import FARTHEST, FASTEST
from torsor.simulation.setting import is_number

SHARE = 0.5  # of the machine's memory that the states of a run may take
LONGEST = 1e11  # steps: at a microsecond each more than a day


def steps_of(dt: Any, until: Any, every: Any, threads: Any) -> int:
    """Steps of ``dt``, a whole number of stretches of ``every``: the end lies where it is nearest to ``until``."""
    for word, value in (("dt", dt), ("until", until)):
        if not is_number(value) or not np.isfinite(value) or not value > 0.0:
            raise ShapeError(f"{word} is {value!r}", hint="seconds, above zero")
    if not isinstance(every, int | np.integer) or isinstance(every, bool) or every < 1:
        raise ShapeError(f"every is {every!r}", hint="a whole number of steps, 1 or more")
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise ShapeError(f"threads is {threads!r}", hint="1 or more; without a word all cores")
    if not float(until) / float(dt) <= LONGEST:
        text = f"until {until:g} s there are {float(until) / float(dt):.3g} steps of dt = {dt:g} s"
        raise ShapeError(text, hint=f"at most {LONGEST:g}: dt from {until / LONGEST:.2g} s on, or an earlier end")
    stretches = round(float(until) / (float(dt) * int(every)))
    if stretches < 1:
        raise ShapeError(f"until is {until}", hint=f"at least one state of {every} steps of {dt} s")
    return stretches * int(every)


def states_of(arm: Arm, q0: ArrayLike, qd0: ArrayLike | None) -> tuple[Floats, Floats]:
    joints = f"{arm.name!r} has {arm.n} joints"
    q = floats("q0", q0, arm.n, joints)
    qd = np.zeros(arm.n) if qd0 is None else floats("qd0", qd0, arm.n, joints)
    for word, array in (("q0", q), ("qd0", qd)):
        if array.ndim > 2 or not array.size:
            raise ShapeError(f"{word} has shape {array.shape}", hint=f"({arm.n},), or (N, {arm.n}) for N rollouts")
        if not np.isfinite(array).all():
            raise ShapeError(f"{word} holds something that is no number: {array}")
    for word, array, most in (("q0", q, FARTHEST), ("qd0", qd, FASTEST)):
        if not (np.abs(array) < most).all():
            joint = arm.joint_names[int(np.argmax(np.abs(array).reshape(-1, arm.n).max(axis=0)))]
            raise ShapeError(f"{word} of {joint} is {np.abs(array).max():g}", hint=f"less than {most:g}, in rad and s")
    return q, qd


def rollouts_of(q: Floats, qd: Floats, values: ParameterValues, bent: Mapping[str, Floats]) -> int | None:
    """How many, None for a single run."""
    given = {"q0": q, "qd0": qd, **bent, "parameters": values.flat}
    sizes = {word: len(array) for word, array in given.items() if array.ndim > 1}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{word} for {size}" for word, size in sizes.items())
        raise ShapeError(f"rollouts do not agree: {listed}", hint="one number of rollouts for all")
    return next(iter(sizes.values()), None)


def check_memory(states: int, lanes: int | None, width: int, every: int) -> None:
    """Refuses a run whose states, each of ``width`` numbers kept in up to three places, do not fit the machine."""
    wanted, most = 24.0 * states * (lanes or 1) * width, SHARE * _memory()
    if wanted > most:
        each = "" if lanes is None else f" of each of {lanes} rollouts"
        sizes = f"take {wanted / 2**30:.3g} GB of {_memory() / 2**30:.3g} GB that are there"
        hint = f"keep fewer, every={every * int(np.ceil(wanted / most))}, or end sooner"
        raise Unsupported(f"{states:.3g} states{each} {sizes}", hint=hint)


def beyond_at_start(names: Sequence[str], q: Floats, lower: Floats, upper: Floats, limits: Any) -> list[str]:
    """What is said of joints that start beyond their limits, which no run reaches from inside then."""
    outside = np.reshape((q < lower) | (q > upper), (-1, len(names))).any(axis=0)
    if limits not in ("stop", "report") or not outside.any():
        return []
    joints = ", ".join(names[j] for j in np.flatnonzero(outside).tolist())
    return [f"beyond a position limit at the start: {joints}; it is met only where it is passed from inside"]


def _memory() -> float:
    """Of the machine, in bytes; 16 GB where it does not say."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 16.0 * 2**30
