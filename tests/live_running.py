"""Streams with a page: `torsor monitor` as users start it, and one whose frames a test sends itself."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import torsor
from torsor.monitoring.monitoring import Monitor

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from robot_sender import paced, samples

COMMAND = "import sys; from torsor.cli import main; sys.exit(main(sys.argv[1:]))"


def free_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return f"udp://127.0.0.1:{probe.getsockname()[1]}"


class Sending(threading.Thread):
    """A simulated robot in real time, which then stands still until it is ended."""

    def __init__(self, place: str, lines: list[dict]) -> None:
        super().__init__(daemon=True)
        self.port, self.lines = urlsplit(place).port, lines
        self.sent, self.last, self.stop = 0, lines[0], threading.Event()

    def run(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            for line in paced(chain(self.lines, self._standing())):
                if self.stop.is_set():
                    return
                udp.sendto(line, ("127.0.0.1", self.port))
                self.sent, self.last = self.sent + 1, json.loads(line)

    def _standing(self) -> Iterator[dict]:
        last = self.lines[-1]
        for k in count(1):
            yield last | {"t": last["t"] + 1e-3 * k, "qd": [0.0] * len(last["q"])}

    def end(self) -> None:
        self.stop.set()
        self.join(5.0)


def sending(place: str, robot: str, seconds: float, **trouble) -> Sending:
    thread = Sending(place, list(samples(robot, seconds, 1000.0, **trouble)))
    thread.start()
    return thread


def warm(robot: str) -> None:
    """What a stream needs compiled is compiled, so that a test of time is none of the compiler."""
    arm, told = torsor.load(robot), list(samples(robot, 0.2))
    from torsor.monitoring.stream_samples import Arrived, SampleReader

    reader, monitor = SampleReader(arm), Monitor(arm)
    monitor.take([reader.read(Arrived(each)) for each in told])
    monitor.frame()


@dataclass
class Watching:
    """`torsor monitor` in a process of its own."""

    process: subprocess.Popen
    address: str
    folder: Path

    @property
    def base(self) -> str:
        return self.address.partition("/?")[0]

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.address).query)["token"][0]

    @property
    def record(self) -> Path:
        (found,) = self.folder.glob("monitor-*.mcap")
        return found

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        if self.process.poll() is None:
            self.process.send_signal(how)
        out, _ = self.process.communicate(timeout=20)
        return self.process.returncode, out


def watching(folder: Path, place: str, robot: str, *more: str) -> Watching:
    command = [sys.executable, "-c", COMMAND, "monitor", place, "--robot", robot, "--no-open", *more]
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(command, cwd=folder, env=os.environ | {"COLUMNS": "100"}, text=True, **pipes)
    for line in process.stderr:
        if found := re.search(r"the page is at (http://127\.0\.0\.1:\d+/\?token=\S+)", line):
            return Watching(process, found[1], folder)
    raise AssertionError("the page did not start")


class Client:
    """A page without a browser."""

    def __init__(self, base: str, token: str, origin: str | None = None) -> None:
        from websockets.sync.client import connect

        headers = {"Authorization": f"Bearer {token}", "Origin": origin or base}
        where = base.replace("http", "ws") + "/api/frames"
        options = {"additional_headers": headers, "compression": None, "proxy": None, "close_timeout": 1}
        self._closing = ExitStack()
        self.socket = self._closing.enter_context(connect(where, **options))
        self.messages: list[dict] = []
        self.flags: dict[str, dict] = {}

    def hear(self, *, answer: bool = True, timeout: float = 5.0) -> dict:
        told = json.loads(self.socket.recv(timeout))
        self.messages.append(told)
        self.flags |= told["flags"]
        if answer:
            self.socket.send(str(told["number"]))
        return told

    def hear_for(self, seconds: float) -> list[dict]:
        """Frames that came; empty where none did."""
        until, found = time.monotonic() + seconds, []
        while (left := until - time.monotonic()) > 0.0:
            try:
                told = self.hear(timeout=left)
            except TimeoutError:
                break
            if "frame" in told:
                found.append(told["frame"])
        return found

    def hear_all(self, *, answer: bool = True, timeout: float = 1.0) -> bool:
        """Until nothing more comes; whether that is because the server ended it."""
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self.hear(answer=answer, timeout=timeout)
        except TimeoutError:
            return False
        except ConnectionClosed:
            return True

    def close(self) -> None:
        self._closing.close()
