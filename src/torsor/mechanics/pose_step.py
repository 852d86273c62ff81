"""One step of damped least squares from joints towards a tool pose, as a page."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.algebra import less, maximum, minimum, select, sqrt
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.kinematics import body_poses, frame_pose, jacobian, vector
from torsor.mechanics.tree import Reals, Tree
from torsor.model.transforms import Floats

SURE = 1e-13  # damping that always stays: far below what slows the last steps down


def pose_step(tree: Tree, q: Reals, T: Reals, low: Floats, high: Floats) -> tuple[Reals, Any]:
    """The joints after a step (..., n), kept in their bounds, and |e|^2 at q.

    q' = q + J^T (J J^T + w 1)^-1 e, with the error e (position over rotation vector) and damping w = |e|^2 / 2
    (Sugihara 2011): far away the steps are careful, close by they are Newton's.
    """
    e = pose_difference(*frame_pose(tree, body_poses(tree, q), "tool"), T)
    size: Any = sum(e[..., i] * e[..., i] for i in range(6))
    J = jacobian(tree, q)
    Jt = np.swapaxes(J, -1, -2)
    damping = (0.5 * size + SURE)[..., None, None] if np.ndim(size) else 0.5 * size + SURE
    if tree.n < 6:
        step = solve_dense(Jt @ J + damping * np.eye(tree.n), (Jt @ e[..., None])[..., 0])
    else:
        step = (Jt @ solve_dense(J @ Jt + damping * np.eye(6), e)[..., None])[..., 0]
    moved = [minimum(maximum(q[..., i] + step[..., i], low[i]), high[i]) for i in range(tree.n)]
    return vector(*moved), size


def pose_difference(R: Reals, p: Reals, T: Reals) -> Reals:
    """(..., 6): displacement over rotation vector, in base axes, that take a frame at R and p to the pose T."""
    D = T[..., :3, :3] @ np.swapaxes(R, -1, -2)
    x, y, z = D[..., 2, 1] - D[..., 1, 2], D[..., 0, 2] - D[..., 2, 0], D[..., 1, 0] - D[..., 0, 1]
    double_sine = sqrt(x * x + y * y + z * z)
    angle = np.arctan2(double_sine, D[..., 0, 0] + D[..., 1, 1] + D[..., 2, 2] - 1.0)
    # angle / sine is one at no angle
    scale = select(less(double_sine, 1e-12), 0.5 + 0.0 * angle, angle / maximum(double_sine, 1e-12))
    return vector(*(T[..., i, 3] - p[..., i] for i in range(3)), scale * x, scale * y, scale * z)
