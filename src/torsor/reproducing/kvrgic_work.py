"""Kvrgic and Vidakovic 2020: forward dynamics by mRNEA, the Lola 15 robot, and motion that motors can achieve."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from torsor import papers, scenarios
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
    panels = [(f"{axis} of the end effector [m]", s.time, [("", s.tool[:, k], "-")]) for k, axis in enumerate("xyz")]
    panels.append(("v_ee, speed of the end effector [m/s]", s.time, [("", s.tool_speed, "-")]))
    said = (
        f"The program takes {verdict.time:.2f} s here. Its tool point is not printed; (0.12, 0.12, 0.35) m in frame 6 "
        "reaches the whole path and is assumed. 12 of 13 moves are listed, two coordinates are slips (docs/errata.md)."
    )
    return Outcome((image(_in_space(0), "the path in space"), image(curves(panels, 4), "tool path and speed")), said)


def _in_space(postures: int) -> Any:
    """The path of the end effector, and the arm at some instants along it."""
    from matplotlib.figure import Figure

    from torsor.simulation.plotting import COLOURS, require_drawable

    require_drawable(None)
    arm, (verdict, _) = load("rl15"), _tour(1.0)
    s = verdict.signals
    figure = Figure(figsize=(5.2, 4.2), layout="constrained")
    axes: Any = figure.add_subplot(projection="3d")
    axes.plot(*s.tool.T, color=COLOURS[0], linewidth=1.4)
    for k, q in enumerate(s.q[np.linspace(0, len(s.q) - 1, postures).astype(int)], start=1):
        points = [np.zeros(3), *(arm.pose(q, frame=f"link{j}")[:3, 3] for j in range(1, 7)), arm.pose(q)[:3, 3]]
        axes.plot(*np.array(points).T, color=COLOURS[k], linewidth=2.0, marker="o", markersize=3.0)
    for axis, name in zip((axes.xaxis, axes.yaxis, axes.zaxis), "xyz", strict=True):
        axis.set_tick_params(labelsize=6)
        axis.set_label_text(f"{name} [m]", fontsize=7)
    axes.set_aspect("equal")
    return figure


def _space() -> Outcome:
    said = "A still picture; the page of `--report` turns, zooms and plays it."
    return Outcome((image(_in_space(4), "the arm along its path"),), said)


def _program() -> Outcome:
    """The application program of Figure 8 as it is read: its moves, with what the planner makes of each."""
    verdict, _ = _tour(1.0)
    s, lines = verdict.signals, []
    for move in verdict.moves:
        during = (s.time >= move.start) & (s.time <= move.start + move.duration)
        fastest = f"{1000.0 * s.tool_speed[during].max(initial=0.0):.0f}"
        lines.append((str(move.place.line), move.kind, f"{move.start:.2f}", f"{move.duration:.2f}", fastest))
    titles = ("line", "move", "begins [s]", "takes [s]", "largest speed of the tool [mm/s]")
    said = "Two coordinates of the listing are slips, a brace is never closed, 12 of 13 moves are there; the shipped "
    said += "program is corrected (docs/errata.md). `torsor studio` is the editor, with marks while one types."
    return Outcome((rows(titles, lines),), said)


def _masses() -> Outcome:
    arm = load("rl15")
    lines = []
    for link in arm.model.links:
        if link.mass is None:
            continue
        com, J = link.mass.com, link.mass.inertia
        centre = ", ".join(f"{float(each):.4g}" for each in com)
        lines.append((link.name, f"{float(link.mass.mass):g}", centre, *(f"{float(J[i, i]):.4g}" for i in range(3))))
    titles = ("link", "mass [kg]", "centre [m]", "Ixx [kg m²]", "Iyy", "Izz")
    said = (
        "The CAD model is not printed; its results are, in Appendix B, and stand in the arm file. From meshes of one's "
    )
    said += (
        "own masses, centres and inertias come by `shape = { mesh = ... }` with a density (tests/model/test_solids.py)."
    )
    return Outcome((rows(titles, lines),), said)


def _centrifuge() -> Outcome:
    scenario = scenarios.read(shipped("scenarios/centrifuge_training.toml"))
    run = scenario.run()
    arm = load(shipped("robots/centrifuge3.toml"))
    a = (arm.jacobian(run.q) @ run.qdd[..., None])[:, :3, 0] + arm.jacobian_dot_qd(run.q, run.qd)[:, :3]
    load_factor = np.linalg.norm(a + np.array([0.0, 0.0, 9.81]), axis=1) / 9.81
    panels: list[Any] = [("load on the pilot [g]", run.time, [("", load_factor, "-")])]
    for k, name in enumerate(arm.joint_names):
        panels.append((f"{name}: speed [deg/s]", run.time, [("", np.rad2deg(run.qd[:, k]).round(9), "-")]))
    panels += [
        (f"{name}: torque [N m]", run.time, [("", run.tau[:, k], "-")]) for k, name in enumerate(arm.joint_names)
    ]
    said = (
        "The text shows a window of its program for the centrifuge, without data. examples/robots/centrifuge3.toml and "
    )
    said += "its profile (3 g held for 6.5 s) are stand-ins; tests/reproducing/test_toys.py holds the load to 3 g."
    return Outcome((image(curves(panels, 4), "the centrifuge on its profile"),), said)


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
    limits = [drive.motor.torque if what.startswith("motor") else None for drive in load("rl15").model.drives]
    panels = []
    for k in range(6):
        drawn: list[Any] = [("without", asked[:n, k], "wide"), ("with Algorithm 1", reached[:n, k], "-")]
        if (limit := limits[k]) is not None and np.abs(asked[:n, k]).max() > 0.5 * limit:
            ends = [sign * limit for sign in (1.0, -1.0) if (sign * asked[:n, k]).max() > 0.5 * limit]
            drawn += [("limit" if j == 0 else "", np.full(n, end), "limit") for j, end in enumerate(ends)]
        panels.append((f"axis {k + 1}: {what}", s.time[:n], drawn))
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
    "Kvrgic and Vidakovic, Mechanism and Machine Theory (2020), figures A1 to C1, and their technical report (2020), "
    "figures 1 to 11",
    (
        Exhibit("Table 1", "operations of mRNEA for 3 to 6 joints", "241 M 188 A to 1356 M 1038 A",
                "torsor compare --papers kvrgic", lambda: _counts(papers.kvrgic_1)),
        Exhibit("Table 2", "forward dynamics of six joints by several methods", "mRNEA 1356 M 1038 A",
                "torsor compare --papers kvrgic",
                lambda: _counts(lambda: papers.kvrgic_2(load("rl15").model), lambda: papers.kvrgic_2(general_arm(6)))),
        Exhibit("Table C1", "which vectors of mRNEA cost what", "1735 M 1275 A in all",
                "torsor compare --papers kvrgic", lambda: _counts(papers.kvrgic_c1)),
        Exhibit("Figure A3, E2", "the toy: link torques by RNEA and mRNEA, accelerations", "both algorithms alike",
                'arm.inverse_dynamics(q, qd, qdd, by="mrnea")', _sdt),
        Exhibit("Figure A4, 4", "path and speed of the end effector", "a curve", CHECK + " --csv run.csv", _path),
        Exhibit("Figure A5, 5", "joint torques by RNEA and mRNEA", "both alike", CHECK, _torques),
        *(
            Exhibit(number, f"{what.split(' [')[0]} with and without Algorithm 1", "curves",
                    CHECK + " --times-acceleration 3 --report report.html", partial(_achieved, what))
            for number, what in (
                ("Figure A6 (a), 6 (a)", "motor torque [N m]"), ("Figure A6 (b), 6 (b)", "acceleration [deg/s²]"),
                ("Figure A7 (a), 7 (a)", "speed [deg/s]"), ("Figure A7 (b), 7 (b)", "position [deg]"),
            )
        ),
        Exhibit("Figure 8", "the application program of the Lola 15 in L-IRL", "a listing of 36 lines",
                "torsor check examples/programs/rl15_tour.irl --robot rl15", _program),
        Exhibit("Figure 9", "masses, centres and inertias of the links from CAD", "a window of Catia",
                "torsor show rl15", _masses),
        Exhibit("Figure 10", "the 3-axis centrifuge: a path verified", "a window with curves",
                "torsor simulate examples/scenarios/centrifuge_training.toml --plot run.png", _centrifuge),
        Exhibit("Figure 11", "the robot in space along its program", "a 3-D picture",
                CHECK + " --report report.html", _space),
    ),
    (
        "Figures A1, A2, D1 and 1 to 3 are drawings of frames, couplings and a flow chart: `torsor show rl15 --3d` "
        "draws the arm, and Algorithm 1 is drives/achieving.py.",
        "How Mohan and Saha (2007) save operations in DeNOC is not in the paper: only Saha's (2003) is counted here.",
        "The motion and the profile of the toy, and the curves of Figures A3 to A7, are not printed as numbers.",
    ),
)  # fmt: skip
