"""How fast joints may go: the speed and acceleration limits of an arm as a planner needs them along a path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.errors import ShapeError, Unsupported
from torsor.model.limits import largest
from torsor.model.transforms import Floats
from torsor.motion.curves import Along, JointPath
from torsor.motion.paths.chain import Chain
from torsor.motion.time_laws.timing import Timing

_LEVELS, _BETWEEN = 4, 6  # how often, and with how many points each time, the point that decides is looked at closer
_DECIDES = 0.98  # share of a limit that is worth a closer look
_TRIED = np.linspace(0.3, 1.0, 29)  # of the speed at which the bend alone takes all acceleration


@dataclass(frozen=True, eq=False)
class JointRates:
    """|rows qd| <= speeds for the joints, and the motors where they are asked for; |qdd| <= accelerations."""

    chain: Chain
    names: tuple[str, ...]
    rows: Floats  # (m, n)
    speeds: Floats  # (m,), infinite where there is none; the first n are those of the joints
    accelerations: Floats  # (n,)
    whole: JointRates | None = None  # where loops move joints that have limits: the same of all joints of the tree

    def time_at_speed(self, dq: Floats) -> Floats:
        """(k,): seconds for dq (k, n) at full speed, the largest share over all limits."""
        return np.asarray((np.abs(dq @ self.rows.T) / self.speeds).max(axis=-1))

    def require(self, moving: NDArray[np.bool_]) -> None:
        """All joints that move have limits."""
        n = len(self.names)
        for word, limits in (("speed", self.speeds[:n]), ("acceleration", self.accelerations)):
            without = moving & np.isinf(limits)
            if without.any():
                missing = ", ".join(name for name, lacks in zip(self.names, without, strict=True) if lacks)
                hint = "add limits = { speed = ..., acceleration = ... } to its arm file, or plan with "
                problem = f"{self.chain.model.name!r} has no {word} limit for {missing}"
                raise Unsupported(problem, hint=f"{hint}Timing({word}=...)")

    def slowed(
        self, path: JointPath, speed: float, acceleration: float, *, share: float, push: float, s: Floats, seen: Along
    ) -> tuple[float, float]:
        """Speed and acceleration along a path at which joints stay within ``share`` and ``push`` of their limits.

        With |q'| sd <= speeds and |q''| sd^2 + |q'| sdd <= accelerations at the points s, where the path is ``seen``,
        and at ever more of them around the one that decides. Without acceleration it is a zone, run through at
        constant speed.
        """
        if self.whole is not None:
            path, seen = Lifted(self.chain, path), self.chain.lifted(seen)
            return self.whole.slowed(path, speed, acceleration, share=share, push=push, s=s, seen=seen)
        limits = push * self.accelerations
        for level in range(_LEVELS + 1):
            worst = float(self.time_at_speed(seen.dq).max())
            v = min(speed, share / worst) if worst > 0.0 else speed
            v, a = balanced(np.abs(seen.dq) / limits, np.abs(seen.ddq) / limits, v, acceleration, path.length)
            use = self._use(seen, v, a, share, push)
            k = int(np.argmax(use))
            if level == _LEVELS or use[k] < _DECIDES:
                break
            # s[k] decides: look between it and its neighbours
            order = np.argsort(s)
            place = int(np.flatnonzero(order == k)[0])
            ends = s[order[max(place - 1, 0)]], s[order[min(place + 1, len(s) - 1)]]
            between = np.linspace(*ends, _BETWEEN + 2)[1:-1]
            s = np.concatenate([s, between])
            seen = Along(*(np.concatenate(pair) for pair in zip(seen, path.at(between), strict=True)))
        return v, a

    def _use(self, along: Along, v: float, a: float, share: float, push: float) -> Floats:
        """(k,): the largest share of a limit that is used at each point; 0 where speeds are not settled."""
        if not (np.isfinite(v) and np.isfinite(a)):
            return np.zeros(len(along.q))
        bent = (np.abs(along.ddq) * v**2 + np.abs(along.dq) * a) / (push * self.accelerations)
        return np.asarray(np.maximum(self.time_at_speed(along.dq) * v / share, bent.max(axis=-1)))


def balanced(straight: Floats, bent: Floats, speed: float, acceleration: float, length: float) -> tuple[float, float]:
    """The speed and acceleration with straight a + bent v^2 <= 1, both (k, m), that take least time for a length."""
    if straight.max() > 0.0:
        acceleration = min(acceleration, 1.0 / float(straight.max()))
    if not (np.isfinite(speed) and np.isfinite(acceleration)) or not bent.max() > 0.0:
        return speed, acceleration
    fastest = min(speed, float(bent.max()) ** -0.5)
    if acceleration == 0.0:
        return fastest, 0.0
    if (bent * speed**2 + straight * acceleration).max() <= 1.0:
        return speed, acceleration
    # what the bend of the path leaves at each speed is there to speed up with
    v = fastest * _TRIED
    with np.errstate(divide="ignore", invalid="ignore"):
        left = (1.0 - bent[..., None] * v**2) / straight[..., None]
    left = np.where(straight[..., None] > 0.0, left, np.inf).min(axis=(0, 1))
    a = np.clip(left, 0.0, acceleration)
    with np.errstate(divide="ignore"):
        time = np.where(v * v < a * length, length / v + v / a, 2.0 * np.sqrt(length / a))
    best = int(np.argmin(time))
    return float(v[best]), float(a[best])


@dataclass(frozen=True, eq=False)
class Lifted:
    """A path of the plan's joints as one of all joints of the tree."""

    chain: Chain
    path: JointPath

    @property
    def length(self) -> float:
        return self.path.length

    def at(self, s: Floats) -> Along:
        return self.chain.lifted(self.path.at(s))


def joint_rates(chain: Chain, timing: Timing) -> JointRates:
    """Limits of the arm's joints; those of the timing stand in where joints of the plan have none."""
    model, links, place, motors = chain.model, chain.all_links, chain.given, timing.speeds == "both"
    if motors and any(drive.transmission is not None for drive in model.drives):
        hint = 'plan with speeds="joints"; the check of the program knows the motors'
        raise Unsupported(f"{model.name!r} has transmissions that are no constant ratios", hint=hint)
    limits = largest(links, "speed"), largest(links, "acceleration")
    limits[0][place] = _filled("speed", limits[0][place], timing.speed)
    limits[1][place] = _filled("acceleration", limits[1][place], timing.acceleration)
    chosen = [drive for drive in model.drives if drive.motor.speed is not None] if motors else []
    rows = np.vstack([np.eye(len(links)), *(drive.ratio for drive in chosen)])
    turning = np.array([float(drive.motor.speed or 0.0) for drive in chosen])

    def of(joints: list[int], whole: JointRates | None = None) -> JointRates:
        own = [*joints, *range(len(links), len(rows))]
        speeds = np.concatenate([limits[0], turning])[own]
        names = tuple(links[k].joint.name for k in joints)
        return JointRates(chain, names, rows[own][:, joints], speeds, limits[1][joints], whole)

    moved = [k for k in range(len(links)) if k not in place]
    limited = np.isfinite([limit[moved] for limit in limits]).any()
    return of(place, of(list(range(len(links)))) if limited else None)


def _filled(word: str, known: Floats, default: ArrayLike | None) -> Floats:
    n = len(known)
    given = np.full(n, np.inf) if default is None else np.asarray(default, dtype=np.float64)
    if given.shape not in ((), (n,)) or not (given > 0.0).all():
        raise ShapeError(f"{word} is {default!r}", hint=f"give one number above zero, or {n}, one for each joint")
    return np.where(np.isfinite(known), known, given)
