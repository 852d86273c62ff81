"""Burdick 1986: EMDEG, the closed-form coefficients of the PUMA 560."""

from __future__ import annotations

from torsor.deriving import derive
from torsor.loading import load
from torsor.reproducing.exhibit import Exhibit, Outcome, PublishedWork, rows


def _counts() -> Outcome:
    arm = load("puma560-burdick")
    printed = {"coefficients": "291 M 131 A", "inverse_dynamics": "401 M 254 A"}
    lines = [
        (what.replace("_", " "), said, derive(arm, what, parameters="base").count().cost)
        for what, said in printed.items()
    ]
    said = "The corrected Appendix II has 278 M 140 A by our count of its lines; 26 printed expressions are corrected."
    return Outcome((rows(("", "EMDEG", "here"), lines),), said)


def _agree() -> Outcome:
    import numpy as np

    arm = load("puma560-burdick")
    q, qd, qdd = np.random.default_rng(1).uniform(-1.5, 1.5, (3, 100, 6))
    gap = np.abs(arm.inverse_dynamics(q, qd, qdd, by="closed-form") - arm.inverse_dynamics(q, qd, qdd)).max()
    lines = [("largest difference of torques at 100 states [N m]", "0", f"{gap:.0e}")]
    said = (
        "The choice of the recursion (along the diagonal, across, down) changes in which order coefficients are found, "
    )
    said += "not what they are or cost: each is written by the rules of its own row. So there is one here."
    return Outcome((rows(("", "exact", "here"), lines),), said)


WORK = PublishedWork(
    "burdick",
    "An algorithm for generation of efficient manipulator dynamic equations (EMDEG)",
    "Burdick, Stanford University (1986)",
    (
        Exhibit("Counts", "operations of the coefficients and of inverse dynamics", "291 M 131 A; 401 M 254 A",
                "torsor compare --operations", _counts),
        Exhibit("Appendix II", "the closed form against Newton and Euler", "alike",
                "torsor derive puma560-burdick --what coefficients --to latex", _agree),
    ),
    ("Appendix II stands beside ours in docs/puma560-appendix.md, with every correction.",),
)  # fmt: skip
