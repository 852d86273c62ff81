"""From the tables of arm files that say where something is and what it weighs to poses and masses."""

from __future__ import annotations

import numpy as np

from torsor.model.mass import Mass, symmetric
from torsor.model.schema import BodyTable, PoseTable
from torsor.model.toml_lines import KeyPath, spelled
from torsor.model.toml_schema import TomlFile
from torsor.model.transforms import Floats, is_rotation, pose, rotation_rpy


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
