"""The inverse of a six-joint arm's Jacobian in closed form, by elimination with pivots chosen where they are sure."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.mechanics.kinematics import jacobian
from torsor.mechanics.tree import Array, Tree


def inverse_jacobian(tree: Tree, q: Array, frame: str = "tool") -> Array:
    """J^-1 (..., 6, 6), base axes, for arms of six joints; it grows without bound at singular configurations.

    A page cannot branch on values, so the order of elimination is fixed once: at each step the entry that is largest in
    the median over random configurations, and never zero there.
    """
    if tree.n != 6:
        raise Unsupported(f"{tree.name!r} has {tree.n} joints", hint="only a Jacobian of six joints has an inverse")
    rows: list[list[Any]] = [list(row) for row in np.moveaxis(jacobian(tree, q, frame), (-2, -1), (0, 1))]
    right: list[list[Any]] = np.eye(6).tolist()
    samples = jacobian(tree, np.random.default_rng(0).uniform(-3.0, 3.0, (50, 6)), frame)
    order: list[tuple[int, int]] = []
    left_rows, left_columns = set(range(6)), set(range(6))
    for _ in range(6):
        sizes = {
            (i, j): float(np.median(np.abs(samples[:, i, j]))) for i in sorted(left_rows) for j in sorted(left_columns)
        }
        i, j = max(sizes, key=lambda at: sizes[at])
        if sizes[i, j] < 1e-9:
            raise Unsupported(f"the Jacobian of {tree.name!r} is singular everywhere")
        order.append((i, j))
        inverse_pivot = 1.0 / rows[i][j]
        rows[i] = [entry * inverse_pivot for entry in rows[i]]
        right[i] = [entry * inverse_pivot for entry in right[i]]
        scaled = samples[:, i, :] / samples[:, i, j, None]
        for k in range(6):
            if k == i or (isinstance(rows[k][j], float) and rows[k][j] == 0.0):
                continue
            factor = rows[k][j]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
            right[k] = [a - factor * b for a, b in zip(right[k], right[i], strict=True)]
            samples[:, k, :] = samples[:, k, :] - samples[:, k, j, None] * scaled
        samples[:, i, :] = scaled
        left_rows.remove(i)
        left_columns.remove(j)
    result: list[list[Any]] = [[]] * 6
    for i, j in order:
        result[j] = right[i]
    batch = q.shape[:-1]
    return np.stack([np.stack([np.broadcast_to(e, batch) for e in row], axis=-1) for row in result], axis=-2)
