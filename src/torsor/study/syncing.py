"""Files that are to be on the disk itself soon, not only with the system: a power cut takes what is not."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

LATEST = 5.0  # s: what is older is on the disk


@dataclass(eq=False)
class SyncedLater:
    """Asking the disk for each chunk would take longer than many a chunk: so it is asked for all of some seconds."""

    waiting: set[Path] = field(default_factory=set)
    asked: float = field(default_factory=monotonic)

    def add(self, *paths: Path) -> None:
        self.waiting.update(paths)
        if monotonic() - self.asked > LATEST:
            self.flush()

    def flush(self) -> None:
        """All that waits, and the folders that name it."""
        for path in sorted({*self.waiting, *(path.parent for path in self.waiting)}):
            with contextlib.suppress(FileNotFoundError):
                place = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(place)
                finally:
                    os.close(place)
        self.waiting.clear()
        self.asked = monotonic()
