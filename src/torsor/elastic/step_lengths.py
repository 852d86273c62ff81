"""Whether steps of time are short enough for what swings."""

from __future__ import annotations

from torsor.model.transforms import Floats

LEAST, GOOD = 8, 25  # steps in a period: fewer tell nothing of it; so many have it within a few per cent


def unseen_modes(dt: float, frequencies: Floats) -> list[str]:
    """What is said where steps are too long for the slowest of modes (Hz, rising), and so for all.

    Such modes follow their loads and do not swing. That is right for an arm that is nearly rigid, and not for others.
    """
    slowest = float(frequencies[0])
    if slowest * dt * LEAST <= 1.0:
        return []
    short = f"give steps of {1.0 / (GOOD * slowest):.2g} s or less"
    return [f"steps of {dt:.3g} s are too long for the slowest mode, {slowest:.3g} Hz: no swinging is seen; {short}"]
