"""The inverse of a six-joint arm's Jacobian in closed form, right at every pose that is not singular.

No pivot is chosen: divided is only by determinants that vanish where the arm is singular, and nowhere else. The twist
is taken at a point W on the last axis, in the axes of the body in the middle; there column j is (v_j, w_j).

With a spherical wrist W is its centre, v_4 = v_5 = v_6 = 0, and the matrix falls into blocks of three (Hollerbach and
Sahar 1983, Burdick 1986), each inverted by its cofactors:

    [A 0; C D]^-1 = [A^-1 0; -D^-1 C A^-1 D^-1],        [a b c]^-1 = rows (b x c, c x a, a x b) / a.(b x c)

For others the cofactors are the slopes of the determinant, expanded after Laplace over minors of three rows:

    row j of J^-1 = (d det / d v_j, d det / d w_j) / det,        det = sum +- [v_k v_l v_m] [w_n w_o w_p]

over the ways to part the columns into three and three, with [a b c] = a.(b x c).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from torsor.algebra import Node
from torsor.errors import Unsupported
from torsor.mechanics.kinematics import JointStep, body_poses, dot, jacobian, joined, rotate, scaled, stacked, steps
from torsor.mechanics.tree import Body, Reals, Tree

MISSED = 1e-12  # m: axes that miss each other by less meet
SINGULAR = 1e-9  # least over greatest singular value: 1e-16 where structure makes it zero, 1e-4 in arms
JacobianColumn = tuple[Reals, Reals]  # of a joint's unit rate: velocity of W, and angular velocity
InverseRow = tuple[Reals, Reals]  # what of both makes a joint's rate


def require_invertible(tree: Tree, frame: str = "tool") -> None:
    """Refuse an arm, of numbers, whose Jacobian has no inverse anywhere."""
    if tree.n != 6:
        raise Unsupported(f"{tree.name!r} has {tree.n} joints", hint="only a Jacobian of six joints has an inverse")
    J = jacobian(tree, np.random.default_rng(0).uniform(-3.0, 3.0, (16, 6)), frame)
    sizes = np.linalg.svd(J, compute_uv=False)
    if (sizes[:, -1] <= SINGULAR * sizes[:, 0]).all():
        raise Unsupported(
            f"the Jacobian of {tree.name!r} is singular everywhere", hint=f"not every joint moves {frame} by itself"
        )


@dataclass(frozen=True, eq=False)
class MiddleJacobian:
    """The Jacobian of W, a point of the last axis, in the axes of the body in the middle."""

    columns: list[JacobianColumn]
    sources: list[int]  # the joints from the base out
    wrist: bool  # whether the last three axes meet in W
    rows: Reals  # R of the last body
    last: Any  # how far along the last axis W is
    middle: int  # the body in the middle

    @classmethod
    def of(cls, tree: Tree, q: Reals, frame: str) -> MiddleJacobian:
        moved, path = steps(tree, q), tree.path(tree.mount(frame).body)
        bodies, middle = [tree.bodies[i] for i in path], (len(path) - 1) // 2
        R, p = _seen_from(middle, [moved[i] for i in path])
        through = _axes_through_one_point(bodies)
        nearest, last = min(through), through[len(path) - 1]
        W = p[nearest] + R[nearest][..., :, 2] * through[nearest]

        def lever(i: int) -> Reals:
            """To W from the point of axis i that is level with the next joint: what lies along the axis is no lever."""
            if i + 1 == len(path):
                return np.asarray(W - p[i])
            across = moved[path[i + 1]].p * np.array([1.0, 1.0, 0.0])
            return np.asarray(W - p[i + 1] + rotate(R[i], across))

        columns: list[JacobianColumn] = [(np.zeros(3), np.zeros(3))] * tree.n
        for i, body in enumerate(bodies):
            z, (v, w) = R[i][..., :, 2], columns[body.source]
            swept = np.zeros(3) if i in through else np.cross(z, lever(i))
            v = v + body.factor * (body.turn * swept + body.slide * z)
            columns[body.source] = v, w + body.factor * body.turn * z
        return cls(columns, [body.source for body in bodies], len(through) == 3, R[-1], last, path[middle])


def inverse_jacobian(tree: Tree, q: Reals, frame: str = "tool") -> tuple[Reals, str]:
    """J^-1 (..., 6, 6), base axes, and the name of its form; it grows without bound at singular configurations."""
    mount, J = tree.mount(frame), MiddleJacobian.of(tree, q, frame)
    rows = _by_blocks(J.columns, J.sources) if J.wrist else _by_cofactors(J.columns)
    lever = rotate(J.rows, np.array([0.0, 0.0, J.last]) - mount.position)  # from the frame to W
    to_base = body_poses(tree, q)[J.middle][0]
    lines = stacked(joined(rotate(to_base, v), rotate(to_base, w + np.cross(lever, v))) for v, w in rows)
    return np.broadcast_to(lines, (*q.shape[:-1], 6, 6)), "wrist partition" if J.wrist else "cofactors"


def _seen_from(middle: int, chain: list[JointStep]) -> tuple[list[Reals], list[Reals]]:
    """Axes (..., 3, 3) and origins of the bodies of a chain in the axes of one of them."""
    R: list[Reals] = [np.eye(3)] * len(chain)
    p: list[Reals] = [np.zeros(3)] * len(chain)
    for i in range(middle, 0, -1):
        R[i - 1] = R[i] @ np.swapaxes(chain[i].R, -1, -2)
        p[i - 1] = p[i] - rotate(R[i - 1], chain[i].p)
    for i in range(middle + 1, len(chain)):
        R[i] = R[i - 1] @ chain[i].R
        p[i] = p[i - 1] + rotate(R[i - 1], chain[i].p)
    return R, p


def _axes_through_one_point(bodies: list[Body]) -> dict[int, Any]:
    """Which of the last axes go through one point, at most three of six, and where on each it is."""
    last = len(bodies) - 1
    crossing = _crossing(bodies[last])
    if crossing is None:
        return {last: 0.0}
    on_parent, on_last = crossing
    before = _crossing(bodies[last - 1])
    revolute = all(body.turn and not body.slide for body in bodies[-3:])
    sources = {body.source for body in bodies}
    if before is None or not revolute or not len(bodies) == len(sources) == 6 or not _is_zero(before[1] - on_parent):
        return {last - 1: on_parent, last: on_last}
    return {last - 2: before[0], last - 1: on_parent, last: on_last}


def _crossing(body: Body) -> tuple[Any, Any] | None:
    """Where a body's axis meets its parent's: how far along the parent's, and along its own. None if it does not."""
    d = body.rotation[:, 2]
    p = body.position + d * body.along
    sine2 = d[0] * d[0] + d[1] * d[1]
    if body.slide or sine2 < 1e-4:
        return None
    t = -(p[0] * d[0] + p[1] * d[1]) / sine2
    if not (_is_zero(p[0] + t * d[0]) and _is_zero(p[1] + t * d[1])):
        return None
    return p[2] + t * d[2], t


