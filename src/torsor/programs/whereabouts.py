"""Where the arm is while a program runs: at the end of the move before. Half of real programs ask for it."""

from __future__ import annotations

import numpy as np

from torsor.arm import Arm
from torsor.errors import TorsorError
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, inverse

MOST_SEARCHES = 2  # for poses that the closed form has no joints for: each takes a tenth of a second
MOST_WAITING = 2000  # poses on the way from joints that are known
SAME = 1e-9  # rad, m, or of a matrix of rotation: the same place


def controller_base(arm: Arm | None) -> Floats:
    """T_root_base: the frame that a controller's poses are given in, where a description has it beside its root.

    ROS calls it "base" (REP 199); for Universal Robots it is turned by half a turn against the root of the URDF.
    """
    T = np.eye(4)
    if arm is None:
        return T
    links = arm.model.links
    at = next((k for k, link in enumerate(links) if link.name == "base"), BASE)
    while at != BASE:
        joint = links[at].joint
        if joint.moves:
            return np.eye(4)
        T = joint.before @ joint.after @ T
        at = links[at].parent
    return T


class Whereabouts:
    """Joints or a pose of the flange, as the last move left them; the one from the other where an arm is given.

    Poses are in the frame of the controller, ``root`` is T_root_base of it.
    """

    def __init__(self, arm: Arm | None = None, start: Floats | None = None) -> None:
        self.arm = arm
        self.root = controller_base(arm)
        self.from_root = inverse(self.root)
        self.T: Floats | None = None  # T_base_flange
        self.q: Floats | None = None
        self.on_the_way: list[Floats] = []  # poses since the joints were last known
        self.moved = False
        self.astray = False  # a move behind others led to where nobody knows: it was passed over
        self.asked = False  # a program has asked where the arm is: it may be told to go just there
        self.left = False  # a move led elsewhere than where the arm was said to be
        self.gone = False  # a move led elsewhere than where the arm stands at first, said or not
        self.stuck = False  # one of those poses has no joints: nothing behind it is looked for, until joints are told
        self.lost = 0  # poses that no joints were found for
        if arm is not None:
            self.q = np.zeros(arm.n) if start is None else np.asarray(start, dtype=np.float64)

    def _goes(self, nowhere: bool) -> None:
        self.gone |= not nowhere
        self.left |= not (self.asked and nowhere)

    def content(self) -> tuple[object, ...]:
        """What tells two of them apart."""
        q, T = (None if each is None else each.tobytes() for each in (self.q, self.T))
        return q, T, self.astray

    def passed_over(self) -> None:
        """A move led to where nobody knows. Where none led anywhere before, the arm is where it is taken to start."""
        self.astray |= self.gone

    def to_joints(self, q: tuple[float, ...]) -> None:
        now = np.asarray(q, dtype=np.float64)
        if self.arm is not None and self.q is not None and len(now) < len(self.q):
            now = np.concatenate([now, self.q[len(now) :]])
        self._goes(not self.on_the_way and _same(now, self.q))
        self.q, self.T, self.moved, self.stuck, self.astray = now, None, True, False, False
        self.on_the_way.clear()

    def to_pose(self, T_base_tool: Floats, T_flange_tool: Floats) -> None:
        T = T_base_tool @ inverse(T_flange_tool)
        if not (self.gone and self.left):
            self._goes(_same(T, self.T))
        self.T, self.moved, self.astray = T, True, False
        if self.arm is not None:
            self.on_the_way.append(self.root @ self.T)
            del self.on_the_way[:-MOST_WAITING]

    def forward(self, arm: Arm, q: Floats) -> Floats:
        """T_base_flange of these joints."""
        T: Floats = self.from_root @ np.asarray(arm.pose(q))
        return T

    def flange(self) -> Floats | None:
        """T_base_flange; None where it takes an arm to tell, or where nobody can."""
        self.asked = True
        if self.astray:
            return None
        if self.T is None and self.q is not None and self.arm is not None and len(self.q) == self.arm.n:
            self.T = self.forward(self.arm, self.q)
        return self.T

    def joints(self) -> Floats | None:
        """The joints; None where it takes an arm to tell, or where the arm does not get there."""
        self.asked = True
        if self.stuck or self.astray:
            return None
        if self.on_the_way and self.arm is not None and self.q is not None:
            try:
                found = self.arm.inverse_kinematics(np.stack(self.on_the_way), nearest=self.q, limits=False)
                self.q = np.asarray(found)[-1]
                self.on_the_way.clear()
            except TorsorError:
                self.stuck = True
                return None
        return None if self.on_the_way or (self.T is not None and self.arm is None) else self.q

    def solved(self, T_base_flange: Floats, near: Floats | None = None) -> Floats | None:
        """Joints for another pose of the flange, nearest to these or to where the arm is; where nobody knows that, to
        those that were known last."""
        if self.arm is None:
            return None
        start = self.joints() if near is None else near
        start = self.q if start is None else start
        T = self.root @ T_base_flange
        if self.lost >= MOST_SEARCHES and start is not None and not self.arm._solver.has_solution(T, start):
            return None
        try:
            return np.asarray(self.arm.inverse_kinematics(T, nearest=start))
        except TorsorError:
            self.lost += 1
            return None


def _same(one: Floats, other: Floats | None) -> bool:
    return other is not None and one.shape == other.shape and bool(np.allclose(one, other, rtol=0.0, atol=SAME))
