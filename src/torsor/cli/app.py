"""The commands and the names they go by."""

from __future__ import annotations

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
from torsor.cli.studio import studio
from torsor.cli.study import study
from torsor.cli.vibrate import vibrate
from torsor.cli.write_schema import schema

app = App(
    name="torsor",
    help="A dynamics compiler and workbench for robot arms.\n\nExample: torsor show puma560",
    help_epilogue="Exit codes: 0 done, 1 the answer is no, 2 bad input.",
    version=__version__,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
EVERYDAY = (robots, show, schema, check, simulate, servo, vibrate, monitor, studio, export, derive, compare)
for command in (*EVERYDAY, reproduce, bench, cache, study):
    app.command(command)
