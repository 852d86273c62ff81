"""``servo_gains``: settings of the servo of every motor from the inertia it has to move, at its worst posture.

Szkodny (1995), section 4: servo settings follow from the effective inertia of each motor, which the dynamics with
drives give. With the other motors holding still, motor k moves J_k(q) = (N^-T M N^-1)_kk, its own rotor included. A
servo of position, u = Kp e + Kd ed, has the poles of J s^2 + Kd s + Kp; one of speed, u = Kp_v e + Ki_v integral e,
those of J s^2 + Kp_v s + Ki_v. Settled for the largest J by a natural frequency w and a damping d,

    Kp = Ki_v = J w^2,    Kd = Kp_v = 2 d w J,

both are at least as fast and at least as damped at every other posture: w sqrt(J / J_k) and d sqrt(J / J_k).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.gains import vector
from torsor.control.joint_laws import PdGravity, pd_gravity
from torsor.control.reference import Reference
from torsor.errors import ShapeError, Unsupported
from torsor.model.limits import position_limits
from torsor.model.transforms import Floats

LOOKS = 4096  # postures at which inertia is looked at before the largest and the least are refined
TURNS = 20  # halvings of the steps of that search
BETTER = 1e-9  # of an inertia: what is not larger by that is as good as the first found
UNBOUNDED = 1e4  # times the least: an inertia that no gear has
MOST_CORNERS = 10  # joints of which all ends of their ranges are looked at


@dataclass(frozen=True, eq=False)
class ServoGains:
    """Per motor, in the order of ``arm.drives.names``; ``print`` shows a table."""

    arm: Arm
    bandwidth: Floats  # (m,) 1/s: natural frequency at the worst posture
    damping: Floats  # (m,) there
    inertia: Floats  # (m,) kg m^2 at the motor, the largest
    worst: Floats  # (m, n) where that is
    least: Floats  # (m,) kg m^2
    lightest: Floats  # (m, n) where that is

    @property
    def Kp(self) -> Floats:
        """(m,) N m/rad of the motor: servo of position."""
        return np.asarray(self.inertia * self.bandwidth**2)

    @property
    def Kd(self) -> Floats:
        """(m,) N m s/rad."""
        return np.asarray(2.0 * self.damping * self.bandwidth * self.inertia)

    @property
    def speed_Kp(self) -> Floats:
        """(m,) N m s/rad of the motor: servo of speed."""
        return self.Kd

    @property
    def speed_Ki(self) -> Floats:
        """(m,) N m/rad."""
        return self.Kp

    @property
    def names(self) -> tuple[str, ...]:
        return self.arm.drives.names

    def law(self, reference: Reference | ArrayLike) -> PdGravity:
        """The servos of position as a law, gravity balanced: N^T K N in torques of the joints."""
        N = self.arm.drives.gearing.constant
        if N is None:
            hint = "give Kp and Kd to the servos of its motors"
            raise Unsupported(f"N of {self.arm.name!r} changes with q: it has a linkage", hint=hint)
        Kp, Kd = (N.T @ np.diag(each) @ N for each in (self.Kp, self.Kd))
        return pd_gravity(self.arm, Kp, Kd, reference)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Titles and cells, angles in degrees."""
        titles = ["motor", "least kg m^2", "most", "at", "Kp N m/rad", "Kd N m s/rad"]
        rows = []
        for k, name in enumerate(self.names):
            at = " ".join(self._spoken(self.worst[k]))
            sizes = (self.least[k], self.inertia[k]), (self.Kp[k], self.Kd[k])
            rows.append([name, *(f"{x:.4g}" for x in sizes[0]), at, *(f"{x:.4g}" for x in sizes[1])])
        return titles, rows

    def over(self, postures: Sequence[tuple[str, Floats]]) -> tuple[list[str], list[list[str]]]:
        """Effective inertia over named postures: titles and cells."""
        found = self.arm.drives.effective_inertia(np.array([q for _, q in postures]))
        rows = [[name, *(f"{x:.4g}" for x in row)] for (name, _), row in zip(postures, found, strict=True)]
        return ["posture", *self.names], rows

    def plot(self, path: str | Path | None = None) -> Any:
        """A map for every motor: its effective inertia over the two joints that change it most, as a figure."""
        from torsor.control.servo_map import mapped

        return mapped(self, path)

    def _spoken(self, q: Floats) -> list[str]:
        kinds = [link.joint.kind for link in self.arm.model.links_on(self.arm.joint_names)]
        sizes = [1e3 * x if kind == "prismatic" else np.degrees(x) for kind, x in zip(kinds, q, strict=True)]
        return [f"{x:.0f}".replace("-0", "0") if abs(x) < 0.5 else f"{x:.0f}" for x in sizes]

    def __str__(self) -> str:
        titles, rows = self.table()
        widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
        form = "  ".join(f"{{:>{width}}}" for width in widths)
        return "\n".join(form.format(*line) for line in (titles, *rows))


