"""Where the arm is while a program runs: at the end of the move before. Half of real programs ask for it."""

from __future__ import annotations

import numpy as np

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.model.transforms import Floats, inverse

MOST_WAITING = 2000  # poses on the way from joints that are known


class Whereabouts:
    """Joints or a pose of the flange, as the last move left them; the one from the other where an arm is given."""

    def __init__(self, arm: Arm | None = None, start: Floats | None = None) -> None:
        self.arm = arm
        self.T: Floats | None = None  # T_base_flange
        self.q: Floats | None = None
        self.on_the_way: list[Floats] = []  # poses since the joints were last known
        self.moved = False
        if arm is not None:
            self.q = np.zeros(arm.n) if start is None else np.asarray(start, dtype=np.float64)

    def content(self) -> tuple[object, ...]:
        """What tells two of them apart."""
        return (None if self.T is None else self.T.tobytes(), None if self.q is None else self.q.tobytes())

    def to_joints(self, q: tuple[float, ...]) -> None:
        now = np.asarray(q, dtype=np.float64)
        if self.arm is not None and self.q is not None and len(now) < len(self.q):
            now = np.concatenate([now, self.q[len(now) :]])
        self.q, self.T, self.moved = now, None, True
        self.on_the_way.clear()

    def to_pose(self, T_base_tool: Floats, T_flange_tool: Floats) -> None:
        self.T, self.moved = T_base_tool @ inverse(T_flange_tool), True
        if self.arm is not None:
            self.on_the_way.append(self.T)
            del self.on_the_way[:-MOST_WAITING]

    def lost(self) -> None:
        """A move that was passed over: nobody knows where it would have gone to."""

    def flange(self) -> Floats | None:
        """T_base_flange; None where it takes an arm to tell."""
        if self.T is None and self.q is not None and self.arm is not None and len(self.q) == self.arm.n:
            self.T = np.asarray(self.arm.pose(self.q))
        return self.T

    def joints(self) -> Floats | None:
        """The joints; None where it takes an arm to tell, or where the arm does not get there."""
        if self.on_the_way and self.arm is not None and self.q is not None:
            try:
                found = self.arm.inverse_kinematics(np.stack(self.on_the_way), nearest=self.q, limits=False)
                self.q = np.asarray(found)[-1]
                self.on_the_way.clear()
            except TorsorError:
                return None
        return None if self.on_the_way or (self.T is not None and self.arm is None) else self.q

    def solved(self, T_base_flange: Floats, near: Floats | None = None) -> Floats | None:
        """Joints for another pose of the flange, nearest to these or to where the arm is."""
        if self.arm is None:
            return None
        start = self.joints() if near is None else near
        try:
            return np.asarray(self.arm.inverse_kinematics(T_base_flange, nearest=start))
        except TorsorError:
            return None
