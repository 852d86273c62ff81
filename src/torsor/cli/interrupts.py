"""Ctrl-C, and what else ends a command: SIGTERM and SIGHUP, which clean up as it does."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

SIGNALS = [getattr(signal, word) for word in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, word)]


class Interrupts:
    """Signals that end a command are KeyboardInterrupt, whichever they are.

    From the first ``hold`` on there is something to keep: then a signal is only noted, and heard by the next ``hold``,
    where it does no harm. Who cannot wait sends it twice.
    """

    last: int | None = None  # the signal that came last
    _holding = _noted = False

    def hold(self) -> None:
        self._holding = True
        if self._noted:
            self._noted = False
            raise KeyboardInterrupt

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.last = number
        if self._holding and not self._noted:
            self._noted = True
        else:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def heard(self) -> Iterator[Interrupts]:
        """Within a command. What the caller ignores (nohup) stays ignored; threads hear no signals."""
        self.last, self._holding, self._noted = None, False, False
        usual = (signal.SIG_DFL, signal.default_int_handler)
        main = threading.current_thread() is threading.main_thread()
        before = {number: signal.getsignal(number) for number in SIGNALS if main and signal.getsignal(number) in usual}
        try:
            for number in before:
                signal.signal(number, self._hear)
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


interrupts = Interrupts()  # of the command that runs
