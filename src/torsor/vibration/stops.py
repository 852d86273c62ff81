"""Stops of a program: how far the tool swings when the arm stands still, and how that dies down, mode by mode."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from torsor.elastic.elastic_loops import SwayingArm, closed_bases
from torsor.elastic.elastic_tree import straight
from torsor.elastic.held_arm import HeldArm
from torsor.elastic.shaping import Shaper, ShaperKind, shaper
from torsor.elastic.swinging import Swing
from torsor.model.transforms import Floats
from torsor.motion.commands import Place

LONGEST = 60.0  # s after which it is said not to settle
CREEPS = 0.99  # share of critical damping from which on what dies down does not swing: no shaper helps it
STEP, IN_PERIOD = 2.5e-4, 40  # s between looks at what swings, and how many a period of the strongest has at least
MOST_LOOKS = 100_000


@dataclass(frozen=True)
class Stop:
    """The end of a move, at which the arm stands still."""

    place: Place
    start: float  # s, of the move
    end: float
    deviation: float  # m, the most while it moves
    left: float  # m, the most after it, were it to stay
    settling: float | None  # s from its end until the tool stays within the tolerance; None: longer than is looked
    rest: float  # s until the next motion
    frequency: float | None  # Hz, of the mode that swings most after it; None: nothing swings, all is damped too much
    damping: float  # its share of critical damping ...
    share: float  # ... and its share of all that swings
    shapers: dict[ShaperKind, tuple[float, float]] = field(default_factory=dict)  # kind -> m left, s that it costs

    @property
    def mode(self) -> str:
        """Which frequency swings most after it, Hz and share."""
        return "creeps" if self.frequency is None else f"{self.frequency:.3g} Hz {100.0 * self.share:.0f} %"

    @property
    def is_settled(self) -> bool:
        return self.settling is not None and self.settling <= self.rest


def stop_of(swing: Swing, tolerance: float, place: Place, start: float, end: float, rest: float) -> Stop:
    dt = float(swing.time[1])
    first, last = int(start / dt), min(int(np.ceil(end / dt - 1e-9)), len(swing.time) - 1)
    still = swinging_after(swing, last)
    most = still.strongest
    made = [] if most is None else [shaper(kind, *most[:2]) for kind in get_args(ShaperKind)]
    frequency, ratio, share = most or (None, 0.0, 0.0)
    shapers = {each.kind: (still.left * _left(each, still), each.duration) for each in made}
    return Stop(
        place,
        start,
        end,
        float(swing.deviation[first : last + 1].max()),
        still.left,
        still.settling(tolerance),
        rest,
        frequency,
        ratio,
        share,
        shapers,
    )


def swinging_after(swing: Swing, sample: int) -> Dying:
    """What goes on after a sample of a motion, were the arm to stay there."""
    u = swing.u[sample] - swing.hanging(sample)
    return Dying(swing.arm, swing.told[0][sample], u, swing.ud[sample])


def _left(made: Shaper, still: Dying) -> float:
    """What a shaper for the strongest mode leaves of all of them."""
    total = sum(still.sizes.tolist()) or 1.0
    each = zip(still.frequencies.tolist(), still.ratios.tolist(), still.sizes.tolist(), strict=True)
    return float(sum(made.left(f, z) * size for f, z, size in each) / total)


def held_at(arm: SwayingArm, joints: Floats) -> HeldArm:
    """The arm about joints of the tree as the rigid arm has them, with the shapes of its motion; loops stay closed."""
    Z = closed_bases(arm, straight(arm.tree, joints))
    over_x = np.zeros((arm.tree.size, Z.shape[1]))
    over_x[arm.unknown] = Z
    return HeldArm(arm.tree, joints, over_x)


class Dying:
    """The arm that stands at a posture and swings: every mode by itself, dying down."""

    def __init__(self, arm: SwayingArm, joints: Floats, u: Floats, ud: Floats) -> None:
        """``joints`` of the tree as the rigid arm has them; loops stay closed."""
        held = held_at(arm, joints)
        over_x, Z = held.Z, held.Z[arm.unknown]
        K, M, D = held.K, held.M, held.D
        m = len(K)
        A = np.block([[np.zeros((m, m)), np.eye(m)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
        poles, shapes = np.linalg.eig(A)
        amplitudes = np.linalg.solve(shapes, np.concatenate([Z.T @ u, Z.T @ ud]).astype(complex))
        self.poles = poles
        self.tool = (held.tool[:3] @ over_x @ shapes[:m]) * amplitudes  # (3, poles): what each does at the tool
        creeps = -poles.real >= CREEPS * np.abs(poles)
        self.creeping = -poles[creeps].real  # 1/s
        upper = (poles.imag > 0.0) & ~creeps
        self.frequencies = np.abs(poles[upper]) / (2.0 * np.pi)
        self.ratios = np.maximum(-poles[upper].real / np.abs(poles[upper]), 0.0)
        self.sizes = 2.0 * np.linalg.norm(self.tool[:, upper], axis=0)

    def deviation(self, t: Floats) -> Floats:
        """(steps,): how far the tool is off, m."""
        return np.asarray(np.linalg.norm((self.tool @ np.exp(np.outer(self.poles, t))).real, axis=0))

    @property
    def strongest(self) -> tuple[float, float, float] | None:
        """Frequency in Hz, damping, and share of all that swings; None where nothing does."""
        if not len(self.sizes):
            return None
        k = int(np.argmax(self.sizes))
        total = float(self.sizes.sum()) or 1.0
        return float(self.frequencies[k]), float(self.ratios[k]), float(self.sizes[k]) / total

    @property
    def left(self) -> float:
        """The most that the tool is off, m."""
        # what creeps is largest at once, or after some time of its own
        times = [np.zeros(1), *(np.geomspace(0.1, 10.0, 20) / rate for rate in self.creeping.tolist() if rate > 0.0)]
        if (most := self.strongest) is not None:
            end = 2.0 / float(self.frequencies.min())
            times.append(np.arange(0.0, end, max(min(STEP, 1.0 / (IN_PERIOD * most[0])), end / MOST_LOOKS)))
        return float(self.deviation(np.concatenate(times)).max())

    def settling(self, tolerance: float) -> float | None:
        """s until the tool stays within the tolerance; None where that takes longer than is looked."""
        rate = -self.poles.real
        # beyond this the sum of all that swings is within it
        lasting = np.abs(self.tool).sum(axis=0)
        if lasting.sum() <= tolerance:
            return 0.0
        slowest = float(rate[lasting > 1e-6 * lasting.max()].min())
        if slowest <= 0.0:
            return None
        end = min(float(np.log(lasting.sum() / tolerance)) / slowest, LONGEST)
        t = np.arange(0.0, end + 5e-4, 5e-4)
        over = np.flatnonzero(self.deviation(t) > tolerance)
        if not len(over):
            return 0.0
        return None if t[over[-1]] >= LONGEST - 1e-3 else float(t[over[-1]])