def servo_gains(
    arm: Arm, bandwidth: ArrayLike, damping: ArrayLike = 0.7, *, postures: ArrayLike | None = None
) -> ServoGains:
    """Servo settings of every motor: ``bandwidth`` in 1/s and ``damping``, for all or for each, at its worst posture.

    The worst posture is looked for within the position limits of the joints (a turn where there is none), or among
    ``postures`` (k, n). See `ServoGains` for what there is: PD of position, PI of speed, the postures, tables, a map.

    >>> import torsor
    >>> gains = servo_gains(torsor.load("puma560"), 30.0, 0.7)
    >>> gains.names[0], gains.Kp.round(3).tolist()[0], gains.Kd.round(4).tolist()[0]
    ('motor1', 1.157, 0.054)
    """
    drives = arm.drives
    drives.gearing.require_square()
    arm.model.require_inertia()
    w, d = (vector(word, x, drives.m, positive=True) for word, x in (("bandwidth", bandwidth), ("damping", damping)))
    if postures is None:
        low, high = joint_ranges(arm)
        some = _looked_at(low, high)
    else:
        some = np.atleast_2d(np.asarray(postures, dtype=np.float64))
        if some.ndim != 2 or some.shape[1] != arm.n or not np.isfinite(some).all():
            raise ShapeError(f"postures has shape {some.shape}", hint=f"(k, {arm.n}), finite")
        low = high = np.zeros(arm.n)
    found = drives.effective_inertia(some)
    ends = []
    for sign in (1.0, -1.0):
        places, sizes = np.zeros((drives.m, arm.n)), np.zeros(drives.m)
        for k in range(drives.m):
            start = some[_first_best(sign * found[:, k])]
            places[k], sizes[k] = (
                _refined(arm, k, start, low, high, sign)
                if postures is None
                else (start, float(drives.effective_inertia(start)[k]))
            )
        ends.append((sizes, places))
    (most, worst), (least, lightest) = ends
    for name, q, size, small in zip(drives.names, worst, most, least, strict=True):
        if not size < UNBOUNDED * small:
            text = f"{name} of {arm.name!r} comes to a dead centre of its linkage near q = {q.round(3).tolist()}"
            raise Unsupported(text, hint="no servo moves it there: narrower limits of the joints, or postures=")
    return ServoGains(arm, w, d, most, worst, least, lightest)


def joint_ranges(arm: Arm) -> tuple[Floats, Floats]:
    """Lowest and highest joints (n,): their limits, or a turn."""
    links = arm.model.links_on(arm.joint_names)
    low, high = position_limits(links)
    for link, ends in zip(links, zip(low, high, strict=True), strict=True):
        if link.joint.kind == "prismatic" and not np.isfinite(ends).all():
            raise Unsupported(f"{link.joint.name} slides without limits", hint="give its limits, or postures=")
    return np.where(np.isinf(low), -np.pi, low), np.where(np.isinf(high), np.pi, high)


def _looked_at(low: Floats, high: Floats) -> Floats:
    """Postures (k, n) that fill the ranges evenly, their ends, and where all joints are at zero."""
    from scipy.stats import qmc

    n = len(low)
    even = low + (high - low) * qmc.Sobol(n, scramble=False).random(LOOKS)
    corners = np.array(list(product(*zip(low, high, strict=True)))) if n <= MOST_CORNERS else even[:0]
    return np.vstack([np.clip(np.zeros(n), low, high)[None], corners, even])


def _first_best(sizes: Floats) -> int:
    """The first that is as large as the largest, but for rounding."""
    largest = sizes.max()
    return int(np.flatnonzero(sizes >= largest - BETTER * abs(largest))[0])


def _refined(arm: Arm, k: int, q: Floats, low: Floats, high: Floats, sign: float) -> tuple[Floats, float]:
    """From a posture on to where the inertia of motor k is largest (least): joint by joint, by ever smaller steps."""
    drives, best = arm.drives, q
    size = sign * float(drives.effective_inertia(q)[k])
    step = (high - low) / 16.0
    for _ in range(TURNS):
        moved = True
        while moved:
            tried = np.clip(best + np.vstack([np.diag(step), -np.diag(step)]), low, high)
            sizes = sign * drives.effective_inertia(tried)[:, k]
            which = _first_best(sizes)
            moved = bool(sizes[which] > size + BETTER * abs(size))
            if moved:
                best, size = tried[which], float(sizes[which])
        step = step / 2.0
    return best, sign * size
