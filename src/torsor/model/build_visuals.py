"""From the [[link.visual]] and [[link.collision]] tables of an arm file to shapes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from torsor.model.build_bodies import pose_of
from torsor.model.meshes import MeshFinder
from torsor.model.parts import BallShape, BoxShape, CylinderShape, MeshShape, Visual
from torsor.model.schema import ShapeTable, VisualTable
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile


def read_visuals(tables: Sequence[ShapeTable], place: KeyPath, toml: TomlFile) -> tuple[Visual, ...]:
    return tuple(_visual(table, (*place, k), toml) for k, table in enumerate(tables))


def _visual(table: ShapeTable, place: KeyPath, toml: TomlFile) -> Visual:
    given = [word for word in ("box", "cylinder", "ball", "mesh") if getattr(table, word) is not None]
    if len(given) != 1:
        said = " and ".join(given) or "no shape"
        raise toml.error(place, f"{spelled(place)} has {said}", "give one of box, cylinder, ball and mesh")
    shape: BoxShape | CylinderShape | BallShape | MeshShape
    if table.mesh is not None:
        folder = None if toml.file == "<text>" else Path(toml.file).parent
        path, missing = MeshFinder(folder, toml.package_paths).find(table.mesh)
        shape = MeshShape(table.mesh, path, table.scale, missing)
    elif table.box is not None:
        shape = BoxShape(table.box)
    elif table.cylinder is not None:
        shape = CylinderShape(*table.cylinder)
    else:
        assert table.ball is not None
        shape = BallShape(table.ball)
    placement = pose_of(table, place, toml)
    if isinstance(table, VisualTable):
        return Visual(shape, placement, table.color, table.is_mass)
    return Visual(shape, placement)
