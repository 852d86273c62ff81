"""How a command ends: whatever happens becomes one exit code, and on stderr one line that says why."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from torsor.cli import BAD_INPUT, BUG, CLOSED_PIPE, DONE, INTERRUPTED
from torsor.cli.command_line import command_line
from torsor.cli.interrupts import interrupts
from torsor.errors import DescriptionWarning, TorsorError, printable


def exit_code(arguments: Sequence[str] | None) -> int:
    if sys.stdout is None:  # the shell closed it: torsor ... >&-
        _say("cannot write the output: standard output is closed")
        return BAD_INPUT
    for stream in (sys.stdout, sys.stderr):
        # a terminal that cannot show a letter gets its code, not a crash
        if callable(reconfigure := getattr(stream, "reconfigure", None)):
            reconfigure(errors="backslashreplace")
    with interrupts.heard():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always", DescriptionWarning)
                warnings.showwarning = _warn(warnings.showwarning)
                code = _run(arguments)
            sys.stdout.flush()
            return code if interrupts.last is None else 128 + interrupts.last
        except BrokenPipeError:
            # the reader has seen enough (torsor show rl15 | head); what is still buffered must not be tried again
            _throw_away_the_rest(sys.stdout)
            return CLOSED_PIPE
        except OSError as error:
            _throw_away_the_rest(sys.stdout)
            _say(f"{error.filename or 'cannot write the output'}: {error.strerror or error}")
            return BAD_INPUT
        except KeyboardInterrupt:
            # what was broken off in the midst, such as a write of Zarr, is thrown away soon, and has nothing to say
            warnings.filterwarnings("ignore", message="coroutine .* was never awaited", category=RuntimeWarning)
            by = interrupts.last or signal.SIGINT
            _say("interrupted" if by == signal.SIGINT else f"ended by {signal.Signals(by).name}")
            return INTERRUPTED - signal.SIGINT + by


def _run(arguments: Sequence[str] | None) -> int:
    import numpy as np
    from cyclopts import CycloptsError
    from rich.console import Console

    from torsor.cli.app import app
    from torsor.model.files import one_call

    try:
        # what is not finite is said in words, where it is found
        with one_call(), command_line(arguments), np.errstate(all="ignore"):
            # a console of its own: that of the app would keep the width of the first window
            console = Console()
            code = app(arguments, console=console, exit_on_error=False, print_error=False, result_action="return_value")
        return DONE if code is None else int(code)
    except TorsorError as error:
        _say(str(error))
    except CycloptsError as error:
        at_fault = " ".join(("torsor", *(error.command_chain or ())))
        _say(f"{str(error).removesuffix(', ...').rstrip('.')}; see '{at_fault} --help'")
    except RecursionError:
        _say("what was given is nested too deep to be understood; a thousand levels are more than any file needs")
    except MemoryError:
        _say("there is not enough memory for this")
    except (OSError, KeyboardInterrupt):
        raise
    except Exception:  # nobody is above this line: whatever reaches it is a bug of ours, and ends with its traceback
        _say(traceback.format_exc().rstrip("\n"))
        _say("this is an error in Torsor itself: please report it with the lines above")
        return BUG
    return BAD_INPUT


def _say(text: str) -> None:
    """Names and texts in it are other people's: none of them may steer the terminal."""
    if sys.stderr is not None:
        sys.stderr.write(printable(text, keep="\n") + "\n")


def _warn(usual: Callable[..., None]) -> Callable[..., None]:
    def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if issubclass(category, DescriptionWarning):
            _say(f"warning: {message}")
        else:
            usual(message, category, *place)

    return show


def _throw_away_the_rest(stream: TextIO) -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a stream without a file, as in tests
        return
