"""The arm as a planner sees it: where its tool is, and what the tool's path asks of the joints of the plan.

J q' = V, J q'' = V' - b1(q, q') and J q''' = V'' - b2(q, q', q'') for a path with the twist V(s): b1 = J' q' and
b2 = J'' q' + 2 J' q'' are compiled from the graph, the second as the derivative of the first along the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torsor.mechanics.assembly import free_names
from torsor.mechanics.canonical import Trees
from torsor.mechanics.closed_stance import ClosedStance
from torsor.mechanics.closure import without_loops
from torsor.mechanics.kinematics import jacobian, jacobian_dot_qd, pose
from torsor.mechanics.loops import loops_of
from torsor.mechanics.tool_chain import tool_chain
from torsor.mechanics.tree import Reals, Tree, lower
from torsor.model.limits import position_limits
from torsor.model.model import Model
from torsor.model.parts import Link
from torsor.model.transforms import Floats
from torsor.motion.closed_pages import ClosedPages
from torsor.motion.curves import Along, JointPath
from torsor.motion.loop_closure import LoopClosure
from torsor.motion.six_equations import SIX, six_solved

ALIKE = 1e-9  # a step of Newton's method this small ends it: close to a singular posture steps shrink slowly
MET = 1e-8  # m and rad: closer than this a pose is met
_STEPS = 12
_NODES = 64  # of a path in other joints: between two of them no joint turns by half a turn


class Chain:
    """Kinematics of the tool in the joints x that a plan is made in: they say where all joints q of the tree are.

    For an arm without loops these are all its joints; else its free joints, or others that are ``given`` by name.
    """

    def __init__(self, model: Model, given: Sequence[str] | None = None) -> None:
        self.model = model
        self.tree: Tree = lower(model)
        self.all_links: tuple[Link, ...] = model.independent  # of q
        self.closure: LoopClosure | None = None
        loops = loops_of(model, self.tree)
        if loops is None:
            self._pages = ClosedPages(self.tree.name, without_loops(self.tree), self.tree.facts("tool"))
        else:
            own = loops if given is None else loops.given(given)
            self.closure = LoopClosure(model, Trees(self.tree, loops=own))
            self._pages = self.closure.pages
        self.given = list(self._pages.closure.free)  # where x is in q
        self.n = len(self.given)
        self.links = tuple(self.all_links[k] for k in self.given)  # of x
        self.free = self.given if given is None else [model.joint_names.index(name) for name in free_names(model)]

    def home(self) -> Floats:
        """All joints at 0, or at the nearest end of their range; with loops as the arm is put together."""
        if self.closure is not None:
            return self.closure.reference[self.given]
        low, high = position_limits(self.links)
        return np.clip(np.zeros(self.n), low, high)

    # all joints, and those of the arm

    def whole(self, x: Floats) -> Floats:
        """q (k, tree joints); NaN where a loop does not close."""
        return x if self.closure is None else self.closure.positions(x)

    def require_closed(self, x: Floats) -> None:
        """Raises LoopOpen, which says what is wrong, at the first of x (k, n) at which a loop does not close."""
        open_at = np.isnan(self.whole(x)).any(axis=-1)
        if open_at.any():
            self.whole(x[int(np.argmax(open_at))])

    def lifted(self, along: Along) -> Along:
        """A path in x as one of all joints q."""
        return along if self.closure is None else Along(*self.closure.along(*along))

    def to_arm(self, x: Floats) -> Floats:
        """The arm's joints (n,): the same, but where others are given."""
        return x if self.given == self.free else self.whole(x)[self.free]

    def from_arm(self, q: Floats, near: Floats) -> Floats:
        """x (n,) for the arm's joints; joints that loops move, where they turn, within half a turn of ``near``."""
        if self.closure is None or self.given == self.free:
            return q
        x = self._from_free.positions(q)[self.given]
        return near_to(x, near, np.array([self.turning[k] and k not in self.free for k in self.given]))

    def of_arm(self, path: JointPath, start: Floats | None = None) -> JointPath:
        """A path in x as one in the arm's joints, which it leaves ``start`` (n,) with."""
        return path if self.given == self.free else ArmPath(self, path, start)

    @cached_property
    def turning(self) -> NDArray[np.bool_]:
        """Which of q turn."""
        return np.array([link.joint.kind != "prismatic" for link in self.all_links])

    @cached_property
    def _from_free(self) -> LoopClosure:
        assert self.closure is not None
        return self.closure.given([self.model.joint_names[k] for k in self.free])

    # the tool

    def where(self, x: Floats) -> tuple[Floats, Floats]:
        """T_base_tool (k, 4, 4) and J (k, 6, n)."""
        return cast(tuple[Floats, Floats], self._pages.run("where", _where, x))

    def approach(self, x: Floats, T: Floats) -> tuple[Floats, Floats]:
        """The small motion e (k, 6) that takes the tool to poses T (k, 4, 4), as `apart` has it, and J."""
        return cast(tuple[Floats, Floats], self._pages.run("approach", _approach, x, T, T=(4, 4)))

    def drift(self, x: Floats, dx: Floats) -> Floats:
        """b1 (k, 6)."""
        return cast(Floats, self._pages.run("drift", _drift, x, dx, dx=self.n))

    def drift2(self, x: Floats, dx: Floats, ddx: Floats) -> Floats:
        """b2 (k, 6)."""
        return cast(Floats, self._pages.run("drift2", _drift2, x, dx, ddx, dx=self.n, ddx=self.n))


