"""A disturbance observer by momentum: what pushes the arm, found without accelerations, and cancelled."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Gain
from torsor.control.gains import times
from torsor.control.law import Law, another
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats


class DisturbanceObserver(Law):
    """A law with what disturbs the arm estimated and cancelled: tau = law - d.

    d = L (M qd - integral of (tau + C^T qd - g + d)), the momentum that is not explained. De Luca & Mattone 2003. With
    the arm known, dd = L (d_true - d): each joint's estimate follows the true torque (a payload, a touch, friction) as
    a low-pass of ``gain`` L in 1/s, positive definite, and a constant one is found exactly. ``cancel=False`` only
    watches, for noticing collisions. Once d is found, the loop does what the inner law does without disturbance.

    States: the momentum that is explained (n), then those of the inner law.

    Proved: a constant disturbance is found and cancelled, as a low-pass of L.

    >>> import numpy as np, torsor
    >>> from torsor.control.set_point import pd_gravity
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


disturbance_observer = DisturbanceObserver
