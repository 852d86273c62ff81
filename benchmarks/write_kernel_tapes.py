"""Tapes for kernels of library arms: searched for as records are, measured, written into src/torsor/records/kernels.

python benchmarks/write_kernel_tapes.py [ARM ...]       minutes for each arm that has not been searched for here before
python benchmarks/write_kernel_tapes.py --measure       the table of those that are there

Measured are shares of the time that what is traced and simplified at once takes: of a state in a batch and alone, with
the widest vectors of this machine and with AVX2. A tape is written if their mean is below 0.98 and none above 1.02.
What is written last of an arm and a quantity stays.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from torsor import derive
from torsor.algebra import Tape, parse
from torsor.emit import compile_kernel
from torsor.emit.kernel_files import DECIMALS, KERNELS, path_for, path_that_came
from torsor.loading import load
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import kernel_work
from torsor.measuring.states import states
from torsor.measuring.stopwatch import FULL, compared
from torsor.mechanics.asking import Question, trace
from torsor.mechanics.quantities import QUANTITIES

ARMS = ("ur5", "ur5e", "ur10e", "panda", "fr3", "gen3", "kr6-r900-2", "kr210-r2700-2", "puma560", "rl15", "irb140")
WHAT = "inverse_dynamics", "forward_dynamics"
STATES = 1024
MEAN_BELOW, NONE_ABOVE = 0.98, 1.02
AGREES = 1e-10  # of the largest element: forward dynamics of light wrists lose digits, whichever way


def facts(robot: str, what: str) -> bytes:
    found = Question(load(robot)._trees, QUANTITIES[what]).rounded(DECIMALS)
    assert found is not None
    return found


def times(robot: str, what: str, tape: Tape) -> tuple[float, float]:
    """Of a state in a batch, and alone, by this tape: shares of the times of what is traced at once."""
    arm = load(robot)
    plain = compile_kernel(trace(arm._trees, what))
    ours, theirs = (kernel_work(kernel, states(STATES, arm.n)) for kernel in (compile_kernel(tape), plain))
    for _, _, batch in (ours, theirs):
        batch.run(1)
    assert difference(ours[0], theirs[0]) < AGREES
    assert ours[1] is not None
    assert theirs[1] is not None
    return tuple(1 / compared(a, b, FULL).ratio for a, b in ((ours[2], theirs[2]), (ours[1], theirs[1])))


def measured(robot: str, what: str, path: Path) -> list[tuple[float, float]]:
    """With the widest vectors there are, and with AVX2, each in a process of its own."""
    found = []
    for vectors in ("", "avx2"):
        command = [sys.executable, __file__, "--times", robot, what, str(path)]
        told = subprocess.run(command, env=os.environ | {"TORSOR_VECTORS": vectors}, stdout=subprocess.PIPE, check=True)
        batch, alone = map(float, told.stdout.split())
        found.append((batch, alone))
    return found


def is_faster(shares: list[tuple[float, float]]) -> bool:
    each = [share for pair in shares for share in pair]
    return sum(each) / len(each) < MEAN_BELOW and max(each) <= NONE_ABOVE


def told(robot: str, what: str, tape: Tape, shares: list[tuple[float, float]], more: str = "") -> None:
    plain = trace(load(robot)._trees, what).counts()
    here = "; ".join(f"batch {batch:.2f}, alone {alone:.2f}" for batch, alone in shares)
    fewer = f"{plain.M} + {plain.A} -> {tape.counts().M} + {tape.counts().A}"
    print(f"{robot:14} {what:17} {fewer}: {here}{more}", flush=True)


def write(robots: list[str]) -> None:
    for robot in robots:
        for what in WHAT:
            tape = derive(load(robot), what, effort="record").tape
            with TemporaryDirectory() as folder:
                path = Path(folder) / "tape"
                path.write_text(tape.text(), encoding="utf-8")
                shares = measured(robot, what, path)
            better = is_faster(shares)
            if better:
                path = path_for(KERNELS, f"{robot}-{what.replace('_', '-')}", facts(robot, what), ".tape")
                path.write_text(tape.text(), encoding="utf-8")
            told(robot, what, tape, shares, ", written" if better else "")


def measure() -> None:
    for robot in ARMS:
        for what in WHAT:
            if (path := path_that_came(KERNELS, facts(robot, what))) is not None:
                told(robot, what, parse(path.read_text(encoding="utf-8")), measured(robot, what, path))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--times"]:
        print(*times(sys.argv[2], sys.argv[3], parse(Path(sys.argv[4]).read_text(encoding="utf-8"))))
    elif sys.argv[1:] == ["--measure"]:
        measure()
    else:
        write(sys.argv[1:] or ARMS)
