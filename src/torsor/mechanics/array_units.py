"""Units of what quantities take and give, and of parameters, as generated code tells them."""

from __future__ import annotations

import re

# of a joint that turns, and of one that slides
JOINT_UNITS = {
    "q": ("rad", "m"),
    "qd": ("rad/s", "m/s"),
    "qdd": ("rad/s^2", "m/s^2"),
    "tau": ("N m", "N"),
    "g": ("N m", "N"),
    "c": ("N m", "N"),
    "guess": ("rad", "m"),
    "M": ("kg m^2", "kg"),
    "C": ("N m s", "N s/m"),
    "Minv": ("1/(kg m^2)", "1/kg"),
    "dq": ("N m/rad", "N/m"),
    "dqd": ("N m s/rad", "N s/m"),
    "b": ("kg m^2", "kg"),
}
# where a quantity means something else by the name
OTHERS = {
    ("coefficients", "c"): ("kg m^2", "kg"),
    ("forward_dynamics_derivatives", "dq"): ("1/s^2", "1/s^2"),
    ("forward_dynamics_derivatives", "dqd"): ("1/s", "1/s"),
}
MATRICES = ("M", "C", "Minv", "dq", "dqd", "b")
OF_SPACE = {
    "T": "rotation without unit beside position in m, base axes",
    "J": "m over rad for each unit of a joint, base axes",
    "Ji": "units of joints for each m over rad, base axes",
    "a": "m/s^2 over rad/s^2, base axes",
    "position": "m, base axes",
    "velocity": "m/s, base axes",
    "acceleration": "m/s^2, base axes",
    "link_positions": "m, base axes",
    "link_velocities": "m/s, base axes",
    "link_accelerations": "m/s^2, base axes",
    "kinetic": "J",
    "potential": "J",
    "loads": "N over N m, base axes",
    "gravity": "m/s^2, base axes",
    "wrench": "N over N m at the tool, base axes, exerted on the arm",
}
# kind of a parameter by its first letter, as `parameters.py` names them
PARAMETERS = (
    (r"g_*", "m/s^2, gravity"),
    (r"m(\d+)_*", "kg, mass of link {}"),
    (r"r([xyz])(\d+)_*", "m, centre of mass of link {1} along {0}, link axes"),
    (r"I([xyz]{2})(\d+)_*", "kg m^2, {0} of the inertia of link {1} about its centre of mass, link axes"),
    (r"([ad])(\d+)_*", "m, {0} of row {1}"),
)


def array_unit(quantity: str, name: str, kinds: str) -> str:
    """The unit of an array of a quantity, "" where there is none to tell; ``kinds`` has a letter for each joint.

    >>> array_unit("inverse_dynamics", "tau", "RRP")
    'N m, N of joints that slide'
    """
    if name in OF_SPACE:
        return OF_SPACE[name]
    units = OTHERS.get((quantity, name)) or JOINT_UNITS.get(name)
    if units is None:
        return ""
    turns, slides = units
    sliding = [kind == "P" for kind in kinds]
    if turns == slides or not any(sliding):
        return turns
    if all(sliding):
        return slides
    between = ", what mixes them between" if name in MATRICES else ""
    return f"{turns}, {slides} of joints that slide{between}"


def parameter_unit(name: str) -> str:
    """What a parameter is, with its unit.

    >>> parameter_unit("rx3"), parameter_unit("Ixy2")[:25]
    ('m, centre of mass of link 3 along x, link axes', 'kg m^2, xy of the inertia')
    """
    for pattern, text in PARAMETERS:
        if found := re.fullmatch(pattern, name):
            return text.format(*found.groups())
    return name
