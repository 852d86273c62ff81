"""How a plan is timed: the choices a user has."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, radians
from typing import Literal

from torsor.errors import TorsorError, did_you_mean
from torsor.motion.time_laws.time_law import TimeLaw, TimeLawShape
from torsor.motion.tolerances import first_cycle


@dataclass(frozen=True)
class Timing:
    """Moves as fast as pace and limits allow, by a time law.

    >>> Timing("s-curve").time_law
    TimeLaw(shape='s-curve', jerk_time=0.1)
    """

    shape: TimeLawShape = "trapezoid"
    jerk_time: float = 0.1  # s to full acceleration, of the S-curve
    speed: float | tuple[float, ...] | None = None  # rad/s or m/s, for joints whose arm file has no limit
    acceleration: float | tuple[float, ...] | None = None
    speeds: Literal["joints", "both"] = "joints"  # both: those of the motors too
    too_fast: Literal["slow", "keep"] = "slow"  # tool paths programmed faster than the joints' limits: slowed, or kept
    corner: float = 0.005  # m: how far a corner taken at speed may leave its path
    look_ahead: int = 32  # legs of a blended run that are looked at before speeds are settled

    def __post_init__(self) -> None:
        TimeLaw(self.shape, self.jerk_time)
        chosen: list[tuple[str, str, tuple[str, str]]] = [("there are no speeds", self.speeds, ("joints", "both"))]
        chosen += [("there is no too_fast", self.too_fast, ("slow", "keep"))]
        for problem, word, known in chosen:
            if word not in known:
                raise TorsorError(f"{problem} {word!r}", hint=did_you_mean(word, known))
        if not 0.0 < self.corner < inf:
            raise TorsorError(f"corner is {self.corner}", hint="a distance in m, above zero")
        if self.look_ahead < 2:
            raise TorsorError(f"look_ahead is {self.look_ahead}", hint="at least 2 legs")

    @property
    def time_law(self) -> TimeLaw:
        return TimeLaw(self.shape, self.jerk_time)


@dataclass(frozen=True)
class Paul:
    """Timing of SIMASEA (Behi 1989): segments of even speed, joined by Paul's quartic over 2 t_acc.

    A segment takes T = max(2 t_acc, max |delta| / rate, rounded up to whole increments), a command sum T + 2 t_acc.
    ``overlap`` starts a motion t_acc before the one before it ends, where nothing stands between them (rule B).
    """

    t_acc: float = 1.5  # s
    increment: float = 0.25  # s
    rate_joint: float = field(default=radians(50.0))  # rad/s, at speed 100
    rate_linear: float = 0.03  # m/s, of each coordinate
    rate_euler: float = field(default=radians(50.0))
    overlap: bool = False
    branch: str = "front, up, wrist +"  # on which all points of the published program lie

    def __post_init__(self) -> None:
        for word in ("t_acc", "increment", "rate_joint", "rate_linear", "rate_euler"):
            if not 0.0 < getattr(self, word) < inf:
                raise TorsorError(f"{word} is {getattr(self, word)}", hint="a number above zero")

    def whole(self, seconds: float) -> float:
        """Rounded up to whole increments."""
        return first_cycle(seconds, self.increment) * self.increment
