"""Szkodny 1995: the dynamics of drives beyond the joints (STER), by a stand-in for the IRb-6."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from torsor import control, scenarios
from torsor.loading import load
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork, image, rows
from torsor.shipped import shipped

STAND_IN = "irb6 is a stand-in: geometry, inertias, couplings, torque constants and friction of the IRb-6 and the "
STAND_IN += (
    "currents of Figure 3 are not in the paper. Structure and end state are those of the text, all else is assumed."
)
SIMULATE = "torsor simulate examples/scenarios/irb6_currents.toml --motors motors.png"


@cache
def _run() -> Any:
    return scenarios.read(shipped("scenarios/irb6_currents.toml")).run()


def _motors() -> Outcome:
    return Outcome((image(_run().plot_motors(), "currents, torques, angles and speeds of five motors"),), STAND_IN)


def _end() -> Outcome:
    run, printed, held = _run(), (-130.0, -66.7, -51.0, -199.0, -199.0), (0.0, 3.18, -0.73, 0.0, 0.0)
    stuck = ["yes" if each else "no" for each in run.stuck[-1]]
    lines = [
        (name, f"{printed[k]:g}", f"{run.angles[-1, k]:.1f}", f"{held[k]:g}", f"{run.currents[-1, k]:.2f}", stuck[k])
        for k, name in enumerate(run.motors)
    ]
    titles = ("", "angle, paper [rad]", "here [rad]", "current there, paper [A]", "here [A]", "held by friction")
    said = "The currents of the stand-in were made so that its motors come to the printed angles; those that hold it "
    said += "there are its own. " + STAND_IN
    return Outcome((rows(titles, lines),), said)


def _servos() -> Outcome:
    gains = control.servo_gains(load("irb6"), 30.0, 0.7)
    return Outcome((rows(*gains.table()), image(gains.plot(), "effective inertia over postures")), STAND_IN)


def _dropped() -> Outcome:
    """What (8) drops: rotors that feel their carriers turn."""
    arm, rng = load("puma560"), np.random.default_rng(0)
    q = rng.uniform(-1.5, 1.5, (200, 6))
    exact, reduced = (arm.mass_matrix(q, drives=kind) for kind in (True, "reduced"))
    sizes = np.abs(exact - reduced).max(axis=0)
    lines = [(f"joint {i + 1}", *(f"{x:.1e}" for x in row)) for i, row in enumerate(sizes)]
    said = (
        "(8) drops n b' + b n', of relative order 1/n; here they are kept. The rotor terms of (9) and (12) vanish for "
    )
    said += "rotors fixed on links; (9) loses I q_a' q_a'' of linkages; (15) sums over all stages."
    return Outcome((rows(("kg m², largest of 200 postures", *(f"joint {k}" for k in range(1, 7))), lines),), said)


WORK = PublishedWork(
    "szkodny",
    "Dynamics of industrial robot manipulators (STER)",
    "Szkodny, Silesian Technical University, Gliwice (1995)",
    (
        Exhibit("Equation (8)", "what the reduced form of rotors leaves out, on the PUMA 560", "small of order 1/n",
                'arm.mass_matrix(q, drives="reduced")', _dropped),
        Exhibit("Figures 3, 4", "given currents of five motors in, their angles out", "five currents, five angles",
                SIMULATE, _motors),
        Exhibit("Section 3", "where the arm comes to rest", "-130, -66.7, -51, -199, -199 rad", SIMULATE, _end),
        Exhibit("Section 4", "servo settings from effective inertia", "asked for, not given",
                "torsor servo irb6 --map inertia.png", _servos),
    ),
    (STAND_IN,),
)  # fmt: skip
