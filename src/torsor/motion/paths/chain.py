"""The joints that carry the tool, as a planner sees them: where the tool is, and what its path asks of the joints.

J q' = V, J q'' = V' - b1(q, q') and J q''' = V'' - b2(q, q', q'') for a path with the twist V(s): b1 = J' q' and
b2 = J'' q' + 2 J' q'' are compiled from the graph, the second as the derivative of the first along the path.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from torsor.mechanics.kinematics import jacobian, jacobian_dot_qd, pose
from torsor.mechanics.tree import Array, Tree, lower
from torsor.model.limits import position_limits
from torsor.model.model import Model
from torsor.model.parts import Link
from torsor.model.transforms import Floats
from torsor.motion.curves import Path

ALIKE = 1e-9  # a step of Newton's method this small ends it: the next would be of the order of rounding
MET = 1e-8  # m and rad: closer than this a pose is met
_STEPS = 12


class Plannable(Protocol):
    """What is asked of an arm."""

    @property
    def model(self) -> Model: ...

    @property
    def name(self) -> str: ...

    @property
    def n(self) -> int: ...

    @property
    def joint_names(self) -> tuple[str, ...]: ...

    def inverse_kinematics(
        self, T: ArrayLike, *, nearest: ArrayLike | None = None, branch: str | None = None, limits: bool = True
    ) -> Any: ...


class Chain:
    """Kinematics of the tool in the joints of its chain: for an arm without loops, all its joints."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.tree: Tree = lower(model)
        self.links: tuple[Link, ...] = model.independent

    @property
    def n(self) -> int:
        return self.tree.n

    @staticmethod
    def of(model: Model) -> Chain:
        if not model.loops:
            return Chain(model)
        from torsor.motion.paths.loop_chain import LoopChain

        return LoopChain(model)

    def home(self) -> Floats:
        """All joints at 0, or at the nearest end of their range."""
        low, high = position_limits(self.links)
        return np.clip(np.zeros(self.n), low, high)

    def driven(self, path: Path) -> Path:
        """A path of the chain's joints in the arm's: the same, but for arms with loops."""
        return path

    def to_arm(self, q: Floats) -> Floats:
        """The arm's joints (n,) of the chain's: the same, but for arms with loops."""
        return q

    def from_arm(self, q: Floats, near: Floats) -> Floats:
        """The chain's joints of the arm's; loops as they close near to the chain's joints given."""
        return q

    def where(self, q: Floats) -> tuple[Floats, Floats]:
        """T_base_tool (k, 4, 4) and J (k, 6, n)."""
        T, J = self._kernel("where", 1)(q)
        return T, J

    def approach(self, q: Floats, T: Floats) -> tuple[Floats, Floats]:
        """The small motion e (k, 6) that takes the tool to poses T (k, 4, 4), as `apart` has it, and J."""
        e, J = self._kernel("approach", 1)(q, T)
        return e, J

    def drift(self, q: Floats, dq: Floats) -> Floats:
        """b1 (k, 6)."""
        b: Floats = self._kernel("drift", 2)(q, dq)
        return b

    def drift2(self, q: Floats, dq: Floats, ddq: Floats) -> Floats:
        """b2 (k, 6)."""
        b: Floats = self._kernel("drift2", 3)(q, dq, ddq)
        return b

    def _kernel(self, what: str, inputs: int) -> Any:
        return self._kernels.get(what) or self._compiled(what, inputs)

    @cached_property
    def _kernels(self) -> dict[str, Any]:
        return {}

    def _compiled(self, what: str, inputs: int) -> Any:
        from torsor.emit import recall_kernel

        facts = f"motion {what}".encode() + self.tree.facts("tool")
        self._kernels[what] = recall_kernel(facts, lambda: _tape(self.tree, what, inputs))
        return self._kernels[what]


def _tape(tree: Tree, what: str, inputs: int) -> Any:
    from torsor.algebra import directional, simplify, symbols, tape_from

    names = ("q", "dq", "ddq")[:inputs]
    given = {name: symbols(name, (tree.n,)) for name in names}
    q = given["q"]
    if what == "where":
        outputs: dict[str, Any] = {"T": pose(tree, q), "J": jacobian(tree, q)}
    elif what == "approach":
        given["T"] = symbols("T", (4, 4))
        outputs = {"e": apart(given["T"], pose(tree, q)), "J": jacobian(tree, q)}
    elif what == "drift":
        outputs = {"b": jacobian_dot_qd(tree, q, given["dq"])}
    else:
        dq, ddq = given["dq"], given["ddq"]
        twist = jacobian(tree, q) @ ddq + jacobian_dot_qd(tree, q, dq)  # V'
        states = np.concatenate([q, dq, ddq])
        rates = np.concatenate([dq, ddq, np.zeros(tree.n)])
        outputs = {"b": directional(twist, states, rates)}
    return tape_from(f"{tree.name}_{what}", given, simplify(outputs))


def solving(J: Floats) -> Callable[[Floats], Floats]:
    """A function that solves J x = right for several right sides, as `solved` does."""
    if J.shape[-1] != 6:
        inverse: Array = np.linalg.pinv(J)
    else:
        try:
            inverse = np.linalg.inv(J)
        except np.linalg.LinAlgError:
            return lambda right: solved(J, right)
    return lambda right: (inverse @ right[..., None])[..., 0]


def solved(J: Floats, right: Floats) -> Floats:
    """x (k, n) of J x = right (k, 6): exact for six joints, least squares for fewer; NaN where J is singular."""
    if J.shape[-1] != 6:
        return np.asarray(np.linalg.pinv(J) @ right[..., None], dtype=np.float64)[..., 0]
    try:
        return np.asarray(np.linalg.solve(J, right[..., None]), dtype=np.float64)[..., 0]
    except np.linalg.LinAlgError:
        good = np.linalg.matrix_rank(J) == 6
        x = np.full(right.shape, np.nan)
        if good.any():
            x[good] = np.linalg.solve(J[good], right[good][..., None])[..., 0]
        return x


def apart(target: Array, now: Array) -> Array:
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
