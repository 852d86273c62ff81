"""Achievable motion: Algorithm 1 of Kvrgic & Vidakovic (2020), corrected.

Every interpolation cycle: clamp the speeds asked for, find the motor torques that reaching them takes, limit those to
what the motors give, solve for the accelerations that are really reached, clamp the speeds again, and step.

Corrections to the paper. Its friction comes from the torque asked for, which a saturated motor does not reach, and its
step 6 changes the acceleration of saturated axes only, which leaves torques up to several times the limit; as printed
it diverges. Here friction follows from the torque reached, all axes are solved for, and speeds are clamped again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.drives.drives import Drives
from torsor.drives.motors import require_bounded
from torsor.drives.stepping import Cycles, DriveStepper, EquationsForm, Speeds, SteppingVariant
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.model.transforms import Floats

Keep = Literal["time", "path"]


class HasDrives(Protocol):
    """What is asked of an arm."""

    @property
    def n(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def drives(self) -> Drives: ...

    @property
    def pose(self) -> Callable[..., Floats]: ...


@dataclass(frozen=True, eq=False)
class Achieved(Cycles):
    """What becomes of a planned motion. Per cycle (cycles, ...), at its end; lag and deviation against the plan."""

    time: NDArray[np.floating[Any]]  # (cycles,) s
    lag: Floats  # (cycles, n) planned minus reached
    deviation: Floats  # (cycles,) m, distance of the tool from the planned path
    stretch: float  # how much longer than planned; 1 where time is kept

    @property
    def feasible(self) -> bool:
        """Whether the motion is reached as planned."""
        return self.unhindered and self.stretch == 1.0

    @property
    def unhindered(self) -> bool:
        """Whether no motor saturates and no speed is clamped."""
        return not (self.limited.any() or self.slowed.any())

    def __repr__(self) -> str:
        hindered = self.limited.any(axis=1) | self.slowed.any(axis=1)
        how = f"{int(hindered.sum())} cycles limited" if hindered.any() else "as planned"
        if self.stretch != 1.0:
            how += f", {self.stretch:.3f} times slower"
        lag = np.rad2deg(np.abs(self.lag[-1]).max())
        off = f"off the path {self.deviation.max():.3g} m"
        return f"<Achieved {self.time[-1]:g} s: {how}, final lag {lag:.3g} deg, {off}>"


def achievable(
    arm: HasDrives, q_desired: ArrayLike | Callable[[float], ArrayLike], dt: float, *, until: float | None = None,
    wrench: ArrayLike | None = None, keep: Keep = "time", variant: SteppingVariant = "corrected",
    equations: EquationsForm = "exact", speeds: Speeds = "both", catch_up: bool = False,
) -> Achieved:  # fmt: skip
    """What becomes of a motion planned as positions (cycles + 1, n), ``dt`` apart, starting at rest.

    The plan may also be a function of time, sampled from 0 to ``until``.
    ``keep="time"`` goes on with the plan and deviates where motors saturate; ``"path"`` stays on the path and slows the
    whole motion down until it can be done. ``catch_up`` asks for the planned position, not the planned speed, after a
    lag. ``equations="as-published"`` takes motor torques as (D.3), corrected, has them; ``speeds="joints"`` knows the
    speed limits of the joints only. ``variant="as-published"`` is the paper's algorithm as printed, to compare.
    """
    words = ("keep", keep, Keep), ("variant", variant, SteppingVariant), ("equations", equations, EquationsForm)
    for word, value, choices in (*words, ("speeds", speeds, Speeds)):
        known = get_args(choices)
        if value not in known:
            raise Unsupported(f"there is no {word} {value!r}", hint=did_you_mean(value, known))
    if not dt > 0.0:
        raise ShapeError(f"dt is {dt}", hint="the interpolation cycle in s, above zero")
    drives = arm.drives
    drives.gearing.require_square()
    plan = floats("q_desired", _sampled(q_desired, dt, until), arm.n, f"{arm.name!r} has {arm.n} joints")
    if plan.ndim != 2 or len(plan) < 2:
        raise ShapeError(f"q_desired has shape {plan.shape}", hint=f"positions a cycle apart, (cycles + 1, {arm.n})")
    load = None if wrench is None else floats("wrench", wrench, 6, "force over moment at the tool, in base axes")
    require_bounded(drives.model)
    stepper = DriveStepper(
        drives, dt, wrench=load, variant=variant, equations=equations, speeds=speeds, catch_up=catch_up
    )

    def at(stretch: float) -> Achieved:
        positions = _stretched(plan, stretch)
        stepper.start(positions[0], np.zeros(arm.n))
        done = stepper.step(positions)
        off = distance(*(arm.pose(each)[:, :3, 3] for each in (done.q, positions)))
        time = dt * np.arange(1, len(positions))
        return Achieved(**vars(done), time=time, lag=positions[1:] - done.q, deviation=off, stretch=stretch)

    return at(1.0) if keep == "time" else _on_path(at, arm.name)


def _sampled(plan: ArrayLike | Callable[[float], ArrayLike], dt: float, until: float | None) -> ArrayLike:
    """A plan as positions a cycle apart."""
    if not callable(plan):
        if until is not None:
            raise ShapeError("until is for a q_desired that is a function of time", hint="positions say themselves")
        return plan
    if until is None or not until >= dt:
        hint = "a q_desired that is a function needs the time in s at which it ends"
        raise ShapeError(f"until is {until}", hint=hint)
    return np.array([plan(k * dt) for k in range(round(until / dt) + 1)], dtype=np.float64)


def _on_path(at: Callable[[float], Achieved], name: str) -> Achieved:
    """The least uniform slowing that no motor refuses, to a thousandth."""
    low, high = 1.0, 1.0
    while not (done := at(high)).unhindered:
        low, high = high, 2.0 * high
        if high > 64.0:
            hint = "a motor cannot hold the arm on its path"
            raise Unsupported(f"{name!r} cannot do this motion however slowly", hint=hint)
    while high - low > 1e-3 * low:
        middle = 0.5 * (low + high)
        tried = at(middle)
        low, high, done = (low, middle, tried) if tried.unhindered else (middle, high, done)
    return done


def _stretched(plan: Floats, stretch: float) -> Floats:
    """The same path in more time, through a smooth curve over the planned positions."""
    if stretch == 1.0:
        return plan
    from scipy.interpolate import CubicSpline

    cycles = int(np.ceil((len(plan) - 1) * stretch - 1e-9))
    curve = CubicSpline(np.arange(len(plan)), plan, bc_type="clamped")
    slowed: Floats = curve(np.linspace(0.0, len(plan) - 1.0, cycles + 1))
    return slowed


def distance(points: Floats, path: Floats) -> Floats:
    """Of each point from a polyline, searched around the nearest corner; NaN where a motion has diverged."""
    from scipy.spatial import cKDTree

    near = np.abs(points).max(axis=-1) < 1e100
    nearest = cKDTree(path).query(np.where(near[:, None], points, 0.0))[1]
    found = np.full(len(points), np.inf)
    for a, b in ((nearest - 1, nearest), (nearest, nearest + 1)):
        start, end = path[np.clip(a, 0, len(path) - 1)], path[np.clip(b, 0, len(path) - 1)]
        along, offset = end - start, np.where(near[:, None], points, np.nan) - start
        length = (along**2).sum(axis=-1)
        share = np.clip((offset * along).sum(axis=-1) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
        found = np.minimum(found, np.linalg.norm(offset - share[:, None] * along, axis=-1))
    return np.where(near, found, np.nan)
