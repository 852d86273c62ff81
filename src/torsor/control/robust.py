"""Robust control by Lyapunov redesign: a law that holds for every arm in a box of parameters."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.adaptive import shaped_regressor
from torsor.control.gains import form, times, vector
from torsor.control.law import shaped
from torsor.control.model_based import PassivityBased, saturation
from torsor.control.reference import Reference
from torsor.control.uncertainty import Uncertainty
from torsor.errors import ShapeError


class LyapunovRedesign(PassivityBased):
    """See ``lyapunov_redesign``."""

    def __init__(
        self,
        arm: Arm,
        Lambda: ArrayLike,
        K: ArrayLike,
        uncertainty: Uncertainty,
        boundary: ArrayLike,
        reference: Reference | ArrayLike,
        disturbance_boundary: ArrayLike,
        plant: Arm | None,
    ) -> None:
        if not isinstance(uncertainty, Uncertainty):
            raise ShapeError(f"{uncertainty!r:.60} is no Uncertainty", hint="say control.Uncertainty(payload=(0, 6))")
        super().__init__(uncertainty.centre(arm), Lambda, K, reference)
        self.uncertainty, self.directions = uncertainty, uncertainty.directions(arm)
        self.boundary = vector("boundary", boundary, self.directions.k, positive=True)
        self.disturbance_boundary = vector("disturbance_boundary", disturbance_boundary, arm.n, positive=True)
        self._plant = plant or self.arm

    def torque(self, t: Any, q: Any, qd: Any) -> Any:
        r, v, a = self.sliding(t, q, qd)
        tau = shaped(self.arm, q, v, a, qd) - times(self.K, r)
        known = self.directions
        if known.k:
            Y = shaped_regressor(self.arm, q, v, a, qd) @ known.B  # (..., n, k)
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

    def lyapunov(self, t: Any, q: Any, qd: Any, x: Any = None) -> Any:
        r, _, _ = self.sliding(t, q, qd)
        e = q - self.reference.at(t)[0]
        return 0.5 * form(self._plant.mass_matrix(q), r) + form(self.Lambda @ self.K, e)


def lyapunov_redesign(
    arm: Arm,
    Lambda: ArrayLike,
    K: ArrayLike,
    uncertainty: Uncertainty,
    boundary: ArrayLike,
    reference: Reference | ArrayLike,
    *,
    disturbance_boundary: ArrayLike = 0.01,
    plant: Arm | None = None,
) -> LyapunovRedesign:
    """Robust control: tau = Y (pi0 + B u) - K r, u_i = -rho_i sat(s_i / eps_i), s = (Y B)^T r.

    v, a, r as in ``passivity_based``, Y(q, qd, v, a). Spong 1992, with a bound for each uncertain direction.
    pi0 + B theta, |theta_i| <= rho_i, is the box of parameters that ``uncertainty`` allows; ``boundary`` is eps, of all
    directions or of each. Torques that are allowed for as ``disturbance`` are met by -d sat(r / phi), phi being
    ``disturbance_boundary`` in rad/s.

    Stability: Lambda, K positive definite with a symmetric product. V = 1/2 r^T M r + e^T Lambda K e has
    Vd <= -ed^T K ed - e^T Lambda K Lambda e + delta, delta = 1/4 (sum rho_i eps_i + sum d_j phi_j), for all arms of
    the box: s_i (u_i - theta_i) <= rho_i eps_i / 4. Errors end up in a ball that shrinks with eps. ``control.design``
    computes it. ``lyapunov`` takes M of ``plant``, the true arm, else of the middle of the box.

    >>> import torsor
    >>> arm = torsor.load("planar2")
    >>> law = lyapunov_redesign(arm, 5.0, 20.0, Uncertainty(payload=(0.0, 2.0)), 0.1, [0.0, 0.0])
    >>> law.directions.names, law.slack
    (('payload mass',), 0.025)
    """
    return LyapunovRedesign(arm, Lambda, K, uncertainty, boundary, reference, disturbance_boundary, plant)
