"""What really happens where motors are asked for more than they give: Algorithm 1 along the blocks of a plan.

The arm lags from where a motor saturates until the next rest, where a controller waits for its axes to arrive; there
the plan and the arm are together again. The controller has a cycle of its own, `CYCLE`, whatever signals are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from torsor.checking.sampling import SampleBlock
from torsor.drives.achieving import distance
from torsor.drives.stepping import DriveStepper
from torsor.errors import LoopOpen
from torsor.model.transforms import Floats
from torsor.motion.tolerances import first_cycle
from torsor.programs.planner import CYCLE

FINER = 8  # points for each cycle of a planned path
LEVER = 0.1  # m: how much a radian counts beside a metre when the nearest pose of a path is looked for
LONGEST = 1000  # cycles of a rest that are looked at, where a motor cannot hold the arm

LateState = tuple[Floats, Floats, Floats]  # at the end of a block: q and qd reached, q planned


@dataclass(frozen=True, eq=False)
class Reached:
    """Where the arm is hindered, at the end of each cycle."""

    time: Floats  # (cycles,) s, of the program
    planned: Floats  # (cycles, n)
    q: Floats  # (cycles, n)
    qd: Floats
    qdd: Floats
    torque: Floats  # (cycles, m) given by the motors
    off: Floats  # (cycles,) m from the planned path
    turned: Floats  # (cycles,) rad away from the planned orientation there


class Lagging:
    """Goes through blocks in order."""

    def __init__(self) -> None:
        self._machine: object = None
        self._stepper: DriveStepper | None = None
        self._behind: LateState | None = None
        self.lost: str | None = None  # why it could not be followed to its end

    def through(self, block: SampleBlock, troubled: Floats) -> list[Reached]:
        """From rest to rest where times ``troubled`` fall, or the arm still lags: what is reached, if not the plan."""
        if self._machine is not block.machine:
            self._machine, self._stepper = block.machine, None
        behind, self._behind = self._behind, None
        if behind is None and not len(troubled):
            return []
        self._stepper = self._stepper or block.machine.stepper(CYCLE)
        if self._stepper is None:
            return []
        start, end = block.span
        found = []
        for a, b in pairwise(sorted({start, *block.rests, end})):
            late = behind if a == start else None
            if late is not None or ((troubled >= a) & (troubled <= b)).any():
                found += self._step(self._stepper, block, a, b, late)
        return found

    def _step(
        self, stepper: DriveStepper, block: SampleBlock, a: float, b: float, behind: LateState | None
    ) -> list[Reached]:
        """Algorithm 1 from one rest to the next."""
        first, last = max(first_cycle(a, CYCLE) - 1, 0), first_cycle(b, CYCLE) - 1
        if block.sections[block.sections_at(np.array([a]))[0]].is_rest:
            last = min(last, first + LONGEST)
        ends = b == block.span[1]
        time = np.maximum(CYCLE * np.arange(first, last + 1), block.span[0])
        if ends and block.final:
            time = np.append(time, b)
        if len(time) < 2:
            self._behind = behind if ends and not block.at_rest else None
            return []
        planned = block.planned(np.append(max(time[0] - CYCLE, block.span[0]), time))[0]
        before, path = planned[0], planned[1:]
        if behind is None:
            stepper.start(path[0], (path[0] - before) / CYCLE)
        else:
            stepper.start(behind[0], behind[1])
            path[0] = behind[2]
        try:
            done = stepper.step(path)
        except LoopOpen as error:
            self.lost = error.problem
            return []
        if not (done.limited.any() or done.slowed.any() or behind is not None):
            return []
        if ends and not (block.final or block.at_rest):
            self._behind = done.q[-1], done.qd[-1], path[-1]
        pose = block.machine.pose
        T_reached, T_planned = pose(done.q), pose(_finer(path))
        off = distance(T_reached[:, :3, 3], T_planned[:, :3, 3])
        return [
            Reached(time[1:], path[1:], done.q, done.qd, done.qdd, done.reached, off, _angles(T_reached, T_planned))
        ]


def _finer(path: Floats) -> Floats:
    """More points between the samples: at speed they lie far apart."""
    share = np.arange(FINER)[:, None] / FINER
    between = path[:-1, None] + share * np.diff(path, axis=0)[:, None]
    return np.vstack([between.reshape(-1, path.shape[1]), path[-1:]])


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
