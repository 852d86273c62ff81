"""Laws that bring an arm to a place with little knowledge of it: PD with gravity, PID."""

from __future__ import annotations

from torsor.algebra.functions import less, maximum
from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Follows, Gain, MaybeGain
from torsor.control.gains import form, times
from torsor.control.law import Law, ProportionalDerivative
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats


class PdGravity(ProportionalDerivative):
    """PD control with gravity compensation: tau = Kp (q_ref - q) - Kd qd + g(q).

    Takegaki & Arimoto 1981; Fedorov 2015, 5.4, where (5.19) prints -Kp (q_ref - q), which diverges.

    Stability: Kp and Kd positive definite and q_ref constant: V = 1/2 qd^T M qd + 1/2 e^T Kp e has Vd = -qd^T Kd qd, so
    by La Salle q_ref is globally asymptotically stable. Torques that saturate, or a g(q) that is wrong, void it. A
    reference that moves is followed with an error (``pd_plus`` follows exactly).

    Proved: a point is reached from everywhere; V = ½ qdᵀM qd + ½ eᵀKp e falls.

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> law = pd_gravity(arm, 50.0, 20.0, [0.0, 0.0])
    >>> law(0.0, [0.1, 0.0], [0.0, 0.0]).round(3)
    array([14.522,  4.88 ])
    """

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        q_ref, qd_ref, _ = self.reference.at(t)
        return times(self.Kp, q_ref - q) + times(self.Kd, qd_ref - qd) + self.arm.gravity(q)

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        q_ref, qd_ref, _ = self.reference.at(t)
        return 0.5 * form(self.arm.mass_matrix(q), qd - qd_ref) + 0.5 * form(self.Kp, q_ref - q)


class Pid(Law):
    """PID of each joint: tau = Kp e + Kd ed + Ki x (+ g(q) with ``gravity``), xd = e, with e = q_ref - q.

    Arimoto & Miyazaki 1984; Kelly 1995. Stability, local and for a constant reference: Kp larger than the largest slope
    of gravity, lambda_min(Kp) > k_g = max |dg/dq|, and an integrator slow enough, lambda_max(Ki) <
    lambda_min(Kd) (lambda_min(Kp) - k_g) / lambda_max(M). The arm need not be known; what holds it up at the end is the
    integrator. ``windup`` (n,) stops each |x|, in rad s, from growing beyond it. ``feed_forward`` adds the torques of
    the reference itself, as the law of that name gives them.

    Proved: a point, from nearby, for an arm that is not known.

    >>> import torsor
    >>> law = pid(torsor.load("planar2"), 100.0, 20.0, 40.0, [0.5, 0.0])
    >>> tau, rates = law(0.0, [0.0, 0.0], [0.0, 0.0], [1.0, 0.0])
    >>> tau, rates
    (array([70.,  0.]), array([0.5, 0. ]))
    """

    arm: Arm = fields.moved_arm()
    Kp: Gain = fields.definite("N m/rad")
    Ki: Gain = fields.semidefinite("N m/(rad s)")
    Kd: Gain = fields.definite("N m s/rad")
    reference: Follows = fields.followed()
    gravity: bool = fields.flag(default=False)
    windup: MaybeGain = fields.above_zero("rad s", default=None)
    feed_forward: bool = fields.flag(default=False)

    def prepare(self) -> None:
        self.states = self.n

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        q_ref, qd_ref, qdd_ref = self.reference.at(t)
        e = q_ref - q
        tau = times(self.Kp, e) + times(self.Kd, qd_ref - qd) + times(self.Ki, x)
        if self.gravity:
            tau = tau + self.arm.gravity(q)
        if self.feed_forward:
            tau = tau + self.arm.inverse_dynamics(q_ref, qd_ref, qdd_ref)
        return tau, e if self.windup is None else _held(e, x, self.windup)


def _held(e: Reals, x: Reals, most: Floats) -> Reals:
    """An integrator at its end takes only what leads back."""
    pushed = maximum(less(most, x) * less(0.0, e), less(x, -most) * less(e, 0.0))
    held: Reals = e * (1.0 - pushed)
    return held


pd_gravity = PdGravity
pid = Pid
