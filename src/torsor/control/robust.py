"""Robust control by Lyapunov redesign: a law that holds for every arm in a box of parameters."""

from __future__ import annotations

from functools import cached_property

from torsor.arm import Arm
from torsor.control import fields
from torsor.control.adaptive import shaped_regressor
from torsor.control.fields import Follows, Gain
from torsor.control.gains import times
from torsor.control.law import Stateless, shaped
from torsor.control.model_based import Sliding, saturation
from torsor.control.uncertainty import Directions, Uncertainty
from torsor.mechanics.tree import Real, Reals


class LyapunovRedesign(Sliding, Stateless):
    """Robust control: tau = Y (pi0 + B u) - K r, u_i = -rho_i sat(s_i / eps_i), s = (Y B)^T r.

    v, a, r as in ``passivity_based``, Y(q, qd, v, a). Spong 1992, with a bound for each uncertain direction.
    pi0 + B theta, |theta_i| <= rho_i, is the box of parameters that ``uncertainty`` allows; ``boundary`` is eps, of all
    directions or of each. Torques that are allowed for as ``disturbance`` are met by -d sat(r / phi), phi being
    ``disturbance_boundary`` in rad/s.

    Stability: Lambda, K positive definite with a symmetric product. V = 1/2 r^T M r + e^T Lambda K e has
    Vd <= -ed^T K ed - e^T Lambda K Lambda e + delta, delta = 1/4 (sum rho_i eps_i + sum d_j phi_j), for all arms of
    the box: s_i (u_i - theta_i) <= rho_i eps_i / 4. Errors end up in a ball that shrinks with eps. ``control.design``
    computes it. ``lyapunov`` takes M of ``plant``, the true arm, else of the middle of the box.

    Proved: every arm of a box of parameters; see ``design``.

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> law = lyapunov_redesign(arm, 5.0, 20.0, Uncertainty(payload=(0.0, 2.0)), 0.1, [0.0, 0.0])
    >>> law.directions.names, law.slack
    (('payload mass',), 0.025)
    """

    uncertainty: Uncertainty = fields.unknown()
    boundary: Gain = fields.above_zero(size=lambda law: law.directions.k)
    reference: Follows = fields.followed()
    disturbance_boundary: Gain = fields.above_zero("rad/s", default=0.01)
    plant: Arm | None = fields.option(default=None)

    @cached_property
    def centre(self) -> Arm:
        """The arm in the middle of what is possible."""
        return self.uncertainty.centre(self.arm)

    @cached_property
    def directions(self) -> Directions:
        return self.uncertainty.directions(self.arm)

    def torque(self, t: Real, q: Reals, qd: Reals) -> Reals:
        r, v, a = self.sliding(t, q, qd)
        tau = shaped(self.centre, q, v, a, qd) - times(self.K, r)
        known = self.directions
        if known.k:
            Y = shaped_regressor(self.centre, q, v, a, qd) @ known.B  # (..., n, k)
            s = (Y * r[..., :, None]).sum(axis=-2)
            tau = tau - times(Y, known.reach * saturation(s / self.boundary))
        if known.disturbance.any():
            tau = tau - known.disturbance * saturation(r / self.disturbance_boundary)
        return tau

    @property
    def slack(self) -> float:
        """delta of Vd <= -W + delta: what the boundary layers cost, sum of reach times boundary, over four."""
        known = self.directions
        parts = known.reach @ self.boundary + known.disturbance @ self.disturbance_boundary
        return 0.25 * float(parts)

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        return self.energy((self.plant or self.centre).mass_matrix(q), t, q, qd)


lyapunov_redesign = LyapunovRedesign
