"""Control of the tool in space by Khatib, calm near singularities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.functions import maximum
from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Field, Follows, Gain
from torsor.control.gains import form, times, vector
from torsor.control.law import Stateless
from torsor.control.task import Task
from torsor.mechanics.composite import inverse
from torsor.mechanics.kinematics import rotate
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats

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
        J = task.jacobian(q)
        speed = rotate(J, qd)
        e, turn = task.errors(q, x_ref)
        wanted = xdd_ref - times(self.Kp, e) - times(self.Kd, speed[..., :3] - xd_ref)
        if turn is not None:
            around = self.turning[0] * turn - self.turning[1] * speed[..., 3:]
            wanted = np.concatenate([wanted, around], axis=-1)
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


operational_space = OperationalSpace
