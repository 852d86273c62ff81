"""Laws for touching things: impedance answers motion with force, admittance answers force with motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.gains import form, matrix, numbers, times, vector
from torsor.control.law import Law, Stateless
from torsor.control.operational import OperationalSpace
from torsor.control.reference import Reference
from torsor.control.task import Task
from torsor.errors import ShapeError

Force = Callable[[Any, Any, Any], Any]  # (t, position, velocity) of the tool -> force on it, base axes


class Impedance(Stateless):
    """See ``impedance``."""

    def __init__(
        self,
        arm: Arm,
        stiffness: ArrayLike,
        damping: ArrayLike,
        position: Reference | ArrayLike,
        rotation: ArrayLike | None,
        turning: tuple[float, float],
        joint_damping: ArrayLike,
        frame: str,
    ) -> None:
        self.arm, self.n = arm, arm.n
        self.task = Task(arm, position, rotation, frame)
        self.stiffness, self.damping = matrix("stiffness", stiffness, 3), matrix("damping", damping, 3)
        self.turning = vector("turning", turning, 2, positive=True)
        self.joint_damping = matrix("joint_damping", joint_damping, arm.n, definite=False)

    def torque(self, t: Any, q: Any, qd: Any) -> Any:
        x_ref, xd_ref, _ = self.task.position.at(t)
        J = self.task.jacobian(q)
        speed = (J * qd[..., None, :]).sum(axis=-1)
        e, turn = self.task.errors(q, x_ref)
        force = -times(self.stiffness, e) - times(self.damping, speed[..., :3] - xd_ref)
        if turn is not None:
            force = np.concatenate([force, self.turning[0] * turn - self.turning[1] * speed[..., 3:]], axis=-1)
        held = self.arm.gravity(q) - times(self.joint_damping, qd)
        return (J * force[..., :, None]).sum(axis=-2) + held

    def lyapunov(self, t: Any, q: Any, qd: Any, x: Any = None) -> Any:
        e, turn = self.task.errors(q, self.task.position.at(t)[0])
        V = 0.5 * form(self.arm.mass_matrix(q), qd) + 0.5 * form(self.stiffness, e)
        return V if turn is None else V + self.turning[0] * self.task.misalignment(q)


def impedance(
    arm: Arm,
    stiffness: ArrayLike,
    damping: ArrayLike,
    position: Reference | ArrayLike,
    *,
    rotation: ArrayLike | None = None,
    turning: tuple[float, float] = (50.0, 5.0),
    joint_damping: ArrayLike = 1.0,
    frame: str = "tool",
) -> Impedance:
    """Impedance: the tool hangs on a spring and a damper, tau = J^T (-K (x - x_ref) - D (xd - xd_ref)) + g(q) - Dq qd.

    Hogan 1985, with the arm's own inertia, which needs no force sensor. K in N/m, D in N s/m; ``rotation`` (3, 3) is
    held by a turning spring and damper ``turning`` (N m/rad, N m s/rad).

    Stability: K, D positive definite, x_ref constant: V = 1/2 qd^T M qd + 1/2 e^T K e (+ rotation) has
    Vd = -xd^T D xd - qd^T Dq qd; and from outside, the tool is a passive system, so it is stable in touch with every
    passive surrounding. ``joint_damping`` Dq, N m s/rad, brings joints to rest that the task leaves free.

    >>> import numpy as np, torsor
    >>> arm = torsor.load("irb140")
    >>> q = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> law = impedance(arm, 1000.0, 100.0, arm.pose(q)[:3, 3] + [0.0, 0.0, 0.01])
    >>> bool(np.allclose(law(0.0, q, 0 * q), arm.gravity(q) + 10.0 * arm.jacobian(q)[2], atol=1e-9))
    True
    """
    return Impedance(arm, stiffness, damping, position, rotation, turning, joint_damping, frame)


class Admittance(Law):
    """See ``admittance``; states are how far the tool gives way (3), and how fast (3)."""

    def __init__(
        self,
        inner: OperationalSpace,
        mass: ArrayLike,
        damping: ArrayLike,
        stiffness: ArrayLike,
        force: Force | ArrayLike,
    ) -> None:
        if not isinstance(inner, OperationalSpace):
            raise ShapeError(f"{inner!r:.60} is no operational_space law", hint="admittance moves what it follows")
        self.inner, self.arm, self.n, self.states = inner, inner.arm, inner.n, 6
        self.mass, self.damping = matrix("mass", mass, 3), matrix("damping", damping, 3)
        self.stiffness = matrix("stiffness", stiffness, 3, definite=False)
        self._softness = np.linalg.inv(self.mass)
        if callable(force):
            self.force: Force = force
        else:
            constant = vector("force", numbers("force", force), 3)
            self.force = lambda t, position, velocity: constant

    def torque_and_rates(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        task = self.inner.task
        gone, going = x[..., :3], x[..., 3:]
        touched = self.force(t, self.arm.pose(q, frame=task.frame)[..., :3, 3], task.speed(q, qd)[..., :3])
        giving = times(self._softness, touched - times(self.damping, going) - times(self.stiffness, gone))
        x_ref, xd_ref, xdd_ref = task.position.at(t)
        tau = self.inner.follow(q, qd, x_ref + gone, xd_ref + going, xdd_ref + giving)
        return tau, np.concatenate([going, giving], axis=-1)


def admittance(
    inner: OperationalSpace, mass: ArrayLike, damping: ArrayLike, stiffness: ArrayLike, force: Force | ArrayLike
) -> Admittance:
    """Admittance: what is followed gives way to a measured force, M pdd + D pd + K p = f, x_ref + p is followed.

    Maples & Becker 1986. ``inner`` is an ``operational_space`` law; ``force`` (3,) on the tool in base axes, or a
    traceable function of t, position and velocity of the tool. Stability: M, D positive definite, K semidefinite, and
    an inner loop that is faster than sqrt(K/M), against surroundings much softer than the inner loop; unlike impedance
    it is not passive, and stiff surroundings can make it bounce.

    >>> import numpy as np, torsor
    >>> from torsor.control.operational import operational_space
    >>> arm = torsor.load("irb140")
    >>> q = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> law = admittance(operational_space(arm, 100.0, 20.0, arm.pose(q)[:3, 3]), 2.0, 20.0, 0.0, [0.0, 0.0, 4.0])
    >>> law(0.0, q, 0 * q, np.zeros(6))[1]
    array([0., 0., 0., 0., 0., 2.])
    """
    return Admittance(inner, mass, damping, stiffness, force)
