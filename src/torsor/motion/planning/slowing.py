"""How fast paths may be run through, whatever the speeds at their ends, so that joints and motors keep their limits.

Programs have thousands of short moves, and a call of NumPy costs the same for one as for a hundred: so many paths are
looked at together, each at the same shares of its length, and one is many of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.motion.curves import Along, JointPath
from torsor.motion.narrowing import highest
from torsor.motion.paths.chain import Chain
from torsor.motion.paths.many_paths import ManyPaths, Which
from torsor.motion.planning.joint_rates import DECIDES, MARGIN, POINTS, Decides, JointRates

_ALIKE = 1e-6  # of uses of limits that are the same: the first of them decides, whatever their last digits are
_TRIED = np.linspace(0.3, 1.0, 29)  # of the speed at which the bend alone takes all acceleration


@dataclass(frozen=True, eq=False)
class Seen:
    """Paths, and what is seen of each at the same shares ``u`` (k,) of its length, from 0 to 1."""

    at: Callable[[Which, Floats], Along]  # which of them, at parameters of their own
    lengths: Floats  # (paths,)
    u: Floats
    along: Along  # (paths * k, n), one path after the other

    @staticmethod
    def alone(path: JointPath, s: Floats, along: Along) -> Seen:
        """One path at parameters s (k,), evenly from its start to its end."""
        return Seen(lambda which, s: path.at(s), np.array([path.length]), s / path.length, along)

    @staticmethod
    def together(paths: Sequence[JointPath], looks: int) -> Seen:
        many, u = ManyPaths(paths), np.linspace(0.0, 1.0, looks)
        which = np.repeat(np.arange(len(paths)), looks)
        return Seen(many.at, many.lengths, u, many.at(which, np.tile(u, len(paths)) * many.lengths[which]))

    def of(self, k: int) -> tuple[Floats, Along]:
        """Parameters, and what is seen there, of one path."""
        rows = slice(k * len(self.u), (k + 1) * len(self.u))
        return self.u * self.lengths[k], Along(*(each[rows] for each in self.along))

    def chosen(self, which: Which) -> Seen:
        """Of some of the paths."""
        rows = (which[:, None] * len(self.u) + np.arange(len(self.u))).ravel()
        along = Along(*(each[rows] for each in self.along))
        return replace(self, at=lambda k, s: self.at(which[k], s), lengths=self.lengths[which], along=along)

    def lifted(self, chain: Chain) -> Seen:
        """The same of all joints of the tree, which loops move."""
        return replace(self, at=lambda which, s: chain.lifted(self.at(which, s)), along=chain.lifted(self.along))


class PacesAsked(NamedTuple):
    """What is asked of paths, a number for each: speeds and accelerations along them, and shares of joints' limits."""

    speed: Floats
    acceleration: Floats  # zero of zones, which are run through at constant speed
    share: Floats  # of the joints' speeds
    push: Floats  # of the joints' accelerations


PaceFinder = Callable[[JointRates, Seen, PacesAsked], tuple[Floats, Floats, list[Decides]]]


def of_one(
    find: PaceFinder, rates: JointRates, path: JointPath, speed: float, acceleration: float, *, share: float,
    push: float, s: Floats, seen: Along,
) -> tuple[float, float, Decides]:  # fmt: skip
    """`slowed_together`, or `best_trapezoids`, of one path, ``seen`` at even parameters s (k,)."""
    asked = PacesAsked(*(np.array([each]) for each in (speed, acceleration, share, push)))
    (v,), (a,), (decides,) = find(rates, Seen.alone(path, s, seen), asked)
    return float(v), float(a), decides


