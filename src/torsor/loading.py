"""From a name or a path to an arm."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import torsor.emit.page  # noqa: F401  who loads an arm will ask it something: the first call need not import
from torsor.arm import Arm
from torsor.errors import TorsorError, UnknownRobot, did_you_mean
from torsor.model.model import Model

if TYPE_CHECKING:
    from torsor.model.urdf import UrdfOptions

SUFFIXES = (".toml", ".urdf")


def robots() -> tuple[str, ...]:
    """Names of the library's arms."""
    entries = (Path(entry.name) for entry in files("torsor.model.library").iterdir())
    return tuple(sorted(entry.stem for entry in entries if entry.suffix in SUFFIXES))


def load(robot: str | os.PathLike[str], **urdf: Unpack[UrdfOptions]) -> Arm:
    """The arm of a library name, or of a path to an arm file (.toml) or URDF (.urdf).

    For a URDF, ``package_paths`` are the folders in which its package:// meshes may lie, ``tool`` names the link that
    is the tool frame, and ``allow_nonphysical`` accepts inertias that no body can have.

    >>> load("puma560").n
    6
    """
    return Arm(load_model(robot, **urdf))


def load_model(robot: str | os.PathLike[str], **urdf: Unpack[UrdfOptions]) -> Model:
    path = _path_of(robot)
    if path.suffix == ".urdf":
        from torsor.model.urdf import read_urdf

        return read_urdf(path, **urdf)
    if given := [option for option, value in urdf.items() if value]:
        raise TorsorError(f"{given[0]} is for URDFs", hint="an arm file says it itself", file=path)
    from torsor.model.armfile import read_arm_file  # pydantic is only needed from here on

    return read_arm_file(path)


def _path_of(robot: str | os.PathLike[str]) -> Path:
    name, library = os.fspath(robot), Path(str(files("torsor.model.library")))
    if name in robots():
        return next(path for suffix in SUFFIXES if (path := library / (name + suffix)).exists())
    path = Path(name)
    if path.suffix in SUFFIXES and path.exists():
        return path
    if path.suffix in SUFFIXES:
        raise UnknownRobot(f"there is no file {name!r}", hint=did_you_mean(path.stem, robots()))
    if path.is_file():
        raise UnknownRobot(f"cannot tell what {name!r} is", hint="arm files end in .toml, URDFs in .urdf")
    raise UnknownRobot(f"no robot {name!r}", hint=did_you_mean(name, robots()))
