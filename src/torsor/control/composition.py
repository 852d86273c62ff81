"""Laws made of laws: feed-forward, saturation, motors instead of joints."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.functions import maximum, minimum
from torsor.arm import Arm
from torsor.control.gains import vector
from torsor.control.law import Law, Stateless
from torsor.control.reference import Reference, as_reference
from torsor.errors import ShapeError
from torsor.model.transforms import Floats


class FeedForward(Stateless):
    """See ``feed_forward``."""

    def __init__(self, arm: Arm, reference: Reference | ArrayLike) -> None:
        self.arm, self.n = arm, arm.n
        self.reference = as_reference(reference, arm.n)

    def torque(self, t: Any, q: Any, qd: Any) -> Any:
        return self.arm.inverse_dynamics(*self.reference.at(t))


def feed_forward(arm: Arm, reference: Reference | ArrayLike) -> FeedForward:
    """The torques of the reference itself, tau = M(q_ref) qdd_ref + C qd_ref + g(q_ref), to add feedback to.

    Alone it is no feedback and stabilises nothing. With PD of gains large enough it is stable (Santibanez & Kelly
    2001); ``pid`` adds it: ``feed_forward(arm, ref) + pid(arm, Kp, 0.0, Kd, ref)``.

    >>> import torsor
    >>> feed_forward(torsor.load("planar2"), [0.0, 0.0])(0.0, [0.1, 0.0], [0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """
    return FeedForward(arm, reference)


class Wrapped(Law):
    """A law whose torques are changed afterwards; its states stay its own."""

    def __init__(self, law: Law) -> None:
        if not isinstance(law, Law):
            raise ShapeError(f"{law!r:.60} is no law", hint="give a law of torsor.control")
        self.law, self.n, self.states = law, law.n, law.states

    @abstractmethod
    def changed(self, q: Any, tau: Any) -> Any:
        """The torques that take the place of tau."""

    def torque_and_rates(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        tau, rates = self.law.torque_and_rates(t, q, qd, x)
        return self.changed(q, tau), rates

    def initial_state(self, q0: Any, qd0: Any) -> Floats:
        return self.law.initial_state(q0, qd0)

    def lyapunov(self, t: Any, q: Any, qd: Any, x: Any = None) -> Any:
        return self.law.lyapunov(t, q, qd, x)


class Saturated(Wrapped):
    """See ``saturated``."""

    def __init__(self, law: Law, limits: ArrayLike) -> None:
        super().__init__(law)
        self.limits = vector("limits", limits, law.n, positive=True)

    def changed(self, q: Any, tau: Any) -> Any:
        return minimum(maximum(tau, -self.limits), self.limits)


def saturated(law: Law, limits: ArrayLike) -> Saturated:
    """The law with each torque kept within -limits and limits (n,), in N m. V may rise while it saturates.

    >>> import torsor
    >>> saturated(feed_forward(torsor.load("planar2"), [0.0, 0.0]), 10.0)(0.0, [0.1, 0.0], [0.0, 0.0]).round(3)
    array([10.   ,  4.905])
    """
    return Saturated(law, limits)


class MotorSide(Wrapped):
    """See ``motor_side``."""

    def __init__(self, arm: Arm, law: Law) -> None:
        super().__init__(law)
        arm.drives.gearing.require_square()
        self.arm = arm

    def changed(self, q: Any, tau: Any) -> Any:
        return self.arm.drives.gearing.to_motors(np.asarray(q), np.asarray(tau))


def motor_side(arm: Arm, law: Law) -> MotorSide:
    """The law in torques of the motors, u_a = N^-T tau by virtual work, as simulations of an arm with drives take them.

    >>> import torsor
    >>> arm = torsor.load("puma560")
    >>> motor_side(arm, feed_forward(arm, [0.0] * 6))(0.0, [0.0] * 6, [0.0] * 6).shape
    (6,)
    """
    return MotorSide(arm, law)
