"""Which solution of a pose has the configuration that a program asks for: conditions on joints, such as quadrants."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import degrees, floor, inf, pi

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm

JointConditions = tuple[tuple[int, float, float], ...]
MARGIN = 5e-3  # rad: as far outside as a taught point that is on the edge may be


def configured(
    arm: AnyArm, T: Floats, now: Floats, within: JointConditions, is_allowed: Callable[[Floats], bool] = lambda _: True
) -> tuple[Floats | None, str]:
    """The arm's joints that meet the conditions, nearest to ``now``; else none, and what is wrong with the others.

    ``is_allowed``: whether joints are in their ranges; those that are not do not come into question. Arms without a
    formula for all solutions have no configurations to choose from: none, and nothing said.
    """
    asked = [each for each in within if each[0] < arm.n]
    try:
        options = arm.inverse_kinematics(T)
    except TorsorError:
        return None, ""
    if not asked or len(options) == 0 or all(name.startswith("solution") for name in options.names):
        return None, ""
    turned = [q for option in options for q in _turned(np.asarray(option), asked, now)]
    found = [q for q in turned if is_allowed(q)]
    if found:
        return min(found, key=lambda q: float(np.abs(q - now).sum())), ""
    others = [q for q in map(np.asarray, options) if is_allowed(q)] or [*map(np.asarray, options)]
    closest = min(others, key=lambda q: float(np.abs(np.angle(np.exp(1j * (q - now)))).sum()))
    wanted = ", ".join(f"joint {k + 1} {_range(low, high)}" for k, low, high in asked)
    which = "no solution within the limits of the joints" if turned else "no solution"
    text = f"{which} has the configuration that is asked for ({wanted}); the nearest has {_has(closest, asked)}"
    return None, text + _would_do(closest, asked)


def missed(q: Floats, within: JointConditions) -> str:
    """What joints at the end of a line have, where that is not the configuration that is asked for; "" where it is."""
    asked = [each for each in within if each[0] < len(q)]
    if all(low - MARGIN <= q[k] <= high + MARGIN for k, low, high in asked):
        return ""
    wanted = ", ".join(f"joint {k + 1} {_range(low, high)}" for k, low, high in asked)
    text = f"ends in another configuration ({_has(q, asked)}) than is asked for ({wanted})"
    return text + _would_do(q, asked)


def _has(q: Floats, asked: list[tuple[int, float, float]]) -> str:
    return ", ".join(f"{degrees(float(q[k])):.1f}" for k, _, _ in asked) + " deg"


def _would_do(q: Floats, asked: list[tuple[int, float, float]]) -> str:
    """The conditions that these joints meet, where what is asked for are quarter turns or signs."""
    if all(abs(high - low - pi / 2) < 1e-9 for _, low, high in asked):
        return f": quarters {', '.join(str(floor(2.0 * float(q[k]) / pi)) for k, _, _ in asked)} would do"
    if all(inf in (-low, high) for _, low, high in asked):
        return f": signs {', '.join('-' if q[k] < 0.0 else '+' for k, _, _ in asked)} would do"
    return ""


def _turned(q: Floats, asked: list[tuple[int, float, float]], now: Floats) -> list[Floats]:
    """A solution with its joints turned by whole turns into their conditions; none where that is not possible."""
    ways: list[list[float]] = []
    for k, low, high in asked:
        turns = [float(q[k]) + 2.0 * pi * turn for turn in (-1, 0, 1)]
        fitting = [x for x in turns if low - MARGIN <= x <= high + MARGIN]
        if not fitting:
            return []
        ways.append(fitting)
    found = []
    for values in product(*ways):
        other = q.copy()
        for (k, _, _), value in zip(asked, values, strict=True):
            other[k] = value
        found.append(other)
    return found


def _range(low: float, high: float) -> str:
    if low == -inf:
        return f"below {degrees(high):g}"
    return f"above {degrees(low):g}" if high == inf else f"in {degrees(low):g}..{degrees(high):g}"
