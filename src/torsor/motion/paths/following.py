"""A tool path in joints: followed from where the arm is, never leaving its branch, with exact derivatives.

Joints at nodes along the path are found by Newton's method, each continuing from the last; in between a cubic through
the nodes starts Newton's method, so any parameter is exact. Where the path cannot be followed, `Lost` says why.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.curves import Along, without_rounding
from torsor.motion.paths.chain import Chain, Plannable, corrected, solved, solving
from torsor.motion.paths.tool_paths import Posing, ToolPath

_FEWEST, _MOST = 8, 2048  # intervals between nodes
_SMOOTH = 0.02  # rad or m: how far the trapezoidal rule over q' may miss the joints of the next node
MET = 1e-6  # m and rad: the arm stands at the start of the path


class Lost(TorsorError):
    """A tool path that the arm cannot follow; ``share`` of it can be."""

    def __init__(self, problem: str, *, hint: str | None, share: float) -> None:
        super().__init__(problem, hint=hint)
        self.share = share


class Followed:
    """The joints along a tool path, starting at q (n,). A path in joints like any other."""

    def __init__(self, chain: Chain, tool: ToolPath, q: Floats, *, arm: Plannable) -> None:
        self.chain, self.tool, self.arm = chain, tool, arm
        self.free: Any = _free_joints(chain, q)
        if np.abs(chain.approach(q[None], tool.at(np.zeros(1)).T)[0]).max() > MET:
            raise Lost("the arm is not at the start of the path", hint="give the joints of its start", share=0.0)
        for intervals in _powers():
            s = np.linspace(0.0, tool.length, intervals + 1)
            along = tool.at(s)
            found = self._at_once(along, s, q) if intervals == _FEWEST else self._one_by_one(along, s, q)
            if found is not None:
                self.nodes, self.q, self.dq = s, *found
                return
        raise self._lost(q)

    @property
    def length(self) -> float:
        return self.tool.length

    @property
    def kind(self) -> str:
        return self.tool.kind

    @property
    def end(self) -> Floats:
        """Joints at the end of the path."""
        end: Floats = self.q[-1]
        return end

    @property
    def slopes(self) -> tuple[Floats, Floats]:
        """q' at the start and at the end."""
        return self.dq[0], self.dq[-1]

    def at(self, s: Floats) -> Along:
        """q (k, n) and its derivatives by s.

        The next derivative of J q' = V at a time: J q'' = V' - b1 and J q''' = V'' - b2.
        """
        tool = self.tool.at(s)
        q = self._joints(tool, s)
        first, second, third = tool.rates
        dq, ddq, dddq = np.zeros_like(q), np.zeros_like(q), np.zeros_like(q)
        J = self.chain.where(q)[1][:, :, self.free]
        solve = solving(J)
        dq[:, self.free] = without_rounding(solve(first))
        ddq[:, self.free] = solve(second - self.chain.drift(q, dq))
        dddq[:, self.free] = solve(third - self.chain.drift2(q, dq, ddq))
        return Along(q, dq, ddq, dddq)

    def joints(self, s: Floats) -> Floats:
        """q (k, n) alone."""
        return self._joints(self.tool.at(s), s)

    def _joints(self, tool: Posing, s: Floats) -> Floats:
        q, _, found = corrected(self.chain, self.free, tool.T, self._between(s))
        if not found:
            raise TorsorError(
                f"joints of {self.arm.name!r} on its {self.kind} do not converge", hint="the path is singular there"
            )
        return q

    def _between(self, s: Floats) -> Floats:
        """The cubic through the nodes with their slopes."""
        i = np.clip(np.searchsorted(self.nodes, s, side="right") - 1, 0, len(self.nodes) - 2)
        width = (self.nodes[i + 1] - self.nodes[i])[:, None]
        h = np.clip((s - self.nodes[i])[:, None] / width, 0.0, 1.0)
        a, b = self.q[i], self.q[i + 1]
        da, db = self.dq[i] * width, self.dq[i + 1] * width
        cubic: Floats = a + h * (da + h * (3.0 * (b - a) - 2.0 * da - db + h * (2.0 * (a - b) + da + db)))
        return cubic

    def _at_once(self, along: Posing, s: Floats, q: Floats) -> tuple[Floats, Floats] | None:
        """All nodes from the slope at the start: enough for most paths, which are short against the arm."""
        T, twist = along.T, along.rates[0]
        q0, J, found = corrected(self.chain, self.free, T[:1], q[None])
        if not found:
            return None
        dq0 = np.zeros_like(q0)
        dq0[:, self.free] = solved(J, twist[:1])
        if not np.abs(dq0 * self.length).max() < 1.0:
            return None
        joints, J, found = corrected(self.chain, self.free, T, q0 + s[:, None] * dq0)
        if not found:
            return None
        slopes = np.zeros_like(joints)
        slopes[:, self.free] = solved(J, twist)
        return (joints, slopes) if _is_smooth(s, joints, slopes) else None

    def _one_by_one(self, along: Posing, s: Floats, q: Floats) -> tuple[Floats, Floats] | None:
        T, twist = along.T, along.rates[0]
        joints, slopes = np.zeros((len(s), self.chain.n)), np.zeros((len(s), self.chain.n))
        guess = q[None]
        for k in range(len(s)):
            each, J, found = corrected(self.chain, self.free, T[k : k + 1], guess)
            if not found:
                return None
            joints[k] = each[0]
            slopes[k, self.free] = solved(J, twist[k : k + 1])[0]
            if k + 1 < len(s):
                guess = each + (s[k + 1] - s[k]) * slopes[k]
        return (joints, slopes) if _is_smooth(s, joints, slopes) else None

    def _lost(self, q: Floats) -> TorsorError:
        """Why the path cannot be followed: its end, or a point of it, is out of reach, or its branch ends there."""
        s = np.linspace(0.0, self.length, 65)
        poses = self.tool.at(s).T
        joints = q[None]
        for k in range(1, len(s)):
            step, _, found = corrected(self.chain, self.free, poses[k : k + 1], joints)
            if not found or np.abs(step - joints).max() > 0.5:
                return self._why(joints[0], poses[k], float(s[k - 1] / self.length))
            joints = step
        return self._why(joints[0], poses[-1], 1.0)

    def _why(self, q: Floats, T: Floats, share: float) -> TorsorError:
        from torsor.motion.inverse.unreachable import Unreachable

        x, y, z = (float(each) for each in T[:3, 3])
        place = f"at ({x:.4g}, {y:.4g}, {z:.4g}), after {100.0 * share:.3g} % of it"
        try:
            options = self.arm.inverse_kinematics(T)
        except Unreachable as error:
            hint = f"{error.problem}; {error.hint}"
            return Lost(f"the {self.kind} leaves the reach of {self.arm.name!r} {place}", hint=hint, share=share)
        smallest = float(np.linalg.svd(self.chain.where(q[None])[1][0], compute_uv=False)[-1])
        names = ", ".join(getattr(options, "names", ())[:8])
        return Lost(
            f"the {self.kind} cannot be followed on one branch of {self.arm.name!r} {place}",
            hint=f"it goes through a singularity (smallest singular value {smallest:.2g}); "
            f"what is beyond it is reached by a joint move, on: {names}",
            share=share,
        )


def _powers() -> list[int]:
    intervals, found = _FEWEST, []
    while intervals <= _MOST:
        found.append(intervals)
        intervals *= 4
    return found


def _is_smooth(s: Floats, q: Floats, dq: Floats) -> bool:
    """Whether neighbouring nodes are on one branch: the slope of both agrees with the way between them."""
    missed = np.diff(q, axis=0) - 0.5 * (dq[1:] + dq[:-1]) * np.diff(s)[:, None]
    return bool(np.abs(missed).max() < _SMOOTH)


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
