"""Streams over the network of this machine. The only place that listens or connects, and to loopback alone.

Whoever sends is another program on this machine; what comes from elsewhere goes through a program of the user's.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack
from ipaddress import ip_address
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from torsor.errors import printable
from torsor.monitoring.stream_samples import Arrived, StreamError

if TYPE_CHECKING:  # imported when a stream of its kind is opened
    from websockets.sync.client import ClientConnection

SCHEMES = ("udp", "ws")
AT_ONCE = 1000  # messages that are taken together
BUFFER = 4 << 20  # bytes the system keeps of datagrams that nobody has read yet: seconds of a kilohertz
LARGEST_MESSAGE = 1 << 20  # bytes
PATIENCE = 5.0  # s for a connection to be there


class UdpSource:
    """Listens for datagrams, each with one JSON line or several."""

    live = True

    def __init__(self, address: str) -> None:
        parts, host, port = loopback(address)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise StreamError(f"cannot listen at {parts.geturl()}: {error.strerror}") from None

    def read(self, timeout: float) -> list[Arrived] | None:
        found: list[Arrived] = []
        self._socket.settimeout(timeout)
        while len(found) < AT_ONCE:
            try:
                data = self._socket.recv(1 << 16)
            except (TimeoutError, BlockingIOError):
                break
            now = monotonic()
            found += [Arrived(line, now) for line in data.split(b"\n") if line.strip()]
            self._socket.settimeout(0.0)  # what waits already is taken, and no more
        return found

    def close(self) -> None:
        self._socket.close()


class WebSocketSource:
    """Client of a server that sends messages, each with one JSON line or several. Ends with the connection."""

    live = True

    def __init__(self, address: str) -> None:
        parts, host, port = loopback(address)
        try:
            from websockets.exceptions import WebSocketException
            from websockets.sync.client import connect
        except ImportError:
            raise StreamError("streams over WebSocket need websockets", hint="pip install torsor[studio]") from None
        self._closing = ExitStack()
        place = f"[{host}]" if ":" in host else host
        uri = parts._replace(netloc=f"{place}:{port}", fragment="").geturl()
        try:
            self._connection: ClientConnection = self._closing.enter_context(
                connect(
                    uri, max_size=LARGEST_MESSAGE, compression=None, open_timeout=PATIENCE, close_timeout=1.0,
                    proxy=None,
                )
            )  # fmt: skip
        except (OSError, WebSocketException) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else printable(str(error))
            raise StreamError(f"cannot connect to {uri}: {why}", hint="start the sender first") from None

    def read(self, timeout: float) -> list[Arrived] | None:
        from websockets.exceptions import ConnectionClosed

        found: list[Arrived] = []
        while len(found) < AT_ONCE:
            try:
                message = self._connection.recv(timeout if not found else 0.0)
            except TimeoutError:
                break
            except ConnectionClosed:
                return found or None
            data = message.encode() if isinstance(message, str) else message
            now = monotonic()
            found += [Arrived(line, now) for line in data.split(b"\n") if line.strip()]
        return found

    def close(self) -> None:
        self._closing.close()


def loopback(address: str) -> tuple[SplitResult, str, int]:
    """The parts of an address on this machine, its host as a number and its port; anything else is refused.

    >>> loopback("udp://localhost:5005")[1:]
    ('127.0.0.1', 5005)
    >>> loopback("udp://192.168.0.7:5005")
    Traceback (most recent call last):
    torsor.monitoring.stream_samples.StreamError: 192.168.0.7 is not this machine; give 127.0.0.1, ::1 or localhost
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise StreamError(f"{printable(address)} is no address: {error}", hint="udp://127.0.0.1:5005") from None
    host = "127.0.0.1" if host == "localhost" else host
    try:
        near = ip_address(host).is_loopback
    except ValueError:  # a name, which nobody is asked for
        near = False
    if not near:
        shown = printable(host) or "nothing"
        raise StreamError(f"{shown} is not this machine", hint="give 127.0.0.1, ::1 or localhost")
    if not port or parts.username is not None:
        raise StreamError(f"{printable(address)} has no port", hint=f"{parts.scheme}://127.0.0.1:5005")
    return parts, host, port
