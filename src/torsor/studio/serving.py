"""Starts the studio on this computer's loopback and ends it when asked to."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

from torsor.errors import TorsorError
from torsor.loading import SUFFIXES, load_model, robots
from torsor.studio.desk import Opened
from torsor.studio.guarding import MOST_BYTES

PORT = 8765
HOST = "127.0.0.1"  # never anything else: what is served here reads and computes with the rights of its user
PEER = 20.0  # s after which a page that does not answer, a closed lid, is dropped


def serve(
    opened: Opened, *, port: int | None = None, browser: bool = True, say: Callable[[str], None] = lambda text: None
) -> None:
    """Serves until Ctrl-C. Without a port it takes 8765, or another where that is in use, and says so."""
    try:
        import fastapi  # noqa: F401
        import uvicorn
        import websockets  # noqa: F401
    except ImportError as error:
        raise TorsorError(f"the studio needs {error.name}", hint="pip install 'torsor[studio]'") from None
    from torsor.studio.server import application

    listening = listener(port, say)
    at = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{at}/?token={token}"
    config = uvicorn.Config(
        application(opened, token=token, port=at),
        log_level="error",
        access_log=False,  # it would write the token down
        server_header=False,
        date_header=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_ping_interval=PEER,
        ws_ping_timeout=PEER,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,  # an open socket must not hold up Ctrl-C
        limit_concurrency=200,
        h11_max_incomplete_event_size=64_000,
    )
    say(f"the studio is at {address}")
    say("it ends with Ctrl-C")
    if browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    uvicorn.Server(config).run(sockets=[listening])


def listener(port: int | None, say: Callable[[str], None]) -> socket.socket:
    """A socket of the loopback: at the port that was named, at the usual one, or at any that is free."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    wished = PORT if port is None else port
    try:
        listening.bind((HOST, wished))
    except OSError as error:
        if port is not None:
            listening.close()
            problem = f"port {port} cannot be had: {error.strerror or error}"
            raise TorsorError(problem, hint="leave --port out to take any that is free") from None
        say(f"port {PORT} is in use; taking another")
        listening.bind((HOST, 0))
    listening.listen(128)  # from now on who comes waits, and is not refused
    return listening


def opened_with(program: Path | None, robot: str | None) -> Opened:
    """What the command line names, read and checked before anything is served."""
    arms: dict[str, Path] = {}
    if robot is not None and robot not in robots():
        load_model(robot)  # errors belong to the terminal
        arms[robot] = Path(robot).absolute()
    if program is None:
        return Opened(arms, robot)
    if program.suffix.lower() == ".toml":
        from torsor.errors import ScenarioError
        from torsor.model.files import read_text

        text = read_text(program, what="scenarios", suffixes=SUFFIXES[0], kind=ScenarioError)
        return Opened(arms, robot, scenario=text)
    from torsor.programs import read

    return Opened(arms, robot, program={"name": program.name, "text": read(program).source})
