"""Algorithm 1 cycle by cycle, in machine code: for plans that come whole, and for plans that come in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torsor.drives.drives import Drives
from torsor.errors import Unsupported
from torsor.mechanics.loops import GUESS
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.emit.native_loop import NativeLoop

SteppingVariant = Literal["corrected", "as-published"]
EquationsForm = Literal["exact", "as-published"]
Speeds = Literal["both", "joints"]


class Cycles(NamedTuple):
    """What was reached, per cycle and at its end."""

    q: Floats  # (cycles, n)
    qd: Floats
    qdd: Floats  # held through the cycle
    asked: Floats  # (cycles, m) motor torques that the plan asks for
    reached: Floats  # (cycles, m) motor torques given
    limited: NDArray[np.bool_]  # (cycles, m)
    slowed: NDArray[np.bool_]  # (cycles, n)


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
        self,
        drives: Drives,
        dt: float,
        *,
        wrench: Floats | None = None,
        variant: SteppingVariant = "corrected",
        equations: EquationsForm = "exact",
        speeds: Speeds = "both",
        catch_up: bool = False,
    ) -> None:
        self.dt, self.wrench = dt, wrench
        self.n, self.m = drives.model.n, drives.m
        facts: dict[str, Any] = {"dt": dt, "variant": variant, "kind": equations, "speeds": speeds}
        self._loop = _loop(drives, wrench is not None, **facts, catch_up=catch_up)
        self._workspace = np.zeros(self._loop.given[0] + self._loop.given[1] + self._loop.kept[1])

    def start(self, q: Floats, qd: Floats) -> None:
        """Puts the arm somewhere."""
        self._workspace[: self.n] = q
        self._workspace[self.n : 2 * self.n] = qd

    def step(self, plan: Floats) -> Cycles:
        """Goes on along positions (cycles + 1, n), a cycle apart, the first of which is where the plan is now."""
        cycles, n, m = len(plan) - 1, self.n, self.m
        given = np.hstack([np.diff(plan, axis=0) / self.dt, plan[1:]])
        if self.wrench is not None:
            given = np.hstack([given, np.broadcast_to(self.wrench, (cycles, 6))])
        kept = self._loop.run(self._workspace, cycles, given=given)
        q, qd, qdd, asked, reached, limited, slowed = np.split(kept, np.cumsum([n, n, n, m, m, m]), axis=1)
        return Cycles(q, qd, qdd, asked, reached, limited != 0.0, slowed != 0.0)


def _loop(drives: Drives, wrench: bool, **facts: Any) -> NativeLoop:
    from torsor.emit.native_loop import Call, NativeLoop

    kernel = drives.kernel("cycle", wrench=wrench, **facts)
    n, m = drives.model.n, drives.m
    sizes = {"q": n, "qd": n, "qdd": n, "asked": m, "reached": m, "limited": m, "slowed": n}
    sizes |= {"planned": n, "target": n, "wrench": 6}
    place = dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist(), strict=False))
    tape = kernel.tape
    if tape.inputs[-1].name == GUESS:
        raise Unsupported(
            f"the loops of {drives.model.name!r} are closed by Newton's method, along which motors are not stepped",
            hint="ask for the torques of the motion, arm.drives.torques",
        )
    renamed = {"q1": "q", "qd1": "qd"}
    places = tuple(place[renamed.get(a.name, a.name)] for a in (*tape.inputs, *tape.outputs))
    given = n + n + 6 * wrench
    return NativeLoop((Call(kernel, places),), given=(place["planned"], given), kept=(0, place["planned"]))
