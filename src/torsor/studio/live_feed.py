"""What many pages see of one stream: each gets the newest there is, and a slow one keeps nobody waiting.

One thread tells, the server's loop sends. A page says of every message that it came; one that is behind gets no more
until it does, and then what is newest by then: nothing queues up for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock

from fastapi import WebSocket, WebSocketDisconnect

AHEAD = 3  # messages that may be on their way to a page
MOST_READERS = 50


class _Reader:
    """One page."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.sent = self.came = 0
        self.seen = 0  # version up to which it was told everything


class LiveFeed:
    """Parts by their names, each as it is now. A page is told all of them once, and then those that changed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._version = 0
        self._parts: dict[str, tuple[int, bytes]] = {}
        self._flags: dict[int, tuple[int, bytes]] = {}
        self._readers: set[_Reader] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def readers(self) -> int:
        return len(self._readers)

    def begin(self) -> None:
        """In the server's loop."""
        self._loop = asyncio.get_running_loop()

    def tell(self, parts: Mapping[str, bytes], flags: Mapping[int, bytes] | None = None) -> None:
        """What is new, as JSON; from any thread."""
        with self._lock:
            self._version += 1
            for name, text in parts.items():
                self._parts[name] = self._version, text
            for number, text in (flags or {}).items():
                self._flags[number] = self._version, text
        if self._loop is not None and self._readers:
            with suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for reader in self._readers:
            reader.news.set()

    def _news(self, reader: _Reader) -> tuple[bytes, bool] | None:
        """What a page has not been told, and whether that is the last; None if nothing, or if it is too far behind."""
        with self._lock:
            ended = "ended" in self._parts
            if reader.seen == self._version or (reader.sent - reader.came >= AHEAD and not ended):
                return None
            new = [b'"%s":%s' % (n.encode(), text) for n, (v, text) in self._parts.items() if v > reader.seen]
            flags = [b'"%d":%s' % (k, text) for k, (v, text) in self._flags.items() if v > reader.seen]
            reader.seen = self._version
        reader.sent += 1
        text = b",".join([b'"number":%d' % reader.sent, *new, b'"flags":{%s}' % b",".join(flags)])
        return b"{%s}" % text, ended

    async def serve(self, socket: WebSocket) -> None:
        """Until the page goes away or the stream has ended."""
        await socket.accept()
        if self.readers >= MOST_READERS:
            await socket.close(1013, "too many pages watch this stream")
            return
        reader = _Reader()
        self._readers.add(reader)
        reader.news.set()
        hearing = asyncio.create_task(self._hear(socket, reader))
        try:
            with suppress(RuntimeError, OSError, WebSocketDisconnect):
                await self._send(socket, reader, hearing)
        finally:
            self._readers.discard(reader)
            hearing.cancel()

    async def _send(self, socket: WebSocket, reader: _Reader, hearing: asyncio.Task[None]) -> None:
        while not hearing.done():
            await reader.news.wait()
            reader.news.clear()
            if (news := self._news(reader)) is not None:
                text, ended = news
                await socket.send_text(text.decode())
                if ended:
                    await socket.close()
                    return

    async def _hear(self, socket: WebSocket, reader: _Reader) -> None:
        """Numbers of messages that came; a page that says anything else is no page of ours."""
        try:
            async for text in socket.iter_text():
                if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) <= reader.sent):
                    await socket.close(1008, "a page says which message came")
                    break
                reader.came = int(text)
                reader.news.set()
        finally:
            reader.news.set()
