"""The files of a program: one, several, a folder, or a backup in one file (.zip, .tar, .tgz)."""

from __future__ import annotations

import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from torsor.errors import TorsorError
from torsor.model.files import note_read

LARGEST = 64_000_000  # bytes of a file, and of all files of a program
MOST_FILES = 2000
ARCHIVES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")


@dataclass(frozen=True)
class RawFile:
    """A file as it lies there, and its name as messages have it."""

    name: str
    raw: bytes

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()


def is_project(path: Path) -> bool:
    return path.is_dir() or path.name.lower().endswith(ARCHIVES)


def files_of(paths: Sequence[str | os.PathLike[str]], suffixes: Iterable[str]) -> list[RawFile]:
    """The files that these paths lead to; of folders and backups those with one of the suffixes, in order of name."""
    wanted = tuple(suffixes)
    found: list[RawFile] = []
    for each in paths:
        path = Path(each)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and _is_wanted(p.name, wanted))
            _few(path, len(inside))
            found += [RawFile(str(file), raw_bytes(file)) for file in inside]
        elif path.name.lower().endswith(ARCHIVES):
            found += _unpacked(path, wanted)
        else:
            found.append(RawFile(os.fspath(each), raw_bytes(path)))
    if sum(len(file.raw) for file in found) > LARGEST:
        raise TorsorError("the program is too large", hint=f"at most {LARGEST:,} bytes are read", file=Path(paths[0]))
    return found


def raw_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
        note_read(path)
    except (OSError, ValueError) as error:  # a name with a NUL in it is no OSError
        raise TorsorError(f"cannot read the program: {getattr(error, 'strerror', None) or error}", file=path) from None
    if len(raw) > LARGEST:
        raise TorsorError("the program is too large", hint=f"at most {LARGEST:,} bytes are read", file=path)
    return raw


# What unpacking meets: no archive, one cut off, damaged streams (zlib, lzma; gzip and bz2 say OSError), a password
# (RuntimeError), a way of packing that Python does not know (NotImplementedError), names that are none (ValueError).
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, RuntimeError, ValueError),  # NotImplementedError is a RuntimeError
)


def _unpacked(path: Path, suffixes: tuple[str, ...]) -> list[RawFile]:
    """The files in a backup; nothing is written to disk."""
    raw = raw_bytes(path)
    try:
        members = _zipped(raw, suffixes) if path.suffix.lower() == ".zip" else _tarred(raw, suffixes)
        found: list[RawFile] = []
        size = 0
        for name, content in members:
            size += len(content)
            if size > LARGEST:
                raise TorsorError("the backup is too large", hint=f"at most {LARGEST:,} bytes are read", file=path)
            found.append(RawFile(f"{path}/{name}", content))
            _few(path, len(found))
        return sorted(found, key=lambda file: file.name)
    except BROKEN as error:
        why = next(iter(str(error).splitlines()), "it ends too early").rstrip(":")
        what = f"this is no backup that can be unpacked: {why}"
        raise TorsorError(what, hint="a .zip or a .tar that is whole and has no password", file=path) from None


def _zipped(raw: bytes, suffixes: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for member in archive.infolist():
            if not member.is_dir() and _is_wanted(member.filename, suffixes):
                with archive.open(member) as stream:
                    yield member.filename, stream.read(LARGEST + 1)


def _tarred(raw: bytes, suffixes: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
        for member in archive:
            if member.isfile() and _is_wanted(member.name, suffixes):
                stream = archive.extractfile(member)
                if stream is not None:
                    yield member.name, stream.read(LARGEST + 1)


def _is_wanted(name: str, suffixes: tuple[str, ...]) -> bool:
    """By its suffix; not what macOS lays beside each file of other disks and archives, ``._name``, which is no text."""
    file = PurePosixPath(name).name.lower()
    return file.endswith(suffixes) and not file.startswith("._")


def _few(path: Path, count: int) -> None:
    if count > MOST_FILES:
        raise TorsorError(f"more than {MOST_FILES:,} files of programs", hint="give the folder of one robot", file=path)
