"""Adaptive control by Slotine and Li: the arm's parameters are learned while it follows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control import fields
from torsor.control.fields import Follows, Gain, MaybeGain
from torsor.control.gains import form, numbers, times
from torsor.control.model_based import Sliding
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.tree import Real, Reals, lower
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.mechanics.parameters import BaseParameters


def shaped_regressor(arm: Arm, q: Reals, v: Reals, a: Reals, qd: Reals) -> Reals:
    """Y (..., n, 10 bodies) with M a + C(q, qd) v + g = Y pi; C(q, qd) v as ``law.shaped`` has it."""
    still = np.zeros(arm.n)
    plus = arm.regressor(q, 0.5 * (qd + v), a)
    return plus - arm.regressor(q, 0.5 * (qd - v), still, gravity=np.zeros(3))


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
        Y = shaped_regressor(self.arm, q, v, a, qd)[..., list(self.base.columns)]
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


slotine_li = SlotineLi
