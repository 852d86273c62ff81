"""The page of `torsor monitor`: frames of a stream on their way to whoever looks at them.

It runs beside the stream, in a thread of its own. Pages that come, go or hang cost the stream nothing but the time to
write a frame down once.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from threading import Thread
from typing import Any, Self

from fastapi import FastAPI, WebSocket

from torsor.monitoring.flags import MonitorFlag
from torsor.monitoring.frames import MonitorFrame, plain
from torsor.monitoring.monitoring import Monitor
from torsor.monitoring.watching import Watched
from torsor.scene.composing import scene_of
from torsor.scene.showing import tree_joints
from torsor.studio.guarding import Doorkeeper
from torsor.studio.live_feed import LiveFeed
from torsor.studio.serving import address_of, listener, new_token, open_in_browser, server_of
from torsor.studio.static_files import add_files
from torsor.studio.worker import as_json

STATED = 0.25  # s between two looks at the stream itself: rate, losses, record
FAREWELL = 1.0  # s that pages have to hear that it is over


def application(feed: LiveFeed, *, token: str, port: int) -> Any:
    """The ASGI application with its guard before it."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        feed.begin()
        yield

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    add_files(app, "monitor")

    @app.websocket("/api/frames")
    async def frames(socket: WebSocket) -> None:
        await feed.serve(socket)

    return Doorkeeper(app, token, port, "monitor")


class LivePage:
    """Served while it is entered. ``show`` and ``look`` are for the thread that watches the stream."""

    def __init__(
        self, monitor: Monitor, source: str, *, port: int | None = None, browser: bool = False,
        say: Callable[[str], None] = lambda text: None, token: str | None = None,
    ) -> None:  # fmt: skip
        self.feed = LiveFeed()
        self.watched: Watched | None = None  # what is known of the stream, once there is one
        self._monitor, self._source, self._browser, self._say = monitor, source, browser, say
        model = monitor.arm.model
        self._scene = scene_of(model, monitor.arm.closure if model.loops else None)
        self._listening = listener(port, say)
        at, token = self._listening.getsockname()[1], token or new_token()
        self.address = address_of(at, token)
        self._server = server_of(application(self.feed, token=token, port=at))
        self._thread = Thread(target=self._server.run, args=([self._listening],), name="torsor page", daemon=True)
        self._frame: MonitorFrame | None = None  # one that nobody has been told of
        self._flags: list[MonitorFlag] = []  # as they were told
        self._stated = -STATED
        self._begun = False
        self._tell_about()

    def __enter__(self) -> Self:
        self._thread.start()
        self._say(f"the page is at {self.address}")
        if self._browser:
            open_in_browser(self.address)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.look(always=True)
        ended = self.watched.ended if self.watched is not None else "ended"
        self.feed.tell({"ended": as_json(ended if error is None else f"{kind.__name__ if kind else ''}: {error}")})
        until = time.monotonic() + FAREWELL
        while self.feed.readers and time.monotonic() < until:
            time.sleep(0.01)
        self._server.should_exit = True
        self._thread.join(2.0 + FAREWELL)

    def close(self) -> None:
        """Where it was never entered."""
        self._listening.close()

    def follow(self, watched: Watched) -> None:
        self.watched = watched

    def show(self, frame: MonitorFrame) -> None:
        """The next frame."""
        if not self._begun:  # the first sample says what the stream has
            self._begun = True
            self._tell_about()
        self._frame = frame
        if self.feed.readers:
            self._tell_frame(None if frame.latency is None else time.time() - frame.latency)
        self.look()

    def look(self, *, always: bool = False) -> None:
        """What is to be told beside frames, also while none come."""
        flags = self._monitor.book.flags
        changed = {k: f for k, f in enumerate(flags) if k >= len(self._flags) or f is not self._flags[k]}
        if changed:
            self._flags = [*flags]
            self.feed.tell({}, {k: as_json(flag.document()) for k, flag in changed.items()})
        if not always and time.monotonic() - self._stated < STATED:
            return
        self._stated = time.monotonic()
        self.feed.tell({"state": as_json(self._state())})
        if self._frame is not None and self.feed.readers:  # for who came after it
            self._tell_frame(None)

    def _tell_frame(self, arrived: float | None) -> None:
        """``arrived`` on the calendar's clock, which is the browser's too: the page tells how late it draws it."""
        frame, self._frame = self._frame, None
        assert frame is not None
        told = frame.document()
        del told["active"], told["raised"]  # flags go by themselves: who misses frames misses none of them
        if self._monitor.arm.model.loops:
            told["tree"] = plain(tree_joints(self._monitor.arm, frame.signals["q"]))
        self.feed.tell({"frame": as_json(told | {"arrived": arrived})})

    def _tell_about(self) -> None:
        monitor, machine = self._monitor, self._monitor.machine
        kinds = {joint["name"]: joint["unit"] for joint in self._scene["joints"]}
        about = {
            "robot": monitor.arm.name,
            "source": self._source,
            "scene": self._scene,
            "joints": [
                {"name": name, "unit": kinds[name], "speed": speed}
                for name, speed in zip(machine.joints, machine.speeds.tolist(), strict=True)
            ],
            "motors": [
                {"name": name, "unit": unit} for name, unit in zip(machine.motors, machine.units, strict=True)
            ],
            "at_motors": machine.at_motors,
            "torques": monitor.side,
            "delay": monitor.delay,
        }  # fmt: skip
        self.feed.tell({"about": as_json(about)})

    def _state(self) -> dict[str, Any]:
        clock, watched = self._monitor.clock, self.watched
        state: dict[str, Any] = {
            "samples": clock.samples, "rate": clock.rate, "lost": clock.lost, "late": clock.late,
            "out_of_order": clock.out_of_order, "gaps": clock.restarts, "flags_left_out": self._monitor.book.left_out,
        }  # fmt: skip
        if watched is not None:
            state |= {"malformed": watched.reader.malformed, "told": watched.reader.told}
            state |= {"not_looked_at": watched.overrun, "record": _record(watched)}
        return state


def _record(watched: Watched) -> dict[str, Any] | None:
    record = watched.record
    if record is None:
        return None
    try:
        size = record.path.stat().st_size
    except OSError:
        size = None
    return {"name": record.path.name, "size": size, "lines": record.lines, "problem": record.problem}
