"""How fast joints may go: what limits the speeds and accelerations of joints, along a path, for all that is planned.

Joints have limits of their own; motors have limits of speed, which through gears and couplings, |N qd| <= limit, bound
several joints at once. A share of speed that a program asks for is one of the joints' limits, not of the motors'.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.drives.gearing import Gearing
from torsor.drives.motors import motor_speeds
from torsor.errors import ShapeError, Unsupported
from torsor.model.limits import largest
from torsor.model.transforms import Floats
from torsor.motion.curves import Along
from torsor.motion.paths.chain import Chain
from torsor.motion.paths.trajectories import JointLine
from torsor.motion.time_laws.timing import Timing

DECIDES = 0.9  # squares of use of limits that are worth a closer look
POINTS = 9  # with which peaks are looked at closer
MARGIN = 1e-7  # of squares of use: what a parabola may be higher between the last points


class Decides(NamedTuple):
    """What holds a motion back: whose limit, of what, and where on its path."""

    name: str
    word: Literal["speed", "acceleration"]
    s: float

    def __str__(self) -> str:
        return f"{self.name} would pass its {self.word} limit"


@dataclass(frozen=True, eq=False)
class JointRates:
    """|qd| <= speeds, |N qd| <= motor_speeds, |qdd| <= accelerations; infinite where there is no limit."""

    chain: Chain
    names: tuple[str, ...]  # of the joints, then of the motors
    speeds: Floats  # (n,)
    motor_speeds: Floats  # (m,)
    turning: Callable[[Floats, Floats], Floats]  # N qd (k, m) at q and qd (k, n)
    accelerations: Floats  # (n,)
    bends: bool  # whether limits of a straight joint move change along it, as loops and linkages make them
    whole: JointRates | None = None  # where loops move joints that have limits: the same of all joints of the tree

    def time_at_speed(self, dq: Floats) -> Floats:
        """(k,): seconds for dq (k, n) at the joints' full speeds."""
        return np.asarray((np.abs(dq) / self.speeds).max(axis=-1))

    def speed_uses(self, along: Along, share: Floats | float) -> Floats:
        """(k, n + m): shares of the limits of speed used at a unit rate along a path; ``share`` may be (k, 1)."""
        motors = np.abs(self.turning(along.q, along.dq)) / self.motor_speeds
        return np.concatenate([np.abs(along.dq) / (share * self.speeds), motors], axis=-1)

    def held_by_motors(self, path: JointLine, rate: float) -> tuple[float, Decides]:
        """The greatest rate at which no motor is too fast where a joint move begins, and what decides there."""
        uses = self.speed_uses(Along(*(each[None] for each in (path.start, *[path.tangent] * 3))), rate)[0]
        motors = uses[len(self.speeds) :].max(initial=0.0)
        return 1.0 / float(motors) if motors * rate > 1.0 else rate, self.decides(int(np.argmax(uses)), 0.0)

    def require(self, moving: NDArray[np.bool_]) -> None:
        """All joints that move have limits."""
        for word, limits in (("speed", self.speeds), ("acceleration", self.accelerations)):
            without = moving & np.isinf(limits)
            if without.any():
                missing = ", ".join(self.names[k] for k in np.flatnonzero(without))
                hint = "add limits = { speed = ..., acceleration = ... } to its arm file, or plan with "
                problem = f"{self.chain.model.name!r} has no {word} limit for {missing}"
                raise Unsupported(problem, hint=f"{hint}Timing({word}=...)")

    def decides(self, which: int, s: float) -> Decides:
        """Of the limits of speed of joints and motors, then of the accelerations of joints."""
        count = len(self.names)
        return (
            Decides(self.names[which], "speed", s)
            if which < count
            else Decides(self.names[which - count], "acceleration", s)
        )


def joint_rates(chain: Chain, timing: Timing) -> JointRates:
    """Limits of the arm's joints and motors; those of the timing stand in where joints of the plan have none."""
    links, place, gearing = chain.all_links, chain.given, Gearing(chain.model)
    limits = largest(links, "speed"), largest(links, "acceleration")
    limits[0][place] = _filled("speed", limits[0][place], timing.speed)
    limits[1][place] = _filled("acceleration", limits[1][place], timing.acceleration)
    fastest = motor_speeds(chain.model) if timing.speeds == "both" else np.zeros(0)
    motors = np.flatnonzero(np.isfinite(fastest)).tolist()
    N = None if gearing.constant is None else gearing.constant[motors].T

    def turning(q: Floats, dq: Floats) -> Floats:
        return dq @ N if N is not None else gearing.rates(q, dq)[:, motors]

    def of(joints: list[int], motors: list[int], whole: JointRates | None = None) -> JointRates:
        names = [links[k].joint.name for k in joints] + [chain.model.drives[k].name for k in motors]
        bends = whole is not None or (bool(motors) and N is None)
        own = limits[0][joints], fastest[motors], turning if motors else _no_motors, limits[1][joints]
        return JointRates(chain, tuple(names), *own, bends, whole)

    moved = [k for k in range(len(links)) if k not in place]
    if not moved:
        return of(place, motors)
    limited = bool(motors) or np.isfinite([limit[moved] for limit in limits]).any()
    return of(place, [], of(list(range(len(links))), motors) if limited else None)


def _no_motors(q: Floats, dq: Floats) -> Floats:
    return np.zeros((len(dq), 0))


def _filled(word: str, known: Floats, default: ArrayLike | None) -> Floats:
    n = len(known)
    given = np.full(n, np.inf) if default is None else np.asarray(default, dtype=np.float64)
    if given.shape not in ((), (n,)) or not (given > 0.0).all():
        raise ShapeError(f"{word} is {default!r}", hint=f"give one number above zero, or {n}, one for each joint")
    return np.where(np.isfinite(known), known, given)
