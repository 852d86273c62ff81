"""A studio in a process of its own, as users start it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from dataclasses import dataclass

import httpx

PROGRAM = "examples/programs/rl15_tour.irl"
COMMAND = "import sys; from torsor.cli import main; sys.exit(main())"


@dataclass
class Running:
    base: str
    token: str
    process: subprocess.Popen

    @property
    def address(self) -> str:
        return f"{self.base}/?token={self.token}"

    @property
    def port(self) -> int:
        return int(self.base.rpartition(":")[2])

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(
            base_url=self.base, headers={"Authorization": f"Bearer {self.token}"} | headers, timeout=120
        )

    def ask(self, question: str, **asked) -> dict:
        with self.client() as client:
            answer = client.post(f"/api/ask/{question}", json=asked)
        assert answer.status_code == 200, answer.text
        return answer.json()


def started(*arguments: str) -> Running:
    command = [sys.executable, "-c", COMMAND, "studio", "--no-open", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if found := re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", line):
            return Running(found[1], found[2], process)
    raise AssertionError("the studio did not start")


def ended(running: Running) -> int:
    running.process.send_signal(signal.SIGINT)
    code = running.process.wait(timeout=10)
    running.process.stdout.close()
    return code
