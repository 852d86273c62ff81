"""Control laws as small traceable functions, each with its source and its proof; robust design with a certificate.

A law is called as ``law(t, q, qd)`` and gives joint torques; one with states of its own (integrators, adapted
parameters, observers) as ``law(t, q, qd, x)`` and gives torques and the rates of x.
"""

from typing import TYPE_CHECKING

from torsor.exports import exports

if TYPE_CHECKING:  # imported when first asked for
    from torsor.control import reference as reference
    from torsor.control.analysis import dynamic_ellipsoid as dynamic_ellipsoid
    from torsor.control.analysis import energy_audit as energy_audit
    from torsor.control.analysis import frequency_response as frequency_response
    from torsor.control.analysis import linearise as linearise
    from torsor.control.analysis import loop_gain as loop_gain
    from torsor.control.analysis import lyapunov_along as lyapunov_along
    from torsor.control.analysis import manipulability as manipulability
    from torsor.control.analysis import velocity_ellipsoid as velocity_ellipsoid
    from torsor.control.composition import disturbance_observer as disturbance_observer
    from torsor.control.composition import feed_forward as feed_forward
    from torsor.control.composition import motor_side as motor_side
    from torsor.control.composition import rate_limited as rate_limited
    from torsor.control.composition import saturated as saturated
    from torsor.control.designing import Design as Design
    from torsor.control.designing import design as design
    from torsor.control.joint_laws import computed_torque as computed_torque
    from torsor.control.joint_laws import passivity_based as passivity_based
    from torsor.control.joint_laws import pd_gravity as pd_gravity
    from torsor.control.joint_laws import pd_plus as pd_plus
    from torsor.control.joint_laws import pid as pid
    from torsor.control.joint_laws import sliding_mode as sliding_mode
    from torsor.control.law import Law as Law
    from torsor.control.robust import lyapunov_redesign as lyapunov_redesign
    from torsor.control.robust import slotine_li as slotine_li
    from torsor.control.servo_settings import ServoGains as ServoGains
    from torsor.control.servo_settings import servo_gains as servo_gains
    from torsor.control.tool_laws import admittance as admittance
    from torsor.control.tool_laws import impedance as impedance
    from torsor.control.tool_laws import operational_space as operational_space
    from torsor.control.uncertainty import Performance as Performance
    from torsor.control.uncertainty import Uncertainty as Uncertainty
else:
    __getattr__, __dir__ = exports(__name__)
