"""Given motor currents in, motor angles out: a start through starting friction, a cruise, and a stop that sticks.

Szkodny's STER (1995) shows this for the IRb-6 in its Figures 3 and 4. The data of that arm are not published (geometry,
inertias, couplings, torque constants, friction, currents), so its end state cannot be reproduced; this is the same
computation for the RL15, whose drives are known. Assumed here, because the RL15's are not published either: torque
constants of 1 N m/A, and Coulomb friction of 4 % of the peak torque, 6 % for starting.

    python examples/02_motor_currents.py [picture.png]

The picture needs matplotlib (pip install torsor[plot]).
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

import torsor

DT = 1e-3


def arm_with_motors() -> torsor.Arm:
    model = torsor.load("rl15").model
    drives = []
    for drive in model.drives:
        peak = drive.motor.torque
        motor = replace(drive.motor, torque_constant=1.0, current=peak)
        friction = replace(drive.friction, coulomb=(0.04 * peak,) * 2, starting=(0.06 * peak,) * 2)
        drives.append(replace(drive, motor=motor, friction=friction))
    return torsor.Arm(replace(model, drives=tuple(drives)))


def currents(arm: torsor.Arm, q0: np.ndarray) -> np.ndarray:
    """Motor 1: too little to start, a start, a cruise, a brake too weak to turn it back. The others hold."""
    hold = arm.drives.currents(arm.drives.torques(q0, np.zeros(6), np.zeros(6)))
    time = np.arange(0.0, 2.5, DT)
    steps = [(0.2, 1.0), (0.5, 3.0), (1.5, 0.75), (2.5, -1.0)]  # until s, A
    first = np.select([time < until for until, _ in steps], [current for _, current in steps])
    table = np.tile(hold, (len(time), 1))
    table[:, 0] += first
    return table


def main(picture: str | None = None) -> None:
    arm = arm_with_motors()
    q0 = np.deg2rad([0.0, -20.0, 30.0, 0.0, 40.0, 0.0])
    current = currents(arm, q0)
    done = torsor.simulate(arm, arm.drives.torques_of(current), q0=q0, until=DT * len(current), dt=DT)
    angle, rate = arm.drives.positions(done.q), arm.drives.rates(done.q, done.qd)

    starts = np.flatnonzero(done.stuck[:-1, 0] & ~done.stuck[1:, 0])
    stops = np.flatnonzero(~done.stuck[:-1, 0] & done.stuck[1:, 0])
    print(f"{arm.name}: motor 1 starts at {done.time[starts[0]]:.3f} s, {current[starts[0], 0]:g} A")
    print(f"  cruises at {rate[:, 0].max():.1f} rad/s")
    print(f"  stops at {done.time[stops[-1] + 1]:.3f} s after {angle[-1, 0] - angle[0, 0]:.2f} rad, and sticks")
    held = [name for name, stuck in zip(done.elements, done.stuck.T, strict=True) if stuck.all()]
    print(f"  never moved: {', '.join(held)}")
    print(f"  RMS torque {np.sqrt((current**2).mean(axis=0)).round(2).tolist()} N m")
    if picture is not None:
        draw(picture, done.time, current, angle - angle[0])


def draw(picture: str, time: np.ndarray, current: np.ndarray, angle: np.ndarray) -> None:
    try:
        import matplotlib
    except ImportError:
        print("no picture: pip install torsor[plot]")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (above, below) = pyplot.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained")
    above.step(time[:-1], current[:, 0], where="post")
    above.set_ylabel("current of motor 1 [A]")
    below.plot(time, angle[:, 0])
    below.set_ylabel("angle of motor 1 [rad]")
    below.set_xlabel("time [s]")
    figure.savefig(picture)
    print(f"  {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
