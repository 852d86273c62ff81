"""What a move of a long program costs: python benchmarks/long_programs.py [MOVES] [ARM]

RAPID programs of three kinds, read and checked in this process, warm: lines of a few millimetres with zones, as they
come from whoever prints or paints; joint moves with zones; lines that stop. CPU milliseconds a move of the faster of
two rounds, and the memory that the process took at its most.
"""

from __future__ import annotations

import math
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import torsor

TOOL = "PERS tooldata pen:=[TRUE,[[0,0,100],[1,0,0,0]],[1,[0,0,50],[1,0,0,0],0,0,0]];"
UNUSED = "[9E9,9E9,9E9,9E9,9E9,9E9]"


def program(moves: list[str]) -> str:
    first = f"MoveAbsJ [[0,0,0,0,30,0],{UNUSED}],v1000,fine,pen;"
    return "\n".join(
        ["MODULE Long", TOOL, "PROC main()", "ConfL\\Off;", "ConfJ\\Off;", first, *moves, "ENDPROC", "ENDMODULE"]
    )


def target(x: float, y: float, z: float) -> str:
    return f"[[{x:.3f},{y:.3f},{z:.3f}],[0,0,1,0],[0,0,0,0],{UNUSED}]"


def wavy(moves: int) -> list[str]:
    """Lines of 4 mm and less along a wave."""
    found = []
    for k in range(moves):
        way = 4.0 * k
        at = target(450 + 50 * math.sin(way / 60), -150 * math.cos(way / 300), 250 + 20 * math.sin(way / 23))
        found.append(f"{'MoveJ' if k == 0 else 'MoveL'} {at},v100,z1,pen;")
    return found


def scattered(moves: int, word: str, zone: str) -> list[str]:
    draw = random.Random(1).uniform
    near = (target(450 + draw(-60, 60), draw(-150, 150), 250 + draw(-60, 60)) for _ in range(moves))
    return [f"{'MoveJ' if k == 0 else word} {at},v500,{zone},pen;" for k, at in enumerate(near)]


def main(moves: int, name: str) -> None:
    arm = torsor.load(name)
    kinds = {
        "short lines with zones": wavy(moves),
        "joint moves with zones": scattered(moves, "MoveJ", "z10"),
        "lines that stop": scattered(moves, "MoveL", "fine"),
    }
    print(f"{moves} moves on {name}                CPU s    ms a move   MB")
    for kind, lines in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "long.mod"
            file.write_text(program(lines))
            took = []
            for _ in range(2):
                begun = time.process_time()
                verdict = torsor.check(file, arm, signals=False)
                took.append(time.process_time() - begun)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        judged = "" if verdict.feasible else f"   ({verdict.headline})"
        print(f"{kind:32} {min(took):8.2f} {1e3 * min(took) / moves:10.2f} {most:6.0f}{judged}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300, sys.argv[2] if len(sys.argv) > 2 else "irb140")
