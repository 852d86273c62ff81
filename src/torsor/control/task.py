"""Where the tool is against where it shall be: the errors that laws in space act on."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.gains import numbers
from torsor.control.reference import Reference, as_reference
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.kinematics import rotate
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats

ORTHONORMAL = 1e-9  # of a rotation as users write it down, with nine digits or more


class Task:
    """A position of the tool to follow, (3,) or a reference of three, and a rotation (3, 3) to keep, or none."""

    def __init__(self, arm: Arm, position: Reference | ArrayLike, rotation: ArrayLike | None, frame: str) -> None:
        self.arm, self.frame = arm, frame
        self.position = as_reference(position, 3, "position")
        self.rotation: Floats | None = None
        if rotation is not None:
            R = numbers("rotation", rotation)
            if R.shape != (3, 3) or not np.allclose(R @ R.T, np.eye(3), atol=ORTHONORMAL) or np.linalg.det(R) < 0.0:
                raise ShapeError("rotation is none", hint="give an orthonormal (3, 3) matrix of determinant 1")
            self.rotation = R
        if self.size > arm.n:
            raise Unsupported(
                f"{arm.name!r} has {arm.n} joints for a task of {self.size}", hint="leave the rotation free"
            )

    @property
    def size(self) -> int:
        return 3 if self.rotation is None else 6

    def jacobian(self, q: Reals) -> Reals:
        return self.arm.jacobian(q, frame=self.frame)[..., : self.size, :]

    def drift(self, q: Reals, qd: Reals) -> Reals:
        """(dJ/dt) qd."""
        return self.arm.jacobian_dot_qd(q, qd, frame=self.frame)[..., : self.size]

    def errors(self, q: Reals, position: Reals) -> tuple[Reals, Reals | None]:
        """x - x_ref (..., 3), and the turn from where the tool points to where it shall, 1/2 sum r_k x r_k,ref."""
        T = self.arm.pose(q, frame=self.frame)
        e = T[..., :3, 3] - position
        if self.rotation is None:
            return e, None
        first, second, third = (np.cross(T[..., :3, k], self.rotation[:, k]) for k in range(3))
        return e, 0.5 * (first + second + third)

    def misalignment(self, q: Reals) -> Real:
        """U = 1/2 sum (1 - r_k . r_k,ref), zero when aligned; it falls by w . turn."""
        R: Reals = self.arm.pose(q, frame=self.frame)[..., :3, :3]
        return 0.5 * (3.0 - (R * self.rotation).sum(axis=(-1, -2)))

    def speed(self, q: Reals, qd: Reals) -> Reals:
        return rotate(self.jacobian(q), qd)
