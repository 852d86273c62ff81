"""Fedorov 2015: the ABB IRB 140 by Newton-Euler and by products of exponentials."""

from __future__ import annotations

import warnings
from functools import partial
from math import pi
from typing import Any

import numpy as np

from torsor import control, papers, scenarios
from torsor.loading import load
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork, curves, image, rows
from torsor.scenarios.figures import apart
from torsor.shipped import shipped
from torsor.simulation import SimulationNotice, simulate

BOTH = ("newton-euler", "exponentials")
CYLINDERS = {1: (27.0, 0.191, 0.363), 2: (22.0, 0.151, 0.515), 4: (25.0, 0.115, 0.583), 6: (1.0, 0.044, 0.107)}
REFERENCES = {1: "(90, 0, -90, 180, 90, -180)", 2: "(180, 0, 0, 180, 90, -180)", 3: "(-180, 180, -180, -180, -90, 180)"}


def _runs(name: str) -> tuple[Any, list[Any]]:
    scenario = scenarios.read(shipped(f"scenarios/{name}.toml"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        return scenario, [scenario.run(by=by) for by in BOTH]


def _compared(name: str, differs: str, first: float = 0.0) -> Outcome:
    """Both formulations over each other, with what is asked of the run."""
    scenario, runs = _runs(name)
    figures = scenario.figures(runs[0])
    target = None if scenario.reference is None else scenario.target(runs[0].time)
    picture = runs[0].plot(reference=target, title=scenario.name, compare=runs[1:])
    gaps = apart(*runs)
    lines = [
        (joint, *_settles(figures, k), f"{figures.peak_torque[k]:.2f}", f"{gaps[k]['apart']:.0e}")
        for k, joint in enumerate(figures.motors)
    ]
    titles = ("joint", "settles within 0.02 rad [s]", "peak torque [N m]", "apart, both formulations [rad]")
    pictures = [image(picture, f"{scenario.name}, by both formulations")]
    if first:
        begun, panels = runs[0].time <= first, []
        for k, joint in enumerate(figures.motors):
            both = zip(BOTH, runs, ("wide", "--"), strict=True)
            drawn = [(by, np.rad2deg(run.q[begun, k]), style) for by, run, style in both]
            panels.append((f"{joint} [deg], the first {first:g} s", runs[0].time[begun], drawn))
        pictures.append(image(curves(panels), f"the first {first:g} s"))
    return Outcome((*pictures, rows(titles, lines)), differs)


def _settles(figures: Any, k: int) -> tuple[str]:
    value = figures.settling_time[k]
    return (f"{value:.3f}" if np.isfinite(value) else "-",)


def _holding() -> Outcome:
    found = load("irb140").gravity([0, pi / 2, -pi / 2, 0, 0, 0])
    g = 9.81
    printed = [0.0, -(2.409 + 13.782) * g, -2.409 * g, 0.0, -0.029 * g, 0.0]
    lines = [
        (f"joint {k + 1}", f"{a:.5f}", f"{b:.5f}") for k, (a, b) in enumerate(zip(printed, found + 0.0, strict=True))
    ]
    return Outcome((rows(("", "thesis (5.18) [N m]", "here [N m]"), lines),), "Nothing: equal to rounding.")


def _density() -> Outcome:
    lines = [
        (f"link {k}", f"{m:g}", f"{r:g}", f"{h:g}", "1500", f"{m / (pi * r * r * h):.0f}")
        for k, (m, r, h) in CYLINDERS.items()
    ]
    titles = ("", "mass [kg]", "radius [m]", "height [m]", "density, thesis [kg/m³]", "mass / volume [kg/m³]")
    said = (
        "The masses, radii and heights of Table 3.1 have the 1500 kg/m³ that the text names only for link 6. "
        "The inertias (3.49) to (3.54) are those of the masses; so are ours."
    )
    return Outcome((rows(titles, lines),), said)


def _rate_limits() -> Outcome:
    arm, goal = load("irb140"), np.deg2rad([90, 0, -90, 180, 90, -180])
    pd = control.pd_gravity(arm, [50.0] * 5 + [60.0], [20.0] * 5 + [22.0], goal)
    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        for rate in (None, 1e4, 1e3):
            law = pd if rate is None else control.rate_limited(arm, pd, rate)
            run = simulate(arm, law, q0=np.zeros(6), until=5.0, limits="ignore")
            said = "none" if rate is None else f"{rate:g} N m/s"
            lines.append((said, *(f"{t:.3f}" for t in run.settling_time(goal))))
    return Outcome(
        (rows(("rate limit", *(f"joint {k} settles [s]" for k in range(1, 7))), lines),),
        "Nothing: at 1000 N m/s the slowest joint settles 0.03 s later. Below about 300 N m/s joint 6 does not settle.",
    )


def _table(make: Any) -> Outcome:
    made = papers.by_title([step() for step in make])
    return Outcome(tuple(rows(each.columns, each.cells()) for each in made), " ".join(made[0].notes))


def _times() -> Outcome:
    return _table([partial(papers.fedorov_run, name, timing=True) for name in papers.RUNS])


CLOSED = (
    "The sign of (5.19) is corrected; as printed it diverges. All joints settle within 3 s, as the text says; curves "
    "of the figures are lost with the scan. The thesis could follow its exponentials for 2.3 s only."
)
WORK = PublishedWork(
    "fedorov",
    "Robot dynamics and control based on exponential matrices",
    "Fedorov, diploma thesis, TU Liberec (2015)",
    (
        Exhibit(
            "Table 3.1", "links as cylinders of one density", "1500 kg/m³ for all links",
            "torsor show irb140", _density,
        ),
        Exhibit("(5.18)", "the torque that holds the stretched arm", "-2.409 g - 13.782 g, -2.409 g, -0.029 g",
                "torsor simulate examples/scenarios/irb140_open_loop_holding.toml", _holding),
        Exhibit(
            "Figure 6.1", "open loop from where that torque holds it", "the arm stays where it is",
            "torsor simulate examples/scenarios/irb140_open_loop_holding.toml --plot run.png",
            partial(_compared, "irb140_open_loop_holding", "(6.3) prints zeros for the torque; (5.18) is meant."),
        ),
        Exhibit(
            "Figure 6.2", "open loop from q = (0, 180, -90, 0, 0, 0) deg, 10 s", "unstable, both formulations alike",
            "torsor simulate examples/scenarios/irb140_open_loop_2.toml --plot run.png",
            partial(_compared, "irb140_open_loop_2", "(6.9) prints zeros for the torque; (5.18) is meant. The motion "
                    "is chaotic: after some seconds the two formulations part by rounding alone, and no curve is right "
                    "from there on.", 3.0),
        ),
        *(
            Exhibit(
                f"Figures 6.{2 * k + 1}, 6.{2 * k + 2}", f"closed loop {k}, PD with gravity, to {REFERENCES[k]} deg",
                "states converge in about 3 s",
                f"torsor simulate examples/scenarios/irb140_closed_loop_{k}.toml --plot run.png",
                partial(_compared, f"irb140_closed_loop_{k}", CLOSED),
            )
            for k in (1, 2, 3)
        ),
        Exhibit("Section 6.1.2", "actuators that change their torque at a limited rate", "no significant difference",
                "rate_limit = 1000 in [law] of a scenario", _rate_limits),
        Exhibit("Table 6.1", "simulated time and real time of four simulations", "6 s to 18 h",
                "torsor compare --papers fedorov", _times),
        Exhibit("Table 6.2", "operations of both formulations", "16080 and 39001", "torsor compare --papers fedorov",
                lambda: _table([partial(papers.fedorov, timing=False)])),
    ),
    ("The curves of Figures 6.1 to 6.8 were not printed as numbers and are missing from the scan.",),
)  # fmt: skip
