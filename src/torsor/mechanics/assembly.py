"""Putting an arm with loops together: a posture in which all loops are closed, what they leave free, what is wrong.

Everything here runs once per arm, on floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.errors import ModelError
from torsor.mechanics.posture import Posture
from torsor.mechanics.spatial_loop import Group, SpatialLoop
from torsor.mechanics.tree import Tree
from torsor.model.model import Model
from torsor.model.parts import Loop
from torsor.model.transforms import Floats

STEPS = 200  # of Newton's method, damped
CLOSED = 1e-12  # of the arm's size: what is left of the equations of an assembled loop
RANK = 1e-8  # singular values below this share of the largest are zero
POSTURES = 5  # at which the rank is counted; the largest count holds


@dataclass(frozen=True, eq=False)
class Assembly:
    """An arm put together: a posture with all loops closed, and which joints are driven."""

    reference: Floats  # (n,) of the tree
    driven: tuple[int, ...]
    rank: int  # of the loops' equations
    equations: int  # as many as there are, repeated ones counted


def driven_names(model: Model) -> tuple[str, ...]:
    """The driven joints in file order."""
    named = {name for loop in model.loops for name in loop.driven}
    return tuple(name for name in model.joint_names if name in named)


def assembled(model: Model, tree: Tree, driven: Sequence[str]) -> Assembly:
    """Closes all loops near where the file says, and checks that the driven joints move the arm, all of it."""
    try:
        return _assembled(model, tree, driven)
    except ModelError as error:
        for loop in model.loops:
            if error.part == ("loop", loop.name) and loop.place is not None:
                error.file, error.line = loop.place
        raise


def _assembled(model: Model, tree: Tree, driven: Sequence[str]) -> Assembly:
    names = model.joint_names
    system = _System(tree, model.loops)
    guess = np.zeros(tree.n)
    for loop in model.loops:
        for name, position in loop.near:
            guess[names.index(name)] = position
    given = [names.index(name) for name in driven]
    free = [k for k in range(tree.n) if k not in given]
    reference = system.closed(guess, free)
    if reference is None:
        reference = system.closed(guess, list(range(tree.n)))
    if reference is None:
        raise _open(model, system, guess)
    rank, J = _count(system, reference)
    _check_driven(model, system, rank, given, J)
    return Assembly(reference, tuple(given), rank, system.residual(reference).size)


def posture_near(model: Model, tree: Tree, assembly: Assembly, rng: np.random.Generator) -> Floats | None:
    """Another posture with all loops closed, at random near the reference; None where none was found."""
    start = assembly.reference + rng.uniform(-0.2, 0.2, tree.n)
    return _System(tree, model.loops).closed(start, list(range(tree.n)))


class _System:
    """All loops of a tree as one set of equations in space."""

    def __init__(self, tree: Tree, loops: Sequence[Loop]) -> None:
        self.tree = tree
        spatial = (
            SpatialLoop(loop.name, k, loop.kind, *tree.ends[k], loop.length or 0.0, tree)
            for k, loop in enumerate(loops)
        )
        self.group = Group(tuple(spatial), tree, tuple(range(tree.n)))
        self.size = max([1e-3, *(float(np.abs(b.position).max()) + abs(b.along) for b in tree.bodies)])
        self.scales = np.array(
            [scale for loop in self.group.loops for scale in self._scales(loop.kind)]
        )  # sines weigh as much as lengths of the arm's size

    def _scales(self, kind: str) -> list[float]:
        s = self.size
        way = {"distance": [1.0], "slider": [1.0] * 2}.get(kind, [1.0] * 3)
        return way + {"hinge": [s] * 2, "slider": [s] * 3, "rigid": [s] * 3}.get(kind, [])

    def _at(self, q: Floats) -> Any:
        return self.group.at(Posture(self.tree, {k: q[k] for k in range(self.tree.n)}, {}))

    def residual(self, q: Floats) -> Floats:
        left: Floats = np.array(self._at(q).residual(), dtype=float) * self.scales
        return left

    def jacobian(self, q: Floats) -> Floats:
        columns = self._at(q).columns()
        zero = np.zeros(len(self.scales))
        J = np.stack([np.array(columns.get(k, zero), dtype=float) for k in range(self.tree.n)], axis=-1)
        scaled: Floats = J * self.scales[:, None]
        return scaled

    def closed(self, guess: Floats, free: list[int]) -> Floats | None:
        """Levenberg and Marquardt's way from a guess, moving these joints only; None where it does not get there."""
        q = guess.astype(float).copy()
        r, damping = self.residual(q), 1e-3
        for _ in range(STEPS):
            J = self.jacobian(q)[:, free]
            step = np.zeros_like(q)
            A = np.vstack([J, np.sqrt(damping) * self.size * np.eye(len(free))])
            step[free] = -np.linalg.lstsq(A, np.concatenate([r, np.zeros(len(free))]), rcond=None)[0]
            after = self.residual(q + step)
            if np.abs(after).max(initial=0.0) <= np.abs(r).max(initial=0.0):
                q, r, damping = q + step, after, damping * 0.1
            else:
                damping *= 10.0
            if np.abs(r).max(initial=0.0) <= CLOSED * self.size and (np.abs(step).max() < 1e-9 or damping < 1e-9):
                return q if self.upside_down(q) is None else None
            if damping > 1e12:
                break
        return None

    def upside_down(self, q: Floats) -> str | None:
        """A loop whose ends meet the wrong way round, which their equations allow; None where all are right."""
        equated = self._at(q)
        for k, loop in enumerate(self.group.loops):
            if loop.kind in ("hinge", "slider", "rigid"):
                first, second = equated.ends(k, None)
                turn = second.R.T @ first.R
                if turn[2, 2] < 0.0 or (loop.kind != "hinge" and np.trace(turn) < 1.0):
                    return loop.name
        return None


