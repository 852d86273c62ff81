"""Nothing is fetched and nothing is sent: only streams on this machine know how, and what runs opens no connection."""

import ast
import subprocess
import sys
from pathlib import Path

import torsor

SOURCES = sorted(Path(torsor.__file__).parent.rglob("*.py"))
NETWORK = {"socket", "ssl", "http.client", "http.server", "urllib.request", "ftplib", "smtplib", "asyncio"}
NETWORK |= {"requests", "httpx", "aiohttp", "websockets", "websockets.sync.client", "websockets.exceptions"}
NETWORK |= {"dask", "distributed"}
# Streams of `torsor monitor`, which refuse every address but this machine's; studies, on the cluster that was named.
LOOPBACK = {"sockets.py", "dask_engine.py"}

# Whatever would look up a name, open a connection or wait for one raises in this process, be it ours or a library's.
PROGRAM = """
import sys

def refuse(event, arguments):
    if event.partition(".")[0] in ("socket", "urllib", "http", "ftplib", "smtplib"):
        raise PermissionError(f"{event}{arguments}")

sys.addaudithook(refuse)
import numpy as np
import torsor
from torsor import control
from torsor.cli import main

arm = torsor.load("planar2")
q = np.full((3, 2), 0.1)
arm.inverse_dynamics(q, q, q)
torsor.derive(arm, effort="normal").to_c()
torsor.simulate(arm, control.pd_gravity(arm, 20.0, 9.0, q[0]), q0=[0.0, 0.0], until=0.01, dt=1e-3)
sys.exit(main(["robots"]) or main(["check", sys.argv[1], "--robot", "rl15", "--report", sys.argv[2]]))
"""

SWING = """program swing;
var
  joint: far = joint(mainjoint(-20, 10, 10));
endvar
seq
  move ptp far;
endseq
endprogram
"""


def imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def test_no_module_knows_the_network():
    """But the rooms that serve pages to this computer, which tests of their own hold to the loopback."""
    assert len(SOURCES) > 200
    serving = Path(torsor.__file__).parent / "studio"
    others = [path for path in SOURCES if path.name not in LOOPBACK and not path.is_relative_to(serving)]
    found = {path.name: imported(path) & NETWORK for path in others}
    assert not {name: modules for name, modules in found.items() if modules}


def test_a_day_of_work_opens_no_connection(tmp_path: Path):
    moves, report = tmp_path / "swing.irl", tmp_path / "report.html"
    moves.write_text(SWING)
    ran = subprocess.run([sys.executable, "-c", PROGRAM, moves, report], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert report.exists()


def test_the_refusal_would_be_seen():
    """A connection to nowhere, under the same rule."""
    connects = PROGRAM.partition("import numpy")[0] + "import socket; socket.create_connection(('127.0.0.1', 9))"
    ran = subprocess.run([sys.executable, "-c", connects], capture_output=True, text=True, check=False)
    assert "PermissionError: socket" in ran.stderr
