"""How fast studies are: checks a second, a map of a million states, and what a second worker brings.

python benchmarks/study_speed.py [RUNS]
"""

import os
import sys
import time
from collections.abc import Callable

from torsor.emit.threads import cores
from torsor.study import CheckBase, Normal, SimulationBase, Study, Uniform, VibrationBase, workspace_map

TOUR = "examples/programs/rl15_tour.irl"


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """s, the better of two; the first also compiles."""
    found = []
    for _ in range(2):
        begun = time.perf_counter()
        given = work()
        found.append(time.perf_counter() - begun)
    return min(found), given


def checks(runs: int) -> Study:
    vary = {"payload": Uniform(0.0, 50.0), "friction": Normal(1.0, 0.2, least=0.2)}
    return Study(CheckBase.of(TOUR, "rl15"), vary, runs, name="checks")


def each_by_itself() -> Study:
    """Checks of which each is planned anew: processes."""
    return Study(CheckBase.of(TOUR, "rl15"), {"speed": Uniform(0.5, 0.9)}, 48, name="plans")


def simulations() -> Study:
    vary = {"Kp.factor": Uniform(0.5, 2.0), "payload": Uniform(0.0, 1.0)}
    return Study(SimulationBase.of("examples/studies/step.toml"), vary, 16384, name="simulations")


def vibrations() -> Study:
    return Study(VibrationBase.of(TOUR, "rl15-elastic"), {"payload": Uniform(0.0, 5.0)}, 16, name="vibrations")


def main(runs: int = 100_000) -> None:
    print(f"{cores()} cores, load {os.getloadavg()[0]:.1f}")
    seconds, given = timed(checks(runs).run)
    print(f"{runs} checks of rl15_tour, payload and friction vary: {seconds:.1f} s; {given.summary().headline}")
    seconds, _ = timed(lambda: workspace_map("rl15", "manipulability"))
    print(f"a map of 1000000 states: {seconds:.2f} s")
    print("from one worker to two:")
    for study in (checks(runs), simulations(), each_by_itself(), vibrations()):
        one, _ = timed(lambda study=study: study.run(workers=1))
        two, _ = timed(lambda study=study: study.run(workers=2))
        kind = "processes" if study.portions.processes else "threads"
        print(f"  {study.runs:7d} {study.name:12} {one:6.2f} s, {two:6.2f} s: {one / two:.2f} x ({kind})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
