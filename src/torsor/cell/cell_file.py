"""WorkCell files: what stands around an arm, as TOML: boxes, cylinders and planes, in base axes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import StrictBool

from torsor.errors import ModelError
from torsor.model.build_bodies import pose_of
from torsor.model.files import read_text
from torsor.model.schema import Direction, LengthTriple, PoseTable, Table
from torsor.model.toml_lines import spelled
from torsor.model.toml_schema import TomlFile, Wording
from torsor.model.transforms import Floats, size_of
from torsor.model.units import Length

EMPTY = "empty"  # the cell in which nothing stands


class CellBoxTable(PoseTable):
    name: str
    size: LengthTriple


class CellCylinderTable(PoseTable):
    """Along z of its pose, about its middle."""

    name: str
    radius: Length
    length: Length


class CellPlaneTable(Table):
    """All on the side its normal points away from is solid."""

    name: str
    normal: Direction
    offset: Length = 0.0


class CellFile(Table):
    """What stands around an arm."""

    name: str = "cell"
    floor: Length | None = None  # its height in base axes; none without a word
    margin: Length = 0.0  # what is to be left free
    links: StrictBool = True  # whether links are held against each other
    box: tuple[CellBoxTable, ...] = ()
    cylinder: tuple[CellCylinderTable, ...] = ()
    plane: tuple[CellPlaneTable, ...] = ()


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A solid that does not move: a box of half sizes, a cylinder of radius and half length, a half space."""

    name: str
    kind: Literal["box", "cylinder", "plane"]
    placement: Floats  # T_base_solid; of a plane z is its normal
    sizes: Floats


@dataclass(frozen=True, eq=False)
class WorkCell:
    """What an arm may run into; ``margin`` in m is to be left free."""

    name: str = EMPTY
    obstacles: tuple[Obstacle, ...] = ()
    margin: float = 0.0
    links: bool = True


def read_cell(path: str | os.PathLike[str]) -> WorkCell:
    """The cell that a file describes; in ``empty`` an arm can run into itself alone."""
    if str(path) == EMPTY:
        return WorkCell()
    return parse_cell(read_text(Path(path), what="cells", suffixes=".toml"), str(path))


def parse_cell(text: str, file: str = "<text>") -> WorkCell:
    """
    >>> cell = parse_cell('floor = 0\\n[[box]]\\nname = "table"\\nsize = [1, 1, 0.5]\\nposition = [1, 0, 0.25]')
    >>> [each.name for each in cell.obstacles]
    ['floor', 'table']
    """
    toml = TomlFile(text, file, _WORDING)
    table = toml.checked(CellFile)
    found = [] if table.floor is None else [_plane("floor", np.array([0.0, 0.0, 1.0]), table.floor)]
    for i, box in enumerate(table.box):
        _above_zero(toml, ("box", i, "size"), *box.size)
        found.append(Obstacle(box.name, "box", pose_of(box, ("box", i), toml), 0.5 * np.array(box.size)))
    for i, round_ in enumerate(table.cylinder):
        _above_zero(toml, ("cylinder", i, "radius"), round_.radius)
        _above_zero(toml, ("cylinder", i, "length"), round_.length)
        sizes = np.array([round_.radius, 0.5 * round_.length])
        found.append(Obstacle(round_.name, "cylinder", pose_of(round_, ("cylinder", i), toml), sizes))
    for i, plane in enumerate(table.plane):
        normal = np.array(plane.normal)
        _above_zero(toml, ("plane", i, "normal"), size_of(normal))
        found.append(_plane(plane.name, normal / size_of(normal), plane.offset))
    names = [each.name for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ModelError(f"two things are named {twice!r}", hint="names must be unique", file=file)
    return WorkCell(table.name, tuple(found), table.margin, table.links)


def _plane(name: str, normal: Floats, offset: float) -> Obstacle:
    T = np.eye(4)
    aside = np.eye(3)[int(np.abs(normal).argmin())]
    x = np.cross(aside, normal) / np.linalg.norm(np.cross(aside, normal))
    T[:3, :3] = np.column_stack([x, np.cross(normal, x), normal])
    T[:3, 3] = offset * normal
    return Obstacle(name, "plane", T, np.zeros(0))


def _above_zero(toml: TomlFile, place: tuple[str | int, ...], *sizes: float) -> None:
    if not all(size > 0.0 for size in sizes):
        raise toml.error(place, f"{spelled(place)} has no extent", "give sizes above zero, in m")


_WORDING = Wording(
    "cell file",
    'a cell file has floor = 0 and [[box]], [[cylinder]] and [[plane]] tables with name = "..."',
    ModelError,
    {
        "name": "a text",
        "floor": "its height in m, in base axes",
        "margin": "a length in m",
        "links": "true or false",
        "size": "3 lengths, in m",
        "position": "3 finite numbers, in m",
        "normal": "3 numbers, a direction away from what is solid",
        "offset": "a length in m along the normal",
        "radius": "a length in m",
        "length": "a length in m",
    },
    {"size": ("dimensions", "extents"), "position": ("xyz", "pos", "origin")},
)
