"""Behi 1989: SIMASEA, an ASEA arm with a closed chain, its program in VAL II and its graphs."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from torsor.checking import check
from torsor.loading import load
from torsor.model.transforms import Floats
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork, curves, image, rows
from torsor.shipped import shipped

CHECK = "torsor check examples/programs/simasea.v2 --robot asea-irb"


@cache
def _verdict(overlap: bool = False) -> Any:
    return check(shipped("programs/simasea.v2"), load("asea-irb"), overlap=overlap, dt=0.05)


def euler_angles(T: Floats) -> Floats:
    """(..., 3) phi, rho, psi of the gripper, R = Rz(phi) Ry(rho) Rz(psi), as the thesis turns it; rho from 0 to pi."""
    R = T[..., :3, :3]
    rho = np.arctan2(np.hypot(R[..., 0, 2], R[..., 1, 2]), R[..., 2, 2])
    straight = np.hypot(R[..., 0, 2], R[..., 1, 2]) < 1e-9
    phi = np.where(straight, 0.0, np.arctan2(R[..., 1, 2], R[..., 0, 2]))
    turned = np.arctan2(R[..., 1, 0], R[..., 1, 1])
    psi = np.where(straight, turned, np.arctan2(R[..., 2, 1], -R[..., 2, 0]))
    return np.stack([phi, rho, psi], axis=-1)


def _times() -> Outcome:
    lines = []
    for overlap, said in ((False, "stop between commands"), (True, "consecutive motions overlap by t_acc")):
        verdict = _verdict(overlap)
        lines.append((said, "51.5 (27.0 + 24.5)", f"{verdict.time:.2f}"))
    said = "Part II takes the 24.5 s of the thesis by either rule; part I takes its 27.0 s where motions overlap."
    return Outcome((rows(("rule", "thesis [s]", "here [s]"), lines),), said)


def _graphs(what: str) -> Outcome:
    arm, verdict = load("asea-irb"), _verdict()
    s = verdict.signals
    whole = arm.closure.along(s.q, s.qd, s.qdd)
    names = arm.closure.names
    deg = 180.0 / np.pi
    panels: list[Any] = []
    if what in ("angles", "speeds", "accelerations"):
        k, unit = {"angles": (0, "deg"), "speeds": (1, "deg/s"), "accelerations": (2, "deg/s²")}[what]
        panels = [(f"{name} [{unit}]", s.time, [("", deg * whole[k][:, j], "-")]) for j, name in enumerate(names)]
    elif what == "tool":
        J, T = arm.jacobian(s.q), arm.pose(s.q)
        v = (J @ s.qd[..., None])[..., 0]
        a = (J @ s.qdd[..., None])[..., 0] + arm.jacobian_dot_qd(s.q, s.qd)
        angles = np.unwrap(euler_angles(T), axis=0)
        for unit, values in (("position [m]", s.tool), ("velocity [m/s]", v[:, :3]), ("acceleration [m/s²]", a[:, :3])):
            panels += [(f"{axis}: {unit}", s.time, [("", values[:, k], "-")]) for k, axis in enumerate("xyz")]
        panels += [(f"{n} [deg]", s.time, [("", deg * angles[:, k], "-")]) for k, n in enumerate(("phi", "rho", "psi"))]
    elif what == "centres":
        _, _, _, places, _, accelerations = arm.centre_of_mass(s.q, s.qd, s.qdd)
        sizes = np.linalg.norm(accelerations, axis=-1)
        panels = [
            (f"link {k + 1}, |acceleration| [m/s²]", s.time, [("", sizes[:, k], "-")]) for k in range(places.shape[1])
        ]
    elif what == "torques":
        panels = [(f"{n}: torque [N m]", s.time, [("", s.torque[:, k], "-")]) for k, n in enumerate(arm.joint_names)]
    else:
        for k in range(s.bearing.shape[1]):
            force, moment = (np.linalg.norm(s.bearing[:, k, part], axis=-1) for part in (slice(3), slice(3, 6)))
            panels.append(
                (f"joint {k + 1}: force [N], moment [N m]", s.time, [("force", force, "-"), ("moment", moment, "-")])
            )
    said = "The graphs of the thesis are lost with the scan. Torques and positions along the program agree with an "
    said += "independent reproduction (tests/oracles/asea-simasea.json)."
    return Outcome((image(curves(panels, 3), what),), said)


WORK = PublishedWork(
    "behi",
    "Dynamic simulation for a robot with a closed kinematic chain (SIMASEA)",
    "Behi, thesis, University of Ottawa (1989)",
    (
        Exhibit("Sample program", "how long it takes", "27.0 s and 24.5 s", CHECK + " --overlap", _times),
        *(
            Exhibit(number, title, "graphs", CHECK + " --csv run.csv", partial(_graphs, what))
            for number, title, what in (
                ("Graphs of joints", "all eight joint angles", "angles"),
                ("Graphs of joints", "joint velocities", "speeds"),
                ("Graphs of joints", "joint accelerations", "accelerations"),
                ("Graphs of the gripper", "position, velocity, acceleration and angles of the gripper", "tool"),
                ("Graphs of links", "accelerations of centres of mass", "centres"),
                ("Graphs of torques", "torques of the driven joints", "torques"),
                ("Graphs of joints", "forces and moments in the joints", "bearings"),
            )
        ),
    ),
    (
        "Appendix F (matrices of the vibration) and the graphs are missing from the scan.",
        "No branch keeps all ten points within the printed joint ranges: theta 2 goes to 130 deg.",
    ),
)  # fmt: skip
