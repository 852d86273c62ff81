"""Burdick 1986: EMDEG, the closed-form coefficients of the PUMA 560."""

from __future__ import annotations

import time
from functools import cache, partial
from typing import Any

import numpy as np

from torsor.deriving import derive
from torsor.loading import load
from torsor.report.markup import Column, Html, table
from torsor.reproducing.burdick_appendix import PRINTED, as_printed, evaluated, expressions
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork, rows

POSTURE = np.deg2rad([10.0, -50.0, 40.0, 30.0, -60.0, 20.0])
PARTS = {"M": "inertia matrix [kg m²]", "c": "centripetal coefficients", "b": "Coriolis coefficients", "g": "gravity"}


def _counts() -> Outcome:
    arm = load("puma560-burdick")
    began = time.process_time()
    coefficients, torques = (
        derive(arm, what, parameters="base").count().cost for what in ("coefficients", "inverse_dynamics")
    )
    took = time.process_time() - began
    lines = [
        ("coefficients M, c, b, g", "291 M 131 A", coefficients),
        ("inverse dynamics", "401 M 254 A", torques),
        ("inverse dynamics by Hollerbach's recursion, which it compares with", "852 M 733 A", ""),
        ("time to derive them", "10 min of a VAX 11/780", f"{took:.1f} s"),
    ]
    said = "The corrected Appendix II has 278 M 140 A by our count of its lines. Inverse dynamics here does not go "
    said += "through the coefficients."
    return Outcome((rows(("", "EMDEG", "here"), lines),), said)


@cache
def _both() -> tuple[dict[str, float], dict[str, float]]:
    """All names of the appendix at one posture, and ours by the same names."""
    equations = derive(load("puma560-burdick"), "coefficients", by="closed-form", parameters="symbolic", lengths=True)
    parameters = {name: float(value) for name, value in equations.values.items()}
    M, c, b, g = equations.tape.evaluate(POSTURE, *parameters.values())
    ours: dict[str, float] = {}
    for i in range(6):
        ours[f"g{i + 1}"] = -g[i] / parameters["g"]  # the paper's are -(1/g) dV/dq
        for j in range(6):
            ours |= {f"M{i + 1}{j + 1}": M[i, j], f"c{i + 1}{j + 1}{j + 1}": c[i, j]}
            ours |= {f"b{i + 1}{j + 1}{k + 1}": b[i, j, k] for k in range(j + 1, 6)}
    return evaluated(parameters, POSTURE), ours


def _text(titles: tuple[str, ...], lines: list[tuple[Any, ...]], numbers: int) -> Html:
    """A table whose last columns are numbers."""
    columns = [Column(title, number=k >= len(titles) - numbers) for k, title in enumerate(titles)]
    return table(columns, lines)


def _beside(letter: str) -> Outcome:
    theirs, ours = _both()
    named = {name: text for name, text in expressions().items() if name[0] == letter and name in ours}
    lines = [
        (name, _written(text), "corrected" if name in PRINTED else "", f"{theirs[name]:.9f}", f"{ours[name]:.9f}")
        for name, text in sorted(named.items())
    ]
    gap = max(abs(theirs[name] - ours[name]) for name in named)
    rest = [abs(value) for name, value in ours.items() if name[0] == letter and name not in named and _listed(name)]
    said = f"Nothing once corrected: the largest difference is {gap:.0e}; what the paper leaves out is zero here"
    said += f" ({max(rest, default=0.0):.0e})."
    return Outcome((_text(("", "Appendix II", "", "its value", "ours"), lines, 2),), said)


def _written(text: str) -> str:
    """As the paper writes products and powers."""
    return text.replace(" ** ", "**").replace("**", "^").replace(" * ", " ").replace("*", " ")


def _listed(name: str) -> bool:
    return name[0] != "M" or name[1] <= name[2]  # M is symmetric


def _corrections() -> Outcome:
    theirs, _ = _both()
    lines: list[tuple[Any, ...]] = []
    for name, text in PRINTED.items():
        value = as_printed(name, theirs)
        shown = "" if value is None else f"{value:.6f}"
        lines.append((f"{name}, printed", _written(text) or "missing", shown))
        lines.append(("right", _written(expressions()[name]), f"{theirs[name]:.6f}"))
    said = "26 lines are other ones, b256, g315 and K11132 are used or needed and not there. Some may be "
    said += (
        "slips of the scan. docs/errata.md has them with the other corrections, docs/puma560-appendix.md the listing."
    )
    return Outcome((_text(("", "Appendix II", "its value"), lines, 1),), said)


def _agree() -> Outcome:
    arm = load("puma560-burdick")
    q, qd, qdd = np.random.default_rng(1).uniform(-1.5, 1.5, (3, 100, 6))
    gap = np.abs(arm.inverse_dynamics(q, qd, qdd, by="closed-form") - arm.inverse_dynamics(q, qd, qdd)).max()
    lines = [("largest difference of torques at 100 states [N m]", "0", f"{gap:.0e}")]
    said = (
        "The choice of the recursion (along the diagonal, across, down) changes in which order coefficients are found, "
    )
    said += "not what they are or cost: each is written by the rules of its own row. So there is one here."
    return Outcome((rows(("", "exact", "here"), lines),), said)


AT = "at q = (10, -50, 40, 30, -60, 20) deg"
LISTING = "torsor derive puma560-burdick --what coefficients --by closed-form --parameters symbolic --lengths"
WORK = PublishedWork(
    "burdick",
    "An algorithm for generation of efficient manipulator dynamic equations (EMDEG)",
    "Burdick, Stanford University (1986)",
    (
        Exhibit("Section 6", "operations of the coefficients and of inverse dynamics", "291 M 131 A; 401 M 254 A",
                "torsor compare --operations", _counts),
        Exhibit("Sections 3, 4", "the closed form against Newton and Euler, and the order of recursion", "alike",
                'arm.inverse_dynamics(q, qd, qdd, by="closed-form")', _agree),
        Exhibit("Appendix II, corrections", "what is printed otherwise than it must be", "29 lines of it", LISTING,
                _corrections),
        *(
            Exhibit(f"Appendix II, {letter}", f"{what}, {AT}", "expressions", LISTING, partial(_beside, letter))
            for letter, what in PARTS.items()
        ),
    ),
    ("Numbers: the paper gives its example in symbols; those of puma560-burdick are of Armstrong, Khatib and Burdick's "
     "other data, as its file says.", "Figures 1 and 2 show frames; `torsor show puma560-burdick --3d` draws them."),
)  # fmt: skip
