"""``torsor studio``: arms, programs, scenarios and equations live in a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from torsor.cli import DONE
from torsor.cli.shared_options import Robot
from torsor.errors import printable

ProgramFile = Annotated[
    Path | None,
    Parameter(name="PROGRAM", help="A robot program (.v2, .val, .irl) or a scenario (.toml) to begin with."),
]
Port = Annotated[int | None, Parameter(help="Port on 127.0.0.1; without a word 8765, or another if that is in use.")]
Open = Annotated[bool, Parameter(name="--open", help="Open it in the browser.")]


def studio(program: ProgramFile = None, /, *, robot: Robot | None = None, port: Port = None, open_: Open = True) -> int:
    """Opens the studio in the browser: choose an arm, drag its tool, type programs, turn gains, derive equations.

    Example: torsor studio examples/programs/rl15_tour.irl --robot rl15

    It is served on this computer alone (127.0.0.1), to who has the token in the printed address, and reads only the
    files named here. It needs the extra: pip install 'torsor[studio]'. Ctrl-C ends it.
    """
    from torsor.studio.serving import opened_with, serve

    serve(opened_with(program, robot), port=port, browser=open_, say=_say)
    return DONE


def _say(text: str) -> None:
    sys.stdout.write(printable(text) + "\n")
    sys.stdout.flush()
