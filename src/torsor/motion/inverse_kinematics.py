"""Joint positions for tool poses: every branch in closed form where the arm allows it, else by search.

Arms with a spherical wrist behind two parallel axes (``mechanics/spherical_wrist.py``) have eight branches in closed
form, compiled. All other arms are solved by damped least squares from many starts, which finds the branches it meets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError, TorsorError
from torsor.mechanics.spherical_wrist import Geometry, branches, recognised
from torsor.mechanics.tree import Tree
from torsor.model.model import Model
from torsor.model.transforms import Floats

REACHED = 1e-8  # m and of rotation entries: closer than this a pose is met
STARTS, STEPS = 48, 200


class Posed(Protocol):
    """What is asked of an arm here."""

    @property
    def model(self) -> Model: ...

    @property
    def n(self) -> int: ...

    def pose(self, q: ArrayLike) -> Floats: ...

    def jacobian(self, q: ArrayLike) -> Floats: ...


class Unreachable(TorsorError):
    """The target is out of reach. ``nearest`` are the joints that come closest, ``pose`` is where they put the tool."""

    def __init__(self, problem: str, nearest: Floats, pose: Floats) -> None:
        position = ", ".join(f"{x:.4g}" for x in pose[:3, 3])
        super().__init__(problem, hint=f"the nearest that can be reached has the tool at ({position})")
        self.nearest, self.pose = nearest, pose


@dataclass(frozen=True, eq=False)
class Branches:
    """The solutions of one pose, those within the joint limits first. Iterating gives the joint vectors."""

    q: Floats  # (branches, n)
    names: tuple[str, ...]
    within_limits: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Floats]:
        return iter(self.q)

    def __str__(self) -> str:
        rows = zip(self.names, self.q, self.within_limits, strict=True)
        lines = (
            f"{name:22s} {np.array2string(q, precision=4)}{'' if ok else '  out of limits'}" for name, q, ok in rows
        )
        return "\n".join(lines)


class Solver:
    """The closed form of an arm, compiled at first use; ``geometry`` is None for arms that need the search."""

    def __init__(self, arm: Posed, tree: Tree) -> None:
        self.arm = arm
        self.tree = tree
        self.geometry: Geometry | None = recognised(tree)
        self._kernel: Any = None

    def closed_form(self, T: Floats) -> Floats:
        """(..., 8, 6): all branches, NaN where there is none."""
        if self._kernel is None:
            from torsor.algebra import simplify, symbols, tape_from
            from torsor.emit import compile_kernel

            target = symbols("T", (4, 4))
            assert self.geometry is not None
            outputs = simplify(dict(zip(("q", "miss"), branches(self.geometry, target), strict=True)))
            self._kernel = compile_kernel(tape_from(f"{self.tree.name}_inverse_kinematics", {"T": target}, outputs))
        q, _ = self._kernel(T)
        error = np.abs(self.arm.pose(q) - T[..., None, :, :]).max(axis=(-1, -2))
        return np.where((error < REACHED)[..., None], q, np.nan)


def inverse_kinematics(solver: Solver, T: ArrayLike, *, nearest: ArrayLike | None = None) -> Branches | Floats:
    """Branches of one pose (4, 4); or, with ``nearest`` (n,), the closest solution (..., n) to poses (..., 4, 4).

    Angles are moved by whole turns into the joint limits where that is possible, else towards ``nearest``. Along a
    batch each solution is the start for the next, so that a path stays on its branch. A pose out of reach raises
    Unreachable with the nearest that can be reached.
    """
    target = np.asarray(T, dtype=np.float64)
    if target.shape[-2:] != (4, 4):
        raise ShapeError(f"T has shape {target.shape}", hint="give poses (..., 4, 4)")
    _check_poses(target)
    if nearest is None:
        if target.ndim != 2:
            raise ShapeError(
                f"T has shape {target.shape}", hint="all branches are for one pose; give nearest= for many"
            )
        return _all(solver, target)
    start = np.asarray(nearest, dtype=np.float64)
    if start.shape != (solver.arm.n,):
        raise ShapeError(f"nearest has shape {start.shape}", hint=f"give ({solver.arm.n},)")
    flat = target.reshape(-1, 4, 4)
    found = np.empty((len(flat), solver.arm.n))
    candidates = solver.closed_form(flat) if solver.geometry is not None else None
    for k, each in enumerate(flat):
        options = candidates[k] if candidates is not None else searched(solver.arm, each, start)
        options = options[np.isfinite(options).all(axis=-1)]
        if not len(options):
            raise _unreachable(solver, each, k if target.ndim > 2 else None)
        options = _turned(solver.arm.model, options, start)
        inside = _inside(solver.arm.model, options)
        cost = np.abs(options - start).max(axis=-1) + np.where(inside, 0.0, 1e3)
        start = found[k] = options[int(np.argmin(cost))]
    return found.reshape(*target.shape[:-2], solver.arm.n)


def _all(solver: Solver, T: Floats) -> Branches:
    arm = solver.arm
    options = solver.closed_form(T) if solver.geometry is not None else searched(arm, T, None)
    options = options[np.isfinite(options).all(axis=-1)]
    if not len(options):
        raise _unreachable(solver, T, None)
    options = _distinct(_turned(arm.model, options, np.zeros(arm.n)))
    inside = _inside(arm.model, options)
    order = np.argsort(~inside, kind="stable")
    options, inside = options[order], inside[order]
    named = solver.geometry is not None
    names = _names(solver, options) if named else [f"solution {k + 1}" for k in range(len(options))]
    return Branches(options, tuple(names), tuple(bool(ok) for ok in inside))


def _names(solver: Solver, options: Floats) -> list[str]:
    """Where the shoulder points, how the elbow bends, how the wrist is turned.

    Front is the side of the wrist at q = 0; up is an elbow above the line from shoulder to wrist; the sign of sin q5
    tells the two wrists apart.
    """
    from torsor.mechanics.kinematics import body_poses, rotate

    geometry, tree = solver.geometry, solver.tree
    assert geometry is not None

    def places(q: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        poses = body_poses(tree, q)
        R3, p3 = poses[2]
        wrist = p3 + rotate(R3, geometry.wrist_in_3)
        return poses[0][0][..., :, 2], poses[1][0][..., :, 2], poses[1][1], p3, wrist

    def side(q: Floats) -> Any:
        z1, z2, shoulder, _, wrist = places(q)
        return (np.cross(z2, z1) * (wrist - shoulder)).sum(axis=-1)

    home = np.sign(side(np.zeros(6))) or 1.0
    up = -tree.gravity if tree.gravity.any() else np.array([0.0, 0.0, 1.0])
    _, _, shoulder, elbow, wrist = places(options)
    chord = wrist - shoulder
    share = ((elbow - shoulder) * chord).sum(axis=-1) / np.maximum((chord * chord).sum(axis=-1), 1e-30)
    height = ((elbow - shoulder - share[:, None] * chord) * up).sum(axis=-1)
    shoulders = np.where(home * side(options) >= 0.0, "front", "back")
    elbows = np.where(height >= 0.0, "up", "down")
    wrists = np.where(np.sin(options[:, 4]) >= 0.0, "wrist +", "wrist -")
    return [f"{a}, {b}, {c}" for a, b, c in zip(shoulders, elbows, wrists, strict=True)]


def searched(arm: Posed, T: Floats, near: Floats | None) -> Floats:
    """Solutions by damped least squares (Levenberg-Marquardt) within the limits, from many starts at once."""
    lower, upper = _bounds(arm.model)
    rng = np.random.default_rng(0)
    q = rng.uniform(lower, upper, (STARTS, arm.n))
    if near is not None:
        q[0] = np.clip(near, lower, upper)
    damping = np.full(STARTS, 1e-2)
    error = _twist(T, arm.pose(q))
    size = (error * error).sum(axis=-1)
    for _ in range(STEPS):
        J = arm.jacobian(q)
        H = np.swapaxes(J, -1, -2) @ J + damping[:, None, None] * np.eye(arm.n)
        step = np.linalg.solve(H, np.swapaxes(J, -1, -2) @ error[..., None])[..., 0]
        trial = np.clip(q + step, lower, upper)
        trial_error = _twist(T, arm.pose(trial))
        trial_size = (trial_error * trial_error).sum(axis=-1)
        better = trial_size < size
        q = np.where(better[:, None], trial, q)
        error = np.where(better[:, None], trial_error, error)
        size = np.where(better, trial_size, size)
        damping = np.clip(np.where(better, damping * 0.3, damping * 4.0), 1e-14, 1e6)
        if (size < 1e-24).sum() >= STARTS // 2:
            break
    reached = np.abs(arm.pose(q) - T).max(axis=(-1, -2)) < REACHED
    return np.asarray(np.where(reached[:, None], q, np.nan))


def _twist(T: Floats, now: Floats) -> Floats:
    """The motion (linear, angular) that takes the poses ``now`` to T, to first order in the angle near T."""
    linear = T[:3, 3] - now[..., :3, 3]
    R = T[:3, :3] @ np.swapaxes(now[..., :3, :3], -1, -2)
    axis = 0.5 * np.stack(
        [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1
    )
    # sin of the angle alone would stall at half a turn: use the angle
    sine = np.linalg.norm(axis, axis=-1)
    cosine = 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sine, cosine)
    scale = np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 1.0)
    return np.concatenate([linear, axis * scale[..., None]], axis=-1)


def _check_poses(T: Floats) -> None:
    R = T[..., :3, :3]
    finite = bool(np.isfinite(T).all())
    if not finite or np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max() > 1e-6 or (np.linalg.det(R) < 0.0).any():
        raise TorsorError("T is not a pose", hint="its upper left 3 x 3 must be a rotation")


def _bounds(model: Model) -> tuple[Floats, Floats]:
    limits = [link.joint.limits.position for link in model.independent]
    turns = [link.joint.kind in ("revolute", "continuous", "screw") for link in model.independent]
    free = [(-np.pi, np.pi) if turning else (-10.0, 10.0) for turning in turns]
    pairs = np.array([free[k] if limit is None else limit for k, limit in enumerate(limits)])
    return pairs[:, 0], pairs[:, 1]


def _turned(model: Model, q: Floats, near: Floats) -> Floats:
    """Whole turns added: into the limits where there are some and it is possible, there or anywhere closest to near."""
    result = q.copy()
    for k, link in enumerate(model.independent):
        if link.joint.kind not in ("revolute", "continuous"):
            continue
        options = q[:, k, None] + 2.0 * np.pi * np.arange(-2, 3)
        cost = np.abs(options - near[k])
        if link.joint.limits.position is not None:
            low, high = link.joint.limits.position
            cost = cost + np.where((options < low - 1e-9) | (options > high + 1e-9), 1e3, 0.0)
        result[:, k] = np.take_along_axis(options, np.argmin(cost, axis=-1)[:, None], axis=-1)[:, 0]
    return result


def _inside(model: Model, q: Floats) -> Any:
    limits = [link.joint.limits.position or (-np.inf, np.inf) for link in model.independent]
    low, high = np.array(limits).T
    return ((q >= low - 1e-9) & (q <= high + 1e-9)).all(axis=-1)


def _distinct(q: Floats) -> Floats:
    kept: list[Floats] = []
    for each in q:
        if all(np.abs(np.angle(np.exp(1j * (each - other)))).max() > 1e-6 for other in kept):
            kept.append(each)
    return np.array(kept)


def _unreachable(solver: Solver, T: Floats, number: int | None) -> Unreachable:
    """The nearest pose that can be reached, by least squares from many starts."""
    arm = solver.arm
    lower, upper = _bounds(arm.model)
    rng = np.random.default_rng(1)
    q = rng.uniform(lower, upper, (STARTS, arm.n))
    for _ in range(60):
        J, error = arm.jacobian(q), _twist(T, arm.pose(q))
        H = np.swapaxes(J, -1, -2) @ J + 1e-3 * np.eye(arm.n)
        q = np.clip(q + 0.5 * np.linalg.solve(H, np.swapaxes(J, -1, -2) @ error[..., None])[..., 0], lower, upper)
    best = q[int(np.argmin((_twist(T, arm.pose(q)) ** 2).sum(axis=-1)))]
    reached = arm.pose(best)
    miss = float(np.linalg.norm(reached[:3, 3] - T[:3, 3]))
    which = "" if number is None else f"{number} "
    return Unreachable(
        f"{arm.model.name!r} cannot reach pose {which}by {1e3 * miss:.3g} mm".replace("  ", " "), best, reached
    )
