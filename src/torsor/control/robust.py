"""Laws for arms that are not known: adaptive control by Slotine and Li, robust control by Lyapunov redesign."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Follows, Gain, MaybeGain
from torsor.control.gains import form, numbers, times
from torsor.control.joint_laws import Sliding
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.tree import Real, Reals, lower
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.mechanics.parameters import BaseParameters


from torsor.control.joint_laws import saturation
from torsor.control.law import Stateless, shaped
from torsor.control.uncertainty import Directions, Uncertainty


class SlotineLi(Sliding):
    """Adaptive control: tau = Y(q, qd, v, a) p - K r, pd = -Gamma Y^T r, with v, a, r as in ``passivity_based``.

    Slotine & Li 1987. p are base parameters, those that torques depend on; they begin as those of ``arm``, or
    ``initial``. Stability: Lambda, K, Gamma positive definite: V = 1/2 r^T M r + 1/2 (p - p*)^T Gamma^-1 (p - p*) has
    Vd = -r^T K r, so the error goes to zero whatever the true p*; p finds p* only if the motion shows all of them.
    ``lyapunov`` needs the truth: ``plant``, the arm that is moved.

    ``parameters`` are those it begins with, ``names`` theirs.

    Proved: a trajectory, whatever the masses are.

    >>> import torsor
    >>> law = slotine_li(torsor.load("planar2"), 5.0, 20.0, 1.0, [0.0, 0.0])
    >>> law.states, law.names[0]
    (6, 'mx_link1')
    """

    Gamma: Gain = fields.definite(size=lambda law: len(law.base.columns))
    reference: Follows = fields.followed()
    initial: MaybeGain = fields.option(default=None)
    plant: Arm | None = fields.option(default=None)

    def prepare(self) -> None:
        super().prepare()
        self.names, self.states = self.base.names, len(self.base.columns)
        self.parameters = self.base.values if self.initial is None else numbers("initial", self.initial)
        if self.parameters.shape != (self.states,):
            raise ShapeError(
                f"initial has shape {self.parameters.shape}",
                hint=f"{self.arm.name!r} has {self.states} base parameters",
            )
        self._true = self.base.values if self.plant is None else _base_of(self.plant).values
        self._weight = np.linalg.inv(self.Gamma)

    @cached_property
    def base(self) -> BaseParameters:
        return _base_of(self.arm)

    def initial_state(self, q0: ArrayLike, qd0: ArrayLike) -> Floats:
        return np.array(self.parameters)

    def torque_and_rates(self, t: Real, q: Reals, qd: Reals, x: Reals) -> tuple[Reals, Reals]:
        r, v, a = self.sliding(t, q, qd)
        Y = shaped(self.arm.regressor, q, v, a, qd)[..., list(self.base.columns)]
        tau = times(Y, x) - times(self.K, r)
        return tau, -times(self.Gamma, (Y * r[..., :, None]).sum(axis=-2))

    def lyapunov(self, t: Real, q: Reals, qd: Reals, x: Reals | None = None) -> Real:
        r, _, _ = self.sliding(t, q, qd)
        M = (self.plant or self.arm).mass_matrix(q)
        return 0.5 * form(M, r) + 0.5 * form(self._weight, self.own(x) - self._true)


def _base_of(arm: Arm) -> BaseParameters:
    from torsor.mechanics.parameters import base_parameters

    if arm.model.loops:
        raise Unsupported(f"{arm.name!r} has closed loops", hint="adaptation is there for open arms: arm.tree")
    return base_parameters(lower(arm.model))


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
        tau = shaped(self.centre.inverse_dynamics, q, v, a, qd) - times(self.K, r)
        known = self.directions
        if known.k:
            Y = shaped(self.centre.regressor, q, v, a, qd) @ known.B  # (..., n, k)
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


slotine_li = SlotineLi
lyapunov_redesign = LyapunovRedesign