def slowed_together(rates: JointRates, seen: Seen, asked: PacesAsked) -> tuple[Floats, Floats, list[Decides]]:
    """Speeds and accelerations at which joints and motors keep their limits, and what holds each path back.

    With |q'| sd <= speeds and |q''| sd^2 + |q'| sdd <= accelerations where the paths are seen, then as much slower as
    the true peaks between these ask for.
    """
    if rates.whole is not None:
        return slowed_together(rates.whole, seen.lifted(rates.chain), asked)
    count, looks = len(seen.lengths), len(seen.u)
    owner = np.repeat(np.arange(count), looks)

    def shares(along: Along, which: Which) -> tuple[Floats, Floats, Floats]:
        """Of limits: at a unit rate those of speed, at a unit of acceleration, and by the bend at a unit rate."""
        limits = asked.push[which, None] * rates.accelerations
        fast = rates.speed_uses(along, asked.share[which, None])
        return fast, np.abs(along.dq) / limits, np.abs(along.ddq) / limits

    taken = shares(seen.along, owner)
    fast, straight, bent = (each.reshape(count, looks, -1) for each in taken)
    with np.errstate(divide="ignore"):
        v = np.minimum(asked.speed, 1.0 / fast.max(axis=(1, 2), initial=0.0))
    v, a = balanced(straight, bent, v, asked.acceleration, seen.lengths)
    finite = np.isfinite(v) & np.isfinite(a)
    rate, push = np.where(finite, v, 0.0), np.where(finite, a, 0.0)

    def used(shares: tuple[Floats, Floats, Floats], which: Which) -> Floats:
        """Squares of shares of speeds, then shares of accelerations."""
        fast, straight, bent = shares
        v, a = rate[which, None], push[which, None]
        return np.concatenate([(fast * v) ** 2, bent * v**2 + straight * a], axis=-1)

    values = used(taken, owner).reshape(count, looks, -1)
    limits = values.shape[2]
    top = values.max(axis=(1, 2))
    close = top > DECIDES

    def one_by_one(u: Floats, column: NDArray[np.intp]) -> Floats:
        which = column // limits
        along = seen.at(which, u * seen.lengths[which])
        return np.asarray(used(shares(along, which), which)[np.arange(len(u)), column % limits])

    columns = values.swapaxes(0, 1).reshape(looks, -1)  # a limit of a path each
    best = np.repeat(np.where(close, top, np.inf), limits)  # nothing that is far from its limits is worth a closer look
    peaks = highest(one_by_one, seen.u, columns, best=best, least=0.1 * MARGIN, points=POINTS)
    found, places = (each.reshape(count, -1) for each in peaks)
    which = (found >= (1.0 - _ALIKE) * found.max(axis=1, keepdims=True)).argmax(axis=1)
    place = places[np.arange(count), which] * seen.lengths
    slower = np.where(close, np.maximum(found.max(axis=1) * (1.0 + MARGIN), 1.0), 1.0)
    decides = [rates.decides(k, s) for k, s in zip(which.tolist(), place.tolist(), strict=True)]
    return v / slower**0.5, a / slower, decides


def balanced(
    straight: Floats, bent: Floats, speed: Floats, acceleration: Floats, length: Floats
) -> tuple[Floats, Floats]:
    """Speeds and accelerations with straight a + bent v^2 <= 1, both (paths, k, m), that take least time for lengths.

    >>> one = np.ones((1, 1, 1))
    >>> v, a = balanced(one, one, np.array([0.5]), np.array([0.5]), np.array([1.0]))
    >>> v, a
    (array([0.5]), array([0.5]))
    """
    steepest, sharpest = (each.max(axis=(1, 2), initial=0.0) for each in (straight, bent))
    with np.errstate(divide="ignore", invalid="ignore"):
        a = np.minimum(acceleration, 1.0 / steepest)
        fastest = np.minimum(speed, sharpest**-0.5)
        hard = (bent * (speed**2)[:, None, None] + straight * a[:, None, None]).max(axis=(1, 2), initial=0.0)
    bends = np.isfinite(speed) & np.isfinite(a) & (sharpest > 0.0)
    v = np.where(bends & (a == 0.0), fastest, speed)
    open_ = np.flatnonzero(bends & (a != 0.0) & ~(hard <= 1.0))
    if len(open_):
        v[open_], a[open_] = _shortest(straight[open_], bent[open_], fastest[open_], a[open_], length[open_])
    return v, a


def _shortest(straight: Floats, bent: Floats, fastest: Floats, most: Floats, length: Floats) -> tuple[Floats, Floats]:
    """What the bend of a path leaves at each speed is there to speed up with: of those tried, what takes least time."""
    v = fastest[:, None] * _TRIED  # (paths, tried)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = (1.0 - bent[..., None] * (v**2)[:, None, None]) / straight[..., None]
    left = np.where(straight[..., None] > 0.0, left, np.inf).min(axis=(1, 2))
    a, L = np.clip(left, 0.0, most[:, None]), length[:, None]
    with np.errstate(divide="ignore"):
        time = np.where(v * v < a * L, L / v + v / a, 2.0 * np.sqrt(L / a))
    each, best = np.arange(len(v)), time.argmin(axis=1)
    return v[each, best], a[each, best]
