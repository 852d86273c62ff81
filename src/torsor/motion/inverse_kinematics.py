"""Joint positions for tool poses: every branch in closed form where the arm allows it, else by search.

Which arms have a closed form is told in ``mechanics/spherical_wrist.py``; their formulas are compiled. All other arms
are solved by ``inverse/search.py``. What is found is moved by whole turns into the joint limits;
``inverse/continuity.py`` chooses along a path.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError, Unsupported
from torsor.model.transforms import Floats
from torsor.motion.inverse.branches import Branches, distinct, features, meant, names_of, singular_parts
from torsor.motion.inverse.continuity import Follower
from torsor.motion.inverse.search import Search
from torsor.motion.inverse.solver import Solver
from torsor.motion.inverse.targets import checked_poses, twist_between
from torsor.motion.inverse.unreachable import OutOfLimits, Unreachable, amount, nearest_pose

FREE = 1e-20  # of squared margins: below this a joint is free, and stays where it was


def inverse_kinematics(
    solver: Solver, T: ArrayLike, *, nearest: ArrayLike | None = None, branch: str | None = None, limits: bool = True
) -> Branches | Floats:
    """Branches of one pose (4, 4); or, with ``nearest`` or ``branch``, one solution (..., n) for each pose (..., 4, 4).

    ``nearest`` (n,) picks the solution closest to it, and along a batch the closest to the one before, so that a path
    stays on its branch; ``branch`` picks by name ("front, up, wrist +", or some of these words). Angles are moved by
    whole turns into the joint limits where that is possible, and as close as they can be to what was before. A pose out
    of reach raises Unreachable; one with solutions out of limits alone raises OutOfLimits, unless ``limits=False``.
    """
    target = checked_poses(T)
    if nearest is None and branch is None:
        if target.ndim != 2:
            hint = "all branches are for one pose; give nearest= or branch= for many"
            raise ShapeError(f"T has shape {target.shape}", hint=hint)
        return _all(solver, target)
    start = np.zeros(solver.arm.n) if nearest is None else np.asarray(nearest, dtype=np.float64)
    if start.shape != (solver.arm.n,):
        raise ShapeError(f"nearest has shape {start.shape}", hint=f"give ({solver.arm.n},)")
    if not np.isfinite(start).all():
        raise ShapeError("nearest has entries that are not numbers", hint="give finite joint positions")
    flat = target.reshape(-1, 4, 4)
    if solver.geometry is not None:
        found = _followed(solver, flat, start, branch, limits=limits, many=target.ndim > 2)
    elif branch is not None:
        hint = "it is solved by search; pick a solution by nearest="
        raise Unsupported(f"the branches of {solver.arm.model.name!r} have no names", hint=hint)
    else:
        search = solver.search if limits else solver.unlimited_search
        found = _searched(solver, search, flat, start, many=target.ndim > 2)
    return found.reshape(*target.shape[:-2], solver.arm.n)


def _followed(solver: Solver, T: Floats, start: Floats, branch: str | None, *, limits: bool, many: bool) -> Floats:
    """One solution for each of the poses (N, 4, 4), in closed form."""
    geometry = solver.geometry
    assert geometry is not None
    sources = list(geometry.chain.sources)

    def options(T: Floats, near: Floats) -> tuple[Floats, Floats]:
        q, margins = solver.options(T, near)
        if solver.linkage is not None:
            q = np.where(solver.linkage.is_assembled(q)[..., None], q, np.nan)
        if branch is not None:
            q = np.where(meant(features(geometry, q[..., sources]), branch)[..., None], q, np.nan)
        return q, margins

    def again(k: int, near: Floats) -> Floats:
        return options(T[k], near)[0]

    def failed(k: int, turned: Floats) -> Exception:
        return _failure(solver, T[k], k if many else None, turned, branch)

    whole = solver.whole(start)
    q, margins = options(T, whole)
    alone = ((margins < FREE).any(axis=-1) & np.isfinite(q[..., 0])).any(axis=-1)
    found = Follower(solver.ranges, solver.columns, limits, again, failed).along(q, whole, alone)
    return found if len(solver.columns) == solver.tree.n else found[:, solver.columns]


def _searched(solver: Solver, search: Search, T: Floats, start: Floats, *, many: bool) -> Floats:
    """One solution for each of the poses (N, 4, 4), each sought from the one before it."""
    found = np.empty((len(T), solver.arm.n))
    for k, each in enumerate(T):
        close = search.one(each, start)
        if close is None:
            options = search.solutions(each, near=start)
            options = options[np.isfinite(options).all(axis=-1)]
            if not len(options):
                raise _failure(solver, each, k if many else None, options, None)
            options = search.ranges.turned(options, start)
            close = options[int(np.argmin(((options - start) ** 2).sum(axis=-1)))]
        start = found[k] = close
    return found


def _all(solver: Solver, T: Floats) -> Branches:
    geometry, columns = solver.geometry, solver.columns
    if geometry is None:
        q = solver.search.solutions(T)
        q = q[np.isfinite(q).all(axis=-1)]
        if not len(q):
            raise _failure(solver, T, None, q, None)
        its = solver.search.ranges
        q = its.turned(q, np.zeros(solver.arm.n))
        q = q[distinct(q, its.turning)]
        numbered, yes = tuple(f"solution {k + 1}" for k in range(len(q))), (True,) * len(q)
        return Branches(q, numbered, yes, ("",) * len(q), yes)
    options, margins = solver.options(T, np.zeros(solver.tree.n))
    there = np.isfinite(options).all(axis=-1)
    if not there.any():
        raise _failure(solver, T, None, options, None)
    names = names_of(features(geometry, options[:, list(geometry.chain.sources)]), len(options))
    q = solver.ranges.turned(options, np.zeros(solver.tree.n))
    inside = solver.ranges.inside(q)
    assembled = np.asarray(there if solver.linkage is None else solver.linkage.is_assembled(q))
    kept = np.flatnonzero(there)
    kept = kept[distinct(q[kept], solver.ranges.turning)]
    order = kept[np.argsort(2 * ~assembled[kept] + ~inside[kept], kind="stable")]
    named, singular = tuple(names[k] for k in order), tuple(singular_parts(margins[order]))
    within, whole = (tuple(each[order].tolist()) for each in (inside, assembled))
    return Branches(q[order][:, columns], named, within, singular, whole)


def _failure(solver: Solver, T: Floats, number: int | None, turned: Floats, branch: str | None) -> Exception:
    """Why a pose has no answer, with the nearest pose that has one."""
    name = repr(solver.arm.model.name)
    which = "the pose" if number is None else f"pose {number}"
    there = turned[np.isfinite(turned).all(axis=-1)]
    if not len(there) and branch is not None:
        others, _ = solver.options(T, np.zeros(solver.tree.n))
        if np.isfinite(others).all(axis=-1).any():
            hint = "those that do: " + "; ".join(_all(solver, T).names)
            return Unsupported(f"{name} does not reach {which} on branch {branch!r}", hint=hint)
    joints, reached = nearest_pose(solver.search, solver.arm, T)
    limits, columns = solver.ranges, solver.columns
    if solver.geometry is None:  # the search stays within the limits: is there something beyond them?
        limits, columns = solver.search.ranges, list(range(solver.arm.n))
        beyond = limits.turned(solver.unlimited_search.solutions(T), np.zeros(solver.arm.n))
        there = beyond[np.isfinite(beyond).all(axis=-1) & ~limits.inside(beyond)]
    if not len(there):
        miss = float(np.linalg.norm(reached[:3, 3] - T[:3, 3]))
        turn = float(np.linalg.norm(twist_between(T, reached)[3:]))
        by = f"{1e3 * miss:.4g} mm" if turn < 1e-6 else f"{1e3 * miss:.4g} mm and {np.degrees(turn):.3g} deg"
        return Unreachable(f"{name} cannot reach {which} by {by}", joints, reached)
    least = min(there, key=lambda q: float(np.maximum(q - limits.high, limits.low - q).max()))
    k, value, limit = limits.beyond(least)
    joint = limits.names[k]
    problem = f"{name} reaches {which} out of its limits only: {joint} would be at {amount(limits, k, value)}, "
    problem += f"its limit is {amount(limits, k, limit)}"
    return OutOfLimits(problem, joints, reached, joint=joint, value=value, limit=limit, q=least[columns])