def tool_joints(model: Model) -> list[str] | None:
    """The six joints of the chain that carries the tool, where they say where all joints are; else None."""
    chain = tool_chain(lower(model))
    if chain is None or not len(chain.sources) == len(free_names(model)) == 6:
        return None
    return [model.joint_names[k] for k in chain.sources]


class ArmPath:
    """A path in other joints that say where all are, in the joints of the arm, without jumps of a turn."""

    def __init__(self, chain: Chain, path: JointPath, start: Floats | None) -> None:
        self.chain, self.path, self.length = chain, path, path.length
        self.turning = chain.turning[chain.free]
        self.nodes = np.linspace(0.0, path.length, _NODES + 1)
        given = path.at(self.nodes).q
        chain.require_closed(given)
        x = chain.whole(given)
        x = np.where(self.turning, np.unwrap(x[:, chain.free], axis=0), x[:, chain.free])
        self.x = x if start is None else x + (near_to(x[0], start, self.turning) - x[0])

    def at(self, s: Floats) -> Along:
        x, *rates = (each[:, self.chain.free] for each in self.chain.lifted(self.path.at(s)))
        about = np.stack([np.interp(s, self.nodes, column) for column in self.x.T], axis=-1)
        return Along(near_to(x, about, self.turning), *rates)


def near_to(q: Floats, near: Floats, turning: NDArray[np.bool_]) -> Floats:
    """Angles moved by whole turns to within half a turn of others."""
    return q + np.where(turning, 2.0 * np.pi * np.round((near - q) / (2.0 * np.pi)), 0.0)


# pages: of the tree at x, where its loops are closed


def _where(at: ClosedStance) -> dict[str, Any]:
    return {"T": pose(at.tree, at.q), "J": at.columns(jacobian(at.tree, at.q))}


def _approach(at: ClosedStance, T: Reals) -> dict[str, Any]:
    now, J = _where(at).values()
    return {"e": apart(T, now), "J": J}


def _twist_rate(at: ClosedStance, dx: Reals, ddx: Reals) -> Reals:
    """V'."""
    dq, ddq = at.along(dx, ddx)
    return jacobian(at.tree, at.q) @ ddq + jacobian_dot_qd(at.tree, at.q, dq)


def _drift(at: ClosedStance, dx: Reals) -> dict[str, Any]:
    return {"b": _twist_rate(at, dx, np.zeros(at.closure.n))}


def _drift2(at: ClosedStance, dx: Reals, ddx: Reals) -> dict[str, Any]:
    return {"b": at.changing(_twist_rate(at, dx, ddx), dx, ddx, np.zeros(at.closure.n))}


def solved(J: Floats, right: Floats) -> Floats:
    """x (k, n) of J x = right (k, 6): exact for six joints, least squares for fewer; without bound, or NaN, where J is
    singular."""
    if J.shape[-1] == SIX:
        return six_solved(J, right)
    return np.asarray(np.linalg.pinv(J) @ right[..., None], dtype=np.float64)[..., 0]


def apart(target: Reals, now: Reals) -> Reals:
    """(..., 6): the small motion, linear over angular in base axes, that takes poses ``now`` to ``target``."""
    E = target[..., :3, :3] @ np.swapaxes(now[..., :3, :3], -1, -2)
    linear = target[..., :3, 3] - now[..., :3, 3]
    pairs = ((2, 1), (0, 2), (1, 0))
    angular = np.stack([0.5 * (E[..., a, b] - E[..., b, a]) for a, b in pairs], axis=-1)
    return np.concatenate([linear, angular], axis=-1)


def corrected(chain: Chain, free: Floats | slice, T: Floats, q: Floats) -> tuple[Floats, Floats, bool]:
    """Joints (k, n) near q for poses (k, 4, 4) by Newton's method in the free joints; J there; whether it converged."""
    q = q.copy()
    for _ in range(_STEPS):
        e, J = chain.approach(q, T)
        J = J[:, :, free]
        step = solved(J, e)
        size = float(np.abs(step).max())
        if not size < 1.0:  # also NaN
            return q, J, False
        q[:, free] += step
        if size < ALIKE:
            # fewer than six joints may settle for less than the pose
            short = J.shape[-1] < 6 and float(np.abs(chain.approach(q, T)[0]).max()) > MET
            return q, J, not short
    return q, J, False
