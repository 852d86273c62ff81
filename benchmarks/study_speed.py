"""How fast studies are: checks a second, a map of a million states, and what a second worker brings.

python benchmarks/study_speed.py                  100,000 checks, a map, and all kinds of runs on one core and on two
python benchmarks/study_speed.py checks plans     some kinds only: checks, simulations, plans, vibrations, map
python benchmarks/study_speed.py --on cluster     the same on workers of Dask

Each figure is the better of two runs of the same study: the first also compiles, plans and, with Dask, waits for
workers that begin. What that takes is told too, as "at first". Where processes do the work each run begins with new
ones, so one is measured, with all that they need to begin.
"""

import os
import sys
import time
from collections.abc import Callable

from torsor.emit.threads import cores
from torsor.programs import parse
from torsor.study import CheckBase, Normal, QuantityBase, SimulationBase, Study, Uniform, VibrationBase, workspace_map

SWING = """.PROGRAM swing()
  MOVE #PPOINT(40, -20)
  MOVE #PPOINT(-30, 60)
.END
"""
TOUR = "examples/programs/rl15_tour.irl"


def timed(work: Callable[[], object], times: int = 2) -> tuple[float, float, object]:
    """s, the better of so many, that of the first, and what it gave."""
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        given = work()
        found.append(time.perf_counter() - begun)
    return min(found), found[0], given


def busy() -> float:
    """s of all cores that were in use since the machine began, by whomever; NaN where that is not known."""
    try:
        with open("/proc/stat", encoding="ascii") as stream:
            user, nice, system, _, _, *more = map(int, stream.readline().split()[1:])
    except OSError:
        return float("nan")
    return (user + nice + system + sum(more[:2])) / os.sysconf("SC_CLK_TCK")


def own_time() -> float:
    """s of this process and of those that it started and that ended."""
    each = os.times()
    return each.user + each.system + each.children_user + each.children_system


class Watched:
    """What others took of the cores meanwhile."""

    def __enter__(self) -> "Watched":
        self._begun = busy(), own_time(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        now = busy(), own_time(), time.perf_counter()
        all_, own, wall = (b - a for a, b in zip(self._begun, now, strict=True))
        self.others = max(0.0, all_ - own) / wall  # cores


def checks(runs: int = 2_000_000) -> Study:
    vary = {"payload": Uniform(0.0, 50.0), "friction": Normal(1.0, 0.2, least=0.2)}
    return Study(CheckBase.of(TOUR, "rl15"), vary, runs, name="checks", outputs=("feasible", "torque"))


def plans() -> Study:
    """Checks of which each is planned anew: processes."""
    return Study(CheckBase.of(TOUR, "rl15"), {"speed": Uniform(0.5, 0.9)}, 160, name="plans")


def simulations() -> Study:
    vary = {"Kp.factor": Uniform(0.5, 2.0), "payload": Uniform(0.0, 1.0)}
    return Study(SimulationBase.of("examples/studies/step.toml"), vary, 16384, name="simulations")


def vibrations() -> Study:
    """Two links and a short program: nearly all of a run is deriving and compiling the arm with its own payload, some
    1 s here, 15 s for rl15-elastic."""
    base = VibrationBase.of(parse(SWING, "VAL II"), "elastic-arm2")
    return Study(base, {"payload": Uniform(0.0, 0.5)}, 24, name="vibrations")


def states() -> Study:
    base = QuantityBase.of("rl15", quantities=("manipulability",))
    return Study(base, base.whole(), 4_000_000, "sobol", outputs=("x", "z", "manipulability"), name="map")


STUDIES = {"checks": checks, "simulations": simulations, "plans": plans, "vibrations": vibrations, "map": states}


def spread(study: Study, count: int, cluster: bool) -> tuple[float, float]:
    """s on so many workers, and s at first."""
    if not cluster:
        if study.portions.processes:
            study.evaluate(0)  # compiles
        return timed(lambda: study.run(workers=count), 1 if study.portions.processes else 2)[:2]
    from distributed import LocalCluster

    begun = time.perf_counter()
    with LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as own:
        ready = time.perf_counter() - begun
        best, first, _ = timed(lambda: study.run(on=own.scheduler_address))
    return best, ready + first


def main(words: list[str]) -> None:
    cluster = "--on" in words
    names = [word for word in words if word in STUDIES] or list(STUDIES)
    print(f"{cores()} cores, load {os.getloadavg()[0]:.1f}")
    if not words:
        seconds, first, given = timed(checks(100_000).run)
        print(f"100000 checks of rl15_tour, payload and friction vary: {seconds:.2f} s, at first {first:.2f} s")
        print(f"  {given.summary().headline}")
        seconds, first, _ = timed(lambda: workspace_map("rl15", "manipulability"))
        print(f"a map of 1000000 states: {seconds:.2f} s, at first {first:.2f} s")
    print(f"from one worker{' of Dask' if cluster else ''} to two:")
    for study in (STUDIES[name]() for name in names):
        with Watched() as alone:
            one, first = spread(study, 1, cluster)
        with Watched() as together:
            two, first_of_two = spread(study, 2, cluster)
        kind = "Dask" if cluster else "processes" if study.portions.processes else "threads"
        seconds = f"{one:6.2f} s, {two:6.2f} s: {one / two:.2f} x"
        others = f"others used {alone.others:.2f} and {together.others:.2f} cores"
        at_first = f"at first {first:.2f} s, {first_of_two:.2f} s"
        print(f"  {study.runs:7d} {study.name:12} {seconds} ({kind}; {at_first}; {others})", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
