"""How an arm is simulated, apart from its law and from what acts on it: plain values, compared by value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypedDict, get_args

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.simulation.surroundings import Buffers

IntegratorName = Literal["euler", "semi-implicit-euler", "rk4", "symplectic", "dormand-prince", "rosenbrock"]
INTEGRATORS = ("rk4", "dormand-prince", "rosenbrock", "symplectic", "semi-implicit-euler", "euler")
AtLimits = Literal["stop", "report", "ignore"]
LIMITS = get_args(AtLimits)


@dataclass(frozen=True)
class Setting:
    """Each is explained where it is given, in `torsor.Simulation`."""

    drives: bool = True
    torques: Literal["motor", "joint"] | None = None
    saturation: bool = True
    gravity: ArrayLike | None = None  # (3,) in world axes
    limits: AtLimits | Buffers = "stop"
    by: str | None = None
    integrator: IntegratorName | None = None
    tolerance: float | None = None
    elastic: bool = False

    def __post_init__(self) -> None:
        integrator, tolerance, limits = self.integrator, self.tolerance, self.limits
        if integrator is not None and integrator not in INTEGRATORS:
            raise Unsupported(f"there is no integrator {integrator!r}", hint=did_you_mean(str(integrator), INTEGRATORS))
        if self.torques not in (None, *(known := ("motor", "joint"))):
            raise Unsupported(f"torques is {self.torques!r}", hint=did_you_mean(str(self.torques), known))
        if tolerance is not None and (not is_number(tolerance) or not 0.0 < tolerance < 1.0):
            raise ShapeError(f"tolerance is {tolerance!r}", hint="above zero and below one, 1e-9 for instance")
        if tolerance is not None and integrator not in (None, "dormand-prince", "rosenbrock"):
            raise Unsupported(f"{integrator} steps by dt and has no tolerance", hint="dormand-prince and rosenbrock do")
        if not isinstance(self.elastic, bool):
            raise Unsupported(f"elastic is {self.elastic!r}", hint="True lets links bend and joints give way, or False")
        if not isinstance(limits, Buffers) and limits not in LIMITS:
            hint = did_you_mean(str(limits), LIMITS) + ", or Buffers(stiffness, damping)"
            raise Unsupported(f"limits is {limits!r}", hint=hint)
        if self.gravity is not None:
            given = floats("gravity", self.gravity, 3, "in world axes")
            if given.ndim != 1 or not np.isfinite(given).all():
                raise ShapeError(f"gravity is {given}", hint="(3,) in m/s^2, in world axes")
            object.__setattr__(self, "gravity", tuple(given.tolist()))


class SettingWords(TypedDict, total=False):
    """The same as keywords."""

    drives: bool
    torques: Literal["motor", "joint"] | None
    saturation: bool
    gravity: ArrayLike | None
    limits: AtLimits | Buffers
    by: str | None
    integrator: IntegratorName | None
    tolerance: float | None
    elastic: bool


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
