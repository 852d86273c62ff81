"""Laws in space: the tool by Khatib, calm near singularities; impedance and admittance for touching things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.functions import maximum
from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Field, Follows, Gain
from torsor.control.gains import form, numbers, times, vector
from torsor.control.law import Law, Stateless, another
from torsor.control.reference import Reference, as_reference
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.composite import inverse
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

    def pulled(
        self, ahead: Any, q: Reals, qd: Reals, gains: Sequence[Floats], turning: Floats, x_ref: Reals, xd_ref: Reals
    ) -> tuple[Reals, Reals, Reals]:
        """J, its speed J qd, and ``ahead`` - K e - D ed in space, with the turn back to where the tool shall point."""
        J = self.jacobian(q)
        speed = rotate(J, qd)
        e, turn = self.errors(q, x_ref)
        pull = ahead - times(gains[0], e) - times(gains[1], speed[..., :3] - xd_ref)
        if turn is not None:
            pull = np.concatenate([pull, turning[0] * turn - turning[1] * speed[..., 3:]], axis=-1)
        return J, speed, pull

    def misalignment(self, q: Reals) -> Real:
        """U = 1/2 sum (1 - r_k . r_k,ref), zero when aligned; it falls by w . turn."""
        R: Reals = self.arm.pose(q, frame=self.frame)[..., :3, :3]
        return 0.5 * (3.0 - (R * self.rotation).sum(axis=(-1, -2)))

    def speed(self, q: Reals, qd: Reals) -> Reals:
        return rotate(self.jacobian(q), qd)


TURNING = "2 numbers, of the turning spring and its damper"


class OperationalSpace(Stateless):
    """Control of the tool in space: tau = J^T F + C qd + g + null space, F = (J M^-1 J^T)^-1 (xdd* - Jd qd).

    Khatib 1987. xdd* = xdd_ref - Kp (x - x_ref) - Kd (xd - xd_ref), Kp in 1/s^2, Kd in 1/s; ``rotation`` (3, 3) is
    kept by its own gains ``turning``. Motion that the task leaves free is damped by ``posture``, 1/s.

    Stability: Kp, Kd positive definite: outside singularities the error obeys edd + Kd ed + Kp e = 0 exactly, and
    V = 1/2 ed^T ed + 1/2 e^T Kp e (+ rotation) has Vd = -ed^T Kd ed. Where the mobility J M^-1 J^T, by
    the harmonic mean s of its eigenvalues, is below ``threshold`` s0 (a share of the arm's usual one), it gains a
    diagonal ``damping`` s0 (1 - s/s0)^2 (after Nakamura & Hanafusa 1986): torques stay bounded and a direction that is
    lost is not followed, so V may rise there.

    Proved: the tool's error is linear; calm near singularities.

    >>> import numpy as np, torsor
    >>> arm = torsor.load("irb140")
    >>> q = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    >>> law = operational_space(arm, 100.0, 20.0, arm.pose(q)[:3, 3])
    >>> bool(np.allclose(law(0.0, q, 0 * q), arm.gravity(q), atol=1e-9))
    True
    """

    arm: Arm = fields.moved_arm()
    Kp: Gain = fields.definite("1/s^2", 3)
    Kd: Gain = fields.definite("1/s", 3)
    position: Follows = fields.followed(3)
    rotation: ArrayLike | None = fields.said_elsewhere(lambda now: now.rotation, default=None)
    turning: Field[Floats, tuple[float, float]] = fields.pair(TURNING, default=(100.0, 20.0))
    posture: float = fields.number("1/s", default=5.0)
    damping: float = fields.number(default=1.0, in_files=False)
    threshold: float = fields.number(default=0.2, in_files=False)
    frame: str = fields.option(default="tool")

    def prepare(self) -> None:
        self.task = Task(self.arm, self.position, self.rotation, self.frame)
        vector("threshold", self.threshold, 1, positive=True)
        self._least = self._usual_mobility() * self.threshold

    def _usual_mobility(self) -> float:
        """The median over random poses of the harmonic mean of the eigenvalues of J M^-1 J^T, 1/kg."""
        q = np.random.default_rng(0).uniform(-np.pi, np.pi, size=(500, self.n))
        J = self.task.jacobian(q)
        mobility = J @ np.linalg.solve(self.arm.mass_matrix(q), np.swapaxes(J, -1, -2))
        return float(np.median(self.task.size / (1.0 / np.linalg.eigvalsh(mobility)).sum(axis=-1)))

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        return self.follow(q, qd, *self.task.position.at(t))

    def follow(self, q: Reals, qd: Reals, x_ref: Reals, xd_ref: Reals, xdd_ref: Reals) -> Reals:
        """tau for a position that shall be followed, with its rates."""
        task = self.task
        J, speed, wanted = task.pulled(xdd_ref, q, qd, (self.Kp, self.Kd), self.turning, x_ref, xd_ref)
        Jt = np.swapaxes(J, -1, -2)
        A = inverse(self.arm.mass_matrix(q)) @ Jt  # (..., n, task)
        mobility = J @ A
        F = inverse(mobility + self._damping(mobility) * np.eye(task.size))
        # qdd = Jbar (wanted - Jd qd) in the task, and -posture qd in what the task leaves free
        ask = wanted - task.drift(q, qd) + self.posture * speed
        qdd = rotate(A, rotate(F, ask)) - self.posture * qd
        return self.arm.inverse_dynamics(q, qd, qdd)

    def _damping(self, mobility: Reals) -> Reals:
        """Zero where the tool moves freely, rising smoothly to a ``damping`` share of the least where it cannot, 1/kg.

        The harmonic mean of the eigenvalues, size / tr(A^-1), is at most ``size`` times the smallest, and smooth.
        """
        size = self.task.size
        upside_down = inverse(mobility + 1e-6 * self._least * np.eye(size))
        mean = size / sum(upside_down[..., k, k] for k in range(size))
        lacking = maximum(1.0 - mean / self._least, 0.0)
        return np.asarray(self.damping * self._least * lacking * lacking)[..., None, None]

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        x_ref, xd_ref, _ = self.task.position.at(t)
        speed = self.task.speed(q, qd)
        e, turn = self.task.errors(q, x_ref)
        ed = speed[..., :3] - xd_ref
        V = 0.5 * (ed * ed).sum(axis=-1) + 0.5 * form(self.Kp, e)
        if turn is None:
            return V
        w = speed[..., 3:]
        return V + 0.5 * (w * w).sum(axis=-1) + self.turning[0] * self.task.misalignment(q)


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
        gains = self.stiffness, self.damping
        J, _, force = self.task.pulled(0.0, q, qd, gains, self.turning, x_ref, xd_ref)
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
    >>> from torsor.control.tool_laws import operational_space
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
        constant = None if callable(self.force) else vector("force", self.force, 3)
        self._felt = self.force if callable(self.force) else lambda t, position, velocity: constant

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        task = self.inner.task
        gone, going = x[..., :3], x[..., 3:]
        touched = self._felt(t, self.arm.pose(q, frame=task.frame)[..., :3, 3], task.speed(q, qd)[..., :3])
        giving = times(self._softness, touched - times(self.damping, going) - times(self.stiffness, gone))
        x_ref, xd_ref, xdd_ref = task.position.at(t)
        tau = self.inner.follow(q, qd, x_ref + gone, xd_ref + going, xdd_ref + giving)
        return tau, np.concatenate([going, giving], axis=-1)


operational_space = OperationalSpace
impedance = Impedance
admittance = Admittance
