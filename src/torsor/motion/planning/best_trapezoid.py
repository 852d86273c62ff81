"""The fastest trapezoid, from rest to rest, along a path on which joints and motors keep their limits.

Over a length L with ramps of length r it has sd^2 = v^2 min(1, s / r, (L - s) / r) and takes (L + 2 r) / v, with the
acceleration v^2 / 2r. So for a given r every limit bounds v^2 alone:

- |q'' sd^2 + q' sdd| <= A on the ramps: v^2 |2 s q'' + q'| / 2r <= A, and |2 (L - s) q'' - q'| on the way down;
- |q''| v^2 <= A, |q'| v <= V between them;
- q'^2 v^2 s / r <= V^2 on the ramps.

The greatest of each, over ramps of growing length and over what is left between them, are running maxima: one pass over
a fine grid finds the best r. To go c times slower leaves r as it is and takes 1 / c^2 of all accelerations: so the true
peaks, enclosed on the grid and looked at ever closer on the exact path, are met exactly.
"""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.curves import Along, JointPath
from torsor.motion.narrowing import peak
from torsor.motion.planning.joint_rates import DECIDES, MARGIN, POINTS, ZOOMS, Decides, JointRates, Lifted
from torsor.motion.tolerances import ROUNDING

_FINE = 16  # intervals of the grid for each between points where the path is seen
_SAME = 1e-9  # of the time: ramps that take no longer are as good, and the shortest of them is taken
_RIVALS = 0.002  # squares of use this much lower than the greatest may have a higher peak beside them
_TINY = 1e-300  # a square of use that is none


def best_trapezoid(
    rates: JointRates,
    path: JointPath,
    speed: float,
    acceleration: float,
    *,
    share: float,
    push: float,
    s: Floats,
    seen: Along,
) -> tuple[float, float, Decides]:
    """Speed and acceleration, no more than are given, of the shortest trapezoid, and what holds it back.

    The path is ``seen`` at even points s from its start to its end. Joints take ``share`` and ``push`` of their limits.
    """
    if rates.whole is not None:
        path, seen, rates = Lifted(rates.chain, path), rates.chain.lifted(seen), rates.whole
    length, most = path.length, push * rates.accelerations
    if np.isfinite(speed + acceleration):
        hard = (np.abs(seen.ddq) * speed**2 + np.abs(seen.dq) * acceleration) / most
        if max(float(hard.max()), float(rates.speed_uses(seen, share).max()) * speed) < DECIDES:
            return speed, acceleration, Decides("", "speed", 0.0)  # far from all limits
    fine, along = _closer(s, seen)
    half = len(fine) // 2 + 1
    first = fine[:half]

    def outward(at_start: Floats, at_end: Floats) -> Floats:
        """The greatest up to each length of ramp, at the start and, mirrored, at the end."""
        return np.maximum.accumulate(np.maximum(at_start[:half], at_end[::-1][:half]))

    def inward(values: Floats) -> Floats:
        """The greatest between ramps of each length."""
        return np.maximum.accumulate(np.maximum(values[:half], values[::-1][:half])[::-1])[::-1]

    fast = rates.speed_uses(along, share).max(axis=-1) ** 2
    bend = (np.abs(along.ddq) / most).max(axis=-1)
    up = (np.abs(2.0 * fine[:, None] * along.ddq + along.dq) / most).max(axis=-1)
    down = (np.abs(2.0 * (length - fine)[:, None] * along.ddq - along.dq) / most).max(axis=-1)
    ramps = np.maximum(0.5 * outward(up, down), outward(fast * fine, fast * (length - fine)))
    if (np.isinf(speed) and not fast.any()) or (np.isinf(acceleration) and not up.any()):
        return speed, acceleration, Decides("", "speed", 0.0)  # nothing limits it
    # v^2 <= by_length r, and v^2 <= between: of ramps that end within the next interval of the grid
    by_length = np.minimum(2.0 * acceleration, 1.0 / np.maximum(ramps[1:], _TINY))
    between = np.minimum(speed**2, 1.0 / np.maximum(np.maximum(inward(fast), inward(bend))[:-1], _TINY))
    ramp = np.clip(between / by_length, first[:-1], first[1:])
    square = np.minimum(by_length * ramp, between)
    time = (length + 2.0 * ramp) / np.sqrt(square)
    best = int(np.argmax(time <= time.min() * (1.0 + _SAME)))
    r, v2 = float(ramp[best]), float(square[best])

    def uses(places: Floats, at: Along, sdd: Floats) -> Floats:
        """Squares of the shares of speeds, and shares of accelerations, at places: (k, limits)."""
        x = v2 * np.minimum(1.0, np.minimum(places, length - places) / r)[:, None]
        hard = np.abs(at.ddq * x + at.dq * (sdd * 0.5 * v2 / r)[:, None]) / most
        return np.concatenate([rates.speed_uses(at, share) ** 2 * x, hard], axis=-1)

    def ramping(places: Floats) -> Floats:
        return 1.0 * (places <= r) - 1.0 * (places >= length - r)

    def greatest(places: Floats) -> Floats:
        return np.asarray(uses(places, path.at(places), ramping(places)).max(axis=-1))

    used = uses(fine, along, ramping(fine)).max(axis=-1)
    top, place = peak(greatest, fine, zooms=ZOOMS, points=POINTS, rivals=_RIVALS, values=used)
    # where a ramp ends, it counts, and so does what is between them
    seams = np.array([r, length - r, r, length - r, place])
    ends = uses(seams, path.at(seams), np.append([1.0, -1.0, 0.0, 0.0], ramping(seams[4:])))
    row, which = np.unravel_index(int(np.argmax(ends)), ends.shape)
    decides = rates.decides(int(which), float(seams[row]))
    top = max(top, float(ends.max()))
    # as much slower, or faster, as the true peak asks for or leaves
    slower = max(top * (1.0 + MARGIN), v2 / speed**2, 0.5 * v2 / r / acceleration)
    v, a = (v2 / slower) ** 0.5, 0.5 * v2 / r / slower
    if np.isfinite(speed) and (v > speed * (1.0 - ROUNDING) or r > 0.5 * length * (1.0 - ROUNDING)):
        v = speed  # it is, or the ramps meet before
    return v, acceleration if a > acceleration * (1.0 - ROUNDING) else a, decides


def _closer(s: Floats, seen: Along) -> tuple[Floats, Along]:
    """A finer grid, and the path on it: by cubics through q, q' and q'' at even points s, with their slopes."""
    h = s[1] - s[0]
    u = np.arange(_FINE) / _FINE
    basis = np.stack(
        [(1.0 + 2.0 * u) * (1.0 - u) ** 2, u * (1.0 - u) ** 2 * h, u**2 * (3.0 - 2.0 * u), u**2 * (u - 1.0) * h]
    )

    def through(values: Floats, slopes: Floats) -> Floats:
        ends = np.stack([values[:-1], slopes[:-1], values[1:], slopes[1:]])  # (4, intervals, n)
        inner = np.einsum("ku,kin->iun", basis, ends).reshape(-1, values.shape[1])
        return np.concatenate([inner, values[-1:]])

    q, dq, ddq, dddq = seen
    fine = np.linspace(s[0], s[-1], _FINE * (len(s) - 1) + 1)
    return fine, Along(through(q, dq), through(dq, ddq), through(ddq, dddq), np.zeros((len(fine), q.shape[1])))
