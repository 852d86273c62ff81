"""The studio's HTTP and WebSocket: questions in, answers out. What they mean is not its business.

FastAPI is imported here, and only who serves imports this.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect

from torsor.studio.desk import Desk, Opened
from torsor.studio.guarding import MOST_BYTES, Doorkeeper
from torsor.studio.static_files import add_files
from torsor.studio.worker import as_json
from torsor.studio.workshop import Answer, Workshop, refusal

MOST_ASKED = 32  # questions of one socket at once


def application(opened: Opened, *, token: str, port: int) -> Any:
    """The ASGI application with its guard before it."""
    workshop = Workshop(opened.arms)
    desk = Desk(opened, workshop)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        workshop.warm()
        yield
        workshop.end()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    add_files(app, "studio")
    _questions(app, desk)
    return Doorkeeper(app, token, port)


def _questions(app: FastAPI, desk: Desk) -> None:
    @app.get("/api/start")
    def start() -> Response:
        return _response(Answer(200, as_json(desk.start())))

    @app.post("/api/ask/{question}")
    async def ask(question: str, request: Request) -> Response:
        task = asyncio.create_task(desk.ask(question, _object(await request.body())))
        while not task.done():
            await asyncio.wait([task], timeout=0.5)
            if not task.done() and await request.is_disconnected():
                task.cancel()
                return _response(refusal(499, "nobody waits for this any more"))
        return _response(task.result())

    @app.post("/api/upload")
    async def upload(request: Request) -> Response:
        told = _object(await request.body())
        name, text = told.get("name"), told.get("text")
        if not isinstance(name, str) or not isinstance(text, str):
            return _response(refusal(400, "an upload has a name and a text"))
        return _response(await desk.upload(name, text))

    @app.post("/api/jobs/{question}")
    async def begin(question: str, request: Request) -> Response:
        name = desk.begin(question, _object(await request.body()))
        if not name:
            return _response(refusal(503, "too many jobs are running; cancel one"))
        return _response(Answer(202, as_json({"job": name})))

    @app.get("/api/jobs/{name}")
    async def job(name: str) -> Response:
        found = desk.jobs.get(name)
        if found is None or found.task is None:
            return _response(refusal(404, "there is no such job"))
        if not found.task.done():
            return _response(Answer(200, as_json({"state": "running", "progress": found.progress})))
        if found.task.cancelled():
            return _response(Answer(200, as_json({"state": "cancelled", "progress": found.progress})))
        done = found.task.result()
        body = b'{"state":"done","status":%d,"answer":%s}' % (done.status, done.body)
        return _response(Answer(200, body))

    @app.delete("/api/jobs/{name}")
    async def cancel(name: str) -> Response:
        found = desk.jobs.get(name)
        if found is None or found.task is None:
            return _response(refusal(404, "there is no such job"))
        found.task.cancel()
        with suppress(asyncio.CancelledError):
            await found.task
        return _response(Answer(200, as_json({"state": "cancelled"})))

    @app.websocket("/api/live")
    async def live(socket: WebSocket) -> None:
        await converse(desk, socket)


async def converse(desk: Desk, socket: WebSocket) -> None:
    """One page's questions, answered in whatever order they are done; all end when it goes away.

    ``{"id": 1, "ask": "state", "with": {...}}`` in, ``{"id": 1, "status": 200, "answer": {...}}`` out, and on the
    way ``{"id": 1, "progress": "..."}``; ``{"id": 1, "cancel": true}`` ends a question.
    """
    await socket.accept()
    tasks: dict[int, asyncio.Task[None]] = {}
    told_on_the_way: set[asyncio.Task[None]] = set()

    async def answered(number: int, question: str, asked: Any) -> None:
        loop = asyncio.get_running_loop()

        def heard(text: str) -> None:
            sending = loop.create_task(_sent(socket, as_json({"id": number, "progress": text})))
            told_on_the_way.add(sending)
            sending.add_done_callback(told_on_the_way.discard)

        answer = await desk.ask(question, asked, heard)
        head = f'{{"id":{number},"status":{answer.status},"answer":'.encode()
        await _sent(socket, head + answer.body + b"}")

    try:
        async for text in socket.iter_text():
            told = _object(text)
            number = told.get("id")
            if not isinstance(number, int) or isinstance(number, bool):
                await _sent(
                    socket, as_json({"id": None, "status": 400, "answer": {"error": {"text": "a question has an id"}}})
                )
            elif told.get("cancel"):
                if (task := tasks.pop(number, None)) is not None:
                    task.cancel()
                await _sent(socket, as_json({"id": number, "status": 499, "answer": {"error": {"text": "cancelled"}}}))
            elif len(tasks) >= MOST_ASKED or number in tasks:
                busy = {"error": {"text": "too many questions at once"}}
                await _sent(socket, as_json({"id": number, "status": 503, "answer": busy}))
            else:
                task = asyncio.create_task(answered(number, str(told.get("ask")), told.get("with", {})))
                tasks[number] = task
                task.add_done_callback(partial(_forget, tasks, number))
    finally:
        for task in list(tasks.values()):
            task.cancel()


def _forget(tasks: dict[int, asyncio.Task[None]], number: int, done: asyncio.Task[None]) -> None:
    if tasks.get(number) is done:
        del tasks[number]


async def _sent(socket: WebSocket, body: bytes) -> None:
    """A page that went away hears nothing more."""
    with suppress(RuntimeError, OSError, WebSocketDisconnect):
        await socket.send_text(body.decode())


def _object(text: str | bytes) -> dict[str, Any]:
    """The object in a request; an empty one for what is none, which the question then finds wrong."""
    try:
        told = json.loads(text) if len(text) <= MOST_BYTES else {}
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _response(answer: Answer) -> Response:
    return Response(answer.body, status_code=answer.status, media_type="application/json")
