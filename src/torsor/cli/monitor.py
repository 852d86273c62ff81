"""``torsor monitor``: the running robot beside its model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from torsor import loading
from torsor.cli import DONE, INTERRUPTED, NO
from torsor.cli.interrupts import interrupts
from torsor.cli.printing import print_json
from torsor.cli.progress import progress
from torsor.cli.shared_options import AllowNonphysical, Json, Packages, Robot, within
from torsor.errors import TorsorError
from torsor.model.ranges import SensibleRange

if TYPE_CHECKING:
    from torsor.monitoring.frames import MonitorFrame
    from torsor.monitoring.stream_sources import LogPace
    from torsor.monitoring.watching import Watched

SourceText = Annotated[
    str,
    Parameter(
        name="SOURCE",
        allow_leading_hyphen=True,
        help="udp://127.0.0.1:PORT or ws://127.0.0.1:PORT, a log (.csv, .parquet, .mcap), or - for lines of JSON.",
    ),
]
PaceOption = Annotated[str, Parameter(help="Of a log: how many times as fast as it was, or full for at once.")]
RecordOption = Annotated[
    Path | None,
    Parameter(
        negative="",
        help="Keep what arrives in this new .mcap file. Live streams are kept anyway, in this folder.",
    ),
]
NoRecord = Annotated[bool, Parameter(negative="", help="Keep nothing.")]
GainOption = Annotated[float, within(SensibleRange(0.1, 1e4, "1/s"), help="Of the momentum observer, in 1/s.")]
AccuracyOption = Annotated[
    float,
    within(SensibleRange(0.0, 0.99), help="Share of a joint's peak torque by which the model may be wrong unflagged."),
]
SecondsOption = Annotated[
    float | None, within(SensibleRange(1e-3, 1e9, "s"), name="--for", help="End after so many seconds.")
]
REDRAWN = 0.1  # s between two status lines


def monitor(
    source: SourceText,
    /,
    *,
    robot: Robot,
    pace: PaceOption = "1",
    record: RecordOption = None,
    no_record: NoRecord = False,
    gain: GainOption = 30.0,
    accuracy: AccuracyOption = 0.01,
    seconds: SecondsOption = None,
    json: Json = False,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
) -> int:
    """Watches a running robot: its torques beside the model's, overload, collisions, a wrong payload.

    Example: torsor monitor udp://127.0.0.1:5005 --robot rl15

    What arrives on a live stream is kept in a new file, readable whatever happens to this command. Ctrl-C ends it and
    shows what was found. The exit code is 0 if nothing was flagged, 1 if something was, 2 if the stream is not one of
    this robot, 130 after Ctrl-C.
    """
    from torsor.cli.monitor_text import document, print_watched, status
    from torsor.monitoring.monitoring import Monitor
    from torsor.monitoring.stream_record import StreamRecord, usual_record
    from torsor.monitoring.stream_sources import source_of
    from torsor.monitoring.watching import watch

    if record is not None and no_record:
        raise TorsorError("--record and --no-record exclude each other", hint="give one of them")
    arm = loading.load(robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical)
    arm.model.require_inertia()
    engine = Monitor(arm, gain=gain, accuracy=accuracy)
    opened = source_of(source, arm, _pace(pace))
    try:
        if record is None and opened.live and not no_record:
            record = usual_record(robot)
        kept = None if record is None else StreamRecord(record, arm.name)
    except BaseException:
        opened.close()
        raise
    with progress("waiting for samples") as show:
        drawn = -1.0

        def on_frame(frame: MonitorFrame) -> None:
            nonlocal drawn
            if abs(frame.time - drawn) >= REDRAWN:
                drawn = frame.time
                show(status(frame, engine), 0.0)

        done = watch(opened, engine, record=kept, seconds=seconds, on_frame=on_frame, heard=interrupts.hold)
    if json:
        print_json(document(done))
    else:
        print_watched(done)
    return _code(done)


def _code(done: Watched) -> int:
    if done.ended == "interrupted":
        return INTERRUPTED
    return NO if done.monitor.book.flags else DONE


def _pace(text: str) -> LogPace:
    if text == "full":
        return "full"
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e9:
        raise TorsorError(f"the pace is {text!r}", hint="a number above zero, or full")
    return value
