"""Poses as they are given: checked to be poses, and the motion that leads from one to another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError, TorsorError
from torsor.model.transforms import Floats

ROTATION = 1e-6  # how far R R^T may be from 1; less is rounding of the user's, and is put right


def checked_poses(T: ArrayLike) -> Floats:
    """Poses (..., 4, 4) with their rotations made exact."""
    try:
        target = np.asarray(T, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ShapeError("T is not an array of numbers", hint="give poses (..., 4, 4)") from error
    if target.shape[-2:] != (4, 4):
        raise ShapeError(f"T has shape {target.shape}", hint="give poses (..., 4, 4)")
    if not np.isfinite(target).all():
        raise TorsorError(f"T{_where(~np.isfinite(target).all(axis=(-1, -2)))} has entries that are not numbers")
    R = target[..., :3, :3]
    square = np.swapaxes(R, -1, -2) @ R
    off = np.abs(square - np.eye(3)).max(axis=(-1, -2))
    turned = (off > ROTATION) | (np.linalg.det(R) < 0.0)
    last = np.abs(target[..., 3, :] - np.array([0.0, 0.0, 0.0, 1.0])).max(axis=-1) > ROTATION
    for wrong, hint in ((turned, "its upper left 3 x 3 must be a rotation"), (last, "its last row must be 0, 0, 0, 1")):
        if wrong.any():
            raise TorsorError(f"T{_where(wrong)} is not a pose", hint=hint)
    if off.size and off.max() > 1e-15:  # a step of Newton's method to the nearest rotation
        target = target.copy()
        target[..., :3, :3] = 1.5 * R - 0.5 * R @ square
    return target


def _where(wrong: Any) -> str:
    """Which of many poses is meant."""
    return "" if np.ndim(wrong) == 0 else "[" + ", ".join(str(k) for k in np.argwhere(wrong)[0]) + "]"


def twist_between(T: Floats, now: Floats) -> Floats:
    """The motion (..., 6), linear over angular in base axes, that takes the poses ``now`` to T in a unit of time."""
    linear = T[..., :3, 3] - now[..., :3, 3]
    R = T[..., :3, :3] @ np.swapaxes(now[..., :3, :3], -1, -2)
    axis = 0.5 * (R[..., [2, 0, 1], [1, 2, 0]] - R[..., [1, 2, 0], [2, 0, 1]])
    # sin of the angle alone would stall at half a turn: use the angle
    sine = np.sqrt((axis * axis).sum(axis=-1))
    cosine = 0.5 * (R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2] - 1.0)
    scale = np.where(sine > 1e-12, np.arctan2(sine, cosine) / np.maximum(sine, 1e-12), 1.0)
    return np.concatenate([np.broadcast_to(linear, axis.shape), axis * scale[..., None]], axis=-1)
