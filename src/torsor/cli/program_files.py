"""Where a rewritten program goes: one file, or a folder of all its files, laid out as they were."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from torsor.errors import TorsorError
from torsor.model.files import write_bytes


def refuse_one_for_many(output: Path, files: Sequence[tuple[str, object]]) -> None:
    """A program of several files needs a folder; known before anything is computed."""
    if len(files) > 1 and (output.is_file() or (output.suffix and not output.is_dir())):
        hint = "-o FOLDER, which may be there or not: each file is written under its own name"
        raise TorsorError(f"-o {output} is one file, and the program is of {len(files)}", hint=hint)


def write_program(output: Path, files: Sequence[tuple[str, bytes]]) -> None:
    """Files are names and what is in them; of several, folders they have in common are left out of their names."""
    if len(files) == 1:
        write_bytes(output, files[0][1])
        return
    names = [PurePath(os.path.normpath(name)) for name, _ in files]
    common = os.path.commonpath([str(name.parent) for name in names]) if _alike(names) else ""
    for name, (_, content) in zip(names, files, strict=True):
        inside = name.relative_to(common) if common else PurePath(*[part for part in name.parts if part != name.anchor])
        if ".." in inside.parts:
            raise TorsorError(f"{name} lies outside of the program's folder", hint="give the files of one folder")
        path = output / inside
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TorsorError(f"cannot make the folder: {error.strerror}", file=path.parent) from None
        write_bytes(path, content)


def _alike(names: Sequence[PurePath]) -> bool:
    """Whether all are from the root of the disk, or none: else they have no folder in common."""
    return len({name.is_absolute() for name in names}) == 1
