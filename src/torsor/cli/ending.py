"""How a command ends: whatever happens becomes one exit code, and on stderr one line that says why."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from torsor.cli import BAD_INPUT, BUG, CLOSED_PIPE, DONE, INTERRUPTED
from torsor.errors import DescriptionWarning, TorsorError


def exit_code(arguments: Sequence[str] | None) -> int:
    if sys.stdout is None:  # the shell closed it: torsor ... >&-
        _say("cannot write the output: standard output is closed")
        return BAD_INPUT
    for stream in (sys.stdout, sys.stderr):
        # a terminal that cannot show a letter gets its code, not a crash
        if callable(reconfigure := getattr(stream, "reconfigure", None)):
            reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", DescriptionWarning)
            warnings.showwarning = _warn(warnings.showwarning)
            code = _run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # the reader has seen enough (torsor show rl15 | head); what is still buffered must not be tried again at exit
        _throw_away_the_rest(sys.stdout)
        return CLOSED_PIPE
    except OSError as error:
        _throw_away_the_rest(sys.stdout)
        _say(f"{error.filename or 'cannot write the output'}: {error.strerror or error}")
        return BAD_INPUT
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED


def _run(arguments: Sequence[str] | None) -> int:
    from cyclopts import CycloptsError

    from torsor.cli.app import app

    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        return DONE if code is None else int(code)
    except TorsorError as error:
        _say(str(error))
        return BAD_INPUT
    except CycloptsError as error:
        _say(f"{str(error).removesuffix(', ...').rstrip('.')}; see 'torsor --help'")
        return BAD_INPUT
    except (OSError, KeyboardInterrupt):
        raise
    except Exception:  # nobody is above this line: whatever reaches it is a bug of ours, and ends with its traceback
        traceback.print_exc()
        _say("this is an error in Torsor itself: please report it with the lines above")
        return BUG


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text + "\n")


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
