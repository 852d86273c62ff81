"""Stops of a program: how far the tool swings when the arm stands still, and how that dies down, mode by mode."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args

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
STEP, IN_PERIOD = 2.5e-4, 40  # s between looks at what swings, and how many a period has at least
PERIODS = 2.0  # of the slowest that swings, in which the most that it does is looked for
MOST_LOOKS, AT_ONCE = 1_000_000, 10_000


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
    shapers = {each.kind: (still.shaped(each).left, each.duration) for each in made}
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
    return Dying.of(swing.arm, swing.told[0][sample], u, swing.ud[sample])


def held_at(arm: SwayingArm, joints: Floats) -> HeldArm:
    """The arm about joints of the tree as the rigid arm has them, with the shapes of its motion; loops stay closed."""
    Z = closed_bases(arm, straight(arm.tree, joints))
    over_x = np.zeros((arm.tree.size, Z.shape[1]))
    over_x[arm.unknown] = Z
    return HeldArm(arm.tree, joints, over_x)


@dataclass(frozen=True, eq=False)
class Dying:
    """The arm that stands at a posture and swings: every mode by itself, dying down."""

    poles: Any  # (poles,), 1/s, those of what swings in pairs
    tool: Any  # (3, poles): what each does at the tool at first, m

    @classmethod
    def of(cls, arm: SwayingArm, joints: Floats, u: Floats, ud: Floats) -> Dying:
        """``joints`` of the tree as the rigid arm has them; loops stay closed."""
        held = held_at(arm, joints)
        over_x, Z = held.Z, held.Z[arm.unknown]
        K, M, D = held.K, held.M, held.D
        m = len(K)
        A = np.block([[np.zeros((m, m)), np.eye(m)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
        poles, shapes = np.linalg.eig(A)
        amplitudes = np.linalg.solve(shapes, np.concatenate([Z.T @ u, Z.T @ ud]).astype(complex))
        return cls(poles, (held.tool[:3] @ over_x @ shapes[:m]) * amplitudes)

    def shaped(self, made: Shaper) -> Dying:
        """What would be left after the same motion, shaped: all of it, what creeps as well."""
        return Dying(self.poles, self.tool * made.passes(self.poles))

    @cached_property
    def _creeps(self) -> Any:
        return -self.poles.real >= CREEPS * np.abs(self.poles)

    @cached_property
    def _upper(self) -> Any:
        """Those that swing, one of each pair."""
        return (self.poles.imag > 0.0) & ~self._creeps

    @property
    def frequencies(self) -> Floats:
        """Hz, of what swings."""
        return np.asarray(np.abs(self.poles[self._upper]) / (2.0 * np.pi))

    @property
    def ratios(self) -> Floats:
        """Its shares of critical damping."""
        swings = self.poles[self._upper]
        return np.asarray(np.maximum(-swings.real / np.abs(swings), 0.0))

    @property
    def sizes(self) -> Floats:
        """m that it does at the tool at first."""
        return np.asarray(2.0 * np.linalg.norm(self.tool[:, self._upper], axis=0))

    def deviation(self, t: Floats) -> Floats:
        """(steps,): how far the tool is off, m."""
        some = [t[k : k + AT_ONCE] for k in range(0, len(t), AT_ONCE)]
        each = [np.linalg.norm((self.tool @ np.exp(np.outer(self.poles, part))).real, axis=0) for part in some]
        return np.concatenate([np.zeros(0), *each])

    @property
    def strongest(self) -> tuple[float, float, float] | None:
        """Frequency in Hz, damping, and share of all that swings; None where nothing does."""
        if not len(self.sizes):
            return None
        k = int(np.argmax(self.sizes))
        total = float(self.sizes.sum()) or 1.0
        return float(self.frequencies[k]), float(self.ratios[k]), float(self.sizes[k]) / total

    @property
    def between_looks(self) -> float:
        """s after which to look again at what swings.

        Between looks that are dt apart a sum of a_k cos(w_k t) exceeds the larger of them by sum a_k w_k^2 dt^2 / 8 at
        most: dt is such that this is the same share of sum a_k as of one that is looked at IN_PERIOD times.
        """
        total = float(self.sizes.sum())
        if not total > 0.0:
            return STEP
        mean = float(np.sqrt((self.sizes * self.frequencies**2).sum() / total))
        return min(STEP, 1.0 / (IN_PERIOD * mean))

    @property
    def _while(self) -> float:
        """s in which all that swings has been at its most."""
        return PERIODS / float(self.frequencies.min()) if len(self.sizes) else 0.0

    @property
    def left(self) -> float:
        """The most that the tool is off, m."""
        # what creeps is largest at once, or after some time of its own
        creeping = -self.poles[self._creeps].real
        times = [np.zeros(1), *(np.geomspace(0.1, 10.0, 20) / rate for rate in creeping.tolist() if rate > 0.0)]
        if (end := self._while) > 0.0:
            times.append(np.arange(0.0, end, max(self.between_looks, end / MOST_LOOKS)))
        return float(self.deviation(np.concatenate(times)).max())

    def settling(self, tolerance: float) -> float | None:
        """s until the tool stays within the tolerance; None where that takes longer than is looked.

        Where it would be too much to look at all of the time before, it is when no sum of what is left can exceed it.
        """
        from scipy.optimize import brentq

        lasting, rates = np.abs(self.tool).sum(axis=0), np.maximum(-self.poles.real, 0.0)

        def bound(t: float) -> float:
            return float((lasting * np.exp(-rates * t)).sum())

        if bound(0.0) <= tolerance:
            return 0.0
        # where it goes on after the longest that is waited for, it is seen in some periods after that
        last = LONGEST + min(max(self._while, STEP), LONGEST)
        if bound(last) <= tolerance:
            last = float(brentq(lambda t: bound(t) - tolerance, 0.0, last))
        step, over = self.between_looks, 0.0
        for block in range(MOST_LOOKS // AT_ONCE):
            t = last - step * np.arange(block * AT_ONCE, (block + 1) * AT_ONCE, dtype=np.float64)
            t = t[t >= 0.0]
            found = np.flatnonzero(self.deviation(t) > tolerance)
            if len(found):
                over = float(t[found[0]])
                break
            if len(t) < AT_ONCE:
                break
        else:
            over = float(t[-1])
        return None if over >= LONGEST else over
