"""Can the Lola 15 do its own program? Figures 5 to 7 of Kvrgic and Vidakovic (2020), redrawn from our run.

The published program is checked as it is, and with three times the acceleration, where motors saturate. Joint torques
come from the recursive Newton-Euler algorithm and from the paper's mRNEA; motor torques, accelerations, speeds and
positions with and without Algorithm 1.

    python examples/03_can_it_do_it.py [picture.png]

The picture needs matplotlib (pip install torsor[plot]).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import torsor
from torsor.checking import Verdict
from torsor.drives import Achieved, achievable

PROGRAM = Path(__file__).parent / "programs" / "rl15_tour.irl"
FORCE = np.array(
    [-100.0, -100.0, -150.0, 0.0, 0.0, 0.0]
)  # of the surroundings on the tool: the paper gives the reverse


def main(picture: str | None = None) -> None:
    arm = torsor.load("rl15")
    for times in (1.0, 3.0):
        verdict = torsor.check(PROGRAM, arm, wrench=FORCE, acceleration=times)
        signals = verdict.signals
        print(f"accelerations times {times:g}:\n  {verdict.headline}")
        u = arm.inverse_dynamics(signals.q, signals.qd, signals.qdd, wrench=FORCE)
        again = arm.inverse_dynamics(signals.q, signals.qd, signals.qdd, wrench=FORCE, by="mrnea")
        print(f"  joint torques by RNEA and mRNEA differ by {np.abs(u - again).max():.0e} N m at most")
        done = achievable(arm, signals.q, verdict.dt, wrench=FORCE)
        names = [name for name, limited in zip(verdict.motors, done.limited.any(axis=0), strict=True) if limited]
        print(f"  Algorithm 1 limits {', '.join(names) or 'no motor'}, in {done.limited.any(axis=1).sum()} cycles")
    if verdict.advice is not None:
        print(f"  {verdict.advice.sentence}:")
        print("\n".join(f"    line {line}: {what}" for line, what in verdict.advice.items()))
    if picture is not None:
        draw(picture, arm, verdict, u, again, done)


def draw(picture: str, arm: torsor.Arm, verdict: Verdict, u: np.ndarray, again: np.ndarray, done: Achieved) -> None:
    try:
        import matplotlib
    except ImportError:
        print("no picture: pip install torsor[plot]")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    signals = verdict.signals
    asked = [signals.torque, np.rad2deg(signals.qdd), np.rad2deg(signals.qd), np.rad2deg(signals.q)]
    reached = [done.reached, np.rad2deg(done.qdd), np.rad2deg(done.qd), np.rad2deg(done.q)]
    titles = ["joint torque [N m]", "motor torque [N m]", "acceleration [deg/s²]", "speed [deg/s]", "position [deg]"]
    figure, axes = pyplot.subplots(6, 5, sharex=True, figsize=(17, 12), layout="constrained")
    for k, row in enumerate(axes):
        row[0].plot(signals.time, u[:, k], color="#0072B2", label="RNEA")
        row[0].plot(signals.time[::12], again[::12, k], ".", markersize=3, color="#E69F00", label="mRNEA")
        for panel, plan, real in zip(row[1:], asked, reached, strict=True):
            panel.plot(signals.time, plan[:, k], color="#0072B2", label="asked")
            panel.plot(done.time, real[:, k], color="#D55E00", linewidth=1.0, label="with Algorithm 1")
        peak = arm.model.drives[k].motor.torque
        for side in (-peak, peak):
            row[1].axhline(side, color="gray", linestyle="--", linewidth=0.8)
        row[0].set_ylabel(f"axis {k + 1}")
    for panel, title in zip(axes[0], titles, strict=True):
        panel.set_title(title)
    for panel in axes[-1]:
        panel.set_xlabel("time [s]")
    axes[0, 0].legend(loc="upper left")
    axes[0, 1].legend(loc="upper left")
    figure.suptitle(f"{verdict.program} on {verdict.robot}, three times the programmed acceleration")
    figure.savefig(picture, dpi=70)
    print(f"  {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
