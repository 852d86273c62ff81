"""Logs as streams: CSV, Parquet and MCAP files, row by row at their own pace, or faster.

Columns are named as `Run.to_csv` and `Run.to_parquet` name them: ``time``, ``q_JOINT``, ``qd_JOINT``, ``tau_MOTOR``;
also ``tau_motor_MOTOR``, ``tau_joint_JOINT``, ``current_MOTOR``, and numbers instead of names. MCAP files hold JSON
messages as those of a live stream: the records that Torsor writes, whole or torn.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TextIO

from torsor.arm import Arm
from torsor.errors import did_you_mean, printable
from torsor.model.files import note_read
from torsor.monitoring.stream_samples import LONGEST_LINE, TORQUES, Arrived, StreamError

AT_ONCE = 1000  # rows that are taken together
LARGEST_CHUNK = 64 << 20  # bytes of an MCAP file that are unpacked together
TIMES = ("t", "time")
# How columns are called, names before numbers: tau_joint1 is the torque at a motor called joint1, if there is one.
SPELLINGS: tuple[Callable[[str, str, int], str], ...] = (
    lambda word, name, k: f"{word}_{name}",
    lambda word, name, k: f"{name}.{word}",
    lambda word, name, k: f"{word}{k}",
    lambda word, name, k: f"{word}_{k}",
)

LogRow = Mapping[str, Any] | bytes
TimedLogRow = tuple[float | None, LogRow]  # None where it must be read to be known: then it is due at once


class LogSource:
    """Rows when they are due; ``pace`` 2 is twice as fast, infinity at once."""

    live = False

    def __init__(self, rows: Iterator[TimedLogRow], pace: float, close: Callable[[], None]) -> None:
        self._rows, self._pace, self.close = rows, pace, close
        self._begun: tuple[float, float] | None = None  # time of the log, and of this machine
        self._next: TimedLogRow | None = None

    def read(self, timeout: float) -> list[Arrived] | None:
        found: list[Arrived] = []
        until = monotonic() + timeout
        while len(found) < AT_ONCE:
            self._next = self._next or next(self._rows, None)
            if self._next is None:
                return found or None
            due = self._due(self._next[0])
            if due is not None and due > monotonic():
                if found or due > until:
                    sleep(0.0 if found else max(until - monotonic(), 0.0))
                    break
                sleep(max(due - monotonic(), 0.0))
            found.append(Arrived(self._next[1], due))
            self._next = None
        return found

    def _due(self, t: float | None) -> float | None:
        if t is None or self._pace == inf:
            return None
        if self._begun is None:
            self._begun = t, monotonic()
        return self._begun[1] + (t - self._begun[0]) / self._pace


def log_source(path: Path, arm: Arm, pace: float) -> LogSource:
    """By the suffix of a file."""
    readers = {".csv": _csv_rows, ".parquet": _parquet_rows, ".mcap": _mcap_rows}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise StreamError("this is no log", hint=did_you_mean(path.suffix, readers), file=path)
    if path.is_dir():
        raise StreamError("this is a folder", hint="give the path of a log", file=path)
    closing = ExitStack()
    try:
        rows = reader(path, arm, closing)
    except OSError as error:
        closing.close()
        raise StreamError(f"cannot read the file: {error.strerror or error}", file=path) from None
    except BaseException:
        closing.close()
        raise
    note_read(path)
    return LogSource(rows, pace, closing.close)


# tables


def _csv_rows(path: Path, arm: Arm, closing: ExitStack) -> Iterator[TimedLogRow]:
    text = closing.enter_context(path.open(encoding="utf-8-sig", errors="backslashreplace", newline=""))
    reader = csv.reader(_bounded(text))
    try:
        columns = columns_of(arm, next(reader, []), path)
    except csv.Error as error:
        raise StreamError(str(error), file=path, line=1) from None
    return _timed(_csv_values(reader, path), columns)


def _bounded(text: TextIO) -> Iterator[str]:
    """Lines, in pieces where they do not end."""
    return iter(lambda: text.readline(LONGEST_LINE), "")


def _csv_values(reader: Any, path: Path) -> Iterator[Sequence[Any]]:
    while True:
        try:
            row = next(reader, None)
        except csv.Error:
            row = []
        if row is None:
            return
        yield [_number(cell) for cell in row]


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _parquet_rows(path: Path, arm: Arm, closing: ExitStack) -> Iterator[TimedLogRow]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise StreamError("Parquet logs need pyarrow", hint="pip install torsor[studio]", file=path) from None
    stream = closing.enter_context(path.open("rb"))
    try:
        file = parquet.ParquetFile(stream)
    except (ArrowException, OSError) as error:
        raise StreamError(f"this is no Parquet file: {printable(str(error))[:100]}", file=path) from None
    columns = columns_of(arm, file.schema_arrow.names, path)

    def rows() -> Iterator[Sequence[Any]]:
        try:
            for batch in file.iter_batches(AT_ONCE):
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
        except (ArrowException, OSError) as error:
            raise StreamError(f"the file is broken: {printable(str(error))[:100]}", file=path) from None

    return _timed(rows(), columns)


def _timed(rows: Iterable[Sequence[Any]], columns: Mapping[str, int | list[int]]) -> Iterator[TimedLogRow]:
    for row in rows:
        found: dict[str, Any] = {}
        for word, places in columns.items():
            if isinstance(places, int):
                found[word] = row[places] if places < len(row) else None
            else:
                found[word] = [row[place] if place < len(row) else None for place in places]
        t = found["t"]
        yield (t if isinstance(t, float) and abs(t) < inf else None), found


def columns_of(arm: Arm, titles: Sequence[str], path: Path) -> dict[str, int | list[int]]:
    """Where the columns of each word are, by names or by numbers, whichever a log has."""
    place = {title.strip().lstrip("'"): k for k, title in enumerate(titles)}
    time = [place[word] for word in TIMES if word in place]
    if not time:
        raise StreamError("no column of time", hint="time, q_JOINT, qd_JOINT, tau_MOTOR", file=path, line=1)
    motors = arm.drives.names if arm.model.drives else arm.joint_names
    found: dict[str, int | list[int]] = {"t": time[0]}
    free = set(place.values()) - {time[0]}
    for spelled in SPELLINGS:
        for word in ("q", "qd", *TORQUES):
            names = motors if word in ("tau_motor", "current", "tau") else arm.joint_names
            places = [place.get(spelled(word, name, k + 1), -1) for k, name in enumerate(names)]
            if word not in found and free.issuperset(places):
                found[word] = places
                free -= set(places)
    if "q" not in found:
        wanted = ", ".join(f"q_{name}" for name in arm.joint_names)
        raise StreamError(f"no columns of the positions of {arm.name!r}", hint=wanted, file=path, line=1)
    return found


# MCAP


def _mcap_rows(path: Path, arm: Arm, closing: ExitStack) -> Iterator[TimedLogRow]:
    try:
        from mcap.exceptions import McapError
        from mcap.records import Channel, Chunk, Message
        from mcap.stream_reader import StreamReader, breakup_chunk
    except ImportError:
        raise StreamError("MCAP logs need mcap", hint="pip install torsor[studio]", file=path) from None
    stream = closing.enter_context(path.open("rb"))
    if stream.read(5) != b"\x89MCAP":
        raise StreamError("this is no MCAP file", file=path)
    stream.seek(0)
    reader = StreamReader(stream, emit_chunks=True, record_size_limit=LARGEST_CHUNK)

    def records() -> Iterator[Any]:
        # A record whose writer died is torn at its end; what comes before that is whole.
        try:
            for record in reader.records:
                if isinstance(record, Chunk):
                    if _unpacked(record) > LARGEST_CHUNK:
                        raise StreamError(f"a chunk has more than {LARGEST_CHUNK} bytes", file=path)
                    yield from breakup_chunk(record, validate_crc=True)
                else:
                    yield record
        except (McapError, EOFError, ValueError, KeyError, IndexError, OSError):
            return
        except Exception as error:
            if type(error).__module__.partition(".")[0] not in ("struct", "zstandard", "lz4"):
                raise

    def rows() -> Iterator[TimedLogRow]:
        channels: dict[int, Any] = {}
        chosen: int | None = None
        for record in records():
            if isinstance(record, Channel):
                channels[record.id] = record
            elif isinstance(record, Message):
                channel = channels.get(record.channel_id)
                if channel is not None and channel.message_encoding == "json":
                    chosen = record.channel_id if chosen is None else chosen
                    if record.channel_id == chosen:
                        yield record.log_time * 1e-9, record.data
        if chosen is None:
            raise StreamError("no messages in JSON", hint="joint states as 'torsor monitor' records them", file=path)

    return rows()


def _unpacked(chunk: Any) -> int:
    """What a chunk says it unpacks to, and what its data say."""
    size = int(chunk.uncompressed_size)
    if chunk.compression == "zstd":
        import zstandard

        size = max(size, int(zstandard.get_frame_parameters(chunk.data).content_size))
    return size
