"""Behi 1989: SIMASEA, an ASEA arm with a closed chain, its program in VAL II and its graphs."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Any

import numpy as np

from torsor.checking import check
from torsor.checking.kinematic_columns import KinematicColumns
from torsor.checking.signals import columns as signal_columns
from torsor.checking.signals import rows as signal_rows
from torsor.deriving import derive
from torsor.loading import load
from torsor.mechanics.simasea_numbers import SimaseaArm, simasea_quantities
from torsor.mechanics.tree import lower
from torsor.model.transforms import Floats
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork, curves, image, rows
from torsor.shipped import shipped

CHECK = "torsor check examples/programs/simasea.v2 --robot asea-irb"
TABLE = CHECK + " --overlap --dt 0.05 --csv run.csv"


@cache
def _verdict(overlap: bool = False) -> Any:
    return check(shipped("programs/simasea.v2"), load("asea-irb"), overlap=overlap, dt=0.05)


@cache
def columns_of_the_run() -> dict[str, Floats]:
    """Everything of one run by the names that ``torsor check --csv`` writes; motions overlap, as printed."""
    signals, more = _verdict(True).signals, KinematicColumns(load("asea-irb"))
    names = signal_columns(_verdict(True).joints, _verdict(True).motors, _verdict(True).machine.bearing_names)
    values = [[float(cell) for cell in row] for row in signal_rows(signals, [0] * (1 + int(signals.move.max())))]
    return dict(zip([*names, *more.titles], np.column_stack([values, more.of(signals)]).T, strict=True))


def _times() -> Outcome:
    lines = []
    for overlap, said in ((False, "stop between commands"), (True, "consecutive motions overlap by t_acc")):
        verdict = _verdict(overlap)
        lines.append((said, "51.5 (27.0 + 24.5)", f"{verdict.time:.2f}"))
    said = "Part II takes the 24.5 s of the thesis by either rule; part I takes its 27.0 s where motions overlap."
    return Outcome((rows(("rule", "thesis [s]", "here [s]"), lines),), said)


PARTS = {"": (0.0, 51.5), "I": (0.0, 27.0), "II": (27.0, 51.5)}
# the 17 graphs: part, caption, and what is drawn: a title, the column, and what a unit of it is in that of the title
_DEG = float(np.rad2deg(1.0))
_JOINTS = {
    group: [(f"theta {k} [deg]", f"joint{k}.q", _DEG) for k in numbers]
    for group, numbers in (("I", (1, 2, 3)), ("II", (4, 5, 6)))
}
_POSITION = [(f"{axis} [m]", f"tool.{axis}", 1.0) for axis in "xyz"]
_ORIENTATION = [(f"{angle} [deg]", f"tool.{angle}", _DEG) for angle in ("phi", "theta", "psi")]
_TORQUES = [(f"torque {k} [N m]", f"joint{k}.torque", 1.0) for k in (1, 2, 4, 5, 6, 7)]


def _kinematics(joint: int) -> list[tuple[str, str, float]]:
    units = (("q", "deg"), ("qd", "deg/s"), ("qdd", "deg/s²"))
    return [(f"theta {joint} [{unit}]", f"joint{joint}.{what}", _DEG) for what, unit in units]


_PITCH = [
    ("pitch [deg]", "tool.theta", _DEG),
    ("its rate [deg/s]", "tool.theta_rate", _DEG),
    ("its acceleration [deg/s²]", "tool.theta_acceleration", _DEG),
]
_ELEVATION = [
    ("z [m]", "tool.z", 1.0),
    ("its speed [m/s]", "tool.vz", 1.0),
    ("its acceleration [m/s²]", "tool.az", 1.0),
]
GRAPHS = (
    ("", "joint motion of the whole program", _JOINTS["I"]),
    ("", "position of the gripper over the whole program", _POSITION),
    ("I", "joint motion, theta 1 to 3", _JOINTS["I"]),
    ("I", "joint motion, theta 4 to 6", _JOINTS["II"]),
    ("I", "position of the gripper", _POSITION),
    ("I", "orientation of the gripper", _ORIENTATION),
    ("I", "joint 1 with its speed and acceleration", _kinematics(1)),
    ("I", "joint 4 with its speed and acceleration", _kinematics(4)),
    ("I", "torques", _TORQUES),
    ("II", "position of the gripper", _POSITION),
    ("II", "orientation of the gripper", _ORIENTATION),
    ("II", "joint motion, theta 1 to 3", _JOINTS["I"]),
    ("II", "joint motion, theta 4 to 6", _JOINTS["II"]),
    ("II", "the pitch with its derivatives", _PITCH),
    ("II", "the elevation with its derivatives", _ELEVATION),
    ("II", "joint 1 with its speed and acceleration", _kinematics(1)),
    ("II", "torques", _TORQUES),
)


def _graph(part: str, drawn: list[tuple[str, str, float]]) -> Outcome:
    found = columns_of_the_run()
    begin, end = PARTS[part]
    shown = (found["time"] >= begin - 1e-9) & (found["time"] <= end + 1e-9)
    time = found["time"][shown]
    panels: list[Any] = [(title, time, [("", unit * found[name][shown], "-")]) for title, name, unit in drawn]
    said = "The curves of the thesis are lost with the scan. Torques and positions along the program agree with an "
    said += "independent reproduction (tests/oracles/asea-simasea.json)."
    return Outcome((image(curves(panels, 3), f"part {part}" if part else "the whole program"),), said)


def _beyond(what: str) -> Outcome:
    """What the thesis computes on the way, of the whole program."""
    found, arm = columns_of_the_run(), load("asea-irb")
    time = found["time"]
    panels: list[Any] = []
    if what == "loop":
        drawn = [each for k in (7, 8, 3) for each in _kinematics(k)]
        panels = [(title, time, [("", unit * found[name], "-")]) for title, name, unit in drawn]
    for link in KinematicColumns(arm).links:
        if what == "centres":
            size = np.sqrt(sum(found[f"{link}.com.a{axis}"] ** 2 for axis in "xyz"))
            panels.append((f"{link}: acceleration of its centre of mass [m/s²]", time, [("", size, "-")]))
    if what == "bearings":
        for name in _verdict(True).machine.bearing_names:
            force, moment = (np.sqrt(sum(found[f"{name}.{x}{axis}"] ** 2 for axis in "xyz")) for x in "fm")
            panels.append((f"{name}: force [N], moment [N m]", time, [("force", force, "-"), ("moment", moment, "-")]))
    return Outcome((image(curves(panels, 3), what),))


def _quantities() -> Outcome:
    """Z1 to Z90 at the first point of the program, and the torques that hold the arm there."""
    arm, q = load("asea-irb"), _verdict(True).signals.q[:1]
    his = SimaseaArm.of(lower(arm.model))
    assert his is not None
    Z = simasea_quantities(his, np.asarray(arm.closure.along(q, 0 * q, 0 * q)[0]))
    listed = set(
        re.findall(
            r"^\s*Z([1-8]?[0-9]|90)\s*=", str(derive(arm, "inverse_dynamics", by="kane", effort="none")), re.MULTILINE
        )
    )
    numbers = [
        (f"Z{k}", *(f"{float(Z[k + j][0]):.6f}" if k + j in Z else "" for j in range(10))) for k in range(1, 91, 10)
    ]
    held = [-Z[83], -Z[86], -Z[87], -Z[88], 0 * Z[88], -Z[90]]
    torques = [
        (name, f"{float(z[0]):.9f}", f"{tau:.9f}")
        for name, z, tau in zip(arm.joint_names, held, arm.gravity(q)[0], strict=True)
    ]
    said = "Z12 and Z13 are those of (3.70), not of Appendix C; Z89 = Z61 Z24; Z90 has m4 Z44; (3.143) to (3.147) have "
    said += (
        f"+tau. With them the equations (E.58) to (E.67) are Newton and Euler's to rounding. {len(listed)} of the 90 "
    )
    said += (
        "stand in the listing under their numbers; Z7 and Z8 are Z3 and Z4 where the loop is closed, the others are "
    )
    said += "multiples of one that stands there, or parts of a sum or product that is written as one."
    titles = ("", *(f"+{j}" for j in range(10)))
    return Outcome((rows(titles, numbers), rows(("", "thesis, corrected [N m]", "here [N m]"), torques)), said)


WORK = PublishedWork(
    "behi",
    "Dynamic simulation for a robot with a closed kinematic chain (SIMASEA)",
    "Behi, thesis, University of Ottawa (1989)",
    (
        Exhibit("Sample program", "how long it takes", "27.0 s and 24.5 s", CHECK + " --overlap", _times),
        *(
            Exhibit(f"Graph {number}", f"{what}{f', part {part}' if part else ''}", "a graph", TABLE,
                    partial(_graph, part, drawn))
            for number, (part, what, drawn) in enumerate(GRAPHS, start=1)
        ),
        Exhibit("Section 3.6", "angles, speeds and accelerations of the loop", "computed, not shown", TABLE,
                partial(_beyond, "loop")),
        Exhibit("Appendix D", "accelerations of centres of mass", "computed, not shown", TABLE,
                partial(_beyond, "centres")),
        Exhibit("Section 3.6, forces", "forces and moments in the joints", "computed, not shown", TABLE,
                partial(_beyond, "bearings")),
        Exhibit("Appendix C", "the quantities Z1 to Z90 where the program starts", "formulas",
                "torsor derive asea-irb --what inverse-dynamics --by kane --effort none", _quantities),
    ),
    (
        "Appendix F (matrices of the vibration) and the graphs are missing from the scan.",
        "No branch keeps all ten points within the printed joint ranges: theta 2 goes to 130 deg.",
    ),
)  # fmt: skip
