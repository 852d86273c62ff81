"""What a worker may open: Python, Torsor, its cache and the files that the user named. No path from the page is opened.

Texts from the page name files: a scenario its arm, a URDF its meshes. The interpreter itself tells of each file before
it is opened (PEP 578), whoever opens it, so the rule stands in one place and holds for code that is yet to be written.
"""

from __future__ import annotations

import errno
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SYSTEM = ("/proc", "/sys", "/dev", "/etc/ld.so.cache", "/usr/lib", "/lib", "/usr/share/zoneinfo")
LISTED = ("open", "os.listdir", "os.scandir")
NEVER = ("socket.connect", "socket.bind", "socket.getaddrinfo", "os.system", "os.exec", "os.posix_spawn")
REASON = "the studio opens no files but those it was started with; give the text instead"


class Confinement:
    """From `begin` on this process opens nothing outside its folders but the files named; there is no way back."""

    def __init__(self, named: Iterable[str | os.PathLike[str]], folders: Iterable[str | os.PathLike[str]]) -> None:
        paths = sysconfig.get_paths()
        own = [Path(__file__).parents[1], sys.prefix, sys.base_prefix, paths["stdlib"], paths["purelib"], *folders]
        self._roots = tuple(os.path.realpath(each) + os.sep for each in (*own, *filter(os.path.isdir, SYSTEM)))
        self._named = {os.path.realpath(each) for each in named} | set(SYSTEM)
        self._lifted = False

    def begin(self) -> None:
        sys.addaudithook(self._hear)

    @contextmanager
    def lifted(self) -> Iterator[None]:
        """While a file is loaded that the user named: what that names in turn, such as meshes, is the user's too."""
        self._lifted = True
        try:
            yield
        finally:
            self._lifted = False

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in NEVER:
            raise PermissionError(errno.EACCES, f"the studio's workers may not {event}")
        if event in LISTED and not self._lifted and arguments and not self.allows(arguments[0]):
            raise PermissionError(errno.EACCES, REASON, os.fsdecode(arguments[0]))

    def allows(self, path: Any) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return True  # a file that is open already
        whole = os.path.realpath(os.fsdecode(path))
        return whole in self._named or (whole + os.sep).startswith(self._roots)
