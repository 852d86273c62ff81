"""Who may speak with what is served here: this browser, from its own page, with the token that the terminal showed.

A page of somebody else in the same browser can send requests to any port of this computer, and a name that somebody
else owns can be made to point to 127.0.0.1. So a request must carry the token, name this server as its Host, and come
from the server's own page where it says where it comes from.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

MOST_BYTES = 4_000_000  # of a request

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def policy(port: int) -> str:
    """The page runs its own script and no other, and speaks with its own server and no other."""
    sockets = f"ws://127.0.0.1:{port} ws://localhost:{port}"
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Doorkeeper:
    """Stands before the application: what it does not let through is never seen there."""

    def __init__(
        self, app: Callable[[Scope, Receive, Send], Awaitable[None]], token: str, port: int, command: str = "studio"
    ) -> None:
        self._app, self._token, self._command = app, token, command
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._origins = {f"http://{host}" for host in self._hosts}
        self.cookie = f"torsor-{command}-{port}"  # cookies do not tell ports apart, their names do
        self._always = [
            (b"content-security-policy", policy(port).encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"cross-origin-embedder-policy", b"require-corp"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
            (b"cache-control", b"no-store"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
        refused = self._refused(scope, headers)
        if scope["type"] == "websocket":
            if refused is None:
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refused[1]})
            return
        if refused is not None:
            await self._say(send, *refused)
        elif scope["method"] == "GET" and scope["path"] == "/" and scope["query_string"]:
            await self._let_in(send)
        else:
            await self._passed(scope, receive, send)

    def _refused(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        if headers.get("host", "").lower() not in self._hosts:
            return 421, "this server answers to 127.0.0.1 and localhost only"
        if headers.get("origin", next(iter(self._origins))) not in self._origins:
            return 403, f"another page may not speak with the {self._command}"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, f"another page may not speak with the {self._command}"
        if not self._knows_token(scope, headers):
            return 401, f"the token is missing or wrong; open the address that 'torsor {self._command}' printed"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BYTES:
            return 413, f"at most {MOST_BYTES:,} bytes are taken"
        return None

    def _knows_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = [headers.get("authorization", "").removeprefix("Bearer ")]
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            cookie = None
        given += [cookie.value] if cookie else []
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == "/":
            given += parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        return any(hmac.compare_digest(each.encode(), self._token.encode()) for each in given)

    async def _let_in(self, send: Send) -> None:
        """The token leaves the address bar at once; the cookie goes to this page's own requests only."""
        cookie = f"{self.cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0"), *self._always]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The body is taken whole, up to its limit, before the application sees any of it."""
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return  # who asked has gone
            body, more = body + message.get("body", b""), message.get("more_body", False)
            if len(body) > MOST_BYTES:
                await self._say(send, 413, f"at most {MOST_BYTES:,} bytes are taken")
                return
        whole = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def taken() -> MutableMapping[str, Any]:
            return next(whole, None) or await receive()

        async def dressed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *self._always]}
            await send(message)

        await self._app(scope, taken, dressed)

    async def _say(self, send: Send, status: int, text: str) -> None:
        body = json.dumps({"error": {"text": text}}).encode()
        kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": [*kind, *self._always]})
        await send({"type": "http.response.body", "body": body})
