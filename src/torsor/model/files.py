"""Reading and writing files so that bad ones are refused by name and good ones are never lost. All writing goes here.

- A file appears when it is complete. Until then it has another name beside it; an error or a signal removes that.
- What is replaced keeps its mode and owner; a symbolic link stays one, and so does a hard link.
- ``growing`` is for records, which grow while the process may die: they are there from the first byte on.
- Devices and pipes are written to, never replaced, and nothing is made beside them.
- Within a call (``one_call``, which the command line opens) no output takes the place of what was read in it, nor of
  another output. ``ready`` finds that out, and folders, missing rights and full disks, before the work is done.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from torsor.errors import ModelError, TorsorError

Inode = tuple[int, int]
_touched: ContextVar[dict[Inode, str] | None] = ContextVar("_touched", default=None)  # in this call: "read", "written"

# The largest robot descriptions in use have a few MB; a bigger file is no arm and would only fill the memory.
LARGEST_FILE = 16 * 1024 * 1024


def read_text(
    path: Path,
    *,
    what: str = "arm descriptions",
    suffixes: str = ".toml or .urdf",
    kind: type[TorsorError] = ModelError,
    otherwise: str | None = None,
) -> str:
    """The text of a UTF-8 file of sensible size; ``what``, ``suffixes`` and ``kind`` are for its errors.

    ``otherwise`` is the encoding of a file that is neither UTF-8 nor, by its first bytes, UTF-16; without it all but
    UTF-8 is an error.
    """
    too_large = f"{what} are read up to {LARGEST_FILE / 1e6:.0f} MB"
    try:
        if path.is_dir():
            raise kind("this is a folder", hint=f"give the path of a {suffixes} file", file=path)
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise kind(f"the file has {size / 1e6:.0f} MB", hint=too_large, file=path)
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
        note_read(path)
    except OSError as error:
        raise kind(f"cannot read the file: {error.strerror}", file=path) from None
    except ValueError as error:  # its name has a zero byte
        raise kind(f"cannot read the file: {error}", file=path) from None
    if len(raw) > LARGEST_FILE:  # of a pipe or a device, which tell no size and may never end
        raise kind("the file does not end", hint=too_large, file=path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if otherwise is not None and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            with contextlib.suppress(UnicodeDecodeError):
                return raw.decode("utf-16")
        if otherwise is not None and b"\0" not in raw:
            return raw.decode(otherwise)
        line = raw.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise kind(problem, hint="save the file as UTF-8", file=path, line=line) from None


@contextlib.contextmanager
def one_call() -> Iterator[None]:
    """Remembers what is read and written inside, so that no output takes its place."""
    token = _touched.set({})
    try:
        yield
    finally:
        _touched.reset(token)


def note_read(path: str | Path) -> None:
    """Says that a file was read in this call; ``read_text`` says it itself."""
    _note(path, "read")


def _note(path: str | Path, how: str) -> None:
    known = _touched.get()
    if known is not None and (inode := _inode(path)) is not None:
        known[inode] = how


def _inode(path: str | Path) -> Inode | None:
    """Which plain file this is, by whatever name."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # it is not there, or its name has a zero byte
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def ready(outputs: Mapping[str, str | Path | None]) -> None:
    """Refuses, before the work, files by name of their option that could not be written after it.

    >>> ready({"--report": "a.html", "--csv": "./a.html"})
    Traceback (most recent call last):
    torsor.errors.TorsorError: a.html: --report and --csv are the same file; give each a file of its own
    """
    seen: dict[object, str] = {}
    for name, path in outputs.items():
        if path is None or is_special(path):
            continue
        same = _inode(path) or os.path.realpath(path)
        if same in seen:
            problem = f"{seen[same]} and {name} are the same file"
            raise TorsorError(problem, hint="give each a file of its own", file=os.path.normpath(path))
        seen[same] = name
        with _beside(Path(path)) as (stream, _):
            try:
                stream.write(bytes(ROOM))
                stream.flush()
            except OSError as error:
                raise TorsorError(f"cannot write here: {error.strerror}", file=path) from None


