"""``import torsor`` must stay light: what is heavy is imported when it is first used."""

import subprocess
import sys

HEAVY = ("llvmlite", "pydantic", "scipy", "lark", "rich", "cyclopts", "matplotlib", "defusedxml", "sympy", "asyncio")


def test_import_brings_nothing_heavy():
    program = f"import sys, torsor; print(*sorted(set(sys.modules) & {set(HEAVY)!r}))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
