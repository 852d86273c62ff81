"""Random arms of six joints whose last three axes meet, written in standard DH."""

from __future__ import annotations

import numpy as np

from torsor.arm import Arm
from torsor.model.armfile import parse_arm_file


def wrist_arm(seed: int, **geometry: str | float) -> Arm:
    """An arm; ``geometry`` as for its text."""
    return Arm(parse_arm_file(wrist_arm_text(seed, **geometry)))  # type: ignore[arg-type]


def wrist_arm_text(seed: int, *, third: str = "revolute", first_two: str = "pass", offset: float = 0.0) -> str:
    """``first_two``: whether axes 1 and 2 "pass" each other (``offset`` apart, if given), "meet", or are "parallel"."""
    rng = np.random.default_rng(seed)
    alpha, a, d, theta = rng.uniform(-2.5, 2.5, 6), rng.uniform(-0.6, 0.6, 6), rng.uniform(-0.5, 0.5, 6), np.zeros(6)
    alpha[3:5] = rng.choice([-1.0, 1.0], 2) * rng.uniform(0.6, 2.4, 2)
    theta[:] = rng.uniform(-3.0, 3.0, 6)
    a[3] = a[4] = d[4] = 0.0
    if first_two == "meet":
        a[0] = 0.0
    elif first_two == "parallel":
        alpha[0] = 0.0
    elif offset:
        a[0] = offset
    text = f'name = "wrist{seed}"\nframes = "standard-dh"\n'
    for i in range(6):
        kind = third if i == 2 else "revolute"
        place = (
            f"theta = {theta[i]!r}\noffset = {d[i]!r}"
            if kind == "prismatic"
            else f"d = {d[i]!r}\noffset = {theta[i]!r}"
        )
        text += f'[[link]]\njoint = "{kind}"\na = {a[i]!r}\nalpha = {alpha[i]!r}\n{place}\n'
    return text.replace("np.float64(", "").replace(")", "")


def ball_arm(upper: float, fore: float) -> Arm:
    """Shoulder, elbow and wrist without offsets or limits: the tool, at the centre of the wrist, fills a shell."""
    rows = [
        (0.0, 90.0, 0.0),
        (upper, 0.0, 0.0),
        (0.0, 90.0, 0.0),
        (0.0, -90.0, fore),
        (0.0, 90.0, 0.0),
        (0.0, 0.0, 0.0),
    ]
    text = 'name = "ball"\nframes = "standard-dh"\n'
    for a, alpha, d in rows:
        text += f'[[link]]\njoint = "revolute"\na = {a}\nalpha = "{alpha} deg"\nd = {d}\n'
    return Arm(parse_arm_file(text))
