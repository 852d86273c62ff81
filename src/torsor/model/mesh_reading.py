"""Mesh files to triangles: STL, OBJ and DAE, up to a size."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from torsor.model.collada import read_dae
from torsor.model.stl import read_stl
from torsor.model.triangles import MeshRefused, Triangles
from torsor.model.wavefront import read_obj

READERS: dict[str, Callable[[bytes], list[Triangles]]] = {".stl": read_stl, ".obj": read_obj, ".dae": read_dae}
LARGEST_MESH = 64 * 1024 * 1024  # bytes; meshes of robots have a few MB


def read_mesh(path: Path) -> list[Triangles]:
    """The parts of a mesh; `MeshRefused` says why there are none."""
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
