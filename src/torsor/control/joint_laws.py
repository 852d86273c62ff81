"""Laws in joints: to a place with little knowledge of the arm (PD with gravity, PID), along references with a model."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from torsor.algebra.functions import less, maximum, minimum
from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Follows, Gain, MaybeGain
from torsor.control.gains import commuting, form, times
from torsor.control.law import Law, ProportionalDerivative, Stateless, shaped
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
    return np.asarray(e * (1.0 - pushed))


class PdPlus(ProportionalDerivative):
    """PD+: tau = M(q) qdd_ref + C(q, qd) qd_ref + g(q) - Kp e - Kd ed, with e = q - q_ref.

    Koditschek 1984, Paden & Panja 1988. Stability: Kp, Kd positive definite: V = 1/2 ed^T M ed + 1/2 e^T Kp e has
    Vd = -ed^T Kd ed; by Matrosov's theorem the error goes to zero from everywhere.

    Proved: a trajectory, from everywhere.

    >>> import torsor
    >>> law = pd_plus(torsor.load("planar2"), 50.0, 20.0, [0.0, 0.0])
    >>> law(0.0, [0.0, 0.0], [0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        q_ref, qd_ref, qdd_ref = self.reference.at(t)
        ahead = shaped(self.arm.inverse_dynamics, q, qd_ref, qdd_ref, qd)
        return ahead + times(self.Kp, q_ref - q) + times(self.Kd, qd_ref - qd)


class ComputedTorque(ProportionalDerivative):
    """Computed torque: tau = M(q) (qdd_ref - Kp e - Kd ed) + C qd + g, with e = q - q_ref; Kp in 1/s^2, Kd in 1/s.

    Bejczy 1974, Luh, Walker & Paul 1980. The error obeys edd + Kd ed + Kp e = 0, exactly and everywhere, where the arm
    is the one that is known; stable for Kp, Kd positive definite, with V = z^T P z of that linear equation.

    Proved: the error obeys e'' + Kd e' + Kp e = 0 exactly.

    >>> import torsor
    >>> law = computed_torque(torsor.load("planar2"), 100.0, 20.0, [0.0, 0.0])
    >>> law(0.0, [0.0, 0.0], [0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """

    Kp: Gain = fields.definite("1/s^2")
    Kd: Gain = fields.definite("1/s")

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        q_ref, qd_ref, qdd_ref = self.reference.at(t)
        wanted = qdd_ref + times(self.Kp, q_ref - q) + times(self.Kd, qd_ref - qd)
        return self.arm.inverse_dynamics(q, qd, wanted)

    @cached_property
    def P(self) -> Floats:
        """Of V = z^T P z: A^T P + P A = -1 with A the error's dynamics."""
        from scipy.linalg import solve_continuous_lyapunov

        n = self.n
        A = np.block([[np.zeros((n, n)), np.eye(n)], [-self.Kp, -self.Kd]])
        return np.asarray(solve_continuous_lyapunov(A.T, -np.eye(2 * n)), dtype=np.float64)

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        q_ref, qd_ref, _ = self.reference.at(t)
        return form(self.P, np.concatenate([q - q_ref, qd - qd_ref], axis=-1))


class Sliding(Law):
    """What laws begin with that bring r = ed + Lambda e to zero."""

    arm: Arm = fields.moved_arm()
    Lambda: Gain = fields.definite("1/s")
    K: Gain = fields.definite("N m s/rad")

    def prepare(self) -> None:
        commuting("Lambda", self.Lambda, "K", self.K)

    def sliding(self, t: Real, q: Reals, qd: Reals) -> tuple[Reals, Reals, Reals]:
        """r = ed + Lambda e, and v = qd - r and a = vd, the motion that is asked of the arm."""
        q_ref, qd_ref, qdd_ref = self.followed.at(t)
        v = qd_ref - times(self.Lambda, q - q_ref)
        a = qdd_ref - times(self.Lambda, qd - qd_ref)
        return qd - v, v, a

    def energy(self, M: Reals, t: Real, q: Reals, qd: Reals) -> Real:
        """1/2 r^T M r + e^T Lambda K e."""
        r, _, _ = self.sliding(t, q, qd)
        return 0.5 * form(M, r) + form(self.Lambda @ self.K, q - self.followed.at(t)[0])


class PassivityBased(Sliding, Stateless):
    """Passivity-based control: tau = M a + C(q, qd) v + g - K r.

    v = qd_ref - Lambda e, a = vd, r = qd - v, e = q - q_ref. Slotine & Li 1987 without adaptation; Ortega & Spong 1989.
    Stability: Lambda, K positive definite with a symmetric product: V = 1/2 r^T M r + e^T Lambda K e has
    Vd = -ed^T K ed - e^T Lambda K Lambda e, so errors fall exponentially, from everywhere.

    Proved: a trajectory, exponentially; V = ½ rᵀM r + eᵀΛK e.

    >>> import torsor
    >>> law = passivity_based(torsor.load("planar2"), 5.0, 20.0, [0.0, 0.0])
    >>> law(0.0, [0.0, 0.0], [0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """

    reference: Follows = fields.followed()

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        r, v, a = self.sliding(t, q, qd)
        return shaped(self.arm.inverse_dynamics, q, v, a, qd) - times(self.K, r)

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        return self.energy(self.arm.mass_matrix(q), t, q, qd)


class SlidingMode(Sliding, Stateless):
    """Sliding mode with a boundary layer: tau = M a + C(q, qd) v + g - K r - k sat(r / phi).

    v, a and r are those of ``passivity_based``; ``arm`` is what is known. Slotine & Sastry 1983, Slotine & Li 1991.

    Stability: where the true arm differs, in each joint, by less than ``switching`` k_i > |(dM a + dC v + dg)_i|,
    V = 1/2 r^T M r falls while all |r_i| >= phi_i (``boundary``, rad/s). Once |r_i| <= phi_i stays, the error is below
    phi_i / Lambda_i (Lambda diagonal). The smaller phi, the closer to chattering.

    Proved: an arm known to within k ends up with errors below φ/Λ.

    >>> import torsor
    >>> law = sliding_mode(torsor.load("planar2"), 5.0, 2.0, [10.0, 5.0], 0.1, [0.0, 0.0])
    >>> law(0.0, [0.0, 0.0], [0.0, 0.0]).round(3)
    array([19.62 ,  4.905])
    """

    switching: Gain = fields.zero_or_more("N m")
    boundary: Gain = fields.above_zero("rad/s")
    reference: Follows = fields.followed()

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        r, v, a = self.sliding(t, q, qd)
        tau = shaped(self.arm.inverse_dynamics, q, v, a, qd) - times(self.K, r)
        return tau - self.switching * saturation(r / self.boundary)

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        r, _, _ = self.sliding(t, q, qd)
        return 0.5 * form(self.arm.mass_matrix(q), r)


def saturation(s: Reals) -> Reals:
    """s within -1 and 1, elementwise."""
    return np.asarray(minimum(maximum(s, -1.0), 1.0))


pd_gravity = PdGravity
pid = Pid
pd_plus = PdPlus
computed_torque = ComputedTorque
passivity_based = PassivityBased
sliding_mode = SlidingMode
