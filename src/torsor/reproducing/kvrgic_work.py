"""Kvrgic and Vidakovic 2020: forward dynamics by mRNEA, the Lola 15 robot, and motion that motors can achieve."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from torsor import papers
from torsor.checking import check
from torsor.control.reference import sine
from torsor.drives import achievable
from torsor.loading import load
from torsor.measuring.chains import general_arm
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork, curves, image, rows
from torsor.shipped import shipped

FORCE = np.array([-100.0, -100.0, -150.0, 0.0, 0.0, 0.0])  # on the tool; the paper gives what the robot exerts
CHECK = "torsor check examples/programs/rl15_tour.irl --robot rl15 --force -100 -100 -150"


@cache
def _tour(times: float) -> tuple[Any, Any]:
    """The published program, and what Algorithm 1 makes of it."""
    arm = load("rl15")
    verdict = check(shipped("programs/rl15_tour.irl"), arm, wrench=FORCE, acceleration=times)
    return verdict, achievable(arm, verdict.signals.q, verdict.dt, wrench=FORCE)


def _counts(*makes: Any) -> Outcome:
    made = [make() for make in makes]
    return Outcome(tuple(rows(each.columns, each.cells()) for each in made), " ".join(made[0].notes))


def _path() -> Outcome:
    verdict, _ = _tour(1.0)
    s = verdict.signals
    panels = [(f"{axis} of the tool [m]", s.time, [("", s.tool[:, k], "-")]) for k, axis in enumerate("xyz")]
    panels.append(("speed of the tool [m/s]", s.time, [("", s.tool_speed, "-")]))
    said = (
        f"The program takes {verdict.time:.2f} s here. Its tool point is not printed; (0.12, 0.12, 0.35) m in frame 6 "
        "reaches the whole path and is assumed. 12 of 13 moves are listed, two coordinates are slips (docs/errata.md)."
    )
    return Outcome((image(curves(panels, 4), "tool path and speed"),), said)


def _torques() -> Outcome:
    arm, (verdict, _) = load("rl15"), _tour(1.0)
    s = verdict.signals
    ours, theirs = (arm.inverse_dynamics(s.q, s.qd, s.qdd, wrench=FORCE, by=by) for by in (None, "mrnea"))
    panels = []
    for k in range(6):
        both = [("RNEA", ours[:, k], "-"), ("mRNEA", np.where(np.arange(len(s.time)) % 12, np.nan, theirs[:, k]), ".")]
        panels.append((f"torque of joint {k + 1} [N m]", s.time, both))
    gap = float(np.abs(ours - theirs).max())
    return Outcome((image(curves(panels), "joint torques by both"),), f"Nothing: both are equal to {gap:.0e} N m.")


def _achieved(what: str) -> Outcome:
    verdict, done = _tour(3.0)
    s = verdict.signals
    pairs = {
        "motor torque [N m]": (s.torque, done.reached),
        "acceleration [deg/s²]": (np.rad2deg(s.qdd), np.rad2deg(done.qdd)),
        "speed [deg/s]": (np.rad2deg(s.qd), np.rad2deg(done.qd)),
        "position [deg]": (np.rad2deg(s.q), np.rad2deg(done.q)),
    }
    asked, reached = pairs[what]
    n = min(len(s.time), len(done.time))
    panels = [
        (f"axis {k + 1}: {what}", s.time[:n], [("asked", asked[:n, k], "-"), ("Algorithm 1", reached[:n, k], "-")])
        for k in range(6)
    ]
    said = (
        "At the published accelerations no motor saturates (0.64 of the limit), so three times those are shown. "
        "Algorithm 1 as printed diverges once a motor saturates; friction is computed from the achieved torque, all "
        "axes are solved together, and speeds are clamped again."
    )
    return Outcome((image(curves(panels), what),), said)


def _sdt() -> Outcome:
    arm = load("sdt4")
    motion = sine([0.0] * arm.n, [0.4] * arm.n, [0.2, 0.25, 0.3, 0.35][: arm.n])
    time = np.arange(0.0, 5.0, 0.02)
    q, qd, qdd = (np.array(each) for each in zip(*(motion.at(t) for t in time), strict=True))
    ours, theirs = (arm.inverse_dynamics(q, qd, qdd, by=by) for by in (None, "mrnea"))
    panels = []
    for k in range(arm.n):
        marks = np.where(np.arange(len(time)) % 8, np.nan, theirs[:, k])
        panels.append((f"torque of link {k + 1} [N m]", time, [("RNEA", ours[:, k], "-"), ("mRNEA", marks, ".")]))
    panels += [(f"acceleration of link {k + 1} [rad/s²]", time, [("", qdd[:, k], "-")]) for k in range(arm.n)]
    said = "The motion of the paper's toy is not printed: sines of 0.4 rad and 0.2 to 0.35 Hz are assumed, as in "
    said += "examples/scenarios/sdt4_training.toml."
    gap = f" Both algorithms agree to {np.abs(ours - theirs).max():.0e} N m."
    return Outcome((image(curves(panels, 4), "torques and accelerations of the disorientation trainer"),), said + gap)


WORK = PublishedWork(
    "kvrgic",
    "Efficient method for robot forward dynamics computation (ERFD, mRNEA)",
    "Kvrgic and Vidakovic, Mechanism and Machine Theory (2020)",
    (
        Exhibit("Table 1", "operations of mRNEA for 3 to 6 joints", "241 M 188 A to 1356 M 1038 A",
                "torsor compare --papers kvrgic", lambda: _counts(papers.kvrgic_1)),
        Exhibit("Table 2", "forward dynamics of six joints by several methods", "mRNEA 1356 M 1038 A",
                "torsor compare --papers kvrgic",
                lambda: _counts(lambda: papers.kvrgic_2(load("rl15").model), lambda: papers.kvrgic_2(general_arm(6)))),
        Exhibit("Table C1", "which vectors of mRNEA cost what", "1735 M 1275 A in all",
                "torsor compare --papers kvrgic", lambda: _counts(papers.kvrgic_c1)),
        Exhibit("Figure A3", "the toy: link torques by RNEA and mRNEA, accelerations", "both algorithms alike",
                'arm.inverse_dynamics(q, qd, qdd, by="mrnea")', _sdt),
        Exhibit("Figure A4", "path and speed of the end effector", "a curve", CHECK + " --csv run.csv", _path),
        Exhibit("Figure A5", "joint torques by RNEA and mRNEA", "both alike", CHECK, _torques),
        *(
            Exhibit(number, f"{what.split(' [')[0]} with and without Algorithm 1", "curves",
                    CHECK + " --times-acceleration 3 --report report.html", partial(_achieved, what))
            for number, what in (
                ("Figure A6 (a)", "motor torque [N m]"), ("Figure A6 (b)", "acceleration [deg/s²]"),
                ("Figure A7 (a)", "speed [deg/s]"), ("Figure A7 (b)", "position [deg]"),
            )
        ),
    ),
    (
        "How Mohan and Saha (2007) save operations in DeNOC is not in the paper: only Saha's (2003) is counted here.",
        "The motion and the profile of the toy, and the curves of Figures A3 to A7, are not printed as numbers.",
    ),
)  # fmt: skip
