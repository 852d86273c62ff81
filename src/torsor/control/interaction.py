"""Laws for touching things: impedance answers motion with force, admittance answers force with motion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Field, Follows, Gain
from torsor.control.gains import form, times, vector
from torsor.control.law import Law, Stateless, another
from torsor.control.operational import TURNING, OperationalSpace
from torsor.control.task import Task
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats

Force = Callable[[Real, Reals, Reals], Reals]  # (t, position, velocity) of the tool -> force on it, base axes


class Impedance(Stateless):
    """Impedance: the tool hangs on a spring and a damper, tau = J^T (-K (x - x_ref) - D (xd - xd_ref)) + g(q) - Dq qd.

    Hogan 1985, with the arm's own inertia, which needs no force sensor. K in N/m, D in N s/m; ``rotation`` (3, 3) is
    held by a turning spring and damper ``turning`` (N m/rad, N m s/rad).

    Stability: K, D positive definite, x_ref constant: V = 1/2 qd^T M qd + 1/2 e^T K e (+ rotation) has
    Vd = -xd^T D xd - qd^T Dq qd; and from outside, the tool is a passive system, so it is stable in touch with every
    passive surrounding. ``joint_damping`` Dq, N m s/rad, brings joints to rest that the task leaves free.

    Proved: passive: stable in touch with anything passive.

    >>> import numpy as np, torsor
    >>> arm = torsor.load("irb140")
    >>> q = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> law = impedance(arm, 1000.0, 100.0, arm.pose(q)[:3, 3] + [0.0, 0.0, 0.01])
    >>> bool(np.allclose(law(0.0, q, 0 * q), arm.gravity(q) + 10.0 * arm.jacobian(q)[2], atol=1e-9))
    True
    """

    arm: Arm = fields.moved_arm()
    stiffness: Gain = fields.definite("N/m", 3)
    damping: Gain = fields.definite("N s/m", 3)
    position: Follows = fields.followed(3)
    rotation: ArrayLike | None = fields.said_elsewhere(lambda now: now.rotation, default=None)
    turning: Field[Floats, tuple[float, float]] = fields.pair(TURNING, default=(50.0, 5.0))
    joint_damping: Gain = fields.semidefinite("N m s/rad", default=1.0)
    frame: str = fields.option(default="tool")

    def prepare(self) -> None:
        self.task = Task(self.arm, self.position, self.rotation, self.frame)

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        x_ref, xd_ref, _ = self.task.position.at(t)
        J = self.task.jacobian(q)
        speed = (J * qd[..., None, :]).sum(axis=-1)
        e, turn = self.task.errors(q, x_ref)
        force = -times(self.stiffness, e) - times(self.damping, speed[..., :3] - xd_ref)
        if turn is not None:
            force = np.concatenate([force, self.turning[0] * turn - self.turning[1] * speed[..., 3:]], axis=-1)
        held = self.arm.gravity(q) - times(self.joint_damping, qd)
        pushed: Reals = (J * force[..., :, None]).sum(axis=-2)
        return pushed + held

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        e, turn = self.task.errors(q, self.task.position.at(t)[0])
        V = 0.5 * form(self.arm.mass_matrix(q), qd) + 0.5 * form(self.stiffness, e)
        return V if turn is None else V + self.turning[0] * self.task.misalignment(q)


class Admittance(Law):
    """Admittance: what is followed gives way to a measured force, M pdd + D pd + K p = f, x_ref + p is followed.

    Maples & Becker 1986. ``inner`` is an ``operational_space`` law; ``force`` (3,) on the tool in base axes, or a
    traceable function of t, position and velocity of the tool. Stability: M, D positive definite, K semidefinite, and
    an inner loop that is faster than sqrt(K/M), against surroundings much softer than the inner loop; unlike impedance
    it is not passive, and stiff surroundings can make it bounce.

    States are how far the tool gives way (3), and how fast (3).

    Proved: soft surroundings.

    >>> import numpy as np, torsor
    >>> from torsor.control.operational import operational_space
    >>> arm = torsor.load("irb140")
    >>> q = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> law = admittance(operational_space(arm, 100.0, 20.0, arm.pose(q)[:3, 3]), 2.0, 20.0, 0.0, [0.0, 0.0, 4.0])
    >>> law(0.0, q, 0 * q, np.zeros(6))[1]
    array([0., 0., 0., 0., 0., 2.])
    """

    inner: OperationalSpace = another("admittance moves what it follows", OperationalSpace)
    mass: Gain = fields.definite("kg", 3)
    damping: Gain = fields.definite("N s/m", 3)
    stiffness: Gain = fields.semidefinite("N/m", 3, unsaid=0.0)
    force: Force | ArrayLike = fields.said_elsewhere(lambda now: now.touch)

    def prepare(self) -> None:
        self.arm, self.states = self.inner.arm, 6
        self._softness = np.linalg.inv(self.mass)
        self._felt = self.force if callable(self.force) else _constant(vector("force", self.force, 3))

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        task = self.inner.task
        gone, going = x[..., :3], x[..., 3:]
        touched = self._felt(t, self.arm.pose(q, frame=task.frame)[..., :3, 3], task.speed(q, qd)[..., :3])
        giving = times(self._softness, touched - times(self.damping, going) - times(self.stiffness, gone))
        x_ref, xd_ref, xdd_ref = task.position.at(t)
        tau = self.inner.follow(q, qd, x_ref + gone, xd_ref + going, xdd_ref + giving)
        return tau, np.concatenate([going, giving], axis=-1)


def _constant(force: Floats) -> Force:
    return lambda t, position, velocity: force


impedance = Impedance
admittance = Admittance
