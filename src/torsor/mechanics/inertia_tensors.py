"""Symmetric tensors of bodies by their six entries, shifted and turned at the fewest products; and a body's carried to
its parent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torsor.mechanics.kinematics import JointStep, matrix, parts, rotate, scaled, vector
from torsor.mechanics.tree import Reals

Tensor = tuple[Any, Any, Any, Any, Any, Any]  # xx, yy, zz, xy, xz, yz
Shift = Callable[[Reals, Any, Reals, Tensor], tuple[Reals, Tensor]]  # by t, of a body with mass, first moment, tensor


def carried(joint: JointStep, position: Reals, mass: Any, s: Reals, inertia: Tensor) -> tuple[Reals, Tensor]:
    """First moment and inertia seen from the parent: shifted along z, turned, shifted by the joint's position."""
    return _carried(joint, position, mass, s, inertia, shifted)


def carried_second(joint: JointStep, mass: Any, s: Reals, second: Tensor) -> tuple[Reals, Tensor]:
    """The same of second moments."""
    return _carried(joint, joint.body.position, mass, s, second, shifted_second)


def _carried(
    joint: JointStep, position: Reals, mass: Any, s: Reals, tensor: Tensor, shift: Shift
) -> tuple[Reals, Tensor]:
    R = joint.body.rotation
    s, tensor = before_turning(joint, mass, s, tensor, shift)
    return shift(position, mass, rotate(R, s), turned_constant(R, tensor))


def before_turning(joint: JointStep, mass: Any, s: Reals, tensor: Tensor, shift: Shift) -> tuple[Reals, Tensor]:
    """Seen from the place of the joint, in the axes that it turns the body from."""
    if joint.body.slide or joint.body.along:
        s, tensor = shift(vector(0.0, 0.0, joint.reach), mass, s, tensor)
    return joint.turned(s), tensor if joint.c is None else turned_tensor(joint.c, joint.s, tensor)


def shifted(t: Reals, mass: Any, s: Reals, inertia: Tensor) -> tuple[Reals, Tensor]:
    """A body moved by t against the origin: I + 2 t.h 1 - t h^T - h t^T with h = s + m t / 2, and s + m t."""
    xx, yy, zz, xy, xz, yz = inertia
    mt = scaled(mass, t)
    h = s + 0.5 * mt
    tx, ty, tz = (t[..., k] for k in range(3))
    hx, hy, hz = (h[..., k] for k in range(3))
    px, py, pz = 2.0 * tx * hx, 2.0 * ty * hy, 2.0 * tz * hz
    moved = (
        xx + (py + pz),
        yy + (px + pz),
        zz + (px + py),
        xy - (tx * hy + ty * hx),
        xz - (tx * hz + tz * hx),
        yz - (ty * hz + tz * hy),
    )
    return s + mt, moved


def shifted_second(t: Reals, mass: Any, s: Reals, second: Tensor) -> tuple[Reals, Tensor]:
    """K + t h^T + h t^T."""
    mt = scaled(mass, t)
    return s + mt, added(second, symmetric_product(t, s + 0.5 * mt))


def symmetric_product(t: Reals, v: Reals) -> Tensor:
    """t v^T + v t^T."""
    (tx, ty, tz), (x, y, z) = parts(t), parts(v)
    return 2.0 * (tx * x), 2.0 * (ty * y), 2.0 * (tz * z), tx * y + ty * x, tx * z + tz * x, ty * z + tz * y


def turned_tensor(c: Any, s: Any, inertia: Tensor) -> Tensor:
    """Rz I Rz^T with four products for the plane part."""
    xx, yy, zz, xy, xz, yz = inertia
    u = s * (xx - yy) + 2.0 * c * xy
    return xx - s * u, yy + s * u, zz, c * u - xy, c * xz - s * yz, s * xz + c * yz


def turned_constant(R: Reals, inertia: Tensor) -> Tensor:
    """R I R^T for a constant R; a turn about x after quarter turns about z, as in DH frames, needs no full product."""
    if R[0, 2] == 0.0 and abs(R[0, 0]) + abs(R[0, 1]) == 1.0:
        xx, yy, zz, xy, xz, yz = turned_tensor(R[0, 0], -R[0, 1], inertia)
        # R = Rx Q with Q the quarter turn: Rx = R Q^T has cos and sin in its last column
        c, s = R[2, 2], -R[1, 2]
        yy, zz, xx, yz, xy, xz = turned_tensor(c, s, (yy, zz, xx, yz, xy, xz))
        return xx, yy, zz, xy, xz, yz
    xx, yy, zz, xy, xz, yz = inertia
    return tensor_of(R @ matrix((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)) @ R.T)


def tensor_of(I: Reals) -> Tensor:
    return I[..., 0, 0], I[..., 1, 1], I[..., 2, 2], I[..., 0, 1], I[..., 0, 2], I[..., 1, 2]


def inertia_of(second: Reals) -> Tensor:
    """I = tr(K) 1 - K of second moments."""
    xx, yy, zz, xy, xz, yz = tensor_of(second)
    trace = xx + yy + zz
    return trace - xx, trace - yy, trace - zz, -xy, -xz, -yz


def added(a: Tensor, b: Tensor) -> Tensor:
    xx, yy, zz, xy, xz, yz = (x + y for x, y in zip(a, b, strict=True))
    return xx, yy, zz, xy, xz, yz
