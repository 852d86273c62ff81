"""Putting an arm with loops together: a posture in which all loops are closed, what they leave free, what is wrong.

Everything here runs once per arm, on floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.errors import ModelError
from torsor.mechanics.kinematics import vector
from torsor.mechanics.newton import settled
from torsor.mechanics.posture import open_posture
from torsor.mechanics.spatial_loop import ClosureGroup, spatial_loops
from torsor.mechanics.tree import Tree
from torsor.model.model import Model
from torsor.model.parts import Loop
from torsor.model.transforms import Floats

STEPS = 100  # of Newton's method
CLOSED = 1e-12  # of the arm's size: what is left of the equations of an assembled loop
RANK = 1e-8  # singular values below this share of the largest are zero
POSTURES = 5  # at which the rank is counted; the largest count holds


@dataclass(frozen=True, eq=False)
class Assembly:
    """An arm put together: a posture with all loops closed, and what its equations leave free."""

    reference: Floats  # (n,) of the tree
    rank: int  # of the loops' equations, at a posture like any other near it
    J: Floats  # (equations, n) there, repeated ones included


def free_names(model: Model) -> tuple[str, ...]:
    """The joints that a user moves, in file order: those that the loops of the file call driven."""
    named = {name for loop in model.loops for name in loop.driven}
    return tuple(name for name in model.joint_names if name in named)


def assembled(model: Model, tree: Tree, free: Sequence[str]) -> Assembly:
    """Closes all loops near where the file says, and checks that the free joints move the arm, all of it."""
    names = model.joint_names
    equations = AllLoops(tree, model.loops)
    guess = np.zeros(tree.n)
    for loop in model.loops:
        for name, position in loop.near:
            guess[names.index(name)] = position
    given = [names.index(name) for name in free]
    try:
        reference = equations.closed(guess[None], given)[0]
        if np.isnan(reference).any():
            reference = equations.closed(guess[None], [])[0]
        if np.isnan(reference).any():
            raise _open(model, equations, guess)
        assembly = Assembly(reference, *_count(equations, reference))
        require_determined(model, assembly, given)
    except ModelError as error:
        for loop in model.loops:
            if error.part == ("loop", loop.name) and loop.place is not None:
                error.file, error.line = loop.place
        raise
    return assembly


class AllLoops:
    """All loops of a tree as one set of equations in space, repeated ones included, for joints q (k, n)."""

    def __init__(self, tree: Tree, loops: Sequence[Loop]) -> None:
        self.tree = tree
        self.group = ClosureGroup(tuple(spatial_loops(tree, loops)), tree, tuple(range(tree.n)))
        self.size = max([1e-3, *(float(np.abs(b.position).max()) + abs(b.along) for b in tree.bodies)])
        # sines weigh as much as lengths of the arm's size
        self.scales = np.concatenate([[1.0] * loop.ways + [self.size] * loop.turns for loop in self.group.loops])

    def _at(self, q: Floats) -> Any:
        return self.group.at(open_posture(self.tree, q))

    def residual(self, q: Floats) -> Floats:
        return np.asarray(vector(*self._at(q).residual()) * self.scales)

    def jacobian(self, q: Floats) -> Floats:
        """(k, equations, n)."""
        columns, zero = self._at(q).columns(), np.zeros(len(q))
        none = (zero,) * len(self.scales)
        J = [vector(*(each + zero for each in columns.get(k, none))) * self.scales for k in range(self.tree.n)]
        return np.stack(J, axis=-1)

    def step(self, q: Floats, moving: list[int]) -> tuple[Floats, Floats]:
        """Newton's step of the joints that are moved: the least there is, damped the more the loops are open."""
        r = self.residual(q)
        left = (r * r).sum(axis=-1)
        U, s, V = np.linalg.svd(self.jacobian(q)[:, :, moving], full_matrices=False)
        known = s > RANK * np.maximum(s.max(axis=-1, keepdims=True), 1e-300)
        weights = np.where(known, s / (s * s + left[:, None]), 0.0)
        move = np.zeros_like(q)
        move[:, moving] = -np.einsum("kji,kj,klj,kl->ki", V, weights, U, r)
        return move, left

    def nearest(self, guess: Floats, given: Sequence[int]) -> tuple[Floats, Floats]:
        """q (k, n) near guesses (k, n) at which loops are least open, all but the given joints moved; by how much."""
        moving = [k for k in range(self.tree.n) if k not in given]
        return settled(lambda q: self.step(q, moving), guess, STEPS)

    def closed(self, guess: Floats, given: Sequence[int]) -> Floats:
        """The same with the loops closed; NaN where they stay open."""
        q, left = self.nearest(guess, given)
        wrong = [left[k] > CLOSED * self.size or self.upside_down(each) is not None for k, each in enumerate(q)]
        return np.where(np.array(wrong)[:, None], np.nan, q)

    def assembled(self, q: Floats, qd: Floats) -> tuple[Floats, Floats]:
        """The nearest q (k, n) at which the loops close, whatever it takes, and the nearest rates they allow there."""
        q, _ = self.nearest(q, [])
        J = self.jacobian(q)
        return q, qd - (np.linalg.pinv(J, rcond=RANK) @ (J @ qd[..., None]))[..., 0]

    def near(self, reference: Floats, count: int) -> Floats:
        """Postures (<= count, n) with all loops closed: the reference, and others at random near it."""
        rng = np.random.default_rng(0)
        off = rng.uniform(-0.2, 0.2, (count - 1, self.tree.n))
        found = self.closed(np.vstack([reference, reference + off]), [])
        return found[np.isfinite(found).all(axis=-1)]

    def most_open(self, q: Floats) -> tuple[str, str]:
        """The loop that is furthest from closing at q (n,), and by how much."""
        r, parts = self.residual(q[None])[0] / self.scales, []
        for loop in self.group.loops:
            ways, turns, r = r[: loop.ways], r[loop.ways : loop.ways + loop.turns], r[loop.ways + loop.turns :]
            parts += [(float(np.linalg.norm(ways)), loop, False), (float(np.linalg.norm(turns)), loop, True)]
        size, loop, turned = max(parts, key=lambda each: each[0])
        if turned:
            return loop.name, f"its ends stay turned by {np.degrees(np.arcsin(min(size, 1.0))):.3g} deg"
        return loop.name, f"it stays open by {size:.3g} m"

    def upside_down(self, q: Floats) -> str | None:
        """A loop whose ends meet the wrong way round, which their equations allow; None where all are right."""
        for each in self._at(q).loops():
            if each.loop.turns:
                turn = each.s.R.T @ each.f.R
                if turn[2, 2] < 0.0 or (each.loop.kind != "hinge" and np.trace(turn) < 1.0):
                    return str(each.loop.name)
        return None


