"""What really happens where motors are asked for more than they give: Algorithm 1 along the blocks of a plan.

The arm lags from where a motor saturates until the next rest, where a controller waits for its axes to arrive; there
the plan and the arm are together again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from torsor.checking.sampling import SampleBlock
from torsor.drives.achieving import distance
from torsor.drives.stepping import DriveStepper
from torsor.errors import LoopOpen
from torsor.model.transforms import Floats
from torsor.motion.tolerances import ROUNDING

FINER = 8  # points for each sample of a planned path
LEVER = 0.1  # m: how much a radian counts beside a metre when the nearest pose of a path is looked for


@dataclass(frozen=True, eq=False)
class Reached:
    """Per regular sample of a block: as planned where nothing saturates."""

    q: Floats  # (cycles, n)
    torque: Floats  # (cycles, m) given by the motors
    limited: NDArray[np.bool_]  # (cycles, m) the motor gives all it has, and that is too little
    slowed: NDArray[np.bool_]  # (cycles, n) the joint may not turn as fast as planned
    off: Floats  # (cycles,) m from the planned path
    turned: Floats  # (cycles,) rad away from the planned orientation there


class Lagging:
    """Goes through blocks in order. ``dt`` is the cycle."""

    def __init__(self, dt: float) -> None:
        self.dt = dt
        self._machine: object = None
        self._stepper: DriveStepper | None = None
        self._behind: tuple[Floats, Floats, Floats] | None = None  # q, qd reached and q planned, at the block's end
        self.lost: str | None = None  # why it could not be followed to its end

    def through(self, block: SampleBlock, torque: Floats, beyond: NDArray[np.bool_]) -> Reached:
        """``torque`` (samples, m): what motors give of what is asked; ``beyond`` (samples,): where it is too little."""
        regular = block.regular
        plan, given = block.q[regular], torque[regular]
        never, not_off = (np.zeros(each.shape, dtype=bool) for each in (given, plan)), np.zeros((2, len(plan)))
        reached = Reached(plan.copy(), given, *never, *not_off)
        if self._machine is not block.machine:
            self._machine = block.machine
            self._stepper = None
        if len(plan) == 0:
            return reached
        behind, self._behind = self._behind, None
        whole = np.cumsum(regular) - 1  # of each sample: the regular one at or before it
        starts = sorted({max(int(whole[k]), 0) for k in block.rests} | {0})
        troubled = np.flatnonzero(beyond)
        for first, last in zip(starts, [*starts[1:], len(plan) - 1], strict=True):
            inside = (whole[troubled] >= first - 1) & (whole[troubled] <= last)
            late = first == 0 and behind is not None
            if last > first and (late or inside.any()):
                self._step(block, plan, first, last, reached, behind if late else None)
        return reached

    def _step(
        self,
        block: SampleBlock,
        plan: Floats,
        first: int,
        last: int,
        reached: Reached,
        behind: tuple[Floats, Floats, Floats] | None,
    ) -> None:
        """Algorithm 1 from one rest to the next: cycles first + 1 to last."""
        if self._stepper is None:
            self._stepper = block.machine.stepper(self.dt)
        if self._stepper is None:
            return
        if behind is None:
            before = plan[max(first - 1, 0)]
            self._stepper.start(plan[first], (plan[first] - before) / self.dt)
            path, into = plan[first : last + 1], slice(first + 1, last + 1)
        else:
            self._stepper.start(behind[0], behind[1])
            path, into = np.vstack([behind[2], plan[first : last + 1]]), slice(first, last + 1)
        try:
            done = self._stepper.step(path)
        except LoopOpen as error:
            self.lost = error.problem
            return
        hindered = done.limited.any() or done.slowed.any() or behind is not None
        if last == len(plan) - 1 and not block.final and hindered and not _rests_at_end(block):
            self._behind = done.q[-1], done.qd[-1], plan[-1]
        if not hindered:
            return
        reached.q[into], reached.torque[into] = done.q, done.reached
        reached.limited[into], reached.slowed[into] = done.limited, done.slowed
        pose = block.machine.pose
        T_reached, T_planned = pose(done.q), pose(_finer(path))
        off = distance(T_reached[:, :3, 3], T_planned[:, :3, 3])
        reached.off[into] = off
        reached.turned[into] = _angles(T_reached, T_planned)


def _finer(path: Floats) -> Floats:
    """More points between the samples: at speed they lie far apart."""
    share = np.arange(FINER)[:, None] / FINER
    between = path[:-1, None] + share * np.diff(path, axis=0)[:, None]
    return np.vstack([between.reshape(-1, path.shape[1]), path[-1:]])


def _rests_at_end(block: SampleBlock) -> bool:
    return bool(np.abs(block.qd[-1]).max() <= ROUNDING * max(np.abs(block.qd).max(), 1e-300))


def _angles(T: Floats, path: Floats) -> Floats:
    """Between each orientation and that of the path's nearest pose, in position and orientation together."""
    from scipy.spatial import cKDTree

    def places(poses: Floats) -> Floats:
        return np.hstack([poses[:, :3, 3], LEVER * poses[:, :3, :3].reshape(-1, 9)])

    nearest = cKDTree(places(path)).query(places(T))[1]
    relative = np.swapaxes(path[nearest, :3, :3], -1, -2) @ T[:, :3, :3]
    # from the skew part and the trace together: exact for small angles too
    skew = relative[:, [2, 0, 1], [1, 2, 0]] - relative[:, [1, 2, 0], [2, 0, 1]]
    return np.asarray(np.arctan2(np.linalg.norm(skew, axis=-1), np.trace(relative, axis1=-2, axis2=-1) - 1.0))
