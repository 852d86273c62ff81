"""What arrived, on disk: an MCAP file of JSON lines that can be read at any moment, also of a process that was killed.

Every line is a record of its own, with the time of its arrival, and handed to the system at most ``FLUSHED`` seconds
later. A process that dies tears the last record at most. A record is itself a source of `torsor monitor`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from time import localtime, monotonic, strftime, time_ns
from typing import Any

from torsor.errors import Unsupported
from torsor.model.files import growing
from torsor.monitoring.stream_samples import Arrived

FLUSHED = 0.1  # s that a line waits at most, while lines are asked for
SCHEMA = {
    "type": "object",
    "properties": {
        "t": {"type": "number", "description": "s"},
        **{
            word: {"type": "array", "items": {"type": "number"}, "description": what}
            for word, what in {
                "q": "rad, m for joints that slide",
                "qd": "rad/s, m/s",
                "tau_motor": "N m at the motors",
                "tau_joint": "N m at the joints, N where they slide",
                "tau": "as tau_motor of an arm with drives, else as tau_joint",
                "current": "A",
            }.items()
        },
    },
    "required": ["t", "q"],
}


class StreamRecord:
    """Grows by what arrives. A disk that takes no more ends it and is told in ``problem``; nothing is raised."""

    def __init__(self, path: Path, robot: str) -> None:
        try:
            from mcap.writer import CompressionType, Writer
        except ImportError:
            raise Unsupported("a record needs mcap", hint="pip install torsor[studio], or give --no-record") from None
        self.path, self.lines = path, 0
        self.problem: str | None = None
        self._stream = growing(path)
        self._writer: Any = Writer(self._stream, compression=CompressionType.NONE, use_chunking=False)
        self._flushed = monotonic()
        self._offset = time_ns() - int(1e9 * monotonic())  # from the clock of arrivals to the calendar's
        self._try(self._begin, robot)

    def _begin(self, robot: str) -> None:
        self._writer.start(profile="", library="torsor")
        schema = self._writer.register_schema("JointSample", "jsonschema", json.dumps(SCHEMA).encode())
        self._channel = self._writer.register_channel("joint_samples", "json", schema, {"robot": robot})
        self._stream.flush()

    def take(self, arrivals: Iterable[Arrived]) -> None:
        """Also to be called without any, so that what waits is written."""
        if self.problem is None:
            self._try(self._write, arrivals)

    def _write(self, arrivals: Iterable[Arrived]) -> None:
        now = monotonic()
        for each in arrivals:
            at = self._offset + int(1e9 * (now if each.at is None else each.at))
            self._writer.add_message(self._channel, log_time=at, data=each.line, publish_time=at, sequence=self.lines)
            self.lines += 1
        if now - self._flushed >= FLUSHED:
            self._stream.flush()
            self._flushed = now

    def close(self) -> None:
        if self.problem is None:
            self._try(self._end)
        try:
            self._stream.close()
        except OSError as error:  # what was still waiting did not fit
            self.problem = self.problem or self._told(error)

    def _end(self) -> None:
        self._writer.finish()
        self._stream.flush()

    def _try(self, do: Any, *arguments: Any) -> None:
        try:
            do(*arguments)
        except OSError as error:
            self.problem = self._told(error)

    def _told(self, error: OSError) -> str:
        return f"{self.path}: the record ends here: {error.strerror or error}"


def usual_record(robot: str) -> Path:
    """A name in the current folder that no other record has."""
    word = re.sub(r"[^\w.-]+", "-", Path(robot).stem).strip(".-")[:40] or "arm"
    name = f"monitor-{word}-{strftime('%Y%m%d-%H%M%S', localtime())}"
    paths = (Path(f"{name}{more}.mcap") for more in ("", *(f"-{k}" for k in range(2, 1000))))
    return next(path for path in paths if not path.exists())
