"""Algorithm 1 cycle by cycle, in machine code: for plans that come whole, and for plans that come in pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from torsor.drives.drives import Drives
from torsor.emit.native_loop import Call, NativeLoop
from torsor.errors import Unsupported
from torsor.mechanics.loops import GUESS
from torsor.model.transforms import Floats

SteppingVariant = Literal["corrected", "as-published"]
EquationsForm = Literal["exact", "as-published"]
Speeds = Literal["both", "joints"]


@dataclass(frozen=True, eq=False)
class Cycles:
    """What was reached, per cycle and at its end."""

    q: Floats  # (cycles, n)
    qd: Floats
    qdd: Floats  # held through the cycle
    asked: Floats  # (cycles, m) motor torques that the plan asks for
    reached: Floats  # (cycles, m) motor torques given
    limited: NDArray[np.bool_]  # (cycles, m): the motor saturates
    slowed: NDArray[np.bool_]  # (cycles, n): the plan is faster than joint or motor may turn


class DriveStepper:
    """Steps an arm along a plan, keeping its state from one call to the next.

    >>> import numpy as np, torsor
    >>> stepper = DriveStepper(torsor.load("rl15").drives, 0.01)
    >>> plan = np.linspace(0.0, 1e-4, 5)[:, None] * np.ones(6)
    >>> stepper.start(plan[0], np.zeros(6))
    >>> bool(np.allclose(stepper.step(plan[:3]).q, plan[1:3])), bool(np.allclose(stepper.step(plan[2:]).q, plan[3:]))
    (True, True)
    """

    def __init__(
        self, drives: Drives, dt: float, *, wrench: Floats | None = None, variant: SteppingVariant = "corrected",
        equations: EquationsForm = "exact", speeds: Speeds = "both", catch_up: bool = False,
    ) -> None:  # fmt: skip
        self.dt, self.wrench, self.n = dt, wrench, drives.model.n
        kernel = drives.kernel(
            "cycle", wrench=wrench is not None, dt=dt, variant=variant, kind=equations, speeds=speeds, catch_up=catch_up
        )
        tape, n, m = kernel.tape, drives.model.n, drives.m
        if tape.inputs[-1].name == GUESS:
            raise Unsupported(
                f"the loops of {drives.model.name!r} are closed by Newton's method, along which motors are not stepped",
                hint="ask for the torques of the motion, arm.drives.torques",
            )
        self._sizes = {"q": n, "qd": n, "qdd": n, "asked": m, "reached": m, "limited": m, "slowed": n}
        sizes = self._sizes | {"planned": n, "target": n, "wrench": 6}
        place = dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist(), strict=False))
        places = tuple(place[a.name.removesuffix("1")] for a in (*tape.inputs, *tape.outputs))
        given = place["planned"], n + n + (0 if wrench is None else 6)
        self._loop = NativeLoop((Call(kernel, places),), given=given, kept=(0, place["planned"]))
        self._workspace = np.zeros(sum(sizes.values()))

    def start(self, q: Floats, qd: Floats) -> None:
        """Puts the arm somewhere."""
        self._workspace[: self.n] = q
        self._workspace[self.n : 2 * self.n] = qd

    def step(self, plan: Floats) -> Cycles:
        """Goes on along positions (cycles + 1, n), a cycle apart, the first of which is where the plan is now."""
        given = [np.diff(plan, axis=0) / self.dt, plan[1:]]
        if self.wrench is not None:
            given.append(np.broadcast_to(self.wrench, (len(plan) - 1, 6)))
        kept = self._loop.run(self._workspace, len(plan) - 1, given=np.hstack(given))
        q, qd, qdd, asked, reached, *flags = np.split(kept, np.cumsum([*self._sizes.values()][:-1]), axis=1)
        return Cycles(q, qd, qdd, asked, reached, flags[0] != 0.0, flags[1] != 0.0)
