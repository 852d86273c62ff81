"""Algorithm 1 cycle by cycle, in machine code: for plans that come whole, and for plans that come in pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from torsor.algebra.tape import Tape
from torsor.drives.drives import Drives
from torsor.emit.native_loop import Call, NativeLoop
from torsor.errors import LoopOpen
from torsor.mechanics.loops import GUESS
from torsor.mechanics.newton import CLOSED
from torsor.model.transforms import Floats

CLOSINGS = 4  # steps of Newton's method a cycle, and one more in the kernel
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
        self._sizes = {"q": n, "qd": n, "qdd": n, "asked": m, "reached": m, "limited": m, "slowed": n, "gap": 1}
        guessed = sum(a.size for a in tape.inputs if a.name == GUESS)
        sizes = self._sizes | {"planned": n, "target": n, "wrench": 6, GUESS: guessed}
        self._place = dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist(), strict=False))
        # loops that Newton's method closes are closed at the start of every cycle, on from where they were
        kernels = [*([drives.kernel("closing")] * CLOSINGS if guessed else []), kernel]
        calls = tuple(Call(each, self._places(each.tape)) for each in kernels)
        given = self._place["planned"], n + n + (0 if wrench is None else 6)
        self._loop = NativeLoop(calls, given=given, kept=(0, self._place["planned"]))
        self._workspace = np.zeros(sum(sizes.values()))
        self._drives = drives

    def _places(self, tape: Tape) -> tuple[int, ...]:
        return tuple(self._place[a.name.removesuffix("1")] for a in (*tape.inputs, *tape.outputs))

    def start(self, q: Floats, qd: Floats) -> None:
        """Puts the arm somewhere."""
        self._workspace[: self.n] = q
        self._workspace[self.n : 2 * self.n] = qd
        for guess in self._drives.trees().plain.guesses(q):
            self._workspace[self._place[GUESS] :] = guess

    def step(self, plan: Floats) -> Cycles:
        """Goes on along positions (cycles + 1, n), a cycle apart, the first of which is where the plan is now."""
        given = [np.diff(plan, axis=0) / self.dt, plan[1:]]
        if self.wrench is not None:
            given.append(np.broadcast_to(self.wrench, (len(plan) - 1, 6)))
        kept = self._loop.run(self._workspace, len(plan) - 1, given=np.hstack(given))
        q, qd, qdd, asked, reached, *flags, gap = np.split(kept, np.cumsum([*self._sizes.values()][:-1]), axis=1)
        lost = np.flatnonzero(~(gap[:, 0] < CLOSED**2))
        if lost.size:
            name, at = self._drives.model.name, q[max(int(lost[0]) - 1, 0)]
            text = f"the loops of {name!r} cannot be followed beyond cycle {lost[0]}, where q = {at.round(4)}"
            raise LoopOpen(text, hint="a singular posture, or a cycle in which joints turn too far")
        return Cycles(q, qd, qdd, asked, reached, flags[0] != 0.0, flags[1] != 0.0)
