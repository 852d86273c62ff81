"""Compiled kernels on disk, for the next process.

Code found in this folder is run, so it must be ours alone: a folder or a file that belongs to somebody else, or that
others may write to, is not used. Entries carry a checksum, of what they are called too, and the state of the sources
that made them: a damaged, a mistaken or an outdated one is taken as missing. Writing goes to a temporary file that is
then renamed, so two processes may write the same entry at once. Whatever goes wrong here, a full disk or a folder that
cannot be written, costs time only: the kernel is compiled again.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from torsor.emit import sources

try:
    from _blake2 import blake2b  # what hashlib hands out, without loading OpenSSL, which takes longer than a kernel
except ImportError:
    from hashlib import blake2b

MAGIC = b"torsor-cache-3\n"
DIGEST, MEASURE = 16, 4  # bytes
MOST_BYTES = 256 * 2**20
SUFFIX = ".kernel"

_HERE = os.fsencode(sources.PACKAGE)


class CacheRefused(UserWarning):
    """The cache folder is not safe to use, or none; kernels are compiled in every process, or kept elsewhere."""


def folder() -> Path:
    """Where entries are: $TORSOR_CACHE, or the user's cache folder."""
    chosen = os.environ.get("TORSOR_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform.startswith("linux"):  # as platformdirs says, without its import
        base = os.environ.get("XDG_CACHE_HOME", "")
        try:
            return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "torsor"
        except RuntimeError:  # services and containers may run as a user who has no home
            place = Path(os.environ.get("TMPDIR") or "/tmp") / f"torsor-cache-{os.getuid()}"
            _say(f"there is no home folder, so kernels are kept in {place} (set TORSOR_CACHE to a folder that stays)")
            return place
    import platformdirs

    return Path(platformdirs.user_cache_dir("torsor", appauthor=False))


def read(key: str) -> bytes | None:
    """The entry of a key, or None when there is none that may be used."""
    place = folder()
    if not _trusted(place):
        return None
    try:
        # Opened first, then looked at: what is checked is what is read.
        descriptor = os.open(place / (key + SUFFIX), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not _ours(os.fstat(file.fileno()), stat.S_IFREG):
                _say(PROBLEMS["refused"].format(place / (key + SUFFIX)))
                return None
            content = file.read()
    except OSError:
        return None
    head = len(MAGIC) + DIGEST
    if not content.startswith(MAGIC) or content[len(MAGIC) : head] != _digest(key, content[head:]):
        return None
    begin = head + MEASURE
    end = begin + int.from_bytes(content[head:begin], "little")
    return content[end:] if sources.unchanged(content[begin:end]) else None


def write(key: str, payload: bytes, made_by: Sequence[str] = ()) -> None:
    """Keep an entry, for as long as the modules that made it are what they are. Failing to is no error."""
    place = folder()
    stamp = sources.stamp(*made_by)
    if stamp is None:
        return
    content = len(stamp).to_bytes(MEASURE, "little") + stamp + payload
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _trusted(place):
            return
        descriptor, temporary = tempfile.mkstemp(dir=place, prefix=".writing-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(MAGIC + _digest(key, content) + content)
            os.replace(temporary, place / (key + SUFFIX))
        except BaseException:
            os.unlink(temporary)
            raise
        _make_room(place, len(content))
    except OSError:
        return


def state() -> str:
    """Of the folder: "ready", "missing" until the first kernel makes it, "refused", since others may write to it, or
    "file", since it is none, or stands below one."""
    return _state_of(folder())


def size() -> tuple[int, int]:
    """How many entries there are, and their bytes."""
    sizes = [s.st_size for _, s in _entries(folder())]
    return len(sizes), sum(sizes)


def clear() -> int:
    """Remove all entries and unfinished writes; how many entries there were."""
    entries = [path for path, _ in _entries(folder())]
    for path in [*entries, *folder().glob(".writing-*")]:
        path.unlink(missing_ok=True)
    return len(entries)


def key_of(*facts: bytes) -> str:
    """A name for facts. Each is measured, so that no two lists can run together.

    Installations side by side have entries of their own: each would find those of the others outdated.
    """
    digest = blake2b(digest_size=20)
    for fact in (_HERE, *facts):
        digest.update(len(fact).to_bytes(8, "little"))
        digest.update(fact)
    return digest.hexdigest()


def _digest(key: str, payload: bytes) -> bytes:
    return blake2b(payload, digest_size=DIGEST, key=key.encode()).digest()


def _entries(place: Path) -> list[tuple[Path, os.stat_result]]:
    """By ``scandir``: every write looks at all of them, and a full cache holds ten thousand."""
    found = []
    with suppress(OSError), os.scandir(place) as files:
        for file in files:
            if file.name.endswith(SUFFIX):
                with suppress(OSError):  # another process removed it
                    found.append((Path(file.path), file.stat(follow_symlinks=False)))
    return found


def _make_room(place: Path, written: int) -> None:
    """Remove the oldest entries beyond the limit. Looked at when it may matter: looking at all of them takes long."""
    _unseen[place] = _unseen.get(place, MOST_BYTES) + written
    if _unseen[place] < MOST_BYTES // 64:
        return
    _unseen[place] = 0
    entries = _entries(place)
    total = sum(s.st_size for _, s in entries)
    for path, s in sorted(entries, key=lambda entry: entry[1].st_mtime):
        if total <= MOST_BYTES:
            return
        path.unlink(missing_ok=True)
        total -= s.st_size


def _trusted(place: Path) -> bool:
    found = _state_of(place)
    if found in PROBLEMS:
        _say(PROBLEMS[found].format(place))
    return found == "ready"


def _state_of(place: Path) -> str:
    try:
        there = place.stat()
    except NotADirectoryError:
        return "file"
    except OSError:
        return "missing"
    if not stat.S_ISDIR(there.st_mode):
        return "file"
    return "ready" if _ours(there, stat.S_IFDIR) else "refused"


def _ours(state: os.stat_result, kind: int) -> bool:
    if stat.S_IFMT(state.st_mode) != kind:
        return False
    if not hasattr(os, "getuid"):  # Windows: the folder's access list, inherited from the user's profile, decides
        return True
    return state.st_uid == os.getuid() and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _say(what: str) -> None:
    if what not in _said:
        _said.add(what)
        warnings.warn(what, CacheRefused, stacklevel=2)


PROBLEMS = {
    "refused": "{} belongs to somebody else or others may write to it, so code in it is not run; "
    "kernels are compiled anew (chmod go-w, or set TORSOR_CACHE to a folder of yours)",
    "file": "{} is not a folder, so kernels are compiled anew (set TORSOR_CACHE to a folder of yours)",
}
_said: set[str] = set()
_unseen: dict[Path, int] = {}  # bytes written to a folder since it was last looked at
