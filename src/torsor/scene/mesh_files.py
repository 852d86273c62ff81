"""Meshes that a URDF names, read once each. What cannot be read is said, and is never an error: it is only drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from torsor.scene.collada import read_dae
from torsor.scene.stl import read_stl
from torsor.scene.triangles import MeshRefused, Triangles, thinned
from torsor.scene.wavefront import read_obj

READERS: dict[str, Callable[[bytes], list[Triangles]]] = {".stl": read_stl, ".obj": read_obj, ".dae": read_dae}
LARGEST_MESH = 64 * 1024 * 1024  # bytes; meshes of robots have a few MB
MOST_DRAWN = 120_000  # triangles of an arm: a page of about a megabyte


def read_meshes(paths: Iterable[Path]) -> tuple[dict[Path, list[Triangles]], list[str]]:
    """The triangles of each file that can be drawn, and what is to be said of the others."""
    found: dict[Path, list[Triangles]] = {}
    said: list[str] = []
    for path in dict.fromkeys(paths):
        try:
            found[path] = _read(path)
        except MeshRefused as refused:
            said.append(f"mesh {path.name} {refused}; its link is drawn plainly")
    parts = [part for parts in found.values() for part in parts]
    if sum(len(part.triples) for part in parts) > MOST_DRAWN:
        for path, whole in found.items():
            found[path] = [thinned(part, MOST_DRAWN // len(parts)) for part in whole]
            before, after = (sum(len(part.triples) for part in each) for each in (whole, found[path]))
            if after < before:
                said.append(f"mesh {path.name} has {before} triangles and is drawn with {after}")
    return found, said


def _read(path: Path) -> list[Triangles]:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise MeshRefused(f"is none of {', '.join(READERS)}")
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_MESH + 1)
    except OSError as error:
        raise MeshRefused(f"cannot be read: {error.strerror}") from None
    if len(raw) > LARGEST_MESH:
        raise MeshRefused(f"has more than {LARGEST_MESH >> 20} MB")
    parts = [part for part in reader(raw) if len(part.triples)]
    if not parts:
        raise MeshRefused("has no triangles")
    return parts
