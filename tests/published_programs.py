"""The two published programs as lists of commands, written by hand: SIMASEA's (Behi 1989, A.1) and Lola15DD's."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import rotation_x, rotation_y, rotation_z
from torsor.motion import Blend, Dwell, Gripper, Joints, Move, Pace, Place, Pose, Start

SIMASEA_POINTS = {  # m, and Euler angles z-y'-z'' in degrees
    "P1": (0.320, 0.150, 0.880, 20.0, 45.0, 75.0),
    "P2": (0.270, 0.280, 0.820, 37.0, 15.0, 23.0),
    "P3": (0.120, 0.250, 0.880, 28.0, 45.0, 75.0),
    "P4": (0.190, 0.220, 0.940, 68.0, 18.0, 42.0),
    "P6": (0.260, 0.180, 0.740, 35.0, 70.0, 43.0),
    "P7": (0.310, 0.300, 0.800, 71.0, 55.0, 43.0),
    "P8": (0.170, 0.240, 0.880, 14.0, 56.0, 75.0),
    "P9": (0.210, 0.200, 0.710, 33.0, 85.0, 61.0),
    "P10": (0.204, 0.185, 0.720, 23.0, 19.0, 33.0),
}
LOLA_POINTS = {  # mm, and R = Rz(A) Ry(B) Rx(C) in degrees; s6 and s9 corrected
    "s0": (786.9329, 402.9624, 632.855, 15, -60, -175.03779),
    "s1": (850.5427, 0, 629.1809),
    "s2": (821.9198, -402.9624, 572.256, -15, -60, -175.037),
    "s3": (819.1725, -441.6397, 566.7923),
    "s4": (1019.6465, -571.0567, 669.5612, -40, -60, -90),
    "s5": (1238.1590, -421.6189, 810.7015, -20, -30, -90),
    "s6": (1317.2706, -249.063, 873.6763, -10, -45, -175.03779),
    "s7": (1289.7405, -149.4378, 867.7698, -5, -40, -175.03779),
    "s8_a": (1208.2531, 0, 835.7050, 0, -30, -175.03779),
    "s9": (1276.7658, 149.4378, 890.2428, 5, -45, -175.03779),
    "s10": (1295.6459, 249.063, 911.1313),
    "s11": (1201.5523, 421.6189, 874.1061, 10, -60, -175.03779),
    "s12": (970.0649, 571.0567, 755.4388, 17, -60, -175.03779),
    "s13": (780.8275, 441.6398, 633.2077),
}


def at(line: int, file: str = "program") -> Place:
    return Place(file, line, 1)


def joints(*degrees: float) -> Joints:
    return Joints(tuple(np.deg2rad(degrees).tolist()))


def simasea_point(name: str) -> Pose:
    x, y, z, *angles = SIMASEA_POINTS[name]
    phi, theta, psi = np.deg2rad(angles)
    return Pose((x, y, z), rotation_z(phi) @ rotation_y(theta) @ rotation_z(psi), name)


def lola_point(name: str) -> Pose:
    x, y, z, *angles = LOLA_POINTS[name]
    rotation = None
    if angles:
        a, b, c = np.deg2rad(angles)
        rotation = rotation_z(a) @ rotation_y(b) @ rotation_x(c)
    return Pose((x / 1e3, y / 1e3, z / 1e3), rotation, name)


def simasea():
    P = simasea_point
    return [
        Start(P("P1"), at(2)),
        Move("joint", P("P2"), at(3), via=(P("P3"), P("P4"))),
        Move("joint", P("P6"), at(4)),
        Gripper(False, at(5), 1.0),
        Move("line", P("P7"), at(6)),
        Dwell(1.5, at(7)),
        Move("line", P("P8"), at(8), via=(P("P9"), P("P10"))),
    ]


def lola():
    s = lola_point

    def tool(line, kind, target, speed, acceleration, blend="speed", *, via=(), radius=None, turning="variable"):
        pace = Pace(speed=speed / 1e3, acceleration=acceleration / 1e3)
        points = tuple(s(name) for name in via)
        return Move(kind, s(target), at(line), points, pace, Blend(blend, radius), turning)

    return [
        Move("joint", s("s0"), at(24), pace=Pace(share=0.6, acceleration_share=1.0), blend=Blend("joint")),
        tool(26, "circle", "s2", 760, 1000, via=("s1",), turning="path"),
        tool(27, "circle", "s4", 350, 1000, via=("s3",), turning="path-variable"),
        tool(28, "line", "s5", 460, 1000),
        tool(29, "circle", "s7", 300, 800, via=("s6",)),
        tool(30, "line", "s8_a", 227.7, 900, "zone", radius=0.15),
        tool(31, "line", "s9", 225, 900),
        tool(32, "circle", "s11", 695, 1200, via=("s10",)),
        tool(33, "line", "s12", 620, 1200),
        tool(34, "circle", "s0", 570, 1000, "stop", via=("s13",)),
        Move("joint", joints(0, 0, 0, 0, 0), at(35), pace=Pace(share=1.0, acceleration_share=1.0)),
        Move("joint", joints(-115.70, 55.70, 68.70), at(36), pace=Pace(share=1.0, acceleration_share=1.0)),
    ]
