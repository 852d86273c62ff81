"""``Arm``: what users hold. Each quantity is a method on NumPy arrays with any leading dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ModelError, ShapeError, TorsorError, Unsupported
from torsor.mechanics import regressor as _regressor
from torsor.mechanics.reference import Reference
from torsor.mechanics.tree import Tree, lower
from torsor.model.model import Model
from torsor.model.transforms import Floats


class Arm:
    """An arm and all that can be asked of it.

    q, qd, qdd and tau are (..., n) and broadcast against each other; lists are fine. Options are keyword-only:
    ``wrench`` (..., 6) is the force over the moment that the surroundings exert on the tool, in base axes; ``gravity``
    (3,) replaces the model's, in world axes; ``out`` takes the result.

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> arm.gravity([0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the entries of q, in order. For an arm with loops these are the driven joints."""
        if self.model.loops:
            driven = {name for loop in self.model.loops for name in loop.driven}
            return tuple(name for name in self.model.joint_names if name in driven)
        return self.model.joint_names

    @property
    def n(self) -> int:
        return len(self.joint_names)

    @cached_property
    def tree(self) -> Arm:
        """The arm with its loops opened; the arm itself where there are none."""
        return Arm(replace(self.model, loops=())) if self.model.loops else self

    @cached_property
    def reference(self) -> Reference:
        """The same quantities computed plainly on floats, unchecked: the oracle."""
        return Reference(self._tree)

    def pose(self, q: ArrayLike, *, frame: str = "tool", out: Floats | None = None) -> Floats:
        """T_base_frame (..., 4, 4) of the tool, a link or a named frame."""
        return _into(out, self.reference.pose(self._joints("q", q), frame))

    def jacobian(self, q: ArrayLike, *, frame: str = "tool", out: Floats | None = None) -> Floats:
        """J (..., 6, n): velocity of the frame's origin over its angular velocity = J qd, in base axes."""
        return _into(out, self.reference.jacobian(self._joints("q", q), frame))

    def jacobian_dot_qd(
        self, q: ArrayLike, qd: ArrayLike, *, frame: str = "tool", out: Floats | None = None
    ) -> Floats:
        """(dJ/dt) qd (..., 6): what the frame accelerates by without qdd."""
        q, qd = self._states(q=q, qd=qd)
        return _into(out, self.reference.jacobian_dot_qd(q, qd, frame))

    def inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        wrench: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Floats | None = None,
    ) -> Floats:
        """tau = M(q) qdd + C(q, qd) qd + g(q) - J^T wrench, (..., n) in N m (N for sliding joints)."""
        q, qd, qdd = self._dynamic_states(q=q, qd=qd, qdd=qdd)
        return _into(out, self.reference.inverse_dynamics(q, qd, qdd, self._gravity(gravity), _wrench(wrench)))

    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        *,
        wrench: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Floats | None = None,
    ) -> Floats:
        """qdd = M(q)^-1 (tau - C(q, qd) qd - g(q) + J^T wrench), (..., n)."""
        q, qd, tau = self._dynamic_states(q=q, qd=qd, tau=tau)
        try:
            return _into(out, self.reference.forward_dynamics(q, qd, tau, self._gravity(gravity), _wrench(wrench)))
        except np.linalg.LinAlgError:
            raise TorsorError(
                f"the mass matrix of {self.name!r} is singular here",
                hint="a joint moves no mass: give the links beyond it mass or inertia",
            ) from None

    def mass_matrix(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """M (..., n, n), symmetric and positive definite."""
        (q,) = self._dynamic_states(q=q)
        return _into(out, self.reference.mass_matrix(q))

    def coriolis_matrix(self, q: ArrayLike, qd: ArrayLike, *, out: Floats | None = None) -> Floats:
        """C (..., n, n) of Christoffel symbols: C qd are the velocity torques, dM/dt - 2C is skew."""
        q, qd = self._dynamic_states(q=q, qd=qd)
        return _into(out, self.reference.coriolis_matrix(q, qd))

    def gravity(self, q: ArrayLike, *, gravity: ArrayLike | None = None, out: Floats | None = None) -> Floats:
        """g(q) = dV/dq, (..., n): the torques that hold the arm still."""
        (q,) = self._dynamic_states(q=q)
        return _into(out, self.reference.gravity(q, self._gravity(gravity)))

    def energy(
        self, q: ArrayLike, qd: ArrayLike, *, gravity: ArrayLike | None = None
    ) -> tuple[Floats, Floats]:
        """Kinetic and potential energy (...) in J; the potential is zero with all masses at the base origin."""
        q, qd = self._dynamic_states(q=q, qd=qd)
        return self.reference.energy(q, qd, self._gravity(gravity))

    def regressor(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, gravity: ArrayLike | None = None, out: Floats | None = None
    ) -> Floats:
        """Y (..., n, 10 bodies) with tau = Y @ arm.parameters."""
        q, qd, qdd = self._dynamic_states(q=q, qd=qd, qdd=qdd)
        return _into(out, self.reference.regressor(q, qd, qdd, self._gravity(gravity)))

    @cached_property
    def parameters(self) -> Floats:
        """Ten inertial parameters for each moving body, in link axes and about the link's origin."""
        self._require_dynamics()
        return _regressor.parameters(self._tree)

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(f"{name}_{body.name}" for body in self._tree.bodies for name in _regressor.NAMES)

    def bearing_loads(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        wrench: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Floats | None = None,
    ) -> Floats:
        """(..., joints, 6): the force over the moment that each moving joint exerts on its link.

        In the axes of the link, the moment about a point on the joint's axis (the joint's origin). The component along
        the axis is what the motor gives; the rest is carried by the bearing.
        """
        q, qd, qdd = self._dynamic_states(q=q, qd=qd, qdd=qdd)
        return _into(out, self.reference.bearing_loads(q, qd, qdd, self._gravity(gravity), _wrench(wrench)))

    def __repr__(self) -> str:
        return repr(self.model).replace("<Model", "<Arm", 1)

    def _repr_html_(self) -> str:
        return self.model._repr_html_()

    @cached_property
    def _tree(self) -> Tree:
        if self.model.loops:
            raise Unsupported(
                f"{self.name!r} has closed loops, whose motion in driven joints is not computed yet",
                hint="use arm.tree, the same arm with its loops opened",
            )
        return lower(self.model)

    def _require_dynamics(self) -> None:
        self.model.require_inertia()

    def _dynamic_states(self, **arrays: ArrayLike) -> list[Floats]:
        self._require_dynamics()
        return self._states(**arrays)

    def _states(self, **arrays: ArrayLike) -> list[Floats]:
        joints = [self._joints(name, value) for name, value in arrays.items()]
        try:
            np.broadcast_shapes(*(array.shape for array in joints))
        except ValueError:
            shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(arrays, joints, strict=True))
            raise ShapeError(f"these shapes do not go together: {shapes}", hint=f"all are (..., {self.n})") from None
        return joints

    def _joints(self, name: str, value: ArrayLike) -> Floats:
        array = _floats(name, value)
        if array.ndim == 0 or array.shape[-1] != self.n:
            raise ShapeError(
                f"{name} has shape {array.shape}", hint=f"{self.name!r} has {self.n} joints: give (..., {self.n})"
            )
        return array

    def _gravity(self, gravity: ArrayLike | None) -> Floats | None:
        if gravity is None:
            return None
        vector = _floats("gravity", gravity)
        if vector.shape != (3,):
            raise ShapeError(f"gravity has shape {vector.shape}", hint="give (3,) in world axes, e.g. [0, 0, -9.81]")
        if not np.isfinite(vector).all():
            raise ModelError(f"gravity is {vector.tolist()}", hint="it must be finite")
        in_base: Floats = self.model.base[:3, :3].T @ vector
        return in_base


def _wrench(wrench: ArrayLike | None) -> Floats | None:
    if wrench is None:
        return None
    array = _floats("wrench", wrench)
    if array.ndim == 0 or array.shape[-1] != 6:
        raise ShapeError(f"wrench has shape {array.shape}", hint="give (..., 6): force over moment at the tool, base axes")
    return array


def _floats(name: str, value: ArrayLike | Sequence[Any]) -> Floats:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ShapeError(f"{name} is not an array of numbers: {value!r:.60}") from None


def _into(out: Floats | None, result: Floats) -> Floats:
    if out is None:
        return np.ascontiguousarray(result)
    if not isinstance(out, np.ndarray) or out.shape != result.shape:
        raise ShapeError(f"out has shape {np.shape(out)}", hint=f"the result is {result.shape}")
    if not out.flags.writeable:
        raise ShapeError("out is read-only", hint="give an array that can be written")
    out[...] = result
    return out
