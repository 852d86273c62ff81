"""Control laws as small traceable functions, each with its source and its proof; robust design with a certificate.

A law is called as ``law(t, q, qd)`` and gives joint torques; one with states of its own (integrators, adapted
parameters, observers) as ``law(t, q, qd, x)`` and gives torques and the rates of x.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when first asked for
    from torsor.control import reference
    from torsor.control.adaptive import slotine_li
    from torsor.control.analysis import (
        dynamic_ellipsoid,
        energy_audit,
        frequency_response,
        linearise,
        loop_gain,
        lyapunov_along,
        manipulability,
        velocity_ellipsoid,
    )
    from torsor.control.composition import feed_forward, motor_side, saturated
    from torsor.control.designing import Design, design
    from torsor.control.interaction import admittance, impedance
    from torsor.control.law import Law
    from torsor.control.model_based import computed_torque, passivity_based, pd_plus, sliding_mode
    from torsor.control.observer import disturbance_observer
    from torsor.control.operational import operational_space
    from torsor.control.robust import lyapunov_redesign
    from torsor.control.set_point import pd_gravity, pid
    from torsor.control.uncertainty import Performance, Uncertainty

_HOMES = {
    "adaptive": ("slotine_li",),
    "analysis": (
        "dynamic_ellipsoid",
        "energy_audit",
        "frequency_response",
        "linearise",
        "loop_gain",
        "lyapunov_along",
        "manipulability",
        "velocity_ellipsoid",
    ),
    "composition": ("feed_forward", "motor_side", "saturated"),
    "designing": ("Design", "design"),
    "interaction": ("admittance", "impedance"),
    "law": ("Law",),
    "model_based": ("computed_torque", "passivity_based", "pd_plus", "sliding_mode"),
    "observer": ("disturbance_observer",),
    "operational": ("operational_space",),
    "robust": ("lyapunov_redesign",),
    "set_point": ("pd_gravity", "pid"),
    "uncertainty": ("Performance", "Uncertainty"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Design",
    "Law",
    "Performance",
    "Uncertainty",
    "admittance",
    "computed_torque",
    "design",
    "disturbance_observer",
    "dynamic_ellipsoid",
    "energy_audit",
    "feed_forward",
    "frequency_response",
    "impedance",
    "linearise",
    "loop_gain",
    "lyapunov_along",
    "lyapunov_redesign",
    "manipulability",
    "motor_side",
    "operational_space",
    "passivity_based",
    "pd_gravity",
    "pd_plus",
    "pid",
    "reference",
    "saturated",
    "sliding_mode",
    "slotine_li",
    "velocity_ellipsoid",
]


def __getattr__(name: str) -> Any:
    if name == "reference":
        return import_module("torsor.control.reference")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'torsor.control' has no attribute {name!r}")
    return getattr(import_module(f"torsor.control.{_HOME_OF[name]}"), name)