def _count(system: _System, reference: Floats) -> tuple[int, Floats]:
    """The rank of the equations at a posture like any other, and the Jacobian there."""
    rng = np.random.default_rng(0)
    at = system.jacobian(reference)
    best = _rank(at)
    n = system.tree.n
    for _ in range(POSTURES - 1):
        other = system.closed(reference + rng.uniform(-0.2, 0.2, n), list(range(n)))
        if other is not None:
            J = system.jacobian(other)
            if _rank(J) > best:
                best, at = _rank(J), J
    return best, at


def _rank(J: Floats) -> int:
    values = np.linalg.svd(J, compute_uv=False)
    return int((values > RANK * max(values.max(initial=0.0), 1e-300)).sum())


def _check_driven(model: Model, system: _System, rank: int, given: list[int], J: Floats) -> None:
    names, n = model.joint_names, system.tree.n
    part = ("loop", model.loops[0].name)
    free = n - rank
    dependent = [k for k in range(n) if k not in given]
    example = ", ".join(f'"{names[k]}"' for k in _independent(J, free, given))
    hint = f"for example driven = [{example}]" if free else "its loops hold it rigid"
    if len(given) != free:
        are = "joint is" if len(given) == 1 else "joints are"
        problem = f"{len(given)} {are} driven, but the loops of {model.name!r} leave {free} free"
        raise ModelError(problem, hint=hint, part=part)
    if _rank(J[:, dependent]) < len(dependent):
        problem = f"the driven joints of {model.name!r} do not say where its other joints are"
        raise ModelError(problem, hint=hint, part=part)


def _independent(J: Floats, free: int, preferred: list[int]) -> list[int]:
    """Joints that may be driven: such that the others follow; preferred ones where that is possible."""
    n = J.shape[1]
    dependent: list[int] = []
    # the others are chosen as columns of J of full rank, those nobody wants to drive first
    for k in sorted(range(n), key=lambda k: (k in preferred, -k)):
        if len(dependent) < n - free and _rank(J[:, [*dependent, k]]) == len(dependent) + 1:
            dependent.append(k)
    return [k for k in range(n) if k not in dependent]


def _open(model: Model, system: _System, guess: Floats) -> ModelError:
    """Which loop stays open, and by how much, at the best posture found."""
    from scipy.optimize import least_squares

    rng = np.random.default_rng(0)
    starts = [guess, *(guess + rng.uniform(-np.pi, np.pi, (11, guess.size)))]
    found = [least_squares(system.residual, start, jac=system.jacobian) for start in starts]
    best = min(((float(np.linalg.norm(each.fun)), each.x) for each in found), key=lambda each: each[0])
    if best[0] <= 1e-6 * system.size:
        return _elsewhere(model, system, best[1])
    r = system.residual(best[1])
    at, worst = 0, (0.0, model.loops[0], False)
    for loop in model.loops:
        sizes = system._scales(loop.kind)
        own = r[at : at + len(sizes)] / np.array(sizes)
        ways = {"distance": 1, "slider": 2}.get(loop.kind, 3)
        for part, turned in ((own[:ways], False), (own[ways:], True)):
            worst = max(worst, (float(np.linalg.norm(part)), loop, turned), key=lambda each: each[0])
        at += len(sizes)
    size, loop, turned = worst
    how = (
        f"its ends stay turned by {np.degrees(np.arcsin(min(size, 1.0))):.3g} deg"
        if turned
        else (f"it stays open by {size:.3g} m")
    )
    return ModelError(
        f"{model.name!r} cannot be assembled: loop {loop.name!r}: {how} at least",
        hint="check the lengths of its links and the frames of its ends",
        part=("loop", loop.name),
    )


def _elsewhere(model: Model, system: _System, q: Floats) -> ModelError:
    """The loops can be closed, but not where and as the file says."""
    wrong = system.upside_down(q)
    if wrong is not None:
        return ModelError(
            f"loop {wrong!r} of {model.name!r} closes with its ends the wrong way round",
            hint="turn one of its frames, so that both z axes point the same way",
            part=("loop", wrong),
        )
    found = ", ".join(f"{name} = {value:.4g}" for name, value in zip(model.joint_names, q, strict=True))
    return ModelError(
        f"the loops of {model.name!r} do not close near the posture its file gives",
        hint=f"say near which they do, such as near = {{ {found} }}",
        part=("loop", model.loops[0].name),
    )
