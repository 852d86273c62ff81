"""With the least effort: the timing of a given path that heats the motors least, in at most a given time.

    min  integral of sum_j (u_j / scale_j)^2 dt   over s(t), from rest to rest, T <= time

u are the torques of the motors with their rotors, or of the joints of an arm without drives; friction, which a timing
changes little, is left out. With x = sd^2, and x a straight line over every interval of the path, torques are affine
in x: u = m x'/2 + c x + g. The integrand u^2 / sqrt(x) is convex, and so is the time, so that Newton's method on
effort + lambda time finds the one minimum (Verscheure et al. 2009); lambda, the worth of a second, is found from the
time that is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solveh_banded

from torsor.errors import ShapeError, TorsorError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.curves import JointPath
from torsor.motion.optimal.grid import tangent_jumps
from torsor.motion.optimal.path_limits import limits_of
from torsor.motion.optimal.profile import Timed

STEPS, SETTLED = 200, 1e-15  # of Newton's method; of the decrement over the effort
SMALLEST = 1e-60  # sd^2 at the ends, where nothing is asked for its slopes
DOUBLINGS, HALVINGS = 80, 60  # of lambda
CLOSE, CHEAP = 1e-9, 1e-9  # share of the time that may be left; worth of a second that is none any more
WITHIN = 1e-7


def least_effort(
    arm: AnyArm, path: JointPath, time: float, *, drives: bool | None = None, scale: ArrayLike | None = None,
    points: int = 200,
) -> Timed:  # fmt: skip
    """The motion along a path q(s), at rest at both ends, that takes the least effort in at most ``time`` seconds.

    ``scale`` (motors,) is what torques are measured by, N m; without it the limits of the motors where all are known,
    else 1. The motion ends sooner than ``time`` where holding the arm up longer would cost more than it saves. Where it
    would exceed a limit of the arm that is refused: `time_optimal` says how fast limits allow the path at all.

    >>> import numpy as np, torsor
    >>> from torsor.motion.curves import Along
    >>> class Straight:
    ...     length = 1.0
    ...     def at(self, s):
    ...         none = np.zeros((len(s), 2))
    ...         return Along(s[:, None] * [1.0, 0.5], none + [1.0, 0.5], none, none)
    >>> timed = least_effort(torsor.load("planar2"), Straight(), 2.0)
    >>> timed.duration <= 2.0 + 1e-9
    True
    """
    if not (np.isfinite(time) and time > 0.0 and points >= 8 and path.length > 0.0):
        hint = "a time above zero, at least 8 points, a path of some length"
        raise ShapeError(f"{time} s on {points} points", hint=hint)
    problem = _Effort.of(arm, path, drives, scale, points)
    x = problem.within(float(time))
    a = np.diff(x) / (2.0 * problem.h)
    return _judged(arm, path, drives, problem.s, x, a)


@dataclass(frozen=True, eq=False)
class _Effort:
    """Torques in the middle of intervals: u = A x_k + B x_(k+1) + g, over their scale."""

    s: Floats  # (points + 1,)
    A: Floats  # (points, motors)
    B: Floats
    g: Floats

    @classmethod
    def of(cls, arm: AnyArm, path: JointPath, drives: bool | None, scale: ArrayLike | None, points: int) -> _Effort:
        s = np.linspace(0.0, path.length, points + 1)
        if len(tangent_jumps(path, s)):
            raise ShapeError("the path has corners", hint="its parts from corner to corner are paths of their own")
        motors = bool(arm.model.drives) if drives is None else drives
        along = path.at(0.5 * (s[:-1] + s[1:]))
        q, none = along.q, np.zeros_like(along.q)

        def torques(qd: Floats, qdd: Floats) -> Floats:
            tau = arm.inverse_dynamics(q, qd, qdd, drives=motors)
            if not motors:
                return np.asarray(tau)
            N = arm.drives.N(q)
            N_T = np.broadcast_to(np.swapaxes(N, -1, -2), (*tau.shape, tau.shape[-1]))
            return np.asarray(np.linalg.solve(N_T, tau[..., None])[..., 0])

        if motors:
            arm.drives.gearing.require_square()
            known = [drive.motor.torque for drive in arm.model.drives]
        else:
            known = [link.joint.limits.torque for link in arm.model.links_on(arm.joint_names)]
        by = np.array([1.0 if None in known else each for each in known], dtype=np.float64) if scale is None else scale
        by = np.broadcast_to(np.asarray(by, dtype=np.float64), (arm.n,))
        if not (np.isfinite(by).all() and (by > 0.0).all()):
            raise ShapeError(f"the scale is {by}", hint="numbers above zero, in N m")
        h = np.diff(s)[:, None]
        g = torques(none, none)
        m, c = torques(none, along.dq) - g, torques(along.dq, along.ddq) - g
        return cls(s, (0.5 * c - m / (2.0 * h)) / by, (0.5 * c + m / (2.0 * h)) / by, g / by)

    @property
    def h(self) -> Floats:
        return np.diff(self.s)

    def times(self, x: Floats) -> Floats:
        root = np.sqrt(x)
        return np.asarray(2.0 * self.h / (root[:-1] + root[1:]))

    def effort(self, x: Floats) -> Floats:
        """Of each interval, per second."""
        u = self.A * x[:-1, None] + self.B * x[1:, None] + self.g
        return np.asarray((u * u).sum(axis=-1))

    def within(self, time: float) -> Floats:
        """x (points + 1,) of the least effort that takes no more than a time."""
        y = np.sin(np.pi * np.linspace(0.0, 1.0, len(self.s))) + 0.0
        y[0] = y[-1] = 0.0
        x = y * (self.times(y).sum() / time) ** 2
        worth = float(self.effort(x) @ self.times(x)) / time
        low, high = 0.0, max(worth, 1e-300)
        x = self._least(x, high)
        for _ in range(DOUBLINGS):
            if self.times(x).sum() <= time:
                break
            low, high = high, 4.0 * high
            x = self._least(x, high)
        else:
            raise TorsorError(f"no motion of {time:g} s is found", hint="give it more time")
        best = x
        for _ in range(HALVINGS):
            middle = np.sqrt(low * high) if low else 0.1 * high
            x = self._least(best, middle)
            taken = self.times(x).sum()
            if taken <= time:
                high, best = middle, x
            else:
                low = middle
            if abs(time - taken) <= CLOSE * time or high <= CHEAP * worth:
                break
        return best

    def _least(self, x: Floats, worth: float) -> Floats:
        """Newton's method on effort + worth times time, with steps that keep x above zero."""
        for _ in range(STEPS):
            value, slope, bands = self._model(x, worth)
            step = solveh_banded(bands, -slope, lower=True)
            decrement = float(-slope @ step)
            if decrement <= SETTLED * max(value, 1e-300):
                break
            inner = x[1:-1]
            falling = step < 0.0
            size = min(1.0, 0.9 * float((inner[falling] / -step[falling]).min(initial=np.inf)))
            while size > 1e-12:
                new = x.copy()
                new[1:-1] = inner + size * step
                if self._value(new, worth) <= value - 1e-4 * size * decrement:
                    x = new
                    break
                size *= 0.5
            else:
                break
        return x

    def _value(self, x: Floats, worth: float) -> float:
        return float((self.effort(x) + worth) @ self.times(x))

    def _model(self, x: Floats, worth: float) -> tuple[float, Floats, Floats]:
        """Value, gradient and bands of the Hessian over the inner points."""
        a, b = x[:-1], x[1:]
        u = self.A * a[:, None] + self.B * b[:, None] + self.g
        U = (u * u).sum(axis=-1) + worth
        Ua, Ub = 2.0 * (u * self.A).sum(-1), 2.0 * (u * self.B).sum(-1)
        Uaa, Uab, Ubb = (2.0 * (p * q).sum(-1) for p, q in ((self.A, self.A), (self.A, self.B), (self.B, self.B)))
        ra, rb = (np.sqrt(np.maximum(each, SMALLEST)) for each in (a, b))
        D = np.sqrt(a) + np.sqrt(b)
        t = 2.0 * self.h / D
        ta, tb = -t / D / (2.0 * ra), -t / D / (2.0 * rb)
        taa = t / D**2 / (2.0 * ra**2) + t / D / (4.0 * ra**3)
        tbb = t / D**2 / (2.0 * rb**2) + t / D / (4.0 * rb**3)
        tab = t / D**2 / (2.0 * ra * rb)
        ga, gb = Ua * t + U * ta, Ub * t + U * tb
        haa = Uaa * t + 2.0 * Ua * ta + U * taa
        hbb = Ubb * t + 2.0 * Ub * tb + U * tbb
        hab = Uab * t + Ua * tb + Ub * ta + U * tab
        bands = np.zeros((2, len(x) - 2))
        bands[0] = hbb[:-1] + haa[1:]
        bands[1, :-1] = hab[1:-1]
        return float(U @ t), gb[:-1] + ga[1:], bands


def _judged(arm: AnyArm, path: JointPath, drives: bool | None, s: Floats, x: Floats, a: Floats) -> Timed:
    """With its use of the arm's limits, where it has any; refused where it would exceed one."""
    try:
        limits = limits_of(arm, drives=drives)
    except TorsorError:  # nothing limits it
        return Timed(path, s, x, a, a, (), np.zeros((len(a), 0)), 0.0, 1.0)
    middle = 0.5 * (s[:-1] + s[1:])
    share = limits.uses(middle, path.at(middle), 0.5 * (x[:-1] + x[1:]), a)
    names = tuple(name for group in limits.names for name in group)
    worst = float(share.max(initial=0.0))
    if worst > 1.0 + WITHIN:
        k, limit = np.unravel_index(int(np.argmax(share)), share.shape)
        text = f"the motion of least effort would need {worst:.3g} of the {names[int(limit)]}, at s = {middle[k]:.4g}"
        raise TorsorError(text, hint="give it more time, or time_optimal, which holds limits")
    return Timed(path, s, x, a, a, names, share, max(worst - 1.0, 0.0), 1.0)
