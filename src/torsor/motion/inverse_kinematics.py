"""Joint positions for tool poses: every branch in closed form where the arm allows it, else by search.

Which arms have a closed form is told in ``mechanics/spherical_wrist.py``; their formulas are compiled. All other arms
are solved by ``inverse/search.py``. What is found is moved by whole turns into the joint limits;
``inverse/continuity.py`` chooses along a path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.spherical_wrist import MET
from torsor.model.transforms import Floats
from torsor.motion.inverse.branches import Branches, distinct, features, meant, names_of, singular_parts
from torsor.motion.inverse.continuity import OUTSIDE, Follower
from torsor.motion.inverse.joint_ranges import ROUNDING, Ranges
from torsor.motion.inverse.search import Search
from torsor.motion.inverse.solver import Solver
from torsor.motion.inverse.targets import checked_poses, twist_between
from torsor.motion.inverse.unreachable import OutOfLimits, Unreachable, amount

FREE = 1e-20  # of squared margins: below this a joint is free, and stays where it was
BLURRED = 1e-11  # of squared margins: below this rounding moves joints by more than what is still on a limit
DOUBTFUL = 1e-7  # of two at once: what the closed form makes of free joints may be noise


def inverse_kinematics(
    solver: Solver,
    T: ArrayLike,
    *,
    nearest: ArrayLike | None = None,
    branch: str | None = None,
    limits: bool = True,
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
            raise ShapeError(
                f"T has shape {target.shape}",
                hint="all branches are for one pose; give nearest= or branch= for many",
            )
        return _all(solver, target, limits=limits)
    if not isinstance(branch, str | None):
        raise ShapeError(f"branch is {branch!r:.60}", hint='give its name, or some of its words, such as "front, up"')
    try:
        start = np.zeros(solver.arm.n) if nearest is None else np.asarray(nearest, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ShapeError("nearest is not an array of numbers", hint=f"give ({solver.arm.n},)") from error
    if start.shape != (solver.arm.n,):
        raise ShapeError(f"nearest has shape {start.shape}", hint=f"give ({solver.arm.n},)")
    if not np.isfinite(start).all():
        raise ShapeError("nearest has entries that are not numbers", hint="give finite joint positions")
    flat = target.reshape(-1, 4, 4)
    if solver.geometry is not None:
        whole = solver.whole(start)
        ranges, way = solver.ranges, 0
        if nearest is not None:
            ranges = ranges if limits else ranges.unlimited()
            way = 0 if solver.linkage is None else solver.linkage.way_of(whole)
        found = _followed(solver, flat, whole, way, branch, limits=limits, ranges=ranges, many=target.ndim > 2)
    elif branch is not None:
        raise Unsupported(
            f"the branches of {solver.arm.model.name!r} have no names",
            hint="it is solved by search; pick a solution by nearest=",
        )
    else:
        search = solver.search if limits else solver.unlimited_search
        found = _searched(solver, search, flat, start, many=target.ndim > 2)
    return found.reshape(*target.shape[:-2], solver.arm.n)


def _followed(
    solver: Solver, T: Floats, whole: Floats, way: int, branch: str | None, *, limits: bool, ranges: Ranges, many: bool
) -> Floats:
    """One solution for each of the poses (N, 4, 4), in closed form, on from joints ``whole`` of the tree."""
    geometry = solver.geometry
    assert geometry is not None

    # Roots of a quartic that all but meet may be lost: of one pose, what is close by is always looked for, too.
    alone = not geometry.is_direct and not many

    def options(T: Floats, near: Floats) -> tuple[Floats, Floats]:
        q, margins = solver.options(T, near, way)
        if solver.linkage is not None:
            q = np.where(solver.linkage.is_assembled(q)[..., None], q, np.nan)
        if branch is not None:
            q = np.where(meant(features(geometry, q[..., solver.sources]), branch)[..., None], q, np.nan)
        return q, margins

    def again(k: int, near: Floats) -> Floats:
        q, margins = options(T[k], near)
        if limits and not ranges.inside(ranges.turned(q, near)).any():
            q = _freed(lambda T, near: options(T, near)[0], T[k], near, ranges, solver.sources)
        if limits:
            q = solver.on_limits(T[k], q, margins, near, ranges, way)
        if branch is None and (alone or _by_steps(solver, q, margins, 0.0)):
            close = solver.close_by(T[k], near, way)
            q = q if close is None else np.vstack([q, close])
        return q

    def otherwise(k: int, turned: Floats) -> Floats:
        return solver.whole(_otherwise(solver, T[k], k if many else None, turned, branch, limits=limits))

    q, margins = options(T, whole)
    follower = Follower(ranges, solver.columns, limits, again, otherwise)
    found = follower.along(q, whole, _by_steps(solver, q, margins, BLURRED) | alone)
    return found if len(solver.columns) == solver.tree.n else found[:, solver.columns]


def _by_steps(solver: Solver, q: Floats, margins: Floats, free: float) -> Any:
    """Whether poses (...) are to be solved one by one: a joint is free, or parts of the arm are singular together.

    Of a quartic one part is enough: its roots have met.
    """
    assert solver.geometry is not None
    a, b, c = (np.abs(margins[..., part]) for part in range(3))
    first, second, third = a < DOUBTFUL, b < DOUBTFUL, c < DOUBTFUL
    together = (first & second) | (second & third) | (third & first)
    if not solver.geometry.is_direct:
        together = first | second
    return ((together | (a < free) | (b < free) | (c < free)) & np.isfinite(q[..., 0])).any(axis=-1)


def _freed(
    options: Callable[[Floats, Floats], Floats], T: Floats, near: Floats, ranges: Ranges, chain: list[int]
) -> Floats:
    """Options (m, n) of a singular pose, one of them with what is free turned into the limits, closest to ``near``.

    The closed form leaves free joints where they are near: it is asked again with joints 1, 2 and 4 of the tool's chain
    turned all the way round, and then ever more finely about what was best.
    """
    best, least, at, width = options(T, near), np.inf, near, np.pi
    directions = np.eye(len(near))[[chain[k] for k in (0, 1, 3)]]
    for _ in range(6):
        tried = (at + np.linspace(-width, width, 73)[:, None, None] * directions).reshape(-1, len(near))
        found = ranges.turned(options(np.broadcast_to(T, (len(tried), 4, 4)), tried), near)
        beyond = ranges.passed(found).sum(axis=-1)
        away = np.linalg.norm(found - near, axis=-1) + OUTSIDE * np.where(beyond > ROUNDING, 1.0 + beyond, 0.0)
        row, i = np.unravel_index(int(np.nanargmin(np.where(np.isnan(away), np.inf, away))), away.shape)
        if away[row, i] < least:
            best[i], least, at = found[row, i], away[row, i], tried[row]
        width /= 24.0
    return best


def _searched(solver: Solver, search: Search, T: Floats, start: Floats, *, many: bool) -> Floats:
    """One solution for each of the poses (N, 4, 4), each sought from the one before it."""
    found = np.empty((len(T), solver.arm.n))
    for k, each in enumerate(T):
        close = search.one(each, start)
        if close is None:
            options = search.solutions(each, near=start)
            options = options[np.isfinite(options).all(axis=-1)]
            if not len(options):
                options = _otherwise(solver, each, k if many else None, options, None, limits=search is solver.search)[
                    None
                ]
            options = search.ranges.turned(options, start)
            close = options[int(np.argmin(((options - start) ** 2).sum(axis=-1)))]
        start = found[k] = search.ranges.turned(close, start)
    return found


def _all(solver: Solver, T: Floats, *, limits: bool = True) -> Branches:
    geometry, columns = solver.geometry, solver.columns
    if geometry is None:
        q = (solver.search if limits else solver.unlimited_search).solutions(T)
        q = q[np.isfinite(q).all(axis=-1)]
        if not len(q):
            q = _otherwise(solver, T, None, q, None, limits=limits)[None]
        its = solver.search.ranges
        q = its.turned(q, np.zeros(solver.arm.n))
        q = q[distinct(q, its.turning)]
        q = q[np.argsort(~its.inside(q), kind="stable")]
        numbered = tuple(f"solution {k + 1}" for k in range(len(q)))
        return Branches(q, numbered, tuple(its.inside(q).tolist()), ("",) * len(q), (True,) * len(q))
    zero = np.zeros(solver.tree.n)
    options, margins = solver.options(T, zero)
    there = np.isfinite(options).all(axis=-1)
    singular = bool((margins[there] < FREE).any())
    if singular and limits and not solver.ranges.inside(solver.ranges.turned(options, zero)).any():
        options = _freed(lambda T, near: solver.options(T, near)[0], T, zero, solver.ranges, solver.sources)
    if limits and (margins[there] < BLURRED).any():
        options = solver.on_limits(T, options, margins, zero, solver.ranges)
    if not there.any():
        q = _otherwise(solver, T, None, options, None, limits=limits)[None]
        inside = bool(solver.ranges.only(columns).inside(q[0]))
        return Branches(q, ("solution 1",), (inside,), ("",), (True,))
    names = np.array(names_of(features(geometry, options[:, solver.sources]), len(options)))
    q, margins, names = options[there], margins[there], names[there]
    q = solver.ranges.turned(q, zero)
    kept = distinct(q, solver.ranges.turning)
    q, margins, names = q[kept], margins[kept], names[kept]
    inside = solver.ranges.inside(q)
    assembled = np.ones(len(q), dtype=bool) if solver.linkage is None else solver.linkage.is_assembled(q)
    order = np.argsort(2 * ~assembled + ~inside, kind="stable")
    return Branches(
        q[order][:, columns],
        tuple(str(name) for name in names[order]),
        tuple(bool(ok) for ok in inside[order]),
        tuple(singular_parts(margins[order])),
        tuple(bool(ok) for ok in assembled[order]),
    )


def _otherwise(
    solver: Solver, T: Floats, number: int | None, turned: Floats, branch: str | None, *, limits: bool
) -> Floats:
    """Joints of the arm (n,) for a pose without options, found by a search; or says why there are none.

    An error knows the nearest pose that has an answer.
    """
    name = repr(solver.arm.model.name)
    which = "the pose" if number is None else f"pose {number}"
    there = turned[np.isfinite(turned).all(axis=-1)]
    if not len(there) and branch is not None:
        others, _ = solver.options(T, np.zeros(solver.tree.n))
        if np.isfinite(others).all(axis=-1).any():
            raise Unsupported(f"{name} does not reach {which} on branch {branch!r}", hint=_reaching(solver, T))
    joints, reached = solver.nearest(T, limits=limits)
    if branch is None and np.abs(reached - T).max() < MET:
        return joints
    ranges, columns = solver.ranges, solver.columns
    if solver.geometry is None and limits:  # the search stays within them: is there something beyond?
        ranges, columns = solver.search.ranges, list(range(solver.arm.n))
        beyond = solver.unlimited_search.solutions(T)
        beyond = ranges.turned(beyond, np.zeros(solver.arm.n))
        there = beyond[np.isfinite(beyond).all(axis=-1) & ~ranges.inside(beyond)]
    if not (limits and len(there)):
        miss = float(np.linalg.norm(reached[:3, 3] - T[:3, 3]))
        turn = float(np.linalg.norm(twist_between(T, reached)[3:]))
        ways = [f"{1e3 * miss:.4g} mm"] if miss > MET or turn < 1e-6 else []
        ways += [f"{np.degrees(turn):.3g} deg"] if turn >= 1e-6 else []
        raise Unreachable(f"{name} cannot reach {which} by {' and '.join(ways)}", joints, reached)
    least = min(there, key=lambda q: float(np.maximum(q - ranges.high, ranges.low - q).max()))
    k, value, limit = ranges.beyond(least)
    raise OutOfLimits(
        f"{name} reaches {which} out of its limits only: {ranges.names[k]} would be at {amount(ranges, k, value)}, "
        f"its limit is {amount(ranges, k, limit)}",
        joints,
        reached,
        joint=ranges.names[k],
        value=value,
        limit=limit,
        q=least[columns],
    )


def _reaching(solver: Solver, T: Floats) -> str:
    found = _all(solver, T)
    return "those that do: " + "; ".join(found.names)
