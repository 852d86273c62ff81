"""The same arm gives the same tape in every process: object caches and golden files rely on it."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
from traced_arms import inverse_dynamics, puma
from torsor.algebra import simplify, symbols, tape_from
q, qd, qdd = (symbols(name, 6) for name in ("q", "qd", "qdd"))
tau = inverse_dynamics(puma(), q, qd, qdd)[2:]
for effort in ("normal", "high"):
    small = simplify(tau, effort=effort, turns=2)
    print(tape_from("id", {"q": q, "qd": qd, "qdd": qdd}, {"tau": small}).text())
"""


def test_every_process_makes_the_same_tape():
    here = Path(__file__).parent
    texts = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{here}{os.pathsep}{here.parents[1] / 'src'}"}
        made = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True)
        texts.add(made.stdout)
    assert len(texts) == 1
