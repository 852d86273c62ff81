"""The picture of docs/monitoring.md: a simulated robot that is pushed, as `torsor monitor` shows it."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time

COMMAND = "import sys; from torsor.cli import main; sys.exit(main(sys.argv[1:]))"
PUSHED = 7.0  # s
TROUBLE = ["--collision", str(PUSHED), "--payload", "2", "--seconds", "60"]


def free_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return f"udp://127.0.0.1:{probe.getsockname()[1]}"


def pushed_robot(camera, robot="rl15"):
    place = free_address()
    command = [sys.executable, "-c", COMMAND, "monitor", place, "--robot", robot, "--no-open"]
    watching = subprocess.Popen(
        command, cwd=camera.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    address = next(found[1] for line in watching.stderr if (found := re.search(r"(http://\S+)", line)))
    camera.open(address, 1360, 960, 1.0)
    sending = subprocess.Popen(
        [sys.executable, "examples/robot_sender.py", "--robot", robot, "--to", place, *TROUBLE],
        stdout=subprocess.DEVNULL,
    )
    try:
        camera.wait(f"torsor.time() > {PUSHED + 3.5}")
        camera.js(f"torsor.setTime({PUSHED + 0.15})")
        time.sleep(1.0)
        return camera.taken()
    finally:
        sending.terminate()
        sending.wait()
        watching.send_signal(signal.SIGINT)
        watching.communicate()