ROOM = 1 << 16  # bytes that a place must have for a result; what is larger may still find the disk full, and says so


def write_text(path: str | Path, text: str) -> None:
    """Writes a file as a whole: to a temporary file beside it, then renamed, so that a full disk leaves the old one."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))  # names of files may hold what is no UTF-8


def write_bytes(path: str | Path, content: bytes) -> None:
    """As ``write_text``, of what is no text."""
    with whole(path) as stream:
        stream.write(content)


@contextlib.contextmanager
def whole(path: str | Path) -> Iterator[BinaryIO]:
    """A file that appears when it is complete: until then it has another name, and an error removes it.

    What is there and is no plain file, as a pipe, a terminal or /dev/stdout, is written to and never replaced.
    """
    path = Path(path)
    try:
        if is_special(path):
            with open(os.open(path, os.O_WRONLY | os.O_TRUNC), "wb") as stream:  # and never makes one
                yield stream
            return
        with _beside(path) as (stream, temporary):
            yield stream
            stream.close()
            _put(temporary, Path(os.path.realpath(path)))
        _note(path, "written")
    except OSError as error:
        raise TorsorError(f"cannot write the file: {error.strerror}", file=path) from None


def growing(path: str | Path) -> BinaryIO:
    """A new file that is there from the first byte on, for what must not be lost if the process is: never in the place
    of another, be it as old as it may.
    """
    path = Path(path)
    try:
        stream = open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb")  # noqa: SIM115
    except FileExistsError:
        raise TorsorError("this file is there already", hint="give a record a file of its own", file=path) from None
    except OSError as error:
        raise TorsorError(f"cannot write here: {error.strerror}", file=path) from None
    _note(path, "written")
    return stream


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A new file in the folder of another, gone at the end unless it got a name of its own."""
    known = (_touched.get() or {}).get(_inode(path) or (0, 0))
    if known is not None:
        what = "was read by this command" if known == "read" else "is another output of this command"
        raise TorsorError(f"this file {what} and would be lost", hint="write to another file", file=path)
    target = Path(os.path.realpath(path))  # a link stays a link: what it leads to is written
    if target.is_dir():
        raise TorsorError("this is a folder", hint="give the path of a file", file=path)
    temporary = target.parent / f".torsor-{secrets.token_hex(8)}"
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied")
        stream = open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb")  # noqa: SIM115
    except OSError as error:
        raise TorsorError(f"cannot write here: {error.strerror}", file=path) from None
    try:
        yield stream, temporary
    finally:
        with contextlib.suppress(OSError):
            stream.close()
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _put(temporary: Path, target: Path) -> None:
    """In the place of what was there, with its mode and owner; where that has other names too, into it."""
    old = target.stat() if target.exists() else None
    if old is not None and old.st_nlink > 1:
        try:
            shutil.copyfile(temporary, target)
        except OSError as error:
            kept = target.with_name(f"{target.name}.new")
            os.replace(temporary, kept)
            raise TorsorError(
                f"cannot write the file: {error.strerror}", hint=f"the result is in {kept}", file=target
            ) from None
        return
    if old is not None:
        with contextlib.suppress(OSError):  # only root gives files away
            os.chown(temporary, old.st_uid, old.st_gid)
        os.chmod(temporary, stat.S_IMODE(old.st_mode))
    os.replace(temporary, target)


def csv_titles(titles: Iterable[str]) -> list[str]:
    """Titles of columns that no spreadsheet takes for a formula.

    >>> csv_titles(["=1+1.q", "joint1.q"])
    ["'=1+1.q", 'joint1.q']
    """
    return [f"'{title}" if title.startswith(("=", "+", "-", "@")) else title for title in titles]


def is_special(path: str | Path) -> bool:
    """Pipes and devices; in /dev also what leads to a plain file, as /dev/stdout does where it is redirected."""
    path = Path(path)
    there = path.exists() and not path.is_file() and not path.is_dir()
    place = path.absolute()
    return there or str(place.parent) in ("/dev", "/dev/fd") or Path("/proc") in place.parents
