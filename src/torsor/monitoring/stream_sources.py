"""Where samples come from: an address on this machine, a log, or standard input."""

from __future__ import annotations

import os
import select
import sys
from math import inf
from pathlib import Path
from time import monotonic
from typing import Literal, Protocol

from torsor.arm import Arm
from torsor.errors import did_you_mean, printable
from torsor.monitoring.logs import log_source
from torsor.monitoring.stream_samples import LONGEST_LINE, Arrived, StreamError

LogPace = float | Literal["full"]


class Source(Protocol):
    """What is read from."""

    live: bool  # whether it is gone if nobody keeps it

    def read(self, timeout: float) -> list[Arrived] | None:
        """What has arrived, after so many seconds at most; None at the end."""

    def close(self) -> None:
        """Ends it."""


def source_of(place: str, arm: Arm, pace: LogPace = 1.0) -> Source:
    """udp://127.0.0.1:PORT, ws://127.0.0.1:PORT, a .csv, .parquet or .mcap file, or - for lines of standard input."""
    if place == "-":
        return LinesSource(sys.stdin.fileno())
    scheme, between, _ = place.partition("://")
    if between:
        from torsor.monitoring.sockets import SCHEMES, UdpSource, WebSocketSource

        if scheme not in SCHEMES:
            known = did_you_mean(scheme, SCHEMES)
            raise StreamError(f"there are no streams over {printable(scheme)!r}", hint=known)
        return UdpSource(place) if scheme == "udp" else WebSocketSource(place)
    speed = inf if pace == "full" else float(pace)
    if not speed > 0.0:
        raise StreamError(f"the pace is {pace}", hint="above zero, or full")
    return log_source(Path(place), arm, speed)


class LinesSource:
    """Lines of a pipe. One that does not end is given once it is too long, and what follows of it is thrown away."""

    live = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._rest, self._skipping = descriptor, b"", False

    def read(self, timeout: float) -> list[Arrived] | None:
        if not select.select([self._descriptor], [], [], timeout)[0]:
            return []
        data = os.read(self._descriptor, LONGEST_LINE)
        now = monotonic()
        if not data:
            last, self._rest = self._rest, b""
            return [Arrived(last, now)] if last.strip() and not self._skipping else None
        *lines, rest = (self._rest + data).split(b"\n")
        if lines and self._skipping:
            lines, self._skipping = lines[1:], False
        if len(rest) > LONGEST_LINE:
            lines += [] if self._skipping else [rest]
            rest, self._skipping = b"", True
        self._rest = rest
        return [Arrived(line, now) for line in lines if line.strip()]

    def close(self) -> None:
        """Standard input is its owner's."""
