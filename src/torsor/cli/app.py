"""The commands and the names they go by."""

from __future__ import annotations

import re
from inspect import cleandoc

from cyclopts import App

from torsor import __version__
from torsor.cli.bench import bench
from torsor.cli.cache import cache
from torsor.cli.check import check
from torsor.cli.compare import compare
from torsor.cli.derive import derive
from torsor.cli.export import export
from torsor.cli.monitor import monitor
from torsor.cli.reproduce import reproduce
from torsor.cli.robots import robots
from torsor.cli.servo import servo
from torsor.cli.show import show
from torsor.cli.simulate import simulate
from torsor.cli.size import size
from torsor.cli.studio import studio
from torsor.cli.study import study
from torsor.cli.vibrate import vibrate
from torsor.cli.write_schema import schema

app = App(
    name="torsor",
    help="A dynamics compiler and workbench for robot arms.\n\nExample: torsor show puma560",
    help_epilogue="Exit codes: 0 done, 1 the answer is no, 2 bad input.",
    version=__version__,
    version_flags=["--version", "-V"],
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
EVERYDAY = robots, show, schema, check, size, simulate, servo, vibrate, monitor, studio, export, derive, compare


def flowing(text: str) -> str:
    """A docstring whose paragraphs are one line each, for the terminal to wrap; lists and indented lines stay.

    >>> flowing("Does it.\\n\\n    One line\\n    and its end.")
    'Does it.\\n\\nOne line and its end.'
    """
    paragraphs = cleandoc(text).split("\n\n")
    kept = [p if re.search(r"^(?: |[-*] |[0-9]+\. )", p, re.MULTILINE) else p.replace("\n", " ") for p in paragraphs]
    return "\n\n".join(kept)


for command in (*EVERYDAY, reproduce, bench, cache):
    app.command(command, help=flowing(command.__doc__ or ""))
app.command(study)
app.register_install_completion_command("--install-completion")
