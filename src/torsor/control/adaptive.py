"""Adaptive control by Slotine and Li: the arm's parameters are learned while it follows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.gains import form, matrix, numbers, times
from torsor.control.model_based import PassivityBased
from torsor.control.reference import Reference
from torsor.errors import ShapeError, Unsupported
from torsor.mechanics.tree import lower
from torsor.model.transforms import Floats


def shaped_regressor(arm: Arm, q: Any, v: Any, a: Any, qd: Any) -> Any:
    """Y (..., n, 10 bodies) with M a + C(q, qd) v + g = Y pi; C(q, qd) v as ``law.shaped`` has it."""
    still = np.zeros(arm.n)
    plus = arm.regressor(q, 0.5 * (qd + v), a)
    return plus - arm.regressor(q, 0.5 * (qd - v), still, gravity=np.zeros(3))


class SlotineLi(PassivityBased):
    """See ``slotine_li``. ``parameters`` are the base parameters it begins with, ``names`` theirs."""

    def __init__(
        self,
        arm: Arm,
        Lambda: ArrayLike,
        K: ArrayLike,
        Gamma: ArrayLike,
        reference: Reference | ArrayLike,
        initial: ArrayLike | None,
        plant: Arm | None,
    ) -> None:
        from torsor.mechanics.parameters import base_parameters

        if arm.model.loops:
            raise Unsupported(f"{arm.name!r} has closed loops", hint="adaptation is there for open arms: arm.tree")
        super().__init__(arm, Lambda, K, reference)
        base = base_parameters(lower(arm.model))
        self.names, self._columns = base.names, list(base.columns)
        self.states = len(base.columns)
        self.Gamma = matrix("Gamma", Gamma, self.states)
        self.parameters = base.values if initial is None else numbers("initial", initial)
        if self.parameters.shape != (self.states,):
            raise ShapeError(
                f"initial has shape {self.parameters.shape}", hint=f"{arm.name!r} has {self.states} base parameters"
            )
        self._plant = plant or arm
        self._true = base_parameters(lower(self._plant.model)).values
        self._weight = np.linalg.inv(self.Gamma)

    def initial_state(self, q0: Any, qd0: Any) -> Floats:
        return np.array(self.parameters)

    def torque_and_rates(self, t: Any, q: Any, qd: Any, x: Any) -> tuple[Any, Any]:
        r, v, a = self.sliding(t, q, qd)
        Y = shaped_regressor(self.arm, q, v, a, qd)[..., self._columns]
        tau = times(Y, x) - times(self.K, r)
        return tau, -times(self.Gamma, (Y * r[..., :, None]).sum(axis=-2))

    def lyapunov(self, t: Any, q: Any, qd: Any, x: Any = None) -> Any:
        r, _, _ = self.sliding(t, q, qd)
        return 0.5 * form(self._plant.mass_matrix(q), r) + 0.5 * form(self._weight, x - self._true)


def slotine_li(
    arm: Arm,
    Lambda: ArrayLike,
    K: ArrayLike,
    Gamma: ArrayLike,
    reference: Reference | ArrayLike,
    *,
    initial: ArrayLike | None = None,
    plant: Arm | None = None,
) -> SlotineLi:
    """Adaptive control: tau = Y(q, qd, v, a) p - K r, pd = -Gamma Y^T r, with v, a, r as in ``passivity_based``.

    Slotine & Li 1987. p are base parameters, those that torques depend on; they begin as those of ``arm``, or
    ``initial``. Stability: Lambda, K, Gamma positive definite: V = 1/2 r^T M r + 1/2 (p - p*)^T Gamma^-1 (p - p*) has
    Vd = -r^T K r, so the error goes to zero whatever the true p*; p finds p* only if the motion shows all of them.
    ``lyapunov`` needs the truth: ``plant``, the arm that is moved.

    >>> import torsor
    >>> law = slotine_li(torsor.load("planar2"), 5.0, 20.0, 1.0, [0.0, 0.0])
    >>> law.states, law.names[0]
    (6, 'mx_link1')
    """
    return SlotineLi(arm, Lambda, K, Gamma, reference, initial, plant)
