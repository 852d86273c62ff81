"""``Achiever``: Algorithm 1 a cycle at a time, as a controller calls it; the state is the caller's."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.drives.achieving import HasDrives
from torsor.drives.motors import require_bounded
from torsor.drives.stepping import Cycles, EquationsForm, Speeds
from torsor.errors import ShapeError
from torsor.mechanics.arguments import floats
from torsor.model.transforms import Floats

CYCLE = 0.01  # s, the interpolation cycle of Kvrgic & Vidakovic


class Achiever:
    """What becomes of a cycle, from where the arm is: the same step that `achievable` takes, and that
    ``torsor.derive(arm, "achievable_motion", drives=True, dt=dt).to_c()`` writes for a controller.

    >>> import numpy as np, torsor
    >>> achiever = torsor.drives.Achiever(torsor.load("rl15"))
    >>> done = achiever.step(np.zeros(6), np.zeros(6), [0.0, 0.0, 5.0, 0.0, 0.0, 0.0])
    >>> done.limited.any(), done.slowed.tolist(), bool(done.qd[2] < 5.0)
    (np.True_, [False, False, True, False, False, False], True)
    """

    def __init__(
        self, arm: HasDrives, dt: float = CYCLE, *, wrench: bool = False, equations: EquationsForm = "exact",
        speeds: Speeds = "both",
    ) -> None:  # fmt: skip
        if not dt > 0.0:
            raise ShapeError(f"dt is {dt}", hint="the interpolation cycle in s, above zero")
        drives = arm.drives
        drives.gearing.require_square()
        require_bounded(drives.model)
        self.dt, self.wrench, self._arm, self._drives = dt, wrench, arm, drives
        options: dict[str, Any] = {"variant": "corrected", "kind": equations, "speeds": speeds, "catch_up": False}
        self._kernel = drives.kernel("cycle", wrench=wrench, dt=dt, **options)

    def step(self, q: ArrayLike, qd: ArrayLike, planned: ArrayLike, wrench: ArrayLike | None = None) -> Cycles:
        """A cycle from joints q and speeds qd, each (..., n), in which speeds ``planned`` are asked for.

        The results, (..., n) or (..., m), are those of the end of the cycle. ``wrench`` (..., 6) is given where the
        achiever was made for one.
        """
        if (wrench is not None) != self.wrench:
            hint = "Achiever(arm, dt, wrench=True) takes one at every step, another none"
            raise ShapeError(f"step() got {'a' if wrench is not None else 'no'} wrench", hint=hint)
        whose = f"{self._arm.name!r} has {self._arm.n} joints"
        named: list[tuple[str, ArrayLike]] = [("q", q), ("qd", qd), ("planned", planned)]
        states: list[Floats] = [floats(name, value, self._arm.n, whose) for name, value in named]
        pushed = [] if wrench is None else [floats("wrench", wrench, 6, "force over moment at the tool, in base axes")]
        found = self._drives.called(self._kernel, *states, states[2], *pushed)
        q1, qd1, qdd, asked, reached, limited, slowed = map(np.asarray, found)
        return Cycles(q1, qd1, qdd, asked, reached, limited != 0.0, slowed != 0.0)

    def __repr__(self) -> str:
        return f"<Achiever of {self._arm.name}: cycles of {self.dt:g} s>"
