"""The command line that is being carried out, as its user typed it: a page says what it was made by."""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

_typed: ContextVar[str | None] = ContextVar("_typed", default=None)


@contextlib.contextmanager
def command_line(arguments: Sequence[str] | None) -> Iterator[None]:
    """Remembers it within; ``arguments`` are those of the process unless given."""
    words = sys.argv[1:] if arguments is None else arguments
    token = _typed.set(shlex.join(["torsor", *map(str, words)]))
    try:
        yield
    finally:
        _typed.reset(token)


def asked_by() -> str | None:
    """As it can be given to a shell again.

    >>> with command_line(["check", "my program.irl"]):
    ...     asked_by()
    "torsor check 'my program.irl'"
    """
    return _typed.get()
