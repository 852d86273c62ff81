"""``torsor monitor``: the running robot beside its model."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from torsor import loading
from torsor.cli import DONE, INTERRUPTED, NO
from torsor.cli.interrupts import interrupts
from torsor.cli.printing import print_json
from torsor.cli.progress import progress
from torsor.cli.shared_options import AllowNonphysical, Json, Packages, Robot, Strict, within
from torsor.errors import TorsorError, printable
from torsor.model.ranges import SensibleRange

if TYPE_CHECKING:
    from torsor.monitoring.frames import MonitorFrame
    from torsor.monitoring.stream_sources import LogPace
    from torsor.monitoring.watching import Watched
    from torsor.studio.live_page import LivePage

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
NoPage = Annotated[bool, Parameter(negative="", help="Stay in the terminal.")]
NoOpen = Annotated[bool, Parameter(negative="", help="Print the address of the page instead of opening it.")]
Port = Annotated[int | None, Parameter(help="Of the page on 127.0.0.1; 8765, or another if that is in use.")]
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
    no_page: NoPage = False,
    no_open: NoOpen = False,
    port: Port = None,
    json: Json = False,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
    strict: Strict = False,
) -> int:
    """Watches a running robot: its torques beside the model's, overload, collisions, a wrong payload.

    Example: torsor monitor udp://127.0.0.1:5005 --robot rl15

    A page in the browser shows the arm, its plots and what is flagged as it happens; it is served on this computer
    alone, to who has the token in its address, and needs the extra: pip install 'torsor[studio]'. A log at full pace
    has none.

    What arrives on a live stream is kept in a new file, readable whatever happens to this command. Ctrl-C ends it and
    shows what was found. The exit code is 0 if nothing was flagged, 1 if something was, 2 if the stream is not one of
    this robot, 130 after Ctrl-C.
    """
    from torsor.cli.monitor_text import document, print_watched, status
    from torsor.monitoring.monitoring import Monitor
    from torsor.monitoring.stream_record import StreamRecord, usual_record
    from torsor.monitoring.stream_sources import source_of
    from torsor.monitoring.watching import watch
    from torsor.scene.display import has_display

    if record is not None and no_record:
        raise TorsorError("--record and --no-record exclude each other", hint="give one of them")
    arm = loading.load(robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical, strict=strict)
    arm.model.require_inertia()
    engine = Monitor(arm, gain=gain, accuracy=accuracy)
    speed = _pace(pace)
    # before anything arrives, because imports take their time
    make_page = None if no_page or speed == "full" else _page_maker()
    opened, page = source_of(source, arm, speed), None
    try:
        if make_page is not None:
            page = make_page(engine, source, port=port, browser=has_display() and not no_open, say=_say)
        if record is None and opened.live and not no_record:
            record = usual_record(robot)
        kept = None if record is None else StreamRecord(record, arm.name)
    except BaseException:
        opened.close()
        if page is not None:
            page.close()
        raise
    with page or nullcontext(), progress("waiting for samples") as show:
        drawn = -1.0

        def on_frame(frame: MonitorFrame) -> None:
            nonlocal drawn
            if abs(frame.time - drawn) >= REDRAWN:
                drawn = frame.time
                show(status(frame, engine), 0.0)
            if page is not None:
                page.show(frame)

        def heard() -> None:
            interrupts.hold()
            if page is not None:
                page.look()

        begun = page.follow if page is not None else _nobody
        done = watch(opened, engine, record=kept, seconds=seconds, on_frame=on_frame, heard=heard, begun=begun)
    if json:
        print_json(document(done))
    else:
        print_watched(done)
    return _code(done)


def _page_maker() -> type[LivePage] | None:
    """None, which is said, without the extra: the terminal goes on alone."""
    from torsor.errors import Unsupported
    from torsor.studio.serving import require_extra

    try:
        require_extra("the page")
    except Unsupported as missing:
        _say(f"{missing}; going on in the terminal")
        return None
    from torsor.studio.live_page import LivePage

    return LivePage


def _nobody(done: Watched) -> None:
    """Looks at it."""


def _say(text: str) -> None:
    """Beside what is printed at the end, which may be JSON."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


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
