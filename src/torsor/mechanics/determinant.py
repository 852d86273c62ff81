"""The determinant of the Jacobian, in factors: an arm is singular where one of them vanishes.

Of six joints it is taken where it is shortest: at a point of the last axis and in the axes of the body in the middle,
which does not change it (``inverse_jacobian.py``). With a spherical wrist it is the arm's times the wrist's.
Of fewer joints it is that of the motions they have: velocity in the plane of a planar arm, position of a 3-joint arm.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from torsor.algebra import Node
from torsor.algebra.counting import nodes_of
from torsor.algebra.walk import reachable
from torsor.algebra.waves import Waves
from torsor.errors import Unsupported
from torsor.mechanics.inverse_jacobian import SINGULAR, MiddleJacobian, require_invertible
from torsor.mechanics.kinematics import dot, jacobian
from torsor.mechanics.tree import Reals, Tree

FACTORED = "in factors"
TWIST = ("vx", "vy", "vz", "wx", "wy", "wz")


def determinant_rows(tree: Tree, frame: str = "tool") -> tuple[int, ...]:
    """Which rows of the Jacobian of an arm, of numbers, its determinant is of; refuses an arm that has none.

    >>> import torsor
    >>> determinant_rows(torsor.load("planar2")._trees.plain)
    (0, 1)
    """
    n = tree.n
    if n == 6:
        require_invertible(tree, frame)
        return tuple(range(6))
    J = jacobian(tree, np.random.default_rng(0).uniform(-3.0, 3.0, (16, n)), frame)
    if n < 6:
        space = np.swapaxes(J, 0, 1).reshape(6, -1)
        rank = int(np.linalg.matrix_rank(space, tol=1e-9 * max(1.0, float(np.abs(space).max()))))
        plane = int(np.linalg.matrix_rank(space[:3], tol=1e-9))
        if n not in (rank, plane):
            hint = f"it moves the tool in {rank} directions: only as many joints as directions have a determinant"
            raise Unsupported(f"the Jacobian of {tree.name!r} has no determinant", hint=hint)
        for rows in combinations(range(6 if rank == n else 3), n):
            sizes = np.linalg.svd(J[:, rows, :], compute_uv=False)
            if (sizes[:, -1] > SINGULAR * sizes[:, 0]).any():
                return rows
        raise Unsupported(
            f"the Jacobian of {tree.name!r} is singular everywhere", hint=f"not every joint moves {frame} by itself"
        )
    raise Unsupported(f"{tree.name!r} has {n} joints", hint="a Jacobian of six joints or fewer has a determinant")


def determinant(tree: Tree, q: Reals, rows: tuple[int, ...], frame: str = "tool") -> tuple[Any, str]:
    """det J on symbols, in factors where that is possible, and the name of its form."""
    if len(rows) < 6:
        whole, form = _expanded(jacobian(tree, q, frame)[list(rows), :]), ", ".join(TWIST[k] for k in rows)
        form = f"rows {form}"
    else:
        J = MiddleJacobian.of(tree, q, frame)
        whole, form = _of_six(J), "wrist partition" if J.wrist else "cofactors"
    root = nodes_of(whole)[0]
    turning = {arg for node in reachable([root]) if node.op in ("sin", "cos") for arg in node.args}
    angles = [x for x in q if x in turning]
    others = [node for node in reachable([root]) if node.op in ("parameter", "symbol") and node not in angles]
    waves = Waves(angles, sorted(others, key=lambda node: node.name))
    wave = waves.of(root)
    if not wave:
        return whole, form
    lengths = {node.value for node in reachable([root]) if node.op == "const"}
    return waves.product(waves.factors(wave, lengths)), f"{form}, {FACTORED}"


def _of_six(J: MiddleJacobian) -> Any:
    columns, sign = J.columns, 1.0
    if J.wrist:
        order = J.sources
        arm, wrist = [columns[j][0] for j in order[:3]], [columns[j][1] for j in order[3:]]
        return _parity(order) * _volume(*arm) * _volume(*wrist)
    det: Any = 0.0
    for three in combinations(range(6), 3):  # Laplace over minors of three rows
        others = [j for j in range(6) if j not in three]
        sign = -1.0 if sum(three) % 2 == 0 else 1.0
        det = det + sign * _volume(*(columns[j][0] for j in three)) * _volume(*(columns[j][1] for j in others))
    return det


def _volume(a: Reals, b: Reals, c: Reals) -> Any:
    return dot(a, np.cross(b, c))


def _parity(order: list[int]) -> float:
    return -1.0 if sum(a > b for a, b in combinations(order, 2)) % 2 else 1.0


def _expanded(rows: Reals) -> Any:
    """By cofactors of the first row."""
    if len(rows) == 1:
        return rows[0, 0]
    total: Any = 0.0
    for k in range(len(rows)):
        entry = rows[0, k]
        if not (isinstance(entry, Node) and entry.op == "const" and entry.value == 0.0) and not _zero(entry):
            total = total + (-1.0) ** k * entry * _expanded(np.delete(rows[1:], k, axis=1))
    return total


def _zero(entry: Any) -> bool:
    return not isinstance(entry, Node) and float(entry) == 0.0
