"""From the tables of arm files that say where something is and what it weighs to poses and masses.

A mass is given by numbers, or by a solid with a mass or a density.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from torsor.model.files import note_read
from torsor.model.mass import Mass, symmetric
from torsor.model.meshes import MeshFinder
from torsor.model.parts import BallShape, BoxShape, CylinderShape, MeshShape, Visual
from torsor.model.schema import BodyTable, PoseTable, SolidTable
from torsor.model.solids import ball_of, box_of, cylinder_of, mesh_of, of_density, of_mass
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.model.transforms import Floats, is_rotation, pose, rotation_rpy, times
from torsor.model.triangles import MeshRefused

SOLIDS = ("cylinder", "box", "ball", "mesh")
# z to the axis that a cylinder lies along, by turning all three axes on: exact
TURNED = {
    "z": np.eye(3),
    "x": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
}


def pose_of(table: PoseTable, place: KeyPath, toml: TomlFile) -> Floats:
    """Of a position with rpy, or with a rotation, which is taken as it is."""
    if table.rotation is None:
        return pose(rotation_rpy(*(table.rpy or (0.0, 0.0, 0.0))), table.position)
    R, key = np.array(table.rotation).reshape(3, 3), (*place, "rotation")
    if table.rpy is not None:
        raise toml.error(key, f"{spelled(place)} has both rpy and a rotation", "give one of them")
    if not is_rotation(R):
        raise toml.error(key, f"{spelled(key)} is no rotation", "give 9 numbers, row by row, of a rotation matrix")
    return pose(R, table.position)


def body_mass(table: BodyTable, place: KeyPath, toml: TomlFile) -> Mass | None:
    """None where the file gives no mass."""
    if table.shape is not None:
        return _solid_mass(table, table.shape, place, toml)
    if table.mass is None:
        if table.inertia is not None:
            raise toml.error((*place, "inertia"), f"{spelled(place)} has inertia but no mass", "give mass, in kg")
        return None
    inertia = np.zeros((3, 3))
    if table.inertia is not None:
        nine = len(table.inertia) == 9
        inertia = np.array(table.inertia).reshape(3, 3) if nine else symmetric(*table.inertia)
        if not np.allclose(inertia, inertia.T, rtol=0.0, atol=1e-9 * np.abs(inertia).max()):
            key = (*place, "inertia")
            raise toml.error(key, f"{spelled(key)} is not symmetric", "9 numbers are the rows of a symmetric matrix")
    make = Mass.about_origin if table.about == "origin" else Mass
    return make(table.mass, np.array(table.com), inertia)


def drawn_solid(table: BodyTable, place: KeyPath, toml: TomlFile) -> tuple[Visual, ...]:
    """The solid as a shape to draw; that it can be was checked with its mass."""
    shape = table.shape
    if shape is None:
        return ()
    at = _placement(shape, (*place, "shape"), toml)
    if shape.cylinder is not None:
        return (Visual(CylinderShape(*shape.cylinder), at, is_mass=True),)
    if shape.box is not None:
        return (Visual(BoxShape(shape.box), at, is_mass=True),)
    if shape.ball is not None:
        return (Visual(BallShape(shape.ball), at, is_mass=True),)
    assert shape.mesh is not None
    mesh = MeshShape(shape.mesh, _mesh_path(shape.mesh, toml)[0], (shape.scale,) * 3)
    return (Visual(mesh, at, is_mass=True),)


def _placement(shape: SolidTable, where: KeyPath, toml: TomlFile) -> Floats:
    """T_link_solid."""
    turned = np.eye(4)
    turned[:3, :3] = TURNED[shape.along]
    return times(pose_of(shape, where, toml), turned)


def _solid_mass(table: BodyTable, shape: SolidTable, place: KeyPath, toml: TomlFile) -> Mass:
    where, name = (*place, "shape"), spelled((*place, "shape"))
    given = [word for word in SOLIDS if getattr(shape, word) is not None]
    if len(given) != 1:
        has = f"both {given[0]} and {given[1]}" if given else "no solid"
        raise toml.error(where, f"{name} has {has}", f"give one of {', '.join(SOLIDS)}")
    for word in {"com", "inertia", "about"} & table.model_fields_set:
        hint = f"leave out {word}; {name}.position says where the solid is"
        raise toml.error((*place, word), f"{spelled((*place, word))} is given, and {name} says it too", hint)
    if "along" in shape.model_fields_set and shape.cylinder is None:
        raise toml.error((*where, "along"), f"{name}.along is of cylinders", "rpy turns any solid")
    if "scale" in shape.model_fields_set and shape.mesh is None:
        raise toml.error((*where, "scale"), f"{name}.scale is of meshes", "give lengths in m")
    if (table.mass is None) == (shape.density is None):
        has = "neither a mass nor a density" if table.mass is None else "a mass and a density"
        hint = f"give {spelled((*place, 'mass'))} in kg, or {name}.density in kg/m^3"
        raise toml.error(where, f"{name} has {has}", hint)
    sizes = {"scale": shape.scale, "density": shape.density, given[0]: getattr(shape, given[0])}
    for word, size in sizes.items():
        if size is not None and not isinstance(size, str) and not np.min(size) > 0.0:
            raise toml.error((*where, word), f"{name}.{word} is {size}", "above zero")
    solid = _solid(shape, where, toml)
    made = of_mass(solid, table.mass) if table.mass is not None else of_density(solid, shape.density or 0.0)
    return made.moved(_placement(shape, where, toml))


def _solid(shape: SolidTable, where: KeyPath, toml: TomlFile) -> Mass:
    """Of density 1, in its own axes."""
    if shape.cylinder is not None:
        return cylinder_of(*shape.cylinder)
    if shape.box is not None:
        return box_of(*shape.box)
    if shape.ball is not None:
        return ball_of(shape.ball)
    assert shape.mesh is not None
    from torsor.model.mesh_reading import read_mesh  # its readers are imported where there is a mesh

    path, why = _mesh_path(shape.mesh, toml)
    if path is None:
        raise toml.error((*where, "mesh"), f"mesh {shape.mesh!r} {why}", "give a path inside the arm file's folder")
    try:
        found = mesh_of(read_mesh(path), shape.scale)
    except MeshRefused as refused:
        hint = "a density needs a closed surface; else give mass, com and inertia"
        raise toml.error((*where, "mesh"), f"mesh {shape.mesh!r} {refused}", hint) from None
    note_read(path)
    return found


def _mesh_path(uri: str, toml: TomlFile) -> tuple[Path | None, str]:
    file = Path(toml.file)
    path, why = MeshFinder(file.parent if file.is_file() else None).find(uri)
    return path, (why or "").split(";")[0].replace(" and is left out", "")
