"""A motion that a command gives in time: checked, and joined between its points."""

from __future__ import annotations

import numpy as np

from torsor.errors import ShapeError, TorsorError
from torsor.model.transforms import Floats
from torsor.motion.commands import Follow
from torsor.motion.paths.sampled_motion import SampledMotion, smoothed

NEAR = 1e-3  # rad or m: as far as the first point may be from where the arm stands


def motion_of(command: Follow, now: Floats) -> SampledMotion:
    """Of all joints: those that are not given stay. Raises where the arm stands elsewhere."""
    time = np.asarray(command.times, dtype=np.float64)
    q = np.asarray(command.q, dtype=np.float64)
    n = q.shape[1]
    if len(time) != len(q) or len(time) < 2:
        raise ShapeError(f"{len(time)} times for {len(q)} points", hint="two or more points, each with its time")
    if n > len(now):
        raise ShapeError(f"points with {n} joints", hint=f"the arm has {len(now)}")
    if not (np.diff(time) > 0.0).all() or not np.isfinite(time).all():
        raise TorsorError("times of the points do not rise", hint="each is later than the one before")
    tables = [q, command.qd, command.qdd]
    if not all(table is None or np.isfinite(table).all() for table in tables):
        raise TorsorError("points that are not finite numbers")
    far = float(np.abs(q[0] - now[:n]).max(initial=0.0))
    if far > NEAR:
        raise TorsorError(
            f"the motion begins {far:.4g} rad away from where the arm stands", hint="move to its first point before"
        )
    qd = smoothed(time, q) if command.smooth and command.qd is None else command.qd
    whole = [None if table is None else _completed(np.asarray(table, dtype=np.float64), now, k) for k, table in
             enumerate((q, qd, command.qdd))]  # fmt: skip
    return SampledMotion(time - time[0], *whole)  # type: ignore[arg-type]


def _completed(table: Floats, now: Floats, order: int) -> Floats:
    rest = now[table.shape[1] :] if order == 0 else np.zeros(len(now) - table.shape[1])
    return np.hstack([table, np.tile(rest, (len(table), 1))])
