"""Laws made of laws: feed-forward, saturation, motors instead of joints."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.functions import maximum, minimum
from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Follows, Gain
from torsor.control.law import Law, Stateless, another
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats


class FeedForward(Stateless):
    """The torques of the reference itself, tau = M(q_ref) qdd_ref + C qd_ref + g(q_ref), to add feedback to.

    Alone it is no feedback and stabilises nothing. With PD of gains large enough it is stable (Santibanez & Kelly
    2001); ``pid`` adds it: ``feed_forward(arm, ref) + pid(arm, Kp, 0.0, Kd, ref)``.

    Proved: nothing; it is no feedback, and there to be added to.

    >>> import torsor
    >>> feed_forward(torsor.load("planar2"), [0.0, 0.0])(0.0, [0.1, 0.0], [0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """

    arm: Arm = fields.moved_arm()
    reference: Follows = fields.followed()

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        tau = self.arm.inverse_dynamics(*self.reference.at(t))
        return np.broadcast_to(tau, np.broadcast_shapes(tau.shape, q.shape))  # the same for all states at a time


class Wrapped(Law):
    """A law whose torques are changed afterwards; its states stay its own."""

    law: Law

    def prepare(self) -> None:
        self.states = self.law.states

    @abstractmethod
    def changed(self, q: Reals, tau: Reals) -> Reals:
        """The torques that take the place of tau."""

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        tau, rates = self.law.torque_and_rates(t, q, qd, x)
        return self.changed(q, tau), rates

    def initial_state(self, q0: ArrayLike, qd0: ArrayLike) -> Floats:
        return self.law.initial_state(q0, qd0)

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        return self.law.lyapunov(t, q, qd, x)


class Saturated(Wrapped):
    """The law with each torque kept within -limits and limits (n,), in N m. V may rise while it saturates.

    Proved: what the law proves, while nothing saturates.

    >>> import torsor
    >>> saturated(feed_forward(torsor.load("planar2"), [0.0, 0.0]), 10.0)(0.0, [0.1, 0.0], [0.0, 0.0]).round(3)
    array([10.   ,  4.905])
    """

    law: Law = another("give a law of torsor.control")
    limits: Gain = fields.above_zero("N m")

    def changed(self, q: Reals, tau: Reals) -> Reals:
        within: Reals = minimum(maximum(tau, -self.limits), self.limits)
        return within


class MotorSide(Wrapped):
    """The law in torques of the motors, u_a = N^-T tau by virtual work, as simulations of an arm with drives take them.

    Proved: what the law proves: the same torques, of the motors.

    >>> import torsor
    >>> arm = torsor.load("puma560")
    >>> motor_side(arm, feed_forward(arm, [0.0] * 6))(0.0, [0.0] * 6, [0.0] * 6).shape
    (6,)
    """

    arm: Arm = fields.moved_arm()
    law: Law = another("give a law of torsor.control")

    def prepare(self) -> None:
        super().prepare()
        self.arm.drives.gearing.require_square()

    def changed(self, q: Reals, tau: Reals) -> Reals:
        return self.arm.drives.gearing.to_motors(np.asarray(q), np.asarray(tau))


feed_forward = FeedForward
saturated = Saturated
motor_side = MotorSide
