"""A tool path in joints: followed from where the arm is, never leaving its branch, with exact derivatives.

Joints at nodes along the path are found by Newton's method, each continuing from the last; in between a cubic through
the nodes starts Newton's method, so any parameter is exact. Where the path cannot be followed, `Lost` says why.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.curves import Along, without_rounding
from torsor.motion.paths.chain import Chain, corrected, solved
from torsor.motion.paths.tool_paths import Posing, ToolPath

INTERVALS, _FAILED = (8, 32, 128, 512, 2048), 32  # between nodes; with so many, first ask whether it is out of reach
_SMOOTH = 0.02  # rad or m: how far the trapezoidal rule over q' may miss the joints of the next node
MET = 1e-6  # m and rad: the arm stands at the start of the path


class Lost(TorsorError):
    """A tool path that the arm cannot follow; ``share`` of it can be. What follows is ``beyond`` reach, or singular."""

    def __init__(self, problem: str, *, hint: str | None, share: float, beyond: bool = False) -> None:
        super().__init__(problem, hint=hint)
        self.share, self.beyond = share, beyond


class Followed:
    """The joints along a tool path, starting at q (n,). A path in joints like any other."""

    make: Hashable = None  # what those have in common that are followed together, once somebody asked

    def __init__(self, chain: Chain, tool: ToolPath, q: Floats, *, arm: AnyArm) -> None:
        self.chain, self.tool, self.arm, self.length = chain, tool, arm, tool.length
        self.free: Any = _free_joints(chain, q)
        if np.abs(chain.approach(q[None], tool.at(np.zeros(1)).T)[0]).max() > MET:
            raise Lost("the arm is not at the start of the path", hint="give the joints of its start", share=0.0)
        known = 0, q  # the last node that is sure to be on the branch, and its joints
        for coarser, intervals in zip((INTERVALS[0], *INTERVALS), INTERVALS, strict=False):
            self.nodes = np.linspace(0.0, tool.length, intervals + 1)
            along = tool.at(self.nodes)
            if intervals == INTERVALS[0]:
                found = self._at_once(along, q)
            else:
                found, known = self._one_by_one(along, q, known[0] * intervals // coarser, known[1])
            if found:
                self.end, self.slopes = self.q[-1], (self.dq[0], self.dq[-1])  # joints there; q' at start and end
                return
            if intervals == _FAILED and (lost := self._lost(q)).beyond:
                raise lost
        raise lost

    @classmethod
    def through(cls, chain: Chain, tool: ToolPath, q: Floats, dq: Floats, *, arm: AnyArm) -> Followed | None:
        """With joints and slopes at nodes (k, n) that meet the path, whoever found them; None where they leave it."""
        path = cls.__new__(cls)
        path.chain, path.tool, path.arm, path.length, path.free = chain, tool, arm, tool.length, slice(None)
        path.nodes, path.q, path.dq = np.linspace(0.0, tool.length, len(q)), q, dq
        path.end, path.slopes = q[-1], (dq[0], dq[-1])
        return path if path._is_smooth() else None

    def at(self, s: Floats) -> Along:
        """q (k, n) and its derivatives by s."""
        tool = self.tool.at(s)
        return with_derivatives(self.chain, self.free, self.joints(s, tool), tool)

    def joints(self, s: Floats, tool: Posing | None = None) -> Floats:
        """q (k, n) alone."""
        tool = self.tool.at(s) if tool is None else tool
        q, _, found = corrected(self.chain, self.free, tool.T, self._between(s))
        if not found:
            hint = "the path is singular there"
            raise TorsorError(f"joints of {self.arm.model.name!r} on its {self.tool.kind} do not converge", hint=hint)
        return q

    def _between(self, s: Floats) -> Floats:
        """The cubic through the nodes with their slopes."""
        return between_nodes(s, self.length, self.q[None], self.dq[None], np.zeros(len(s), dtype=np.intp))

    def _met(self, T: Floats, twist: Floats, guess: Floats) -> tuple[Floats, Floats] | None:
        """Joints near a guess (k, n) that meet poses (k, 4, 4), and their slopes."""
        q, J, found = corrected(self.chain, self.free, T, guess)
        dq = np.zeros_like(q)
        if found:
            dq[:, self.free] = solved(J, twist)
        return (q, dq) if found else None

    def _at_once(self, along: Posing, q: Floats) -> bool:
        """All nodes from the slope at the start: enough for most paths, which are short against the arm."""
        T, twist = along.T, along.rates[0]
        first = self._met(T[:1], twist[:1], q[None])
        if first is None or not np.abs(first[1] * self.length).max() < 1.0:
            return False
        found = self._met(T, twist, first[0] + self.nodes[:, None] * first[1])
        if found is not None:
            self.q, self.dq = found
        return found is not None and self._is_smooth()

    def _one_by_one(self, along: Posing, q: Floats, sure: int, there: Floats) -> tuple[bool, tuple[int, Floats]]:
        """Whether all nodes are found, and the last that is sure to be on the branch, with its joints.

        What is behind the node that was ``sure``, with its joints ``there``, comes first: where the path ends, that is
        a few nodes away, and what is before it need not be gone through ever more finely.
        """
        self.q, self.dq = np.zeros((len(self.nodes), self.chain.n)), np.zeros((len(self.nodes), self.chain.n))
        end = self._from(along, there, sure, len(self.nodes))
        last = sure + int(np.argmin([*self._smooth_between(sure, end), False]))
        if last < len(self.nodes) - 1:
            return False, (last, self.q[last].copy()) if end > sure else (sure, there)
        return self._from(along, q, 0, sure) == sure and self._is_smooth(), (0, q)

    def _from(self, along: Posing, q: Floats, first: int, end: int) -> int:
        """Nodes from the first on up to an end, each from the one before: up to which they are found."""
        T, twist, steps = along.T, along.rates[0], np.diff(self.nodes, append=self.nodes[-1])
        guess = q[None]
        for k in range(first, end):
            found = self._met(T[k : k + 1], twist[k : k + 1], guess)
            if found is None:
                return k
            self.q[k : k + 1], self.dq[k : k + 1] = found
            guess = found[0] + steps[k] * found[1]
        return end

    def _is_smooth(self) -> bool:
        """Whether neighbouring nodes are on one branch."""
        return bool(self._smooth_between(0, len(self.nodes)).all())

    def _smooth_between(self, first: int, end: int) -> NDArray[np.bool_]:
        """Of nodes and the next ones, whether they are on one branch: the slope of both agrees with the way between."""
        q, dq, steps = self.q[first:end], self.dq[first:end], np.diff(self.nodes[first:end])
        missed = np.diff(q, axis=0) - 0.5 * (dq[1:] + dq[:-1]) * steps[:, None]
        return np.asarray(np.abs(missed).max(axis=1, initial=0.0) < _SMOOTH)

    def _lost(self, q: Floats) -> Lost:
        """Why the path cannot be followed: its end, or a point of it, is out of reach, or its branch ends there."""
        s = np.linspace(0.0, self.length, 65)
        poses = self.tool.at(s).T
        joints = q[None]
        for k in range(1, len(s)):
            step, _, found = corrected(self.chain, self.free, poses[k : k + 1], joints)
            if not found or np.abs(step - joints).max() > 0.5:
                return self._why(joints[0], poses[k], (k - 1) / (len(s) - 1))
            joints = step
        return self._why(joints[0], poses[-1], 1.0)

    def _why(self, q: Floats, T: Floats, share: float) -> Lost:
        from torsor.motion.inverse.unreachable import Unreachable

        place = "at ({:.4g}, {:.4g}, {:.4g})".format(*T[:3, 3]) + f", after {100.0 * share:.3g} % of it"
        try:
            options = self.arm.inverse_kinematics(T)
        except Unreachable as error:
            hint = f"{error.problem}; {error.hint}"
            problem = f"the {self.tool.kind} leaves the reach of {self.arm.model.name!r} {place}"
            return Lost(problem, hint=hint, share=share, beyond=True)
        smallest = float(np.linalg.svd(self.chain.where(q[None])[1][0], compute_uv=False)[-1])
        names = ", ".join(getattr(options, "names", ())[:8])
        problem = f"the {self.tool.kind} cannot be followed on one branch of {self.arm.model.name!r} {place}"
        hint = f"it goes through a singularity (smallest singular value {smallest:.2g}); "
        return Lost(problem, hint=f"{hint}what is beyond it is reached by a joint move, on: {names}", share=share)


def between_nodes(s: Floats, length: Floats | float, q: Floats, dq: Floats, which: NDArray[np.intp]) -> Floats:
    """(k, n): cubics through evenly spaced nodes of paths (paths, nodes, n) with their slopes, ``which`` path at s."""
    last, width = q.shape[1] - 2, np.atleast_1d(length / (q.shape[1] - 1))
    x = s / width
    i = np.minimum(x.astype(np.intp), last)
    h = (x - i)[:, None]
    a, b = q[which, i], q[which, i + 1]
    da, db = (dq[which, each] * width[:, None] for each in (i, i + 1))
    return np.asarray(a + h * (da + h * (3.0 * (b - a) - 2.0 * da - db + h * (2.0 * (a - b) + da + db))))


def with_derivatives(chain: Chain, free: Any, q: Floats, tool: Posing) -> Along:
    """Joints (k, n) on a tool path with their derivatives by its parameter.

    The next derivative of J q' = V at a time: J q'' = V' - b1 and J q''' = V'' - b2.
    """
    first, second, third = tool.rates
    dq, ddq, dddq = np.zeros_like(q), np.zeros_like(q), np.zeros_like(q)
    J = chain.where(q)[1][:, :, free]
    dq[:, free] = without_rounding(solved(J, first))
    ddq[:, free] = solved(J, second - chain.drift(q, dq))
    dddq[:, free] = solved(J, third - chain.drift2(q, dq, ddq))
    return Along(q, dq, ddq, dddq)


def _free_joints(chain: Chain, q: Floats) -> Any:
    """Joints that follow the tool. An arm with more than six rests those that move most without moving the tool."""
    if chain.n <= 6:
        return slice(None)
    J = chain.where(q[None])[1][0]
    free = list(range(chain.n))
    while len(free) > 6:
        null = np.linalg.svd(J[:, free])[2][6:]  # motions of the joints that leave the tool where it is
        free.pop(int(np.argmax((null**2).sum(axis=0))))
    return np.array(free)
