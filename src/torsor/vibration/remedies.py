"""What helps besides a shaper: the same motion at a slower pace, followed until it settles in the time there is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.swinging import follow
from torsor.motion.curves import Trajectory
from torsor.motion.optimal.fit_pace import Stretched
from torsor.vibration.stops import Dying, swinging_after

STEP = 2e-3  # s: pace is told to a hundredth, not to a millionth
EACH, HALVINGS = 1.1, 3  # how much slower is tried next, and how often the last step is halved
SLOWEST = 4.0  # times as long: who has that much time does not ask


class Slower(NamedTuple):
    """A motion that takes ``times`` as long leaves ``left`` m and costs so many s; no pace that is looked at settles
    where ``times`` is None."""

    times: float | None
    left: float
    costs: float


def slower(elastic: Elastic, motion: Trajectory, tolerance: float, rest: float) -> Slower:
    """The least that a motion, driven from rest, has to be slowed so that it settles within ``rest`` s."""

    def after(times: float) -> Dying:
        made = Stretched(motion, times)
        count = int(np.ceil(made.duration / STEP))
        t = np.asarray(STEP * np.arange(count + 1), dtype=np.float64)
        q, qd, qdd, _ = made.at(t)
        return swinging_after(follow(elastic, t, q, qd, qdd), count)

    def settles(still: Dying) -> bool:
        takes = still.settling(tolerance)
        return takes is not None and takes <= rest

    fast, slow = 1.0, 1.0
    while not settles(still := after(slow)):
        fast, slow = slow, EACH * slow
        if slow > SLOWEST:
            return Slower(None, still.left, (fast - 1.0) * motion.duration)
    for _ in range(HALVINGS if slow > 1.0 else 0):
        middle = 0.5 * (fast + slow)
        if settles(tried := after(middle)):
            slow, still = middle, tried
        else:
            fast = middle
    return Slower(slow, still.left, (slow - 1.0) * motion.duration)
