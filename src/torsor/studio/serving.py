"""Serves pages on this computer's loopback: the studio, which ends when asked to, and what `torsor monitor` shows."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torsor.errors import TorsorError, Unsupported
from torsor.loading import SUFFIXES, load_model, robots
from torsor.studio.desk import Opened
from torsor.studio.guarding import MOST_BYTES

if TYPE_CHECKING:
    import uvicorn

PORT = 8765
HOST = "127.0.0.1"  # never anything else: what is served here reads and computes with the rights of its user
PEER = 20.0  # s after which a page that does not answer, a closed lid, is dropped


def serve(
    opened: Opened, *, port: int | None = None, browser: bool = True, say: Callable[[str], None] = lambda text: None
) -> None:
    """Serves until Ctrl-C. Without a port it takes 8765, or another where that is in use, and says so."""
    require_extra("the studio")
    from torsor.studio.server import application

    listening = listener(port, say)
    at = listening.getsockname()[1]
    token = new_token()
    server = server_of(application(opened, token=token, port=at))
    address = address_of(at, token)
    say(f"the studio is at {address}")
    say("it ends with Ctrl-C")
    if browser:
        open_in_browser(address)
    server.run(sockets=[listening])


def require_extra(what: str) -> None:
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise Unsupported(f"{what} needs {error.name}", hint="pip install 'torsor[studio]'") from None


def server_of(application: Any) -> uvicorn.Server:
    """Ready to run on a listening socket."""
    import uvicorn

    config = uvicorn.Config(
        application,
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
    return uvicorn.Server(config)


def new_token() -> str:
    return secrets.token_urlsafe(24)


def address_of(port: int, token: str) -> str:
    return f"http://{HOST}:{port}/?token={token}"


def open_in_browser(address: str) -> None:
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def listener(port: int | None, say: Callable[[str], None]) -> socket.socket:
    """A socket of the loopback: at the port that was named, at the usual one, or at any that is free."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    wished = PORT if port is None else port
    try:
        listening.bind((HOST, wished))
    except (OSError, OverflowError) as error:
        if port is not None:
            listening.close()
            problem = f"port {port} cannot be had: {getattr(error, 'strerror', None) or error}"
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
