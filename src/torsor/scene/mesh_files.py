"""Meshes that a URDF names, read once each. What cannot be read is said, and is never an error: it is only drawing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from torsor.model.mesh_reading import read_mesh
from torsor.model.triangles import MeshRefused, Triangles
from torsor.scene.drawn_meshes import thinned

MOST_DRAWN = 120_000  # triangles of an arm: a page of about a megabyte


def read_meshes(paths: Iterable[Path]) -> tuple[dict[Path, list[Triangles]], list[str]]:
    """The triangles of each file that can be drawn, and what is to be said of the others."""
    found: dict[Path, list[Triangles]] = {}
    said: list[str] = []
    for path in dict.fromkeys(paths):
        try:
            found[path] = read_mesh(path)
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
