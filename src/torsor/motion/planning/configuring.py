"""Which solution of a pose has the configuration that a program asks for: conditions on joints, such as quadrants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from math import degrees, floor, inf, pi

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm

JointConditions = tuple[tuple[int, float, float], ...]
MARGIN = 5e-3  # rad: as far outside as a taught point that is on the edge may be


def configured(
    arm: AnyArm,
    T: Floats,
    now: Floats,
    within: JointConditions,
    is_allowed: Callable[[Floats], bool] = lambda _: True,
    *,
    beside: float = 0.0,
) -> tuple[Floats | None, str]:
    """The arm's joints that meet the conditions, nearest to ``now``; else none, and what is wrong with the others.

    ``is_allowed``: whether joints are in their ranges; those that are not do not come into question. ``beside``: where
    nothing meets the conditions joints that far beyond them will do, and what they miss is said. Arms without a formula
    for all solutions have no configurations to choose from: none, and nothing said.
    """
    asked = tuple(each for each in within if each[0] < arm.n)
    try:
        options = arm.inverse_kinematics(T)
    except TorsorError:
        return None, ""
    if not asked or len(options) == 0 or all(name.startswith("solution") for name in options.names):
        return None, ""
    turned: list[Floats] = []
    for conditions in (asked, *([widened(asked, beside)] if beside else [])):
        turned += [q for option in options for q in _turned(np.asarray(option), conditions, now)]
        found = [q for q in turned if is_allowed(q)]
        if found:
            nearest = min(found, key=lambda q: float(np.abs(q - now).sum()))
            return nearest, missed(nearest, within, beside)[0]
    others = [q for q in map(np.asarray, options) if is_allowed(q)] or [*map(np.asarray, options)]
    closest = min(others, key=lambda q: float(np.abs(np.angle(np.exp(1j * (q - now)))).sum()))
    wanted = ", ".join(f"joint {k + 1} {_range(low, high)}" for k, low, high in asked)
    which = "no solution within the limits of the joints" if turned else "no solution"
    text = f"{which} has the configuration that is asked for ({wanted}); the nearest has {_has(closest, asked)}"
    return None, text + _would_do(closest, asked)


def widened(within: Iterable[tuple[int, float, float]], beside: float) -> JointConditions:
    return tuple((k, low - beside, high + beside) for k, low, high in within)


def missed(q: Floats, within: JointConditions, beside: float = 0.0) -> tuple[str, bool]:
    """What joints at the end of a move have, where that is not the configuration that is asked for, "" where it is;
    and whether they are near enough to it."""
    asked = tuple(each for each in within if each[0] < len(q))
    if _meets(q, asked):
        return "", True
    wanted = ", ".join(f"joint {k + 1} {_range(low, high)}" for k, low, high in asked)
    text = f"ends in another configuration ({_has(q, asked)}) than is asked for ({wanted})"
    if beside and _meets(q, widened(asked, beside)):
        return f"{text}; {degrees(beside):g} deg beside it are near enough for a point that is moved", True
    return text + _would_do(q, asked), False


def _meets(q: Floats, asked: JointConditions) -> bool:
    return all(low - MARGIN <= q[k] <= high + MARGIN for k, low, high in asked)


def _has(q: Floats, asked: JointConditions) -> str:
    return ", ".join(f"{degrees(float(q[k])):.1f}" for k, _, _ in asked) + " deg"


def _would_do(q: Floats, asked: JointConditions) -> str:
    """The conditions that these joints meet, where what is asked for are quarter turns or signs."""
    if all(abs(high - low - pi / 2) < 1e-9 for _, low, high in asked):
        quarters = (
            floor(2.0 * (low + pi / 4 if _meets(q, ((k, low, high),)) else float(q[k])) / pi) for k, low, high in asked
        )
        return f": quarters {', '.join(map(str, quarters))} would do"
    if all(inf in (-low, high) for _, low, high in asked):
        return f": signs {', '.join('-' if q[k] < 0.0 else '+' for k, _, _ in asked)} would do"
    return ""


def _turned(q: Floats, asked: JointConditions, now: Floats) -> list[Floats]:
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
