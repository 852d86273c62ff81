"""``torsor servo``: servo settings of every motor from the inertia it moves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from torsor import loading
from torsor.cli import DONE
from torsor.cli.printing import WHOLE, numbers, print_facts, print_json, print_table
from torsor.cli.shared_options import AllowNonphysical, Json, Packages, Robot

Bandwidth = Annotated[float, Parameter(help="Natural frequency at the worst posture, in 1/s.")]
DampingShare = Annotated[float, Parameter(help="Damping there; 1 is critical.")]
MapOption = Annotated[
    Path | None, Parameter(name="--map", help="Draw the inertia over postures to this .png, .svg or .pdf.")
]


def servo(
    robot: Robot,
    /,
    *,
    bandwidth: Bandwidth = 30.0,
    damping: DampingShare = 0.7,
    map_file: MapOption = None,
    json: Json = False,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
) -> int:
    """Settles the servos of an arm's motors by the inertia that each has to move, at its worst posture.

    Example: torsor servo puma560 --bandwidth 30 --map inertia.png

    Kp and Kd are of a servo of position, in torques and angles of the motor; the same numbers are Ki and Kp of one of
    speed. At every other posture the servo is as fast and as damped, or more.
    """
    from torsor.control import servo_gains
    from torsor.control.servo_settings import joint_ranges
    from torsor.model.files import ready
    from torsor.simulation.plotting import require_drawable

    if map_file is not None:
        require_drawable(map_file)
        ready({"--map": map_file})
    arm = loading.load(robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical)
    gains = servo_gains(arm, bandwidth, damping)
    at_zero = np.clip(np.zeros(arm.n), *joint_ranges(arm))
    postures = [("all at zero", at_zero)]
    for motor, q in zip(gains.names, gains.worst, strict=True):
        postures.append((f"worst of {motor}", q))
    if map_file is not None:
        gains.plot(map_file)
    if json:
        words = ("bandwidth", "damping", "inertia", "least", "worst", "lightest", "Kp", "Kd", "speed_Kp", "speed_Ki")
        print_json({"robot": arm.name, "motors": list(gains.names)} | {w: getattr(gains, w).tolist() for w in words})
        return DONE
    titles, rows = gains.table()
    title = f"Servos of {arm.name}: {bandwidth:g} 1/s, damping {damping:g} where inertia is most"
    print_table(title, [titles[0], *numbers(*titles[1:3]), titles[3], *numbers(*titles[4:])], rows)
    titles, rows = gains.over(postures)
    print_table("Effective inertia over postures, kg m^2", [WHOLE + titles[0], *numbers(*titles[1:])], rows)
    if map_file is not None:
        print_facts([("map", str(map_file))])
    return DONE