def _count(equations: AllLoops, reference: Floats) -> tuple[int, Floats]:
    """The rank of the equations at a posture like any other, and the Jacobian there."""
    found = [(_rank(J), J) for J in equations.jacobian(equations.near(reference, POSTURES))]
    return max(found, key=lambda each: each[0])


def _rank(J: Floats) -> int:
    values = np.linalg.svd(J, compute_uv=False)
    return int((values > RANK * max(values.max(initial=0.0), 1e-300)).sum())


def require_determined(model: Model, assembly: Assembly, given: list[int]) -> None:
    """Refuses joints that do not say where all others are."""
    names, J = model.joint_names, assembly.J
    free = len(names) - assembly.rank
    dependent = [k for k in range(len(names)) if k not in given]
    if len(given) != free:
        are = "joint is" if len(given) == 1 else "joints are"
        problem = f"{len(given)} {are} driven, but the loops of {model.name!r} leave {free} free"
    elif _rank(J[:, dependent]) < len(dependent):
        problem = f"the driven joints of {model.name!r} do not say where its other joints are"
    else:
        return
    example = ", ".join(f'"{names[k]}"' for k in _independent(J, free, given))
    hint = f"for example driven = [{example}]" if free else "its loops hold it rigid"
    raise ModelError(problem, hint=hint, part=("loop", model.loops[0].name))


def _independent(J: Floats, free: int, preferred: list[int]) -> list[int]:
    """Joints that may be driven: such that the others follow; preferred ones where that is possible."""
    n = J.shape[1]
    dependent: list[int] = []
    # the others are chosen as columns of J of full rank, those nobody wants to drive first
    for k in sorted(range(n), key=lambda k: (k in preferred, -k)):
        if len(dependent) < n - free and _rank(J[:, [*dependent, k]]) == len(dependent) + 1:
            dependent.append(k)
    return [k for k in range(n) if k not in dependent]


def _open(model: Model, equations: AllLoops, guess: Floats) -> ModelError:
    """Which loop stays open, and by how much, at the best posture found."""
    from scipy.optimize import least_squares

    rng = np.random.default_rng(0)
    starts = [guess, *(guess + rng.uniform(-np.pi, np.pi, (11, guess.size)))]
    left, J = (lambda q: equations.residual(q[None])[0]), (lambda q: equations.jacobian(q[None])[0])
    best = min(
        (least_squares(left, start, jac=J) for start in starts), key=lambda each: float(np.linalg.norm(each.fun))
    )
    if float(np.linalg.norm(best.fun)) > 1e-6 * equations.size:
        loop, how = equations.most_open(best.x)
        problem = f"{model.name!r} cannot be assembled: loop {loop!r}: {how} at least"
        hint = "check the lengths of its links and the frames of its ends"
    elif wrong := equations.upside_down(best.x):  # they can be closed, but not as the file says, or not where
        loop, problem = wrong, f"loop {wrong!r} of {model.name!r} closes with its ends the wrong way round"
        hint = "turn one of its frames, so that both z axes point the same way"
    else:
        found = ", ".join(f"{name} = {value:.4g}" for name, value in zip(model.joint_names, best.x, strict=True))
        loop, problem = model.loops[0].name, f"the loops of {model.name!r} do not close near the posture its file gives"
        hint = f"say near which they do, such as near = {{ {found} }}"
    return ModelError(problem, hint=hint, part=("loop", loop))
