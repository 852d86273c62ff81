"""Reading and writing text files so that bad ones are refused by name and good ones are never lost half-written."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from torsor.errors import ModelError, TorsorError

# The largest robot descriptions in use have a few MB; a bigger file is no arm and would only fill the memory.
LARGEST_FILE = 16 * 1024 * 1024


def read_text(
    path: Path,
    *,
    what: str = "arm descriptions",
    suffixes: str = ".toml or .urdf",
    kind: type[TorsorError] = ModelError,
) -> str:
    """The text of a UTF-8 file of sensible size; ``what``, ``suffixes`` and ``kind`` are for its errors."""
    too_large = f"{what} are read up to {LARGEST_FILE / 1e6:.0f} MB"
    try:
        if path.is_dir():
            raise kind("this is a folder", hint=f"give the path of a {suffixes} file", file=path)
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise kind(f"the file has {size / 1e6:.0f} MB", hint=too_large, file=path)
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise kind(f"cannot read the file: {error.strerror}", file=path) from None
    if len(raw) > LARGEST_FILE:  # of a pipe or a device, which tell no size and may never end
        raise kind("the file does not end", hint=too_large, file=path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise kind(problem, hint="save the file as UTF-8", file=path, line=line) from None


def write_text(path: str | Path, text: str) -> None:
    """Writes a file as a whole: to a temporary file beside it, then renamed, so that a full disk leaves the old one."""
    write_bytes(path, text.encode("utf-8"))


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
    if _is_special(path):
        try:
            with path.open("wb") as stream:
                yield stream
        except OSError as error:
            raise TorsorError(f"cannot write the file: {error.strerror}", file=path) from None
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise TorsorError(f"cannot write here: {error.strerror}", file=path) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes files private; a result is as public as any other
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise TorsorError(f"cannot write the file: {error.strerror}", file=path) from None
        raise


def _is_special(path: Path) -> bool:
    """Pipes and devices; below /dev also what leads to a plain file, as /dev/stdout does where it is redirected."""
    return (path.exists() and not path.is_file() and not path.is_dir()) or Path("/dev") in path.absolute().parents
