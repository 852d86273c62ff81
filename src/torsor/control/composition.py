"""Laws made of laws: feed-forward, saturation, motors instead of joints, disturbances observed and cancelled."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.functions import maximum, minimum
from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Follows, Gain
from torsor.control.gains import times
from torsor.control.law import Law, Stateless, another
from torsor.errors import ShapeError, Unsupported
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
        self.states, self.gives = self.law.states, self.law.gives

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
        return np.asarray(minimum(maximum(tau, -self.limits), self.limits))


class MotorSide(Wrapped):
    """The law in torques of the motors, u_a = N^-T tau by virtual work, for a controller that speaks to the motors.

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
        if self.law.gives == "motor":
            raise Unsupported("the law gives torques of motors already", hint="motor_side takes a law of joints")
        self.gives = "motor"
        self.arm.drives.gearing.require_square()

    def changed(self, q: Reals, tau: Reals) -> Reals:
        return self.arm.drives.gearing.to_motors(np.asarray(q), np.asarray(tau))


class DisturbanceObserver(Law):
    """A law with what disturbs the arm estimated and cancelled: tau = law - d.

    d = L (M qd - integral of (tau + C^T qd - g + d)), the momentum that is not explained. De Luca & Mattone 2003. With
    the arm known, dd = L (d_true - d): each joint's estimate follows the true torque (a payload, a touch, friction) as
    a low-pass of ``gain`` L in 1/s, positive definite, and a constant one is found exactly. ``cancel=False`` only
    watches, for noticing collisions. Once d is found, the loop does what the inner law does without disturbance.

    States: the momentum that is explained (n), then those of the inner law.

    Proved: a constant disturbance is found and cancelled, as a low-pass of L.

    >>> import numpy as np, torsor
    >>> from torsor.control.joint_laws import pd_gravity
    >>> arm = torsor.load("planar2")
    >>> law = disturbance_observer(arm, pd_gravity(arm, 50.0, 20.0, [0.0, 0.0]), 30.0)
    >>> law.states, law.estimate([0.0, 0.0], [1.0, 0.0], law.initial_state([0.0, 0.0], [1.0, 0.0])).tolist()
    (2, [0.0, 0.0])
    """

    arm: Arm = fields.moved_arm()
    law: Law = another("give a law of torsor.control")
    gain: Gain = fields.definite("1/s")
    cancel: bool = fields.flag(default=True)

    def prepare(self) -> None:
        self.states = self.n + self.law.states

    def initial_state(self, q0: ArrayLike, qd0: ArrayLike) -> Floats:
        momentum = times(self.arm.mass_matrix(q0), np.asarray(qd0, dtype=np.float64))
        return np.concatenate([momentum, self.law.initial_state(q0, qd0)])

    def estimate(self, q: Reals, qd: Reals, x: Reals) -> Reals:
        """The disturbance as it is seen now, (..., n) in N m."""
        return times(self.gain, times(self.arm.mass_matrix(q), np.asarray(qd)) - np.asarray(x)[..., : self.n])

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        tau, rates = self.law.torque_and_rates(t, q, qd, x[..., self.n :])
        d = self.estimate(q, qd, x)
        if self.cancel:
            tau = tau - d
        # pd = tau + d + C^T qd - g, where C^T qd = Md qd - C qd
        C = self.arm.coriolis_matrix(q, qd)
        explained = tau + (C * qd[..., :, None]).sum(axis=-2) - self.arm.gravity(q) + d
        return tau, np.concatenate([explained, rates], axis=-1)


class RateLimited(Law):
    """The law of actuators that change no torque at once: dy/dt = (tau - y) / lag, within -rate and rate.

    ``rate`` (n,) is in N m/s; within it the torque y follows with a ``lag`` of 1 ms, as an actuator whose field has to
    build up, and the smaller the lag, the nearer it is to a limiter of the rate alone. It begins with what holds the
    arm where it starts: a step that the law asks for is ramped up. Of Fedorov's remark after (6.21).

    States: the torques that are given (n), then those of the law.

    Proved: what the law proves, as far as no torque has to change faster.

    >>> import torsor
    >>> from torsor.control.joint_laws import pd_gravity
    >>> arm = torsor.load("planar2")
    >>> law = rate_limited(arm, pd_gravity(arm, 50.0, 20.0, [0.0, 0.0]), 400.0)
    >>> [each.round(3).tolist() for each in law(0.0, [0.5, 0.0], [0.0, 0.0], law.initial_state([0.5, 0.0], [0.0, 0.0]))]
    [[17.218, 4.305], [-400.0, 0.0]]
    """

    arm: Arm = fields.moved_arm()
    law: Law = another("give a law of torsor.control")
    rate: Gain = fields.above_zero("N m/s")
    lag: float = fields.number("s", default=1e-3)

    def prepare(self) -> None:
        if not self.lag > 0.0:
            raise ShapeError(f"lag is {self.lag:g}", hint="above zero, in s: 1 ms, say")
        self.states, self.gives = self.n + self.law.states, self.law.gives

    def initial_state(self, q0: ArrayLike, qd0: ArrayLike) -> Floats:
        holding = self.arm.gravity(q0)
        if self.gives == "motor":
            holding = self.arm.drives.gearing.to_motors(np.asarray(q0, dtype=np.float64), holding)
        return np.concatenate([holding, self.law.initial_state(q0, qd0)])

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        given = x[..., : self.n]
        tau, rates = self.law.torque_and_rates(t, q, qd, x[..., self.n :])
        change = minimum(maximum((tau - given) * (1.0 / self.lag), -self.rate), self.rate)
        return np.broadcast_to(given, np.broadcast_shapes(given.shape, q.shape)), np.concatenate(
            [change, rates], axis=-1
        )


feed_forward = FeedForward
rate_limited = RateLimited
saturated = Saturated
motor_side = MotorSide
disturbance_observer = DisturbanceObserver