def _is_zero(length: Any) -> bool:
    """Whether a length vanishes, for all values of its symbols."""
    symbolic = isinstance(length, Node) and length.op != "const"
    return not symbolic and abs(float(length)) <= MISSED


def _by_blocks(columns: list[JacobianColumn], sources: list[int]) -> list[InverseRow]:
    arm, wrist = sources[:3], sources[3:]
    first = _inverse([columns[j][0] for j in arm])
    second = _inverse([columns[j][1] for j in wrist])
    rows: dict[int, InverseRow] = {j: (row, np.zeros(3)) for j, row in zip(arm, first, strict=True)}
    for j, row in zip(wrist, second, strict=True):
        a, b, c = (scaled(dot(row, columns[k][1]), v) for k, v in zip(arm, first, strict=True))
        rows[j] = -(a + b + c), row
    return [rows[j] for j in range(6)]


def _inverse(columns: list[Reals]) -> list[Reals]:
    """The rows of the inverse of a 3 x 3 matrix of columns."""
    a, b, c = columns
    adjugate = [np.cross(b, c), np.cross(c, a), np.cross(a, b)]
    by = 1.0 / dot(a, adjugate[0])
    return [scaled(by, row) for row in adjugate]


def _by_cofactors(columns: list[JacobianColumn]) -> list[InverseRow]:
    slopes: list[list[Reals]] = [[np.zeros(3), np.zeros(3)] for _ in columns]
    crosses: list[dict[tuple[int, ...], Reals]] = []
    minors: list[dict[tuple[int, ...], Any]] = []
    for part in (list(each) for each in zip(*columns, strict=True)):
        crosses.append({(l, m): np.cross(part[l], part[m]) for l, m in combinations(range(6), 2)})
        minors.append({(k, l, m): dot(part[k], crosses[-1][l, m]) for k, l, m in combinations(range(6), 3)})
    det: Any = 0.0
    for three, minor in minors[0].items():
        others = tuple(j for j in range(6) if j not in three)
        sign = -1.0 if sum(three) % 2 == 0 else 1.0  # of the permutation (three, others)
        det = det + sign * minor * minors[1][others]
        for which, (k, l, m), rest in ((0, three, minors[1][others]), (1, others, minor)):
            across = crosses[which]
            for j, slope in ((k, across[l, m]), (l, -across[k, m]), (m, across[k, l])):
                slopes[j][which] = slopes[j][which] + scaled(sign * rest, slope)
    by = 1.0 / det
    return [(scaled(by, v), scaled(by, w)) for v, w in slopes]
