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
    quiet = {"stdout": subprocess.DEVNULL}
    watch = [sys.executable, "-c", COMMAND, "monitor", place, "--robot", robot, "--no-open"]
    send = [sys.executable, "examples/robot_sender.py", "--robot", robot, "--to", place, *TROUBLE]
    watching = subprocess.Popen(watch, cwd=camera.folder, stderr=subprocess.PIPE, text=True, **quiet)
    address = next(found[1] for line in watching.stderr if (found := re.search(r"(http://\S+)", line)))
    sending = subprocess.Popen(send, **quiet)  # the page is ready once it has heard of the robot
    try:
        camera.open(address, 1360, 960, 1.0)
        camera.wait(f"torsor.time() > {PUSHED + 3.5}")
        camera.js(f"torsor.setTime({PUSHED + 0.15})")
        time.sleep(1.0)
        return camera.taken()
    finally:
        sending.terminate()
        sending.wait()
        watching.send_signal(signal.SIGINT)
        watching.communicate()
