"""A stream watched: one thread takes what arrives and keeps it on disk, the caller's holds it against the model.

The thread that takes never waits for the other: a slow page or a kernel that is compiled costs latency, no samples.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from threading import Event, Thread
from time import monotonic
from typing import Literal

from torsor.monitoring.frames import MonitorFrame
from torsor.monitoring.monitoring import Monitor
from torsor.monitoring.stream_record import StreamRecord
from torsor.monitoring.stream_samples import Arrived, SampleReader, StreamSample
from torsor.monitoring.stream_sources import Source

FRAMES = 60.0  # a second
LISTENING = 0.05  # s that a source is waited for, between two looks at the record
WAITING = 200_000  # arrivals that may wait: minutes of a kilohertz; a log waits instead
REMEMBERED = 36_000  # latencies, of ten minutes

Ended = Literal["ended", "interrupted", "time is over"]


@dataclass
class Watched:
    """What became of a stream."""

    monitor: Monitor
    reader: SampleReader
    record: StreamRecord | None
    ended: Ended = "ended"
    frames: int = 0
    overrun: int = 0  # that nobody could look at: they are in the record alone
    seconds: float = 0.0
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    @property
    def latency(self) -> tuple[float, float] | None:
        """The median and the worst, in s from arrival to frame."""
        return (median(self.latencies), max(self.latencies)) if self.latencies else None


class Pump(Thread):
    """Takes what arrives."""

    def __init__(self, source: Source, record: StreamRecord | None) -> None:
        super().__init__(name="torsor stream", daemon=True)
        self._source, self._record = source, record
        self.waiting: deque[Arrived] = deque()
        self.over, self.stop = Event(), Event()
        self.overrun = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.stop.is_set():
                found = self._source.read(LISTENING)
                if self._record is not None:
                    self._record.take(found or ())
                if found is None:
                    break
                self.waiting.extend(found)
                while len(self.waiting) > WAITING:
                    if self._source.live:
                        self.waiting.popleft()
                        self.overrun += 1
                    elif self.stop.wait(LISTENING):
                        break
        except BaseException as error:  # raised where the stream is watched
            self.error = error
        finally:
            self.over.set()

    def taken(self) -> list[Arrived]:
        """All that waits."""
        return [self.waiting.popleft() for _ in range(len(self.waiting))]


def watch(
    source: Source, monitor: Monitor, *, record: StreamRecord | None = None, seconds: float | None = None,
    rate: float = FRAMES, on_frame: Callable[[MonitorFrame], None] = lambda frame: None,
    heard: Callable[[], None] = lambda: None, begun: Callable[[Watched], None] = lambda done: None,
) -> Watched:  # fmt: skip
    """Until the stream ends, ``seconds`` are over, or ``heard``, which is asked all the time, raises KeyboardInterrupt.

    ``begun`` is given at once what is returned at the end. Source and record are closed at the end, whatever it is.
    """
    reader = SampleReader(monitor.arm)
    done = Watched(monitor, reader, record)
    pump, start = Pump(source, record), monotonic()
    begun(done)
    pump.start()
    due = start
    try:
        while True:
            over, done.overrun = pump.over.is_set(), pump.overrun
            if samples := _samples(reader, pump.taken()):
                monitor.take(samples)
                if (frame := monitor.frame()) is not None:
                    done.frames += 1
                    if frame.latency is not None:
                        done.latencies.append(frame.latency)
                    on_frame(frame)
            if over:
                break
            if seconds is not None and monotonic() - start >= seconds:
                done.ended = "time is over"
                break
            heard()
            due = max(due + 1.0 / rate, monotonic())
            pump.over.wait(due - monotonic())
    except KeyboardInterrupt:
        done.ended = "interrupted"
    finally:
        pump.stop.set()
        pump.join()
        source.close()
        if record is not None:
            record.close()
    if pump.error is not None:
        raise pump.error
    done.overrun, done.seconds = pump.overrun, monotonic() - start
    return done


def _samples(reader: SampleReader, arrivals: list[Arrived]) -> list[StreamSample]:
    read = map(reader.read, arrivals)
    return [sample for sample in read if sample is not None]
