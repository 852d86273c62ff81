"""``Law``: what every control law is, and how laws add up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.control.gains import matrix
from torsor.control.reference import Reference, as_reference
from torsor.errors import ShapeError, Unsupported
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.arm import Arm


class Law(ABC):
    """A control law: joint torques from time and state, on floats with any leading dimensions and traced.

    Without states ``law(t, q, qd)`` gives tau (..., n). With ``states`` > 0 ``law(t, q, qd, x)`` gives tau and the rate
    of x (..., states), which begins at ``initial_state(q0, qd0)``. Laws add: ``feed_forward(...) + pid(...)``.
    """

    n: int
    states: int = 0

    def __call__(self, t: Any, q: Any, qd: Any, x: Any = None) -> Any:
        if x is None and self.states:
            raise ShapeError(
                f"{type(self).__name__} has {self.states} states", hint="call law(t, q, qd, x), from initial_state"
            )
        own = np.zeros(0) if x is None else np.asarray(x)
        tau, rates = self.torque_and_rates(t, np.asarray(q), np.asarray(qd), own)
        return (tau, rates) if self.states else tau

    @abstractmethod
    def torque_and_rates(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        """tau (..., n), and xd (..., states), maybe empty."""

    def initial_state(self, q0: Any, qd0: Any) -> Floats:
        """x at the start, (states,)."""
        return np.zeros(self.states)

    def lyapunov(self, t: Any, q: Any, qd: Any, x: Any = None) -> Any:
        """V (...), which the proof of this law shows to fall."""
        raise Unsupported(f"{type(self).__name__} comes with no Lyapunov function", hint="see its docstring")

    def __add__(self, other: Law) -> Law:
        return Sum(self, other)


class Stateless(Law):
    """A law that remembers nothing."""

    @abstractmethod
    def torque(self, t: Any, q: Any, qd: Any) -> Any:
        """tau (..., n)."""

    def torque_and_rates(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        return self.torque(t, q, qd), x[..., :0]


class ProportionalDerivative(Stateless):
    """What laws with gains on the error and on its rate begin with."""

    def __init__(self, arm: Arm, Kp: ArrayLike, Kd: ArrayLike, reference: Reference | ArrayLike) -> None:
        self.arm, self.n = arm, arm.n
        self.Kp, self.Kd = matrix("Kp", Kp, arm.n), matrix("Kd", Kd, arm.n)
        self.reference = as_reference(reference, arm.n)


class Sum(Law):
    """Two laws at once: torques add, states stand one after the other. Proofs do not add."""

    def __init__(self, first: Law, second: Law) -> None:
        if not isinstance(second, Law):
            raise ShapeError(f"{second!r:.60} is no law", hint="add laws of torsor.control")
        if first.n != second.n:
            raise ShapeError(f"laws of {first.n} and {second.n} joints do not add")
        self.first, self.second = first, second
        self.n, self.states = first.n, first.states + second.states

    def torque_and_rates(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        k = self.first.states
        tau_first, rates_first = self.first.torque_and_rates(t, q, qd, x[..., :k])
        tau_second, rates_second = self.second.torque_and_rates(t, q, qd, x[..., k:])
        return tau_first + tau_second, np.concatenate([rates_first, rates_second], axis=-1)

    def initial_state(self, q0: Any, qd0: Any) -> Floats:
        return np.concatenate([self.first.initial_state(q0, qd0), self.second.initial_state(q0, qd0)])


def shaped(arm: Arm, q: Any, v: Any, a: Any, qd: Any) -> Any:
    """M(q) a + C(q, qd) v + g(q), with C of Christoffel symbols.

    They make C(q, x) y symmetric in x and y, so C(q, qd) v = 1/4 (c(q, qd + v) - c(q, qd - v)) with c(q, x) = C(q, x) x
    the velocity torques: two runs of Newton and Euler instead of the matrix, a sixth of its operations.
    """
    still, weightless = np.zeros(arm.n), np.zeros(3)
    plus = arm.inverse_dynamics(q, 0.5 * (qd + v), a)
    minus = arm.inverse_dynamics(q, 0.5 * (qd - v), still, gravity=weightless)
    return plus - minus
