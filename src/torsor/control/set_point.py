"""Laws that bring an arm to a place with little knowledge of it: PD with gravity, PID."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from torsor.algebra.functions import less, maximum
from torsor.arm import Arm
from torsor.control.gains import form, matrix, times, vector
from torsor.control.law import Law, ProportionalDerivative
from torsor.control.reference import Reference, as_reference
from torsor.model.transforms import Floats


class PdGravity(ProportionalDerivative):
    """See ``pd_gravity``."""

    def torque(self, t: Any, q: Any, qd: Any) -> Any:
        q_ref, qd_ref, _ = self.reference.at(t)
        return times(self.Kp, q_ref - q) + times(self.Kd, qd_ref - qd) + self.arm.gravity(q)

    def lyapunov(self, t: Any, q: Any, qd: Any, x: Any = None) -> Any:
        q_ref, qd_ref, _ = self.reference.at(t)
        return 0.5 * form(self.arm.mass_matrix(q), qd - qd_ref) + 0.5 * form(self.Kp, q_ref - q)


def pd_gravity(arm: Arm, Kp: ArrayLike, Kd: ArrayLike, reference: Reference | ArrayLike) -> PdGravity:
    """PD control with gravity compensation: tau = Kp (q_ref - q) - Kd qd + g(q).

    Takegaki & Arimoto 1981; Fedorov 2015, 5.4, where (5.19) prints -Kp (q_ref - q), which diverges.

    Stability: Kp and Kd positive definite and q_ref constant: V = 1/2 qd^T M qd + 1/2 e^T Kp e has Vd = -qd^T Kd qd, so
    by La Salle q_ref is globally asymptotically stable. Torques that saturate, or a g(q) that is wrong, void it. A
    reference that moves is followed with an error (``pd_plus`` follows exactly).

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> law = pd_gravity(arm, 50.0, 20.0, [0.0, 0.0])
    >>> law(0.0, [0.1, 0.0], [0.0, 0.0]).round(3)
    array([14.522,  4.88 ])
    """
    return PdGravity(arm, Kp, Kd, reference)


class Pid(Law):
    """See ``pid``."""

    def __init__(
        self,
        arm: Arm,
        Kp: ArrayLike,
        Ki: ArrayLike,
        Kd: ArrayLike,
        reference: Reference | ArrayLike,
        gravity: bool,
        windup: ArrayLike | None,
    ) -> None:
        self.arm, self.n, self.states = arm, arm.n, arm.n
        self.Kp, self.Kd = matrix("Kp", Kp, arm.n), matrix("Kd", Kd, arm.n)
        self.Ki = matrix("Ki", Ki, arm.n, definite=False)
        self.gravity = gravity
        self.windup = None if windup is None else vector("windup", windup, arm.n, positive=True)
        self.reference = as_reference(reference, arm.n)

    def torque_and_rates(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        q_ref, qd_ref, _ = self.reference.at(t)
        e = q_ref - q
        tau = times(self.Kp, e) + times(self.Kd, qd_ref - qd) + times(self.Ki, x)
        if self.gravity:
            tau = tau + self.arm.gravity(q)
        return tau, e if self.windup is None else _held(e, x, self.windup)


def _held(e: Any, x: Any, most: Floats) -> Any:
    """An integrator at its end takes only what leads back."""
    pushed = maximum(less(most, x) * less(0.0, e), less(x, -most) * less(e, 0.0))
    return e * (1.0 - pushed)


def pid(
    arm: Arm,
    Kp: ArrayLike,
    Ki: ArrayLike,
    Kd: ArrayLike,
    reference: Reference | ArrayLike,
    *,
    gravity: bool = False,
    windup: ArrayLike | None = None,
) -> Pid:
    """PID of each joint: tau = Kp e + Kd ed + Ki x (+ g(q) with ``gravity``), xd = e, with e = q_ref - q.

    Arimoto & Miyazaki 1984; Kelly 1995. Stability, local and for a constant reference: Kp larger than the largest slope
    of gravity, lambda_min(Kp) > k_g = max |dg/dq|, and an integrator slow enough, lambda_max(Ki) <
    lambda_min(Kd) (lambda_min(Kp) - k_g) / lambda_max(M). The arm need not be known; what holds it up at the end is the
    integrator. ``windup`` (n,) stops each |x|, in rad s, from growing beyond it.

    >>> import torsor
    >>> law = pid(torsor.load("planar2"), 100.0, 20.0, 40.0, [0.5, 0.0])
    >>> tau, rates = law(0.0, [0.0, 0.0], [0.0, 0.0], [1.0, 0.0])
    >>> tau, rates
    (array([70.,  0.]), array([0.5, 0. ]))
    """
    return Pid(arm, Kp, Ki, Kd, reference, gravity, windup)
