"""``import torsor`` must stay light: what is heavy is imported when it is first used."""

import subprocess
import sys

from torsor.shipped import shipped

HEAVY = ("llvmlite", "pydantic", "scipy", "lark", "rich", "cyclopts", "matplotlib", "defusedxml", "sympy", "asyncio")


def test_import_brings_nothing_heavy():
    program = f"import sys, torsor; print(*sorted(set(sys.modules) & {set(HEAVY)!r}))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


def test_a_check_without_a_cell_brings_no_scipy():
    """A quarter of a second: only hulls of meshes ask for it."""
    program = "import sys, torsor; torsor.check({!r}, 'rl15'); print('scipy' in sys.modules)"
    path = str(shipped("programs/rl15_tour.irl"))
    ran = subprocess.run([sys.executable, "-c", program.format(path)], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False"]
