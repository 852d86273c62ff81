"""Equations that inverse kinematics comes down to, as pages: A cos x + B sin x = C, a rotation from three turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.algebra import absolute, less, maximum, select, sqrt
from torsor.mechanics.kinematics import rotate, turned, vector
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

SQUARE = 1e-15  # cosine between axes that are square up to rounding
FREE = 1e-21  # of the square of a direction of size one: shorter than this it points nowhere


def solved(A: Any, B: Any, C: Any, sign: float) -> tuple[Any, Any, Any]:
    """x of A cos x + B sin x = C, one of two; by how much C is out of reach; A^2 + B^2 - C^2, zero where both agree."""
    square = A * A + B * B
    rest = square - C * C
    x = np.arctan2(B, A) + sign * np.arctan2(sqrt(maximum(rest, 0.0)), C)
    return x, maximum(absolute(C) - sqrt(square), 0.0), rest


def turn(q: Any) -> Reals:
    """The rotation by q about z."""
    return turned(np.cos(q), np.sin(q))


def unturned(q: Any, v: Reals) -> Reals:
    """Rz(q)^T v."""
    c, s = np.cos(q), np.sin(q)
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    return vector(c * x + s * y, c * y - s * x, z)


Turns = tuple[Any, Any, Any, Any, Any]


def three_turns(
    R1: Floats, R2: Floats, R3: Floats, R: Reals, near: Any, allowed: Callable[[Any], Any] | None = None
) -> tuple[Turns, Turns]:
    """Both a, b, c of R = R1 Rz(a) R2 Rz(b) R3 Rz(c); by how much R is out of reach; how far from straight.

    Straight is where the first and the last axis are parallel and only a sum of a and c is determined: a is then
    ``near``. The last number is the square of the sine between those axes. ``allowed`` gives, for an a, the one next to
    it that may be; what that turns the last axis by is a miss, which is none where it is straight.
    """
    D = R1.T @ R
    p, r = R2[2, :], R3[:, 2]
    A, B, C = p[0] * r[0] + p[1] * r[1], p[1] * r[0] - p[0] * r[1], D[..., 2, 2] - p[2] * r[2]
    # A^2 + B^2 - C^2, written so that a wrist with square axes loses no digits where it is straight
    aside = D[..., 0, 2] * D[..., 0, 2] + D[..., 1, 2] * D[..., 1, 2]
    rest = aside - float(p[2] * p[2] + r[2] * r[2]) + 2.0 * float(p[2] * r[2]) * D[..., 2, 2]
    middle, aperture = np.arctan2(B, A), np.arctan2(sqrt(maximum(rest, 0.0)), C)
    miss = maximum(absolute(C) - float(np.hypot(A, B)), 0.0)
    free = less(aside, FREE)
    heading = np.arctan2(D[..., 1, 2], D[..., 0, 2])

    def outer(b: Any) -> tuple[Any, Any, Any]:
        cb, sb = np.cos(b), np.sin(b)
        h = rotate(R2, vector(cb * r[0] - sb * r[1], sb * r[0] + cb * r[1], r[2] + 0.0 * cb))
        a = meant = select(free, near, heading - np.arctan2(h[..., 1], h[..., 0]))
        off = miss
        if allowed is not None:
            a = allowed(meant)
            off = miss + sqrt(aside) * absolute(a - meant)
        # what is left of the rotation about the last axis, whatever a and b were
        left = np.swapaxes(turn(a) @ R2 @ turn(b) @ R3, -1, -2) @ D
        return a, np.arctan2(left[..., 1, 0], left[..., 0, 0]), off

    b, other = middle + aperture, middle - aperture
    a, c, off = outer(b)
    if max(abs(p[2]), abs(r[2])) < SQUARE and allowed is None:
        # square axes: the other wrist is half a turn away at either end
        flipped = select(free, a, a + np.pi), select(free, c, c + np.pi), off
    else:
        flipped = outer(other)
    return (a, b, c, off, aside), (flipped[0], other, flipped[1], flipped[2], aside)


def wrapped(q: Reals) -> Reals:
    """Angles in [-pi, pi)."""
    within: Reals = q - 2.0 * np.pi * np.floor(q * (0.5 / np.pi) + 0.5)
    return within
